// targets.cpp - the table of targets, and what their files share.
#include "codegen/core/target.h"
#include <llvm-c/Core.h>
#include <mutex>
#include "codegen/core/function.h"

namespace cilkc {
#define TARGET(name) extern const TargetFacts facts_##name;
#include "frontend/types/targets.def"
#undef TARGET
}  // namespace cilkc

namespace cilkc::cg {

#define TARGET(name) const Target &target_##name();
#include "frontend/types/targets.def"
#undef TARGET

const Target &targetFor(const TargetInfo &t) {
#define TARGET(name) \
  if (t.facts == &facts_##name) return target_##name();
#include "frontend/types/targets.def"
#undef TARGET
  __builtin_unreachable();
}

void initTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
#define TARGET(name) target_##name().initialize();
#include "frontend/types/targets.def"
#undef TARGET
  });
}

LLVMValueRef byteOffset(FunctionEmitter &fe, LLVMValueRef pointer, LLVMValueRef bytes) {
  return LLVMBuildGEP2(fe.builder, fe.t.i8, pointer, &bytes, 1, "");
}

LLVMValueRef alignedUp(FunctionEmitter &fe, LLVMValueRef pointer, uint64_t to) {
  LLVMValueRef x = LLVMBuildAdd(fe.builder, LLVMBuildPtrToInt(fe.builder, pointer, fe.t.i64, ""),
      fe.i64c(static_cast<int64_t>(to - 1)), "");
  return LLVMBuildIntToPtr(fe.builder, LLVMBuildAnd(fe.builder, x, fe.i64c(-static_cast<int64_t>(to)), ""), fe.t.ptr,
      "");
}

}  // namespace cilkc::cg
