// cleanups.h - variables whose cleanup may not run, because their instance may be aborted. Private to the room.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {

void checkCleanups(const TranslationUnit &, DiagnosticEngine &);

}  // namespace cilkc::analysis
