// aapcs64.cpp - the procedure call standard for AArch64 Linux (AAPCS64 6.8). Homogeneous floating aggregates are in v
// registers, records of up to 16 bytes in x registers. Larger records go by reference to a copy, results in memory
// through x8. Arrays of LLVM values ask the back end for consecutive registers, so register exhaustion needs no
// counting here.
#include <algorithm>
#include "codegen/core/module.h"

namespace cilkc::cg {
namespace {

class Aapcs64 : public AbiLowering {
  TypeLowering &t;

  // Is ty made of one to four members of one floating or short-vector type? Counts them.
  bool homogeneous(const Type *ty, const Type *&base, uint64_t &n) {
    if (ty->isArray()) {
      auto *a = ty->as<ArrayType>();
      if (a->arrayKind != ArrayKind::Constant || !a->count) return false;
      uint64_t k = 0;
      if (!homogeneous(a->elem.type, base, k)) return false;
      n = k * a->count;
      return n <= 4;
    }
    if (ty->isRecord()) {
      auto *r = ty->as<RecordType>();
      if (r->flexible) return false;
      n = 0;
      for (const FieldDecl *f : r->fields) {
        if (f->bitField) {
          if (f->width == 0) continue;
          return false;
        }
        const Type *ft = f->type.type;
        while (ft->isArray() && ft->as<ArrayType>()->arrayKind == ArrayKind::Constant && ft->as<ArrayType>()->count)
          ft = ft->as<ArrayType>()->elem.type;
        if (ft->isRecord() && ft->as<RecordType>()->fields.empty()) continue;
        uint64_t k = 0;
        if (!homogeneous(f->type.type, base, k)) return false;
        n = r->isUnion ? std::max(n, k) : n + k;
      }
      return base && n >= 1 && n <= 4 && t.size(ty) == n * t.size(base);
    }
    uint64_t k = 1;
    const Type *e = ty;
    if (ty->isComplex()) {
      e = ty->as<ComplexType>()->elem;
      k = 2;
    }
    if (!(e->isFloating() || (e->isVector() && (t.size(e) == 8 || t.size(e) == 16)))) return false;
    if (!base) base = e;
    bool same = base == e || (base->isVector() && e->isVector() && t.size(base) == t.size(e)) ||
                (!base->isVector() && !e->isVector() && t.memory(base) == t.memory(e));
    if (!same) return false;
    n = k;
    return true;
  }

  // Alignment that matters for register pairs: the members', not that of an attribute on the record.
  uint32_t naturalAlign(const Type *ty) {
    if (ty->isArray()) return naturalAlign(ty->as<ArrayType>()->elem.type);
    if (!ty->isRecord()) return t.align(ty);
    uint32_t a = 1;
    for (const FieldDecl *f : ty->as<RecordType>()->fields)
      if (!(f->bitField && f->width == 0))
        a = std::max(
            {a, f->attrPacked || ty->as<RecordType>()->isPackedAttr ? 1u : naturalAlign(f->type.type), f->attrAlign});
    return a;
  }

  AbiSlot slot(const Type *ty, bool result) {
    AbiSlot s;
    if (ty->isVoid() || ty->isError()) return s;
    uint64_t n = t.size(ty);
    if (ty->isVector()) {
      s.kind = AbiSlot::Pieces;
      if (n <= 4) s.pieces.push_back({result ? t.intN(unsigned(n * 8)) : t.i32, 0});
      else if (n == 8 || n == 16) {
        s.kind = AbiSlot::Direct;
        s.pieces.push_back({t.value(ty), 0});
      } else {
        s.kind = AbiSlot::Indirect;
        s.align = t.align(ty);
      }
      return s;
    }
    if (ty->isBitInt() && !ty->isWide()) {
      s.kind = AbiSlot::Pieces;
      s.pieces.push_back({t.memory(ty), 0});
      return s;
    }
    if (!ty->isRecord() && !ty->isComplex() && !ty->isWide()) {
      s.kind = AbiSlot::Direct;
      s.pieces.push_back({t.value(ty), 0});
      return s;
    }
    if (n == 0) return s;
    const Type *base = nullptr;
    uint64_t count = 0;
    if (homogeneous(ty, base, count)) {
      s.kind = AbiSlot::Pieces;
      LLVMTypeRef e = t.memory(base);
      s.pieces.push_back({count == 1 && !result ? LLVMArrayType2(e, 1) : LLVMArrayType2(e, count), 0});
      return s;
    }
    if (n > 16) {
      s.kind = AbiSlot::Indirect;
      s.align = std::max<uint32_t>(t.align(ty), 8);
      return s;
    }
    s.kind = AbiSlot::Pieces;
    if (n <= 8) s.pieces.push_back({result ? t.intN(unsigned(n * 8)) : t.i64, 0});
    else if (naturalAlign(ty) >= 16) s.pieces.push_back({t.i128, 0});
    else s.pieces.push_back({LLVMArrayType2(t.i64, 2), 0});
    return s;
  }

public:
  explicit Aapcs64(TypeLowering &tl) : t(tl) {}
  void classify(AbiFunction &f) override {
    f.result = slot(f.resultType.type, true);
    f.params.clear();
    for (QualType q : f.types) f.params.push_back(slot(q.type, false));
  }
};

}  // namespace

AbiLowering *makeAapcs64Lowering(TypeLowering &t) { return new Aapcs64(t); }

}  // namespace cilkc::cg
