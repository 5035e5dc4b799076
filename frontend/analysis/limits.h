// limits.h - what the language allows and this compiler cannot translate. It is reported here, after sema and before
// code generation. So `check` refuses it too, and the code generator takes these rules for granted.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/plan/options.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

// Call it after sema, for a unit without errors; reports errors. Where the variables of Cilk procedures live is asked
// of their plans.
void checkLimits(const TranslationUnit &, const AstContext &, DiagnosticEngine &, const PlanOptions &);

constexpr uint32_t kLargestLocalAlign = 64;  // of what a Cilk procedure keeps in its closure: closures are aligned so

}  // namespace cilkc
