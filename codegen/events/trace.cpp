// trace.cpp - -cilk-trace: each spawn is reported to the runtime, by a constant that names the procedure, its child and
// the line (rt/core/abi.def, cilk_trace_site). All else that a trace has is the runtime's own doing.
#include "codegen/clones/abi.h"
#include "codegen/core/events.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {
namespace {

class TraceEvents : public Events {
public:
  void spawns(FunctionEmitter &fe, const SpawnStmt &s) override {
    ModuleEmitter &m = fe.m;
    Presumed at = m.diags.sources().presumed(s.keyword.valid() ? s.keyword.begin : s.spawned.begin);
    const FunctionDecl *child = cilkc::directCallee(&s);
    LLVMValueRef site = abi::constant(m,
        abi::cilk_trace_site{.procedure = m.cstring(fe.fn ? std::string(fe.fn->shownName()) : std::string()),
            .child = m.cstring(child ? std::string(child->shownName()) : std::string()),
            .file = m.cstring(at.file ? at.file->name : m.diags.sources().mainName()),
            .line = LLVMConstInt(fe.t.i64, at.line, 0)});
    fe.callRuntime("cilk_rt_trace_spawn", fe.t.voidTy, {m.privateConstant(site, 8, "trace.site")});
  }
};

}  // namespace

std::unique_ptr<Events> makeTraceEvents(ModuleEmitter &) { return std::make_unique<TraceEvents>(); }

}  // namespace cilkc::cg
