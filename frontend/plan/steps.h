// steps.h - what clones do at the places of their procedure's text: the lists of sites.def, without what a place has no
// use for. codegen/clones emits them, frontend/show prints them; neither has an order of steps of its own.
#pragma once
#include <string_view>
#include <vector>
#include "frontend/plan/strategy.h"

namespace cilkc {

struct ClonePlan;

enum class Step : uint8_t {
#define STEP(id, word) id,
#define FAST_STEP(id, word) id,
#define SLOW_STEP(id, word) id,
#include "frontend/plan/steps.def"
};

// What a step that branches may find: the runtime's verdict (cilk_verdict in rt/core/abi.h), or what the step looked
// at.
enum class Outcome : uint8_t { Unwind, Initiate, Propagate, Skip, Asked, Empty };

enum class Site : uint8_t {
  Spawn,
  Before,  // a test before a spawn
  Sync,
  FreeSync,  // no child is out
  ImplicitSync,
  Touch,
  OwnTouch,  // of what this procedure spawned
  Renewal  // a future's declaration that comes again
};

struct PlannedStep {
  struct Arm {
    Outcome on;
    const char *label;
    std::string_view text;
    std::vector<PlannedStep> steps;
  };
  Step step;
  std::string_view text;
  std::vector<Arm> arms;  // the last one is taken on every outcome that has no arm
};
using Steps = std::vector<PlannedStep>;

enum class Clone : uint8_t { Fast, Slow };

// At an entry point of the plan; nothing where that clone does nothing.
Steps stepsAt(const ClonePlan &, Clone, int entry);
// Is it a step of this strategy's fast clones at a spawn?
bool does(SpawnStrategy, Step);
std::string_view word(Step);
std::string_view word(Outcome);

}  // namespace cilkc
