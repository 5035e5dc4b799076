// parts.cpp - where a procedure with very many entry points is cut into parts (ClonePlan::parts).
//
// The optimiser's and the back end's work on one function grows faster than the function, and what they remember of it is many times its text. So the statements at
// the top of the body are taken together until they hold about as many entry points as make a procedure large. Any place between two of them will do for a cut,
// because what several parts name is in the closure. Nothing else may reach from one part into another: no labels, no blocks of dynamic memory,
// nothing to clean up where the body ends.
#include <algorithm>
#include "frontend/ast/visit.h"
#include "frontend/plan/build.h"

namespace cilkc::planning {

namespace {

constexpr size_t kStatements = 8;  // of a part at most, for each of its entry points at most

bool divisible(const FunctionDecl *fn) {
  if (!fn->labels.empty() || fn->usesVla || fn->callsSetjmp || fn->usesFrameAddress) return false;
  return std::none_of(fn->locals.begin(), fn->locals.end(), [](const VarDecl *v) { return v->attrs.cleanup; });
}

class Cutter {
public:
  explicit Cutter(Work &w) : w(w), plan(w.plan) {
    for (const VarDecl *v : plan.fn->params) partOf[v] = SIZE_MAX - 1;  // f.fast names them all
  }

  std::vector<const VarDecl *> run() {
    const auto &body = w.def->body->body;
    const size_t most = w.options.large;
    plan.partOf.assign(plan.entries.size(), 0);
    size_t from = 0;
    for (size_t i = 0; i < body.size(); i++) {
      read(body[i]);
      if (held < most && i - from + 1 < kStatements * most && i + 1 < body.size()) continue;
      plan.parts.push_back({from, i + 1});
      from = i + 1;
      held = 0;
    }
    if (plan.parts.size() < 2) {
      plan.parts.clear();
      plan.partOf.clear();
      return {};
    }
    std::sort(shared.begin(), shared.end(), [](const VarDecl *a, const VarDecl *b) { return a->range.begin < b->range.begin; });
    return std::move(shared);
  }

private:
  Work &w;
  ClonePlan &plan;
  size_t held = 0;  // entry points
  std::unordered_map<const VarDecl *, size_t> partOf;  // that named it first; several: SIZE_MAX
  std::vector<const VarDecl *> shared;

  void names(const VarDecl *v) {
    auto [it, fresh] = partOf.try_emplace(v, plan.parts.size());
    if (fresh || it->second == SIZE_MAX || it->second == plan.parts.size()) return;
    it->second = SIZE_MAX;
    if (VarHome h = plan.home(v); h == VarHome::Register || h == VarHome::Delivered) shared.push_back(v);
  }
  void holds(int entry) {
    plan.partOf[static_cast<size_t>(entry)] = plan.parts.size();
    held++;
  }
  void on(const Stmt *s) {
    if (auto it = plan.before.find(s); it != plan.before.end()) holds(it->second);
    if (auto it = plan.syncs.find(s); it != plan.syncs.end()) holds(it->second);
    if (s->kind == StmtKind::Spawn)
      if (auto it = plan.spawnIndex.find(s->as<SpawnStmt>()); it != plan.spawnIndex.end()) holds(plan.spawns[it->second].entry);
    if (s->kind == StmtKind::Decl && s->as<DeclStmt>()->decl)
      for (const InitDeclarator &d : s->as<DeclStmt>()->decl->declarators)
        if (d.decl && d.decl->kind == DeclKind::Var) names(d.decl->as<VarDecl>());
  }
  void on(const Expr *e) {
    if (e->kind == ExprKind::Ident)
      if (const Decl *d = e->as<Ident>()->decl; d && d->kind == DeclKind::Var) names(d->as<VarDecl>());
  }
  void read(const Stmt *s) {
    eachNode(s, Walk::Written, [this](const auto *node) { on(node); });
    // Deliveries and what sema chose are walked as they are evaluated.
    eachNode(s, Walk::Evaluated, [this](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Expr *>) on(node);
    });
  }
};

}  // namespace

std::vector<const VarDecl *> parts(Work &w) {
  if (!w.plan.compact || w.plan.entries.size() <= 2 * w.options.large || !divisible(w.plan.fn)) return {};
  return Cutter(w).run();
}

}  // namespace cilkc::planning
