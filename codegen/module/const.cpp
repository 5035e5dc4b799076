// const.cpp - constants: scalars, addresses, and static initialisers.
//
// An initialiser's plan (ast.h) is written into an image: the bytes, and relocations where there is an address. The
// image becomes one LLVM constant: a ConstantDataArray for arrays of numbers, an array of pointers for pointer tables,
// otherwise a packed struct of byte runs and addresses. The tail of zeros is not stored, so `int big[1 << 24] = {1}`
// costs nothing; and parts that are far apart have separate images, so `int big[] = {[1 << 28] = 1}` takes no gigabyte.
#include <algorithm>
#include <cstring>
#include "codegen/core/module.h"
#include "codegen/shim/shim.h"
#include "frontend/consteval/static_value.h"

namespace cilkc::cg {

LLVMValueRef ModuleEmitter::intConst(LLVMTypeRef type, __int128 v) { return intConst(type, Wide(v)); }

LLVMValueRef ModuleEmitter::intConst(LLVMTypeRef type, const Wide &v) {
  uint64_t words[Wide::words];
  unsigned n = (LLVMGetIntTypeWidth(type) + 63) / 64;
  for (unsigned i = 0; i < n; i++) words[i] = v.word(i);
  return LLVMConstIntOfArbitraryPrecision(type, n, words);
}

LLVMValueRef ModuleEmitter::floatConst(const Type *ty, __float128 v) {
  uint64_t quad[2];
  memcpy(quad, &v, 16);
  return shimConstFloat(types->memory(ty), quad);
}

LLVMValueRef ModuleEmitter::addressConstant(const ConstValue &v) {
  LLVMValueRef base = nullptr;
  if (v.base && v.base->kind == DeclKind::Function) base = function(v.base->as<FunctionDecl>());
  else if (v.base && v.base->kind == DeclKind::Var) base = global(v.base->as<VarDecl>());
  else if (v.string) base = stringLiteral(v.string, v.string->type);
  else if (v.label) {
    LLVMBasicBlockRef b = labelBlock(v.label);
    if (!b) return nullptr;
    base = LLVMBlockAddress(LLVMGetBasicBlockParent(b), b);
  }
  if (!base)
    return v.offset ? LLVMConstIntToPtr(LLVMConstInt(types->i64, static_cast<uint64_t>(v.offset), true), types->ptr)
                    : LLVMConstNull(types->ptr);
  if (!v.offset) return base;
  LLVMValueRef off = LLVMConstInt(types->i64, static_cast<uint64_t>(v.offset), true);
  return LLVMConstGEP2(types->i8, base, &off, 1);
}

// A scalar constant in its value type, a complex one as a constant struct.
LLVMValueRef ModuleEmitter::constant(const ConstValue &v, QualType q) {
  const Type *ty = q.type;
  LLVMTypeRef lt = types->value(ty);
  switch (v.kind) {
    case ConstValue::Int:
      if (ty->isPointer())
        return v.i ? LLVMConstIntToPtr(intConst(types->i64, v.i), types->ptr) : LLVMConstNull(types->ptr);
      if (ty->isFloating()) return floatConst(ty, static_cast<__float128>(v.i));
      if (ty->isInteger()) return intConst(lt, LLVMGetIntTypeWidth(lt) == 1 ? v.i != 0 : v.i);
      break;
    case ConstValue::WideInt: return ty->isInteger() ? intConst(lt, *v.wide) : nullptr;
    case ConstValue::Float:
      if (ty->isFloating()) return floatConst(ty, v.re);
      if (ty->isInteger()) return intConst(lt, static_cast<__int128>(v.re));
      [[fallthrough]];
    case ConstValue::Complex:
      if (ty->isComplex()) {
        const Type *e = ty->as<ComplexType>()->elem;
        LLVMValueRef parts[2];
        for (int i = 0; i < 2; i++) {
          __float128 x = i ? v.im : v.re;
          parts[i] = e->isFloating() ? floatConst(e, x) : intConst(types->memory(e), static_cast<__int128>(x));
        }
        return LLVMConstStructInContext(context, parts, 2, false);
      }
      break;
    case ConstValue::Address: {
      if (v.minusLabel) {
        LLVMBasicBlockRef a = labelBlock(v.label), b = labelBlock(v.minusLabel);
        if (!a || !b) return nullptr;
        LLVMValueRef x = LLVMConstPtrToInt(LLVMBlockAddress(LLVMGetBasicBlockParent(a), a), types->i64);
        LLVMValueRef y = LLVMConstPtrToInt(LLVMBlockAddress(LLVMGetBasicBlockParent(b), b), types->i64);
        LLVMValueRef d = LLVMConstSub(x, y);
        if (v.offset) d = LLVMConstAdd(d, LLVMConstInt(types->i64, static_cast<uint64_t>(v.offset), true));
        return ty->isInteger() && types->size(ty) < 8 ? LLVMConstTrunc(d, lt) : d;
      }
      LLVMValueRef p = addressConstant(v);
      if (!p || ty->isPointer()) return p;
      if (ty->isInteger() && types->size(ty) == 8) return LLVMConstPtrToInt(p, lt);
      if (ty->isBool()) return LLVMConstInt(lt, 1, false);
      return nullptr;
    }
  }
  return nullptr;
}

// ---- images -------------------------------------------------------------------------------------------------------

struct ModuleEmitter::Image {
  std::vector<uint8_t> bytes;  // as far as anything but zero was written
  struct Reloc {
    uint64_t offset;
    unsigned size;
    LLVMValueRef value;
  };
  std::vector<Reloc> relocs;
  uint64_t size = 0;
  bool big;  // the order of the bytes of numbers
  explicit Image(LLVMTargetDataRef layout) : big(LLVMByteOrder(layout) == LLVMBigEndian) {}
  uint8_t *at(uint64_t offset, uint64_t n) {
    if (bytes.size() < offset + n) {
      if (bytes.capacity() < offset + n) bytes.reserve(std::max<size_t>(offset + n, bytes.capacity() * 2));
      bytes.resize(offset + n);
    }
    return bytes.data() + offset;
  }
  void put(uint64_t offset, const void *p, uint64_t n) {
    dropRelocs(offset, n);
    bool allZero = std::all_of(static_cast<const uint8_t *>(p), static_cast<const uint8_t *>(p) + n,
        [](uint8_t b) { return b == 0; });
    if (allZero && offset >= bytes.size()) return;
    memcpy(at(offset, n), p, n);
  }
  // One number, or several of `each` bytes, that are in our own order.
  void putNumbers(uint64_t offset, const void *p, uint64_t n, uint64_t each) {
    std::vector<uint8_t> b(static_cast<const uint8_t *>(p), static_cast<const uint8_t *>(p) + n);
    inOrder(b, each);
    put(offset, b.data(), n);
  }
  void putNumber(uint64_t offset, const void *p, uint64_t n) { putNumbers(offset, p, n, n); }
  // Between our order of bytes and the target's.
  void inOrder(std::vector<uint8_t> &b, uint64_t each) const {
    if (big && each > 1)
      for (size_t i = 0; i + each <= b.size(); i += each)
        std::reverse(b.begin() + static_cast<ptrdiff_t>(i), b.begin() + static_cast<ptrdiff_t>(i + each));
  }
  void clear(uint64_t offset, uint64_t n) {
    dropRelocs(offset, n);
    if (offset < bytes.size())
      std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(offset), std::min<uint64_t>(n, bytes.size() - offset),
          uint8_t{0});
  }
  void dropRelocs(uint64_t offset, uint64_t n) {
    if (relocs.empty() || relocs.back().offset + relocs.back().size <= offset) return;
    relocs.erase(std::remove_if(relocs.begin(), relocs.end(),
                     [&](const Reloc &r) { return r.offset < offset + n && offset < r.offset + r.size; }),
        relocs.end());
  }
};

// `required`: sema has accepted it as an initialiser of a static object. Else it may be anything, and false says that
// it is not a constant.
bool ModuleEmitter::fillAggregate(Image &im, uint64_t offset, QualType q, const Expr *value, bool required) {
  const Type *ty = q.type;
  const Expr *e = initialValue(value);
  if (e->kind == ExprKind::StringLit && ty->isArray()) {
    auto *s = e->as<StringLit>();
    uint64_t n = std::min<uint64_t>(s->bytes.size(), types->size(ty));
    im.putNumbers(offset, s->bytes.data(), n, s->unit);
    im.clear(offset + n, types->size(ty) - n);
    return true;
  }
  if (e->kind == ExprKind::Data) {
    auto &bytes = e->as<Data>()->bytes;
    im.putNumbers(offset, bytes.data(), bytes.size(), ty->isArray() ? types->size(ty->as<ArrayType>()->elem) : 1);
    return true;
  }
  if (const InitPlan *plan = ty->isArray() && e->kind != ExprKind::CompoundLit ? nullptr : constantPlan(e, ast))
    return fillPlan(im, *plan, offset, required);
  if (ty->isVector() && (e->kind == ExprKind::ImplicitCast || e->kind == ExprKind::Cast)) {
    const Expr *sub = e->kind == ExprKind::Cast ? e->as<Cast>()->sub : e->as<ImplicitCast>()->sub;
    CastKind k = e->kind == ExprKind::Cast ? e->as<Cast>()->castKind : e->as<ImplicitCast>()->castKind;
    if (k == CastKind::VectorBitcast && sub->type->isVector())
      return fillValue(im, offset, sub->type, nullptr, sub, required);
    if (k == CastKind::ScalarToVector) {
      auto *v = ty->as<VectorType>();
      for (uint64_t i = 0; i < v->count; i++)
        if (!fillValue(im, offset + i * types->size(v->elem), v->elem, nullptr, sub, required)) return false;
      return true;
    }
  }
  if (required) impossible(value->range, "an initialiser of a static object that is no constant");
  return false;
}

bool ModuleEmitter::fillValue(Image &im, uint64_t offset, QualType q, const FieldDecl *bf, const Expr *value,
    bool required) {
  auto fail = [&] {
    if (required) impossible(value->range, "an initialiser of a static object that is no constant");
    return false;
  };
  const Type *ty = q.type;
  if (ty->isArray() || ty->isRecord() || ty->isVector()) return fillAggregate(im, offset, q, value, required);
  std::optional<ConstValue> cv = evaluate(value, ast, EvalMode::Static);
  if (!cv) return fail();
  bool address = cv->kind == ConstValue::Address && (cv->base || cv->string || cv->label);
  if (bf && !(address && bf->width == 64 && bf->bitOffset == 0)) {
    bool wide = cv->kind == ConstValue::WideInt;
    if ((cv->kind != ConstValue::Int && !wide) || !bf->width) return bf->width == 0 || fail();
    const Wide v = wide ? *cv->wide : Wide(cv->i);
    uint64_t base = offset * 8 + bf->bitOffset;
    for (unsigned i = 0; i < bf->width; i++) {
      uint64_t bit = im.big ? base + bf->width - 1 - i : base + i;
      unsigned mask = im.big ? 128u >> (bit % 8) : 1u << (bit % 8);
      if (v.word(i / 64) >> (i % 64) & 1) im.at(bit / 8, 1)[0] |= static_cast<uint8_t>(mask);
      else if (bit / 8 < im.bytes.size()) im.bytes[bit / 8] &= static_cast<uint8_t>(~mask);
    }
    return true;
  }
  uint64_t n = types->size(ty);
  switch (cv->kind) {
    case ConstValue::Int:
      if (ty->isFloating()) break;
      if (ty->isBool()) cv->i = cv->i != 0;
      im.putNumber(offset, &cv->i, std::min<uint64_t>(n, 16));
      return true;
    case ConstValue::WideInt: {
      if (!ty->isInteger()) return fail();
      uint64_t words[Wide::words];
      for (unsigned i = 0; i < n / 8; i++) words[i] = cv->wide->word(i);
      im.putNumber(offset, words, n);
      return true;
    }
    case ConstValue::Address: {
      if (!address) {
        im.putNumber(offset, &cv->offset, std::min<uint64_t>(n, 8));
        return true;
      }
      LLVMValueRef v = constant(*cv, q);
      if (!v) return fail();
      if (ty->isBool()) {
        uint8_t one = 1;
        im.put(offset, &one, 1);
        return true;
      }
      im.dropRelocs(offset, n);
      Image::Reloc r{offset, static_cast<unsigned>(n), v};
      if (im.relocs.empty() || im.relocs.back().offset < offset) im.relocs.push_back(r);
      else
        im.relocs.insert(std::upper_bound(im.relocs.begin(), im.relocs.end(), r,
                             [](auto &a, auto &b) { return a.offset < b.offset; }),
            r);
      if (offset < im.bytes.size())
        memset(im.bytes.data() + offset, 0, std::min<uint64_t>(n, im.bytes.size() - offset));
      return true;
    }
    case ConstValue::Float:
    case ConstValue::Complex: break;
  }
  // Floating, or complex of anything.
  auto part = [&](uint64_t off, const Type *e, __float128 x) {
    if (e->isFloating()) {
      uint64_t quad[2], bits[2];
      memcpy(quad, &x, 16);
      shimFloatBits(types->memory(e), quad, bits);
      im.putNumber(off, bits,
          e->kind == TypeKind::LongDouble && !ast.target.facts->quadLongDouble
              ? 10
              : std::min<uint64_t>(types->size(e), 16));
    } else {
      __int128 i = static_cast<__int128>(x);
      im.putNumber(off, &i, types->size(e));
    }
  };
  if (ty->isComplex()) {
    const Type *e = ty->as<ComplexType>()->elem;
    if (cv->kind == ConstValue::Int) {
      cv->re = static_cast<__float128>(cv->i);
      cv->im = 0;
    }
    part(offset, e, cv->re);
    part(offset + types->size(e), e, cv->im);
  } else if (ty->isFloating()) part(offset, ty, cv->kind == ConstValue::Int ? static_cast<__float128>(cv->i) : cv->re);
  else return fail();
  return true;
}

bool ModuleEmitter::fillPlan(Image &im, const InitPlan &plan, uint64_t base, bool required) {
  bool ok = true;
  for (auto &s : plan.stores) {
    uint64_t reps = std::max<uint64_t>(s.repeat, 1);
    size_t from = im.relocs.size();
    if (!fillValue(im, base + s.offset, s.type, s.bitField, s.value, required)) {
      ok = false;
      if (!required) return false;
      continue;
    }
    if (reps == 1) continue;
    // Further copies of a plain value are copied as bytes; addresses again from the expression.
    uint64_t n = types->size(s.type);
    if (im.relocs.size() == from && !s.bitField) {
      std::vector<uint8_t> copy(n);
      for (uint64_t i = 0; i < n; i++)
        copy[i] = base + s.offset + i < im.bytes.size() ? im.bytes[base + s.offset + i] : 0;
      for (uint64_t r = 1; r < reps; r++) im.put(base + s.offset + r * s.stride, copy.data(), n);
    } else
      for (uint64_t r = 1; r < reps; r++)
        fillValue(im, base + s.offset + r * s.stride, s.type, s.bitField, s.value, false);
  }
  return ok;
}

LLVMValueRef ModuleEmitter::imageConstant(Image &im, QualType q) {
  LLVMTypeRef memType = types->memory(q);
  while (!im.bytes.empty() && im.bytes.back() == 0) im.bytes.pop_back();
  if (im.bytes.empty() && im.relocs.empty()) {
    if (q->isArray() && q->as<ArrayType>()->arrayKind == ArrayKind::Constant && types->size(q) == im.size)
      return LLVMConstNull(memType);
    if (!q->isArray() && types->size(q) == im.size) return LLVMConstNull(memType);
    return LLVMConstNull(LLVMArrayType2(types->i8, im.size));
  }
  // Arrays of one scalar type.
  const Type *leaf = q.type;
  uint64_t total = im.size;
  while (leaf->isArray()) leaf = leaf->as<ArrayType>()->elem.type;
  uint64_t es = leaf->isArithmetic() || leaf->isPointer() ? types->size(leaf) : 0;
  bool plain = q->isArray() && q->as<ArrayType>()->elem->isArray() == false && es && total % es == 0;
  if (plain && im.relocs.empty() && !leaf->isPointer() && !leaf->isComplex() &&
      (leaf->isInteger() ? es <= 8 : leaf->kind == TypeKind::Float || leaf->kind == TypeKind::Double)) {
    uint64_t used = (im.bytes.size() + es - 1) / es, n = total / es;
    LLVMTypeRef e = types->memory(leaf);
    if (n - used < 64 || used * 4 > n) {
      im.bytes.resize(total);
      im.inOrder(im.bytes, es);
      return shimConstDataArray(e, im.bytes.data(), n);
    }
    im.bytes.resize(used * es);
    im.inOrder(im.bytes, es);
    LLVMValueRef parts[] = {shimConstDataArray(e, im.bytes.data(), used), LLVMConstNull(LLVMArrayType2(e, n - used))};
    return LLVMConstStructInContext(context, parts, 2, true);
  }
  if (plain && leaf->isPointer() && im.bytes.empty()) {
    uint64_t n = total / 8;
    bool fits = n < 1u << 20 || im.relocs.size() * 4 > n;
    for (auto &r : im.relocs) fits &= r.offset % 8 == 0 && r.size == 8;
    if (fits) {
      std::vector<LLVMValueRef> v(n, LLVMConstNull(types->ptr));
      for (auto &r : im.relocs) v[r.offset / 8] = r.value;
      return LLVMConstArray2(types->ptr, v.data(), n);
    }
  }
  // A packed struct of runs.
  std::vector<LLVMValueRef> parts;
  uint64_t pos = 0;
  auto run = [&](uint64_t end) {
    if (end <= pos) return;
    uint64_t stored = std::min<uint64_t>(end, std::max<uint64_t>(im.bytes.size(), pos));
    bool zeros = std::all_of(im.bytes.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(pos, im.bytes.size())),
        im.bytes.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(stored, im.bytes.size())),
        [](uint8_t b) { return !b; });
    if (zeros) stored = pos;
    if (stored > pos) {
      // Keep natural words where they are aligned: LLVM folds loads of those most easily.
      std::vector<uint8_t> b(im.bytes.begin() + static_cast<ptrdiff_t>(pos),
          im.bytes.begin() + static_cast<ptrdiff_t>(stored));
      uint64_t n = stored - pos;
      if (n <= 256 && pos % 4 == 0 && end % 4 == 0) {
        uint64_t padded = (n + 3) / 4 * 4;
        b.resize(padded);
        im.inOrder(b, 4);
        parts.push_back(shimConstDataArray(types->i32, b.data(), padded / 4));
        stored = pos + padded;
      } else parts.push_back(shimConstDataArray(types->i8, b.data(), n));
    }
    if (end > stored) parts.push_back(LLVMConstNull(LLVMArrayType2(types->i8, end - stored)));
    pos = end;
  };
  for (auto &r : im.relocs) {
    run(r.offset);
    parts.push_back(r.value);
    pos = r.offset + r.size;
  }
  run(total);
  return LLVMConstStructInContext(context, parts.data(), static_cast<unsigned>(parts.size()), true);
}

// A plan's bytes, cut where nothing is written for long.
namespace {

struct Stretch {
  uint64_t begin, end;
};

std::vector<Stretch> stretches(const InitPlan &plan, uint64_t size, TypeLowering &types) {
  constexpr uint64_t farApart = 1 << 20;
  if (size <= farApart) return {{0, size}};
  std::vector<Stretch> all, merged;
  all.reserve(plan.stores.size());
  for (const InitStore &s : plan.stores) {
    uint64_t n =
        std::max<uint64_t>(types.size(s.type), s.bitField ? (s.bitField->bitOffset + s.bitField->width + 7) / 8 : 0);
    all.push_back(
        {s.offset / 16 * 16, (s.offset + (std::max<uint64_t>(s.repeat, 1) - 1) * s.stride + n + 15) / 16 * 16});
  }
  auto earlier = [](const Stretch &a, const Stretch &b) { return a.begin < b.begin; };
  if (!std::is_sorted(all.begin(), all.end(), earlier)) std::sort(all.begin(), all.end(), earlier);
  for (const Stretch &s : all) {
    if (!merged.empty() && s.begin < merged.back().end + farApart)
      merged.back().end = std::max(merged.back().end, s.end);
    else merged.push_back(s);
  }
  if (merged.empty() || (merged.size() == 1 && merged[0].begin < farApart)) return {{0, size}};
  merged.back().end = size;
  return merged;
}

// Each stretch's stores, as a plan of its own.
std::vector<InitPlan> dealOut(const InitPlan &plan, const std::vector<Stretch> &to) {
  std::vector<InitPlan> parts(to.size());
  for (const InitStore &s : plan.stores) {
    auto behind =
        std::upper_bound(to.begin(), to.end(), s.offset, [](uint64_t at, const Stretch &x) { return at < x.begin; });
    parts[static_cast<size_t>(behind - to.begin()) - 1].stores.push_back(s);
  }
  return parts;
}

}  // namespace

LLVMValueRef ModuleEmitter::planConstant(const InitPlan &plan) {
  std::vector<LLVMValueRef> parts;
  uint64_t size = std::max(plan.size, isComplete(plan.type.type) ? types->size(plan.type) : 0), at = 0;
  const std::vector<Stretch> cut = stretches(plan, size, *types);
  const std::vector<InitPlan> dealt = cut.size() > 1 ? dealOut(plan, cut) : std::vector<InitPlan>();
  for (size_t i = 0; i < cut.size(); ++i) {
    if (cut[i].begin > at) parts.push_back(LLVMConstNull(LLVMArrayType2(types->i8, cut[i].begin - at)));
    Image im(layout);
    im.size = cut[i].end - cut[i].begin;
    fillPlan(im, dealt.empty() ? plan : dealt[i], 0 - cut[i].begin, true);
    parts.push_back(imageConstant(im, plan.type));
    at = cut[i].end;
  }
  return parts.size() == 1 ? parts[0]
                           : LLVMConstStructInContext(context, parts.data(), static_cast<unsigned>(parts.size()), true);
}

LLVMValueRef ModuleEmitter::dataConstant(const Data *d) {
  Image im(layout);
  im.size = d->bytes.size();
  im.putNumbers(0, d->bytes.data(), d->bytes.size(),
      d->type->isArray() ? types->size(d->type->as<ArrayType>()->elem) : 1);
  return privateConstant(imageConstant(im, d->type), std::max(types->align(d->type), 1u), ".init");
}

LLVMValueRef ModuleEmitter::tryPlanConstant(const InitPlan &plan) {
  Image im(layout);
  im.size = std::max(plan.size, isComplete(plan.type.type) ? types->size(plan.type) : 0);
  if (!fillPlan(im, plan, 0, false)) return nullptr;
  return imageConstant(im, plan.type);
}

LLVMValueRef ModuleEmitter::staticInitializer(const Initializer *init, QualType q, uint64_t size) {
  if (init->list) {
    if (!init->list->plan) return LLVMConstNull(types->memory(q));
    if (!q->isArray() && !q->isRecord() && !q->isVector() && init->list->plan->stores.size() == 1) {  // int x = {5};
      Initializer inner;
      inner.expr = init->list->plan->stores[0].value;
      return staticInitializer(&inner, q, size);
    }
    return planConstant(*init->list->plan);
  }
  if (!init->expr) return LLVMConstNull(types->memory(q));
  if (q->isScalar() && !q->isComplex() && !q->isWide()) {
    std::optional<ConstValue> cv = evaluate(init->expr, ast, EvalMode::Static);
    LLVMValueRef v = cv ? constant(*cv, q) : nullptr;
    if (v) return LLVMTypeOf(v) == types->i1 ? LLVMConstInt(types->i8, LLVMConstIntGetZExtValue(v), false) : v;
  }
  Image im(layout);
  im.size = size;
  if (!fillValue(im, 0, q, nullptr, init->expr, true)) return LLVMConstNull(types->memory(q));
  if (q->isVector() || q->isComplex()) {
    // Natural type, so that the global has one.
    im.bytes.resize(im.size);
  }
  return imageConstant(im, q);
}

}  // namespace cilkc::cg
