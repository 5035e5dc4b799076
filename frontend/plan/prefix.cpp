// prefix.cpp - finds the leaf prefix of a procedure (plan.h), to inline leaves at the place of a spawn: leading tests
// without side effects that decide whether control comes to a spawn, as in `if (n < 2) return n;`, in
// `if (n > 1) { .. spawns .. } return 1;` and in a `switch`. Where work comes before such a test, the test alone is
// asked first, if its value is known from the parameters.
//
// And finds how late the closure may be taken: before its objects are needed, everything may happen that a leaf does.
#include <algorithm>
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
    if (plan.fn->isLoop) return ofLoop(plan.fn->def->body->body);
    plan.leafCheap = true;
    const Stmt *cut = sequence(plan.fn->def->body);
    if (cut && cut != plan.fn->def->body) plan.cut = cut;
    if (plan.cut && !plan.leafReturns) afterWork(plan.fn->def->body->body);
    if (!plan.cut) plan.leafReturns = plan.leafCheap = false;
  }

private:
  Work &w;
  ClonePlan &plan;

  // Its iterations come first, while no thief wants a part of them, and then what divides the rest.
  void ofLoop(const std::vector<Stmt *> &body) {
    if (containsCilkPoint(body[0]) || !leafStmt(body[0])) return;
    plan.cut = body[1]->as<IfStmt>()->then;
    plan.leafReturns = true;
    if (!plan.fn->inPieces) return;
    plan.leafTest = body[0]->as<IfStmt>()->cond->as<Binary>()->lhs;  // there is but one piece
    plan.leafWhen = plan.leafCheap = true;
  }
  struct Place {
    const std::vector<Stmt *> *in;
    size_t at;
  };
  std::vector<Place> around;  // of the statement that sequence() looks at

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
      case StmtKind::Case:
      case StmtKind::Default: return alwaysReturns(labelled(s));
      default: return false;
    }
  }
  static const Stmt *labelled(const Stmt *s) {
    for (;; s = s->kind == StmtKind::Case ? s->as<CaseStmt>()->sub : s->as<DefaultStmt>()->sub)
      if (s->kind != StmtKind::Case && s->kind != StmtKind::Default) return s;
  }
  // What a leaf may do behind the branch that it does not take.
  bool leafBehind(const Stmt *s) { return s->kind == StmtKind::Sync || (!containsCilkPoint(s) && leafStmt(s)); }
  bool leafBehind(Place p) {
    for (size_t k = p.at + 1; k < p.in->size(); k++)
      if (!leafBehind((*p.in)[k])) return false;
    return true;
  }
  bool restIsLeaf() {
    return std::all_of(around.begin(), around.end(), [&](Place p) { return leafBehind(p); });
  }
  // The branch of an `if` that has all that is spawned from there on; null: there is none.
  const Stmt *spawningBranch(const IfStmt *i) {
    bool here = containsCilkPoint(i->then);
    const Stmt *other = here ? i->otherwise : i->then;
    if ((!here && !(i->otherwise && containsCilkPoint(i->otherwise))) || (other && !leafBehind(other))) return nullptr;
    return here ? i->then : i->otherwise;
  }

  // switch (n) { case 0: return 1; default: .. spawns .. }: the labels of what spawns are together, and control comes
  // to it by them alone.
  const Stmt *spawningCase(const SwitchStmt *s) {
    if (!s->body || s->body->kind != StmtKind::Compound) return nullptr;
    const auto &items = s->body->as<CompoundStmt>()->body;
    size_t first = items.size(), last = 0;
    for (size_t k = 0; k < items.size(); k++)
      if (containsCilkPoint(items[k])) {
        first = std::min(first, k);
        last = k;
      } else if (!leafStmt(items[k])) return nullptr;
    if (first == items.size() || labelled(items[first]) == items[first]) return nullptr;
    for (size_t k = first + 1; k <= last; k++)
      if (labelled(items[k]) != items[k]) return nullptr;
    if (first && labelled(items[first - 1])->kind != StmtKind::Break && !alwaysReturns(items[first - 1]))
      return nullptr;
    return labelled(items[first]);
  }
  // switch (n) { case 0: return 0; case 1: return 1; }: other values of n go on behind it.
  bool returnsSometimes(const SwitchStmt *s) {
    bool breaks = false;
    eachNode(s->body, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) breaks |= node->kind == StmtKind::Break;
    });
    const auto *body = s->body && s->body->kind == StmtKind::Compound ? s->body->as<CompoundStmt>() : nullptr;
    return body && !breaks && !s->def && alwaysReturns(body) && !containsCilkPoint(body) && leafStmt(body);
  }

  // Work that is not done twice comes before the test. Its value must not depend on the work.
  void afterWork(const std::vector<Stmt *> &body) {
    plan.leafCheap = true;
    for (size_t k = 0; k < body.size(); k++) {
      const auto *i = body[k]->kind == StmtKind::If ? body[k]->as<IfStmt>() : nullptr;
      if (!i || !containsCilkPoint(i)) {
        if (!leafBehind(body[k])) return;
        continue;
      }
      if (!ofParameters(i->cond) || constant(i->cond)) return;
      const Stmt *branch = spawningBranch(i);
      if (!branch || !leafBehind(Place{&body, k})) return;
      plan.cut = branch;
      plan.leafTest = i->cond;
      plan.leafWhen = branch == i->otherwise;
      plan.leafReturns = true;
      return;
    }
  }
  bool ofParameters(const Expr *e) const {
    return !anyExpr(e, Walk::Evaluated, [&](const Expr *x) {
      switch (x->kind) {
        case ExprKind::Ident: {
          const Decl *d = x->as<Ident>()->decl;
          const auto *v = d && d->kind == DeclKind::Var ? d->as<VarDecl>() : nullptr;
          return (d && d->kind == DeclKind::Function) ||
                 (v && (!v->isParam || v->assigned || v->addressTaken || v->type.isVolatile()));
        }
        case ExprKind::Unary: return x->as<Unary>()->op == UnaryOp::Deref || isIncDec(x->as<Unary>()->op);
        case ExprKind::Binary: return false;
        case ExprKind::Paren:
        case ExprKind::ImplicitCast:
        case ExprKind::IntLit:
        case ExprKind::Cast: return isVariablyModified(x->type.type);
        default: return otherKinds<34>(true);
      }
    });
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
      case StmtKind::Compound: {
        const auto &body = s->as<CompoundStmt>()->body;
        around.push_back({&body, 0});
        const Stmt *cut = nullptr;
        for (size_t k = 0; k < body.size() && !cut; k++) {
          around.back().at = k;
          cut = sequence(body[k]);
        }
        around.pop_back();
        return cut;
      }
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
        if (const Stmt *branch = spawningBranch(i); branch && restIsLeaf()) {
          plan.leafReturns = true;
          return branch;
        }
        plan.leafCheap = cheapBefore;
        return s;
      }
      case StmtKind::Switch: {
        auto *i = s->as<SwitchStmt>();
        Look value = look(i->cond);
        if (!value.pure || value.touches || constant(i->cond)) return s;
        bool cheapBefore = plan.leafCheap;
        const Stmt *cut = spawningCase(i);
        bool goesOn = !cut && returnsSometimes(i);
        if (goesOn || (cut && restIsLeaf())) {
          plan.leafReturns = true;
          return cut;
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
