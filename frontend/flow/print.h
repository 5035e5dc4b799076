// print.h - `cilkc emit --stage clones`: what the two clones of each Cilk procedure keep, in words.
#pragma once
#include <iosfwd>
#include "frontend/ast/ast.h"
#include "frontend/source/source.h"

namespace cilkc {

// Input: a typed unit without errors. Prints every Cilk procedure defined in it: where its variables live, its entry points, and what is
// live and saved at each.
void printClones(const TranslationUnit &, const AstContext &, const SourceManager &, std::ostream &);

}  // namespace cilkc
