// binary.cpp - binary operators, assignment and the conditional operator (C17 6.5.5 - 6.5.17).
//
// Sums of thousands of terms are deep left spines: exprBinary() walks the spine and types it from the bottom, so
// neither the stack nor the time grows with more than the number of terms. For warnings the values of small constant
// operands are kept as the spine is typed (`folded`), which is linear too; the constant evaluator would start over at
// every level.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/assign.h"
#include "diag/cilk.h"
#include "diag/sema_expr.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

// One operator whose operands are typed: the families of operators have a method each, which returns the typed node or
// what stands for an error.
struct BinaryTyper {
  Sema &sema;
  AstContext &cx;
  DiagnosticEngine &diags;
  Binary *b;
  BinaryOp op;
  Range where;
  // the operands, loaded and converted as far as it has come
  Expr *l = nullptr, *r = nullptr;
  const Type *lt = nullptr, *rt = nullptr;                     // their types before conversion
  bool la = false, ra = false;                                 // are they arithmetic?

  BinaryTyper(Sema &s, Binary *node)
      : sema(s), cx(s.cx), diags(s.diags), b(node), op(node->op),
        where(node->opRange.valid() ? node->opRange : node->range) {}

  Expr *invalid() {
    diags.report(diag::bad_operands, where).also(l->range).also(r->range)
        << spelling(op) << toString(l->type) << toString(r->type);
    return sema.conv.error(b->range);
  }
  Expr *finish(QualType t) {
    b->lhs = l, b->rhs = r;
    b->type = t.unqual();
    return b;
  }
  bool runs() const { return !sema.deadCode && !sema.unevaluated; }
  Expr *type();
  Expr *comma();
  Expr *logical();
  Expr *vectors();
  Expr *arithmetic();
  Expr *product();
  Expr *remainder();
  Expr *sum();
  Expr *shift();
  Expr *bits();
  Expr *comparison();
  Expr *comparePointers();
  Expr *fold();
};

Expr *BinaryTyper::type() {
  if (op == BinaryOp::Comma) return comma();
  l = sema.conv.load(b->lhs), r = sema.conv.load(b->rhs);
  b->lhs = l, b->rhs = r;
  if (l->type->isError() || r->type->isError()) return sema.conv.error(b->range);
  if (op == BinaryOp::Add) sema.warn.checkStringPlus(b);
  sema.warn.checkOperands(b, l, r);
  lt = l->type.type, rt = r->type.type;
  if (isLogical(op)) return logical();
  if (lt->isVector() || rt->isVector()) return vectors();
  la = lt->isArithmetic(), ra = rt->isArithmetic();
  if (((lt->kind == TypeKind::Float && rt->kind == TypeKind::Double) ||
          (lt->kind == TypeKind::Double && rt->kind == TypeKind::Float)) &&
      !sema.unevaluated && !sema.deadCode)
    diags.report(diag::double_promotion, where) << std::string("the other operand of '") + spelling(op) + "'";
  Expr *result = arithmetic();
  return result == b && l->type->isInteger() && r->type->isInteger() && b->type->isInteger() ? fold() : result;
}

Expr *BinaryTyper::arithmetic() {
  switch (op) {
    case BinaryOp::Mul:
    case BinaryOp::Div: return product();
    case BinaryOp::Rem: return remainder();
    case BinaryOp::Add:
    case BinaryOp::Sub: return sum();
    case BinaryOp::Shl:
    case BinaryOp::Shr: return shift();
    case BinaryOp::And:
    case BinaryOp::Xor:
    case BinaryOp::Or: return bits();
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne: return comparison();
    default: return invalid();
  }
}

Expr *BinaryTyper::comma() {
  if (b->lhs->type->isError() || b->rhs->type->isError()) return sema.conv.error(b->range);
  b->lhs = sema.conv.discard(b->lhs);
  bool whole = b->rhs->type->isArray() && !b->rhs->lvalue && cx.lang.std < LangOptions::C99;     // no pointer in C90
  if (!whole) b->rhs = sema.conv.load(b->rhs);
  if (b->rhs->type->isError()) return sema.conv.error(b->range);
  b->type = b->rhs->type.unqual();
  return b;
}

Expr *BinaryTyper::logical() {
  if (!lt->isScalar() || !rt->isScalar()) return invalid();
  if (lt->isInteger() && rt->isInteger()) {
    auto x = sema.conv.knownInteger(l), y = sema.conv.knownInteger(r);
    if (x && y) sema.es.folded[b] = op == BinaryOp::LogAnd ? (*x && *y) : (*x || *y);
  }
  b->type = cx.basic(TypeKind::Int);
  sema.warn.checkLogical(b);
  return finish(cx.basic(TypeKind::Int));
}

// May a scalar be an operand beside a vector with such elements? As in gcc, if an element has each value of the
// scalar's type, or its value if that is known.
bool becomesElement(Sema &s, Expr *e, const Type *elem) {
  const TargetInfo &target = s.cx.target;
  uint64_t bits = 8 * sizeOf(elem, target), from = 8 * sizeOf(e->type.type, target);
  if (!e->type->isReal() || (elem->isInteger() && e->type->isFloating())) return false;
  if (elem->isInteger()) {
    auto v = s.conv.knownInteger(e);
    return from <= bits || (v && *v >> (bits - 1) >= -1 && *v >> (bits - 1) <= !isSigned(elem, target));
  }
  uint64_t digits = bits == 16 ? 11 : bits == 32 ? 24 : bits == 64 ? 53 : 64;
  if (e->type->isFloating() ? from <= bits : from - isSigned(e->type.type, target) <= digits) return true;
  auto was = evaluate(e, s.cx, EvalMode::Fold), is = evaluate(s.conv.convert(e, elem), s.cx, EvalMode::Fold);
  return was && is && is->re == (was->kind == ConstValue::Int ? static_cast<__float128>(was->i) : was->re);
}

Expr *BinaryTyper::vectors() {
  auto elemOf = [](const Type *t) { return t->isVector() ? t->as<VectorType>()->elem : t; };
  bool intOnly = op == BinaryOp::Rem || op == BinaryOp::Shl || op == BinaryOp::Shr || op == BinaryOp::And ||
                 op == BinaryOp::Xor || op == BinaryOp::Or;
  if (!lt->isVector() || !rt->isVector()) {
    Expr *&s = lt->isVector() ? r : l;
    const Type *v = lt->isVector() ? lt : rt;
    if (!becomesElement(sema, s, v->as<VectorType>()->elem)) return invalid();
    s = sema.conv.convert(s, v->as<VectorType>()->elem);
    s = sema.conv.implicit(CastKind::ScalarToVector, s, v);
  } else if (lt != rt) {
    const auto *vl = lt->as<VectorType>(), *vr = rt->as<VectorType>();
    bool sameShape = vl->count == vr->count && sizeOf(vl->elem, cx.target) == sizeOf(vr->elem, cx.target) &&
                     vl->elem->isInteger() == vr->elem->isInteger();
    bool shift = op == BinaryOp::Shl || op == BinaryOp::Shr;
    if (!sameShape || (!shift && !vl->elem->isInteger())) return invalid();
    // If two integer vectors differ in signedness, the unsigned type is taken; shifts keep the left type.
    const Type *t = shift || !isSigned(vl->elem, cx.target) ? lt : rt;
    l = sema.conv.convert(l, t), r = sema.conv.convert(r, t);
  }
  if (intOnly && (!elemOf(l->type.type)->isInteger() || !elemOf(r->type.type)->isInteger())) return invalid();
  const Type *t = l->type.type;
  if (isComparison(op)) {
    const auto *v = t->as<VectorType>();
    uint64_t n = sizeOf(v->elem, cx.target);
    TypeKind k = n == 1   ? TypeKind::SChar
                 : n == 2 ? TypeKind::Short
                 : n == 4 ? TypeKind::Int
                 : n == 8 ? TypeKind::Long
                          : TypeKind::Int128;
    return finish(cx.vectorOf(cx.basic(k), v->count));
  }
  return finish(t);
}

Expr *BinaryTyper::product() {
  if (!la || !ra) return invalid();
  QualType t = sema.conv.arithmeticOperands(l, r);
  if (op == BinaryOp::Div && t->isInteger() && runs())
    if (auto v = sema.conv.knownInteger(r); v && *v == 0) diags.report(diag::division_by_zero, where);
  if (op == BinaryOp::Div) sema.warn.checkSizeDivision(b);
  return finish(t);
}

Expr *BinaryTyper::remainder() {
  if (!lt->isInteger() || !rt->isInteger()) return invalid();
  QualType t = sema.conv.usualArithmetic(l, r);
  if (runs())
    if (auto v = sema.conv.knownInteger(r); v && *v == 0) diags.report(diag::division_by_zero, where);
  return finish(t);
}

Expr *BinaryTyper::sum() {
  if (la && ra) { return finish(sema.conv.arithmeticOperands(l, r)); }
  if (lt->isNullptr() || rt->isNullptr()) return invalid();
  auto arithPointee = [&](Expr *p) {
    QualType q = p->type->as<PointerType>()->pointee;
    if (q->isVoid() || q->isFunction()) {
      diags.report(diag::pedantic_pointer_arith, where) << toString(p->type);
      return true;
    }
    return sema.types.requireComplete(q, where, "pointer arithmetic");
  };
  if (lt->isPointer() && rt->isInteger()) {
    if (!arithPointee(l)) return sema.conv.error(b->range);
    r = sema.conv.convert(r, cx.ptrdiffType());
    return finish(l->type);
  }
  if (op == BinaryOp::Add && lt->isInteger() && rt->isPointer()) {
    if (!arithPointee(r)) return sema.conv.error(b->range);
    l = sema.conv.convert(l, cx.ptrdiffType());
    return finish(r->type);
  }
  if (op == BinaryOp::Sub && lt->isPointer() && rt->isPointer()) {
    QualType p = lt->as<PointerType>()->pointee, q = rt->as<PointerType>()->pointee;
    auto elem = [](QualType t) {
      while (t->isArray()) t = t->as<ArrayType>()->elem;
      return t.unqual();
    };
    if ((p.isAtomic() != q.isAtomic() || !sema.compat.compatible(p.unqual(), q.unqual())) &&
        !(p->isArray() && q->isArray() && sema.compat.compatible(elem(p), elem(q)))) {
      if (p->isVoid() || q->isVoid())
        diags.report(diag::pedantic_pointer_arith, where) << toString(p->isVoid() ? l->type : r->type);
      else {
        diags.report(diag::pointer_subtraction_types, where).also(l->range).also(r->range)
            << toString(l->type) << toString(r->type);
        return sema.conv.error(b->range);
      }
    } else if (!arithPointee(l)) return sema.conv.error(b->range);
    r = sema.conv.convert(r, l->type);
    return finish(cx.ptrdiffType());
  }
  return invalid();
}

Expr *BinaryTyper::shift() {
  if (!lt->isInteger() || !rt->isInteger()) return invalid();
  l = sema.conv.promote(l), r = sema.conv.promote(r);
  finish(l->type);
  if (auto x = op == BinaryOp::Shl ? sema.conv.knownInteger(l) : std::nullopt;
      x && *x < 0 && runs() && isSigned(l->type.type, cx.target))
    diags.report(diag::shift_negative_value, where);
  if (auto x = op == BinaryOp::Shl ? sema.conv.knownInteger(l) : std::nullopt, n = sema.conv.knownInteger(r);
      x && n && *n >= 0 && *n < 128 && runs() && isSigned(l->type.type, cx.target) && cx.lang.std >= LangOptions::C99) {
    int bits = static_cast<int>(8 * sizeOf(l->type.type, cx.target)), need = 1 + static_cast<int>(*n);
    for (__int128 m = *x < 0 ? ~*x : *x; m; m >>= 1) need++;
    if (*x && *n < bits) {
      if (need > bits + 1 || (need > bits && *x < 0))
        diags.report(diag::shift_value_overflow, where) << need << toString(l->type) << bits;
      else if (need > bits) diags.report(diag::shift_sign_overflow, where) << toString(l->type);
    }
  }
  if (auto v = sema.conv.knownInteger(r); v && runs()) {
    if (*v < 0) diags.report(diag::shift_negative, where) << (op == BinaryOp::Shl ? "left" : "right");
    else if (*v >= static_cast<__int128>(8 * sizeOf(l->type.type, cx.target)))
      diags.report(diag::shift_overflow, where) << (op == BinaryOp::Shl ? "left" : "right") << toString(l->type);
  }
  return b;
}

Expr *BinaryTyper::bits() {
  if (!lt->isInteger() || !rt->isInteger()) return invalid();
  return finish(sema.conv.usualArithmetic(l, r));
}

Expr *BinaryTyper::comparison() {
  bool lp = lt->isPointer(), rp = rt->isPointer();
  if ((lp && (rp || rt->isInteger())) || (rp && lt->isInteger())) return comparePointers();
  if (!la || !ra) return invalid();
  bool equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  if (!equality && (lt->isComplex() || rt->isComplex())) return invalid();
  if (lt->isInteger() && rt->isInteger()) {
    Expr *pl = sema.conv.promote(l), *pr = sema.conv.promote(r);
    bool sl = isSigned(pl->type.type, cx.target), sr = isSigned(pr->type.type, cx.target);
    QualType t = sema.conv.arithmeticType(pl->type, pr->type);
    if (sl != sr && !isSigned(t.type, cx.target) && !sema.unevaluated) {
      const Expr *s = sl ? pl : pr;
      auto v = sema.conv.knownInteger(s);
      bool known = (v && *v >= 0) || ignoreParensAndImplicit(s)->type->isBool();
      // An equality with a constant that the signed type can have: the mistake would need a value that is never equal.
      if (auto u = sema.conv.knownInteger(sl ? pr : pl);
          u && equality && *u >= 0 && wrapInt(*u, s->type.type, cx.target) == *u)
        known = true;
      // Neither can a masked value, nor a choice between values that cannot, nor a promoted unsigned value.
      known = known || sema.warn.neverNegative(s);
      if (!known)
        diags.report(diag::sign_compare, where).also(l->range).also(r->range) << toString(l->type) << toString(r->type);
    }
  }
  sema.conv.usualArithmetic(l, r);
  return finish(cx.basic(TypeKind::Int));
}

Expr *BinaryTyper::comparePointers() {
  bool equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  bool lp = lt->isPointer(), rp = rt->isPointer();
  if ((lt->isNullptr() && !rp && !sema.conv.isNullPointerConstant(r)) ||
      (rt->isNullptr() && !lp && !sema.conv.isNullPointerConstant(l)))
    return invalid();
  if (equality && !sema.unevaluated) {
    const Decl *d = lp && sema.conv.isNullPointerConstant(r)   ? sema.warn.neverNull(l)
                    : rp && sema.conv.isNullPointerConstant(l) ? sema.warn.neverNull(r)
                                                               : nullptr;
    if (d && b->range.valid() && !diags.sources().resolve(where.begin).fromMacro)
      diags.report(diag::address_never_null, where) << d->name << (op == BinaryOp::Eq ? "false" : "true");
  }
  if (!(lp && rp) &&
      (ignoreParensAndImplicit(lp ? r : l)->kind == ExprKind::CharLit || (lp ? rt : lt)->kind == TypeKind::Char) &&
      !sema.unevaluated && sema.conv.isNullPointerConstant(lp ? r : l))
    diags.report(diag::pointer_compare, where);
  auto zero = [&](const Expr *x) {
    auto k = sema.conv.isNullPointerConstant(x) ? std::nullopt : evaluate(x, cx, EvalMode::Fold);
    return !k || (k->kind == ConstValue::Address && !k->base && !k->string && !k->label && k->offset == 0);
  };
  if (equality &&
      (ignoreParensAndImplicit(l)->kind == ExprKind::StringLit ||
          ignoreParensAndImplicit(r)->kind == ExprKind::StringLit) &&
      !sema.unevaluated && !sema.conv.isNullPointerConstant(r) && !sema.conv.isNullPointerConstant(l) &&
      !(ignoreParensAndImplicit(l)->kind == ExprKind::Cast && zero(l)) &&
      !(ignoreParensAndImplicit(r)->kind == ExprKind::Cast && zero(r)))
    diags.report(diag::string_compare, where);
  if (!equality && (lp && rp ? false : sema.conv.isNullPointerConstant(lp ? r : l)))
    diags.report(diag::pedantic_null_order, where) << spelling(op);
  else if (lp && rp && lt->as<PointerType>()->pointee->isFunction() != rt->as<PointerType>()->pointee->isFunction() &&
           (lt->as<PointerType>()->pointee->isVoid() || rt->as<PointerType>()->pointee->isVoid()) &&
           !sema.conv.isNullPointerConstant(l) && !sema.conv.isNullPointerConstant(r))
    diags.report(diag::pedantic_function_void_pointer, where) << "comparison";
  if (!equality && lp && rp) {
    if (lt->isNullptr() || rt->isNullptr()) return invalid();
    QualType p = lt->as<PointerType>()->pointee, q = rt->as<PointerType>()->pointee;
    if (p->isVoid() != q->isVoid() && !p->isFunction() && !q->isFunction() && !sema.conv.isNullPointerConstant(l) &&
        !sema.conv.isNullPointerConstant(r))
      diags.report(diag::distinct_pointer_comparison, where) << toString(l->type) << toString(r->type);
    if (!p->isVoid() && !q->isVoid() && !p->isFunction() && !q->isFunction() &&
        isComplete(p.type) != isComplete(q.type) && sema.compat.compatible(p.unqual(), q.unqual()) &&
        cx.lang.std < LangOptions::C11)
      diags.report(diag::pedantic_incomplete_comparison, where) << toString(l->type) << toString(r->type);
  }
  sema.conv.mergePointers(l, r, where, true);
  return finish(cx.basic(TypeKind::Int));
}

// The value of an operator on constants is kept for warnings.
Expr *BinaryTyper::fold() {
  auto x = sema.conv.knownInteger(l), y = sema.conv.knownInteger(r);
  if (!x || !y) return b;
  unsigned __int128 ux = static_cast<unsigned __int128>(*x), uy = static_cast<unsigned __int128>(*y);
  bool sign = isSigned(l->type.type, cx.target);
  __int128 v = 0;
  bool big = sizeOf(b->type.type, cx.target) > 8;
  switch (op) {
    case BinaryOp::Add: v = static_cast<__int128>(ux + uy); break;
    case BinaryOp::Sub: v = static_cast<__int128>(ux - uy); break;
    case BinaryOp::Mul: v = static_cast<__int128>(ux * uy); break;
    case BinaryOp::Div:
      if (*y == 0 || big) return b;
      v = *x / *y;
      break;
    case BinaryOp::Rem:
      if (*y == 0 || big) return b;
      v = *x % *y;
      break;
    case BinaryOp::Shl:
      if (*y < 0 || *y > 127) return b;
      v = static_cast<__int128>(ux << static_cast<unsigned>(*y));
      break;
    case BinaryOp::Shr:
      if (*y < 0 || *y > 127) return b;
      v = *x >> static_cast<unsigned>(*y);
      break;
    case BinaryOp::And: v = static_cast<__int128>(ux & uy); break;
    case BinaryOp::Xor: v = static_cast<__int128>(ux ^ uy); break;
    case BinaryOp::Or: v = static_cast<__int128>(ux | uy); break;
    case BinaryOp::Lt: v = big && !sign ? ux < uy : *x < *y; break;
    case BinaryOp::Gt: v = big && !sign ? ux > uy : *x > *y; break;
    case BinaryOp::Le: v = big && !sign ? ux <= uy : *x <= *y; break;
    case BinaryOp::Ge: v = big && !sign ? ux >= uy : *x >= *y; break;
    case BinaryOp::Eq: v = *x == *y; break;
    case BinaryOp::Ne: v = *x != *y; break;
    default: return b;
  }
  __int128 w = wrapInt(v, b->type.type, cx.target);
  if (w != v && isSigned(b->type.type, cx.target) && op != BinaryOp::Shl && runs() && !big)
    diags.report(diag::integer_overflow, where) << toString(b->type);
  sema.es.folded[b] = w;
  return b;
}

}  // namespace

Expr *Exprs::exprBinary(Binary *top) {
  if (isLogical(top->op) || top->op == BinaryOp::Comma)
    if (Expr *e = sema.hooks.choice(top)) return e;
  std::vector<Binary *> spine{top};
  while (spine.back()->lhs && spine.back()->lhs->kind == ExprKind::Binary && !spine.back()->lhs->type)
    spine.push_back(spine.back()->lhs->as<Binary>());
  std::vector<const Expr *> unused;
  for (const Binary *b : spine)
    if (b->op == BinaryOp::Comma) sema.warn.unusedCalls(b->lhs, unused);
  Expr *result = nullptr;
  for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
    Binary *b = *it;
    Saved place(sema.spawnPlace, b->op == BinaryOp::Comma ? SpawnPlace::Comma : SpawnPlace::Operand);
    if (!result) b->lhs = expr(b->lhs);
    else b->lhs = result;
    // The right side of a decided && or || is never evaluated.
    bool dead = false;
    if ((isLogical(b->op)) && b->lhs->type->isInteger())
      if (auto v = sema.conv.knownInteger(b->lhs)) dead = (*v != 0) == (b->op == BinaryOp::LogOr);
    sema.deadCode += dead;
    b->rhs = expr(b->rhs);
    sema.deadCode -= dead;
    result = binaryNode(b);
  }
  sema.warn.checkUnusedResults(std::move(unused));
  return result;
}

Expr *Exprs::binaryNode(Binary *b) { return BinaryTyper(sema, b).type(); }

// ---- assignment ---------------------------------------------------------------------------------------------------

bool typeVectorUpdate(Sema &s, Assign *a, Expr *rhs) {
  QualType to = a->lhs->type.unqual();
  const auto *v = to->as<VectorType>();
  const Type *from = rhs->type.type;
  bool bits = a->op == BinaryOp::And || a->op == BinaryOp::Xor || a->op == BinaryOp::Or || a->op == BinaryOp::Rem ||
              a->op == BinaryOp::Shl || a->op == BinaryOp::Shr;
  if (bits && !v->elem->isInteger()) return false;
  if (from->isVector()) {
    if (sizeOf(from, s.cx.target) != sizeOf(to.type, s.cx.target) || from->as<VectorType>()->count != v->count)
      return false;
    a->rhs = s.conv.convert(rhs, to);
  } else if (becomesElement(s, rhs, v->elem)) {
    a->rhs = s.conv.implicit(CastKind::ScalarToVector, s.conv.convert(rhs, v->elem), to);
  } else {
    return false;
  }
  a->computeType = to;
  return true;
}

// Where the value of the whole goes nowhere, the store is no use of the variable; nor is `x += 1` or `x++`.
Expr *Exprs::storedTo(const Expr *whole, Expr *operand) {
  VarDecl *v = nullptr;
  auto ignored = std::find(sema.es.ignoredValues.begin(), sema.es.ignoredValues.end(), whole);
  if (ignored != sema.es.ignoredValues.end()) {
    sema.es.ignoredValues.erase(ignored);
    if (Expr *raw = ignoreParens(operand); raw->kind == ExprKind::Ident && !raw->type)
      if (Decl *d = sema.scopes.lookup(raw->as<Ident>()->name); d && d->kind == DeclKind::Var) v = d->as<VarDecl>();
  }
  bool wasUsed = v && v->used;
  Expr *e = whole->kind == ExprKind::Assign ? exprIn(SpawnPlace::LeftSide, operand) : expr(operand);
  if (v && !wasUsed && v->isLocal && !v->type.isVolatile()) v->used = false;
  return e;
}

Expr *Exprs::exprAssign(Assign *a) {
  Range where = a->opRange.valid() ? a->opRange : a->range;
  Expr *l = a->lhs = storedTo(a, a->lhs);
  // A spawn right here means that the assignment is part of a larger expression.
  Expr *r = rvalueIn(a->rhs->kind == ExprKind::Spawn ? SpawnPlace::LargerExpression : SpawnPlace::RightSide, a->rhs);
  a->rhs = r;
  if (l->type->isError() || r->type->isError()) return sema.conv.error(a->range);
  if (l->type->isFuture()) {
    diags.report(diag::future_assigned, where).note(l->range, "write `= spawn f(..);`");
    return sema.conv.error(a->range);
  }
  if (!sema.conv.isModifiableLvalue(l, where, true)) return sema.conv.error(a->range);
  checkPastTheEnd(l);
  if (VarDecl *v = sema.conv.rootVariable(l)) v->assigned = true;
  QualType lt = l->type.unqual();
  a->type = lt;
  if (!a->compound) {
    if (!sema.types.requireComplete(lt, l->range, "assignment")) return sema.conv.error(a->range);
    Expr *c = sema.conv.assignConvert(r, lt, "assignment", where);
    if (c->type->isError()) return sema.conv.error(a->range);
    a->rhs = c;
    return a;
  }

  auto invalid = [&]() -> Expr * {
    diags.report(diag::bad_operands, where).also(l->range).also(r->range)
        << std::string(spelling(a->op)) + "=" << toString(l->type) << toString(r->type);
    return sema.conv.error(a->range);
  };
  const Type *rt = r->type.type;
  bool shift = a->op == BinaryOp::Shl || a->op == BinaryOp::Shr;
  bool bits =
      a->op == BinaryOp::And || a->op == BinaryOp::Xor || a->op == BinaryOp::Or || a->op == BinaryOp::Rem || shift;
  if (lt->isVector()) return typeVectorUpdate(sema, a, r) ? a : invalid();
  if (lt->isPointer() && (a->op == BinaryOp::Add || a->op == BinaryOp::Sub)) {
    if (!rt->isInteger() || lt->isNullptr()) return invalid();
    QualType p = lt->as<PointerType>()->pointee;
    if (p->isVoid() || p->isFunction()) diags.report(diag::pedantic_pointer_arith, where) << toString(lt);
    else if (!sema.types.requireComplete(p, where, "pointer arithmetic")) return sema.conv.error(a->range);
    a->computeType = lt;
    a->rhs = sema.conv.convert(r, cx.ptrdiffType());
    return a;
  }
  if (!lt->isArithmetic() || !rt->isArithmetic()) return invalid();
  if (bits && (!lt->isInteger() || !rt->isInteger())) return invalid();
  // The type of the left operand after promotion; a bit-field's goes by its width.
  QualType left = sema.conv.promotedType(lt.type);
  if (const FieldDecl *f = sema.conv.bitFieldOf(l)) left = sema.conv.promotedBitField(f);
  r = sema.conv.promote(r);
  if (shift) {
    a->computeType = left;
    a->rhs = r;
    if (auto v = sema.conv.knownInteger(r); v && !sema.deadCode && !sema.unevaluated) {
      if (*v < 0) diags.report(diag::shift_negative, where) << (a->op == BinaryOp::Shl ? "left" : "right");
      else if (*v >= static_cast<__int128>(8 * sizeOf(left.type, cx.target)))
        diags.report(diag::shift_overflow, where) << (a->op == BinaryOp::Shl ? "left" : "right") << toString(left);
    }
    return a;
  }
  a->computeType = sema.conv.arithmeticType(left, r->type);
  a->rhs = sema.conv.convert(r, sema.conv.operandType(r->type, a->computeType));
  if ((a->op == BinaryOp::Div || a->op == BinaryOp::Rem) && a->computeType->isInteger() && !sema.deadCode &&
      !sema.unevaluated)
    if (auto v = sema.conv.knownInteger(a->rhs); v && *v == 0) diags.report(diag::division_by_zero, where);
  return a;
}

// ---- ?: -----------------------------------------------------------------------------------------------------------

Expr *Exprs::exprConditional(Conditional *top) {
  if (Expr *e = sema.hooks.choice(top)) return e;
  // `a ? b : c ? d : e …` is a right spine; its conditions are typed on the way down, the branches merged on the way
  // up.
  std::vector<Conditional *> spine{top};
  while (spine.back()->otherwise && spine.back()->otherwise->kind == ExprKind::Conditional &&
         !spine.back()->otherwise->type)
    spine.push_back(spine.back()->otherwise->as<Conditional>());
  std::vector<bool> deadElse;
  for (Conditional *c : spine) {
    Saved place(sema.spawnPlace, SpawnPlace::Condition);
    c->cond = sema.conv.condition(c->cond);
    if (c->then && !c->cond->type->isError()) sema.warn.checkTruth(c->cond);
    std::optional<__int128> v;
    if (c->cond->type->isInteger()) v = sema.conv.knownInteger(c->cond);
    bool deadThen = v && *v == 0, dead = v && *v != 0;
    if (c->then) {
      sema.deadCode += deadThen;
      c->then = rvalueIn(SpawnPlace::Operand, c->then);
      sema.deadCode -= deadThen;
    }
    deadElse.push_back(dead);
    sema.deadCode += dead;
  }
  spine.back()->otherwise = rvalueIn(SpawnPlace::Operand, spine.back()->otherwise);
  for (bool d : deadElse) sema.deadCode -= d;

  Expr *result = nullptr;
  for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
    Conditional *c = *it;
    if (result) c->otherwise = result;
    if (!c->then) diags.report(diag::pedantic_omitted_middle, c->range);
    // `a ?: b`: the condition is the value; conversions below keep its truth
    Expr *&t = c->then ? c->then : c->cond;
    Expr *&e = c->otherwise;
    if (c->cond->type->isError() || t->type->isError() || e->type->isError()) {
      result = sema.conv.error(c->range);
      continue;
    }
    const Type *a = t->type.type, *b = e->type.type;
    if (a->isVoid() || b->isVoid()) {
      if (!a->isVoid() || !b->isVoid()) {
        diags.report(diag::pedantic_conditional_void, c->range);
        if (!a->isVoid()) t = sema.conv.implicit(CastKind::ToVoid, t, cx.basic(TypeKind::Void));
        if (!b->isVoid()) e = sema.conv.implicit(CastKind::ToVoid, e, cx.basic(TypeKind::Void));
      }
      c->type = cx.basic(TypeKind::Void);
    } else if (a->isArithmetic() && b->isArithmetic()) {
      if (c->then && a->isInteger() && b->isInteger() && !a->isEnum() && !b->isEnum() && !sema.unevaluated &&
          !sema.deadCode && diags.wants(diag::sign_compare_conditional)) {
        Expr *pt = sema.conv.promote(t), *pe = sema.conv.promote(e);
        bool st = isSigned(pt->type.type, cx.target), se = isSigned(pe->type.type, cx.target);
        QualType both = sema.conv.arithmeticType(pt->type, pe->type);
        if (st != se && !isSigned(both.type, cx.target) && !sema.warn.neverNegative(st ? pt : pe) &&
            !sema.conv.knownInteger(c->cond))
          diags.report(diag::sign_compare_conditional, (st ? t : e)->range)
              << toString(st ? t->type : e->type) << toString(both);
      }
      if (c->then && diags.wants(diag::duplicated_branches) && !sema.unevaluated && sameTree(t, e))
        diags.report(diag::duplicated_branches, c->range) << "?:";
      c->type = sema.conv.usualArithmetic(t, e);
    } else if (a->isVector() || b->isVector()) {
      if (a != b) {
        if (a->isVector() && b->isVector() && sizeOf(a, cx.target) == sizeOf(b, cx.target))
          e = sema.conv.convert(e, t->type);
        else {
          diags.report(diag::conditional_types, c->range).also(t->range).also(e->range)
              << toString(t->type) << toString(e->type);
          result = sema.conv.error(c->range);
          continue;
        }
      }
      c->type = t->type.unqual();
    } else if (a->isRecord() && b->isRecord() && sema.compat.compatible(t->type, e->type)) {
      c->type = t->type.unqual();
      if (a != b) e = sema.conv.convert(e, t->type);
    } else if ((a->isPointer() && (b->isPointer() || b->isInteger())) || (b->isPointer() && a->isInteger())) {
      c->type = sema.conv.mergePointers(t, e, c->range, false);
    } else {
      diags.report(diag::conditional_types, c->range).also(t->range).also(e->range)
          << toString(t->type) << toString(e->type);
      result = sema.conv.error(c->range);
      continue;
    }
    c->lvalue = false;
    result = c;
  }
  return result;
}

}  // namespace cilkc
