// analyze.h - the public face of sema: decorates the AST in place (the invariants are at the top of ast.h) and
// reports what is wrong. Input: a parsed TranslationUnit. Output: the same, typed. Errors go to the engine; nodes in
// error become ErrorExpr or get the error type, which silences follow-up errors. No global state, never throws, never
// exits.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {
// False if an error was reported. OpenCilk, where the program will run serially (the profiler): with `callsStay` a call
// that is waited for is a call of C, no child.
bool analyze(TranslationUnit &, AstContext &, DiagnosticEngine &, bool callsStay = false);
}
