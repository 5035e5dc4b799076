// operator.cpp - warnings about one operator or conversion: parentheses that readers miss, comparisons whose outcome is
// known, conversions that may change the value (-Wconversion), casts that take a qualifier away.
#include <cctype>
#include "frontend/ast/kinds.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/consteval/consteval.h"
#include "frontend/sema/c/core/sema.h"
#include "frontend/source/layout.h"
#include "diag/sema_expr.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

// Without conversions, but with the parentheses that the user wrote.
const Expr *written(const Expr *e) {
  while (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
  return e;
}
// A floating constant with or without a sign.
bool isConstantFloat(const Expr *e) {
  e = ignoreParensAndImplicit(e);
  if (e->kind == ExprKind::Unary && (e->as<Unary>()->op == UnaryOp::Minus || e->as<Unary>()->op == UnaryOp::Plus))
    e = ignoreParensAndImplicit(e->as<Unary>()->sub);
  return e->kind == ExprKind::FloatLit;
}


// A value that is 0 or 1 by its form.
bool isTruth(const Expr *e) {
  e = ignoreParensAndImplicit(e);
  if (e->type && e->type->isBool()) return true;
  if (e->kind == ExprKind::Binary) {
    BinaryOp op = e->as<Binary>()->op;
    return isComparison(op) || isLogical(op);
  }
  return e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Not;
}

// Do both designate the same object by the same words, with nothing that could change between?
bool same(const Expr *a, const Expr *b, int depth = 0) {
  a = ignoreParensAndImplicit(a), b = ignoreParensAndImplicit(b);
  if (a->kind != b->kind || depth > 20 || !a->type || a->type.isVolatile()) return false;
  switch (a->kind) {
    case ExprKind::Ident:
      return a->as<Ident>()->decl && a->as<Ident>()->decl == b->as<Ident>()->decl &&
             a->as<Ident>()->decl->kind == DeclKind::Var;
    case ExprKind::Member:
      return a->as<Member>()->name == b->as<Member>()->name && a->as<Member>()->arrow == b->as<Member>()->arrow &&
             same(a->as<Member>()->base, b->as<Member>()->base, depth + 1);
    case ExprKind::Unary:
      return a->as<Unary>()->op == UnaryOp::Deref && b->as<Unary>()->op == UnaryOp::Deref &&
             same(a->as<Unary>()->sub, b->as<Unary>()->sub, depth + 1);
    default: return otherKinds<34>(false);
  }
}

// The least and the greatest value of an integer type.
std::pair<__int128, __int128> rangeOf(const Type *t, const TargetInfo &target) {
  if (t->isBool()) return {0, 1};
  const unsigned bits = static_cast<unsigned>(8 * sizeOf(t, target)) - isSigned(t, target);
  const __int128 most = static_cast<__int128>((static_cast<unsigned __int128>(1) << bits) - 1);
  return {isSigned(t, target) ? -most - 1 : 0, most};
}

}  // namespace

// `v op c`, computed in the type `common`, where it is the same for all values that v of type t can have.
std::optional<bool> Warnings::outcomeForAll(BinaryOp op, const Type *t, const Type *common, __int128 c) const {
  if (sizeOf(common, cx.target) > 8 || t->isBitInt()) return {};
  auto [lo, hi] = rangeOf(t, cx.target);
  auto [least, most] = rangeOf(common, cx.target);
  if (lo < least) {  // negative values become large ones
    if (sizeOf(t, cx.target) < sizeOf(common, cx.target)) return {};
    lo = least, hi = most;
  }
  c = wrapInt(c, common, cx.target);
  switch (op) {
    case BinaryOp::Lt: return hi < c ? std::optional(true) : lo >= c ? std::optional(false) : std::nullopt;
    case BinaryOp::Le: return hi <= c ? std::optional(true) : lo > c ? std::optional(false) : std::nullopt;
    case BinaryOp::Gt: return lo > c ? std::optional(true) : hi <= c ? std::optional(false) : std::nullopt;
    case BinaryOp::Ge: return lo >= c ? std::optional(true) : hi < c ? std::optional(false) : std::nullopt;
    case BinaryOp::Eq: return c < lo || c > hi ? std::optional(false) : std::nullopt;
    case BinaryOp::Ne: return c < lo || c > hi ? std::optional(true) : std::nullopt;
    default: return {};
  }
}

// (a & 16) == 10, (a | 8) == 1
void Warnings::checkMaskedCompare(const Expr *v, __int128 c, BinaryOp op, Range where) {
  v = ignoreParensAndImplicit(v);
  if (v->kind != ExprKind::Binary || (op != BinaryOp::Eq && op != BinaryOp::Ne) || c < 0) return;
  const auto *b = v->as<Binary>();
  if (b->op != BinaryOp::And && b->op != BinaryOp::Or) return;
  auto l = sema.conv.knownInteger(b->lhs), r = sema.conv.knownInteger(b->rhs);
  if (l.has_value() == r.has_value()) return;
  const __int128 mask = l ? *l : *r;
  if (mask < 0 || (b->op == BinaryOp::And ? (c & ~mask) == 0 : (mask & ~c) == 0)) return;
  diags.report(diag::mask_compare, where).also(v->range)
      << spelling(b->op) << decimal(mask) << decimal(c) << (op == BinaryOp::Ne ? "true" : "false");
}

void Warnings::checkOperands(const Binary *b, const Expr *l, const Expr *r) {
  if (!diags.wants(diag::parentheses_chain) && !diags.wants(diag::bool_compare) && !diags.wants(diag::float_equal) &&
      !diags.wants(diag::type_limits))
    return;
  BinaryOp op = b->op;
  Range where = b->opRange.valid() ? b->opRange : b->range;
  // ---- what binds tighter than it looks
  auto operand = [&](const Expr *e, bool left) {
    e = written(e);
    if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Not && left) {
      bool against = isTruth(r) || r->type->isBool();
      if ((isComparison(op) || op == BinaryOp::And) && !against && l->type->isInteger() && r->type->isInteger() &&
          ignoreParensAndImplicit(e->as<Unary>()->sub)->type && !isTruth(e->as<Unary>()->sub))
        diags.report(diag::logical_not, where).also(l->range) << spelling(op);
      return;
    }
    if (e->kind != ExprKind::Binary) return;
    BinaryOp inner = e->as<Binary>()->op;
    switch (op) {
      case BinaryOp::LogOr:
        if (inner == BinaryOp::LogAnd) diags.report(diag::parentheses_logical, e->range);
        break;
      case BinaryOp::Shl:
      case BinaryOp::Shr:
        if (inner == BinaryOp::Add || inner == BinaryOp::Sub)
          diags.report(diag::parentheses_arithmetic, e->range) << spelling(inner) << spelling(op);
        break;
      case BinaryOp::And:
      case BinaryOp::Xor:
      case BinaryOp::Or:
        if (isComparison(inner))
          diags.report(diag::parentheses_comparison, e->range) << spelling(inner) << spelling(op);
        else if (inner == BinaryOp::Add || inner == BinaryOp::Sub || (inner == BinaryOp::And && op != BinaryOp::And) ||
                 (inner == BinaryOp::Xor && op == BinaryOp::Or))
          diags.report(diag::parentheses_arithmetic, e->range) << spelling(inner) << spelling(op);
        break;
      case BinaryOp::Eq:
      case BinaryOp::Ne:
        if (isComparison(inner)) diags.report(diag::parentheses_equality, e->range) << spelling(op);
        break;
      case BinaryOp::Lt:
      case BinaryOp::Gt:
      case BinaryOp::Le:
      case BinaryOp::Ge:
        if (left && isRelation(inner)) diags.report(diag::parentheses_chain, where);  // x < y < z
        break;
      default: break;
    }
  };
  operand(l, true), operand(r, false);
  if (!isComparison(op) || sema.unevaluated || sema.deadCode) return;
  // ---- comparisons
  const Type *lt = l->type.type, *rt = r->type.type;
  bool equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  if (equality && (lt->isFloating() || rt->isFloating())) diags.report(diag::float_equal, where) << spelling(op);
  if (diags.wants(diag::enum_compare))
    if (const EnumType *a = enumerationOf(l), *b2 = enumerationOf(r);
        a && b2 && a != b2 && !a->tag.empty() && !b2->tag.empty() && !(lt->isEnum() && rt->isEnum()))
      diags.report(diag::enum_compare, where) << toString(QualType(a)) << toString(QualType(b2));
  if (lt->isEnum() && rt->isEnum() && lt != rt)
    diags.report(diag::enum_compare, where) << toString(l->type) << toString(r->type);
  if (same(l, r) && !lt->isFloating() && !diags.sources().resolve(where.begin).fromMacro)
    diags.report(diag::tautological_compare, where)
        << (op == BinaryOp::Eq || op == BinaryOp::Le || op == BinaryOp::Ge ? "true" : "false");
  if (!lt->isInteger() || !rt->isInteger()) return;
  // ---- a truth value against a constant, `v op c` after turning the operands round
  auto lv = sema.conv.knownInteger(l), rv = sema.conv.knownInteger(r);
  if (lv.has_value() == rv.has_value()) return;
  const Expr *v = lv ? r : l;
  __int128 c = lv ? *lv : *rv;
  BinaryOp o = op;
  if (lv)
    o = op == BinaryOp::Lt   ? BinaryOp::Gt
        : op == BinaryOp::Gt ? BinaryOp::Lt
        : op == BinaryOp::Le ? BinaryOp::Ge
        : op == BinaryOp::Ge ? BinaryOp::Le
                             : op;
  if (isTruth(v)) {
    bool t0 = o == BinaryOp::Eq   ? c == 0
              : o == BinaryOp::Ne ? c != 0
              : o == BinaryOp::Lt ? 0 < c
              : o == BinaryOp::Gt ? 0 > c
              : o == BinaryOp::Le ? 0 <= c
                                  : 0 >= c;
    bool t1 = o == BinaryOp::Eq   ? c == 1
              : o == BinaryOp::Ne ? c != 1
              : o == BinaryOp::Lt ? 1 < c
              : o == BinaryOp::Gt ? 1 > c
              : o == BinaryOp::Le ? 1 <= c
                                  : 1 >= c;
    if (t0 == t1)
      diags.report(diag::bool_compare, where)
          << (c > 1000000 || c < -1000000 ? std::string("a constant") : std::to_string(static_cast<long long>(c)))
          << (t0 ? "true" : "false");
    return;
  }
  if (diags.sources().resolve(where.begin).fromMacro) return;
  if (diags.wants(diag::mask_compare)) checkMaskedCompare(v, c, o, where);
  const Expr *plain = ignoreParensAndImplicit(v);
  const Type *t = plain->type.type;
  if (!t->isInteger() || t->isEnum() || !diags.wants(diag::type_limits)) return;
  if (c == 0 && !isSigned(t, cx.target) && (o == BinaryOp::Lt || o == BinaryOp::Ge)) {
    diags.report(diag::type_limits, where)
        << (o == BinaryOp::Lt ? "<" : ">=") << (o == BinaryOp::Lt ? "false" : "true");
    return;
  }
  // What a type has no value for; of the comparison's own type, INT_MAX is a bound like any other.
  const Type *common = sema.conv.promotedType((lv ? l : r)->type.type);
  if (sizeOf(t, cx.target) >= sizeOf(common, cx.target) || sema.conv.bitFieldOf(plain) || t->isBitInt()) return;
  auto [least, most] = rangeOf(t, cx.target);
  if (auto outcome = outcomeForAll(o, t, common, c))
    diags.report(diag::type_limits_range, where)
        << toString(plain->type.unqual()) << decimal(least) << decimal(most) << (*outcome ? "true" : "false");
}

// ---- conversions --------------------------------------------------------------------------------------------------

void Warnings::checkArithmeticConversion(const Expr *e, QualType to, const std::string &context) {
  if (sema.unevaluated || sema.deadCode || to->isBool() ||
      (!diags.wants(diag::conversion) && !diags.wants(diag::sign_conversion) && !diags.wants(diag::float_conversion)))
    return;
  auto real = [](const Type *t) { return t->isInteger() || t->isFloating(); };
  if (!real(e->type.type) || !real(to.type)) return;
  // -1 for an unsigned type; what does not fit at all is an overflow
  if (auto v = sema.conv.knownInteger(e)) {
    if (*v < 0 && to->isInteger() && !isSigned(to.type, cx.target))
      diags.report(diag::sign_conversion, e->range) << context << toString(e->type) << toString(to);
    return;
  }
  if (e->type->isFloating() && to->isInteger() && isConstantFloat(e)) {
    auto c = evaluate(e, cx, EvalMode::Fold);
    if (c && c->kind == ConstValue::Float && c->re == static_cast<__float128>(static_cast<long long>(c->re))) return;
  } else if (ignoreParensAndImplicit(e)->kind == ExprKind::FloatLit) {
    return;
  }
  // The promotions of an operand do not count: `char c = d` with a char d keeps its value; so does a masked value or a
  // truth value.
  auto fits = [&](auto &self, const Expr *x, int depth) -> bool {
    const Type *t = to.type;
    if (depth > 12 || isTruth(x)) return isTruth(x);
    auto inRange = [&](__int128 v) { return wrapInt(v, t, cx.target) == v; };
    if (auto v = sema.conv.knownInteger(x)) return t->isInteger() && inRange(*v);
    if (x->kind == ExprKind::Paren) return self(self, x->as<ParenExpr>()->sub, depth + 1);
    if (x->kind == ExprKind::ImplicitCast && x->as<ImplicitCast>()->castKind == CastKind::IntToInt &&
        sizeOf(x->type.type, cx.target) >= sizeOf(x->as<ImplicitCast>()->sub->type.type, cx.target))
      return self(self, x->as<ImplicitCast>()->sub, depth + 1);
    if (x->kind == ExprKind::Conditional && x->as<Conditional>()->then)
      return self(self, x->as<Conditional>()->then, depth + 1) &&
             self(self, x->as<Conditional>()->otherwise, depth + 1);
    if (x->kind == ExprKind::Binary && t->isInteger()) {
      const auto *b = x->as<Binary>();
      if (b->op == BinaryOp::Comma) return self(self, b->rhs, depth + 1);
      auto both = [&] { return self(self, b->lhs, depth + 1) && self(self, b->rhs, depth + 1); };
      if (b->op == BinaryOp::And)
        for (const Expr *side : {b->lhs, b->rhs})
          if (neverNegative(side) && self(self, side, depth + 1)) return true;
      if ((b->op == BinaryOp::And || b->op == BinaryOp::Or || b->op == BinaryOp::Xor) && both()) return true;
      if (b->op == BinaryOp::Shr && self(self, b->lhs, depth + 1)) return true;
      if (b->op == BinaryOp::Rem)
        if (auto v = sema.conv.knownInteger(b->rhs); v && *v > 0 && inRange(*v - 1))
          return isSigned(t, cx.target) || !isSigned(b->type.type, cx.target);
    }
    if (const FieldDecl *f = sema.conv.bitFieldOf(x); f && t->isInteger()) {
      uint64_t bits = 8 * sizeOf(t, cx.target);
      bool sign = isSigned(f->type.type, cx.target);
      return isSigned(t, cx.target) ? (sign ? f->width <= bits : f->width < bits) : !sign && f->width <= bits;
    }
    if (!x->type->isInteger()) return !t->isInteger() && sizeOf(x->type.type, cx.target) <= sizeOf(t, cx.target);
    if (!t->isInteger())
      return sizeOf(x->type.type, cx.target) * 8 <= (t->kind == TypeKind::Float       ? 24u
                                                        : t->kind == TypeKind::Double ? 53u
                                                                                      : 64u);
    uint64_t a = sizeOf(x->type.type, cx.target), b = sizeOf(t, cx.target);
    bool sa = isSigned(x->type.type, cx.target), sb = isSigned(t, cx.target);
    return sa == sb ? a <= b : !sa && a < b;
  };
  if (fits(fits, e, 0)) return;
  Range at = e->range;
  const Type *f = e->type.type, *t = to.type;
  if (f->isFloating() != t->isFloating() || f->isFloating())
    diags.report(f->isInteger() ? diag::conversion : diag::float_conversion, at)
        << context << toString(e->type) << toString(to);
  else if (sizeOf(f, cx.target) > sizeOf(t, cx.target))
    diags.report(diag::conversion, at) << context << toString(e->type) << toString(to);
  else diags.report(diag::sign_conversion, at) << context << toString(e->type) << toString(to);
}

void Warnings::checkCast(const Expr *e, QualType to, Range where) {
  if (!e->type->isPointer() || !to->isPointer()) return;
  QualType f = e->type->as<PointerType>()->pointee, t = to->as<PointerType>()->pointee;
  auto quals = [](QualType p) {
    unsigned q = p.quals;
    while (p->isArray()) p = p->as<ArrayType>()->elem, q |= p.quals;
    return q & (QConst | QVolatile);
  };
  if (!f->isFunction() && !t->isFunction() && (quals(f) & ~quals(t)))
    diags.report(diag::cast_qual, where) << (quals(f) & ~quals(t) & QConst ? "const" : "volatile") << toString(to);
  if (!f->isFunction() || !t->isFunction() || !diags.wants(diag::cast_function_type)) return;
  // void (*)(void) stands for any function; else what is passed must be alike.
  const auto *a = f->as<FunctionType>(), *b = t->as<FunctionType>();
  auto any = [](const FunctionType *x) {
    return !x->prototype || (x->result->isVoid() && x->params.empty() && !x->variadic);
  };
  if (any(a) || any(b)) return;
  auto alike = [&](QualType x, QualType y) {
    if (x->isPointer() && y->isPointer()) return true;
    if (x->isInteger() && y->isInteger()) return sizeOf(x.type, cx.target) == sizeOf(y.type, cx.target);
    return sema.compat.compatible(x.unqual(), y.unqual());
  };
  bool good = (a->result->isVoid() || b->result->isVoid() || alike(a->result, b->result)) &&
              (a->params.size() == b->params.size() || a->variadic || b->variadic);
  for (size_t i = 0; good && i < a->params.size() && i < b->params.size(); i++)
    good = alike(a->params[i], b->params[i]);
  if (!good) diags.report(diag::cast_function_type, where) << toString(e->type) << toString(to);
}

// "abc" + n
void Warnings::checkStringPlus(const Binary *b) {
  if (sema.unevaluated || sema.deadCode || !diags.wants(diag::string_plus_int)) return;
  const Expr *l = written(b->lhs), *r = written(b->rhs);
  const Expr *text = l->kind == ExprKind::StringLit ? l : r;
  const Expr *number = text == l ? r : l;
  if (text->kind != ExprKind::StringLit || !number->type || !number->type->isInteger()) return;
  Range where = b->opRange.valid() ? b->opRange : b->range;
  diags.report(diag::string_plus_int, where)
      .also(text->range)
      .also(number->range)
      .note(where, "write `&\"..\"[n]` if that is meant");
}

// ---- layout -------------------------------------------------------------------------------------------------------

// The statement that another one ends with.
static const Stmt *atTheEnd(const Stmt *s) {
  const Stmt *last = nullptr;
  eachChild(s, Walk::Evaluated, [&](const auto *child) {
    if constexpr (std::is_convertible_v<decltype(child), const Stmt *>) last = child;
    else last = nullptr;
  });
  return last;
}

// `while (a);` and then a block, or a statement that looks as if the loop held for it.
static void emptyLoop(DiagnosticEngine &diags, const Stmt *s, const Stmt *next) {
  if (s->kind != StmtKind::While && s->kind != StmtKind::For) return;
  if (s->kind == StmtKind::For && s->as<ForStmt>()->isParallel) return;  // has a warning of its own
  const Stmt *body = s->kind == StmtKind::While ? s->as<WhileStmt>()->body : s->as<ForStmt>()->body;
  if (!body || body->kind != StmtKind::Null || !body->attrs.empty() || !body->range.valid() || !next->range.valid())
    return;
  if (next->kind == StmtKind::Null || next->kind == StmtKind::Label || next->kind == StmtKind::Case ||
      next->kind == StmtKind::Default)
    return;
  if (!emptyBodyLooksWrong(diags.sources(), s->range.begin, body->range.begin, next->range.begin,
          next->kind == StmtKind::Compound))
    return;
  const char *word = s->kind == StmtKind::While ? "while" : "for";
  diags.report(diag::empty_loop_body, body->range)
          .note(next->range, "this is not repeated; put the ';' on a line of its own if that is meant")
      << word;
}

// `if (a) b;` and below it, in the column of b on a line of its own, another statement.
void Warnings::warnIndentation(const CompoundStmt *c) {
  if (c->body.size() < 2) return;
  if (diags.wants(diag::empty_loop_body))
    for (size_t i = 0; i + 1 < c->body.size(); i++) emptyLoop(diags, c->body[i], c->body[i + 1]);
  if (!diags.wants(diag::misleading_indentation)) return;
  const SourceManager &sm = diags.sources();
  for (size_t i = 0; i + 1 < c->body.size(); i++) {
    const Stmt *s = c->body[i], *next = c->body[i + 1], *body = nullptr;
    std::string word;
    Loc guard = s->range.begin;
    if (s->kind == StmtKind::If) {
      const auto *f = s->as<IfStmt>();
      while (f->otherwise && f->otherwise->kind == StmtKind::If) f = f->otherwise->as<IfStmt>();
      body = f->otherwise ? f->otherwise : f->then;
      word = f->otherwise ? "else" : "if";
      guard = (f->otherwise && f->elseWord.valid() ? f->elseWord : f->range).begin;
    } else if (has(s->kind, Trait::Loop)) {
      body = atTheEnd(s);
      word = name(s->kind);
      word[0] = static_cast<char>(std::tolower(word[0]));
    }
    if (!body || body->kind == StmtKind::Compound || next->kind == StmtKind::Null || next->kind == StmtKind::Label ||
        next->kind == StmtKind::Case || next->kind == StmtKind::Default)
      continue;
    if (!s->range.valid() || !body->range.valid() || !next->range.valid() || sm.inSystemHeader(s->range.begin))
      continue;
    if (looksGuarded(sm, guard, body->range.begin, body->kind == StmtKind::Null, next->range.begin))
      diags.report(diag::misleading_indentation, guard).note(next->range, "this statement is not guarded") << word;
  }
}

}  // namespace cilkc
