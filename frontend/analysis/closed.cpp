// closed.cpp - see closed.h.
#include "frontend/analysis/closed.h"
#include <optional>
#include "frontend/ast/query.h"
#include "frontend/consteval/consteval.h"

namespace cilkc::analysis {
namespace {

// The constant that a test comes to; nothing if it is not known.
std::optional<bool> outcome(const Expr *e, const AstContext &cx) {
  e = ignoreParens(e);
  if (!e->type) return {};
  if (ignoreParensAndImplicit(e)->kind == ExprKind::StringLit) return true;          // assert(!"cannot happen")
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Not) {
    auto v = outcome(e->as<Unary>()->sub, cx);
    return v ? std::optional(!*v) : v;
  }
  if (e->kind == ExprKind::Binary && isLogical(e->as<Binary>()->op)) {  // one side decides: 1 || x, x && 0
    bool decides = e->as<Binary>()->op == BinaryOp::LogOr;
    auto l = outcome(e->as<Binary>()->lhs, cx);
    if (l && *l == decides) return decides;
    auto r = outcome(e->as<Binary>()->rhs, cx);
    return r && (*r == decides || l) ? r : std::nullopt;
  }
  auto v = e->type->isInteger() || e->type->isPointer() ? evaluate(e, cx, EvalMode::Fold) : std::nullopt;
  if (!v || (v->kind != ConstValue::Int && v->kind != ConstValue::Address) || v->base || v->string || v->label)
    return {};
  return v->kind == ConstValue::Int ? v->i != 0 : v->offset != 0;
}

// The only way from a switch on a constant; -1 if it is not known.
int chosenWay(const Block &b, const AstContext &cx) {
  auto v = b.selector->type ? evaluate(b.selector, cx, EvalMode::Fold) : std::nullopt;
  if (!v || v->kind != ConstValue::Int) return -1;
  for (auto [label, block] : b.cases)
    if (label->lo <= v->i && v->i <= label->hi) return block;
  return b.otherwise;
}

// The successor to which the test at a block's end never leads; -1 where its outcome is not known, or both outcomes
// lead to one block.
int closedWay(const Block &b, const AstContext &cx) {
  if (b.whenTrue == b.whenFalse) return -1;
  std::optional<bool> known = outcome(b.condition, cx);
  return !known ? -1 : *known ? b.whenFalse : b.whenTrue;
}

}  // namespace

void closeWays(Cfg &cfg, const AstContext &cx) {
  for (Block &b : cfg.blocks) {
    if (b.ends) {
      b.next.clear();
      b.whenTrue = b.whenFalse = -1;
    } else if (b.selector) {
      if (int only = chosenWay(b, cx); only >= 0) b.next.assign(1, only);
    } else if (b.condition) {
      int closed = closedWay(b, cx);
      if (closed < 0) continue;
      std::erase(b.next, closed);
      (closed == b.whenTrue ? b.whenTrue : b.whenFalse) = -1;
    }
  }
}

}  // namespace cilkc::analysis
