// futures.cpp - two mistakes that end a program whenever control comes to them, or whenever a child happens to take its
// time. Both are forward problems of one bit for each future that is a variable of the procedure: only its own
// procedure can spawn into it.
//
//   touched early   nothing is spawned into it on any path from its declaration to the touch.
//   spawned twice   every path to the spawn has an earlier one that no touch and no sync has waited for.
//                   Another procedure may have waited for a future whose address is taken: no warning then. Code that
//                   asks SYNCHED may be waiting, too.
//
// Paths that constants close, and those after a call that does not return, are infeasible.
#include "frontend/analysis/futures.h"
#include <algorithm>
#include "frontend/analysis/closed.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/flow/forward.h"
#include "diag/cilk.h"

namespace cilkc::analysis {
namespace {

const VarDecl *filled(const Event &e) {
  return e.kind == Event::SpawnPoint && e.spawn->fills ? baseVariable(e.spawn->receiver()) : nullptr;
}

// A touch of the whole variable, or the wait where its declaration is met again.
bool touches(const Event &e, const VarDecl *v) {
  if (e.kind != Event::TouchPoint) return false;
  const auto *t = e.stmt->as<TouchStmt>();
  return t->own == v || t->renewed == v;
}

bool asksSynched(const Event &e) {
  return e.kind == Event::Evaluate && e.expr &&
         anyExpr(e.expr, Walk::Evaluated, [](const Expr *x) { return x->kind == ExprKind::Synched; });
}

// The feasible paths; a test is evaluated at its place.
Cfg openWays(const FunctionDef *def, const AstContext &cx) {
  Cfg cfg = buildCfg(def);
  for (Block &b : cfg.blocks)
    if (b.condition) b.events.push_back({Event::Evaluate, nullptr, nullptr, nullptr, b.condition});
  closeWays(cfg, cx);
  return cfg;
}

class FutureChecker {
public:
  FutureChecker(const FunctionDef *def, const AstContext &cx, DiagnosticEngine &diags)
      : def(def), diags(diags), cfg(openWays(def, cx)), graph(cfg) {}

  void run() {
    if (cfg.blocks.size() > 20000 || def->fn->callsSetjmp) return;
    std::vector<const VarDecl *> futures;
    for (const Block &b : cfg.blocks)
      for (const Event &e : b.events)
        if (e.kind == Event::Declared && e.var->type->isFuture() &&
            std::find(futures.begin(), futures.end(), e.var) == futures.end())
          futures.push_back(e.var);
    if (futures.size() > 1000) return;
    for (const VarDecl *v : futures) {
      early(v);
      if (!v->addressTaken) twice(v);
    }
  }

private:
  const FunctionDef *def;
  DiagnosticEngine &diags;
  Cfg cfg;
  Graph graph;

  // At each event that can be reached, with the bit before it.
  template <class F> void each(Join join, const std::function<cilkc::Effect(const Event &)> &effect, F f) {
    std::vector<char> in = solveForward(graph, join, effect);
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      bool bit = in[b];
      if (!graph.reached[b]) continue;
      for (const Event &e : cfg.blocks[b].events) {
        f(e, bit);
        if (cilkc::Effect x = effect(e); x != cilkc::Effect::Keeps) bit = x == cilkc::Effect::Sets;
      }
    }
  }

  void early(const VarDecl *v) {
    auto effect = [v](const Event &e) {
      return filled(e) == v                            ? cilkc::Effect::Sets
             : e.kind == Event::Declared && e.var == v ? cilkc::Effect::Clears
                                                       : cilkc::Effect::Keeps;
    };
    each(Join::May, effect, [&](const Event &e, bool spawned) {
      if (spawned || e.kind != Event::TouchPoint || e.stmt->as<TouchStmt>()->own != v) return;
      diags.report(diag::future_touched_early, e.stmt->range)
              .note(v->range, "write `" + std::string(v->name) + " = spawn f(..);` before the touch")
          << v->name;
    });
  }

  void twice(const VarDecl *v) {
    auto effect = [v](const Event &e) {
      if (filled(e) == v) return cilkc::Effect::Sets;
      return touches(e, v) || asksSynched(e) || e.kind == Event::SyncPoint || (e.kind == Event::Declared && e.var == v)
                 ? cilkc::Effect::Clears
                 : cilkc::Effect::Keeps;
    };
    each(Join::Must, effect, [&](const Event &e, bool underWay) {
      if (!underWay || filled(e) != v) return;
      diags.report(diag::future_spawned_twice, e.spawn->spawned)
              .note(v->range, "a future gets one value in its life: declare one for each")
          << v->name;
    });
  }
};

}  // namespace

void checkFutures(const FunctionDef *def, const AstContext &cx, DiagnosticEngine &diags) {
  FutureChecker(def, cx, diags).run();
}

}  // namespace cilkc::analysis
