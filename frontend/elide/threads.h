// threads.h - threads of Cilk-1 in plain C, as a preprocessor of 1995 made it: a thread is a function of its closure, a
// struct with a slot for each argument. Private to elide/.
#pragma once
#include <functional>
#include <string>
#include <unordered_set>
#include "frontend/ast/ast.h"
#include "frontend/elide/inlets.h"

namespace cilkc {

// Does the program define, declare or spawn a thread?
bool hasThreads(const TranslationUnit &);

// Rewrites the declarations of threads and their statements, after all other edits, since it takes the text of
// arguments as it is then. `taken`: words that the program uses; new names are added. Reports what can't be done.
void elideThreads(const TranslationUnit &, const SourceManager &, DiagnosticEngine &, const TextOf &,
    std::unordered_set<std::string> &taken);

// What that text uses: the declarations; with `whole` a scheduler for one processor as well, which many files may have.
std::string threadLibrary(bool whole);

}  // namespace cilkc
