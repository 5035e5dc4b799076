// race_uses.h - what the accesses of a procedure are for, as far as the order counts in which results arrive
// (rt/tools/race/results.c).
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc {
struct AstContext;
}

namespace cilkc::cg {

struct RaceUse {
  uint32_t update = 0, use = 0;  // rt/tools/race/abi.h
};

struct RaceUses {
  std::unordered_map<uint64_t, RaceUse> accesses;  // by the range of the lvalue
  std::unordered_map<const SpawnStmt *, RaceUse> deliveries;  // of the stores of `x = spawn` and `x op= spawn`
  std::unordered_set<const FunctionDecl *> aborting;  // inlets with an `abort`
  // Locals that may be used before a result is there, or that deliveries may change in an order that counts. Locals
  // that no other strand can reach are among them.
  std::unordered_set<const VarDecl *> ordered;

  static uint64_t key(Range r) { return static_cast<uint64_t>(r.begin.offset()) << 32 | r.end.offset(); }
  RaceUse of(Range r) const {
    auto it = accesses.find(key(r));
    return it == accesses.end() ? RaceUse{} : it->second;
  }
};

// The uses in a function and its inlets.
// anySync: a run may leave out any sync, so a result may be used early anywhere after its spawn.
RaceUses findRaceUses(const FunctionDecl *, const AstContext &, bool anySync);

// The uses in its atomic operations (race_atomics.cpp).
void findAtomicUses(const FunctionDecl *, RaceUses &);

}  // namespace cilkc::cg
