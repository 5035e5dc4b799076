// operators.cpp - what operators make of constants: of integers in their type's width, of floating values in its
// format, of addresses where the linker can compute it. An operand that decides alone (0 && x) needs no other.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/impl.h"
#include "frontend/types/layout.h"

namespace cilkc {

using Result = Evaluator::Result;

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
    default: return otherKinds<34>(false);
  }
}

// A structure has no value here.
bool namesConstexpr(const Expr *e) {
  const Expr *object = ignoreParensAndImplicit(e);
  const Decl *d = object->kind == ExprKind::Ident ? object->as<Ident>()->decl : nullptr;
  return d && d->kind == DeclKind::Var && d->as<VarDecl>()->isConstexpr;
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
    if (!(dead && pure(b->lhs)) && !namesConstexpr(b->lhs) && !eval(b->lhs)) return std::nullopt;
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

}  // namespace cilkc
