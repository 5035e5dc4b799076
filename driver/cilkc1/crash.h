// crash.h - what happens when the compiler itself fails: one line that names the stage and the place, exit status 70,
// and no output file left. Running out of stack is the one failure that is the program's doing: it is reported as an
// error, exit status 1.
#pragma once
#include <functional>
#include "frontend/source/source.h"

namespace cilkc {

// What the compiler is doing now. The strings must live on; sources may be null.
struct Progress {
  const char *stage = "start";
  const char *file = "";
  const SourceManager *sources = nullptr;
};
Progress &progress();

// Runs f on a thread with a large stack (committed as it is used) and with handlers for signals. (Fatal errors of LLVM
// are codegen's: they become diagnostics.) Returns f's value; exceptions that leave f are reported like crashes.
int runGuarded(const std::function<int()> &f);

// Prints the line for an internal error and ends the process with status 70. `what` may be null.
[[noreturn]] void internalError(const char *what);

}  // namespace cilkc
