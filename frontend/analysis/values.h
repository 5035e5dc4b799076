// values.h - variables that are read before they have a value (values.cpp).
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/flow/forward.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {

// The graph is that of the function, with the ways left out that constants close.
void checkValues(const FunctionDef *, const Graph &, DiagnosticEngine &);

}  // namespace cilkc::analysis
