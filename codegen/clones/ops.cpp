// ops.cpp - the worker's hot part, the free lists and the deque, as IR. The protocol is in rt/core/abi.h, its proof in
// rt/PROTOCOLS.md.
#include <cstddef>
#include "codegen/clones/procedure.h"
#include "codegen/shim/shim.h"

namespace cilkc::cg {

LLVMValueRef RuntimeOps::selfField(size_t offset) { return m.workerField(offset); }

LLVMValueRef RuntimeOps::headerField(FunctionEmitter &fe, LLVMValueRef c, size_t offset) {
  return fe.offsetPtr(c, offset);
}

void RuntimeOps::compilerFence(FunctionEmitter &fe) {
  LLVMBuildFence(fe.builder, LLVMAtomicOrderingSequentiallyConsistent, 1, "");
}

FreeList RuntimeOps::listOf(uint64_t k) {
  return {selfField(offsetof(cilk_worker, free_list) + 8 * k), offsetof(cilk_closure, next)};
}

LLVMValueRef RuntimeOps::allocate(FunctionEmitter &fe, Procedure &p) {
  uint64_t k = (p.plan.closure.size + CILK_FREE_UNIT - 1) / CILK_FREE_UNIT - 1;
  LLVMTypeRef ptr = m.types->ptr;
  if (k >= CILK_FREE_CLASSES || m.options.modes.wants(ModeProperty::ClosuresByRuntime))
    return fe.callRuntime("cilk_rt_closure_alloc", ptr, {p.sig});
  LLVMValueRef closure = listOf(k).take(
      fe, [&](LLVMValueRef c) { fe.storeRaw(p.sig, headerField(fe, c, offsetof(cilk_closure, sig)), 8); },
      [&] { return fe.callRuntime("cilk_rt_closure_alloc", ptr, {p.sig}); });
  compilerFence(fe);                        // the closure's earlier life ends here for the optimiser
  return closure;
}

void RuntimeOps::free(FunctionEmitter &fe, Procedure &p, LLVMValueRef c) {
  uint64_t k = (p.plan.closure.size + CILK_FREE_UNIT - 1) / CILK_FREE_UNIT - 1;
  LLVMTypeRef ptr = m.types->ptr, v = m.types->voidTy;
  if (k >= CILK_FREE_CLASSES || m.options.modes.wants(ModeProperty::ClosuresByRuntime)) {
    fe.callRuntime("cilk_rt_closure_free", v, {c});
    return;
  }
  if (const ClosureLayout &l = p.plan.closure; !l.zoned.empty())
    fe.callRuntime("__asan_unpoison_memory_region", v,
        {fe.offsetPtr(c, l.zonesBegin), fe.i64c(static_cast<int64_t>(l.zonesEnd - l.zonesBegin))});
  compilerFence(fe);
  LLVMBasicBlockRef done = fe.newBlock("freed"), plain = fe.newBlock("free");
  if (p.plan.residents) {  // then the closure may own memory
    LLVMBasicBlockRef blocks = fe.newBlock("free.blocks");
    LLVMValueRef chain = fe.loadRaw(ptr, headerField(fe, c, offsetof(cilk_closure, blocks)), 8);
    fe.branch(LLVMBuildIsNull(fe.builder, chain, ""), plain, blocks, 1);
    fe.place(blocks);
    fe.callRuntime("cilk_rt_closure_free", v, {c});
    fe.jump(done);
  } else {
    fe.jump(plain);
  }
  fe.place(plain);
  listOf(k).give(fe, c);
  fe.jump(done);
  fe.place(done);
}

// T: the closure is stored first, then the new tail with release order; pairs with the thief's acquire load of T.
LLVMValueRef RuntimeOps::push(FunctionEmitter &fe, LLVMValueRef c) {
  LLVMTypeRef ptr = m.types->ptr;
  LLVMValueRef place = fe.loadRaw(ptr, selfField(offsetof(cilk_worker, tail)), 8);
  runtimeStore(fe.builder, c, place, 8, m.options.sanitizeThread ? LLVMAtomicOrderingMonotonic : plainOrder);
  runtimeStore(fe.builder, fe.offsetPtr(place, 8), selfField(offsetof(cilk_worker, tail)), 8,
      LLVMAtomicOrderingRelease);
  return place;
}

LLVMValueRef RuntimeOps::pop(FunctionEmitter &fe, LLVMValueRef place, bool fenced) {
  LLVMTypeRef ptr = m.types->ptr;
  LLVMValueRef tail = selfField(offsetof(cilk_worker, tail)), exc = selfField(offsetof(cilk_worker, exc));
  if (m.options.sanitizeThread || fenced) {
    // No asymmetric barrier under the sanitizer and in slow clones: a sequentially consistent exchange and load.
    runtimeExchange(fe.builder, place, tail, LLVMAtomicOrderingSequentiallyConsistent);
    LLVMValueRef e = runtimeLoad(fe.builder, ptr, exc, 8, LLVMAtomicOrderingSequentiallyConsistent, "exc");
    return LLVMBuildICmp(fe.builder, LLVMIntUGT, e, place, "exception");
  }
  // a thief may read T from here: it sees the slots of the closures below
  runtimeStore(fe.builder, place, tail, 8, LLVMAtomicOrderingRelease);
  compilerFence(fe);                        // the machine fence is the thief's membarrier(2)
  // Nothing is read on the strength of it: an exception takes the lock.
  LLVMValueRef e = runtimeLoad(fe.builder, ptr, exc, 8, LLVMAtomicOrderingMonotonic, "exc");
  return LLVMBuildICmp(fe.builder, LLVMIntUGT, e, place, "exception");
}

LLVMValueRef RuntimeOps::releaseFlag(FunctionEmitter &fe) {
  LLVMValueRef f = runtimeLoad(fe.builder, m.types->i32, selfField(offsetof(cilk_worker, release)), 4,
      LLVMAtomicOrderingMonotonic, "release");
  return LLVMBuildICmp(fe.builder, LLVMIntNE, f, LLVMConstNull(m.types->i32), "wanted");
}

}  // namespace cilkc::cg
