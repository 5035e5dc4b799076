// fast_eager.cpp - the eager strategy (Frigo, Leiserson, Randall, PLDI'98, section 4, Figure 3): before the child is called, the frame saves its live dirty
// variables in a closure and pushes it on the deque; after the call it pops, and if the frame was stolen meanwhile, returns a dummy.
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

class FastEager : public FastClone {
public:
  using FastClone::FastClone;

  void emitSpawn(FunctionEmitter &fe, const SpawnSite &s) override {
    const EntryPoint &e = p.flow.entries[s.spawn->entry];
    SpawnValues v = evaluate(fe, s);
    LLVMValueRef c = closure(fe);
    save(fe, c, e.save, false);
    saveRecord(fe, c, s, v);
    setEntry(fe, c, s.spawn->entry);
    LLVMValueRef place = ops.push(fe, c);
    RValue result = callChild(fe, s, v, v.callee);
    LLVMValueRef exception = ops.pop(fe, place);

    LLVMBasicBlockRef cold = fe.newBlock("exception"), gone = fe.newBlock("stolen"), go = fe.newBlock("popped");
    fe.branch(exception, cold, go, 0);
    fe.close();
    fe.place(cold);
    auto [ptr, size] = resultInMemory(fe, result, s.procType()->result);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_pop_exception", fe.t.i32, {ptr, size});
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, verdict, fe.i32c(CILK_CONTINUE), ""), go, gone);
    fe.close();
    fe.place(gone);
    fe.emitReturnUndef();
    fe.place(go);
    deliver(fe, s, v, result);
  }
};

}  // namespace

void emitFastEager(Procedure &p, RuntimeOps &ops) {
  FastEager strategy(p, ops);
  FunctionEmitter fe(p.m, p.fast, p.fn, strategy);
  fe.begin();
  fe.bindParameters(p.m.types->abi(p.type));
  fe.emitBody(*p.fn->def);
  fe.finish();
}

}  // namespace cilkc::cg
