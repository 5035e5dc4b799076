// homes.cpp - where each local of a procedure lives. Scratch: no spawn or sync in its scope. A variable whose address
// may be live across a spawn must not move. The others are registers; they differ in whether deliveries write
// them.
#include <unordered_set>
#include "frontend/ast/visit.h"
#include "frontend/flow/cfg.h"
#include "frontend/plan/build.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::planning {

namespace {

// Finds the variables with a spawn or sync in their scope, and whether the procedure allocates dynamically.
class Scopes {
public:
  std::unordered_map<const VarDecl *, bool> crosses;   // declared in a scope with a Cilk point
  bool dynamic = false;

  bool stmt(const Stmt *s) { return s && dispatch(*this, s); }   // does it contain a Cilk point?

  bool on(const CompoundStmt &s) {
    size_t mark = open.size();
    bool point = false;
    for (auto *c : s.body) point |= stmt(c);
    close(mark, point);
    return point;
  }
  bool on(const DeclStmt &s) {
    if (s.decl)
      for (auto &id : s.decl->declarators)
        if (id.decl && id.decl->kind == DeclKind::Var) {
          open.push_back(id.decl->as<VarDecl>());
          if (const Initializer *init = id.decl->as<VarDecl>()->init)
            eachChild(init, Walk::Evaluated, [this](const auto *child) { part(child); });
        }
    return false;
  }
  bool on(const IfStmt &s) {
    bool point = false;
    const Stmt *at = &s;
    while (at && at->kind == StmtKind::If) {
      part(at->as<IfStmt>()->cond);
      point |= stmt(at->as<IfStmt>()->then);
      at = at->as<IfStmt>()->otherwise;
    }
    return stmt(at) || point;
  }
  bool on(const ForStmt &f) {
    size_t mark = open.size();
    stmt(f.init);
    part(f.cond);
    part(f.step);
    bool point = stmt(f.body);
    close(mark, point);
    return point;
  }
  bool on(const SpawnStmt &s) {
    eachChild(static_cast<const Stmt *>(&s), Walk::Evaluated, [&](const auto *child) { part(child); });
    return true;
  }
  bool on(const TouchStmt &s) {
    part(static_cast<const Expr *>(s.future));
    return true;
  }
  bool on(const SyncStmt &) { return true; }
  // All others open no scope.
  template <class N> bool on(const N &s) {
    bool point = false;
    eachChild(static_cast<const Stmt *>(&s), Walk::Evaluated, [&](const auto *child) { point |= part(child); });
    return point;
  }

private:
  std::vector<const VarDecl *> open;
  void close(size_t mark, bool point) {
    for (size_t i = mark; i < open.size(); i++) crosses[open[i]] = point;
    open.resize(mark);
  }
  bool part(const FunctionDef *) { return false; }
  template <class N> std::enable_if_t<std::is_base_of_v<Stmt, N>, bool> part(const N *s) { return stmt(s); }
  template <class N> std::enable_if_t<!std::is_base_of_v<Stmt, N>, bool> part(const N *n) {
    eachExpr(n, Walk::Evaluated, [this](const Expr *e) {              // no expression contains a point
      if (e->kind == ExprKind::CompoundLit && e->as<CompoundLit>()->object)
        open.push_back(e->as<CompoundLit>()->object);
      if (e->kind == ExprKind::Call && allocatesOnFrame(e->as<Call>()->builtin)) dynamic = true;
      if (e->kind != ExprKind::StmtExpr) return true;
      stmt(e->as<StmtExpr>()->body);
      return false;
    });
    return false;
  }
};

}  // namespace

void homes(Work &w) {
  ClonePlan &plan = w.plan;
  const FunctionDecl *fn = plan.fn;
  Scopes scopes;
  bool points = scopes.stmt(w.def->body);
  std::unordered_set<const VarDecl *> sizes;           // hidden size variables of variably modified types
  for (auto *list : {&fn->params, &fn->locals})
    for (auto *v : *list)
      for (const Type *t = v->type.type; t;) {
        if (t->isArray()) {
          if (auto *size = t->as<ArrayType>()->sizeVar) sizes.insert(size);
          t = t->as<ArrayType>()->elem.type;
        } else if (t->isPointer()) t = t->as<PointerType>()->pointee.type;
        else if (t->isFunction()) t = t->as<FunctionType>()->result.type;
        else break;
      }
  auto homeOf = [&](const VarDecl *v) {
    auto it = v->isParam ? scopes.crosses.end() : scopes.crosses.find(v);
    if (it == scopes.crosses.end() ? !points : !it->second) return VarHome::Scratch;
    if (w.constants.count(v)) return VarHome::Scratch;
    if (v->addressTaken || v->type.isVolatile() || v->type.isAtomic() || v->type->isArray() ||
        hasVariableSize(v->type.type) || v->attrs.cleanup || v->crossesNested || sizes.count(v) ||
        (v->attrs.align > 16 && !v->type->isScalar()))
      return VarHome::Closure;
    // only what is there from the start has red zones; a member that is an array may be overrun
    if (w.options.redZones && (v->isReceiver || v->inletTouches) && !v->type->isScalar()) return VarHome::Closure;
    return v->isReceiver || v->inletTouches ? VarHome::Delivered : VarHome::Register;
  };
  plan.residents = scopes.dynamic;
  for (auto *list : {&fn->params, &fn->locals})
    for (auto *v : *list) {
      if (plan.homes.count(v)) continue;
      VarHome h = plan.homes[v] = homeOf(v);
      if (h == VarHome::Closure) plan.residents = true;
      if (h == VarHome::Register || h == VarHome::Delivered) w.movable.push_back(v);
    }
}

}  // namespace cilkc::planning
