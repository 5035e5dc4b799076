// atomic.cpp - __sync_*, __atomic_* and __c11_atomic_*. What sema leaves is described at the top of
// sema/c/builtin/atomic.cpp: a pointer first, values of the pointee's type, byte counts for pointer arithmetic. Sizes
// without an instruction go to libatomic.
#include "codegen/core/function.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::cg {

namespace {

LLVMAtomicOrdering ordering(int64_t o) {
  switch (o & memory_order::mask) {
    case memory_order::relaxed: return LLVMAtomicOrderingMonotonic;
    case memory_order::consume:
    case memory_order::acquire: return LLVMAtomicOrderingAcquire;
    case memory_order::release: return LLVMAtomicOrderingRelease;
    case memory_order::acq_rel: return LLVMAtomicOrderingAcquireRelease;
    default: return LLVMAtomicOrderingSequentiallyConsistent;
  }
}

// Loads know no release, stores no acquire: what a program asks for beyond that is given as the strongest.
LLVMAtomicOrdering forLoad(LLVMAtomicOrdering o) {
  return o == LLVMAtomicOrderingRelease || o == LLVMAtomicOrderingAcquireRelease
             ? LLVMAtomicOrderingSequentiallyConsistent
             : o;
}
LLVMAtomicOrdering forStore(LLVMAtomicOrdering o) {
  return o == LLVMAtomicOrderingAcquire || o == LLVMAtomicOrderingAcquireRelease
             ? LLVMAtomicOrderingSequentiallyConsistent
             : o;
}

// One call: the rows of atomics.def say of what.
class AtomicCall {
public:
  AtomicCall(FunctionEmitter &f, const Call *e, const AtomicInfo &info)
      : f(f), m(f.m), t(f.t), b(f.builder), e(e), args(e->args), info(info), byRef(info.form == AtomicForm::Address),
        isSync(info.group == AtomicGroup::sync), c11(info.group == AtomicGroup::c11_atomic) {}

  RValue emit() {
    switch (info.op) {
      case AtomicOp::Synchronize: LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, ""); return {};
      case AtomicOp::ThreadFence:
      case AtomicOp::SignalFence: {
        LLVMAtomicOrdering o = order(0);
        if (o != LLVMAtomicOrderingMonotonic) LLVMBuildFence(b, o, info.op == AtomicOp::SignalFence, "");
        return {};
      }
      case AtomicOp::AlwaysLockFree:
      case AtomicOp::IsLockFree: return lockFree();
      case AtomicOp::TestAndSet:
      case AtomicOp::Clear: p = f.exprs.emitScalar(args[0]); return flag();
      case AtomicOp::Load: takeObject(); return loadOp();
      case AtomicOp::Store:
      case AtomicOp::Init:
      case AtomicOp::Release: takeObject(); return storeOp();
      case AtomicOp::Exchange: takeObject(); return exchange();
      case AtomicOp::BoolSwap:
      case AtomicOp::ValueSwap: takeObject(); return compareAndSwap();
      case AtomicOp::CompareExchange: takeObject(); return compareExchange();
      case AtomicOp::Add: return readModifyWrite(LLVMAtomicRMWBinOpAdd);
      case AtomicOp::Sub: return readModifyWrite(LLVMAtomicRMWBinOpSub);
      case AtomicOp::And: return readModifyWrite(LLVMAtomicRMWBinOpAnd);
      case AtomicOp::Or: return readModifyWrite(LLVMAtomicRMWBinOpOr);
      case AtomicOp::Xor: return readModifyWrite(LLVMAtomicRMWBinOpXor);
      case AtomicOp::Nand: return readModifyWrite(LLVMAtomicRMWBinOpNand);
    }
    __builtin_unreachable();
  }

private:
  FunctionEmitter &f;
  ModuleEmitter &m;
  TypeLowering &t;
  LLVMBuilderRef b;
  const Call *e;
  const std::vector<Expr *> &args;
  const AtomicInfo &info;
  bool byRef, isSync, c11;
  // The object: its address, type, size; it is its type as an integer where the processor has instructions for it
  // (direct).
  LLVMValueRef p = nullptr;
  QualType q;
  bool isVolatile = false, direct = false;
  uint64_t size = 0;
  LLVMTypeRef it = nullptr;
  LLVMValueRef sizeArg = nullptr;

  void takeObject() {
    p = f.exprs.emitScalar(args[0]);
    q = args[0]->type->as<PointerType>()->pointee;
    isVolatile = q.isVolatile();
    q = q.unqual();
    size = t.size(q);
    direct = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
    it = direct ? t.intN(static_cast<unsigned>(size * 8)) : nullptr;
    sizeArg = f.i64c(static_cast<int64_t>(size));
  }

  // A memory order that is not constant is taken as the strongest.
  LLVMAtomicOrdering order(size_t i) {
    if (i >= args.size()) return LLVMAtomicOrderingSequentiallyConsistent;
    auto c = evaluate(args[i], m.ast, EvalMode::Fold);
    if (!c || c->kind != ConstValue::Int) {
      f.exprs.emitIgnored(args[i]);
      return LLVMAtomicOrderingSequentiallyConsistent;
    }
    return ordering(static_cast<int64_t>(c->i));
  }

  // Values as integers of the object's size, and back.
  LLVMValueRef bits(const RValue &v) {
    if (v.kind == RValue::Scalar) {
      LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(v.value));
      if (k == LLVMPointerTypeKind) return LLVMBuildPtrToInt(b, v.value, it, "");
      if (k == LLVMIntegerTypeKind)
        return LLVMTypeOf(v.value) == it ? v.value : LLVMBuildIntCast2(b, v.value, it, false, "");
    }
    Address tmp = f.locals.temporary(q, "atomic");
    f.memory.storeToLvalue(tmp, v);
    return f.loadRaw(it, tmp.ptr, tmp.align);
  }
  RValue unbits(LLVMValueRef v) {
    if (q->isPointer()) return RValue::scalar(LLVMBuildIntToPtr(b, v, t.ptr, ""));
    if (q->isInteger()) return RValue::scalar(f.memory.fromMemory(v, q.type));
    Address tmp = f.locals.temporary(q, "atomic");
    f.storeRaw(v, tmp.ptr, tmp.align);
    return f.memory.load(tmp);
  }
  LLVMValueRef loadBits(LLVMValueRef from) { return f.memory.loadAt(it, from, t.align(q), e->range); }
  LLVMValueRef finish(LLVMValueRef r) {
    if (isVolatile) LLVMSetVolatile(r, true);
    return r;
  }
  RValue loaded(LLVMValueRef from) {  // out of a temporary
    Address a{from, t.align(q), q};
    a.own = true;
    return f.memory.load(a);
  }
  LLVMValueRef inMemory(const RValue &v) {
    Address tmp = f.locals.temporary(q, "atomic");
    f.memory.storeToLvalue(tmp, v);
    return tmp.ptr;
  }
  // libatomic's access of the object, and those of the memory that it is given for values.
  void accessed(AccessMode mode) { f.memory.access(p, sizeArg, mode, AccessKind::Atomic, e->range); }
  void besides(LLVMValueRef at, AccessMode mode) { f.memory.access(at, sizeArg, mode, AccessKind::Plain, e->range); }

  RValue lockFree() {
    auto c = evaluate(args[0], m.ast, EvalMode::Fold);
    if (c && c->kind == ConstValue::Int && (c->i == 1 || c->i == 2 || c->i == 4 || c->i == 8))
      return RValue::scalar(LLVMConstInt(t.i1, 1, false));
    if (info.op == AtomicOp::AlwaysLockFree) return RValue::scalar(LLVMConstInt(t.i1, 0, false));
    LLVMValueRef n = f.exprs.emitScalar(args[0]),
                 at = args.size() > 1 ? f.exprs.emitScalar(args[1]) : LLVMConstNull(t.ptr);
    return RValue::scalar(
        LLVMBuildICmp(b, LLVMIntNE, f.callRuntime("__atomic_is_lock_free", t.i32, {n, at}), f.i32c(0), ""));
  }

  RValue flag() {
    LLVMAtomicOrdering o = order(1);
    if (info.op == AtomicOp::Clear) {
      f.atomics.atomicStoreAt(LLVMConstInt(t.i8, 0, false), p, 1, forStore(o), e->range);
      return {};
    }
    LLVMValueRef old = f.atomics.atomicRmwAt(LLVMAtomicRMWBinOpXchg, p, LLVMConstInt(t.i8, 1, false), o, e->range);
    return RValue::scalar(LLVMBuildICmp(b, LLVMIntNE, old, LLVMConstNull(t.i8), ""));
  }

  RValue loadOp() {
    LLVMValueRef to = byRef ? f.exprs.emitScalar(args[1]) : nullptr;
    LLVMAtomicOrdering o = forLoad(order(byRef ? 2 : 1));
    if (!direct) {
      LLVMValueRef dest = byRef ? to : f.locals.temporary(q, "atomic").ptr;
      f.callRuntime("__atomic_load", t.voidTy, {sizeArg, p, dest, f.i32c(memory_order::seq_cst)});
      accessed(AccessMode::Read);
      if (!byRef) return loaded(dest);
      besides(dest, AccessMode::Write);
      return {};
    }
    LLVMValueRef v = finish(f.atomics.atomicLoadAt(it, p, static_cast<uint32_t>(size), o, e->range));
    if (!byRef) return unbits(v);
    f.memory.storeAt(v, to, t.align(q), e->range);
    return {};
  }

  RValue storeOp() {
    RValue v;
    LLVMValueRef from = nullptr;
    if (info.op == AtomicOp::Release) v = RValue::scalar(q->isPointer() ? LLVMConstNull(t.ptr) : LLVMConstNull(it));
    else if (byRef) from = f.exprs.emitScalar(args[1]);
    else v = f.exprs.emitExpr(args[1]);
    LLVMAtomicOrdering o = info.op == AtomicOp::Release ? LLVMAtomicOrderingRelease
                           : info.op == AtomicOp::Init  ? LLVMAtomicOrderingMonotonic
                                                        : order(2);
    if (!direct) {
      if (byRef) besides(from, AccessMode::Read);
      f.callRuntime("__atomic_store", t.voidTy,
          {sizeArg, p, byRef ? from : inMemory(v), f.i32c(memory_order::seq_cst)});
      accessed(AccessMode::Write);
      return {};
    }
    finish(f.atomics.atomicStoreAt(byRef ? loadBits(from) : bits(v), p, static_cast<uint32_t>(size), forStore(o),
        e->range));
    return {};
  }

  RValue exchange() {
    LLVMValueRef from = nullptr, to = nullptr;
    RValue v;
    if (byRef) {
      from = f.exprs.emitScalar(args[1]);
      to = f.exprs.emitScalar(args[2]);
    } else v = f.exprs.emitExpr(args[1]);
    LLVMAtomicOrdering o = isSync ? LLVMAtomicOrderingSequentiallyConsistent : order(byRef ? 3 : 2);
    if (!direct) {
      LLVMValueRef dest = byRef ? to : f.locals.temporary(q, "atomic").ptr;
      if (byRef) besides(from, AccessMode::Read);
      f.callRuntime("__atomic_exchange", t.voidTy,
          {sizeArg, p, byRef ? from : inMemory(v), dest, f.i32c(memory_order::seq_cst)});
      accessed(AccessMode::ReadWrite);
      if (!byRef) return loaded(dest);
      besides(dest, AccessMode::Write);
      return {};
    }
    LLVMValueRef r =
        finish(f.atomics.atomicRmwAt(LLVMAtomicRMWBinOpXchg, p, byRef ? loadBits(from) : bits(v), o, e->range));
    if (!byRef) return unbits(r);
    f.memory.storeAt(r, to, t.align(q), e->range);
    return {};
  }

  RValue compareAndSwap() {
    LLVMValueRef expected = bits(f.exprs.emitExpr(args[1])), desired = bits(f.exprs.emitExpr(args[2]));
    LLVMValueRef r = finish(f.atomics.atomicCmpXchgAt(p, expected, desired, LLVMAtomicOrderingSequentiallyConsistent,
        LLVMAtomicOrderingSequentiallyConsistent, e->range));
    if (info.op == AtomicOp::BoolSwap) return RValue::scalar(LLVMBuildExtractValue(b, r, 1, ""));
    return unbits(LLVMBuildExtractValue(b, r, 0, ""));
  }

  RValue compareExchange() {
    LLVMValueRef expectedP = f.exprs.emitScalar(args[1]);
    LLVMValueRef desiredP = byRef ? f.exprs.emitScalar(args[2]) : nullptr;
    RValue desired;
    if (!byRef) desired = f.exprs.emitExpr(args[2]);
    bool weak = info.form == AtomicForm::Weak;
    if (!c11) {
      auto w = evaluate(args[3], m.ast, EvalMode::Fold);
      weak = w && w->kind == ConstValue::Int && w->i;
      if (!w) f.exprs.emitIgnored(args[3]);
    }
    LLVMAtomicOrdering success = order(c11 ? 3 : 4), failure = order(c11 ? 4 : 5);
    if (failure == LLVMAtomicOrderingRelease || failure == LLVMAtomicOrderingAcquireRelease)
      failure = LLVMAtomicOrderingAcquire;
    if (!direct) {
      LLVMValueRef ok = f.callRuntime("__atomic_compare_exchange", t.i8,
          {sizeArg, p, expectedP, byRef ? desiredP : inMemory(desired), f.i32c(memory_order::seq_cst),
              f.i32c(memory_order::seq_cst)});
      accessed(AccessMode::ReadWrite);
      besides(expectedP, AccessMode::ReadWrite);
      if (byRef) besides(desiredP, AccessMode::Read);
      return RValue::scalar(LLVMBuildICmp(b, LLVMIntNE, ok, LLVMConstNull(t.i8), ""));
    }
    LLVMValueRef ex = loadBits(expectedP), de = byRef ? loadBits(desiredP) : bits(desired);
    LLVMValueRef r = finish(f.atomics.atomicCmpXchgAt(p, ex, de, success, failure, e->range));
    if (weak) LLVMSetWeak(r, true);
    LLVMValueRef ok = LLVMBuildExtractValue(b, r, 1, "");
    LLVMBasicBlockRef fail = f.newBlock("cmpxchg.fail"), end = f.newBlock("cmpxchg.end");
    f.branch(ok, end, fail);
    f.place(fail);
    f.memory.storeAt(LLVMBuildExtractValue(b, r, 0, ""), expectedP, t.align(q), e->range);
    f.place(end);
    return RValue::scalar(ok);
  }

  // The operation by itself: what the object holds afterwards.
  LLVMValueRef applied(LLVMAtomicRMWBinOp what, LLVMValueRef old, LLVMValueRef x) {
    switch (what) {
      case LLVMAtomicRMWBinOpAdd: return LLVMBuildAdd(b, old, x, "");
      case LLVMAtomicRMWBinOpSub: return LLVMBuildSub(b, old, x, "");
      case LLVMAtomicRMWBinOpAnd: return LLVMBuildAnd(b, old, x, "");
      case LLVMAtomicRMWBinOpOr: return LLVMBuildOr(b, old, x, "");
      case LLVMAtomicRMWBinOpXor: return LLVMBuildXor(b, old, x, "");
      case LLVMAtomicRMWBinOpFAdd: return LLVMBuildFAdd(b, old, x, "");
      case LLVMAtomicRMWBinOpFSub: return LLVMBuildFSub(b, old, x, "");
      default: return LLVMBuildNot(b, LLVMBuildAnd(b, old, x, ""), "");  // nand
    }
  }

  RValue readModifyWrite(LLVMAtomicRMWBinOp rmw) {
    takeObject();
    if (!direct) m.impossible(e->range, "an atomic operation on such an object");
    RValue v = f.exprs.emitExpr(args[1]);
    LLVMAtomicOrdering ord = isSync ? LLVMAtomicOrderingSequentiallyConsistent : order(2);
    bool floating = !q->isInteger() && !q->isPointer();  // add and sub of C11
    if (floating) rmw = rmw == LLVMAtomicRMWBinOpAdd ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpFSub;
    LLVMValueRef x = floating ? v.value : bits(v);
    LLVMValueRef r = finish(f.atomics.atomicRmwAt(rmw, p, x, ord, e->range));
    if (info.form == AtomicForm::New) r = applied(rmw, r, x);
    return floating ? RValue::scalar(r) : unbits(r);
  }
};

}  // namespace

RValue Builtins::emitAtomicBuiltin(const Call *e, const AtomicInfo &info) { return AtomicCall(fe, e, info).emit(); }

}  // namespace cilkc::cg
