// fast_lazy.cpp - the lazy strategy (Strumpfen, MIT/LCS/TM-580, section 4: sedative closure creation, with a test before the first spawn as in the indolent
// version): nothing is pushed. After a call, one test of the worker's release flag; when a thief asked for work, every fast frame saves itself
// into a closure and returns a dummy, youngest first, down to the scheduler.
//
// Recursion unrolling: a direct spawn of the procedure itself calls a copy of the fast clone that is always inlined, down to a depth chosen by size; the
// deepest copy calls the real one. Every inlined frame keeps its own release paths, so nothing else changes.
#include <algorithm>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

class FastLazy : public FastClone {
public:
  FastLazy(Procedure &p, RuntimeOps &ops, size_t depth) : FastClone(p, ops), depth(depth) {}

  // The test before a first spawn. An inlined copy starts right after its parent's test: one there would find nothing new.
  void beforeStmt(FunctionEmitter &fe, const Stmt *s) override {
    if (depth > 0) return;
    auto it = p.flow.before.find(s);
    if (it == p.flow.before.end()) return;
    LLVMBasicBlockRef cold = fe.newBlock("release.asked"), go = fe.newBlock("unasked");
    fe.branch(ops.releaseFlag(fe), cold, go, 0);
    fe.close();
    fe.place(cold);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_release", fe.t.i32, {fe.i32c(CILK_AT_SPAWN)});
    LLVMBasicBlockRef initiate = fe.newBlock("release"), unwind = fe.newBlock("unwind");
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, unwind, 2);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
    LLVMAddCase(sw, fe.i32c(CILK_INITIATE), initiate);
    fe.close();
    fe.place(initiate);
    LLVMValueRef c = releaseFrame(fe, it->second);
    save(fe, c, p.flow.entries[it->second].live, false);
    fe.emitReturnUndef();
    fe.place(unwind);
    giveUp(fe);
    fe.place(go);
  }

  void emitSpawn(FunctionEmitter &fe, const SpawnSite &s) override {
    int entry = s.spawn->entry;
    const EntryPoint &e = p.flow.entries[entry];
    SpawnValues v = evaluate(fe, s);
    LLVMValueRef callee = v.callee;
    if (v.direct == p.fn && depth + 1 < p.unrolled.size()) callee = p.unrolled[depth + 1];
    RValue result = callChild(fe, s, v, callee);

    LLVMBasicBlockRef cold = fe.newBlock("release.asked"), go = fe.newBlock("unasked");
    fe.branch(ops.releaseFlag(fe), cold, go, 0);
    fe.close();
    fe.place(cold);
    LLVMValueRef verdict = fe.callRuntime("cilk_rt_release", fe.t.i32, {fe.i32c(CILK_AFTER_CALL)});
    LLVMBasicBlockRef initiate = fe.newBlock("initiate"), propagate = fe.newBlock("propagate"), unwind = fe.newBlock("unwind");
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, unwind, 3);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
    LLVMAddCase(sw, fe.i32c(CILK_INITIATE), initiate);
    LLVMAddCase(sw, fe.i32c(CILK_PROPAGATE), propagate);
    fe.close();

    fe.place(initiate);                     // the result is in hand: deliver it, then save
    deliver(fe, s, v, result);
    if (fe.open()) {
      LLVMValueRef c = releaseFrame(fe, entry);
      save(fe, c, e.live, false);
      fe.emitReturnUndef();
    }
    fe.place(propagate);                    // the result is a dummy: its delivery is pending, by the record
    LLVMValueRef c = releaseFrame(fe, entry);
    save(fe, c, e.live, false);
    saveRecord(fe, c, s, v);
    fe.emitReturnUndef();
    fe.place(unwind);
    giveUp(fe);

    fe.place(go);
    deliver(fe, s, v, result);
  }

private:
  size_t depth;

  LLVMValueRef releaseFrame(FunctionEmitter &fe, int entry) {
    return fe.callRuntime("cilk_rt_release_frame", fe.t.ptr, {p.sig, ownClosure(fe), fe.i32c(entry)});
  }

  // The instance is aborted: its closure, if it took one, goes.
  void giveUp(FunctionEmitter &fe) {
    LLVMBasicBlockRef have = fe.newBlock("closure.give"), none = fe.newBlock("closure.none");
    LLVMValueRef c = ownClosure(fe);
    fe.branch(LLVMBuildIsNull(fe.builder, c, ""), none, have);
    fe.close();
    fe.place(have);
    fe.callRuntime("cilk_rt_closure_free", fe.t.voidTy, {c});
    fe.jump(none);
    fe.close();
    fe.place(none);
    fe.emitReturnUndef();
  }
};

void emitCopy(Procedure &p, RuntimeOps &ops, size_t depth) {
  FastLazy strategy(p, ops, depth);
  FunctionEmitter fe(p.m, p.unrolled[depth], p.fn, strategy);
  fe.begin();
  fe.bindParameters(p.m.types->abi(p.type));
  fe.emitBody(*p.fn->def);
  fe.finish();
}

// How many levels: the number of bodies is the sum of s^d over the levels for s recursive spawn sites; it stays under a budget that shrinks with the size
// of one body (counted in spawn sites and statements), so that code never grows beyond a bound.
size_t unrollDepth(const Procedure &p) {
  size_t recursive = 0;
  for (auto &[spawn, site] : p.sites) {
    const Expr *callee = spawn->call->callee;
    while (callee && callee->kind == ExprKind::ImplicitCast) callee = callee->as<ImplicitCast>()->sub;
    if (callee && callee->kind == ExprKind::Ident && callee->as<Ident>()->decl == p.fn) recursive++;
  }
  if (!recursive || p.m.options.inlineRecursion == 0 || p.m.options.optLevel < 2 || p.m.options.sizeLevel > 0) return 0;
  if (p.m.options.inlineRecursion > 0) return static_cast<size_t>(p.m.options.inlineRecursion);
  size_t bodyLines = 1;
  {
    const SourceManager &sm = p.m.diags.sources();
    Presumed a = sm.presumed(p.fn->def->body->range.begin), b = sm.presumed(p.fn->def->body->closing.begin);
    if (b.line > a.line) bodyLines = b.line - a.line;
  }
  size_t budget = std::max<size_t>(1, 320 / (bodyLines + 4)), bodies = 1, level = 1, depth = 0;
  while (depth < 4) {
    level *= recursive;
    if (bodies + level > budget + 1) break;
    bodies += level;
    depth++;
  }
  return depth;
}

}  // namespace

void emitFastLazy(Procedure &p, RuntimeOps &ops) {
  p.unrolled.assign(1, p.fast);
  size_t levels = unrollDepth(p);
  for (size_t d = 1; d <= levels; d++) {
    LLVMValueRef copy = p.m.makeFunction(p.name() + ".fast." + std::to_string(d), p.type, LLVMInternalLinkage, p.fn);
    p.m.attr(copy, static_cast<unsigned>(LLVMAttributeFunctionIndex), "alwaysinline");
    p.unrolled.push_back(copy);
  }
  for (size_t d = 0; d <= levels; d++) emitCopy(p, ops, d);
}

}  // namespace cilkc::cg
