// limits.h - what the language allows and this compiler cannot make. It is said here, after sema and before any code is made, so that `check` refuses what the
// code generator could not translate; that one takes these rules for granted.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

// Call it after sema, for a unit without errors; reports errors. keepAll: as for analyzeProcedure.
void checkLimits(const TranslationUnit &, const AstContext &, DiagnosticEngine &, bool keepAll);

constexpr uint32_t kLargestLocalAlign = 64;   // of what a Cilk procedure keeps in its closure: closures are aligned so

}  // namespace cilkc
