// builtin_atomic.cpp - __sync_*, __atomic_* and __c11_atomic_*. What sema leaves stands at the top of sema/builtin/atomic.cpp: a pointer first, values of the
// pointee's type, byte counts for pointer arithmetic. Sizes without an instruction go to libatomic.
#include <algorithm>
#include "codegen/core/function.h"

namespace cilkc::cg {

static LLVMAtomicOrdering ordering(int64_t o) {
  switch (o & 0xffff) {
    case 0: return LLVMAtomicOrderingMonotonic;
    case 1:
    case 2: return LLVMAtomicOrderingAcquire;
    case 3: return LLVMAtomicOrderingRelease;
    case 4: return LLVMAtomicOrderingAcquireRelease;
    default: return LLVMAtomicOrderingSequentiallyConsistent;
  }
}

bool FunctionEmitter::emitAtomicBuiltin(const Call *e, std::string_view name, RValue &out) {
  const auto &args = e->args;
  bool isSync = name.starts_with("__sync_"), c11 = name.starts_with("__c11_atomic_");
  std::string_view op = name.substr(isSync ? 7 : c11 ? 13 : 9);
  auto give = [&](LLVMValueRef v) {
    out = RValue::scalar(v);
    return true;
  };
  // A memory order that is not constant is taken as the strongest.
  auto order = [&](size_t i) {
    if (i >= args.size()) return LLVMAtomicOrderingSequentiallyConsistent;
    auto c = evaluate(args[i], m.ast, EvalMode::Fold);
    if (!c || c->kind != ConstValue::Int) {
      emitIgnored(args[i]);
      return LLVMAtomicOrderingSequentiallyConsistent;
    }
    return ordering(static_cast<int64_t>(c->i));
  };
  if (op == "synchronize") {
    LLVMBuildFence(builder, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    return true;
  }
  if (op == "thread_fence" || op == "signal_fence") {
    LLVMAtomicOrdering o = order(0);
    if (o != LLVMAtomicOrderingMonotonic) LLVMBuildFence(builder, o, op == "signal_fence", "");
    return true;
  }
  if (op == "always_lock_free" || op == "is_lock_free") {
    auto c = evaluate(args[0], m.ast, EvalMode::Fold);
    if (c && c->kind == ConstValue::Int && (c->i == 1 || c->i == 2 || c->i == 4 || c->i == 8)) return give(LLVMConstInt(t.i1, 1, false));
    if (op == "always_lock_free") return give(LLVMConstInt(t.i1, 0, false));
    LLVMValueRef n = emitScalar(args[0]), p = args.size() > 1 ? emitScalar(args[1]) : LLVMConstNull(t.ptr);
    return give(LLVMBuildICmp(builder, LLVMIntNE, callRuntime("__atomic_is_lock_free", t.i32, {n, p}), i32c(0), ""));
  }

  LLVMValueRef p = emitScalar(args[0]);
  QualType q = args[0]->type->as<PointerType>()->pointee;
  bool isVolatile = q.isVolatile();
  q = q.unqual();
  if (op == "test_and_set" || op == "clear") {
    LLVMAtomicOrdering o = order(1);
    if (op == "clear") {
      if (o == LLVMAtomicOrderingAcquire || o == LLVMAtomicOrderingAcquireRelease) o = LLVMAtomicOrderingSequentiallyConsistent;
      atomicStoreAt(LLVMConstInt(t.i8, 0, false), p, 1, o, e->range);
      return true;
    }
    LLVMValueRef old = atomicRmwAt(LLVMAtomicRMWBinOpXchg, p, LLVMConstInt(t.i8, 1, false), o, e->range);
    return give(LLVMBuildICmp(builder, LLVMIntNE, old, LLVMConstNull(t.i8), ""));
  }
  uint64_t size = t.size(q);
  bool direct = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  LLVMTypeRef it = direct ? t.intN(static_cast<unsigned>(size * 8)) : nullptr;
  uint32_t align = static_cast<uint32_t>(size);
  // Values as integers of the object's size, and back.
  auto bits = [&](const RValue &v) -> LLVMValueRef {
    if (v.kind == RValue::Scalar) {
      LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(v.value));
      if (k == LLVMPointerTypeKind) return LLVMBuildPtrToInt(builder, v.value, it, "");
      if (k == LLVMIntegerTypeKind) return LLVMTypeOf(v.value) == it ? v.value : LLVMBuildIntCast2(builder, v.value, it, false, "");
    }
    Address tmp = temporary(q, "atomic");
    storeToLvalue(tmp, v);
    return loadRaw(it, tmp.ptr, tmp.align);
  };
  auto unbits = [&](LLVMValueRef v) -> RValue {
    if (q->isPointer()) return RValue::scalar(LLVMBuildIntToPtr(builder, v, t.ptr, ""));
    if (q->isInteger()) return RValue::scalar(fromMemory(v, q.type));
    Address tmp = temporary(q, "atomic");
    storeRaw(v, tmp.ptr, tmp.align);
    return load(tmp);
  };
  auto loadBits = [&](LLVMValueRef from) { return loadAt(it, from, t.align(q), e->range); };
  auto finishRmw = [&](LLVMValueRef r) {
    if (isVolatile) LLVMSetVolatile(r, true);
    return r;
  };
  LLVMValueRef sizeArg = i64c(static_cast<int64_t>(size));
  auto loaded = [&](LLVMValueRef from) {                        // out of a temporary
    Address a{from, t.align(q), q};
    a.own = true;
    return load(a);
  };
  auto inMemory = [&](const RValue &v) {
    Address tmp = temporary(q, "atomic");
    storeToLvalue(tmp, v);
    return tmp.ptr;
  };

  // ---- loads, stores, exchange ----
  if (op == "load_n" || op == "load") {
    bool byRef = op == "load" && !c11;
    LLVMValueRef to = byRef ? emitScalar(args[1]) : nullptr;
    LLVMAtomicOrdering o = order(byRef ? 2 : 1);
    if (o == LLVMAtomicOrderingRelease || o == LLVMAtomicOrderingAcquireRelease) o = LLVMAtomicOrderingSequentiallyConsistent;
    if (!direct) {
      LLVMValueRef dest = byRef ? to : temporary(q, "atomic").ptr;
      callRuntime("__atomic_load", t.voidTy, {sizeArg, p, dest, i32c(5)});
      access(p, sizeArg, AccessMode::Read, AccessKind::Atomic, e->range);
      if (byRef) access(dest, sizeArg, AccessMode::Write, AccessKind::Plain, e->range);
      else out = loaded(dest);
      return true;
    }
    LLVMValueRef v = finishRmw(atomicLoadAt(it, p, align, o, e->range));
    if (byRef) storeAt(v, to, t.align(q), e->range);
    else out = unbits(v);
    return true;
  }
  if (op == "store_n" || op == "store" || op == "init" || op == "lock_release") {
    bool byRef = op == "store" && !c11;
    RValue v;
    LLVMValueRef from = nullptr;
    if (op == "lock_release") v = RValue::scalar(q->isPointer() ? LLVMConstNull(t.ptr) : LLVMConstNull(it));
    else if (byRef) from = emitScalar(args[1]);
    else v = emitExpr(args[1]);
    LLVMAtomicOrdering o = op == "lock_release" ? LLVMAtomicOrderingRelease : op == "init" ? LLVMAtomicOrderingMonotonic : order(2);
    if (o == LLVMAtomicOrderingAcquire || o == LLVMAtomicOrderingAcquireRelease) o = LLVMAtomicOrderingSequentiallyConsistent;
    if (!direct) {
      if (byRef) access(from, sizeArg, AccessMode::Read, AccessKind::Plain, e->range);
      callRuntime("__atomic_store", t.voidTy, {sizeArg, p, byRef ? from : inMemory(v), i32c(5)});
      access(p, sizeArg, AccessMode::Write, AccessKind::Atomic, e->range);
      return true;
    }
    finishRmw(atomicStoreAt(byRef ? loadBits(from) : bits(v), p, align, o, e->range));
    return true;
  }
  if (op == "exchange_n" || op == "exchange" || op == "lock_test_and_set") {
    bool byRef = op == "exchange" && !c11;
    LLVMValueRef from = nullptr, to = nullptr;
    RValue v;
    if (byRef) {
      from = emitScalar(args[1]);
      to = emitScalar(args[2]);
    } else v = emitExpr(args[1]);
    LLVMAtomicOrdering o = isSync ? LLVMAtomicOrderingSequentiallyConsistent : order(byRef ? 3 : 2);
    if (!direct) {
      LLVMValueRef dest = byRef ? to : temporary(q, "atomic").ptr;
      if (byRef) access(from, sizeArg, AccessMode::Read, AccessKind::Plain, e->range);
      callRuntime("__atomic_exchange", t.voidTy, {sizeArg, p, byRef ? from : inMemory(v), dest, i32c(5)});
      access(p, sizeArg, AccessMode::ReadWrite, AccessKind::Atomic, e->range);
      if (byRef) access(dest, sizeArg, AccessMode::Write, AccessKind::Plain, e->range);
      else out = loaded(dest);
      return true;
    }
    LLVMValueRef r = finishRmw(atomicRmwAt(LLVMAtomicRMWBinOpXchg, p, byRef ? loadBits(from) : bits(v), o, e->range));
    if (byRef) storeAt(r, to, t.align(q), e->range);
    else out = unbits(r);
    return true;
  }

  // ---- compare and exchange ----
  if (op == "bool_compare_and_swap" || op == "val_compare_and_swap") {
    LLVMValueRef expected = bits(emitExpr(args[1])), desired = bits(emitExpr(args[2]));
    LLVMValueRef r =
        finishRmw(atomicCmpXchgAt(p, expected, desired, LLVMAtomicOrderingSequentiallyConsistent, LLVMAtomicOrderingSequentiallyConsistent, e->range));
    if (op[0] == 'b') return give(LLVMBuildExtractValue(builder, r, 1, ""));
    out = unbits(LLVMBuildExtractValue(builder, r, 0, ""));
    return true;
  }
  if (op.starts_with("compare_exchange")) {
    bool byRef = op == "compare_exchange";
    LLVMValueRef expectedP = emitScalar(args[1]);
    LLVMValueRef desiredP = byRef ? emitScalar(args[2]) : nullptr;
    RValue desired;
    if (!byRef) desired = emitExpr(args[2]);
    bool weak = op.ends_with("weak");
    if (!c11) {
      auto w = evaluate(args[3], m.ast, EvalMode::Fold);
      weak = w && w->kind == ConstValue::Int && w->i;
      if (!w) emitIgnored(args[3]);
    }
    LLVMAtomicOrdering success = order(c11 ? 3 : 4), failure = order(c11 ? 4 : 5);
    if (failure == LLVMAtomicOrderingRelease || failure == LLVMAtomicOrderingAcquireRelease) failure = LLVMAtomicOrderingAcquire;
    if (!direct) {
      LLVMValueRef ok = callRuntime("__atomic_compare_exchange", t.i8, {sizeArg, p, expectedP, byRef ? desiredP : inMemory(desired), i32c(5), i32c(5)});
      access(p, sizeArg, AccessMode::ReadWrite, AccessKind::Atomic, e->range);
      access(expectedP, sizeArg, AccessMode::ReadWrite, AccessKind::Plain, e->range);
      if (byRef) access(desiredP, sizeArg, AccessMode::Read, AccessKind::Plain, e->range);
      return give(LLVMBuildICmp(builder, LLVMIntNE, ok, LLVMConstNull(t.i8), ""));
    }
    LLVMValueRef ex = loadBits(expectedP), de = byRef ? loadBits(desiredP) : bits(desired);
    LLVMValueRef r = finishRmw(atomicCmpXchgAt(p, ex, de, success, failure, e->range));
    if (weak) LLVMSetWeak(r, true);
    LLVMValueRef ok = LLVMBuildExtractValue(builder, r, 1, "");
    LLVMBasicBlockRef fail = newBlock("cmpxchg.fail"), end = newBlock("cmpxchg.end");
    branch(ok, end, fail);
    place(fail);
    storeAt(LLVMBuildExtractValue(builder, r, 0, ""), expectedP, t.align(q), e->range);
    place(end);
    return give(ok);
  }

  // ---- read, modify, write ----
  bool newValue = op.ends_with("_fetch") || op.ends_with("_and_fetch");
  std::string_view what = op;
  if (what.starts_with("fetch_and_") && isSync) what.remove_prefix(10);
  else if (what.starts_with("fetch_")) what.remove_prefix(6);
  else what = what.substr(0, what.find('_'));
  static const std::pair<std::string_view, LLVMAtomicRMWBinOp> ops[] = {{"add", LLVMAtomicRMWBinOpAdd}, {"sub", LLVMAtomicRMWBinOpSub},
      {"and", LLVMAtomicRMWBinOpAnd}, {"or", LLVMAtomicRMWBinOpOr}, {"xor", LLVMAtomicRMWBinOpXor}, {"nand", LLVMAtomicRMWBinOpNand}};
  for (auto &o : ops) {
    if (o.first != what || !direct) continue;
    RValue v = emitExpr(args[1]);
    LLVMAtomicOrdering ord = isSync ? LLVMAtomicOrderingSequentiallyConsistent : order(2);
    if (!q->isInteger() && !q->isPointer()) {                   // floating: add and sub of C11
      LLVMAtomicRMWBinOp fop = what == "add" ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpFSub;
      LLVMValueRef r = finishRmw(atomicRmwAt(fop, p, v.value, ord, e->range));
      if (newValue) r = what == "add" ? LLVMBuildFAdd(builder, r, v.value, "") : LLVMBuildFSub(builder, r, v.value, "");
      return give(r);
    }
    LLVMValueRef x = bits(v);
    LLVMValueRef r = finishRmw(atomicRmwAt(o.second, p, x, ord, e->range));
    if (newValue) {
      if (what == "add") r = LLVMBuildAdd(builder, r, x, "");
      else if (what == "sub") r = LLVMBuildSub(builder, r, x, "");
      else if (what == "and") r = LLVMBuildAnd(builder, r, x, "");
      else if (what == "or") r = LLVMBuildOr(builder, r, x, "");
      else if (what == "xor") r = LLVMBuildXor(builder, r, x, "");
      else r = LLVMBuildNot(builder, LLVMBuildAnd(builder, r, x, ""), "");
    }
    out = unbits(r);
    return true;
  }
  m.impossible(e->range, "'" + std::string(name) + "'");
}

}  // namespace cilkc::cg
