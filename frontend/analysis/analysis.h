// analysis.h - the room's public header for what needs flow: warnings about functions, about what runs in parallel, and
// the rules of continuations.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

// Call it after sema, for a unit without errors. Reports warnings only.
void checkProcedures(const TranslationUnit &, const AstContext &, DiagnosticEngine &);

// What needs a whole function, of C and of Cilk (function.cpp).
void checkFunctions(const TranslationUnit &, const AstContext &, DiagnosticEngine &);

// What no checkpoint can take to another processor (portable.cpp).
void checkPortable(const TranslationUnit &, const AstContext &, DiagnosticEngine &);

// Threads of Cilk-1 (continuations.cpp): also reports errors.
void checkThreads(const TranslationUnit &, DiagnosticEngine &);

// For a tool that would say something wrong of a program with threads: an error at the first one, with what to do
// instead.
void refuseThreads(const TranslationUnit &, DiagnosticEngine &, std::string_view tool, std::string_view instead);

}  // namespace cilkc
