// builtin_ia32.cpp - the x86 builtins behind <immintrin.h> and its parts.
#include "codegen/function.h"

namespace cilkc::cg {

bool FunctionEmitter::emitIa32Builtin(const Call *, std::string_view, RValue &) { return false; }

}  // namespace cilkc::cg
