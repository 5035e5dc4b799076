// span.cpp - -cilk-span: calls of the runtime's clock where threads begin and end (rt/core/abi.h, "builds with
// -cilk-profile and -cilk-span"). Every instance has its closure from its entry on, which holds its work and span.
#include "codegen/core/events.h"

namespace cilkc::cg {
namespace {

class SpanEvents : public Events {
public:
  void procedureBegins(FunctionEmitter &fe) override { emit(fe, "cilk_rt_span_begin"); }
  void procedureEnds(FunctionEmitter &fe) override { emit(fe, "cilk_rt_span_return"); }
  void spawns(FunctionEmitter &fe, const SpawnStmt &) override { emit(fe, "cilk_rt_span_end"); }
  void spawnReturned(FunctionEmitter &fe, const SpawnStmt &) override { emit(fe, "cilk_rt_span_joined"); }
  void syncs(FunctionEmitter &fe, const SyncStmt *) override { emit(fe, "cilk_rt_span_end"); }
  void synced(FunctionEmitter &fe) override { emit(fe, "cilk_rt_span_synched"); }
  void fills(FunctionEmitter &fe, const SpawnStmt &, LLVMValueRef future) override {
    if (fe.strategy.instance(fe)) fe.callRuntime("cilk_rt_span_filled", fe.t.voidTy, {future});
  }
  void waits(FunctionEmitter &fe, const TouchStmt &) override { emit(fe, "cilk_rt_span_end"); }
  void touches(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef future, LLVMValueRef) override {
    LLVMValueRef instance = fe.strategy.instance(fe);
    if (instance && s.future) fe.callRuntime("cilk_rt_span_touched", fe.t.voidTy, {instance, future});
  }
  void releases(FunctionEmitter &fe) override { emit(fe, "cilk_rt_span_end"); }
  LLVMValueRef measured(FunctionEmitter &fe, bool criticalPath) override {
    return ask(fe, criticalPath ? "cilk_rt_user_critical_path" : "cilk_rt_user_work");
  }

private:
  // The serial form has no instances, and nothing to report.
  static void emit(FunctionEmitter &fe, const char *event) {
    if (LLVMValueRef instance = fe.strategy.instance(fe)) fe.callRuntime(event, fe.t.voidTy, {instance});
  }
  static LLVMValueRef ask(FunctionEmitter &fe, const char *query) {
    LLVMValueRef instance = fe.strategy.instance(fe);
    return instance ? fe.callRuntime(query, fe.t.i64, {instance}) : nullptr;
  }
};

}  // namespace

std::unique_ptr<Events> makeSpanEvents(ModuleEmitter &) { return std::make_unique<SpanEvents>(); }

}  // namespace cilkc::cg
