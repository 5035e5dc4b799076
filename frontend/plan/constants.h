// constants.h - parameters of Cilk procedures that have one constant value in every call: the body of a parallel loop, the size of its elements.
//
// C compilers find these by themselves in static functions (interprocedural constant propagation). In Cilk clones they cannot: a slow clone reads its
// parameters from the closure. So it is done here, before the clones are made; such a parameter is a constant in every clone and is never saved.
#pragma once
#include "frontend/ast/ast.h"

namespace cilkc {

// Sets VarDecl::constant of the parameters that qualify: of procedures with internal linkage that are only ever spawned by name, never assigned, no address taken.
// Call it once per unit, after sema and before analyzeProcedure.
void findConstantParameters(const TranslationUnit &, const AstContext &);

}  // namespace cilkc
