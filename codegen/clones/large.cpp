// large.cpp - procedures with very many entry points (ClonePlan::large). Their code is made small: of the code around a spawn, all that is not run for
// every spawn is in functions of its own, made once per procedure or module. Nothing is saved and restored, since all that is live at an entry point has its home
// in the closure; receivers are reached through the record, so that one deliver function serves all spawns that deliver in the same way.
//
// The optimiser, some of whose passes take more than linear time over such functions, leaves both clones alone.
#include <cstddef>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

struct Helper {
  Helper(ModuleEmitter &m, const std::string &name, LLVMTypeRef result, std::vector<LLVMTypeRef> params)
      : function(m.makeRawFunction(name, LLVMFunctionType(result, params.data(), static_cast<unsigned>(params.size()), 0), LLVMInternalLinkage)),
        fe(m, function, nullptr, plain) {
    // Not "cold": a cold call weighs on the probability of the entry switch, once for each of its cases, and each time all cases are looked at.
    m.attributes.attr(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), "noinline");
    fe.begin();
  }
  LLVMValueRef parameter(unsigned i) { return LLVMGetParam(function, i); }
  void result(LLVMValueRef v) { LLVMBuildRet(fe.builder, v); }
  LLVMValueRef finish() {
    fe.finish();
    return function;
  }
  LLVMValueRef function;
  BodyStrategy plain;
  FunctionEmitter fe;
};

}  // namespace

void leaveUnoptimized(Procedure &p, LLVMValueRef function) {
  if (!p.plan.large) return;
  for (const char *a : {"noinline", "optnone"}) p.m.attributes.attr(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), a);
}

// i32 f.asked(closure, entry, result, delivers): what a lazy fast clone does after a call when the release flag is up. CILK_CONTINUE: go on;
// CILK_INITIATE: the caller delivers, puts the frame on the chain and gives up; otherwise it only has to give up. With `delivers` it is never the second.
LLVMValueRef LargeOps::asked(Procedure &p) {
  auto &f = askedFunctions[&p];
  if (f) return f;
  TypeLowering &t = *p.m.types;
  Helper h(p.m, p.name() + ".asked", t.i32, {t.ptr, t.i32, t.ptr, t.i1});
  FunctionEmitter &fe = h.fe;
  LLVMValueRef c = h.parameter(0), entry = h.parameter(1);
  LLVMBasicBlockRef go = fe.newBlock("unasked"), initiate = fe.newBlock("initiate"), caller = fe.newBlock("caller"), deliver = fe.newBlock("deliver"),
                    call = fe.newBlock("call"), propagate = fe.newBlock("propagate"), unwind = fe.newBlock("unwind");
  LLVMValueRef verdict = fe.callRuntime("cilk_rt_release", t.i32, {fe.i32c(CILK_AFTER_CALL)});
  LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, unwind, 3);
  LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
  LLVMAddCase(sw, fe.i32c(CILK_INITIATE), initiate);
  LLVMAddCase(sw, fe.i32c(CILK_PROPAGATE), propagate);
  fe.place(go);
  h.result(fe.i32c(CILK_CONTINUE));
  fe.place(initiate);
  fe.branch(h.parameter(3), deliver, caller);
  fe.place(caller);
  h.result(fe.i32c(CILK_INITIATE));
  fe.place(deliver);
  LLVMValueRef table = fe.loadRaw(t.ptr, fe.offsetPtr(p.sig, offsetof(cilk_sig, entries)), 8);
  LLVMValueRef at = LLVMBuildMul(fe.builder, LLVMBuildZExt(fe.builder, entry, t.i64, ""), fe.i64c(sizeof(cilk_entry)), "");
  LLVMValueRef record = LLVMBuildInBoundsGEP2(fe.builder, t.i8, table, &at, 1, "");
  LLVMValueRef function = fe.loadRaw(t.ptr, fe.offsetPtr(record, offsetof(cilk_entry, deliver)), 8);
  fe.branch(LLVMBuildIsNull(fe.builder, function, ""), propagate, call);
  fe.place(call);
  LLVMTypeRef params[] = {t.ptr, t.ptr, t.ptr};
  fe.call(LLVMFunctionType(t.voidTy, params, 3, 0), function, {c, fe.offsetPtr(c, p.plan.closure.recordOffset), h.parameter(2)}, "");
  fe.jump(propagate);
  fe.place(propagate);
  fe.callRuntime("cilk_rt_release_frame", t.ptr, {p.sig, c, entry});
  h.result(fe.i32c(CILK_PROPAGATE));
  fe.place(unwind);
  fe.callRuntime("cilk_rt_closure_free", t.voidTy, {c});
  h.result(fe.i32c(CILK_UNWIND));
  return f = h.finish();
}

// ptr cilk.push(closure, entry): the slow clone's push.
LLVMValueRef LargeOps::push(FunctionEmitter &caller, LLVMValueRef c, int entry) {
  TypeLowering &t = *ops.m.types;
  if (!pushFunction) {
    Helper h(ops.m, "cilk.push", t.ptr, {t.ptr, t.i32});
    h.fe.storeRaw(h.parameter(1), ops.headerField(h.fe, h.parameter(0), offsetof(cilk_closure, entry)), 4);
    h.result(ops.push(h.fe, h.parameter(0)));
    pushFunction = h.finish();
  }
  return caller.call(LLVMGlobalGetValueType(pushFunction), pushFunction, {c, caller.i32c(entry)}, "place");
}

// i32 cilk.pop(place, result, size): the slow clone's pop; what cilk_rt_pop_exception says, or CILK_CONTINUE.
LLVMValueRef LargeOps::pop(FunctionEmitter &caller, LLVMValueRef place, LLVMValueRef result, LLVMValueRef size) {
  TypeLowering &t = *ops.m.types;
  if (!popFunction) {
    Helper h(ops.m, "cilk.pop", t.i32, {t.ptr, t.ptr, t.i64});
    FunctionEmitter &fe = h.fe;
    LLVMValueRef exception = ops.pop(fe, h.parameter(0), true);
    if (strategyInfo(ops.m.options.spawn).has(StrategyProperty::Releases)) exception = LLVMBuildOr(fe.builder, exception, ops.releaseFlag(fe), "");
    LLVMBasicBlockRef cold = fe.newBlock("exception"), go = fe.newBlock("popped");
    fe.branch(exception, cold, go, 0);
    fe.place(cold);
    h.result(fe.callRuntime("cilk_rt_pop_exception", t.i32, {h.parameter(1), h.parameter(2)}));
    fe.place(go);
    h.result(fe.i32c(CILK_CONTINUE));
    popFunction = h.finish();
  }
  return caller.call(LLVMGlobalGetValueType(popFunction), popFunction, {place, result, size}, "verdict");
}

}  // namespace cilkc::cg
