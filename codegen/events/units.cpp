// units.cpp - UnitEvents (units.h), and the mode for -cilk-span=count: what a worker counts waits in cilk_self.units,
// where rt/core/observe/span.c takes it for the length of the strand, in place of the time. Its events come before
// those of the mode `span`, so that what this function has counted is there when the strand ends.
#include "codegen/events/units.h"
#include <cstddef>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {

LLVMValueRef UnitEvents::local(FunctionEmitter &fe, const char *name) {
  LLVMValueRef v = fe.entryAlloca(fe.t.i64, 8, name);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(fe.context);
  LLVMValueRef next = LLVMGetNextInstruction(v);
  while (next && LLVMIsAAllocaInst(next)) next = LLVMGetNextInstruction(next);
  if (next) LLVMPositionBuilderBefore(b, next);
  else LLVMPositionBuilderAtEnd(b, LLVMGetInstructionParent(v));
  runtimeStore(b, LLVMConstNull(fe.t.i64), v, 8);
  LLVMDisposeBuilder(b);
  return v;
}

void UnitEvents::add(FunctionEmitter &fe, uint64_t n, Loc where, bool ofLibrary) {
  Body &b = bodies[&fe];
  if (!b.units) b.units = local(fe, "units");
  LLVMBasicBlockRef here = LLVMGetInsertBlock(fe.builder);
  if (!b.current || b.pieces.back().block != here) {
    b.current = true;
    LLVMValueRef sum = LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, b.units, 8), fe.i64c(0), "units");
    fe.storeRaw(sum, b.units, 8);
    b.pieces.push_back({here, sum, LLVMGetLastInstruction(here), 0, {}});
  }
  b.pieces.back().total += n;
  counted(fe, b.pieces.back(), n, where, ofLibrary);
}

void UnitEvents::unitsMeasured(FunctionEmitter &fe, LLVMValueRef n, Loc where) {
  Body &b = bodies[&fe];
  if (!b.units) b.units = local(fe, "units");
  fe.storeRaw(LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, b.units, 8), n, ""), b.units, 8);
  countedMeasured(fe, n, where);
}

LLVMValueRef UnitEvents::take(FunctionEmitter &fe) {
  Body &b = bodies[&fe];
  if (!b.units) b.units = local(fe, "units");
  b.current = false;
  LLVMValueRef n = fe.loadRaw(fe.t.i64, b.units, 8);
  fe.storeRaw(LLVMConstNull(fe.t.i64), b.units, 8);
  b.taken.push_back(n);
  return n;
}

void UnitEvents::functionEmitted(FunctionEmitter &fe) {
  auto it = bodies.find(&fe);
  if (it == bodies.end()) return;
  for (Piece &p : it->second.pieces) LLVMSetOperand(p.sum, 1, LLVMConstInt(fe.t.i64, p.total, false));
  finish(fe, it->second);
  bodies.erase(it);
}

namespace {

class WorkerUnits : public UnitEvents {
public:
  explicit WorkerUnits(ModuleEmitter &m) : ops(m) {
    // Informs the runtime that strands have units (rt/core/observe/span.c).
    LLVMValueRef g = LLVMAddGlobal(m.module, m.types->i8, "cilk_units_build");
    LLVMSetInitializer(g, LLVMConstInt(m.types->i8, 1, false));
    LLVMSetLinkage(g, LLVMWeakODRLinkage);
    m.useLater(g);
  }
  void spawns(FunctionEmitter &fe, const SpawnStmt &) override { handOver(fe); }
  void syncs(FunctionEmitter &fe, const SyncStmt *) override { handOver(fe); }
  void procedureEnds(FunctionEmitter &fe) override { handOver(fe); }
  void waits(FunctionEmitter &fe, const TouchStmt &) override { handOver(fe); }
  void touches(FunctionEmitter &fe, const TouchStmt &, LLVMValueRef, LLVMValueRef) override { handOver(fe); }
  void releases(FunctionEmitter &fe) override { handOver(fe); }
  void posts(FunctionEmitter &fe, Range) override { handOver(fe); }
  void functionEnds(FunctionEmitter &fe) override { handOver(fe); }
  void leavesForGood(FunctionEmitter &fe) override { handOver(fe); }
  // The body of an inlet is the last that belongs to the child, whichever worker runs it.
  void delivered(FunctionEmitter &fe, const SpawnStmt &s) override {
    LLVMValueRef instance = fe.strategy.instance(fe);
    if (s.form != SpawnForm::Inlet || !instance) return;
    handOver(fe);
    fe.callRuntime("cilk_rt_units_delivered", fe.t.voidTy, {instance});
  }

private:
  RuntimeOps ops;
  void handOver(FunctionEmitter &fe) {
    if (!counts(fe)) return;
    LLVMValueRef n = take(fe), at = ops.selfField(offsetof(cilk_worker, units));
    fe.storeRaw(LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, at, 8), n, ""), at, 8);
  }
};

}  // namespace

std::unique_ptr<Events> makeUnitsEvents(ModuleEmitter &m) { return std::make_unique<WorkerUnits>(m); }

}  // namespace cilkc::cg
