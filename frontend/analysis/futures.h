// futures.h - futures that are touched too early, or get a second child too early. Private to the room.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {
void checkFutures(const FunctionDef *, const AstContext &, DiagnosticEngine &);
}
