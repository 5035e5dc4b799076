// every.cpp - -cilk-events: every event but accesses calls cilk_on_event(name, address, number), which does nothing
// unless the program defines it. For tests: what the clones report at one worker has to be what the elision reports
// (tests/compiler/test_events.py).
#include "codegen/core/events.h"
#include "codegen/events/weak.h"

namespace cilkc::cg {
namespace {

class EveryEvent : public Events {
public:
  void functionBegins(FunctionEmitter &fe) override { emit(fe, "function begins"); }
  void functionEnds(FunctionEmitter &fe) override { emit(fe, "function ends"); }
  void calls(FunctionEmitter &fe, const CallSite &s) override { emit(fe, "calls", s.callee); }
  void returned(FunctionEmitter &fe, const CallSite &s) override { emit(fe, "returned", s.callee); }
  void procedureBegins(FunctionEmitter &fe) override { emit(fe, "procedure begins"); }
  void procedureEnds(FunctionEmitter &fe) override { emit(fe, "procedure ends"); }
  void resumes(FunctionEmitter &fe) override { emit(fe, "resumes"); }
  void spawns(FunctionEmitter &fe, const SpawnStmt &) override { emit(fe, "spawns"); }
  void spawnReturned(FunctionEmitter &fe, const SpawnStmt &) override { emit(fe, "spawn returned"); }
  void delivers(FunctionEmitter &fe, const SpawnStmt &) override { emit(fe, "delivers"); }
  void delivered(FunctionEmitter &fe, const SpawnStmt &) override { emit(fe, "delivered"); }
  void syncs(FunctionEmitter &fe, const SyncStmt *) override { emit(fe, "syncs"); }
  void synced(FunctionEmitter &fe) override { emit(fe, "synced"); }
  void releases(FunctionEmitter &fe) override { emit(fe, "releases"); }
  void fills(FunctionEmitter &fe, const SpawnStmt &, LLVMValueRef future) override { emit(fe, "fills", future); }
  void touches(FunctionEmitter &fe, const TouchStmt &, LLVMValueRef future, LLVMValueRef size) override {
    emit(fe, "touches", future, size);
  }
  void waits(FunctionEmitter &fe, const TouchStmt &) override { emit(fe, "waits"); }
  void posts(FunctionEmitter &fe, Range) override { emit(fe, "posts"); }
  void aborts(FunctionEmitter &fe) override { emit(fe, "aborts"); }
  void asksSynched(FunctionEmitter &fe, LLVMValueRef answer) override {
    emit(fe, "SYNCHED", nullptr, LLVMBuildZExt(fe.builder, answer, fe.t.i64, ""));
  }
  void inletBegins(FunctionEmitter &fe, const FunctionDecl *) override { emit(fe, "inlet begins"); }
  void inletEnds(FunctionEmitter &fe, const FunctionDecl *) override { emit(fe, "inlet ends"); }
  void objectBegins(FunctionEmitter &fe, const Object &o) override { emit(fe, names[o.kind][0], o.ptr, o.size); }
  void objectEnds(FunctionEmitter &fe, const Object &o) override { emit(fe, names[o.kind][1], o.ptr, o.size); }
  void units(FunctionEmitter &fe, uint64_t weight, Loc) override {
    emit(fe, "units", nullptr, fe.i64c(static_cast<int64_t>(weight)));
  }

private:
  static constexpr const char *names[][2] = {{"local begins", "local ends"}, {"alloca", ""}, {"vla begins", "vla ends"},
      {"Cilk_alloca", ""}, {"closure taken", "closure given"}};
  void emit(FunctionEmitter &fe, const char *name, LLVMValueRef address = nullptr, LLVMValueRef number = nullptr) {
    LLVMTypeRef params[] = {fe.t.ptr, fe.t.ptr, fe.t.i64};
    LLVMValueRef f = weakFunction(fe, "cilk_on_event", params, 3);
    fe.call(LLVMGlobalGetValueType(f), f,
        {fe.m.cstring(name, "cilk.event"), address ? address : LLVMConstNull(fe.t.ptr), number ? number : fe.i64c(0)});
  }
};

}  // namespace

std::unique_ptr<Events> makeEventsEvents(ModuleEmitter &) { return std::make_unique<EveryEvent>(); }

}  // namespace cilkc::cg
