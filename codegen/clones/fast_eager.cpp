// fast_eager.cpp - the eager strategy (Frigo, Leiserson, Randall, PLDI'98, section 4, Figure 3): before the child is
// called, the frame saves its live dirty variables in a closure and pushes it on the deque; after the call it pops, and
// if the frame was stolen meanwhile, returns a dummy.
#include "codegen/clones/procedure.h"
#include "codegen/core/events.h"

namespace cilkc::cg {
namespace {

class FastEager : public FastClone {
public:
  using FastClone::FastClone;

  void emitSpawn(FunctionEmitter &fe, const SpawnStmt &s) override {
    const PlannedSpawn &planned = p.plan.spawn(&s);
    const EntryPoint &e = p.plan.entry(planned.entry);
    met.entry(planned.entry);
    SpawnValues v = evaluate(fe, s);
    QualType type = s.type()->result.unqual();
    bool value = !type->isVoid();
    // A leaf that is cheap is run in place: nothing is pushed for it, since it is over before a thief could come.
    LLVMValueRef leaf = planned.leaf ? ops.all->leaf(planned.callee) : nullptr;
    Address merged;
    LLVMBasicBlockRef done = nullptr;
    if (leaf) {
      if (value) merged = fe.locals.temporary(type, "child");
      LLVMValueRef marked = nullptr;
      RValue r = callMarked(fe, s, v, planned.callee, leaf, merged, marked);
      if (value && r.kind != RValue::Aggregate) fe.memory.storeToLvalue(merged, r);
      LLVMBasicBlockRef real = fe.newBlock("spawn");
      done = fe.newBlock("child.done");
      fe.branch(marked, real, done);
      fe.place(real);
    }
    LLVMValueRef c = closure(fe);
    save(fe, c, e.save, false);
    saveRecord(fe, c, s, v);
    setEntry(fe, c, planned.entry);
    fe.events.spawns(fe, s);
    LLVMValueRef place = ops.push(fe, c);
    fe.setLocation(s.spawned);
    RValue result = fe.calls.emitCallTo(v.callee, s.type(), v.args, v.types, merged, nullptr);
    LLVMValueRef exception = ops.pop(fe, place);

    LLVMBasicBlockRef cold = fe.newBlock("exception"), gone = fe.newBlock("stolen"), go = fe.newBlock("popped");
    fe.branch(exception, cold, go, 0);
    fe.place(cold);
    auto [ptr, size] = resultInMemory(fe, result, s.type()->result);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_pop_exception", fe.t.i32, {ptr, size});
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, verdict, fe.i32c(CILK_CONTINUE), ""), go, gone);
    fe.place(gone);
    fe.emitReturnUndef();
    fe.place(go);
    fe.events.spawnReturned(fe, s);
    if (leaf) {
      if (value && result.kind != RValue::Aggregate) fe.memory.storeToLvalue(merged, result);
      fe.jump(done);
      fe.place(done);
      if (value) result = type->isRecord() ? RValue::aggregate(merged) : fe.memory.load(merged);
    }
    deliver(fe, s, v, result);
  }

protected:
  // Pushed like a frame whose child runs, and given up at once, with all older ones.
  void giveUpFor(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef future, LLVMBasicBlockRef full) override {
    int number = p.plan.entryOf(&s);
    LLVMValueRef c = closure(fe);
    save(fe, c, p.plan.entry(number).save, false);
    setEntry(fe, c, number);
    fe.events.releases(fe);
    ops.push(fe, c);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_touch_leave", fe.t.i32, {future});
    LLVMBasicBlockRef gone = fe.newBlock("gone");
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, verdict, fe.i32c(CILK_CONTINUE), ""), full, gone);
    fe.place(gone);
    fe.emitReturnUndef();
  }
};

}  // namespace

std::unique_ptr<FastClone> makeEagerClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark, size_t) {
  return std::make_unique<FastEager>(p, ops, mark);
}

}  // namespace cilkc::cg
