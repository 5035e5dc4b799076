// weights.h - how much an expression weighs: the sum of the rows of weights.def that it uses.
#pragma once
#include <cstdint>
#include "frontend/ast/ast.h"

namespace cilkc {

enum class Operation : uint8_t {
#define WEIGHT(id, units, text) id,
#include "frontend/plan/weights.def"
};

constexpr uint64_t unitsOf(Operation o) {
  constexpr uint64_t units[] = {
#define WEIGHT(id, units, text) units,
#include "frontend/plan/weights.def"
  };
  return units[static_cast<unsigned>(o)];
}

// Of what is evaluated whenever `e` is: not the right sides of && and ||, the arms of ?: and the statements of ({ }),
// which weigh where control reaches them.
uint64_t weightOf(const Expr *e, const AstContext &);
// Which argument of a call of this function is a number of bytes, each 8 of which weigh 1 more; -1: none.
int lengthArgument(const FunctionDecl *);
// Of a spawn: what its arguments and its receiver cost, the call, the delivery.
uint64_t weightOf(const SpawnStmt *, const AstContext &);
// Of an initialiser that is evaluated, with its stores.
uint64_t weightOf(const Initializer *, const AstContext &);

}  // namespace cilkc
