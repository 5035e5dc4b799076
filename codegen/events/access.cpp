// access.cpp - -cilk-access: every access of the user's code to memory calls cilk_on_access(address, bytes, mode, kind,
// line), which does nothing unless the program defines it. For tests of the hook that all instrumentation of memory
// uses, and for experiments; the numbers are those of AccessMode and AccessKind.
#include "codegen/core/events.h"
#include "codegen/events/weak.h"

namespace cilkc::cg {
namespace {

class AccessEvents : public Events {
public:
  void access(FunctionEmitter &fe, const Access &a) override {
    LLVMValueRef line = fe.i32c(a.at.where.valid() ? fe.m.diags.sources().presumed(a.at.where.begin).line : 0);
    LLVMTypeRef params[] = {fe.t.ptr, fe.t.i64, fe.t.i32, fe.t.i32, fe.t.i32};
    LLVMValueRef f = weakFunction(fe, "cilk_on_access", params, 5);
    fe.call(LLVMGlobalGetValueType(f), f,
        {a.at.ptr, a.size, fe.i32c(static_cast<int>(a.mode)), fe.i32c(static_cast<int>(a.kind)), line});
  }
};

}  // namespace

std::unique_ptr<Events> makeAccessEvents(ModuleEmitter &) { return std::make_unique<AccessEvents>(); }

}  // namespace cilkc::cg
