// codegen.h - the public face of the code generator: a typed AST goes in, a file with object code, assembly, LLVM IR or
// bitcode comes out.
//
// Input: a TranslationUnit that analyze() accepted (the invariants are at the top of frontend/ast/ast.h). Output: one
// file, written under a temporary name and renamed; on error no file is left. Errors go to the engine; generate() never
// throws, never exits, and has no global state beyond LLVM's own target registry (initialised once, thread-safe). One
// call uses one LLVMContext of its own, so that calls on different units may run in different threads.
#pragma once
#include <functional>
#include <string>
#include <vector>
#include "codegen/core/options.h"
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

// Called after each stage with its name ("irgen", "optimize", "emit") and its wall-clock seconds; may be empty. From
// the end of "irgen" on the tree is not read: that callback may free it.
using TimeReport = std::function<void(const char *stage, double seconds)>;

// outPath "-" writes to standard output. True if the file was written and no error was reported.
bool generate(const TranslationUnit &, const AstContext &, DiagnosticEngine &, const CodegenOptions &,
    const std::string &outPath, const TimeReport &report = {});

// Link-time optimisation: one object from several that were made with `lto` on, optimised together at the highest level
// of their own levels and the options' level. Each file must be an object of this compiler with
// bitcode. The AstContext gives the target only.
bool generateLinked(const std::vector<std::string> &objects, const AstContext &, DiagnosticEngine &,
    const CodegenOptions &, const std::string &outPath, const TimeReport &report = {});

}  // namespace cilkc
