// cleanups.cpp - `__attribute__((cleanup(f)))` in a procedure that may be aborted. An aborted instance ends at a spawn
// or sync and comes to no end of a block, so its cleanups do not run.
//
// An instance may be aborted if a procedure with an `abort`, its own or an inlet's, has spawned it or one of its
// ancestors. Only what the unit's text names is followed. A variable whose block has no spawn, sync or touch after its
// declaration is left alone: control does not leave the instance there.
#include "frontend/analysis/cleanups.h"
#include <algorithm>
#include <unordered_map>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "diag/cilk.h"

namespace cilkc::analysis {

namespace {

const Stmt *firstPoint(const Stmt *root) {
  const Stmt *found = nullptr;
  eachNode(root, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>)
      if (!found && (node->kind == StmtKind::Spawn || node->kind == StmtKind::Sync || node->kind == StmtKind::Touch))
        found = node;
    return !found;
  });
  return found;
}

bool declares(const Stmt *s, const VarDecl *v) {
  if (s->kind != StmtKind::Decl || !s->as<DeclStmt>()->decl) return false;
  const auto &all = s->as<DeclStmt>()->decl->declarators;
  return std::any_of(all.begin(), all.end(), [&](const auto &d) { return d.decl == v; });
}

// The first statement after the declaration, in its block, at which an aborted instance may end.
const Stmt *endsAt(const FunctionDecl *f, const VarDecl *v) {
  const Stmt *found = nullptr;
  eachNode(static_cast<const Stmt *>(f->def->body), Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
      if (found || node->kind != StmtKind::Compound) return;
      const auto &body = node->template as<CompoundStmt>()->body;
      auto at = std::find_if(body.begin(), body.end(), [&](const Stmt *s) { return declares(s, v); });
      if (at == body.end()) return;
      for (++at; at != body.end() && !found; ++at) found = firstPoint(*at);
    }
  });
  return found;
}

}  // namespace

void checkCleanups(const TranslationUnit &unit, DiagnosticEngine &diags) {
  auto cleaned = [](const FunctionDecl *f) {
    return f->def && f->def->body && f->isCilk && !f->spawns.empty() &&
           std::any_of(f->locals.begin(), f->locals.end(), [](const VarDecl *v) { return v->attrs.cleanup; });
  };
  if (std::none_of(unit.functions.begin(), unit.functions.end(), cleaned)) return;
  std::unordered_map<const FunctionDecl *, Range> stopped;  // what may be aborted, and by which statement
  std::vector<const FunctionDecl *> work;
  auto children = [&](const FunctionDecl *f, Range by) {
    for (const SpawnStmt *s : f->spawns)
      if (const FunctionDecl *child = directCallee(s); child && stopped.emplace(child, by).second)
        work.push_back(child);
  };
  auto aborts = [&](const FunctionDecl *f, const FunctionDecl *procedure) {
    if (!f->def || !f->def->body) return;
    eachNode(static_cast<const Stmt *>(f->def->body), Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>)
        if (node->kind == StmtKind::Abort) children(procedure, node->range);
    });
  };
  for (const FunctionDecl *f : unit.functions) {
    if (!f->isCilk || f->parent) continue;
    aborts(f, f);
    for (const FunctionDecl *inlet : f->inlets) aborts(inlet, f);
  }
  for (size_t i = 0; i < work.size(); i++) children(work[i], stopped.at(work[i]));
  for (const FunctionDecl *f : work) {
    if (!cleaned(f)) continue;
    for (const VarDecl *v : f->locals)
      if (const Stmt *end = v->attrs.cleanup ? endsAt(f, v) : nullptr)
        diags.report(diag::cleanup_abort, v->range)
                .note(stopped.at(f), "this abort may stop it")
                .note(end->range, "an instance that is aborted may end here, and comes to no end of this block")
            << v->name << f->name;
  }
}

}  // namespace cilkc::analysis
