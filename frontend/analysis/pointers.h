// pointers.h - where the pointers of a function certainly lead (pointers.cpp).
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/flow/forward.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {

// The graph is that of the function, with the ways left out that constants close.
void checkPointers(const FunctionDef *, const Graph &, DiagnosticEngine &);

}  // namespace cilkc::analysis
