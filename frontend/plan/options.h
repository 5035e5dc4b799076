// options.h - what of the command line decides how clones look.
#pragma once
#include "frontend/plan/strategy.h"

namespace cilkc {

struct PlanOptions {
  SpawnStrategy strategy{};
  int optLevel = 0, sizeLevel = 0;
  bool inlining = true;              // -fno-inline
  bool inlineLeaves = true;          // -fno-inline-leaves
  int inlineRecursion = -1;          // levels; -1: as many as the budget allows
  bool constantParameters = true;    // -fno-constant-parameters
  // -flarge-procedures=N: with more entry points, a procedure's clones are not optimised
  size_t large = 256;
  bool eventsInPlace = false, closureFirst = false;   // what instrumentation modes want (mode.h)
  bool debugger = false;             // is to show every variable in its scope: -g without optimisation
  bool arraySpace = true;  // closures of procedures with VLAs have an array space; not under AddressSanitizer
  bool redZones = false;  // AddressSanitizer: around the objects of closures that never move
  bool autoInit = false;  // a declaration without initialiser gives a value: -ftrivial-auto-var-init
  bool has(StrategyProperty p) const { return strategyInfo(strategy).has(p); }
  bool pushes() const;  // else a frame becomes a closure when it is released (steps.cpp)
};

}  // namespace cilkc
