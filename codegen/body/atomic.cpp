// atomic.cpp - objects of atomic type: plain reads and writes are sequentially consistent, compound assignments are one
// compare-and-exchange loop (C17 6.5.16.2 p3). Sizes that the machine has an instruction for are done on an integer of
// that size; the others by the generic functions of libatomic.
#include "codegen/core/function.h"

namespace cilkc::cg {

// The integer type of an access that needs no library; nullptr otherwise.
static LLVMTypeRef lockFree(TypeLowering &t, const Address &a) {
  uint64_t n = t.size(a.type);
  if (n != 1 && n != 2 && n != 4 && n != 8) return nullptr;
  return t.intN(static_cast<unsigned>(n * 8));
}

static uint32_t atomicAlign(TypeLowering &t, const Address &a) {
  uint64_t n = t.size(a.type);
  return std::max<uint32_t>(a.align, static_cast<uint32_t>(n));
}

// The instructions on memory that is given by its pointer: __atomic_* and __sync_*, and the accesses below.
LLVMValueRef Atomics::atomicLoadAt(LLVMTypeRef type, LLVMValueRef p, uint32_t align, LLVMAtomicOrdering order,
    Range where) {
  fe.memory.access(p, fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, type))), AccessMode::Read,
      AccessKind::Atomic, where);
  LLVMValueRef v = fe.loadRaw(type, p, align);
  LLVMSetOrdering(v, order);
  return v;
}
LLVMValueRef Atomics::atomicStoreAt(LLVMValueRef value, LLVMValueRef p, uint32_t align, LLVMAtomicOrdering order,
    Range where) {
  fe.memory.access(p, fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(value)))),
      AccessMode::Write, AccessKind::Atomic, where);
  LLVMValueRef s = fe.storeRaw(value, p, align);
  LLVMSetOrdering(s, order);
  return s;
}
LLVMValueRef Atomics::atomicRmwAt(LLVMAtomicRMWBinOp op, LLVMValueRef p, LLVMValueRef value, LLVMAtomicOrdering order,
    Range where) {
  fe.memory.access(p, fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(value)))),
      AccessMode::ReadWrite, AccessKind::Atomic, where);
  return fe.rmwRaw(op, p, value, order);
}
LLVMValueRef Atomics::atomicCmpXchgAt(LLVMValueRef p, LLVMValueRef expected, LLVMValueRef desired,
    LLVMAtomicOrdering success, LLVMAtomicOrdering failure, Range where) {
  fe.memory.access(p, fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(desired)))),
      AccessMode::ReadWrite, AccessKind::Atomic, where);
  return fe.cmpXchgRaw(p, expected, desired, success, failure);
}

RValue Atomics::loadAtomic(const Address &a) {
  fe.memory.access(a, AccessMode::Read, AccessKind::Atomic);
  Address plain = a;
  plain.type = a.type.unqual();
  if (LLVMTypeRef it = lockFree(t, a)) {
    LLVMValueRef v = fe.loadRaw(it, a.ptr, atomicAlign(t, a));
    LLVMSetOrdering(v, LLVMAtomicOrderingSequentiallyConsistent);
    if (a.isVolatile()) LLVMSetVolatile(v, true);
    if (a.type->isPointer()) return RValue::scalar(LLVMBuildIntToPtr(builder, v, t.ptr, ""));
    if (a.type->isInteger()) return RValue::scalar(fe.memory.fromMemory(v, a.type.type));
    Address tmp = fe.locals.temporary(a.type.unqual(), "atomic");
    fe.storeRaw(v, tmp.ptr, tmp.align);
    return fe.memory.load(tmp);
  }
  Address tmp = fe.locals.temporary(a.type.unqual(), "atomic");
  fe.callRuntime("__atomic_load", t.voidTy,
      {fe.i64c(static_cast<int64_t>(t.size(a.type))), a.ptr, tmp.ptr, fe.i32c(5)});
  return fe.memory.load(tmp);
}

void Atomics::storeAtomic(const Address &a, const RValue &v) {
  fe.memory.access(a, AccessMode::Write, AccessKind::Atomic);
  if (LLVMTypeRef it = lockFree(t, a)) {
    LLVMValueRef x;
    if (v.kind == RValue::Scalar && a.type->isInteger()) x = fe.memory.toMemory(v.value, a.type.type);
    else if (v.kind == RValue::Scalar && a.type->isPointer()) x = LLVMBuildPtrToInt(builder, v.value, it, "");
    else {
      Address tmp = fe.locals.temporary(a.type.unqual(), "atomic");
      fe.memory.storeToLvalue(tmp, v);
      x = fe.loadRaw(it, tmp.ptr, tmp.align);
    }
    LLVMValueRef s = fe.storeRaw(x, a.ptr, atomicAlign(t, a));
    LLVMSetOrdering(s, LLVMAtomicOrderingSequentiallyConsistent);
    if (a.isVolatile()) LLVMSetVolatile(s, true);
    return;
  }
  Address tmp = fe.locals.temporary(a.type.unqual(), "atomic");
  fe.memory.storeToLvalue(tmp, v);
  fe.callRuntime("__atomic_store", t.voidTy,
      {fe.i64c(static_cast<int64_t>(t.size(a.type))), a.ptr, tmp.ptr, fe.i32c(5)});
}

// object = compute(object), atomically. Returns the new value, or the old one.
RValue Atomics::atomicUpdate(const Address &object, const std::function<RValue(const RValue &)> &compute,
    bool returnOld) {
  fe.memory.access(object, AccessMode::ReadWrite, AccessKind::Atomic);  // one access, however often it is tried
  Address a = object;
  a.own = true;
  QualType q = a.type.unqual();
  Address expected = fe.locals.temporary(q, "expected"), desired = fe.locals.temporary(q, "desired");
  fe.memory.storeToLvalue(expected, loadAtomic(a));
  LLVMBasicBlockRef loop = fe.newBlock("atomic.loop"), end = fe.newBlock("atomic.end");
  fe.place(loop);
  RValue old = fe.memory.load(expected);
  fe.memory.storeToLvalue(desired, compute(old));
  if (LLVMTypeRef it = lockFree(t, a)) {
    LLVMValueRef e = fe.loadRaw(it, expected.ptr, expected.align), d = fe.loadRaw(it, desired.ptr, desired.align);
    LLVMValueRef r =
        fe.cmpXchgRaw(a.ptr, e, d, LLVMAtomicOrderingSequentiallyConsistent, LLVMAtomicOrderingSequentiallyConsistent);
    LLVMSetAlignment(r, atomicAlign(t, a));
    if (a.isVolatile()) LLVMSetVolatile(r, true);
    LLVMValueRef ok = LLVMBuildExtractValue(builder, r, 1, "");
    LLVMBasicBlockRef fail = fe.newBlock("atomic.fail");
    fe.branch(ok, end, fail);
    fe.place(fail);
    fe.storeRaw(LLVMBuildExtractValue(builder, r, 0, ""), expected.ptr, expected.align);
    fe.jump(loop);
  } else {
    LLVMValueRef ok = fe.callRuntime("__atomic_compare_exchange", t.i8,
        {fe.i64c(static_cast<int64_t>(t.size(q))), a.ptr, expected.ptr, desired.ptr, fe.i32c(5), fe.i32c(5)});
    fe.branch(LLVMBuildICmp(builder, LLVMIntNE, ok, LLVMConstNull(t.i8), ""), end, loop);
  }
  fe.place(end);
  return fe.memory.load(returnOld ? expected : desired);
}

}  // namespace cilkc::cg
