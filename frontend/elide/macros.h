// macros.h - Cilk words that a macro makes a string of, or makes by pasting: the elision cannot have them. Private to
// elide/.
#pragma once
#include <vector>
#include "frontend/elide/text.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

struct EditedFile {
  const SourceFile *source;
  const EditedText *text;
};

// Called when the words are edited. Reports an error for each invocation whose expansion by the C preprocessor would
// differ.
void checkMacros(const std::vector<EditedFile> &, const SourceManager &, DiagnosticEngine &);

}  // namespace cilkc
