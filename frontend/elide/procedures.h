// procedures.h - procedures of Cilk-5 as threads of Cilk-1, one for each entry point. Private to elide/.
#pragma once
#include <unordered_set>
#include "frontend/elide/inlets.h"
#include "frontend/plan/plan.h"

namespace cilkc {

// Puts threads in the places of the procedures. What cannot be a thread (a procedure that aborts, say) stays, with a
// comment that says why. `taken`: words that the program uses; new names are added.
void proceduresAsThreads(const TranslationUnit &, const UnitPlan &, const SourceManager &, DiagnosticEngine &,
    const TextOf &, std::unordered_set<std::string> &taken);

}  // namespace cilkc
