// fast_lazy.cpp - the strategies that release (Strumpfen, MIT/LCS/TM-580, section 4): nothing is pushed. After a call,
// one test of the worker's release flag; when a thief asked for work, every fast frame saves itself into a closure and
// returns a dummy, youngest first, down to the scheduler. Tests before spawns are where the plan has them: before every
// spawn (indolent), nowhere (sedative), before a first one (lazy).
//
// Calls between the procedures of a recursive group are inlined some levels deep (Procedures::copy), and their leaves
// at the deepest level (Procedures::leaf). Every inlined frame keeps its own release paths. After an inlined child no
// flag is read where the child has just read it, or has done next to nothing: its mark says whether it gave up.
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

class FastLazy : public FastClone {
public:
  FastLazy(Procedure &p, RuntimeOps &ops, LLVMValueRef mark, size_t levels) : FastClone(p, ops, mark), levels(levels) {}
  bool publishes() const override { return false; }

  // The test before a first spawn. An inlined copy starts right after its parent's test: one there would find nothing
  // new.
  void beforeStmt(FunctionEmitter &fe, const Stmt *s) override {
    FastClone::beforeStmt(fe, s);
    auto it = p.plan.before.find(s);
    if (it == p.plan.before.end() || !p.plan.resumable(p.plan.entry(it->second))) return;
    met.entry(it->second);
    if (mark) return;
    LLVMBasicBlockRef cold = fe.newBlock("release.asked"), go = fe.newBlock("unasked");
    fe.branch(ops.releaseFlag(fe), cold, go, 0);
    fe.place(cold);
    obey(fe, fe.callRuntime("cilk_rt_release", fe.t.i32, {fe.i32c(CILK_AT_SPAWN)}), it->second, go);
    fe.place(go);
  }

  void emitSpawn(FunctionEmitter &fe, const SpawnStmt &s) override {
    const PlannedSpawn &planned = p.plan.spawn(&s);
    int entry = planned.entry;
    const EntryPoint &e = p.plan.entry(entry);
    met.entry(entry);
    SpawnValues v = evaluate(fe, s);
    LLVMValueRef asked = nullptr;
    fe.events.spawns(fe, s);
    RValue result = child(fe, s, planned, v, asked);

    LLVMBasicBlockRef cold = fe.newBlock("release.asked"), go = fe.newBlock("unasked");
    fe.branch(asked, cold, go, 0);
    fe.place(cold);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_release", fe.t.i32, {fe.i32c(CILK_AFTER_CALL)});
    LLVMBasicBlockRef initiate = fe.newBlock("initiate"), propagate = fe.newBlock("propagate"),
                      unwind = fe.newBlock("unwind");
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, unwind, 3);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
    LLVMAddCase(sw, fe.i32c(CILK_INITIATE), initiate);
    LLVMAddCase(sw, fe.i32c(CILK_PROPAGATE), propagate);

    fe.place(initiate);  // the result is in hand: deliver it, then save
    fe.events.spawnReturned(fe, s);
    deliver(fe, s, v, result);
    if (fe.open()) {
      fe.events.releases(fe);
      LLVMValueRef c = releaseFrame(fe, entry);
      save(fe, c, e.saveDelivered, false);
      giveUp(fe);
    }
    fe.place(propagate);  // the result is a dummy: its delivery is pending, by the record
    LLVMValueRef c = releaseFrame(fe, entry);
    save(fe, c, e.save, false);
    saveRecord(fe, c, s, v);
    giveUp(fe);
    fe.place(unwind);
    aborted(fe);

    fe.place(go);
    fe.events.spawnReturned(fe, s);
    deliver(fe, s, v, result);
  }

protected:
  // A release that begins here, whether a thief is hungry or not.
  void giveUpFor(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef future, LLVMBasicBlockRef full) override {
    int number = p.plan.entryOf(&s);
    obey(fe, fe.callRuntime("cilk_rt_touch_test", fe.t.i32, {future}), number, full);
  }

private:
  // What the runtime says where nothing is on its way: go on, save the frame for an entry point, or unwind.
  void obey(FunctionEmitter &fe, LLVMValueRef verdict, int entry, LLVMBasicBlockRef go) {
    LLVMBasicBlockRef initiate = fe.newBlock("release"), unwind = fe.newBlock("unwind");
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, unwind, 2);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
    LLVMAddCase(sw, fe.i32c(CILK_INITIATE), initiate);
    fe.place(initiate);
    fe.events.releases(fe);
    LLVMValueRef c = releaseFrame(fe, entry);
    save(fe, c, p.plan.entry(entry).save, false);
    giveUp(fe);
    fe.place(unwind);
    aborted(fe);
  }

  size_t levels;  // of inlining left below this frame

  // Calls the child, inlined or not. asked: i1, true where the runtime has to be asked before the result is used.
  RValue child(FunctionEmitter &fe, const SpawnStmt &s, const PlannedSpawn &planned, const SpawnValues &v,
      LLVMValueRef &asked) {
    const FunctionDecl *callee = planned.callee;
    Procedures &all = *ops.all;
    if (planned.expands && levels > 0) {
      LLVMValueRef marked = nullptr;
      RValue r = callMarked(fe, s, v, callee, all.copy(callee, levels - 1), {}, marked);
      asked = marked;
      if (!all.of(callee).plan.cheap) asked = LLVMBuildOr(fe.builder, ops.releaseFlag(fe), marked, "");
      return r;
    }
    LLVMValueRef leaf = planned.leaf ? all.leaf(callee) : nullptr;
    if (!leaf) {
      RValue r = callChild(fe, s, v, v.callee);
      asked = ops.releaseFlag(fe);
      return r;
    }
    QualType type = s.type()->result.unqual();
    bool value = !type->isVoid(), cheap = all.of(callee).plan.leafCheap;
    Address merged;
    if (value) merged = fe.locals.temporary(type, "child");
    LLVMValueRef want = fe.entryAlloca(fe.t.i8, 1, "asked");
    auto note = [&](LLVMValueRef i1) { fe.storeRaw(LLVMBuildZExt(fe.builder, i1, fe.t.i8, ""), want, 1); };
    LLVMValueRef marked = nullptr;
    RValue r = callMarked(fe, s, v, callee, leaf, merged, marked);
    if (value && r.kind != RValue::Aggregate) fe.memory.storeToLvalue(merged, r);
    LLVMBasicBlockRef real = fe.newBlock("spawn"), small = fe.newBlock("leaf"), done = fe.newBlock("child.done");
    fe.branch(marked, real, small);
    fe.place(small);
    note(cheap ? LLVMConstInt(fe.t.i1, 0, 0) : ops.releaseFlag(fe));
    fe.jump(done);
    fe.place(real);
    fe.setLocation(s.spawned);
    r = fe.calls.emitCallTo(v.callee, s.type(), v.args, v.types, merged, nullptr);
    if (value && r.kind != RValue::Aggregate) fe.memory.storeToLvalue(merged, r);
    note(ops.releaseFlag(fe));
    fe.jump(done);
    fe.place(done);
    asked = LLVMBuildICmp(fe.builder, LLVMIntNE, fe.loadRaw(fe.t.i8, want, 1), LLVMConstNull(fe.t.i8), "asked");
    if (!value) return {};
    return type->isRecord() ? RValue::aggregate(merged) : fe.memory.load(merged);
  }

  LLVMValueRef releaseFrame(FunctionEmitter &fe, int entry) {
    return fe.callRuntime("cilk_rt_release_frame", fe.t.ptr, {p.sig, ownClosure(fe), fe.i32c(entry)});
  }

  // The instance is aborted: its closure, if it took one, goes.
  void aborted(FunctionEmitter &fe) {
    LLVMBasicBlockRef have = fe.newBlock("closure.give"), none = fe.newBlock("closure.none");
    LLVMValueRef c = ownClosure(fe);
    fe.branch(LLVMBuildIsNull(fe.builder, c, ""), none, have);
    fe.place(have);
    fe.callRuntime("cilk_rt_closure_free", fe.t.voidTy, {c});
    fe.jump(none);
    fe.place(none);
    giveUp(fe);
  }
};

}  // namespace

std::unique_ptr<FastClone> makeLazyClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark, size_t levels) {
  return std::make_unique<FastLazy>(p, ops, mark, levels);
}
std::unique_ptr<FastClone> makeIndolentClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark, size_t) {
  return std::make_unique<FastLazy>(p, ops, mark, 0);
}
std::unique_ptr<FastClone> makeSedativeClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark, size_t) {
  return std::make_unique<FastLazy>(p, ops, mark, 0);
}

}  // namespace cilkc::cg
