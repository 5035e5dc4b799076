// live.h - the data-flow problems that concern single variables: where each is live, and where its saved copy may be
// out of date.
//
// Variables are taken one at a time: the walk starts at the uses of one and goes over the blocks in which it is live,
// no others. So time and memory follow the lengths of the live ranges, and nothing is kept that has variables times
// blocks elements.
//
// A variable is wanted at a point if it is live there *and may have a value*: it was stored to on some way there
// (parameters come with a value). A receiver is live from the function's start on, since deliveries do not kill; before
// the first delivery there is nothing in it to keep.
//
// Code that saves and restores a variable is at every point at which it is wanted. Where many variables are wanted at
// many points that product would swamp everything else; the widest variables are then marked (`wide`), to be kept in
// memory and never moved.
#pragma once
#include "frontend/flow/forward.h"

namespace cilkc {

struct LivePoint {
  int block, at;  // just after this event of this block
  bool saves;  // what is out of date here is saved here
  bool mayBeSkipped;  // ... but not on every way (a child that is run in place)
};

struct LiveProblem {
  const Graph &graph;
  const std::vector<const VarDecl *> &vars;
  std::vector<LivePoint> points;  // in the order of blocks and events
  // every variable counts as live as long as it is in scope, for a debugger that is to show it
  bool keepAll;
  bool declaredSet;  // a declaration without initialiser still gives a value (-ftrivial-auto-var-init)
};

struct LiveAt {  // of one point
  std::vector<const VarDecl *> live;  // live and may have a value
  // the same once the delivery after the point has been made, if there is one
  std::vector<const VarDecl *> liveDelivered;
  std::vector<const VarDecl *> dirty;  // of these: the copy may be out of date; points with `saves` only
  std::vector<const VarDecl *> dirtyBesideSkips;  // ... if points with `mayBeSkipped` cannot be relied on
};

struct LiveResult {
  std::vector<LiveAt> at;  // by point
  std::vector<const VarDecl *> wide;  // in none of these lists
};

// all: every variable that is live at any point counts as wide.
LiveResult findLive(const LiveProblem &, bool all);

}  // namespace cilkc
