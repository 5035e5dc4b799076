// expr.cpp - warnings about one full expression: variables changed and used without a sequence point between (C17
// 6.5p2), and self-assignment.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/core/sema.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

using Vars = std::vector<const Decl *>;

const Decl *variable(const Expr *e) {
  e = ignoreParensAndImplicit(e);
  if (!e || e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var)
    return nullptr;
  return e->as<Ident>()->decl;
}
// What evaluating an expression changes and reads with nothing that orders it against its surroundings. late: the
// changes that may still come when the value is known, so that even the store of an enclosing assignment is not ordered
// after them.
struct Effects {
  Vars changed, read, late;
};

class Sequencer {
public:
  explicit Sequencer(Sema &sema) : s(sema) {}

  // Is there anything to check? Gives up on large expressions, whose sets would grow.
  bool worth(const Expr *e) {
    count(e);
    return changing > 0 && nodes < 3000;
  }

  Effects walk(const Expr *e) {
    if (!e) return {};
    switch (e->kind) {
      case ExprKind::Paren: return walk(e->as<ParenExpr>()->sub);
      case ExprKind::ImplicitCast: return walk(e->as<ImplicitCast>()->sub);
      case ExprKind::Cast: return walk(e->as<Cast>()->sub);
      case ExprKind::Ident: {
        Effects r;
        if (const Decl *v = variable(e)) r.read.push_back(v);
        return r;
      }
      case ExprKind::Unary: {
        const auto *u = e->as<Unary>();
        if (u->op == UnaryOp::AddrOf) {
          Effects r = walk(u->sub);
          if (const Decl *v = variable(u->sub)) std::erase(r.read, v);
          return r;
        }
        if (!isIncDec(u->op)) return walk(u->sub);
        if (const Decl *v = variable(u->sub)) {
          Effects r;
          r.changed.push_back(v);
          r.late.push_back(v);
          return r;
        }
        return walk(u->sub);
      }
      case ExprKind::Binary: {
        const auto *b = e->as<Binary>();
        Effects l = walk(b->lhs), r = walk(b->rhs);
        bool ordered = isLogical(b->op) || b->op == BinaryOp::Comma;
        if (!ordered) clash(l, r, e);
        else l.late.clear();
        return join(std::move(l), r);
      }
      case ExprKind::Conditional: {
        const auto *c = e->as<Conditional>();
        Effects r = walk(c->cond);
        r.late.clear();
        r = join(std::move(r), walk(c->then));
        return join(std::move(r), walk(c->otherwise));
      }
      case ExprKind::Assign: {
        const auto *a = e->as<Assign>();
        const Decl *v = variable(a->lhs);
        Effects l = v ? Effects{} : walk(a->lhs), r = walk(a->rhs);
        clash(l, r, e);
        // The store comes after both values, but not after the side effects among them.
        if (v && has(r.late, v)) report(v, e);
        Effects all = join(std::move(l), r);
        if (v) all.changed.push_back(v), all.late.push_back(v);
        return all;
      }
      case ExprKind::Call: {
        const auto *c = e->as<Call>();
        Effects all = walk(c->callee);
        for (const Expr *a : c->args) {
          Effects x = walk(a);
          clash(all, x, e);
          all = join(std::move(all), x);
        }
        all.late.clear();  // the arguments are done when the function is called
        return all;
      }
      case ExprKind::Member: return walk(e->as<Member>()->base);
      case ExprKind::Index: {
        Effects l = walk(e->as<Index>()->base), r = walk(e->as<Index>()->index);
        clash(l, r, e);
        return join(std::move(l), r);
      }
      default: otherKinds<34>(); return {};
    }
  }

private:
  Sema &s;
  int changing = 0, nodes = 0;
  Vars reported;

  static bool has(const Vars &v, const Decl *d) { return std::find(v.begin(), v.end(), d) != v.end(); }
  static Effects join(Effects a, const Effects &b) {
    a.changed.insert(a.changed.end(), b.changed.begin(), b.changed.end());
    a.read.insert(a.read.end(), b.read.begin(), b.read.end());
    a.late.insert(a.late.end(), b.late.begin(), b.late.end());
    return a;
  }
  void report(const Decl *v, const Expr *e) {
    if (has(reported, v)) return;
    reported.push_back(v);
    s.diags.report(diag::sequence_point, e->range) << v->name;
  }
  void clash(const Effects &a, const Effects &b, const Expr *e) {
    for (const Decl *v : a.changed)
      if (has(b.changed, v) || has(b.read, v)) report(v, e);
    for (const Decl *v : b.changed)
      if (has(a.read, v)) report(v, e);
  }
  void count(const Expr *e) {
    for (; e;) {
      if (++nodes > 3000) return;
      switch (e->kind) {
        case ExprKind::Paren: e = e->as<ParenExpr>()->sub; continue;
        case ExprKind::ImplicitCast: e = e->as<ImplicitCast>()->sub; continue;
        case ExprKind::Cast: e = e->as<Cast>()->sub; continue;
        case ExprKind::Unary:
          changing += isIncDec(e->as<Unary>()->op);
          e = e->as<Unary>()->sub;
          continue;
        case ExprKind::Binary:
          count(e->as<Binary>()->rhs);
          e = e->as<Binary>()->lhs;
          continue;
        case ExprKind::Conditional:
          count(e->as<Conditional>()->cond);
          count(e->as<Conditional>()->then);
          e = e->as<Conditional>()->otherwise;
          continue;
        case ExprKind::Assign:
          changing++;
          count(e->as<Assign>()->lhs);
          e = e->as<Assign>()->rhs;
          continue;
        case ExprKind::Call:
          for (const Expr *a : e->as<Call>()->args) count(a);
          return;
        case ExprKind::Member: e = e->as<Member>()->base; continue;
        case ExprKind::Index:
          count(e->as<Index>()->index);
          e = e->as<Index>()->base;
          continue;
        default: return otherKinds<34>();
      }
    }
  }
};

}  // namespace

void Warnings::checkFullExpression(const Expr *e) {
  if (!e || !e->type || e->type->isError()) return;
  if (e->kind == ExprKind::Assign && !e->as<Assign>()->compound) {
    const auto *a = e->as<Assign>();
    const Decl *l = variable(a->lhs);
    const Expr *r = a->rhs;
    while (r->kind == ExprKind::Paren ||
           (r->kind == ExprKind::ImplicitCast && r->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue))
      r = r->kind == ExprKind::Paren ? r->as<ParenExpr>()->sub : r->as<ImplicitCast>()->sub;
    auto inMacro = [&](Range x) { return x.valid() && diags.sources().resolve(x.begin).fromMacro; };
    if (l && r->kind == ExprKind::Ident && r->as<Ident>()->decl == l && !l->type.isVolatile() &&
        diags.wants(diag::self_assign) && !inMacro(r->range) && !inMacro(a->lhs->range) && !inMacro(a->opRange))
      diags.report(diag::self_assign, e->range) << l->name;
  }
  if (!diags.wants(diag::sequence_point)) return;
  Sequencer q(sema);
  if (q.worth(e)) q.walk(e);
}

}  // namespace cilkc
