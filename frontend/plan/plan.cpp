// plan.cpp - makes the plans of a unit: each procedure's own, then what depends on others'.
#include "frontend/plan/plan.h"
#include <stdexcept>
#include <string>
#include "frontend/plan/build.h"

namespace cilkc {
namespace {

[[noreturn]] void unplanned(const char *what, std::string_view procedure) {
  throw std::logic_error(std::string(what) + " that is not in the plan of '" + std::string(procedure) + "'");
}

}  // namespace

const PlannedSpawn &ClonePlan::spawn(const SpawnStmt *s) const {
  auto it = spawnIndex.find(s);
  if (it == spawnIndex.end()) unplanned("a spawn", fn->name);
  return spawns[it->second];
}

int ClonePlan::entryOf(const SyncStmt *s) const {
  auto it = syncs.find(s);
  if (it == syncs.end()) unplanned("a sync", fn->name);
  return it->second;
}

int ClonePlan::entryOf(const TouchStmt *s) const {
  auto it = touches.find(s);
  if (it == touches.end()) unplanned("a touch", fn->name);
  return it->second;
}

const Ending &ClonePlan::ending(const ReturnStmt *s) const {
  auto it = returns.find(s);
  if (it == returns.end()) unplanned("a return", fn->name);
  return it->second;
}

bool ClonePlan::resumable(const EntryPoint &e) const {
  switch (e.kind) {
    case EntryPoint::Start: return false;
    case EntryPoint::BeforeSpawn: return strategyInfo(strategy).has(StrategyProperty::TestsBeforeSpawn);
    case EntryPoint::AtSync: return e.mayBeOutstanding;
    case EntryPoint::AfterSpawn:
    case EntryPoint::AtTouch:
    case EntryPoint::AtReturn: break;
  }
  return true;
}

UnitPlan::UnitPlan(const TranslationUnit &unit, const AstContext &context, const PlanOptions &options)
    : options(options) {
  using namespace planning;
  Constants constants;
  if (options.constantParameters && options.inlining && options.optLevel >= 2) constants = findConstants(unit, context);
  std::vector<Draft> drafts;
  for (auto *fn : unit.functions) {
    if (!fn->isCilk || !fn->def) continue;
    auto plan = std::make_unique<ClonePlan>();
    plan->fn = fn;
    plan->strategy = options.strategy;
    plan->weight = weigh(fn->def->body) + 1;
    for (auto *v : fn->params)
      if (auto it = constants.find(v); it != constants.end()) plan->constants.push_back(*it);
    Cfg cfg = buildCfg(fn->def);
    Work work(*plan, cfg, constants, options, context);
    homes(work);
    entries(work);
    layOut(work);
    drafts.push_back({plan.get(), std::move(work.besideLeaves)});
    plans.emplace(fn, std::move(plan));
  }
  planInlining(drafts, options);
}

UnitPlan::~UnitPlan() = default;

const ClonePlan &UnitPlan::of(const FunctionDecl *fn) const {
  auto it = plans.find(fn);
  if (it == plans.end()) throw std::logic_error("a procedure without a plan: '" + std::string(fn->name) + "'");
  return *it->second;
}

}  // namespace cilkc
