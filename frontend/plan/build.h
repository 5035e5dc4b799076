// build.h - the steps by which a ClonePlan is made, in this order. Private to plan/.
#pragma once
#include <unordered_set>
#include "frontend/flow/forward.h"
#include "frontend/plan/plan.h"

namespace cilkc::planning {

using Constants = std::unordered_map<const VarDecl *, const Expr *>;

// What the steps of one procedure share; gone when its plan is complete.
struct Work {
  Work(ClonePlan &plan, const Cfg &cfg, const Constants &constants, const PlanOptions &options,
      const AstContext &context)
      : plan(plan), def(plan.fn->def), cfg(cfg), graph(cfg), constants(constants), options(options), context(context),
        target(context.target) {}
  ClonePlan &plan;
  const FunctionDef *def;
  const Cfg &cfg;
  Graph graph;
  const Constants &constants;
  const PlanOptions &options;
  const AstContext &context;
  const TargetInfo &target;
  std::unordered_set<const Stmt *> beforeTake;  // what a fast clone does without its closure
  std::vector<const VarDecl *> movable;      // homes Register and Delivered, as homes() chose them
  // by entry: EntryPoint::save, eager, if leaves are run in place
  std::vector<std::vector<const VarDecl *>> besideLeaves;
};

void homes(Work &);                          // homes.cpp: where each variable lives
// entries.cpp: numbers, children out, release points, what is live and saved
void entries(Work &);
void prefix(Work &);                         // prefix.cpp: the leaf prefix
void layOut(Work &);                         // layout.cpp: spawns with their records, the closure

size_t weigh(const Stmt *);                  // inline.cpp: nodes
struct Draft {                               // of a procedure, before the procedures that it spawns are looked at
  ClonePlan *plan;
  std::vector<std::vector<const VarDecl *>> besideLeaves;
};
// inline.cpp: groups, levels, leaf copies, and the saves that follow
void planInlining(std::vector<Draft> &, const PlanOptions &);

// The procedure that the spawn names, but null when it is weak: another file's definition may run in the place of the
// one that is seen here.
const FunctionDecl *knownCallee(const SpawnStmt *);

// Parameters of procedures with internal linkage that are only ever spawned by name and have one constant value in
// every call (constants.cpp).
Constants findConstants(const TranslationUnit &, const AstContext &);

}  // namespace cilkc::planning
