// site.h - a statement that holds a spawn, taken apart. The one place that knows in which shapes a spawn stands in the tree.
#pragma once
#include "frontend/ast/ast.h"

namespace cilkc {

struct SpawnSite {
  enum Form : uint8_t { Plain, Receiver, Op, Inlet } form = Plain;
  const Spawn *spawn = nullptr;         // spawn->call: callee (a cilk function pointer rvalue) and converted arguments
  const Assign *assign = nullptr;       // Receiver, Op: lhs is the receiver; rhs is the spawn, maybe under conversions
  const Call *inletCall = nullptr;      // Inlet: inletCall->inlet; args[0] is the spawn (maybe converted), the others the extra arguments
  const FunctionDecl *inlet = nullptr;
  const FunctionType *procType() const { return spawn->call->fnType; }
};

// False if the expression (of a statement) holds none.
bool spawnSite(const Expr *, SpawnSite &);

}  // namespace cilkc
