// walk.cpp - see walk.h.
#include "frontend/flow/walk.h"

namespace cilkc {

const FunctionDecl *namedCallee(const Spawn *s) {
  const Expr *callee = s->call ? s->call->callee : nullptr;
  while (callee && callee->kind == ExprKind::ImplicitCast) callee = callee->as<ImplicitCast>()->sub;
  const Decl *d = callee && callee->kind == ExprKind::Ident ? callee->as<Ident>()->decl : nullptr;
  return d && d->kind == DeclKind::Function ? d->as<FunctionDecl>() : nullptr;
}

void walkExpr(const Expr *e, bool evaluatedOnly, void (*visit)(const Expr *, void *), void *cx) {
  auto go = [&](const Expr *x) { if (x) walkExpr(x, evaluatedOnly, visit, cx); };
  // Left spines are iterated.
  std::vector<const Expr *> rights;
  while (e && e->kind == ExprKind::Binary) {
    visit(e, cx);
    rights.push_back(e->as<Binary>()->rhs);
    e = e->as<Binary>()->lhs;
  }
  if (!rights.empty()) {
    go(e);
    for (auto it = rights.rbegin(); it != rights.rend(); ++it) go(*it);
    return;
  }
  if (!e) return;
  visit(e, cx);
  auto lists = [&](const InitList *l, auto &self) -> void {
    if (!l) return;
    if (l->plan) { for (auto &s : l->plan->stores) go(s.value); return; }
    for (auto &it : l->items) if (it.init) { go(it.init->expr); self(it.init->list, self); }
  };
  switch (e->kind) {
    case ExprKind::Paren: go(e->as<ParenExpr>()->sub); break;
    case ExprKind::Unary: go(e->as<Unary>()->sub); break;
    case ExprKind::Assign: go(e->as<Assign>()->lhs); go(e->as<Assign>()->rhs); break;
    case ExprKind::Conditional: go(e->as<Conditional>()->cond); go(e->as<Conditional>()->then); go(e->as<Conditional>()->otherwise); break;
    case ExprKind::Cast: go(e->as<Cast>()->sub); break;
    case ExprKind::ImplicitCast: go(e->as<ImplicitCast>()->sub); break;
    case ExprKind::CompoundLit: lists(e->as<CompoundLit>()->init, lists); break;
    case ExprKind::Call: go(e->as<Call>()->callee); for (auto *a : e->as<Call>()->args) go(a); break;
    case ExprKind::Member: go(e->as<Member>()->base); break;
    case ExprKind::Index: go(e->as<Index>()->base); go(e->as<Index>()->index); break;
    case ExprKind::SizeofExpr: case ExprKind::AlignofExpr: if (!evaluatedOnly) go(e->as<SizeofExpr>()->sub); break;
    case ExprKind::Generic:
      if (evaluatedOnly) go(e->as<Generic>()->chosen);
      else { go(e->as<Generic>()->control); for (auto &a : e->as<Generic>()->assocs) go(a.value); }
      break;
    case ExprKind::VaArg: go(e->as<VaArg>()->list); break;
    case ExprKind::Offsetof: for (auto &t : e->as<Offsetof>()->terms) go(t.second); break;
    case ExprKind::ChooseExpr:
      if (evaluatedOnly) go(e->as<ChooseExpr>()->chosen);
      else { go(e->as<ChooseExpr>()->cond); go(e->as<ChooseExpr>()->then); go(e->as<ChooseExpr>()->otherwise); }
      break;
    case ExprKind::Spawn:
      if (e->as<Spawn>()->call) go(e->as<Spawn>()->call); else go(e->as<Spawn>()->operand);
      break;
    default: break;
  }
}

}  // namespace cilkc
