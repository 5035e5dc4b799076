// locks.h - Cilk_lock on a lock that nobody has initialised, or that is held already. Private to the room.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {
void checkLocks(const FunctionDef *, const AstContext &, DiagnosticEngine &);
}
