// emit.h - from an LLVM module to a file: what generate() (emit.cpp) and generateLinked() (link.cpp) share. Private to
// codegen/.
#pragma once
#include <chrono>
#include <set>
#include <string>
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include "codegen/codegen.h"

namespace cilkc::cg {

struct Clock {
  const TimeReport &report;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  void stage(const char *name) {
    auto now = std::chrono::steady_clock::now();
    if (report) report(name, std::chrono::duration<double>(now - start).count());
    start = now;
  }
};

// LLVM's diagnostics: remarks are dropped, and warnings that are not about a profile; errors go to the engine.
// Installed by LLVMContextSetDiagnosticHandler(context, onDiagnostic, &handler).
struct Handler {
  DiagnosticEngine *diags;
  bool failed = false;
  bool placed = true;  // !srcloc is a place in the text that diags knows
  std::set<std::string> stale = {};  // the functions whose counts are of another text
};
void onDiagnostic(LLVMDiagnosticInfoRef, void *handler);

// false when the function says so, or when it ended by a fatal error of LLVM, now reported
bool guarded(DiagnosticEngine &, const std::function<bool()> &);
// null and an error if there is none
LLVMTargetMachineRef targetMachine(const AstContext &, const CodegenOptions &, DiagnosticEngine &);
bool verified(LLVMModuleRef, const CodegenOptions &, DiagnosticEngine &);
bool runPasses(LLVMModuleRef, LLVMTargetMachineRef, const CodegenOptions &, DiagnosticEngine &);
bool writeOutput(LLVMModuleRef, LLVMTargetMachineRef, const CodegenOptions &, const std::string &path,
    DiagnosticEngine &, const Handler &);

// link.cpp: the module's bitcode as it is before the passes, and its later place in the object: a section that linkers
// leave out of programs.
LLVMMemoryBufferRef takeBitcode(LLVMModuleRef, const CodegenOptions &);
void embedBitcode(LLVMModuleRef, LLVMMemoryBufferRef);  // disposes of the buffer

}  // namespace cilkc::cg
