// ledger.h - counts the places of one clone where its plan is obeyed. The plan names such places by nodes of the tree:
// the cut, where the closure is taken, the spawns, syncs and touches, the statements before which a release is tested.
// A node that the emission passes by, or passes twice, would be wrong code without a word. So each clone counts what it
// has made, and the compiler stops when a place is missing or there twice.
#pragma once
#include <string>
#include <vector>
#include "codegen/core/module.h"
#include "frontend/plan/plan.h"

namespace cilkc::cg {

class Ledger {
public:
  explicit Ledger(const ClonePlan &plan) : plan(plan), entries(plan.entries.size()) {}
  void entry(int number) { entries.at(static_cast<size_t>(number))++; }
  void statement(const Stmt *s) {  // any statement begins
    cuts += s == plan.cut;
    takes += s == plan.take;
  }

  // What a whole clone has to make. `resumed`: a clone that is resumed, which has the implicit sync, too.
  void checkWhole(ModuleEmitter &, const char *clone, bool resumed) const;
  void checkCut(ModuleEmitter &, const char *clone) const;  // all that a leaf copy has to meet

private:
  const ClonePlan &plan;
  std::vector<unsigned> entries;  // by number: how often it was made
  unsigned cuts = 0, takes = 0;
  bool wanted(const EntryPoint &) const;
  void check(ModuleEmitter &, const std::string &clone, const char *what, Range, unsigned want, unsigned made) const;
};

}  // namespace cilkc::cg
