// busy_wait.h - loops that wait for a strand which comes after them on one worker.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {

void checkBusyWaits(const TranslationUnit &, const AstContext &, DiagnosticEngine &);

}  // namespace cilkc::analysis
