// export.h - `cilkc emit --stage tree --json`: the typed tree as a document for other tools (docs/tree.md).
#pragma once
#include <iosfwd>
#include "frontend/ast/ast.h"

namespace cilkc {

// Raised when a reader of the document has to change.
inline constexpr int exportVersion = 1;

// Input: a unit after sema, without errors. Reads the tree only.
void exportTree(const TranslationUnit &, const AstContext &, const SourceManager &, std::ostream &);

}  // namespace cilkc
