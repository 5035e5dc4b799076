// parallel.cpp - which children may run while a statement runs. This is a forward problem with one bit for each spawn.
// The spawn sets the bit. A sync clears the bit, as does a touch of the future that the spawn fills.
#include "frontend/ast/query.h"
#include "frontend/flow/forward.h"
#include "frontend/index/index.h"

namespace cilkc {

namespace {

// No editor could show the answer for a larger procedure, which needs one analysis for each spawn.
constexpr size_t mostSpawns = 200;

}  // namespace

std::vector<ParallelPlace> parallelPlaces(const FunctionDef *def) {
  std::vector<ParallelPlace> places;
  const auto &spawns = def->fn->spawns;
  if (spawns.empty() || spawns.size() > mostSpawns) return places;
  Cfg cfg = buildCfg(def);
  Graph graph(cfg);
  std::unordered_map<const Stmt *, size_t> placeOf;
  for (const SpawnStmt *spawn : spawns) {
    const VarDecl *future = spawn->fills ? baseVariable(spawn->receiver()) : nullptr;
    auto effect = [spawn, future](const Event &e) {
      if (e.kind == Event::SpawnPoint && e.spawn == spawn) return Effect::Sets;
      if (e.kind == Event::TouchPoint && future && !future->type->isArray() && e.stmt->as<TouchStmt>()->own == future)
        return Effect::Clears;
      return e.kind == Event::SyncPoint ? Effect::Clears : Effect::Keeps;
    };
    std::vector<char> in = solveForward(graph, Join::May, effect);
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      if (!graph.reached[b]) continue;
      bool out = in[b];
      for (const Event &e : cfg.blocks[b].events) {
        const Stmt *at = e.kind == Event::SpawnPoint ? e.spawn : e.kind == Event::Evaluate ? e.stmt : nullptr;
        if (out && at && at->range.valid()) {
          auto [found, fresh] = placeOf.try_emplace(at, places.size());
          if (fresh) places.push_back({at->range, {}});
          auto &with = places[found->second].with;
          if (with.empty() || with.back() != spawn) with.push_back(spawn);
        }
        if (Effect x = effect(e); x != Effect::Keeps) out = x == Effect::Sets;
      }
    }
  }
  return places;
}

}  // namespace cilkc
