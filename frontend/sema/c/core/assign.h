// assign.h - the rules that `a op= b` and `a op= spawn f()` share. Private to sema/.
#pragma once
#include "frontend/sema/c/core/sema.h"

namespace cilkc {

// Types `a op= rhs` where a is a vector. False, with nothing reported, where the operands do not go together.
bool typeVectorUpdate(Sema &, Assign *a, Expr *rhs);

}  // namespace cilkc
