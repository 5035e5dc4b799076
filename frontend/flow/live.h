// live.h - the data-flow problems of a procedure that concern its variables: where each is live, and where its slot may be out of date. Private to flow/.
//
// Variables are taken one at a time: the walk starts at the uses of one and goes over the blocks in which it is live, no others. So time and memory follow the
// lengths of the live ranges, and nothing is kept that has variables times blocks elements.
//
// Code that saves and restores a variable stands at every entry point at which it is live. Where many variables are live at many entry points that
// product would swamp everything else; the widest variables are then told apart (`wide`), to be kept in the closure and never moved.
#pragma once
#include "frontend/flow/cfg.h"
#include "frontend/plan/plan.h"

namespace cilkc {

struct LivePoint {
  int block, at;                     // just behind this event of this block
  int entry;                         // number of the entry point
  const Spawn *spawn;                // AfterSpawn
};

struct LiveProblem {
  const Cfg &cfg;
  const std::vector<std::vector<int>> &preds;
  const std::vector<char> &reached;
  const std::vector<VarDecl *> &vars;
  std::vector<LivePoint> points;     // in the order of blocks and events
  bool keepAll;                      // analyzeProcedure
};

// Fills EntryPoint::live, save and saveBesideLeaves. all: every variable that is live at any entry point counts as wide.
// Returns the wide variables, which are in none of these lists.
std::vector<VarDecl *> findLive(const LiveProblem &, std::vector<EntryPoint> &entries, bool all);

}  // namespace cilkc
