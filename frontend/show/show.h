// show.h - `cilkc emit --stage clones`: what a Cilk procedure becomes, as C-like text to read and to show.
#pragma once
#include <iosfwd>
#include "frontend/ast/ast.h"
#include "frontend/source/source.h"

namespace cilkc {

// Input: a typed unit without errors. Prints for every Cilk procedure defined in it, the library's own excepted: its closure, its fast clone
// under the strategy (lazy or eager), its slow clone, what delivers its children's results, its signature. Reads the tree only.
void showClones(const TranslationUnit &, const SourceManager &, bool lazy, std::ostream &);

}  // namespace cilkc
