// elide.h - the serial elision: the user's own text with the Cilk keywords gone.
//
// Input: the SourceManager of a preprocessed program, and, for inlets, the typed tree. The program's line markers lead
// to the user's files, which are read again from disk. Output: the text of one C file. What the user wrote between the
// keywords stays as it was: comments, layout, #includes, macros. Errors go to the engine.
#pragma once
#include <string>
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

struct ElideOptions {
  // the result includes what it needs of cilk.h and compiles with nothing of ours installed
  bool standalone = false;
  bool closures = false;  // threads of Cilk-1: what they are made into, without a scheduler
  const class UnitPlan *threads = nullptr;  // not an elision: Cilk-5's procedures as threads of Cilk-1, by these plans
  bool gnu = false;  // inlets become GNU nested functions instead of being lifted
};

// unit may be null, or untyped, when the program has errors: then the keywords go, and inlets can't be lifted (which is
// reported). typed: analyze() accepted it. False if an error was reported.
bool elide(const SourceManager &, const TranslationUnit *unit, bool typed, const AstContext &, DiagnosticEngine &,
    const ElideOptions &, std::string &out);

}  // namespace cilkc
