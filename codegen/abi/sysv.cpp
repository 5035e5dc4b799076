// sysv.cpp - the System V ABI for x86-64 (psABI 3.2.3): classification of each eightbyte, then assignment to registers
// while they last.
//
// What goes to memory becomes a byval pointer; LLVM's calling convention places the rest. An argument whose registers
// do not all fit goes to memory as a whole, which LLVM would not do for pieces: hence the count of free registers here.
#include <algorithm>
#include "codegen/core/module.h"

namespace cilkc::cg {
namespace {

enum Class : uint8_t { NoClass, Integer, Sse, SseUp, X87, X87Up, ComplexX87, Memory };

Class merge(Class a, Class b) {
  if (a == b) return a;
  if (a == NoClass) return b;
  if (b == NoClass) return a;
  if (a == Memory || b == Memory) return Memory;
  if (a == Integer || b == Integer) return Integer;
  if (a == X87 || a == X87Up || a == ComplexX87 || b == X87 || b == X87Up || b == ComplexX87) return Memory;
  return Sse;
}

struct Classes {
  Class c[8] = {};
  bool memory = false;
  void add(uint64_t byte, Class k) {
    if (byte / 8 >= 8) {
      memory = true;
      return;
    }
    c[byte / 8] = merge(c[byte / 8], k);
    if (c[byte / 8] == Memory) memory = true;
  }
  // What the psABI calls the post merger cleanup; it is due at the end of every aggregate, also of one that is a
  // member.
  void settle() {
    for (int i = 0; i < 8; i++) {
      if (c[i] == X87Up && (i == 0 || c[i - 1] != X87)) memory = true;
      if (c[i] == SseUp && (i == 0 || (c[i - 1] != Sse && c[i - 1] != SseUp))) c[i] = Sse;
    }
  }
  void add(const Classes &member) {
    memory |= member.memory;
    for (uint64_t i = 0; i < 8; i++) add(i * 8, member.c[i]);
  }
};

class SysV : public AbiLowering {
  TypeLowering &t;

  void classify(const Type *ty, uint64_t off, Classes &k) {
    switch (ty->kind) {
      case TypeKind::Void:
      case TypeKind::Function:
      case TypeKind::Error:
      case TypeKind::Auto: return;
      case TypeKind::Enum: return classify(ty->as<EnumType>()->underlying, off, k);
      case TypeKind::Float16:
      case TypeKind::Float:
      case TypeKind::Double:
      case TypeKind::Float32:
      case TypeKind::Float64:
      case TypeKind::Float32x: return k.add(off, Sse);
      case TypeKind::LongDouble:
      case TypeKind::Float64x:
        k.add(off, X87);
        k.add(off + 8, X87Up);
        return;
      case TypeKind::Float128:
        k.add(off, Sse);
        k.add(off + 8, SseUp);
        return;
      case TypeKind::Int128:
      case TypeKind::UInt128:
        k.add(off, Integer);
        k.add(off + 8, Integer);
        return;
      case TypeKind::WideBits:
        if (ty->isWide()) {
          k.memory = true;
          return;
        }
        for (uint64_t i = 0; i < t.size(ty); i += 8) k.add(off + i, Integer);
        return;
      case TypeKind::Complex: {
        const Type *e = ty->as<ComplexType>()->elem;
        if (e->kind == TypeKind::LongDouble || e->kind == TypeKind::Float64x) {
          k.add(off, ComplexX87);
          if (off) k.memory = true;
          return;
        }
        classify(e, off, k);
        classify(e, off + t.size(e), k);
        return;
      }
      case TypeKind::Vector: {
        uint64_t n = t.size(ty);
        if (n < 8) {
          k.add(off, n == 4 && ty->as<VectorType>()->elem->isFloating() ? Sse : n == 4 ? Integer : Integer);
          return;
        }
        k.add(off, Sse);
        for (uint64_t i = 8; i < n; i += 8) k.add(off + i, n == 8 ? Sse : SseUp);
        return;
      }
      case TypeKind::Array: {
        auto *a = ty->as<ArrayType>();
        if (a->arrayKind != ArrayKind::Constant || !a->count) return;
        uint64_t es = t.size(a->elem);
        if (es == 0) return;
        if (a->count * es > 64) {
          k.memory = true;
          return;
        }
        if (off % t.align(a->elem)) {
          k.memory = true;
          return;
        }
        for (uint64_t i = 0; i < a->count; i++) classify(a->elem.type, off + i * es, k);
        return;
      }
      case TypeKind::Record: {
        auto *r = ty->as<RecordType>();
        if (r->size > 64) {
          k.memory = true;
          return;
        }
        for (const FieldDecl *f : r->fields) {
          if (f->bitField) {
            if (f->name.empty() || !f->width) continue;  // unnamed ones are padding
            uint64_t first = (off + f->offset) * 8 + f->bitOffset, last = first + f->width - 1;
            for (uint64_t w = first / 64; w <= last / 64; w++) k.add(w * 8, Integer);
            continue;
          }
          if ((off + f->offset) % t.align(f->type)) {
            k.memory = true;
            return;
          }  // packed
          // merged as a whole: a union's float over {long double, long} is INTEGER, not MEMORY
          Classes member;
          classify(f->type.type, off + f->offset, member);
          member.settle();
          k.add(member);
        }
        return;
      }
      default: return k.add(off, Integer);
    }
  }

  // Final classes of a whole value.
  Classes classes(const Type *ty) {
    Classes k;
    uint64_t n = t.size(ty);
    classify(ty, 0, k);
    if (k.memory) return k;
    uint64_t words = (n + 7) / 8;
    if (words > 2) {
      bool oneVector = k.c[0] == Sse;
      for (uint64_t i = 1; i < words && i < 8; i++) oneVector &= k.c[i] == SseUp;
      // not a record with such a member
      if (!(ty->isComplex() && k.c[0] == ComplexX87) && (!oneVector || !wideVectors(n))) k.memory = true;
    }
    k.settle();
    return k;
  }

  bool wideVectors(uint64_t bytes) const { return bytes <= vectorBytes; }

  // The pointer, or the vector of 16 bytes or more, exactly at this offset, if any.
  const Type *leafAt(const Type *ty, uint64_t off) {
    if (ty->isRecord()) {
      for (const FieldDecl *f : ty->as<RecordType>()->fields) {
        if (f->bitField) continue;
        uint64_t n = isComplete(f->type.type) ? t.size(f->type) : 0;
        if (off >= f->offset && off < f->offset + n) {
          if (ty->as<RecordType>()->isUnion && ty->as<RecordType>()->fields.size() > 1) return nullptr;
          return leafAt(f->type.type, off - f->offset);
        }
      }
      return nullptr;
    }
    if (ty->isArray()) {
      auto *a = ty->as<ArrayType>();
      uint64_t es = t.size(a->elem);
      return es ? leafAt(a->elem.type, off % es) : nullptr;
    }
    return off == 0 ? ty : nullptr;
  }
  // Is there anything but padding in [from, to)?
  bool occupied(const Type *ty, uint64_t from, uint64_t to) {
    if (from >= to) return false;
    if (ty->isRecord()) {
      for (const FieldDecl *f : ty->as<RecordType>()->fields) {
        uint64_t n = f->bitField                ? (f->name.empty() ? 0 : (f->bitOffset + f->width + 7) / 8)
                     : isComplete(f->type.type) ? t.size(f->type)
                                                : 0;
        uint64_t b = std::max(from, f->offset), e = std::min(to, f->offset + n);
        if (b < e && (f->bitField || occupied(f->type.type, b - f->offset, e - f->offset))) return true;
      }
      return false;
    }
    if (ty->isArray()) {
      auto *a = ty->as<ArrayType>();
      uint64_t es = t.size(a->elem), n = a->arrayKind == ArrayKind::Constant ? a->count : 0;
      for (uint64_t i = es ? from / es : n; i < n && i * es < to; i++) {
        uint64_t b = std::max(from, i * es), e = std::min(to, (i + 1) * es);
        if (b < e && occupied(a->elem.type, b - i * es, e - i * es)) return true;
      }
      return false;
    }
    return from < t.size(ty);
  }

  LLVMTypeRef integerPiece(const Type *ty, uint64_t off) {
    uint64_t n = t.size(ty) - off;
    const Type *leaf = leafAt(ty, off);
    if (leaf && leaf->isPointer()) return t.ptr;
    // clang reads the bits beyond its width, too
    if (ty->isBitInt() && n <= 8) return ty->as<WideBitsType>()->width > 32 ? t.i64 : t.i32;
    return n >= 8 ? t.i64 : t.intN(static_cast<unsigned>(n * 8));
  }
  LLVMTypeRef ssePiece(const Type *ty, uint64_t off) {
    uint64_t n = t.size(ty) - off;
    const Type *leaf = leafAt(ty, off);
    if (leaf && (leaf->kind == TypeKind::Float16) && !occupied(ty, off + 2, off + 8)) return t.f16;
    if (n <= 4 || !occupied(ty, off + 4, off + 8)) return t.f32;
    if (leaf && t.memory(leaf) == t.f32) return LLVMVectorType(t.f32, 2);
    return t.f64;
  }
  LLVMTypeRef vectorPiece(const Type *ty) {
    const Type *leaf = ty->isVector() ? ty : leafAt(ty, 0);
    if (leaf && leaf->kind == TypeKind::Float128) return t.f128;
    uint64_t n = (t.size(ty) + 15) / 16 * 16;
    if (leaf && leaf->isVector() && t.size(leaf) == n) return t.memory(leaf);
    return LLVMVectorType(t.f64, static_cast<unsigned>(n / 8));
  }

  static void indirect(AbiSlot &s, uint32_t align, bool byval) {
    s.kind = AbiSlot::Indirect;
    s.byval = byval;
    s.align = align;
    s.pieces.clear();
  }

  // Pieces and the registers they need. False: memory.
  bool pieces(const Type *ty, const Classes &k, AbiSlot &s, bool result, int &gpr, int &sse) {
    gpr = sse = 0;
    if (k.memory) return false;
    uint64_t n = t.size(ty);
    s.kind = AbiSlot::Pieces;
    if (k.c[0] == ComplexX87 || k.c[0] == X87) {
      if (!result) return false;
      s.pieces.push_back({t.f80, 0});
      if (k.c[0] == ComplexX87) s.pieces.push_back({t.f80, 16});
      return true;
    }
    for (uint64_t off = 0; off < n; off += 8) {
      switch (k.c[off / 8]) {
        case NoClass: break;  // only padding
        case Integer:
          s.pieces.push_back({integerPiece(ty, off), static_cast<uint32_t>(off)});
          gpr++;
          break;
        case Sse:
          if (off / 8 + 1 < 8 && k.c[off / 8 + 1] == SseUp) {
            s.pieces.push_back({vectorPiece(ty), static_cast<uint32_t>(off)});
            sse++;
            off = n;
          } else {
            s.pieces.push_back({ssePiece(ty, off), static_cast<uint32_t>(off)});
            sse++;
          }
          break;
        default: return false;
      }
    }
    if (s.pieces.empty()) s.kind = AbiSlot::Ignore;
    return true;
  }

  void direct(AbiSlot &s, const Type *ty) {
    s.kind = AbiSlot::Direct;
    s.pieces.push_back({t.value(ty), 0});
    if (ty->isInteger() && t.size(ty) < 4) (t.isSigned(ty) ? s.signExt : s.zeroExt) = true;
  }

  uint64_t vectorBytes = 16;
  int freeGpr = 6, freeSse = 8;

  AbiSlot resultSlot(const Type *ty) {
    AbiSlot s;
    if (ty->isVoid() || ty->isError()) return s;
    if (ty->isRecord() || ty->isComplex() || ty->isBitInt()) {
      if (t.size(ty) == 0) return s;
      int g, x;
      AbiSlot r;
      if (pieces(ty, classes(ty), r, true, g, x)) return r;
      indirect(s, t.align(ty), false);
      return s;
    }
    if (ty->isVector() && t.size(ty) == 8) {
      s.kind = AbiSlot::Pieces;
      s.pieces.push_back({t.f64, 0});
      return s;
    }
    if (ty->isVector() && t.size(ty) < 8) {
      s.kind = AbiSlot::Pieces;
      s.pieces.push_back({t.intN(unsigned(t.size(ty) * 8)), 0});
      return s;
    }
    if (ty->isVector() && t.size(ty) > 16 && !wideVectors(t.size(ty))) {
      indirect(s, t.align(ty), false);
      return s;
    }
    direct(s, ty);
    return s;
  }

  AbiSlot argument(const Type *ty) {
    AbiSlot s;
    if (ty->isVoid() || ty->isError()) return s;
    // An __int128 that does not fit leaves the last register to the next argument; LLVM's convention for i128 would
    // take it away.
    if (ty->isInteger() && !ty->isBitInt() && t.size(ty) == 16 && freeGpr < 2) {
      indirect(s, 16, true);
      return s;
    }
    if (ty->isRecord() || ty->isComplex() || ty->isVector() || ty->isBitInt()) {
      if (t.size(ty) == 0) return s;
      int g = 0, x = 0;
      if (ty->isVector() && t.size(ty) > 16 && (!wideVectors(t.size(ty)))) {
        indirect(s, std::max<uint32_t>(t.align(ty), 8), true);
        return s;
      }
      AbiSlot r;
      if (pieces(ty, classes(ty), r, false, g, x) && g <= freeGpr && x <= freeSse) {
        freeGpr -= g;
        freeSse -= x;
        if (ty->isVector() && t.size(ty) >= 16) {
          r.kind = AbiSlot::Direct;
          r.pieces = {{t.value(ty), 0}};
        }
        return r;
      }
      if (ty->isVector() && t.size(ty) >= 16) {
        direct(s, ty);
        return s;
      }
      indirect(s, std::max<uint32_t>(t.align(ty), 8), true);
      return s;
    }
    direct(s, ty);
    if (ty->isFloating()) {
      if (ty->kind != TypeKind::LongDouble && ty->kind != TypeKind::Float64x) freeSse = std::max(0, freeSse - 1);
    } else {
      int need = t.size(ty) > 8 ? 2 : 1;
      if (need <= freeGpr) freeGpr -= need;
    }
    return s;
  }

  // Does LLVM find no register for it, where so many are left? Pieces all have theirs.
  bool onStack(const AbiSlot &s, const Type *ty, int gpr, int sse) const {
    if (s.kind == AbiSlot::Indirect) return true;
    if (s.kind != AbiSlot::Direct) return false;
    if (ty->kind == TypeKind::LongDouble || ty->kind == TypeKind::Float64x) return true;
    return (ty->isFloating() || ty->isVector() ? sse : gpr) == 0;
  }

  // psABI 3.2.3: in order, each at its alignment, in whole eightbytes.
  void stack(AbiFunction &f, const std::vector<size_t> &stacked) {
    if (stacked.size() < kManyStacked) return;
    uint64_t size = 0;
    uint32_t most = 8;
    std::vector<uint32_t> offsets;
    for (size_t i : stacked) {
      const Type *ty = f.types[i].type;
      uint32_t align = f.params[i].kind == AbiSlot::Indirect ? f.params[i].align : std::max<uint32_t>(t.align(ty), 8);
      most = std::max(most, align);
      size = (size + align - 1) / align * align;
      offsets.push_back(static_cast<uint32_t>(size));
      size += (t.size(ty) + 7) / 8 * 8;
      if (size > INT32_MAX) return;
    }
    f.stack.size = static_cast<uint32_t>(size);
    f.stack.align = most;
    for (size_t k = 0; k < stacked.size(); k++) {
      AbiSlot &s = f.params[stacked[k]];
      s.kind = AbiSlot::Stacked;
      s.offset = offsets[k];
      s.byval = false;
    }
  }

public:
  SysV(TypeLowering &tl, uint64_t vectorBytes) : t(tl), vectorBytes(vectorBytes) {}
  void classify(AbiFunction &f) override {
    freeGpr = 6;
    freeSse = 8;
    f.result = resultSlot(f.resultType.type);
    if (f.sret()) freeGpr--;
    f.params.clear();
    std::vector<size_t> stacked;
    for (size_t i = 0; i < f.types.size(); i++) {
      int gpr = freeGpr, sse = freeSse;
      f.params.push_back(argument(f.types[i].type));
      if (i < f.fixed && onStack(f.params[i], f.types[i].type, gpr, sse)) stacked.push_back(i);
    }
    stack(f, stacked);
  }
};

}  // namespace

AbiLowering *makeSysVLowering(TypeLowering &t, unsigned vectorBytes) { return new SysV(t, vectorBytes); }

}  // namespace cilkc::cg
