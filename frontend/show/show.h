// show.h - `cilkc emit --stage clones`: what a Cilk procedure becomes, as C-like text to read and to show.
#pragma once
#include <iosfwd>
#include <string_view>
#include "frontend/plan/plan.h"
#include "frontend/source/source.h"

namespace cilkc {

// Input: a typed unit without errors. Prints for the Cilk procedure `only`, or with an empty name for every one defined
// in it but the library's own: its closure, its fast clone as the plan has it, its slow clone, what delivers its
// children's results, its signature. Reads the tree only. False, and nothing printed, if there is no such procedure.
bool showClones(const TranslationUnit &, const UnitPlan &, const SourceManager &, std::string_view only,
    std::ostream &);

}  // namespace cilkc
