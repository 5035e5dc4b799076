// prefix.cpp - finds the leaf prefix of a procedure (plan.h): leading tests without side effects whose branches return,
// as in `if (n < 2) return n; else { … }`. Used to inline leaves at the place of a spawn. And finds how late the
// closure may be taken: before its objects are needed, everything may happen that a leaf does.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/plan/build.h"
#include "frontend/builtins/builtins.h"
#include "frontend/consteval/consteval.h"

namespace cilkc::planning {
namespace {

class Prefix {
public:
  explicit Prefix(Work &w) : w(w), plan(w.plan) {}

  void run() {
    plan.cheap = cheapStmt(plan.fn->def->body);
    if (!plan.fn->labels.empty()) return;  // a goto may come back to before the cut
    for (auto *p : plan.fn->params)
      if (plan.home(p) == VarHome::Closure) return;
    findTake();
    plan.leafCheap = true;
    const Stmt *cut = sequence(plan.fn->def->body);
    if (cut && cut != plan.fn->def->body) plan.cut = cut;
    if (!plan.cut) plan.leafReturns = plan.leafCheap = false;
  }

private:
  Work &w;
  ClonePlan &plan;

  void findTake() {
    const Stmt *take = late(plan.fn->def->body);
    if (take != plan.fn->def->body) plan.take = take;
  }

  // What evaluating an expression does. Pure: nothing but reading objects that are not volatile. Touches: what is in
  // the closure.
  struct Look {
    const ClonePlan *plan;
    bool pure = true, touches = false, calls = false;
    void on(const Call &c) {
      pure = false;
      calls = true;
      touches |= allocatesOnFrame(c.builtin);
    }
    void on(const Assign &) { pure = false; }
    void on(const VaArg &) { pure = false; }
    void on(const ErrorExpr &) { pure = false; }
    // They may compute the sizes of a type, which are in the closure.
    void on(const SizeofType &e) { touches |= isVariablyModified(e.target->type.type); }
    void on(const Cast &e) { touches |= isVariablyModified(e.type.type); }
    void on(const StmtExpr &) { all(); }
    void on(const LabelAddr &) { all(); }
    void on(const CompoundLit &) { all(); }
    void on(const Unary &u) {
      if (isIncDec(u.op)) pure = false;
    }
    void on(const Ident &i) {
      if (!i.decl || i.decl->kind != DeclKind::Var) return;
      if (i.decl->type.isVolatile()) pure = false;
      if (plan->home(i.decl->as<VarDecl>()) == VarHome::Closure) touches = true;
    }
    template <class N> void on(const N &e) {
      if (e.type && e.type.isVolatile()) pure = false;
    }  // lvalues; others only have operands
    void all() { pure = false, touches = calls = true; }
  };
  Look look(const Expr *e) const {
    Look l{&plan};
    eachExpr(e, Walk::Evaluated, [&](const Expr *x) { dispatch(l, x); });
    return l;
  }

  bool declares(const Stmt *s) const {  // a declaration that may precede the cut
    auto *d = s->as<DeclStmt>()->decl;
    if (!d) return true;
    for (auto &id : d->declarators) {
      if (!id.decl || id.decl->kind != DeclKind::Var) {
        if (id.decl && isVariablyModified(id.decl->type.type)) return false;
        continue;
      }
      auto *v = id.decl->as<VarDecl>();
      if (!v->isLocal) continue;
      if (plan.home(v) == VarHome::Closure || v->attrs.cleanup || isVariablyModified(v->type.type)) return false;
      if (!v->init) continue;
      if (!v->init->expr) return false;
      Look l = look(v->init->expr);
      if (!l.pure || l.touches) return false;
    }
    return true;
  }

  // Does every path through s return, with no spawn or sync and no object of the closure? Notes loops and calls.
  bool returns(const Stmt *s) { return s && !containsCilkPoint(s) && leafStmt(s) && alwaysReturns(s); }
  static bool alwaysReturns(const Stmt *s) {
    if (!s) return false;
    switch (s->kind) {
      case StmtKind::Return: return true;
      case StmtKind::Compound:
        return !s->as<CompoundStmt>()->body.empty() && alwaysReturns(s->as<CompoundStmt>()->body.back());
      case StmtKind::If:
        return s->as<IfStmt>()->otherwise && alwaysReturns(s->as<IfStmt>()->then) &&
               alwaysReturns(s->as<IfStmt>()->otherwise);
      default: return false;
    }
  }
  bool leafExpr(const Expr *e) {
    Look l = look(e);
    if (l.calls) plan.leafCheap = false;
    return !l.touches;
  }
  bool leafStmt(const Stmt *s) {
    if (!has(s->kind, Trait::Leaf)) return false;
    if (has(s->kind, Trait::Loop)) plan.leafCheap = false;
    if (s->kind == StmtKind::Decl && !leafDecl(s->as<DeclStmt>()->decl)) return false;
    bool leaf = true;
    eachChild(s, Walk::Evaluated, [&](const auto *child) { leaf = leaf && leafPart(child); });
    return leaf;
  }
  bool leafDecl(const Declaration *d) {
    if (d)
      for (auto &id : d->declarators) {
        if (!id.decl || id.decl->kind != DeclKind::Var) return false;
        auto *v = id.decl->as<VarDecl>();
        if (plan.home(v) == VarHome::Closure || v->attrs.cleanup || isVariablyModified(v->type.type)) return false;
        if (v->init && v->init->list) plan.leafCheap = false;
      }
    return true;
  }
  bool leafPart(const Expr *e) { return leafExpr(e); }
  bool leafPart(const Stmt *s) { return leafStmt(s); }
  bool leafPart(const FunctionDef *) { return true; }
  bool leafPart(const Declaration *d) {
    bool leaf = true;
    eachChild(d, Walk::Evaluated, [&](const auto *child) { leaf = leaf && leafPart(child); });
    return leaf;
  }
  template <class N> bool leafPart(const N *) { return true; }

  // The cut inside s; null when s ends without one (then the caller goes on after it).
  const Stmt *sequence(const Stmt *s) {
    switch (s->kind) {
      case StmtKind::Compound:
        for (auto *c : s->as<CompoundStmt>()->body)
          if (const Stmt *cut = sequence(c)) return cut;
        return nullptr;
      case StmtKind::Null:
      case StmtKind::Function: return nullptr;  // an inlet: its body counts where it is called
      case StmtKind::Decl: return declares(s) ? nullptr : s;
      case StmtKind::If: {
        auto *i = s->as<IfStmt>();
        Look l = look(i->cond);
        if (!l.pure || l.touches) return s;
        // No clone has code for a branch that is never taken: there must be no cut in it.
        if (auto k = evaluate(i->cond, w.context, EvalMode::Fold); k && k->kind == ConstValue::Int && k->i) return s;
        bool cheapBefore = plan.leafCheap;
        if (returns(i->then)) {
          plan.leafReturns = true;
          return i->otherwise ? sequence(i->otherwise) : nullptr;
        }
        if (i->otherwise && returns(i->otherwise) && containsCilkPoint(i->then)) {
          plan.leafReturns = true;
          return sequence(i->then);
        }
        plan.leafCheap = cheapBefore;
        return s;
      }
      default: return s;
    }
  }

  // The statement in s before which the closure is taken; null when s needs none.
  const Stmt *late(const Stmt *s) {
    if (s->kind == StmtKind::Compound) {
      for (auto *c : s->as<CompoundStmt>()->body)
        if (const Stmt *take = late(c)) return take;
      return nullptr;
    }
    if (s->kind == StmtKind::Function) return nullptr;
    if (auto *i = s->kind == StmtKind::If ? s->as<IfStmt>() : nullptr;
        i && i->otherwise && !constant(i->cond) && leafExpr(i->cond)) {
      if (alwaysReturns(i->then) && passes(i->then)) return late(i->otherwise);
      if (alwaysReturns(i->otherwise) && passes(i->otherwise)) return late(i->then);
    }
    return !alwaysReturns(s) && passes(s) ? nullptr : s;
  }
  // No spawn or sync, and no object of the closure.
  bool passes(const Stmt *s) {
    if (containsCilkPoint(s) || !leafStmt(s)) return false;
    eachNode(s, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) w.beforeTake.insert(node);
    });
    return true;
  }
  bool constant(const Expr *e) const {
    auto k = evaluate(e, w.context, EvalMode::Fold);
    return k && k->kind == ConstValue::Int;
  }

  // Neither loops nor calls but spawns.
  static bool cheapStmt(const Stmt *s) {
    if (s->kind == StmtKind::Spawn)
      return !s->as<SpawnStmt>()->inlet ||
             (s->as<SpawnStmt>()->inlet->def && cheapStmt(s->as<SpawnStmt>()->inlet->def->body));
    if (!has(s->kind, Trait::Brief)) return false;
    bool cheap = true;
    eachChild(s, Walk::Evaluated, [&](const auto *child) { cheap = cheap && cheapPart(child); });
    return cheap;
  }
  static bool cheapPart(const Expr *e) {
    return !anyExpr(e, Walk::Evaluated, [](const Expr *x) {
      return (x->kind == ExprKind::Call && !x->as<Call>()->builtin) || x->kind == ExprKind::StmtExpr;
    });
  }
  static bool cheapPart(const Stmt *s) { return cheapStmt(s); }
  static bool cheapPart(const FunctionDef *) { return true; }
  static bool cheapPart(const InitList *) { return false; }
  template <class N> static bool cheapPart(const N *n) {
    bool cheap = true;
    eachChild(n, Walk::Evaluated, [&](const auto *child) { cheap = cheap && cheapPart(child); });
    return cheap;
  }
};

}  // namespace

void prefix(Work &w) {
  // else each instance has its frame, and with it its closure, from its begin on
  if (!w.plan.fn->pedigree) Prefix(w).run();
}

}  // namespace cilkc::planning
