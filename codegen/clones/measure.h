// measure.h - Cilk_user_work and Cilk_user_critical_path for the builtins.
#pragma once
#include "codegen/function.h"

namespace cilkc::cg {

// Calls `query` (cilk_rt_user_work or cilk_rt_user_critical_path) for the instance whose clone is being emitted. Zero in C functions and without -cilk-span.
LLVMValueRef emitSpanQuery(FunctionEmitter &, const char *query);

}  // namespace cilkc::cg
