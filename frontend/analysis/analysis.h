// analysis.h - the room's one public header: warnings about what runs in parallel in a Cilk procedure.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

// Call it after sema, for a unit without errors. Reports warnings only.
void checkProcedures(const TranslationUnit &, const AstContext &, DiagnosticEngine &);

// Threads of Cilk-1 (continuations.cpp): also reports errors. `serial`: the elision is wanted.
void checkThreads(const TranslationUnit &, DiagnosticEngine &, bool serial);

}  // namespace cilkc
