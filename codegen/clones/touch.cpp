// touch.cpp - futures in the clones. A future is its state, the list of those who wait, and the value (rt/core/abi.h,
// cilk_future).
//
// In a fast clone no child is out, so the futures that it has spawned into have their values: a touch of its own is a
// load, and where the variable's address is not taken the optimiser finds even the state to be known. A touch of
// another's is a load and a branch; if the child is still under way the frame becomes a closure, as at a release or a
// steal, and waits in its slow clone. There a touch is an entry point.
#include "codegen/clones/procedure.h"
#include "codegen/core/events.h"
#include "codegen/serial/futures.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

// Visible to every worker that learns of the child: the push, or the release, comes after it.
void CloneBody::begins(FunctionEmitter &fe, const SpawnStmt &s, const Address &receiver) {
  LLVMValueRef value = receiver.ptr ? receiver.ptr : fe.lvalues.emitLvalue(s.receiver()).ptr;
  fe.storeRaw(fe.i64c(CILK_FUTURE_PENDING), futureAround(fe, value), 8);
}

void CloneBody::filled(FunctionEmitter &fe, const SpawnStmt &, const Address &receiver) {
  fe.callRuntime("cilk_rt_fill", fe.t.voidTy, {futureAround(fe, receiver.ptr)});
}

LLVMValueRef CloneBody::isFull(FunctionEmitter &fe, LLVMValueRef future, bool own) {
  LLVMValueRef state = fe.loadRaw(fe.t.i64, future, 8);
  if (!own) LLVMSetOrdering(state, LLVMAtomicOrderingAcquire);  // pairs with the release of what fills it
  return LLVMBuildICmp(fe.builder, LLVMIntEQ, state, fe.i64c(CILK_FUTURE_FULL), "full");
}

// No worker waits: only the child itself, which is done, knew that it is under way.
void FastClone::filled(FunctionEmitter &fe, const SpawnStmt &s, const Address &receiver) {
  LLVMValueRef future = futureAround(fe, receiver.ptr);
  if (reportsFutures(fe)) fe.events.fills(fe, s, future);
  LLVMValueRef store = fe.storeRaw(fe.i64c(CILK_FUTURE_FULL), future, 8);
  if (auto *v = baseVariable(s.receiver()); !v || slots.count(v)) LLVMSetOrdering(store, LLVMAtomicOrderingRelease);
}

}  // namespace cilkc::cg
