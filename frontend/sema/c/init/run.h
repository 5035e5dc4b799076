// run.h - rows of plain constants (frontend/ast/run.h) as elements of an array.
#pragma once
#include "frontend/ast/run.h"
#include "frontend/sema/c/core/sema.h"

namespace cilkc {

// Takes elements off the run, at most that many, as long as each becomes an element of this type without any message:
// exact, or rounded where C does it in silence. Null if not even the first does.
Data *takeElements(Sema &, ConstantRun &, QualType elem, uint64_t most);

// Takes one element off, as the node that the parser would have made.
Initializer *takeElement(AstContext &, ConstantRun &);

}  // namespace cilkc
