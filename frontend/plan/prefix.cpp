// prefix.cpp - finds the leaf prefix of a procedure (procedure.h): leading tests without side effects whose branches return, as in
// `if (n < 2) return n; else { … }`. Used to take closures late and to inline leaves at the place of a spawn.
#include "frontend/plan/prefix.h"
#include "frontend/sema/builtins.h"

namespace cilkc {
namespace {

class Prefix {
public:
  explicit Prefix(ProcedureFlow &f) : flow(f) {}

  void run() {
    flow.cheap = cheapStmt(flow.def->body);
    if (!flow.def->fn->labels.empty()) return;       // a goto may come back to before the cut
    for (auto *p : flow.def->fn->params) if (flow.home(p) == VarHome::Closure) return;
    flow.leafCheap = true;
    const Stmt *cut = sequence(flow.def->body);
    if (cut && cut != flow.def->body) flow.cut = cut;
    if (!flow.cut) flow.leafReturns = flow.leafCheap = false;
  }

private:
  ProcedureFlow &flow;

  struct Look { const ProcedureFlow *flow; bool pure = true, touches = false, calls = false; };

  static void visit(const Expr *e, void *context) {
    auto &l = *static_cast<Look *>(context);
    switch (e->kind) {
      case ExprKind::Call: case ExprKind::Spawn: {
        l.pure = false;
        l.calls = true;
        if (e->kind == ExprKind::Call && e->as<Call>()->builtin)
          if (std::string_view(builtinInfo(static_cast<BuiltinId>(e->as<Call>()->builtin)).name).find("alloca") != std::string_view::npos) l.touches = true;
        break;
      }
      case ExprKind::Assign: case ExprKind::VaArg: case ExprKind::Error: l.pure = false; break;
      case ExprKind::StmtExpr: case ExprKind::LabelAddr: case ExprKind::CompoundLit: l.pure = false; l.touches = true; l.calls = true; break;
      case ExprKind::Unary: {
        auto op = e->as<Unary>()->op;
        if (op == UnaryOp::PreInc || op == UnaryOp::PreDec || op == UnaryOp::PostInc || op == UnaryOp::PostDec) l.pure = false;
        break;
      }
      case ExprKind::Ident: {
        const Decl *d = e->as<Ident>()->decl;
        if (d && d->kind == DeclKind::Var) {
          if (d->type.isVolatile()) l.pure = false;
          if (l.flow->home(d->as<VarDecl>()) == VarHome::Closure) l.touches = true;
        }
        break;
      }
      default:
        if (e->type && e->type.isVolatile()) l.pure = false;
        break;
    }
  }
  Look look(const Expr *e) const {
    Look l{&flow};
    walkExpr(e, true, visit, &l);
    return l;
  }

  bool declares(const Stmt *s) const {                // a declaration that may stand before the cut
    auto *d = s->as<DeclStmt>()->decl;
    if (!d) return true;
    for (auto &id : d->declarators) {
      if (!id.decl || id.decl->kind != DeclKind::Var) { if (id.decl && isVariablyModified(id.decl->type.type)) return false; continue; }
      auto *v = id.decl->as<VarDecl>();
      if (!v->isLocal) continue;
      if (flow.home(v) == VarHome::Closure || v->attrs.cleanup || isVariablyModified(v->type.type)) return false;
      if (!v->init) continue;
      if (!v->init->expr) return false;
      Look l = look(v->init->expr);
      if (!l.pure || l.touches) return false;
    }
    return true;
  }

  // Does every path through s return, with no spawn or sync and no object of the closure? Notes loops and calls.
  bool returns(const Stmt *s) {
    if (!s || containsCilkPoint(s)) return false;
    if (!leafStmt(s)) return false;
    return alwaysReturns(s);
  }
  static bool alwaysReturns(const Stmt *s) {
    if (!s) return false;
    switch (s->kind) {
      case StmtKind::Return: return true;
      case StmtKind::Compound: return !s->as<CompoundStmt>()->body.empty() && alwaysReturns(s->as<CompoundStmt>()->body.back());
      case StmtKind::If: return s->as<IfStmt>()->otherwise && alwaysReturns(s->as<IfStmt>()->then) && alwaysReturns(s->as<IfStmt>()->otherwise);
      default: return false;
    }
  }
  bool leafExpr(const Expr *e) {
    if (!e) return true;
    Look l = look(e);
    if (l.calls) flow.leafCheap = false;
    return !l.touches;
  }
  bool leafStmt(const Stmt *s) {
    if (!s) return true;
    switch (s->kind) {
      case StmtKind::Null: case StmtKind::Function: return true;
      case StmtKind::Return: return leafExpr(s->as<ReturnStmt>()->value);
      case StmtKind::Expr: return leafExpr(s->as<ExprStmt>()->expr);
      case StmtKind::Compound: for (auto *c : s->as<CompoundStmt>()->body) if (!leafStmt(c)) return false; return true;
      case StmtKind::If: return leafExpr(s->as<IfStmt>()->cond) && leafStmt(s->as<IfStmt>()->then) && leafStmt(s->as<IfStmt>()->otherwise);
      case StmtKind::For:
        flow.leafCheap = false;
        return leafStmt(s->as<ForStmt>()->init) && leafExpr(s->as<ForStmt>()->cond) && leafExpr(s->as<ForStmt>()->step) && leafStmt(s->as<ForStmt>()->body);
      case StmtKind::While: flow.leafCheap = false; return leafExpr(s->as<WhileStmt>()->cond) && leafStmt(s->as<WhileStmt>()->body);
      case StmtKind::Do: flow.leafCheap = false; return leafExpr(s->as<DoStmt>()->cond) && leafStmt(s->as<DoStmt>()->body);
      case StmtKind::Break: case StmtKind::Continue: return true;
      case StmtKind::Decl: {
        auto *d = s->as<DeclStmt>()->decl;
        if (!d) return true;
        for (auto &id : d->declarators) {
          if (!id.decl || id.decl->kind != DeclKind::Var) return false;
          auto *v = id.decl->as<VarDecl>();
          if (flow.home(v) == VarHome::Closure || v->attrs.cleanup || isVariablyModified(v->type.type)) return false;
          if (v->init && v->init->expr && !leafExpr(v->init->expr)) return false;
          if (v->init && v->init->list) flow.leafCheap = false;
        }
        return true;
      }
      default: return false;
    }
  }

  // The cut inside s; null when s ends without one (then the caller goes on behind it).
  const Stmt *sequence(const Stmt *s) {
    switch (s->kind) {
      case StmtKind::Compound:
        for (auto *c : s->as<CompoundStmt>()->body) if (const Stmt *cut = sequence(c)) return cut;
        return nullptr;
      case StmtKind::Null: case StmtKind::Function: return nullptr;    // an inlet: its body counts where it is called
      case StmtKind::Decl: return declares(s) ? nullptr : s;
      case StmtKind::If: {
        auto *i = s->as<IfStmt>();
        Look l = look(i->cond);
        if (!l.pure || l.touches) return s;
        bool cheapBefore = flow.leafCheap;
        if (returns(i->then)) {
          flow.leafReturns = true;
          return i->otherwise ? sequence(i->otherwise) : nullptr;
        }
        if (i->otherwise && returns(i->otherwise) && containsCilkPoint(i->then)) {
          flow.leafReturns = true;
          return sequence(i->then);
        }
        flow.leafCheap = cheapBefore;
        return s;
      }
      default: return s;
    }
  }

  bool cheapStmt(const Stmt *s) {
    if (!s) return true;
    auto ok = [&](const Expr *e) {
      if (!e) return true;
      struct Calls { bool any = false; } c;
      walkExpr(e, true, [](const Expr *x, void *p) {
        if ((x->kind == ExprKind::Call && !x->as<Call>()->builtin) || x->kind == ExprKind::StmtExpr) static_cast<Calls *>(p)->any = true;
      }, &c);
      return !c.any;
    };
    switch (s->kind) {
      case StmtKind::Expr: {
        const Expr *e = s->as<ExprStmt>()->expr;
        if (e && e->kind == ExprKind::Call && e->as<Call>()->inlet) return e->as<Call>()->inlet->def && cheapStmt(e->as<Call>()->inlet->def->body);
        return containsCilkPoint(s) || ok(e);
      }
      case StmtKind::Return: return ok(s->as<ReturnStmt>()->value);
      case StmtKind::Compound: for (auto *c : s->as<CompoundStmt>()->body) if (!cheapStmt(c)) return false; return true;
      case StmtKind::If: return ok(s->as<IfStmt>()->cond) && cheapStmt(s->as<IfStmt>()->then) && cheapStmt(s->as<IfStmt>()->otherwise);
      case StmtKind::Switch: return ok(s->as<SwitchStmt>()->cond) && cheapStmt(s->as<SwitchStmt>()->body);
      case StmtKind::Case: return cheapStmt(s->as<CaseStmt>()->sub);
      case StmtKind::Default: return cheapStmt(s->as<DefaultStmt>()->sub);
      case StmtKind::Null: case StmtKind::Function: case StmtKind::Sync: case StmtKind::Abort: case StmtKind::Break: return true;
      case StmtKind::Decl: {
        auto *d = s->as<DeclStmt>()->decl;
        if (!d) return true;
        for (auto &id : d->declarators)
          if (id.decl && id.decl->kind == DeclKind::Var && id.decl->as<VarDecl>()->init) {
            auto *init = id.decl->as<VarDecl>()->init;
            if (init->list || !ok(init->expr)) return false;
          }
        return true;
      }
      default: return false;
    }
  }
};

}  // namespace

void findLeafPrefix(ProcedureFlow &flow) { Prefix(flow).run(); }

}  // namespace cilkc
