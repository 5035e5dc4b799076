// parts.cpp - procedures in parts (ClonePlan::parts): one clone's code for both clones, as a chain of functions that each hold a part of the body.
//
//   i32 f.part.N(closure, entry, fast)   runs its part from the entry on (0: from its start), and says how it ended (PartEnd)
//   i32 f.parts(closure, entry, fast)    calls the part that has the entry, and those after it
//   f.fast, f.slow                       a fast clone takes its closure and calls f.parts; so does a slow clone with the closure that it is given
//
// `fast` says whether the instance has never been stolen and has no outstanding child. Every difference between the clones depends on it, and is in functions that are
// made once for the procedure: what comes before the child's call, what comes after, the test before a first spawn, the sync. So a spawn in the text is its
// arguments, three calls and a branch. All that is live at an entry point, and all that two parts name, has its home in the closure: nothing is saved or
// restored. Results are delivered by the deliver functions, but for inlets, whose bodies are in place.
#include <cstddef>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

// How a part ended; what f.parts returns, too.
enum class PartEnd : int {
  Next,  // control comes to its end
  Returned,  // the value is in the closure
  Left,  // the instance is given up, or waits: return at once
  Syncs  // Returned, with children out
};

// How a spawn's result is delivered.
enum Delivery : int { Nowhere, ByFunction, InPlace };

// `after` says CILK_CONTINUE, or that the frame is left. To a spawn whose delivery is in place it means to deliver and go on, and there are two more answers:
// CILK_SKIP, to go on without; CILK_INITIATE, to deliver, release the frame and leave.
class PartOps {
public:
  PartOps(Procedure &p, RuntimeOps &ops) : p(p), ops(ops), t(*p.m.types), releases(strategyInfo(p.m.options.spawn).has(StrategyProperty::Releases)) {}
  LLVMValueRef before, after, test, sync, synched, abort;

  void make() {
    before = makeBefore();
    after = makeAfter();
    test = releases ? makeTest() : nullptr;
    sync = makeSync();
    synched = makeRuntimeCall("synched", t.i32, "cilk_rt_synched", 1);
    abort = makeRuntimeCall("abort", t.voidTy, "cilk_rt_abort", -1);
  }

private:
  Procedure &p;
  RuntimeOps &ops;
  TypeLowering &t;
  const bool releases;

  struct Helper {
    Helper(Procedure &p, const char *name, LLVMTypeRef result, std::vector<LLVMTypeRef> params)
        : function(p.m.makeRawFunction(p.name() + "." + name, LLVMFunctionType(result, params.data(), static_cast<unsigned>(params.size()), 0),
              LLVMInternalLinkage)),
          fe(p.m, function, nullptr, plain) {
      p.m.attributes.attr(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), "noinline");
      fe.begin();
    }
    LLVMValueRef operator[](unsigned i) const { return LLVMGetParam(function, i); }
    void result(LLVMValueRef v) { v ? LLVMBuildRet(fe.builder, v) : LLVMBuildRetVoid(fe.builder); }
    void result(int v) { result(fe.i32c(v)); }
    LLVMValueRef finish() {
      fe.finish();
      return function;
    }
    LLVMValueRef function;
    BodyStrategy plain;
    FunctionEmitter fe;
  };

  // ptr before(closure, entry, fast): pushes, unless the instance is fast and the strategy pushes nothing then; the place for `after`.
  LLVMValueRef makeBefore() {
    Helper h(p, "before", t.ptr, {t.ptr, t.i32, t.i1});
    LLVMBasicBlockRef push = h.fe.newBlock("push"), none = h.fe.newBlock("none");
    h.fe.branch(releases ? h[2] : LLVMConstInt(t.i1, 0, 0), none, push);
    h.fe.place(push);
    h.fe.storeRaw(h[1], ops.headerField(h.fe, h[0], offsetof(cilk_closure, entry)), 4);
    h.result(ops.push(h.fe, h[0]));
    h.fe.place(none);
    h.result(LLVMConstNull(t.ptr));
    return h.finish();
  }

  // Calls the entry's deliver function.
  void deliver(FunctionEmitter &fe, LLVMValueRef closure, LLVMValueRef entry, LLVMValueRef result) {
    LLVMValueRef table = fe.loadRaw(t.ptr, fe.offsetPtr(p.sig, offsetof(cilk_sig, entries)), 8);
    LLVMValueRef at = LLVMBuildMul(fe.builder, LLVMBuildZExt(fe.builder, entry, t.i64, ""), fe.i64c(sizeof(cilk_entry)), "");
    LLVMValueRef row = LLVMBuildInBoundsGEP2(fe.builder, t.i8, table, &at, 1, "");
    LLVMValueRef function = fe.loadRaw(t.ptr, fe.offsetPtr(row, offsetof(cilk_entry, deliver)), 8);
    LLVMTypeRef params[] = {t.ptr, t.ptr, t.ptr};
    fe.call(LLVMFunctionType(t.voidTy, params, 3, 0), function, {closure, fe.offsetPtr(closure, p.plan.closure.recordOffset), result}, "");
  }

  // i32 after(closure, entry, place, result, size, delivery, fast).
  LLVMValueRef makeAfter() {
    Helper h(p, "after", t.i32, {t.ptr, t.i32, t.ptr, t.ptr, t.i64, t.i32, t.i1});
    FunctionEmitter &fe = h.fe;
    LLVMValueRef closure = h[0], entry = h[1], place = h[2], result = h[3], size = h[4], delivery = h[5], fast = h[6];
    LLVMBasicBlockRef done = fe.newBlock("done"), here = fe.newBlock("here"), go = fe.newBlock("go"), left = fe.newBlock("left"), skip = fe.newBlock("skip"),
                      popping = fe.newBlock("pop"), own = fe.newBlock("fast");
    fe.branch(fast, own, popping, 1);

    fe.place(own);
    if (releases) {
      LLVMBasicBlockRef asked = fe.newBlock("asked"), initiate = fe.newBlock("initiate"), settle = fe.newBlock("settle"), release = fe.newBlock("release"),
                        unwind = fe.newBlock("unwind"), inlet = fe.newBlock("inlet");
      fe.branch(ops.releaseFlag(fe), asked, done, 0);
      fe.place(asked);
      LLVMValueRef sw = LLVMBuildSwitch(fe.builder, fe.callRuntime("cilk_rt_release", t.i32, {fe.i32c(CILK_AFTER_CALL)}), unwind, 3);
      LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), done);
      LLVMAddCase(sw, fe.i32c(CILK_INITIATE), initiate);
      LLVMAddCase(sw, fe.i32c(CILK_PROPAGATE), release);
      fe.place(initiate);
      sw = LLVMBuildSwitch(fe.builder, delivery, release, 2);
      LLVMAddCase(sw, fe.i32c(ByFunction), settle);
      LLVMAddCase(sw, fe.i32c(InPlace), inlet);
      fe.place(settle);
      deliver(fe, closure, entry, result);
      fe.jump(release);
      fe.place(inlet);
      h.result(CILK_INITIATE);
      fe.place(release);
      fe.callRuntime("cilk_rt_release_frame", t.ptr, {p.sig, closure, entry});
      fe.jump(left);
      fe.place(unwind);
      fe.callRuntime("cilk_rt_closure_free", t.voidTy, {closure});
      fe.jump(left);
    } else {
      LLVMBasicBlockRef asked = fe.newBlock("exception");
      fe.branch(ops.pop(fe, place, false), asked, done, 0);
      fe.place(asked);
      LLVMValueRef verdict = fe.callRuntime("cilk_rt_pop_exception", t.i32, {result, size});
      fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, verdict, fe.i32c(CILK_CONTINUE), ""), done, left);
    }

    fe.place(popping);
    LLVMValueRef exception = ops.pop(fe, place, true);
    if (releases) exception = LLVMBuildOr(fe.builder, exception, ops.releaseFlag(fe), "");
    LLVMBasicBlockRef cold = fe.newBlock("exception");
    fe.branch(exception, cold, done, 0);
    fe.place(cold);
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, fe.callRuntime("cilk_rt_pop_exception", t.i32, {result, size}), left, 2);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), done);
    LLVMAddCase(sw, fe.i32c(CILK_SKIP), skip);

    fe.place(done);
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, delivery, fe.i32c(ByFunction), ""), here, go);
    fe.place(here);
    deliver(fe, closure, entry, result);
    fe.jump(go);
    fe.place(go);
    h.result(CILK_CONTINUE);
    fe.place(skip);
    LLVMValueRef inPlace = LLVMBuildICmp(fe.builder, LLVMIntEQ, delivery, fe.i32c(InPlace), "");
    h.result(LLVMBuildSelect(fe.builder, inPlace, fe.i32c(CILK_SKIP), fe.i32c(CILK_CONTINUE), ""));
    fe.place(left);
    h.result(CILK_UNWIND);
    return h.finish();
  }

  // i1 test(closure, entry): before a first spawn, while a thief waits for work. True: leave.
  LLVMValueRef makeTest() {
    Helper h(p, "test", t.i1, {t.ptr, t.i32});
    FunctionEmitter &fe = h.fe;
    LLVMBasicBlockRef asked = fe.newBlock("asked"), go = fe.newBlock("go"), release = fe.newBlock("release"), unwind = fe.newBlock("unwind"),
                      left = fe.newBlock("left");
    fe.branch(ops.releaseFlag(fe), asked, go, 0);
    fe.place(asked);
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, fe.callRuntime("cilk_rt_release", t.i32, {fe.i32c(CILK_AT_SPAWN)}), unwind, 2);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
    LLVMAddCase(sw, fe.i32c(CILK_INITIATE), release);
    fe.place(release);
    fe.callRuntime("cilk_rt_release_frame", t.ptr, {p.sig, h[0], h[1]});
    fe.jump(left);
    fe.place(unwind);
    fe.callRuntime("cilk_rt_closure_free", t.voidTy, {h[0]});
    fe.jump(left);
    fe.place(left);
    h.result(LLVMConstInt(t.i1, 1, 0));
    fe.place(go);
    h.result(LLVMConstInt(t.i1, 0, 0));
    return h.finish();
  }

  // i32 sync(closure, entry, fast): the runtime's verdict.
  LLVMValueRef makeSync() {
    Helper h(p, "sync", t.i32, {t.ptr, t.i32, t.i1});
    LLVMBasicBlockRef ask = h.fe.newBlock("ask"), go = h.fe.newBlock("go");
    h.fe.branch(h[2], go, ask);
    h.fe.place(ask);
    h.fe.storeRaw(h[1], ops.headerField(h.fe, h[0], offsetof(cilk_closure, entry)), 4);
    h.result(h.fe.callRuntime("cilk_rt_sync", t.i32, {h[0]}));
    h.fe.place(go);
    h.result(CILK_CONTINUE);
    return h.finish();
  }

  // name(closure, fast): in a fast instance the answer is known, or nothing is to be done.
  LLVMValueRef makeRuntimeCall(const char *name, LLVMTypeRef result, const char *runtime, int known) {
    Helper h(p, name, result, {t.ptr, t.i1});
    LLVMBasicBlockRef ask = h.fe.newBlock("ask"), go = h.fe.newBlock("go");
    h.fe.branch(h[1], go, ask);
    h.fe.place(ask);
    LLVMValueRef answer = h.fe.callRuntime(runtime, result, {h[0]});
    h.result(result == t.voidTy ? nullptr : answer);
    h.fe.place(go);
    h.result(result == t.voidTy ? nullptr : h.fe.i32c(known));
    return h.finish();
  }
};

class PartBody : public SlotBody {
public:
  PartBody(Procedure &p, RuntimeOps &ops, const PartOps &part) : SlotBody(p, ops), part(part) {}

  bool lifetimeMarkers() const override { return false; }

  void prologue(FunctionEmitter &fe) override {
    c = LLVMGetParam(fe.function, 0);
    useClosure(fe, c);
    fast = LLVMGetParam(fe.function, 2);
    setConstants(fe);
    left = fe.newBlock("left");
    LLVMBasicBlockRef bad = fe.newBlock("entry.bad"), start = fe.newBlock("start");
    entrySwitch = LLVMBuildSwitch(fe.builder, LLVMGetParam(fe.function, 1), bad, 1);
    fe.place(bad);
    LLVMBuildUnreachable(fe.builder);
    LLVMAddCase(entrySwitch, fe.i32c(0), start);
    fe.place(start);
  }

  void beforeStmt(FunctionEmitter &fe, const Stmt *s) override {
    CloneBody::beforeStmt(fe, s);
    auto it = part.test ? p.plan.before.find(s) : p.plan.before.end();
    if (it == p.plan.before.end()) return;
    fe.ensureOpen();
    LLVMBasicBlockRef test = fe.newBlock("test"), go = fe.newBlock("continue");
    fe.branch(fast, test, go);
    fe.place(test);
    fe.branch(call(fe, part.test, {c, fe.i32c(it->second)}), left, go);
    resumes(fe, it->second, go);
    fe.place(go);
  }

  void emitSpawn(FunctionEmitter &fe, const SpawnStmt &s) override {
    const int number = p.plan.spawn(&s).entry;
    LLVMValueRef entry = fe.i32c(number);
    SpawnValues v = evaluate(fe, s);
    saveRecord(fe, c, s, v);  // whether or not it is wanted: of all children of this frame only one can need it
    fe.events.spawns(fe, s);
    LLVMValueRef place = call(fe, part.before, {c, entry, fast});
    RValue result = callChild(fe, s, v, v.callee);
    const bool inlet = s.form == SpawnForm::Inlet;
    auto [at, size] = inlet ? park(fe, s, v, result) : resultInMemory(fe, result, s.type()->result);
    LLVMValueRef delivery = fe.i32c(inlet ? InPlace : s.form == SpawnForm::Plain ? Nowhere : ByFunction);
    LLVMValueRef verdict = call(fe, part.after, {c, entry, place, at, size, delivery, fast});
    LLVMBasicBlockRef here = fe.newBlock("continue");
    resumes(fe, number, here);
    if (!inlet) {
      fe.branch(LLVMBuildIsNull(fe.builder, verdict, ""), here, left);
      fe.place(here);
      fe.events.spawnReturned(fe, s);
      return;
    }
    LLVMBasicBlockRef go = fe.newBlock("deliver"), initiate = fe.newBlock("initiate");
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, left, 3);
    LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
    LLVMAddCase(sw, fe.i32c(CILK_SKIP), here);
    LLVMAddCase(sw, fe.i32c(CILK_INITIATE), initiate);
    RValue again = result;
    fe.place(initiate);
    unpark(fe, s, v, again);
    deliver(fe, s, v, again);
    if (fe.open()) {
      fe.callRuntime("cilk_rt_release_frame", fe.t.ptr, {p.sig, c, entry});
      fe.jump(left);
    }
    fe.place(go);
    unpark(fe, s, v, result);
    deliver(fe, s, v, result);
    fe.place(here);
  }

  void emitSync(FunctionEmitter &fe, const SyncStmt *s) override {
    const int number = p.plan.entryOf(s);
    if (!p.plan.entry(number).mayBeOutstanding) {
      met.entry(number);
      return;
    }
    LLVMValueRef verdict = call(fe, part.sync, {c, fe.i32c(number), fast});
    LLVMBasicBlockRef synced = fe.newBlock("synced");
    fe.branch(LLVMBuildIsNull(fe.builder, verdict, ""), synced, left);
    resumes(fe, number, synced);
    fe.place(synced);
  }

  void emitReturn(FunctionEmitter &fe, const ReturnStmt *s) override {
    if (s->value && p.plan.closure.returnSize) fe.exprs.emitInto(s->value, resultSlot(fe, p, c));
    else if (s->value) fe.exprs.emitIgnored(s->value);
    fe.scopes.unwindScopes(0);
    end(fe, p.plan.ending(s).outstanding ? PartEnd::Syncs : PartEnd::Returned);
  }
  void fallOff(FunctionEmitter &fe) override { end(fe, PartEnd::Next); }
  void emitAbort(FunctionEmitter &fe, const AbortStmt *) override { call(fe, part.abort, {c, fast}); }
  LLVMValueRef emitSynched(FunctionEmitter &fe, const Synched *) override { return call(fe, part.synched, {c, fast}); }

  void tail(FunctionEmitter &fe) {
    fe.place(left);
    end(fe, PartEnd::Left);
  }

  // Where the procedure's value waits.
  static Address resultSlot(FunctionEmitter &fe, Procedure &p, LLVMValueRef closure) {
    Address a;
    a.ptr = fe.offsetPtr(closure, p.plan.closure.returnOffset);
    a.align = heapAlign(fe.t.align(p.type->result));
    a.type = p.type->result.unqual();
    a.own = true;
    return a;
  }

private:
  const PartOps &part;
  LLVMValueRef fast = nullptr, entrySwitch = nullptr;
  LLVMBasicBlockRef left = nullptr;

  void resumes(FunctionEmitter &fe, int number, LLVMBasicBlockRef at) {
    met.entry(number);
    LLVMAddCase(entrySwitch, fe.i32c(number), at);
  }
  static LLVMValueRef call(FunctionEmitter &fe, LLVMValueRef f, std::vector<LLVMValueRef> args) {
    return fe.call(LLVMGlobalGetValueType(f), f, std::move(args), "");
  }
  static void end(FunctionEmitter &fe, PartEnd how) {
    if (!fe.open()) return;
    LLVMBuildRet(fe.builder, fe.i32c(static_cast<int>(how)));
  }
};

// What is not in parts: the opening and the end of the fast clone.
class FastFrame : public FastClone {
public:
  using FastClone::FastClone;
  void emitSpawn(FunctionEmitter &, const SpawnStmt &) override {}
};

std::vector<LLVMTypeRef> partParameters(TypeLowering &t) { return {t.ptr, t.i32, t.i1}; }

LLVMValueRef declarePart(Procedure &p, const std::string &name) {
  std::vector<LLVMTypeRef> params = partParameters(*p.m.types);
  return p.m.makeRawFunction(p.name() + name, LLVMFunctionType(p.m.types->i32, params.data(), static_cast<unsigned>(params.size()), 0), LLVMInternalLinkage);
}

// f.parts.
LLVMValueRef emitChain(Procedure &p, const std::vector<LLVMValueRef> &functions) {
  TypeLowering &t = *p.m.types;
  LLVMValueRef chain = declarePart(p, ".parts");
  BodyStrategy plain;
  FunctionEmitter fe(p.m, chain, nullptr, plain);
  fe.begin();
  std::vector<LLVMValueRef> numbers, parts = functions;
  for (size_t part : p.plan.partOf) numbers.push_back(fe.i32c(static_cast<int64_t>(part)));
  LLVMValueRef partOf = p.m.privateConstant(LLVMConstArray2(t.i32, numbers.data(), numbers.size()), 4, "cilk.part.of");
  LLVMValueRef table = p.m.privateConstant(LLVMConstArray2(t.ptr, parts.data(), parts.size()), 8, "cilk.parts");
  auto element = [&](LLVMTypeRef type, LLVMValueRef array, LLVMValueRef index, uint32_t size) {
    LLVMValueRef offset = LLVMBuildMul(fe.builder, LLVMBuildZExt(fe.builder, index, t.i64, ""), fe.i64c(size), "");
    return fe.loadRaw(type, LLVMBuildInBoundsGEP2(fe.builder, t.i8, array, &offset, 1, ""), size);
  };
  LLVMValueRef number = fe.entryAlloca(t.i32, 4, "part"), at = fe.entryAlloca(t.i32, 4, "at");
  fe.storeRaw(LLVMGetParam(chain, 1), at, 4);
  fe.storeRaw(element(t.i32, partOf, LLVMGetParam(chain, 1), 4), number, 4);
  LLVMBasicBlockRef run = fe.newBlock("part"), next = fe.newBlock("next"), more = fe.newBlock("more"), ended = fe.newBlock("ended");
  fe.place(run);
  LLVMValueRef part = element(t.ptr, table, fe.loadRaw(t.i32, number, 4), 8);
  LLVMValueRef end = fe.call(LLVMGlobalGetValueType(chain), part, {LLVMGetParam(chain, 0), fe.loadRaw(t.i32, at, 4), LLVMGetParam(chain, 2)}, "end");
  fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, end, fe.i32c(static_cast<int>(PartEnd::Next)), ""), next, ended);
  fe.place(next);
  LLVMValueRef following = LLVMBuildAdd(fe.builder, fe.loadRaw(t.i32, number, 4), fe.i32c(1), "");
  fe.storeRaw(following, number, 4);
  fe.storeRaw(fe.i32c(0), at, 4);
  fe.branch(LLVMBuildICmp(fe.builder, LLVMIntULT, following, fe.i32c(static_cast<int64_t>(functions.size())), ""), more, ended);
  fe.place(more);
  fe.jump(run);
  fe.place(ended);
  LLVMBuildRet(fe.builder, end);
  fe.finish();
  return chain;
}

void emitFastFrame(Procedure &p, RuntimeOps &ops, LLVMValueRef chain) {
  FastFrame clone(p, ops);
  FunctionEmitter fe(p.m, p.fast, p.fn, clone);
  fe.begin();
  fe.bindParameters(p.m.types->abi(p.type));
  LLVMValueRef c = clone.instance(fe);
  LLVMValueRef end = fe.call(LLVMGlobalGetValueType(chain), chain, {c, fe.i32c(0), LLVMConstInt(fe.t.i1, 1, 0)}, "end");
  LLVMBasicBlockRef fell = fe.newBlock("fell"), returned = fe.newBlock("returned"), left = fe.newBlock("left");
  LLVMValueRef sw = LLVMBuildSwitch(fe.builder, end, returned, 2);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Next)), fell);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Left)), left);
  fe.place(left);
  fe.emitReturnUndef();
  fe.place(returned);
  if (p.plan.closure.returnSize) {
    Address value = PartBody::resultSlot(fe, p, c);
    fe.emitReturnValue(p.type->result->isRecord() ? RValue::aggregate(value) : fe.memory.load(value));
  }
  fe.emitReturnJump();
  fe.place(fell);
  clone.fallOff(fe);
  leaveUnoptimized(p, p.fast);
  fe.finish();
}

void emitSlowFrame(Procedure &p, RuntimeOps &ops, LLVMValueRef chain) {
  TypeLowering &t = *p.m.types;
  BodyStrategy plain;
  FunctionEmitter fe(p.m, p.slow, p.fn, plain);
  fe.begin();
  LLVMValueRef c = LLVMGetParam(p.slow, 1), entryField = ops.headerField(fe, c, offsetof(cilk_closure, entry)), entry = fe.loadRaw(t.i32, entryField, 4);
  LLVMBasicBlockRef run = fe.newBlock("run"), fell = fe.newBlock("fell"), syncs = fe.newBlock("implicit.sync"), returned = fe.newBlock("returning"),
                    left = fe.newBlock("leave");
  if (p.plan.returnEntry) fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, entry, fe.i32c(p.plan.returnEntry), ""), returned, run);
  fe.place(run);
  LLVMValueRef end = fe.call(LLVMGlobalGetValueType(chain), chain, {c, entry, LLVMConstInt(t.i1, 0, 0)}, "end");
  LLVMValueRef sw = LLVMBuildSwitch(fe.builder, end, left, 3);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Next)), fell);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Returned)), returned);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Syncs)), syncs);
  fe.place(fell);
  const uint64_t size = p.plan.closure.returnSize;
  if (size) fe.zeroFill(PartBody::resultSlot(fe, p, c).ptr, heapAlign(t.align(p.type->result)), fe.i64c(static_cast<int64_t>(size)));
  fe.jump(p.plan.end.outstanding ? syncs : returned);
  fe.place(syncs);
  if (p.plan.returnEntry) {
    fe.storeRaw(fe.i32c(p.plan.returnEntry), entryField, 4);
    fe.branch(LLVMBuildIsNull(fe.builder, fe.callRuntime("cilk_rt_sync", t.i32, {c}), ""), returned, left);
  }
  fe.place(returned);
  LLVMValueRef value = LLVMConstNull(t.ptr);
  if (size) {  // out of the closure, which the runtime takes apart
    Address copy = fe.locals.temporary(p.type->result.unqual(), "value");
    fe.copyBytes(copy.ptr, copy.align, PartBody::resultSlot(fe, p, c).ptr, heapAlign(t.align(p.type->result)), fe.i64c(static_cast<int64_t>(size)));
    value = copy.ptr;
  }
  fe.callRuntime("cilk_rt_return", t.voidTy, {c, value, fe.i64c(static_cast<int64_t>(size))});
  fe.place(left);
  LLVMBuildRetVoid(fe.builder);
  fe.finish();
}

}  // namespace

void emitParts(Procedure &p, RuntimeOps &ops) {
  PartOps helpers(p, ops);
  helpers.make();
  std::vector<LLVMValueRef> functions;
  for (size_t i = 0; i < p.plan.parts.size(); i++) {
    functions.push_back(declarePart(p, ".part." + std::to_string(i)));
    PartBody body(p, ops, helpers);
    FunctionEmitter fe(p.m, functions.back(), p.fn, body);
    fe.begin();
    fe.emitPart(*p.fn->def, p.plan.parts[i].from, p.plan.parts[i].to);
    body.fallOff(fe);
    body.tail(fe);
    body.met.checkPart(p.m, i);
    leaveUnoptimized(p, functions.back());
    fe.finish();
  }
  LLVMValueRef chain = emitChain(p, functions);
  emitFastFrame(p, ops, chain);
  emitSlowFrame(p, ops, chain);
}

}  // namespace cilkc::cg
