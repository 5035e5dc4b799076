// fast.cpp - emits fast clones and their copies, and the steps that only they have (frontend/plan/sites.def).
//
// Calls between the procedures of a recursive group are inlined some levels deep (Procedures::copy), and their leaves
// at the deepest level (Procedures::leaf). Every inlined frame keeps its own release paths. After an inlined child no
// flag is read where the child has just read it, or has done next to nothing: its mark says whether it gave up.
#include "codegen/clones/procedure.h"

namespace cilkc::cg {

static void emit(FastClone &clone, Procedure &p, LLVMValueRef function, bool leaf = false) {
  FunctionEmitter fe(p.m, function, p.fn, clone);
  fe.begin();
  fe.bindParameters(p.m.types->abi(p.type));
  clone.setConstants(fe);
  fe.emitBody(*p.fn->def);
  leaf ? clone.met.checkCut(p.m, "leaf copy") : clone.met.checkWhole(p.m, "fast clone", false);
  leaveUnoptimized(p, function);
  fe.finish();
  if (!leaf) verifyFast(p, function, clone.closureHolder());
}

static LLVMValueRef markOf(LLVMValueRef copy) { return LLVMGetParam(copy, LLVMCountParams(copy) - 1); }

void emitFast(Procedure &p, RuntimeOps &ops) {
  FastClone clone(p, ops, nullptr, p.plan.levels);
  emit(clone, p, p.fast);
}

void emitFastCopy(Procedure &p, RuntimeOps &ops, LLVMValueRef copy, size_t levels) {
  FastClone clone(p, ops, markOf(copy), levels);
  emit(clone, p, copy);
}

void emitLeafCopy(Procedure &p, RuntimeOps &ops, LLVMValueRef copy) {
  emit(*makeLeafClone(p, ops, markOf(copy)), p, copy, true);
}

// ---- steps --------------------------------------------------------------------------------------------------------

void FastClone::onTake(At &at) { at.closure = closure(at.fe); }
void FastClone::onSaveDelivered(At &at) { save(at.fe, at.closure, at.entry.saveDelivered, false); }
void FastClone::onEnds(At &at) { at.fe.events.releases(at.fe); }

// ---- the child

LLVMValueRef FastClone::callMarked(At &at, const FunctionDecl *callee, LLVMValueRef copy) {
  FunctionEmitter &fe = at.fe;
  LLVMValueRef byte = fe.entryAlloca(fe.t.i8, 1, "mark");
  fe.storeRaw(LLVMConstInt(fe.t.i8, 0, 0), byte, 1);
  std::vector<RValue> args = at.values.args;
  std::vector<QualType> types = at.values.types;
  const FunctionType *type = ops.all->markedType(callee);
  args.push_back(RValue::scalar(byte));
  types.push_back(type->params.back());
  fe.setLocation(at.spawn().spawned);
  at.result = fe.calls.emitCallTo(copy, type, args, types, at.merged, nullptr);
  return LLVMBuildICmp(fe.builder, LLVMIntNE, fe.loadRaw(fe.t.i8, byte, 1), LLVMConstNull(fe.t.i8), "marked");
}

void FastClone::mergeResults(At &at) {
  QualType type = at.spawn().type()->result.unqual();
  if (!type->isVoid()) at.merged = at.fe.locals.temporary(type, "child");
}
void FastClone::keepResult(At &at) {
  if (at.merged.ptr && at.result.kind != RValue::Aggregate) at.fe.memory.storeToLvalue(at.merged, at.result);
}
void FastClone::loadResult(At &at) {
  if (!at.merged.ptr) at.result = {};
  else at.result = at.merged.type->isRecord() ? RValue::aggregate(at.merged) : at.fe.memory.load(at.merged);
}

// A leaf that is cheap is run in place: nothing is pushed for it, since it is over before a thief could come.
void FastClone::onRunLeaf(At &at) {
  FunctionEmitter &fe = at.fe;
  const FunctionDecl *callee = p.plan.spawn(&at.spawn()).callee;
  LLVMValueRef leaf = ops.all->leaf(callee);
  mergeResults(at);
  LLVMValueRef marked = callMarked(at, callee, leaf);
  keepResult(at);
  LLVMBasicBlockRef real = fe.newBlock("spawn");
  at.join = fe.newBlock("child.done");
  fe.branch(marked, real, at.join);
  fe.place(real);
}

void FastClone::onJoin(At &at) {
  keepResult(at);
  at.fe.place(at.join);
  loadResult(at);
}

// asked: i1, true where the runtime has to be asked before the result is used.
void FastClone::onChild(At &at) {
  FunctionEmitter &fe = at.fe;
  const PlannedSpawn &planned = p.plan.spawn(&at.spawn());
  const FunctionDecl *callee = planned.callee;
  Procedures &all = *ops.all;
  if (planned.expands && levels > 0) {
    at.asked = callMarked(at, callee, all.copy(callee, levels - 1));
    if (!all.of(callee).plan.cheap) at.asked = LLVMBuildOr(fe.builder, ops.releaseFlag(fe), at.asked, "");
    return;
  }
  LLVMValueRef leaf = planned.leaf ? all.leaf(callee) : nullptr;
  if (!leaf) return onCall(at);
  bool cheap = all.of(callee).plan.leafCheap;
  mergeResults(at);
  LLVMValueRef want = fe.entryAlloca(fe.t.i8, 1, "asked");
  auto note = [&](LLVMValueRef i1) { fe.storeRaw(LLVMBuildZExt(fe.builder, i1, fe.t.i8, ""), want, 1); };
  LLVMValueRef marked = callMarked(at, callee, leaf);
  keepResult(at);
  LLVMBasicBlockRef real = fe.newBlock("spawn"), small = fe.newBlock("leaf"), done = fe.newBlock("child.done");
  fe.branch(marked, real, small);
  fe.place(small);
  note(cheap ? LLVMConstInt(fe.t.i1, 0, 0) : ops.releaseFlag(fe));
  fe.jump(done);
  fe.place(real);
  if (callee->isLoop && !callee->inPieces) at.values.args[0] = fe.memory.load(at.merged);
  onCall(at);
  keepResult(at);
  note(ops.releaseFlag(fe));
  fe.place(done);
  at.asked = LLVMBuildICmp(fe.builder, LLVMIntNE, fe.loadRaw(fe.t.i8, want, 1), LLVMConstNull(fe.t.i8), "asked");
  loadResult(at);
}

// ---- releases

void FastClone::onTest(At &at) {
  at.fe.branch(at.asked ? at.asked : ops.releaseFlag(at.fe), at.arms[0].second, at.goOn("unasked"), 0);
}

// Where nothing is pushed, a thief has to ask first. Modes that see each frame see each range halved.
LLVMValueRef FastClone::emitWanted(FunctionEmitter &fe, bool begun) {
  const bool inPlace = p.m.options.modes.wants(ModeProperty::EventsInPlace);
  if (inPlace || !does(p.plan.strategy, Step::ReleaseFrame) || p.fn->pedigree) return CloneBody::emitWanted(fe, begun);
  LLVMValueRef wanted = LLVMBuildZExt(fe.builder, ops.releaseFlag(fe), fe.t.i32, "");
  return fe.callIntrinsic("llvm.expect", {fe.t.i32}, {wanted, fe.i32c(0)});
}

static LLVMValueRef askRelease(At &at, cilk_release_point where) {
  return at.fe.callRuntime("cilk_rt_release", at.fe.t.i32, {at.fe.i32c(where)});
}
void FastClone::onAskAtSpawn(At &at) { decide(at, askRelease(at, CILK_AT_SPAWN), "unasked"); }
void FastClone::onAskAfterCall(At &at) { decide(at, askRelease(at, CILK_AFTER_CALL), "unasked"); }
void FastClone::onAskAtTouch(At &at) {
  decide(at, at.fe.callRuntime("cilk_rt_touch_test", at.fe.t.i32, {at.future}), "touched");
}
void FastClone::onLeaveAll(At &at) {
  decide(at, at.fe.callRuntime("cilk_rt_touch_leave", at.fe.t.i32, {at.future}), "touched");
}

void FastClone::onReleaseFrame(At &at) {
  FunctionEmitter &fe = at.fe;
  at.closure = fe.callRuntime("cilk_rt_release_frame", fe.t.ptr, {p.sig, ownClosure(fe), fe.i32c(at.number)});
}

void FastClone::onDrop(At &at) {
  FunctionEmitter &fe = at.fe;
  LLVMBasicBlockRef have = fe.newBlock("closure.give"), none = fe.newBlock("closure.none");
  LLVMValueRef c = ownClosure(fe);
  fe.branch(LLVMBuildIsNull(fe.builder, c, ""), none, have);
  fe.place(have);
  fe.callRuntime("cilk_rt_closure_free", fe.t.voidTy, {c});
  fe.place(none);
}

void FastClone::onCheck(At &at) {
  FunctionEmitter &fe = at.fe;
  LLVMBasicBlockRef go = fe.newBlock("touched"), cold = fe.newBlock("empty");
  fe.branch(isFull(fe, at.future, true), go, cold, 1);
  fe.place(cold);
  // its address would keep it out of registers
  fe.callRuntime("cilk_rt_touch_empty", fe.t.voidTy, {LLVMConstNull(fe.t.ptr)});
  LLVMBuildUnreachable(fe.builder);
  fe.place(go);
}

}  // namespace cilkc::cg
