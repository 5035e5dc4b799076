// locks.h - Cilk_lock on a lock that is not initialised, or that is held already: by this procedure or by its parent.
// Private to the room.
#pragma once
#include "frontend/analysis/effects.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {
bool isLockOperation(const FunctionDecl *);  // one of <cilk.h>
void checkLocks(const FunctionDef *, const AstContext &, const EffectTable &, DiagnosticEngine &);
}
