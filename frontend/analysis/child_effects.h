// child_effects.h - what the children of a Cilk procedure may do while they run. Each spawn has a receiver for its
// result. A child stores, reads or updates through the pointers that it got, and in variables of static storage
// (effects.h). parallel_conflicts.cpp asks where these effects are pending.
#pragma once
#include <unordered_map>
#include <vector>
#include "frontend/analysis/effects.h"
#include "frontend/analysis/enclosing.h"
#include "frontend/analysis/path.h"

namespace cilkc::analysis {

struct PendingEffect {
  enum Kind : uint8_t { Receiver, Stores, Reads, Updates, Aborts } kind;
  Path path;
  const SpawnStmt *spawn = nullptr;
  Range where;  // what to point at: the spawn, or the argument
  Range at;  // Updates: where it does
  bool compound = false;  // Receiver of op=
  bool dropped = false;  // Receiver: a variable that is never read
  bool byInlet = false;  // Receiver: what an inlet changes; conditions may look at it on purpose
  bool fromHere = false;  // Stores, Reads, Updates: path.steps.back() is where a range begins
  int64_t extent = -1;  // how many elements; -1: no end is known
  bool certain = true;  // Stores, Reads: seen in the callee's body
  bool indexed = false;  // there is an index in the path that is not a constant
  const Expr *guard = nullptr;  // of the innermost `if` whose then-part contains `where`
  std::vector<const VarDecl *> marks;  // Aborts: the variables that the inlet sets
};

class ChildEffects {
public:
  ChildEffects(const FunctionDef *, const AstContext &, EffectTable &);
  std::vector<PendingEffect> all;
  bool speculates = false;  // some inlet may abort
  const std::vector<int> &of(const SpawnStmt *s) const { return bySpawn.at(s); }  // indices of `all`
  bool isRead(const VarDecl *v) const {  // outside of `(void)v`
    auto found = reads.find(v);
    return found != reads.end() && found->second > 0;
  }
  Range loopAround(Range r) const {  // the innermost one
    const Range *found = loops.around(r);
    return found ? *found : Range{};
  }

private:
  const FunctionDef *def;
  Paths paths;
  EffectTable &effects;
  bool guarded = false;  // something here synchronises by other means
  std::unordered_map<const SpawnStmt *, std::vector<int>> bySpawn;
  Enclosing<const Expr *> guards;  // then-parts of `if`, and what is tested
  Enclosing<Range> loops;
  std::unordered_map<const VarDecl *, int> reads;

  void survey();
  void findLoops(const Stmt *body);
  void surveyed(const Expr *);
  void spawned(const SpawnStmt *);
  void changedBy(const SpawnStmt *);
  void add(PendingEffect);
};

}  // namespace cilkc::analysis
