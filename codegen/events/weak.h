// weak.h - functions that a program may define to learn of something: the module brings one that does nothing.
#pragma once
#include "codegen/core/function.h"

namespace cilkc::cg {

inline LLVMValueRef weakFunction(FunctionEmitter &fe, const char *name, LLVMTypeRef *params, unsigned n) {
  if (LLVMValueRef known = LLVMGetNamedFunction(fe.m.module, name)) return known;
  LLVMValueRef f = fe.m.makeRawFunction(name, LLVMFunctionType(fe.t.voidTy, params, n, false), LLVMWeakAnyLinkage);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(fe.context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(fe.context, f, "entry"));
  LLVMBuildRetVoid(b);
  LLVMDisposeBuilder(b);
  return f;
}

}  // namespace cilkc::cg
