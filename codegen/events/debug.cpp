// debug.cpp - -cilk-debug: the runtime does the checking, generated code has no events of its own (what it leaves to
// the runtime is in modes.def).
#include "codegen/core/events.h"

namespace cilkc::cg {

std::unique_ptr<Events> makeDebugEvents(ModuleEmitter &) { return nullptr; }

}  // namespace cilkc::cg
