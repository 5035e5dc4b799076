// access.cpp - -cilk-access: every access of the user's code to memory calls cilk_on_access(address, bytes, mode, kind, line), which does nothing unless the program
// defines it. For tests of the hook that all instrumentation of memory stands on, and for experiments; the numbers are those of AccessMode and AccessKind.
#include "codegen/events/events.h"

namespace cilkc::cg {
namespace {

class AccessEvents : public Events {
public:
  void access(FunctionEmitter &fe, const Access &a) override {
    LLVMValueRef line = fe.i32c(a.at.where.valid() ? fe.m.diags.sources().presumed(a.at.where.begin).line : 0);
    LLVMValueRef f = function(fe);
    fe.call(LLVMGlobalGetValueType(f), f, {a.at.ptr, a.size, fe.i32c(static_cast<int>(a.mode)), fe.i32c(static_cast<int>(a.kind)), line});
  }

private:
  static LLVMValueRef function(FunctionEmitter &fe) {
    const char *name = "cilk_on_access";
    if (LLVMValueRef known = LLVMGetNamedFunction(fe.m.module, name)) return known;
    TypeLowering &t = fe.t;
    LLVMTypeRef params[] = {t.ptr, t.i64, t.i32, t.i32, t.i32};
    LLVMValueRef f = fe.m.makeRawFunction(name, LLVMFunctionType(t.voidTy, params, 5, false), LLVMWeakAnyLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(fe.context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(fe.context, f, "entry"));
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
  }
};

}  // namespace

std::unique_ptr<Events> makeAccessEvents(ModuleEmitter &) { return std::make_unique<AccessEvents>(); }

}  // namespace cilkc::cg
