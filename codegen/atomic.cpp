// atomic.cpp - objects of atomic type: plain reads and writes are sequentially consistent, compound assignments are one compare-and-exchange loop (C17 6.5.16.2 p3).
// Sizes that the machine has an instruction for are done on an integer of that size; the others by the generic functions of libatomic.
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
LLVMValueRef FunctionEmitter::atomicLoadAt(LLVMTypeRef type, LLVMValueRef p, uint32_t align, LLVMAtomicOrdering order, Range where) {
  access(p, i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, type))), AccessMode::Read, AccessKind::Atomic, where);
  LLVMValueRef v = loadRaw(type, p, align);
  LLVMSetOrdering(v, order);
  return v;
}
LLVMValueRef FunctionEmitter::atomicStoreAt(LLVMValueRef value, LLVMValueRef p, uint32_t align, LLVMAtomicOrdering order, Range where) {
  access(p, i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(value)))), AccessMode::Write, AccessKind::Atomic, where);
  LLVMValueRef s = storeRaw(value, p, align);
  LLVMSetOrdering(s, order);
  return s;
}
LLVMValueRef FunctionEmitter::atomicRmwAt(LLVMAtomicRMWBinOp op, LLVMValueRef p, LLVMValueRef value, LLVMAtomicOrdering order, Range where) {
  access(p, i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(value)))), AccessMode::ReadWrite, AccessKind::Atomic, where);
  return LLVMBuildAtomicRMW(builder, op, p, value, order, false);
}
LLVMValueRef FunctionEmitter::atomicCmpXchgAt(LLVMValueRef p, LLVMValueRef expected, LLVMValueRef desired, LLVMAtomicOrdering success,
    LLVMAtomicOrdering failure, Range where) {
  access(p, i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(desired)))), AccessMode::ReadWrite, AccessKind::Atomic, where);
  return LLVMBuildAtomicCmpXchg(builder, p, expected, desired, success, failure, false);
}

RValue FunctionEmitter::loadAtomic(const Address &a) {
  access(a, AccessMode::Read, AccessKind::Atomic);
  Address plain = a;
  plain.type = a.type.unqual();
  if (LLVMTypeRef it = lockFree(t, a)) {
    LLVMValueRef v = loadRaw(it, a.ptr, atomicAlign(t, a));
    LLVMSetOrdering(v, LLVMAtomicOrderingSequentiallyConsistent);
    if (a.isVolatile()) LLVMSetVolatile(v, true);
    if (a.type->isPointer()) return RValue::scalar(LLVMBuildIntToPtr(builder, v, t.ptr, ""));
    if (a.type->isInteger()) return RValue::scalar(fromMemory(v, a.type.type));
    Address tmp = temporary(a.type.unqual(), "atomic");
    storeRaw(v, tmp.ptr, tmp.align);
    return load(tmp);
  }
  Address tmp = temporary(a.type.unqual(), "atomic");
  callRuntime("__atomic_load", t.voidTy, {i64c(static_cast<int64_t>(t.size(a.type))), a.ptr, tmp.ptr, i32c(5)});
  return load(tmp);
}

void FunctionEmitter::storeAtomic(const Address &a, const RValue &v) {
  access(a, AccessMode::Write, AccessKind::Atomic);
  if (LLVMTypeRef it = lockFree(t, a)) {
    LLVMValueRef x;
    if (v.kind == RValue::Scalar && a.type->isInteger()) x = toMemory(v.value, a.type.type);
    else if (v.kind == RValue::Scalar && a.type->isPointer()) x = LLVMBuildPtrToInt(builder, v.value, it, "");
    else {
      Address tmp = temporary(a.type.unqual(), "atomic");
      storeToLvalue(tmp, v);
      x = loadRaw(it, tmp.ptr, tmp.align);
    }
    LLVMValueRef s = storeRaw(x, a.ptr, atomicAlign(t, a));
    LLVMSetOrdering(s, LLVMAtomicOrderingSequentiallyConsistent);
    if (a.isVolatile()) LLVMSetVolatile(s, true);
    return;
  }
  Address tmp = temporary(a.type.unqual(), "atomic");
  storeToLvalue(tmp, v);
  callRuntime("__atomic_store", t.voidTy, {i64c(static_cast<int64_t>(t.size(a.type))), a.ptr, tmp.ptr, i32c(5)});
}

// object = compute(object), atomically. Returns the new value, or the old one.
RValue FunctionEmitter::atomicUpdate(const Address &object, const std::function<RValue(const RValue &)> &compute, bool returnOld) {
  access(object, AccessMode::ReadWrite, AccessKind::Atomic);  // one access, however often it is tried
  Address a = object;
  a.own = true;
  QualType q = a.type.unqual();
  Address expected = temporary(q, "expected"), desired = temporary(q, "desired");
  storeToLvalue(expected, loadAtomic(a));
  LLVMBasicBlockRef loop = newBlock("atomic.loop"), end = newBlock("atomic.end");
  place(loop);
  RValue old = load(expected);
  storeToLvalue(desired, compute(old));
  if (LLVMTypeRef it = lockFree(t, a)) {
    LLVMValueRef e = loadRaw(it, expected.ptr, expected.align), d = loadRaw(it, desired.ptr, desired.align);
    LLVMValueRef r = LLVMBuildAtomicCmpXchg(builder, a.ptr, e, d, LLVMAtomicOrderingSequentiallyConsistent, LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMSetAlignment(r, atomicAlign(t, a));
    if (a.isVolatile()) LLVMSetVolatile(r, true);
    LLVMValueRef ok = LLVMBuildExtractValue(builder, r, 1, "");
    LLVMBasicBlockRef fail = newBlock("atomic.fail");
    branch(ok, end, fail);
    place(fail);
    storeRaw(LLVMBuildExtractValue(builder, r, 0, ""), expected.ptr, expected.align);
    jump(loop);
  } else {
    LLVMValueRef ok =
        callRuntime("__atomic_compare_exchange", t.i8, {i64c(static_cast<int64_t>(t.size(q))), a.ptr, expected.ptr, desired.ptr, i32c(5), i32c(5)});
    branch(LLVMBuildICmp(builder, LLVMIntNE, ok, LLVMConstNull(t.i8), ""), end, loop);
  }
  place(end);
  return load(returnOld ? expected : desired);
}

}  // namespace cilkc::cg
