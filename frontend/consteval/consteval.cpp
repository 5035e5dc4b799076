// consteval.cpp - the constant evaluator: one recursive walk over a typed expression (C17 6.6).
//
// Integers are kept wrapped to their type in 128 bits, floating values in an IEEE quad rounded to theirs, pointers as a
// base and an offset. The mode decides how much is taken: `IntegerConstant` only what 6.6p6 allows, `Fold` what has a
// value, `Static` address constants and what else gcc takes in a static initialiser. An operand that is not evaluated
// (0 && x) need not have a value, except that in an integer constant expression it must still look like one.
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
    default: return std::nullopt;
  }
}

// ---- operators ----------------------------------------------------------------------------------------------------

Result Evaluator::unary(const Unary *u) {
  const Type *t = u->type.type;
  if (u->op == UnaryOp::AddrOf) return strict() ? std::nullopt : lvalue(u->sub);
  if (u->op == UnaryOp::Not) {
    auto b = truth(u->sub);
    if (!b) return std::nullopt;
    return integer(!*b, t);
  }
  if (isIncDec(u->op) || u->op == UnaryOp::Deref) return std::nullopt;
  if (t->isVector()) return std::nullopt;
  Result v = eval(u->sub);
  if (!v) return std::nullopt;
  switch (u->op) {
    case UnaryOp::Plus: return v;
    case UnaryOp::Minus:
      if (v->kind == ConstValue::Int) {
        Result r = integer(static_cast<__int128>(-static_cast<unsigned __int128>(v->i)), t);
        if (r && r->kind == ConstValue::Int && isSigned(t, target()) && v->i != 0 && r->i == v->i)
          note(EvalTrouble::Overflow);
        return r;
      }
      if (v->kind == ConstValue::WideInt) {
        Result r = integer(-*v->wide, t);
        if (isSigned(t, target()) && *r->wide == *v->wide && !v->wide->zero()) note(EvalTrouble::Overflow);
        return r;
      }
      if (v->kind == ConstValue::Float || v->kind == ConstValue::Complex) {
        v->re = -v->re;
        if (v->kind == ConstValue::Complex) v->im = -v->im;
        return v;
      }
      return std::nullopt;
    case UnaryOp::BitNot:
      if (v->kind == ConstValue::Complex) {
        v->im = -v->im;
        return v;
      }
      if (v->kind == ConstValue::WideInt) return integer(~*v->wide, t);
      if (v->kind != ConstValue::Int) return std::nullopt;
      return integer(~v->i, t);
    case UnaryOp::Real:
    case UnaryOp::Imag: {
      bool real = u->op == UnaryOp::Real;
      if (v->kind == ConstValue::Complex) {
        if (t->isInteger()) return integer(static_cast<__int128>(real ? v->re : v->im), t);
        return floating(real ? v->re : v->im, t);
      }
      if (real) return v;
      return t->isFloating() ? floating(0, t) : integer(0, t);
    }
    default: return std::nullopt;
  }
}

namespace {

// Is this certainly an object's or function's address, and not null?
bool neverNull(const ConstValue &v) {
  if (v.string || v.label) return true;
  if (!v.base) return false;
  const DeclAttrs &a =
      v.base->kind == DeclKind::Function ? v.base->as<FunctionDecl>()->attrs : v.base->as<VarDecl>()->attrs;
  return !a.weak && !a.weakref && a.alias.empty();
}

// Two literals of one spelling are one object.
bool sameString(const StringLit *a, const StringLit *b) {
  return a == b || (a && b && a->unit == b->unit && a->bytes == b->bytes);
}
bool sameBase(const ConstValue &a, const ConstValue &b) {
  return a.base == b.base && sameString(a.string, b.string) && a.label == b.label && a.minusLabel == b.minusLabel;
}

}  // namespace

std::optional<bool> Evaluator::truth(const Expr *e) {
  Result v = eval(e);
  if (!v) return std::nullopt;
  switch (v->kind) {
    case ConstValue::Int: return v->i != 0;
    case ConstValue::WideInt: return !v->wide->zero();
    case ConstValue::Float: return v->re != 0;
    case ConstValue::Complex: return v->re != 0 || v->im != 0;
    case ConstValue::Address:
      if (!hasBase(*v)) return v->offset != 0;
      if (v->minusLabel) return std::nullopt;
      if (neverNull(*v)) return true;
      return std::nullopt;
  }
  return std::nullopt;
}

Result Evaluator::conditional(const Conditional *c) {
  const Type *t = c->type.type;
  if (!c->then) {
    auto b = truth(c->cond);
    if (!b) return std::nullopt;
    if (!*b) return eval(c->otherwise);
    Result v = eval(c->cond);
    // The condition's own type may differ from the result's.
    if (v && (t->isWide() || v->kind == ConstValue::WideInt))
      return t->isInteger() ? integer(wide(*v, c->cond->type.type), t) : std::nullopt;
    if (v && v->kind == ConstValue::Int && t->isInteger()) return integer(v->i, t);
    if (v && v->kind == ConstValue::Int && t->isFloating()) return floating(static_cast<__float128>(v->i), t);
    return v;
  }
  auto b = truth(c->cond);
  if (!b) return std::nullopt;
  if (strict()) {
    ++dead;
    bool ok = eval(*b ? c->otherwise : c->then).has_value();
    --dead;
    if (!ok) return std::nullopt;
  }
  return eval(*b ? c->then : c->otherwise);
}

namespace {

// Has evaluating it no visible effect? Only what is certain.
bool pure(const Expr *e, int depth = 0) {
  if (!e || depth > 100) return false;
  switch (e->kind) {
    case ExprKind::IntLit:
    case ExprKind::FloatLit:
    case ExprKind::CharLit:
    case ExprKind::StringLit:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType: return true;
    case ExprKind::Ident: return !e->type.isVolatile();
    case ExprKind::Paren: return pure(e->as<ParenExpr>()->sub, depth + 1);
    case ExprKind::ImplicitCast: return pure(e->as<ImplicitCast>()->sub, depth + 1);
    case ExprKind::Cast: return pure(e->as<Cast>()->sub, depth + 1);
    case ExprKind::Binary: return pure(e->as<Binary>()->lhs, depth + 1) && pure(e->as<Binary>()->rhs, depth + 1);
    default: return false;
  }
}

}  // namespace

Result Evaluator::binary(const Binary *b) {
  const Type *t = b->type.type;
  if (isLogical(b->op)) {
    bool isAnd = b->op == BinaryOp::LogAnd;
    auto l = truth(b->lhs);
    if (!l) {
      // x && 0 has a value if x has no effects.
      if (strict() || !pure(b->lhs)) return std::nullopt;
      auto r = truth(b->rhs);
      if (r && *r != isAnd) return integer(*r, t);
      return std::nullopt;
    }
    if (*l != isAnd) {
      if (strict()) {
        ++dead;
        bool ok = eval(b->rhs).has_value();
        --dead;
        if (!ok) return std::nullopt;
      }
      return integer(*l, t);
    }
    auto r = truth(b->rhs);
    if (!r) return std::nullopt;
    return integer(*r, t);
  }
  if (b->op == BinaryOp::Comma) {
    if (strict() && !dead) return std::nullopt;
    if (!(dead && pure(b->lhs)) && !eval(b->lhs)) return std::nullopt;
    return eval(b->rhs);
  }
  if (t->isVector() || (b->lhs && b->lhs->type.type && b->lhs->type->isVector())) return std::nullopt;
  Result r = eval(b->rhs);  // the right one first: in long left-leaning chains it is the quick one to fail
  if (!r) return std::nullopt;
  Result l = eval(b->lhs);
  if (!l) return std::nullopt;
  const Type *operand = b->lhs->type.type;
  if (l->kind == ConstValue::Address || r->kind == ConstValue::Address || operand->isPointer() ||
      b->rhs->type->isPointer())
    return addressBinary(b, *l, *r);
  if (operand->isInteger() && b->rhs->type->isInteger()) return integers(b, *l, *r);
  if (l->kind == ConstValue::Float && r->kind == ConstValue::Float) {
    switch (b->op) {
      case BinaryOp::Add: return floating(floatArith(FloatOp::Add, l->re, r->re, operand, target()), t);
      case BinaryOp::Sub: return floating(floatArith(FloatOp::Sub, l->re, r->re, operand, target()), t);
      case BinaryOp::Mul: return floating(floatArith(FloatOp::Mul, l->re, r->re, operand, target()), t);
      case BinaryOp::Div: return floating(floatArith(FloatOp::Div, l->re, r->re, operand, target()), t);
      case BinaryOp::Lt: return integer(l->re < r->re, t);
      case BinaryOp::Gt: return integer(l->re > r->re, t);
      case BinaryOp::Le: return integer(l->re <= r->re, t);
      case BinaryOp::Ge: return integer(l->re >= r->re, t);
      case BinaryOp::Eq: return integer(l->re == r->re, t);
      case BinaryOp::Ne: return integer(l->re != r->re, t);
      default: return std::nullopt;
    }
  }
  // Complex. A real operand beside it has no imaginary part, which is not the same as an imaginary part of 0
  // (Sema::arithmeticOperands).
  auto part = [](const ConstValue &v) { return v.kind == ConstValue::Int ? static_cast<__float128>(v.i) : v.re; };
  __float128 a = part(*l), ai = l->kind == ConstValue::Complex ? l->im : 0, c = part(*r),
             ci = r->kind == ConstValue::Complex ? r->im : 0;
  if (b->op == BinaryOp::Eq) return integer(a == c && ai == ci, t);
  if (b->op == BinaryOp::Ne) return integer(a != c || ai != ci, t);
  if (!t->isComplex()) return std::nullopt;
  const Type *elem = t->as<ComplexType>()->elem;
  FloatOp op;
  switch (b->op) {
    case BinaryOp::Add: op = FloatOp::Add; break;
    case BinaryOp::Sub: op = FloatOp::Sub; break;
    case BinaryOp::Mul: op = FloatOp::Mul; break;
    case BinaryOp::Div: op = FloatOp::Div; break;
    default: return std::nullopt;
  }
  ConstValue v;
  v.kind = ConstValue::Complex;
  if (elem->isInteger()) {
    auto n = [](__float128 x) { return static_cast<__int128>(x); };
    __int128 x = n(a), y = n(ai), p = n(c), q = n(ci), re, im;
    switch (op) {
      case FloatOp::Add:
        re = x + p;
        im = y + q;
        break;
      case FloatOp::Sub:
        re = x - p;
        im = y - q;
        break;
      case FloatOp::Mul:
        re = x * p - y * q;
        im = x * q + y * p;
        break;
      default: {  // as ComplexValues::applyComplexOp does
        bool imaginary = (p < 0 ? -p : p) < (q < 0 ? -q : q);
        __int128 large = imaginary ? q : p, small = imaginary ? p : q;
        if (!large) return std::nullopt;
        __int128 ratio = small / large, by = small * ratio + large;
        re = (imaginary ? x * ratio + y : y * ratio + x) / by;
        im = (imaginary ? y * ratio - x : y - x * ratio) / by;
      }
    }
    v.re = static_cast<__float128>(wrapInt(re, elem, target()));
    v.im = static_cast<__float128>(wrapInt(im, elem, target()));
    return v;
  }
  auto one = [&](__float128 x, __float128 y) { return floatArith(op, x, y, elem, target()); };
  bool realLeft = l->kind != ConstValue::Complex, realRight = r->kind != ConstValue::Complex;
  if (realRight) v.re = one(a, c), v.im = op == FloatOp::Mul || op == FloatOp::Div ? one(ai, c) : ai;
  else if (realLeft && op != FloatOp::Div)
    v.re = one(a, c), v.im = op == FloatOp::Mul ? one(a, ci) : op == FloatOp::Sub ? -ci : ci;
  else complexArith(op, a, ai, c, ci, elem, target(), v.re, v.im);
  return v;
}

Result Evaluator::integers(const Binary *b, const ConstValue &l, const ConstValue &r) {
  const Type *lt = b->lhs->type.type, *rt = b->rhs->type.type;
  if (l.kind == ConstValue::WideInt || r.kind == ConstValue::WideInt)
    return wideBinary(b->op, wide(l, lt), wide(r, rt), lt, b->type.type);
  bool shift = b->op == BinaryOp::Shl || b->op == BinaryOp::Shr;
  return intBinary(b->op, l.i, r.i, lt, b->type.type, shift ? rt : nullptr);
}

Result Evaluator::intBinary(BinaryOp op, __int128 a, __int128 b, const Type *t, const Type *result,
    const Type *shiftType) {
  const Type *base = enumBase(t);
  bool sign = isSigned(base, target());
  unsigned bits = static_cast<unsigned>(sizeOf(base, target())) * 8;
  auto ua = static_cast<unsigned __int128>(a), ub = static_cast<unsigned __int128>(b);
  auto wrapped = [&](unsigned __int128 v, bool overflow) -> Result {
    __int128 r = wrapInt(static_cast<__int128>(v), base, target());
    if (sign && overflow) note(EvalTrouble::Overflow);
    return integer(r, result);
  };
  auto differs = [&](__int128 exact, bool overflow128) {
    return overflow128 || (bits < 128 && wrapInt(exact, base, target()) != exact);
  };
  switch (op) {
    case BinaryOp::Add: {
      __int128 x;
      bool o = __builtin_add_overflow(a, b, &x);
      return wrapped(ua + ub, sign && differs(x, o));
    }
    case BinaryOp::Sub: {
      __int128 x;
      bool o = __builtin_sub_overflow(a, b, &x);
      return wrapped(ua - ub, sign && differs(x, o));
    }
    case BinaryOp::Mul: {
      __int128 x = 0;
      bool o = sign && __builtin_mul_overflow(a, b, &x);
      return wrapped(ua * ub, sign && differs(x, o));
    }
    case BinaryOp::Div:
    case BinaryOp::Rem: {
      if (b == 0) {
        note(EvalTrouble::DivideByZero);
        if (dead) return integer(0, result);
        return std::nullopt;
      }
      bool rem = op == BinaryOp::Rem;
      if (!sign) return wrapped(rem ? ua % ub : ua / ub, false);
      if (b == -1)
        return wrapped(rem ? 0 : -ua, !rem && wrapInt(static_cast<__int128>(-ua), base, target()) == a && a != 0);
      return integer(rem ? a % b : a / b, result);
    }
    case BinaryOp::Shl:
    case BinaryOp::Shr: {
      bool negative = shiftType && isSigned(enumBase(shiftType), target()) && b < 0;
      if (negative || ub >= bits) {
        note(EvalTrouble::ShiftRange);
        if (op == BinaryOp::Shr && sign && a < 0 && !negative) return integer(-1, result);
        return integer(0, result);
      }
      unsigned n = static_cast<unsigned>(b);
      if (op == BinaryOp::Shr) return integer(sign ? a >> n : static_cast<__int128>(ua >> n), result);
      if (sign && cx.lang.std >= LangOptions::C99 && (a < 0 || (n && a >> (bits - 1 - n))))
        note(EvalTrouble::ShiftRange);
      return wrapped(ua << n, false);
    }
    case BinaryOp::And: return integer(a & b, result);
    case BinaryOp::Or: return integer(a | b, result);
    case BinaryOp::Xor: return integer(a ^ b, result);
    case BinaryOp::Lt: return integer(sign ? a < b : ua < ub, result);
    case BinaryOp::Gt: return integer(sign ? a > b : ua > ub, result);
    case BinaryOp::Le: return integer(sign ? a <= b : ua <= ub, result);
    case BinaryOp::Ge: return integer(sign ? a >= b : ua >= ub, result);
    case BinaryOp::Eq: return integer(a == b, result);
    case BinaryOp::Ne: return integer(a != b, result);
    default: return std::nullopt;
  }
}

Result Evaluator::wideBinary(BinaryOp op, const Wide &a, const Wide &b, const Type *t, const Type *result) {
  unsigned bits = t->isWide() ? t->as<WideBitsType>()->width : static_cast<unsigned>(sizeOf(t, target())) * 8;
  auto exact = [&](const Wide &v) -> Result {
    if (isSigned(enumBase(t), target()) && v.wrapped(bits, true) != v) note(EvalTrouble::Overflow);
    return integer(v, result);
  };
  switch (op) {
    case BinaryOp::Add: return exact(a + b);
    case BinaryOp::Sub: return exact(a - b);
    case BinaryOp::Mul: return exact(a * b);
    case BinaryOp::Div:
    case BinaryOp::Rem: {
      if (b.zero()) {
        note(EvalTrouble::DivideByZero);
        return dead ? integer(0, result) : std::nullopt;
      }
      Wide q, r;
      Wide::divide(a, b, q, r);
      return op == BinaryOp::Div ? exact(q) : integer(r, result);
    }
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      if (b.negative() || b >= Wide(bits)) {
        note(EvalTrouble::ShiftRange);
        return integer(op == BinaryOp::Shr && a.negative() ? -1 : 0, result);
      }
      if (op == BinaryOp::Shr) return integer(a.shifted(-static_cast<int>(b.low())), result);
      return integer(a.shifted(static_cast<int>(b.low())), result);
    case BinaryOp::And: return integer(a & b, result);
    case BinaryOp::Or: return integer(a | b, result);
    case BinaryOp::Xor: return integer(a ^ b, result);
    case BinaryOp::Lt: return integer(a < b, result);
    case BinaryOp::Gt: return integer(a > b, result);
    case BinaryOp::Le: return integer(a <= b, result);
    case BinaryOp::Ge: return integer(a >= b, result);
    case BinaryOp::Eq: return integer(a == b, result);
    case BinaryOp::Ne: return integer(a != b, result);
    default: return std::nullopt;
  }
}

// Pointers, and integers that hold addresses.
Result Evaluator::addressBinary(const Binary *b, const ConstValue &l0, const ConstValue &r0) {
  if (strict()) return std::nullopt;
  const Type *lt = b->lhs->type.type, *rt = b->rhs->type.type;
  auto asAddress = [](ConstValue v) {
    if (v.kind == ConstValue::Int) {
      v.kind = ConstValue::Address;
      v.offset = static_cast<int64_t>(v.i);
    }
    return v;
  };
  if (l0.kind == ConstValue::Float || r0.kind == ConstValue::Float || l0.kind == ConstValue::Complex ||
      r0.kind == ConstValue::Complex)
    return std::nullopt;
  ConstValue l = asAddress(l0), r = asAddress(r0);
  auto strideOf = [&](const Type *p) -> int64_t {
    if (!p->isPointer()) return 1;
    QualType to = p->as<PointerType>()->pointee;
    if (to->isVoid() || to->isFunction()) return 1;
    if (!isComplete(to.type) || hasVariableSize(to.type)) return -1;
    return static_cast<int64_t>(sizeOf(to.type, target()));
  };
  auto scaled = [](int64_t a, int64_t by) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(by));
  };
  auto plus = [](int64_t a, int64_t c) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(c));
  };
  auto finish = [&](ConstValue v) -> Result {
    if (!hasBase(v) && b->type->isInteger()) return integer(v.offset, b->type.type);
    if (hasBase(v) && b->type->isInteger() && sizeOf(b->type.type, target()) < 8 && !v.minusLabel) return std::nullopt;
    return v;
  };
  switch (b->op) {
    case BinaryOp::Add: {
      if (hasBase(l) && hasBase(r)) return std::nullopt;
      int64_t stride = lt->isPointer() ? strideOf(lt) : rt->isPointer() ? strideOf(rt) : 1;
      if (stride < 0) return std::nullopt;
      bool leftPointer = lt->isPointer() || (!rt->isPointer() && hasBase(l));
      ConstValue p = leftPointer ? l : r, n = leftPointer ? r : l;
      if (hasBase(n)) return std::nullopt;
      p.offset = plus(p.offset, scaled(n.offset, stride));
      return finish(p);
    }
    case BinaryOp::Sub: {
      int64_t stride = strideOf(lt);
      if (stride < 0) return std::nullopt;
      if (lt->isPointer() && rt->isPointer()) {
        if (sameBase(l, r)) {
          if (stride == 0) return std::nullopt;
          return integer((static_cast<__int128>(l.offset) - r.offset) / stride, b->type.type);
        }
        if (l.label && r.label && !l.minusLabel && !r.minusLabel && stride == 1) {
          l.minusLabel = r.label;
          l.offset = plus(l.offset, -r.offset);
          return l;
        }
        return std::nullopt;
      }
      if (hasBase(r)) {
        if (!hasBase(l) || lt->isPointer()) return std::nullopt;
        if (sameBase(l, r)) return integer(static_cast<__int128>(l.offset) - r.offset, b->type.type);
        if (l.label && r.label && !l.minusLabel && !r.minusLabel) {
          l.minusLabel = r.label;
          l.offset = plus(l.offset, -r.offset);
          return l;
        }
        return std::nullopt;
      }
      l.offset = plus(l.offset, -scaled(r.offset, stride));
      return finish(l);
    }
    case BinaryOp::Eq:
    case BinaryOp::Ne: {
      bool eq = b->op == BinaryOp::Eq;
      if (sameBase(l, r)) return integer((l.offset == r.offset) == eq, b->type.type);
      if (!hasBase(r) && r.offset == 0 && neverNull(l) && !l.minusLabel) return integer(!eq, b->type.type);
      if (!hasBase(l) && l.offset == 0 && neverNull(r) && !r.minusLabel) return integer(!eq, b->type.type);
      // Two different objects with addresses inside both.
      auto inside = [&](const ConstValue &v) {
        if (!v.base || !neverNull(v)) return false;
        if (v.base->kind == DeclKind::Function) return v.offset == 0;
        const Type *t = v.base->type.type;
        return isComplete(t) && !hasVariableSize(t) && v.offset >= 0 &&
               static_cast<uint64_t>(v.offset) < sizeOf(t, target());
      };
      if (inside(l) && inside(r)) return integer(!eq, b->type.type);
      return std::nullopt;
    }
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge: {
      if (!sameBase(l, r)) return std::nullopt;
      uint64_t x = static_cast<uint64_t>(l.offset), y = static_cast<uint64_t>(r.offset);
      if (hasBase(l)) {
        x ^= uint64_t(1) << 63;
        y ^= uint64_t(1) << 63;
      }
      bool v = b->op == BinaryOp::Lt ? x < y : b->op == BinaryOp::Gt ? x > y : b->op == BinaryOp::Le ? x <= y : x >= y;
      return integer(v, b->type.type);
    }
    default:
      if (hasBase(l) || hasBase(r) || !lt->isInteger()) return std::nullopt;
      return intBinary(b->op, l.offset, r.offset, lt, b->type.type, rt);
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

// ---- objects ------------------------------------------------------------------------------------------------------

static const Expr *plainParens(const Expr *e) {
  e = ignoreParens(e);
  return e;
}

// A character of a string literal, of which an array may have taken only a part, or which it may have filled up with
// zeroes.
Result Evaluator::character(const StringLit *s, uint64_t at, const Type *t) const {
  if (s->unit != sizeOf(t, target()) || at % s->unit) return std::nullopt;
  uint64_t v = 0;
  if (at / s->unit < s->length())
    for (unsigned k = 0; k < s->unit; ++k)
      v |= static_cast<uint64_t>(static_cast<unsigned char>(s->bytes[at + k])) << (8 * k);
  return integer(static_cast<__int128>(v), t);
}

// C23: the constexpr object that a member of it, an element, or a compound literal is part of, and where; what no
// initialiser is for is zero there.
const VarDecl *Evaluator::constantObject(const Expr *e, uint64_t &at) {
  std::vector<const Expr *> parts;  // members and elements, the innermost last
  const VarDecl *v = nullptr;
  for (; !v; parts.push_back(e), e = e->kind == ExprKind::Member ? e->as<Member>()->base : e->as<Index>()->base) {
    e = plainParens(e);
    if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer)
      e = plainParens(e->as<ImplicitCast>()->sub);
    const Decl *d = e->kind == ExprKind::Ident ? e->as<Ident>()->decl : nullptr;
    if (d && d->kind == DeclKind::Var) v = d->as<VarDecl>();
    if (e->kind == ExprKind::CompoundLit) v = e->as<CompoundLit>()->object;
    if (v) break;
    if (e->kind == ExprKind::Member ? e->as<Member>()->arrow || e->as<Member>()->path.empty()
                                    : e->kind != ExprKind::Index)
      return nullptr;
  }
  // GNU: a compound literal initialises a static object. (It is not a constant in C23's sense.)
  bool gnuConstant = mode == EvalMode::Static && parts.empty() && e->kind == ExprKind::CompoundLit;
  if ((!v->isConstexpr && !gnuConstant) || !v->init || (parts.empty() && e->kind == ExprKind::Ident)) return nullptr;
  for (const Expr *part : parts) {
    if (part->kind == ExprKind::Member) {
      for (const FieldDecl *f : part->as<Member>()->path) at += f->offset;
      continue;
    }
    const Expr *base = plainParens(part->as<Index>()->base);
    if (base->kind != ExprKind::ImplicitCast || base->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer)
      return nullptr;
    const auto *array = base->as<ImplicitCast>()->sub->type->as<ArrayType>();
    Result n = eval(part->as<Index>()->index);
    if (!n || n->kind != ConstValue::Int || array->arrayKind != ArrayKind::Constant || n->i < 0 ||
        n->i >= static_cast<__int128>(array->count))
      return nullptr;
    at += static_cast<uint64_t>(n->i) * sizeOf(part->type.type, target());
  }
  return v;
}

// What these stores leave in the part of an object that e reads: `at` bytes from its beginning.
Result Evaluator::readPart(const InitPlan &plan, uint64_t at, const Expr *e, QualType t) {
  const FieldDecl *field = e->kind == ExprKind::Member ? e->as<Member>()->path.back() : nullptr;
  uint64_t size = sizeOf(e->type.type, target());
  bool other = false;
  if (++depth > 10000) return std::nullopt;
  struct Leave {
    int &d;
    ~Leave() { --d; }
  } leave{depth};
  for (const InitStore &s : plan.stores) {
    const Expr *value = s.value ? plainParens(s.value) : nullptr;
    uint64_t each = sizeOf(s.type.type, target()), bytes = (s.repeat - 1) * s.stride + each;
    if (value && s.repeat == 1 && at >= s.offset && at < s.offset + each) {
      if (s.type->isArray() && value->kind == ExprKind::StringLit)
        return character(value->as<StringLit>(), at - s.offset, t.type);
      if (const InitPlan *inner = s.type->isRecord() ? constantPlan(value, cx) : nullptr)
        return readPart(*inner, at - s.offset, e, t);
    }
    if (s.offset == at && s.repeat == 1 && s.bitField == (field && field->bitField ? field : nullptr) &&
        s.type.type == e->type.type)
      return eval(s.value);
    if (!(s.bitField && field && field->bitField) && s.offset < at + size && at < s.offset + bytes) other = true;
  }
  if (other || e->type->isPointer() || (field && field->parent->isUnion && !plan.stores.empty())) return std::nullopt;
  return e->type->isFloating() ? floating(0, t.type) : integer(0, t.type);
}

// The value of an object that is known now: a character of a string literal; in a static initialiser also a constant of
// arithmetic type.
Result Evaluator::read(const Expr *e, QualType t) {
  while (e && (e->kind == ExprKind::Paren || e->kind == ExprKind::Generic || e->kind == ExprKind::ChooseExpr))
    e = e->kind == ExprKind::Paren ? e->as<ParenExpr>()->sub : chosenOperand(e);
  if (!e || !e->type.type || e->type.isVolatile()) return std::nullopt;
  if (e->kind == ExprKind::Ident) {
    const Decl *d = e->as<Ident>()->decl;
    if (!d || d->kind != DeclKind::Var || !d->type.type) return std::nullopt;
    const auto *v = d->as<VarDecl>();
    if (mode != EvalMode::Static && !v->isConstexpr) return std::nullopt;
    if (!v->type.isConst() || v->type.isVolatile() || v->type.isAtomic() || !v->type->isScalar() || !v->init ||
        v->attrs.weak || v->threadLocal)
      return std::nullopt;
    if (v->isParam || (v->isLocal && !v->init)) return std::nullopt;
    if (std::find(reading.begin(), reading.end(), v) != reading.end() || reading.size() > 64) return std::nullopt;
    const Expr *init = v->init->expr;
    if (!init && v->init->list && v->init->list->plan && v->init->list->plan->stores.size() == 1)
      init = v->init->list->plan->stores[0].value;
    if (!init) return std::nullopt;
    reading.push_back(v);
    Result r = eval(init);
    reading.pop_back();
    return r;
  }
  uint64_t at = 0;
  if (const VarDecl *v = constantObject(e, at); v && e->type->isScalar()) {
    const Expr *init = v->init->expr;
    if (init && v->type->isScalar()) {  // ((constexpr int){5})
      if (reading.size() > 64) return std::nullopt;
      reading.push_back(v);
      Result r = eval(init);
      reading.pop_back();
      return r;
    }
    if (init && v->type->isArray()) {
      const Expr *s = plainParens(init);
      if (s->kind != ExprKind::StringLit) return std::nullopt;
      return character(s->as<StringLit>(), at, t.type);
    }
    const InitPlan *plan = init ? constantPlan(init, cx) : v->init->list ? v->init->list->plan : nullptr;
    return plan ? readPart(*plan, at, e, t) : std::nullopt;
  }
  if (e->kind == ExprKind::Index || e->kind == ExprKind::Unary) {
    if (!t->isInteger()) return std::nullopt;
    Result a = lvalue(e);
    if (!a || !a->string || a->offset < 0 || static_cast<uint64_t>(a->offset) / a->string->unit > a->string->length())
      return std::nullopt;
    return character(a->string, static_cast<uint64_t>(a->offset), t.type);
  }
  return std::nullopt;
}

Result Evaluator::lvalue(const Expr *e) {
  if (!e) return std::nullopt;
  ConstValue r;
  r.kind = ConstValue::Address;
  switch (e->kind) {
    case ExprKind::StringLit: r.string = e->as<StringLit>(); return r;
    case ExprKind::Ident: {
      const Decl *d = e->as<Ident>()->decl;
      if (!d) return std::nullopt;
      if (d->kind == DeclKind::Function) {
        r.base = d;
        return r;
      }
      if (d->kind != DeclKind::Var) return std::nullopt;
      const auto *v = d->as<VarDecl>();
      if (v->isLocal || v->isParam || v->threadLocal || v->isPrivate) return std::nullopt;
      r.base = d;
      return r;
    }
    case ExprKind::CompoundLit: {
      const VarDecl *v = e->as<CompoundLit>()->object;
      if (!v || v->isLocal || v->threadLocal) return std::nullopt;
      r.base = v;
      return r;
    }
    case ExprKind::Paren: return lvalue(e->as<ParenExpr>()->sub);
    case ExprKind::Generic: return lvalue(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return lvalue(e->as<ChooseExpr>()->chosen);
    case ExprKind::Unary: {
      const auto *u = e->as<Unary>();
      if (u->op == UnaryOp::Real || u->op == UnaryOp::Imag) {
        Result a = lvalue(u->sub);
        if (a && u->op == UnaryOp::Imag) a->offset += static_cast<int64_t>(sizeOf(u->type.type, target()));
        return a;
      }
      if (u->op != UnaryOp::Deref) return std::nullopt;
      Result p = eval(u->sub);
      if (!p || p->kind != ConstValue::Address) return std::nullopt;
      return p;
    }
    case ExprKind::Index: {
      const auto *x = e->as<Index>();
      const Expr *base = x->base, *index = x->index;
      if (base && base->type.type && !base->type->isPointer() && index && index->type.type && index->type->isPointer())
        std::swap(base, index);
      Result i = eval(index), p = base && base->type.type && base->type->isPointer() ? eval(base) : std::nullopt;
      if (!p || !i || p->kind != ConstValue::Address || i->kind != ConstValue::Int || !isComplete(e->type.type) ||
          hasVariableSize(e->type.type))
        return std::nullopt;
      p->offset = static_cast<int64_t>(
          static_cast<uint64_t>(p->offset) + static_cast<uint64_t>(i->i) * sizeOf(e->type.type, target()));
      return p;
    }
    case ExprKind::Member: {
      const auto *m = e->as<Member>();
      if (m->path.empty()) return std::nullopt;
      Result p = m->arrow ? eval(m->base) : lvalue(m->base);
      if (!p || p->kind != ConstValue::Address) return std::nullopt;
      for (const FieldDecl *f : m->path) p->offset += static_cast<int64_t>(f->offset);
      return p;
    }
    case ExprKind::ImplicitCast:
      if (e->as<ImplicitCast>()->castKind == CastKind::NoOp) return lvalue(e->as<ImplicitCast>()->sub);
      return std::nullopt;
    default: return std::nullopt;
  }
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
