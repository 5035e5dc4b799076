// atomic.cpp - __sync_*, __atomic_* and __c11_atomic_*. What sema leaves is described at the top of
// sema/c/builtin/atomic.cpp: a pointer first, values of the pointee's type, byte counts for pointer arithmetic. Sizes
// without an instruction go to libatomic.
#include <algorithm>
#include "codegen/core/function.h"

namespace cilkc::cg {

namespace {

LLVMAtomicOrdering ordering(int64_t o) {
  switch (o & 0xffff) {
    case 0: return LLVMAtomicOrderingMonotonic;
    case 1:
    case 2: return LLVMAtomicOrderingAcquire;
    case 3: return LLVMAtomicOrderingRelease;
    case 4: return LLVMAtomicOrderingAcquireRelease;
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

// One call of the family. Of the three spellings of an operation, "_n" and __c11_ have values as arguments, the generic
// one of __atomic_ addresses (byRef).
class AtomicCall {
public:
  AtomicCall(FunctionEmitter &f, const Call *e, std::string_view name)
      : f(f), m(f.m), t(f.t), b(f.builder), e(e), args(e->args), name(name), isSync(name.starts_with("__sync_")),
        c11(name.starts_with("__c11_atomic_")), op(name.substr(isSync ? 7
                                                               : c11  ? 13
                                                                      : 9)) {}

  RValue emit() {
    if (op == "synchronize") {
      LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
      return {};
    }
    if (op == "thread_fence" || op == "signal_fence") {
      LLVMAtomicOrdering o = order(0);
      if (o != LLVMAtomicOrderingMonotonic) LLVMBuildFence(b, o, op == "signal_fence", "");
      return {};
    }
    if (op == "always_lock_free" || op == "is_lock_free") return lockFree();

    p = f.exprs.emitScalar(args[0]);
    q = args[0]->type->as<PointerType>()->pointee;
    isVolatile = q.isVolatile();
    q = q.unqual();
    if (op == "test_and_set" || op == "clear") return flag();
    size = t.size(q);
    direct = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
    it = direct ? t.intN(static_cast<unsigned>(size * 8)) : nullptr;
    sizeArg = f.i64c(static_cast<int64_t>(size));

    if (op == "load_n" || op == "load") return loadOp();
    if (op == "store_n" || op == "store" || op == "init" || op == "lock_release") return storeOp();
    if (op == "exchange_n" || op == "exchange" || op == "lock_test_and_set") return exchange();
    if (op == "bool_compare_and_swap" || op == "val_compare_and_swap") return compareAndSwap();
    if (op.starts_with("compare_exchange")) return compareExchange();
    return readModifyWrite();
  }

private:
  FunctionEmitter &f;
  ModuleEmitter &m;
  TypeLowering &t;
  LLVMBuilderRef b;
  const Call *e;
  const std::vector<Expr *> &args;
  std::string_view name;
  bool isSync, c11;
  std::string_view op;
  // The object: its address, type, size; it is its type as an integer where the processor has instructions for it
  // (direct).
  LLVMValueRef p = nullptr;
  QualType q;
  bool isVolatile = false, direct = false;
  uint64_t size = 0;
  LLVMTypeRef it = nullptr;
  LLVMValueRef sizeArg = nullptr;

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
    if (op == "always_lock_free") return RValue::scalar(LLVMConstInt(t.i1, 0, false));
    LLVMValueRef n = f.exprs.emitScalar(args[0]),
                 at = args.size() > 1 ? f.exprs.emitScalar(args[1]) : LLVMConstNull(t.ptr);
    return RValue::scalar(
        LLVMBuildICmp(b, LLVMIntNE, f.callRuntime("__atomic_is_lock_free", t.i32, {n, at}), f.i32c(0), ""));
  }

  RValue flag() {
    LLVMAtomicOrdering o = order(1);
    if (op == "clear") {
      f.atomics.atomicStoreAt(LLVMConstInt(t.i8, 0, false), p, 1, forStore(o), e->range);
      return {};
    }
    LLVMValueRef old = f.atomics.atomicRmwAt(LLVMAtomicRMWBinOpXchg, p, LLVMConstInt(t.i8, 1, false), o, e->range);
    return RValue::scalar(LLVMBuildICmp(b, LLVMIntNE, old, LLVMConstNull(t.i8), ""));
  }

  RValue loadOp() {
    bool byRef = op == "load" && !c11;
    LLVMValueRef to = byRef ? f.exprs.emitScalar(args[1]) : nullptr;
    LLVMAtomicOrdering o = forLoad(order(byRef ? 2 : 1));
    if (!direct) {
      LLVMValueRef dest = byRef ? to : f.locals.temporary(q, "atomic").ptr;
      f.callRuntime("__atomic_load", t.voidTy, {sizeArg, p, dest, f.i32c(5)});
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
    bool byRef = op == "store" && !c11;
    RValue v;
    LLVMValueRef from = nullptr;
    if (op == "lock_release") v = RValue::scalar(q->isPointer() ? LLVMConstNull(t.ptr) : LLVMConstNull(it));
    else if (byRef) from = f.exprs.emitScalar(args[1]);
    else v = f.exprs.emitExpr(args[1]);
    LLVMAtomicOrdering o = op == "lock_release" ? LLVMAtomicOrderingRelease
                           : op == "init"       ? LLVMAtomicOrderingMonotonic
                                                : order(2);
    if (!direct) {
      if (byRef) besides(from, AccessMode::Read);
      f.callRuntime("__atomic_store", t.voidTy, {sizeArg, p, byRef ? from : inMemory(v), f.i32c(5)});
      accessed(AccessMode::Write);
      return {};
    }
    finish(f.atomics.atomicStoreAt(byRef ? loadBits(from) : bits(v), p, static_cast<uint32_t>(size), forStore(o),
        e->range));
    return {};
  }

  RValue exchange() {
    bool byRef = op == "exchange" && !c11;
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
      f.callRuntime("__atomic_exchange", t.voidTy, {sizeArg, p, byRef ? from : inMemory(v), dest, f.i32c(5)});
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
    if (op[0] == 'b') return RValue::scalar(LLVMBuildExtractValue(b, r, 1, ""));
    return unbits(LLVMBuildExtractValue(b, r, 0, ""));
  }

  RValue compareExchange() {
    bool byRef = op == "compare_exchange";
    LLVMValueRef expectedP = f.exprs.emitScalar(args[1]);
    LLVMValueRef desiredP = byRef ? f.exprs.emitScalar(args[2]) : nullptr;
    RValue desired;
    if (!byRef) desired = f.exprs.emitExpr(args[2]);
    bool weak = op.ends_with("weak");
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
          {sizeArg, p, expectedP, byRef ? desiredP : inMemory(desired), f.i32c(5), f.i32c(5)});
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

  RValue readModifyWrite() {
    static const std::pair<std::string_view, LLVMAtomicRMWBinOp> ops[] = {{"add", LLVMAtomicRMWBinOpAdd},
        {"sub", LLVMAtomicRMWBinOpSub}, {"and", LLVMAtomicRMWBinOpAnd}, {"or", LLVMAtomicRMWBinOpOr},
        {"xor", LLVMAtomicRMWBinOpXor}, {"nand", LLVMAtomicRMWBinOpNand}};
    bool newValue = op.ends_with("_fetch");
    std::string_view what = op;
    if (what.starts_with("fetch_and_") && isSync) what.remove_prefix(10);
    else if (what.starts_with("fetch_")) what.remove_prefix(6);
    else what = what.substr(0, what.find('_'));
    auto row = std::find_if(std::begin(ops), std::end(ops), [&](auto &o) { return o.first == what; });
    if (row == std::end(ops) || !direct) m.impossible(e->range, "'" + std::string(name) + "'");
    LLVMAtomicRMWBinOp rmw = row->second;
    RValue v = f.exprs.emitExpr(args[1]);
    LLVMAtomicOrdering ord = isSync ? LLVMAtomicOrderingSequentiallyConsistent : order(2);
    bool floating = !q->isInteger() && !q->isPointer();  // add and sub of C11
    if (floating) rmw = rmw == LLVMAtomicRMWBinOpAdd ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpFSub;
    LLVMValueRef x = floating ? v.value : bits(v);
    LLVMValueRef r = finish(f.atomics.atomicRmwAt(rmw, p, x, ord, e->range));
    if (newValue) r = applied(rmw, r, x);
    return floating ? RValue::scalar(r) : unbits(r);
  }
};

}  // namespace

RValue Builtins::emitAtomicBuiltin(const Call *e, std::string_view name) { return AtomicCall(fe, e, name).emit(); }

}  // namespace cilkc::cg
