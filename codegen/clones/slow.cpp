// slow.cpp - the slow clone: `void f.slow(cilk_worker *self, cilk_closure *c)` resumes the instance at c->entry and
// carries all that parallelism costs (PLDI'98 section 4). It always has its closure, pushes at every spawn under both
// strategies, asks the runtime at every sync, and returns its value through cilk_rt_return.
//
// Receivers and whatever inlets touch are the slots themselves here: a delivery may change them at any spawn or sync.
// The other variables are ordinary locals, saved before every spawn and sync where they are live and restored at the
// entry switch. Control enters in the middle of statements, so no lifetime markers, and dynamic blocks of scopes go
// only when the instance returns.
#include <algorithm>
#include <cstddef>
#include "codegen/clones/procedure.h"
#include "codegen/serial/futures.h"

namespace cilkc::cg {
namespace {

class SlowBody : public SlotBody {
public:
  using SlotBody::SlotBody;

  bool lifetimeMarkers() const override { return false; }
  LLVMValueRef viewsOfStrand() const override { return views; }

  void prologue(FunctionEmitter &fe) override {
    useClosure(fe, LLVMGetParam(fe.function, 1));
    views = fe.entryAlloca(fe.t.ptr, 8, "views");               // stored where a strand begins
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
    emitBefore(fe, s);
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
    fe.bookkeeping();
    if (p.plan.returnEntry) emitSite(fe, p.plan.returnEntry);
    fe.place(afterSync);
    fe.setLocation(p.fn->def->body->closing);
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
    fe.bookkeeping();
    LLVMBuildRetVoid(fe.builder);
  }

protected:
  void begins(FunctionEmitter &fe, const SpawnStmt &s, const Address &receiver) override {
    LLVMValueRef value = receiver.ptr ? receiver.ptr : fe.lvalues.emitLvalue(s.receiver()).ptr;
    fe.callRuntime("cilk_rt_begin", fe.t.voidTy, {futureAround(fe, value)});
  }

private:
  void strandBegins(FunctionEmitter &fe) const {
    fe.storeRaw(fe.loadRaw(fe.t.ptr, p.m.workerField(offsetof(cilk_worker, views)), 8), views, 8);
  }

  LLVMValueRef entrySwitch = nullptr, returnSlot = nullptr, views = nullptr;
  LLVMBasicBlockRef exit = nullptr, afterSync = nullptr, implicitSync = nullptr;

  LLVMBasicBlockRef exitBlock() const override { return exit; }
  void giveUp(FunctionEmitter &fe) override { fe.jump(exit); }

#define SLOW_STEP(id, word) void on##id(At &) override;
#include "frontend/plan/steps.def"
  void leave(FunctionEmitter &fe, bool outstanding) {
    fe.scopes.unwindScopes(0);
    fe.jump(outstanding ? implicitSync : afterSync);
  }
};

// Control comes here from above, or from the entry switch after restoring what is live.
void SlowBody::onResume(At &at) {
  FunctionEmitter &fe = at.fe;
  bool returns = at.entry.kind == EntryPoint::AtReturn;  // nothing is live there
  LLVMBasicBlockRef resume = fe.newBlock(returns ? "resume.return" : "resume");
  LLVMBasicBlockRef go = returns ? resume : fe.newBlock("continue");
  fe.ensureOpen();
  fe.jump(go);
  if (at.after) {
    fe.place(at.after);
    fe.jump(go);
  }
  fe.place(resume);
  fe.bookkeeping();
  if (!returns) {
    restore(fe, c, at.entry.live);
    fe.place(go);
    strandBegins(fe);
  }
  met.entry(at.number);
  LLVMAddCase(entrySwitch, fe.i32c(at.number), resume);
}

void SlowBody::onSkip(At &at) {
  FunctionEmitter &fe = at.fe;
  const SpawnStmt &s = at.spawn();
  fe.events.resumes(fe);
  // its waiter goes on
  if (s.fills) filled(fe, s, at.values.receiver.ptr ? at.values.receiver : fe.lvalues.emitLvalue(s.receiver()));
  fe.jump(at.after = fe.newBlock("after"));
}

void SlowBody::onWait(At &at) {
  FunctionEmitter &fe = at.fe;
  fe.events.syncs(fe, at.entry.stmt ? at.entry.stmt->as<SyncStmt>() : nullptr);
  decide(at, fe.callRuntime("cilk_rt_sync", fe.t.i32, {c}), "synced");
}
void SlowBody::onSynced(At &at) { at.fe.events.synced(at.fe); }

void SlowBody::onWaits(At &at) { at.fe.events.waits(at.fe, at.touch()); }
void SlowBody::onAwait(At &at) {
  FunctionEmitter &fe = at.fe;
  const TouchStmt &s = at.touch();
  LLVMValueRef verdict = s.future
                             ? fe.callRuntime("cilk_rt_touch", fe.t.i32, {c, at.future})
                             : fe.callRuntime("cilk_rt_renew", fe.t.i32,
                                   {c, at.future, fe.i64c(static_cast<int64_t>(slotSize(s.renewed, p.m.ast.target)))});
  decide(at, verdict, "touched");
}

}  // namespace

void emitSlow(Procedure &p, RuntimeOps &ops) {
  SlowBody strategy(p, ops);
  FunctionEmitter fe(p.m, p.slow, p.fn, strategy);
  fe.begin(false);
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
