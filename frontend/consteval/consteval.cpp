// consteval.cpp - the constant evaluator: one recursive walk over a typed expression (C17 6.6).
//
// Integers are kept wrapped to their type in 128 bits, floating values in an IEEE quad rounded to theirs, pointers as a
// base and an offset. The mode decides how much is taken: `IntegerConstant` only what 6.6p6 allows, `Fold` what has a
// value, `Static` address constants and what else gcc takes in a static initialiser. An operand that is not evaluated
// (0 && x) need not have a value, except that in an integer constant expression it must still look like one. Operators
// are in operators.cpp, objects in objects.cpp.
#include "frontend/ast/query.h"
#include "frontend/consteval/consteval.h"
#include <algorithm>
#include "frontend/consteval/impl.h"
#include "frontend/consteval/static_value.h"
#include "frontend/types/layout.h"

namespace cilkc {

__int128 wrapInt(__int128 v, const Type *t, const TargetInfo &target) {
  t = enumBase(t);
  if (t->isBool()) return v != 0;
  unsigned bits =
      t->kind == TypeKind::WideBits ? t->as<WideBitsType>()->width : static_cast<unsigned>(sizeOf(t, target)) * 8;
  if (bits == 0 || bits >= 128) return v;
  auto u = static_cast<unsigned __int128>(v) << (128 - bits);
  return isSigned(t, target) ? static_cast<__int128>(u) >> (128 - bits) : static_cast<__int128>(u >> (128 - bits));
}

std::optional<ConstValue> evaluate(const Expr *e, const AstContext &cx, EvalMode mode, EvalTrouble &trouble) {
  Evaluator ev{cx, mode, EvalTrouble::None, 0, 0, {}};
  auto r = ev.eval(e);
  trouble = ev.trouble;
  if (!r || mode != EvalMode::IntegerConstant) return r;
  if (r->kind == ConstValue::WideInt) return ev.integer(r->wide->clamped(), cx.basic(TypeKind::Int128));
  if (r->kind != ConstValue::Int) return std::nullopt;
  return r;
}

std::optional<ConstValue> evaluate(const Expr *e, const AstContext &cx, EvalMode mode) {
  EvalTrouble ignored;
  return evaluate(e, cx, mode, ignored);
}

using Result = Evaluator::Result;

Result Evaluator::integer(__int128 v, const Type *t) const {
  ConstValue r;
  if (t->isPointer()) {
    r.kind = ConstValue::Address;
    r.offset = static_cast<int64_t>(v);
    return r;
  }
  if (t->isFloating() || t->isComplex()) return std::nullopt;
  if (t->isWide()) return integer(Wide(v), t);
  r.i = wrapInt(v, t, target());
  return r;
}

Result Evaluator::integer(const Wide &v, const Type *t) const {
  if (t->isBool()) return integer(!v.zero(), t);
  if (!t->isWide()) return integer(v.low(), t);
  ConstValue r;
  r.kind = ConstValue::WideInt;
  r.wide = std::make_shared<const Wide>(v.wrapped(t->as<WideBitsType>()->width, isSigned(t, target())));
  return r;
}

// The value of an integer of type t.
Wide Evaluator::wide(const ConstValue &v, const Type *t) const {
  if (v.kind == ConstValue::WideInt) return *v.wide;
  return isSigned(enumBase(t), target()) ? Wide(v.i) : Wide::ofUnsigned(static_cast<unsigned __int128>(v.i));
}

Result Evaluator::truncated(__float128 x, const Type *t) {
  if (!t->isWide()) {
    bool out;
    __int128 i = floatToInt(x, t, target(), out);
    if (out) note(EvalTrouble::Overflow);
    return integer(i, t);
  }
  unsigned width = t->as<WideBitsType>()->width;
  bool sign = isSigned(t, target());
  if (isNan(x)) {
    note(EvalTrouble::Overflow);
    return integer(0, t);
  }
  Wide most = Wide::lowBits(width - sign), least = sign ? -most - Wide(1) : Wide();
  __float128 far = most.rounded(113) * 2;
  Wide v = x > -far && x < far ? Wide::ofFloat(x) : x < 0 ? least - Wide(1) : most + Wide(1);
  if (v < least || v > most) {
    note(EvalTrouble::Overflow);
    v = v < least ? least : most;
  }
  return integer(v, t);
}

Result Evaluator::floating(__float128 v, const Type *t) const {
  ConstValue r;
  r.kind = ConstValue::Float;
  r.re = roundFloat(v, t, target());
  return r;
}

Result Evaluator::eval(const Expr *e) {
  if (!e || !e->type.type || e->type->isError()) return std::nullopt;
  return dispatch(e);
}

Result Evaluator::dispatch(const Expr *e) {
  switch (e->kind) {
    case ExprKind::IntLit: {
      const auto *lit = e->as<IntLit>();
      if (e->type->isComplex()) {
        ConstValue r;
        r.kind = ConstValue::Complex;
        r.im = static_cast<__float128>(lit->value);
        return r;
      }
      if (e->type->isFloating()) return floating(static_cast<__float128>(lit->value), e->type.type);
      return lit->wide.empty() ? integer(static_cast<__int128>(lit->value), e->type.type)
                               : integer(*Wide::parse(lit->wide), e->type.type);
    }
    case ExprKind::CharLit: return integer(e->as<CharLit>()->value, e->type.type);
    case ExprKind::FloatLit: {
      if (strict()) return std::nullopt;
      const auto *lit = e->as<FloatLit>();
      const Type *t = e->type->isComplex() ? e->type->as<ComplexType>()->elem : e->type.type;
      if (!t->isFloating()) return std::nullopt;
      __float128 v = parseFloat(lit->text, t, target());
      if (!e->type->isComplex()) return floating(v, t);
      ConstValue r;
      r.kind = ConstValue::Complex;
      r.im = v;
      return r;
    }
    case ExprKind::Ident: {
      const Decl *d = e->as<Ident>()->decl;
      if (d && d->kind == DeclKind::EnumConst) return integer(d->as<EnumConstDecl>()->value, e->type.type);
      return std::nullopt;
    }
    case ExprKind::Paren: return eval(e->as<ParenExpr>()->sub);
    case ExprKind::Unary: return unary(e->as<Unary>());
    case ExprKind::Binary: return binary(e->as<Binary>());
    case ExprKind::Conditional: return conditional(e->as<Conditional>());
    case ExprKind::Cast: return cast(e->as<Cast>()->castKind, e->as<Cast>()->sub, e->type);
    case ExprKind::ImplicitCast: return cast(e->as<ImplicitCast>()->castKind, e->as<ImplicitCast>()->sub, e->type);
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType: return sizeOrAlign(e);
    case ExprKind::Generic: return eval(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return eval(e->as<ChooseExpr>()->chosen);
    case ExprKind::TypesCompatible: return integer(e->as<TypesCompatible>()->value, e->type.type);
    case ExprKind::Offsetof: {
      const auto *o = e->as<Offsetof>();
      __int128 v = o->constant;
      for (auto &[stride, index] : o->terms) {
        Result i = eval(index);
        if (!i || i->kind != ConstValue::Int) return std::nullopt;
        v += static_cast<__int128>(stride) * i->i;
      }
      return integer(v, e->type.type);
    }
    case ExprKind::LabelAddr: {
      if (mode != EvalMode::Static) return std::nullopt;
      ConstValue r;
      r.kind = ConstValue::Address;
      r.label = e->as<LabelAddr>()->label;
      if (!r.label) return std::nullopt;
      return r;
    }
    case ExprKind::Call: return builtin(e->as<Call>());
    default: return otherKinds<34>(std::nullopt);
  }
}

// ---- conversions --------------------------------------------------------------------------------------------------

Result Evaluator::cast(CastKind kind, const Expr *sub, QualType to) {
  if (!sub || !to.type) return std::nullopt;
  const Type *t = to.type;
  switch (kind) {
    case CastKind::LvalueToRvalue: return strict() ? std::nullopt : read(sub, to);
    case CastKind::ArrayToPointer:
    case CastKind::FunctionToPointer: return strict() ? std::nullopt : lvalue(sub);
    case CastKind::ToVoid: return eval(sub);  // assert(...) under NDEBUG, left of a comma
    case CastKind::ToUnion:
    case CastKind::VectorBitcast:
    case CastKind::ScalarToVector:
    case CastKind::Dependent: return std::nullopt;
    default: break;
  }
  if (strict()) {
    // 6.6p6: casts from arithmetic to integer types; of floating ones only the constant itself.
    if (!t->isInteger()) return std::nullopt;
    const Expr *bare = sub;
    bare = ignoreParens(bare);
    if (bare && bare->kind == ExprKind::FloatLit && bare->type->isFloating()) {
      __float128 x = parseFloat(bare->as<FloatLit>()->text, bare->type.type, target());
      return t->isBool() ? integer(x != 0, t) : truncated(x, t);
    }
    if (!sub->type.type || !sub->type->isInteger()) return std::nullopt;
  }
  if (t->isBool() || kind == CastKind::ToBool) {
    auto b = truth(sub);
    if (!b) return std::nullopt;
    return integer(*b, t);
  }
  Result v = eval(sub);
  if (!v) return std::nullopt;
  if (t->isRecord() || t->isArray() || t->isVector() || t->isVoid()) return std::nullopt;
  if (v->kind == ConstValue::Address) {
    if (t->isPointer()) return v;
    if (!t->isInteger()) return std::nullopt;
    if (!hasBase(*v)) return integer(v->offset, t);
    if (sizeOf(t, target()) < 8 && !v->minusLabel) return std::nullopt;
    return v;
  }
  const Type *from = sub->type.type;
  bool fromUnsigned = from && from->isInteger() && !isSigned(enumBase(from), target());
  if (t->isPointer()) {
    if (v->kind != ConstValue::Int && v->kind != ConstValue::WideInt) return std::nullopt;
    return integer(v->kind == ConstValue::Int ? v->i : v->wide->low(), t);
  }
  if (t->isInteger()) {
    if (v->kind == ConstValue::WideInt || (v->kind == ConstValue::Int && t->isWide()))
      return integer(wide(*v, from), t);
    return v->kind == ConstValue::Int ? integer(v->i, t) : truncated(v->re, t);
  }
  if (v->kind == ConstValue::WideInt) {
    const Type *e = t->isComplex() ? t->as<ComplexType>()->elem : t;
    if (!e->isFloating()) return std::nullopt;
    Result r = floating(v->wide->rounded(formatOf(e, target()).precision), e);
    if (t->isComplex()) r->kind = ConstValue::Complex;
    return r;
  }
  if (t->isFloating()) {
    if (v->kind == ConstValue::Int) {
      ConstValue r;
      r.kind = ConstValue::Float;
      r.re = intToFloat(v->i, fromUnsigned, t, target());
      return r;
    }
    return floating(v->re, t);
  }
  if (t->isComplex()) {
    const Type *e = t->as<ComplexType>()->elem;
    ConstValue r;
    r.kind = ConstValue::Complex;
    auto part = [&](__float128 x) -> __float128 {
      if (e->isFloating()) return roundFloat(x, e, target());
      bool out;
      return static_cast<__float128>(floatToInt(x, e, target(), out));
    };
    if (v->kind == ConstValue::Int) {
      r.re = e->isFloating() ? intToFloat(v->i, fromUnsigned, e, target())
                             : static_cast<__float128>(wrapInt(v->i, e, target()));
      return r;
    }
    r.re = part(v->re);
    if (v->kind == ConstValue::Complex) r.im = part(v->im);
    return r;
  }
  return std::nullopt;
}

// ---- sizeof, _Alignof ---------------------------------------------------------------------------------------------

Result Evaluator::sizeOrAlign(const Expr *e) {
  bool isType = e->kind == ExprKind::SizeofType || e->kind == ExprKind::AlignofType;
  bool align = e->kind == ExprKind::AlignofExpr || e->kind == ExprKind::AlignofType;
  const Expr *sub = isType ? nullptr : e->as<SizeofExpr>()->sub;
  QualType t;
  if (isType) {
    const TypeName *n = e->as<SizeofType>()->target;
    if (n) t = n->type;
  } else if (sub) t = sub->type;
  if (!t.type || t->isError()) return std::nullopt;
  if (!align) {
    if (hasVariableSize(t.type)) return std::nullopt;
    if (!isComplete(t.type) && !t->isVoid() && !t->isFunction()) return std::nullopt;
    return integer(static_cast<__int128>(sizeOf(t.type, target())), e->type.type);
  }
  uint32_t a = objectAlign(t, target());
  if (const TypeName *n = isType ? e->as<SizeofType>()->target : nullptr; n && n->specs)
    for (auto &[type, value] : n->specs->alignAs)  // what an aligned typedef brought along, see typeName()
      if (!type && value && value->kind == ExprKind::IntLit) a = static_cast<uint32_t>(value->as<IntLit>()->value);
  sub = ignoreParens(sub);
  if (sub && sub->kind == ExprKind::Ident && sub->as<Ident>()->decl) {
    const Decl *d = sub->as<Ident>()->decl;
    uint32_t own = d->kind == DeclKind::Var        ? d->as<VarDecl>()->attrs.align
                   : d->kind == DeclKind::Function ? d->as<FunctionDecl>()->attrs.align
                                                   : 0;
    if (own) a = own;
  } else if (sub && sub->kind == ExprKind::Member && !sub->as<Member>()->path.empty()) {
    const FieldDecl *f = sub->as<Member>()->path.back();
    if (f->attrPacked || (f->parent && f->parent->isPackedAttr)) a = 1;
    else if (f->typedefAlign) a = f->typedefAlign;
    a = std::max(a, f->attrAlign);
  }
  return integer(a, e->type.type);
}

}  // namespace cilkc
