// foreign.h - warnings about calls of C functions that belong to one stack or one thread. Private to
// frontend/analysis/.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {

void checkForeignCalls(const FunctionDef *, DiagnosticEngine &);   // of a procedure with a body, its inlets included

}  // namespace cilkc::analysis
