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

struct Weight {
  uint64_t own = 0;
  uint64_t library = 0;  // of functions of the C library that are called, beyond the calls
};

// The weight of what is always evaluated with `e`. The right sides of && and ||, the arms of ?: and the statements of
// ({ }) are not included: each counts where control reaches it.
Weight weightOf(const Expr *e, const AstContext &);
// Which argument of a call of this function is a number of bytes, each 8 of which weigh 1 more; -1: none.
int lengthArgument(const FunctionDecl *);
// The weight of a spawn: its arguments, its receiver, the call, the delivery.
Weight weightOf(const SpawnStmt *, const AstContext &);
// The weight of an initialiser that is evaluated, with its stores.
Weight weightOf(const Initializer *, const AstContext &);

}  // namespace cilkc
