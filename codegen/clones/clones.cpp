// clones.cpp - chooses the emitter of Cilk procedures.
#include "codegen/module.h"

namespace cilkc::cg {

std::unique_ptr<ProcedureEmitter> makeProcedureEmitter(ModuleEmitter &m) { return makeSerialEmitter(m); }

}  // namespace cilkc::cg
