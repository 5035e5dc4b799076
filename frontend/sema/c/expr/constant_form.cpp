// constant_form.cpp - what ISO C has against a constant expression whose value is known: overflow, a shift out of
// range, a comma, and in C90 also side effects in an operand that is not evaluated (C17 6.6p3-4). All of it is for
// -pedantic.
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/sema.h"
#include "diag/sema_expr.h"

namespace cilkc {

namespace {

// Is there a comma operator that is evaluated? In C90 (`old`) an operand that is not evaluated counts as well, and so
// do assignments and calls there.
struct FormWalker {
  const Sema &s;
  bool old;
  int depth = 0;

  std::optional<bool> known(const Expr *e) const {
    if (!e->type || !e->type->isInteger()) return {};
    auto v = s.conv.knownInteger(e);
    if (!v) return {};
    return *v != 0;
  }
  bool skipped(const Expr *e) { return old && bad(e, true); }

  bool bad(const Expr *e, bool dead) {
    if (++depth > 500) return --depth, false;
    bool r = walk(e, dead);
    --depth;
    return r;
  }

  bool walk(const Expr *e, bool dead) {
    while (e) switch (e->kind) {
        case ExprKind::Paren: e = e->as<ParenExpr>()->sub; continue;
        case ExprKind::ImplicitCast: e = e->as<ImplicitCast>()->sub; continue;
        case ExprKind::Cast: e = e->as<Cast>()->sub; continue;
        case ExprKind::Generic: e = e->as<Generic>()->chosen; continue;
        case ExprKind::ChooseExpr: e = e->as<ChooseExpr>()->chosen; continue;
        case ExprKind::Member: e = e->as<Member>()->base; continue;
        case ExprKind::Assign: return true;
        case ExprKind::Call: return dead;
        case ExprKind::Index:
          if (bad(e->as<Index>()->index, dead)) return true;
          e = e->as<Index>()->base;
          continue;
        case ExprKind::Unary: {
          UnaryOp op = e->as<Unary>()->op;
          if (isIncDec(op)) return true;
          e = e->as<Unary>()->sub;
          continue;
        }
        case ExprKind::Binary: {
          const auto *b = e->as<Binary>();
          if (b->op == BinaryOp::Comma) return true;
          bool rightDead = dead;
          if (isLogical(b->op))
            if (auto l = known(b->lhs); l && *l == (b->op == BinaryOp::LogOr)) rightDead = true;
          if (rightDead && !dead ? skipped(b->rhs) : bad(b->rhs, dead)) return true;
          e = b->lhs;
          continue;
        }
        case ExprKind::Conditional: {
          const auto *c = e->as<Conditional>();
          if (bad(c->cond, dead)) return true;
          auto v = known(c->cond);
          if (c->then && (v && !*v && !dead ? skipped(c->then) : bad(c->then, dead))) return true;
          if (v && *v && !dead) return skipped(c->otherwise);
          e = c->otherwise;
          continue;
        }
        default: return otherKinds<34>(false);
      }
    return false;
  }
};

}  // namespace

void Conversions::checkConstantForm(const Expr *e, bool integerConstant, const char *what) {
  if (!cx.lang.pedantic) return;
  EvalTrouble trouble;
  (void)evaluate(e, cx, integerConstant ? EvalMode::IntegerConstant : EvalMode::Static, trouble);
  if (trouble == EvalTrouble::Overflow) diags.report(diag::pedantic_constant_overflow, e->range);
  else if (trouble != EvalTrouble::None) diags.report(diag::pedantic_not_constant_expression, e->range) << what;
  else if (!integerConstant || cx.lang.std < LangOptions::C99) {
    FormWalker w{sema, cx.lang.std < LangOptions::C99};
    if (w.bad(e, false)) diags.report(diag::pedantic_not_constant_expression, e->range) << what;
  }
}

}  // namespace cilkc
