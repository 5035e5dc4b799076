// slow.cpp - the slow clone: `void f.slow(cilk_worker *self, cilk_closure *c)` resumes the instance at c->entry and
// carries all that parallelism costs (PLDI'98 section 4). It always has its closure, pushes at every spawn under both
// strategies, asks the runtime at every sync, and returns its value through cilk_rt_return.
//
// Receivers and whatever inlets touch are the slots themselves here: a delivery may change them at any spawn or sync.
// The other variables are ordinary locals, saved before every spawn and sync where they are live and restored at the
// entry switch. Control enters in the middle of statements, so no lifetime markers, and dynamic blocks of scopes go
// only when the instance returns.
#include <algorithm>
#include "codegen/clones/procedure.h"
#include "codegen/core/futures.h"

namespace cilkc::cg {
namespace {

class SlowBody : public SlotBody {
public:
  using SlotBody::SlotBody;

  bool lifetimeMarkers() const override { return false; }

  void prologue(FunctionEmitter &fe) override {
    useClosure(fe, LLVMGetParam(fe.function, 1));
    fe.events.resumes(fe);
    if (p.m.options.debugLevel > 1 && !p.m.optimizing())
      for (auto *v : p.fn->params) fe.locals.variable(v);       // shown also where the text does not name them
    setConstants(fe);
    if (p.plan.closure.returnSize) returnSlot = fe.offsetPtr(c, p.plan.closure.returnOffset);
    LLVMBasicBlockRef bad = fe.newBlock("entry.bad");
    exit = fe.newBlock("leave");
    afterSync = fe.newBlock("returning");
    implicitSync = fe.newBlock("implicit.sync");
    LLVMValueRef entry = fe.loadRaw(fe.t.i32, ops.headerField(fe, c, offsetof(cilk_closure, entry)), 4);
    entrySwitch = LLVMBuildSwitch(fe.builder, entry, bad, static_cast<unsigned>(p.plan.entries.size()));
    fe.place(bad);
    LLVMBuildUnreachable(fe.builder);
  }

  void beforeStmt(FunctionEmitter &fe, const Stmt *s) override {
    CloneBody::beforeStmt(fe, s);
    if (!strategyInfo(p.m.options.spawn).has(StrategyProperty::TestsBeforeSpawn)) return;
    auto it = p.plan.before.find(s);
    if (it == p.plan.before.end()) return;
    fe.ensureOpen();
    entryPoint(fe, it->second);
  }

  void emitSpawn(FunctionEmitter &fe, const SpawnStmt &s) override {
    int number = p.plan.spawn(&s).entry;
    const EntryPoint &e = p.plan.entry(number);
    SpawnValues v = evaluate(fe, s);
    save(fe, c, e.live, true);
    saveRecord(fe, c, s, v);
    setEntry(fe, c, number);
    fe.events.spawns(fe, s);
    LLVMValueRef place = ops.push(fe, c);
    RValue result = callChild(fe, s, v, v.callee);
    LLVMValueRef exception = ops.pop(fe, place, true);

    LLVMBasicBlockRef cold = fe.newBlock("exception"), go = fe.newBlock("popped");
    fe.branch(exception, cold, go, 0);
    fe.place(cold);
    auto [ptr, size] = resultInMemory(fe, result, s.type()->result);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_pop_exception", fe.t.i32, {ptr, size});
    LLVMBasicBlockRef dropped = fe.newBlock("dropped"), skip = fe.newBlock("after");
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, exit, 2);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
    LLVMAddCase(sw, fe.i32c(CILK_SKIP), dropped);
    fe.place(dropped);
    fe.events.resumes(fe);
    // its waiter goes on
    if (s.fills) filled(fe, s, v.receiver.ptr ? v.receiver : fe.lvalues.emitLvalue(s.receiver()));
    fe.jump(skip);
    fe.place(go);
    fe.events.spawnReturned(fe, s);
    deliver(fe, s, v, result);
    fe.ensureOpen();
    entryPoint(fe, number, skip);
  }

  void emitSync(FunctionEmitter &fe, const SyncStmt *s) override {
    int number = p.plan.entryOf(s);
    const EntryPoint &e = p.plan.entry(number);
    if (!e.mayBeOutstanding) {               // ends a thread even so, as it does in the fast clone
      met.entry(number);
      fe.events.syncs(fe, s);
      fe.events.synced(fe);
      return;
    }
    save(fe, c, e.live, true);
    sync(fe, number, s);
    entryPoint(fe, number);
    fe.events.synced(fe);
  }


  // Resumed before it looks again.
  void emitTouch(FunctionEmitter &fe, const TouchStmt &s) override {
    int number = p.plan.entryOf(&s);
    fe.ensureOpen();
    entryPoint(fe, number);
    LLVMBasicBlockRef go = fe.newBlock("touched");
    LLVMValueRef future = s.future ? fe.lvalues.emitLvalue(s.future).ptr : slot(fe, c, s.renewed);
    if (s.future) {
      LLVMBasicBlockRef wait = fe.newBlock("touch");
      // a call that was waited for: its views come into this strand's map
      LLVMBasicBlockRef full = s.own && s.own->hidden ? fe.newBlock("joined") : go;
      fe.branch(isFull(fe, future, false), full, wait);
      if (full != go) {
        fe.place(full);
        fe.callRuntime("cilk_rt_view_joined", fe.t.voidTy, {c});
        fe.jump(go);
      }
      fe.place(wait);
    }
    fe.events.waits(fe, s);
    save(fe, c, p.plan.entry(number).live, true);
    setEntry(fe, c, number);
    LLVMValueRef verdict = s.future
                               ? fe.callRuntime("cilk_rt_touch", fe.t.i32, {c, future})
                               : fe.callRuntime("cilk_rt_renew", fe.t.i32,
                                     {c, future, fe.i64c(static_cast<int64_t>(slotSize(s.renewed, p.m.ast.target)))});
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, verdict, fe.i32c(CILK_CONTINUE), ""), go, exit);
    fe.place(go);
    tellTouched(fe, s, future);
  }

  // The return expression is evaluated before the implicit sync, and waits in its slot.
  void emitReturn(FunctionEmitter &fe, const ReturnStmt *s) override {
    if (s->value) {
      if (p.plan.closure.returnSize) {
        Address a;
        a.ptr = returnSlot;
        a.align = heapAlign(fe.t.align(p.type->result));
        a.type = p.type->result.unqual();
        a.own = true;
        fe.exprs.emitInto(s->value, a);
      } else {
        fe.exprs.emitIgnored(s->value);
      }
    }
    leave(fe, p.plan.ending(s).outstanding);
  }
  void fallOff(FunctionEmitter &fe) override {
    if (!fe.open()) return;
    // The closure is old memory: falling off the end gives 0, as main has to.
    if (p.plan.closure.returnSize)
      fe.zeroFill(returnSlot, heapAlign(fe.t.align(p.type->result)),
          fe.i64c(static_cast<int64_t>(p.plan.closure.returnSize)));
    leave(fe, p.plan.end.outstanding);
  }
  unsigned vlaNumber(const VarDecl *vla) const override {
    return 1 + static_cast<unsigned>(std::find(p.fn->locals.begin(), p.fn->locals.end(), vla) - p.fn->locals.begin());
  }
  // A mark would not survive a suspension; where none can come before the end of the VLA's scope (home Scratch) it does
  // its work.
  LLVMValueRef dynamicMark(FunctionEmitter &fe, const VarDecl *vla) override {
    return p.plan.home(vla) == VarHome::Scratch ? CloneBody::dynamicMark(fe, vla) : nullptr;
  }

  // After the body: the implicit sync, the return, the way out.
  void tail(FunctionEmitter &fe) {
    fe.place(implicitSync);
    if (p.plan.returnEntry) {
      sync(fe, p.plan.returnEntry, nullptr);
      LLVMBasicBlockRef resume = fe.newBlock("resume.return");
      fe.jump(resume);
      fe.place(resume);
      fe.events.synced(fe);
      fe.jump(afterSync);
      resumes(fe, p.plan.returnEntry, resume);
    } else {
      fe.jump(afterSync);
    }
    fe.place(afterSync);
    fe.events.procedureEnds(fe);
    LLVMValueRef value = LLVMConstNull(fe.t.ptr);
    if (p.plan.closure.returnSize) {  // out of the closure, which the runtime takes apart
      Address copy = fe.locals.temporary(p.type->result.unqual(), "value");
      fe.copyBytes(copy.ptr, copy.align, returnSlot, heapAlign(fe.t.align(p.type->result)),
          fe.i64c(static_cast<int64_t>(p.plan.closure.returnSize)));
      value = copy.ptr;
    }
    fe.callRuntime("cilk_rt_return", fe.t.voidTy, {c, value, fe.i64c(static_cast<int64_t>(p.plan.closure.returnSize))});
    fe.jump(exit);
    fe.place(exit);
    LLVMBuildRetVoid(fe.builder);
  }

protected:
  void begins(FunctionEmitter &fe, const SpawnStmt &s, const Address &receiver) override {
    LLVMValueRef value = receiver.ptr ? receiver.ptr : fe.lvalues.emitLvalue(s.receiver()).ptr;
    fe.callRuntime("cilk_rt_begin", fe.t.voidTy, {futureAround(fe, value)});
  }

private:
  LLVMValueRef entrySwitch = nullptr, returnSlot = nullptr;
  LLVMBasicBlockRef exit = nullptr, afterSync = nullptr, implicitSync = nullptr;

  void resumes(FunctionEmitter &fe, int number, LLVMBasicBlockRef at) {
    met.entry(number);
    LLVMAddCase(entrySwitch, fe.i32c(number), at);
  }

  // Control comes here from above, or from the entry switch after restoring what is live.
  void entryPoint(FunctionEmitter &fe, int number, LLVMBasicBlockRef skip = nullptr) {
    LLVMBasicBlockRef resume = fe.newBlock("resume"), go = fe.newBlock("continue");
    fe.jump(go);
    if (skip) {
      fe.place(skip);
      fe.jump(go);
    }
    fe.place(resume);
    restore(fe, c, p.plan.entry(number).live);
    fe.jump(go);
    resumes(fe, number, resume);
    fe.place(go);
  }

  // Asks the runtime; leaves when it says so. The state is saved already.
  void sync(FunctionEmitter &fe, int entry, const SyncStmt *s) {
    setEntry(fe, c, entry);
    fe.events.syncs(fe, s);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_sync", fe.t.i32, {c});
    LLVMBasicBlockRef synced = fe.newBlock("synced");
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, verdict, fe.i32c(CILK_CONTINUE), ""), synced, exit);
    fe.place(synced);
  }

  void leave(FunctionEmitter &fe, bool outstanding) {
    fe.scopes.unwindScopes(0);
    fe.jump(outstanding ? implicitSync : afterSync);
  }
};

}  // namespace

void emitSlow(Procedure &p, RuntimeOps &ops) {
  SlowBody strategy(p, ops);
  FunctionEmitter fe(p.m, p.slow, p.fn, strategy);
  fe.begin();
  // the text before the first entry point is emitted, too: loops come back to it
  fe.ensureOpen();
  fe.emitBody(*p.fn->def);
  strategy.tail(fe);
  strategy.met.checkWhole(p.m, "slow clone", true);
  leaveUnoptimized(p, p.slow);
  fe.finish();
  verifySlow(p);
}

}  // namespace cilkc::cg
