// index.h - `cilkc1 --emit=index`: the names of a file, their uses, and what runs in parallel, as JSON. The README has
// the document's form.
#pragma once
#include <iosfwd>
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc {

// Input: a unit after sema; it may have errors, and then the index lacks what they made unreadable. Reads the tree
// only.
void writeIndex(const TranslationUnit &, const SourceManager &, std::ostream &);

// A statement, or an expression that controls one, with the spawns whose children may run at the same time, in the
// order of the text.
struct ParallelPlace {
  Range where;
  std::vector<const SpawnStmt *> with;
};
// The definition must have no errors.
std::vector<ParallelPlace> parallelPlaces(const FunctionDef *);

}  // namespace cilkc
