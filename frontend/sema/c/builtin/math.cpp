// math.cpp - builtins on numbers whose types follow their arguments: classification and comparison of floating values,
// checked arithmetic, bit counts, <tgmath.h>.
#include "frontend/sema/c/builtin/builtin.h"
#include "diag/sema_expr.h"

namespace cilkc {

// After sema: the value in its own real floating type (an integer argument has become double); two operands have their
// common type.
Expr *BuiltinChecker::floating() {
  QualType dbl = cx.basic(TypeKind::Double);
  auto real = [&](size_t i) {
    Expr *&a = c->args[i];
    if (a->type->isInteger()) a = s.conv.convert(a, dbl);
    if (a->type->isFloating()) return true;
    wrong(i, "a real floating value");
    return false;
  };
  switch (id) {
    case BuiltinId::isgreater:
    case BuiltinId::isgreaterequal:
    case BuiltinId::isless:
    case BuiltinId::islessequal:
    case BuiltinId::islessgreater:
    case BuiltinId::isunordered:
    case BuiltinId::iseqsig: {
      if (!count(2, 2) || !values()) return bad();
      if (!c->args[0]->type->isReal()) return wrong(0, "a real number");
      if (!c->args[1]->type->isReal()) return wrong(1, "a real number");
      QualType t = s.conv.usualArithmetic(c->args[0], c->args[1]);
      if (t->isInteger()) return wrong(0, "a real floating value if the other one is an integer");
      return result(TypeKind::Int);
    }
    case BuiltinId::fpclassify: {       // (int nan, int inf, int normal, int subnormal, int zero, value)
      if (!count(6, 6) || !values()) return bad();
      for (size_t i = 0; i < 5; i++) to(i, cx.basic(TypeKind::Int));
      if (anyError() || !real(5)) return bad();
      return result(TypeKind::Int);
    }
    case BuiltinId::isfpclass: {        // (value, constant mask)
      if (!count(2, 2) || !values() || !real(0) || !constant(1, 0, 1023)) return bad();
      to(1, cx.basic(TypeKind::Int));
      return result(TypeKind::Int);
    }
    case BuiltinId::complex: {          // (T re, T im) -> _Complex T
      if (!count(2, 2) || !values()) return bad();
      for (size_t i = 0; i < 2; i++)
        if (!c->args[i]->type->isFloating()) return wrong(i, "a real floating-point number");
      if (c->args[0]->type.type != c->args[1]->type.type) s.conv.usualArithmetic(c->args[0], c->args[1]);
      return result(cx.complexOf(c->args[0]->type.type));
    }
    default:
      if (!count(1, 1) || !values() || !real(0)) return bad();
      return result(TypeKind::Int);
  }
}

// Generic overflow builtins: (integer, integer, T *) -> _Bool, the operands in their own types; *_overflow_p: (integer,
// integer, T). The typed ones have both operands and the pointee of their type.
Expr *BuiltinChecker::integers() {
  BuiltinId op = builtinFamily(id);
  bool predicate =
      op == BuiltinId::add_overflow_p || op == BuiltinId::sub_overflow_p || op == BuiltinId::mul_overflow_p;
  // ffsg clzg ctzg clrsbg popcountg parityg: (integer [, int if zero]) -> int
  if (!predicate && op != BuiltinId::add_overflow && op != BuiltinId::sub_overflow && op != BuiltinId::mul_overflow) {
    bool fallback = id == BuiltinId::clzg || id == BuiltinId::ctzg;
    if (!count(1, fallback ? 2 : 1) || !values()) return bad();
    if (!c->args[0]->type->isInteger()) return wrong(0, "an integer");
    if (c->args.size() == 2) to(1, cx.basic(TypeKind::Int));
    return anyError() ? bad() : result(TypeKind::Int);
  }
  if (!count(3, 3) || !values()) return bad();
  if (const char *type = builtinInfo(id).sig + 1; *type) {  // sadd, ssubl, umulll …
    bool sign = *type != 'U';
    char kind = type[!sign];
    const Type *t = cx.basic(kind == 'L'   ? (sign ? TypeKind::LongLong : TypeKind::ULongLong)
                             : kind == 'l' ? (sign ? TypeKind::Long : TypeKind::ULong)
                                           : (sign ? TypeKind::Int : TypeKind::UInt));
    to(0, t), to(1, t), to(2, cx.pointerTo(t));
    return anyError() ? bad() : result(TypeKind::Bool);
  }
  for (size_t i = 0; i < 2; i++)
    if (!c->args[i]->type->isInteger()) return wrong(i, "an integer");
  if (predicate) {
    if (!c->args[2]->type->isInteger()) return wrong(2, "an integer");
    return result(TypeKind::Bool);
  }
  QualType p = c->args[2]->type;
  QualType to = p->isPointer() ? p->as<PointerType>()->pointee : p;
  if (!p->isPointer() || !to->isInteger() || to.isConst() || to.isAtomic()) return wrong(2, "a pointer to an integer");
  return result(TypeKind::Bool);
}

// __builtin_tgmath(f, ff, fl, …, arguments): becomes a call of the function that fits the arguments.
Expr *BuiltinChecker::tgmath() {
  if (!count(2, 1000) || !values()) return bad();
  std::vector<const FunctionType *> fns;
  for (Expr *a : c->args) {
    if (!a->type->isPointer() || !a->type->as<PointerType>()->pointee->isFunction()) break;
    fns.push_back(a->type->as<PointerType>()->pointee->as<FunctionType>());
  }
  size_t n = fns.size(), values = c->args.size() - n;
  if (!n) return wrong(0, "a function");
  for (size_t i = 0; i < n; i++)
    if (!fns[i]->prototype || fns[i]->params.size() != values)
      return wrong(i, "a function with as many parameters as there are values");
  // A position is generic if the functions differ there (or there is just one function).
  std::vector<bool> generic(values, n == 1);
  for (size_t p = 0; p < values; p++)
    for (size_t i = 1; i < n; i++)
      if (fns[i]->params[p].type != fns[0]->params[p].type) generic[p] = true;
  QualType best;
  size_t key = values;
  for (size_t p = 0; p < values; p++) {
    if (!generic[p]) continue;
    if (key == values) key = p;
    QualType t = c->args[n + p]->type.unqual();
    if (t->isInteger()) t = cx.basic(TypeKind::Double);
    else if (t->isComplex() && t->as<ComplexType>()->elem->isInteger()) t = cx.complexOf(cx.basic(TypeKind::Double));
    if (!t->isArithmetic()) return wrong(n + p, "a number");
    best = best ? s.conv.arithmeticType(best, t) : t;
  }
  size_t chosen = n;
  if (!best) chosen = 0;
  else {
    for (size_t i = 0; i < n; i++)
      if (fns[i]->params[key].unqual().type == best.type) {
        chosen = i;
        break;
      }
    if (chosen == n && !best->isComplex())  // cproj(double): only complex versions exist
      for (size_t i = 0; i < n; i++)
        if (fns[i]->params[key].unqual().type == cx.complexOf(best.type).type) {
          chosen = i;
          break;
        }
    // Functions that round to a narrower type start at double: the first of the wider ones takes what is narrower.
    for (TypeKind wider : {TypeKind::Double, TypeKind::LongDouble}) {
      if (chosen != n || s.conv.arithmeticType(best, cx.basic(wider)).type != cx.basic(wider)) continue;
      for (size_t i = 0; i < n; i++)
        if (fns[i]->params[key].unqual().type == cx.basic(wider)) {
          chosen = i;
          break;
        }
    }
    if (chosen == n) chosen = n == 1 ? 0 : n;
  }
  if (chosen == n) {
    s.diags.report(diag::generic_no_match, c->range) << toString(best);
    return bad();
  }
  auto *call = cx.make<Call>();
  call->range = c->range;
  call->callee = c->args[chosen];
  call->fnType = fns[chosen];
  call->args.assign(c->args.begin() + static_cast<std::ptrdiff_t>(n), c->args.end());
  if (Expr *e = s.exprs.callArguments(call, call->fnType, 0, "the chosen function")) return e;
  call->type = call->fnType->result.unqual();
  return call;
}

}  // namespace cilkc
