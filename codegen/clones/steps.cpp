// steps.cpp - emits the steps that the plan lists for an entry point (frontend/plan/sites.def): the walk through a list
// and its arms, and the steps that clones of both kinds have. The others are in fast.cpp and slow.cpp.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include "codegen/clones/procedure.h"
#include "codegen/serial/futures.h"

namespace cilkc::cg {

void CloneBody::emitSite(FunctionEmitter &fe, int entry) {
  Steps steps = stepsAt(p.plan, kind(), entry);
  bool resumes = std::any_of(steps.begin(), steps.end(), [](auto &s) { return s.step == Step::Resume; });
  if (!resumes) met.entry(entry);  // else where it is resumed
  At at{fe, entry, p.plan.entry(entry)};
  // --coverage: what is asked before a statement, and what a slow clone does to go on after one that a fast clone has
  // counted, is on no line.
  const auto *touch = at.entry.kind == EntryPoint::AtTouch ? &at.touch() : nullptr;
  const bool ofOwnCall = touch && touch->own && touch->own->hidden;  // whose line the call has counted
  if (kind() == Clone::Slow ? !touch || ofOwnCall : at.entry.kind == EntryPoint::BeforeSpawn) fe.bookkeeping();
  if (kind() == Clone::Slow) at.closure = closure(fe);
  emitSteps(at, steps, nullptr);
}

void CloneBody::emitBefore(FunctionEmitter &fe, const Stmt *s) {
  auto it = p.plan.before.find(s);
  if (it != p.plan.before.end() && p.plan.resumable(p.plan.entry(it->second))) emitSite(fe, it->second);
}

// after: where the main line goes on, if this is an arm. A step that branches at the end of an arm goes on there, too.
// An arm with no more than Leave is the exit itself, in clones that have one.
void CloneBody::emitSteps(At &at, const Steps &steps, LLVMBasicBlockRef after) {
  FunctionEmitter &fe = at.fe;
  for (const PlannedStep &s : steps) {
    if (after && !fe.open()) return;  // a delivery that does not end
    bool last = after && &s == &steps.back();
    at.go = last ? after : nullptr;
    at.arms.clear();
    for (auto &arm : s.arms)
      at.arms.emplace_back(arm.on,
          arm.steps[0].step == Step::Leave && exitBlock() ? exitBlock() : fe.newBlock(arm.label));
    auto arms = at.arms;
    switch (s.step) {
#define STEP(id, word) \
  case Step::id: on##id(at); break;
#define FAST_STEP STEP
#define SLOW_STEP STEP
#include "frontend/plan/steps.def"
    }
    LLVMBasicBlockRef go = at.go;
    for (size_t i = 0; i < arms.size(); i++)
      if (arms[i].second != exitBlock()) {
        fe.place(arms[i].second);
        emitSteps(at, s.arms[i].steps, go);
      }
    if (!arms.empty() && !last) fe.place(go);
  }
  if (after) fe.jump(after);
}

void CloneBody::notMine(Step s) {
  throw std::logic_error("the step '" + std::string(word(s)) + "' in a clone of the other kind");
}

static unsigned verdictOf(Outcome o) {
  switch (o) {
    case Outcome::Unwind: return CILK_UNWIND;
    case Outcome::Initiate: return CILK_INITIATE;
    case Outcome::Propagate: return CILK_PROPAGATE;
    case Outcome::Skip: return CILK_SKIP;
    case Outcome::Asked:
    case Outcome::Empty: break;
  }
  throw std::logic_error("no verdict of the runtime");
}

void CloneBody::decide(At &at, LLVMValueRef verdict, const char *name) {
  FunctionEmitter &fe = at.fe;
  LLVMBasicBlockRef go = at.goOn(name), otherwise = at.arms.back().second;
  if (at.arms.size() == 1) {
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntEQ, verdict, fe.i32c(CILK_CONTINUE), ""), go, otherwise);
    return;
  }
  LLVMValueRef sw = LLVMBuildSwitch(fe.builder, verdict, otherwise, static_cast<unsigned>(at.arms.size()));
  LLVMAddCase(sw, fe.i32c(CILK_CONTINUE), go);
  for (size_t i = 0; i + 1 < at.arms.size(); i++)
    LLVMAddCase(sw, fe.i32c(verdictOf(at.arms[i].first)), at.arms[i].second);
}

// ---- spawns -------------------------------------------------------------------------------------------------------

// The order is Cilk's: receiver's address, extra inlet arguments, then the child's arguments (CILK-5 reference,
// "spawn").
void CloneBody::onEvaluate(At &at) {
  FunctionEmitter &fe = at.fe;
  const SpawnStmt &s = at.spawn();
  SpawnValues &v = at.values;
  fe.setLocation(s.range);
  if (p.plan.spawn(&s).record.receiver == RecordLayout::Stored) {
    v.receiver = fe.lvalues.emitLvalue(s.receiver());
    auto [it, fresh] = p.receiverAlign.try_emplace(&s, v.receiver.align);
    if (!fresh && v.receiver.align < it->second) it->second = v.receiver.align;
  }
  if (s.inlet) fe.stmts.emitInletArgs(s, v.inletArgs);
  if (s.fills) begins(fe, s, v.receiver);
  v.callee = fe.calls.emitCallee(s.call, v.direct);
  fe.calls.emitArgs(s.call, v.args, v.types);
  // An object that is an argument is read by the call, which comes after the push: by then a thief may continue after
  // the spawn and change it. And where accesses are reported, that read is the parent's.
  if (kind() == Clone::Slow || does(p.plan.strategy, Step::Push) || p.m.options.modes.wants(ModeProperty::Accesses))
    for (size_t i = 0; i < v.args.size(); i++)
      if (v.args[i].kind == RValue::Aggregate && !v.args[i].addr.own) {
        Address copy = fe.locals.temporary(v.types[i].unqual(), "argument");
        fe.memory.storeToLvalue(copy, v.args[i]);
        v.args[i] = RValue::aggregate(copy);
      }
}

void CloneBody::onSave(At &at) {
  bool slow = kind() == Clone::Slow;
  save(at.fe, at.closure, slow ? at.entry.live : at.entry.save, slow);
}

void CloneBody::onRecord(At &at) {
  FunctionEmitter &fe = at.fe;
  const RecordLayout &r = p.plan.spawn(&at.spawn()).record;
  const SpawnValues &v = at.values;
  if (r.receiver == RecordLayout::Stored)
    fe.storeRaw(v.receiver.ptr, fe.offsetPtr(at.closure, p.plan.closure.recordOffset), 8);
  for (size_t i = 0; i < r.argOffsets.size() && i < v.inletArgs.size(); i++) {
    Address to;
    to.ptr = fe.offsetPtr(at.closure, p.plan.closure.recordOffset + r.argOffsets[i]);
    to.align = heapAlign(fe.t.align(r.argTypes[i]));
    to.type = r.argTypes[i];
    to.mayAlias = true;
    to.own = true;
    fe.memory.storeToLvalue(to, v.inletArgs[i]);
  }
}

void CloneBody::onSetEntry(At &at) {
  at.fe.storeRaw(at.fe.i32c(at.number), ops.headerField(at.fe, at.closure, offsetof(cilk_closure, entry)), 4);
}

void CloneBody::onBegins(At &at) {
  at.fe.events.spawns(at.fe, at.spawn());
  if (at.spawn().delivery) at.fe.events.receiver(at.fe, at.spawn(), at.values.receiver);
}

void CloneBody::onPush(At &at) { at.place = ops.push(at.fe, at.closure); }

void CloneBody::onCall(At &at) {
  const SpawnStmt &s = at.spawn();
  const SpawnValues &v = at.values;
  at.fe.setLocation(s.spawned);
  at.result = at.fe.calls.emitCallTo(v.callee, s.type(), v.args, v.types, at.merged, nullptr);
  if (kind() == Clone::Slow) at.fe.bookkeeping();
}

void CloneBody::onPop(At &at) {
  FunctionEmitter &fe = at.fe;
  LLVMValueRef exception = ops.pop(fe, at.place, kind() == Clone::Slow);
  LLVMBasicBlockRef cold = fe.newBlock("exception");
  fe.branch(exception, cold, at.goOn("popped"), 0);
  fe.place(cold);
  auto [ptr, size] = resultInMemory(fe, at.result, at.spawn().type()->result);
  decide(at, fe.callRuntime("cilk_rt_pop_exception", fe.t.i32, {ptr, size}), "popped");
}

void CloneBody::onReturned(At &at) { at.fe.events.spawnReturned(at.fe, at.spawn()); }

void CloneBody::onDeliver(At &at) {
  FunctionEmitter &fe = at.fe;
  const SpawnStmt &s = at.spawn();
  Address receiver = at.values.receiver;
  if (s.delivery && p.plan.spawn(&s).record.receiver == RecordLayout::Recomputed)
    receiver = fe.lvalues.emitLvalue(s.receiver());
  fe.stmts.emitDelivery(s, at.result, receiver, at.values.inletArgs);
  if (kind() == Clone::Slow) fe.bookkeeping();
  if (s.fills && fe.open()) filled(fe, s, receiver);
}

void CloneBody::onLeave(At &at) { giveUp(at.fe); }

// ---- syncs and touches --------------------------------------------------------------------------------------------

void CloneBody::onPass(At &at) {
  at.fe.events.syncs(at.fe, at.entry.stmt->as<SyncStmt>());
  at.fe.events.synced(at.fe);
}

void CloneBody::onFuture(At &at) {
  const TouchStmt &s = at.touch();
  at.fe.ensureOpen();
  at.future = s.future ? at.fe.lvalues.emitLvalue(s.future).ptr : slot(at.fe, at.closure, s.renewed);
}

void CloneBody::onLook(At &at) {
  FunctionEmitter &fe = at.fe;
  const TouchStmt &s = at.touch();
  LLVMBasicBlockRef go = at.goOn("touched"), empty = at.arms[0].second;
  // a call that was waited for: its views come into this strand's map
  LLVMBasicBlockRef full = s.own && s.own->hidden ? fe.newBlock("joined") : go;
  fe.branch(isFull(fe, at.future, false), full, empty, kind() == Clone::Fast ? 1 : -1);
  if (full == go) return;
  fe.place(full);
  fe.callRuntime("cilk_rt_view_joined", fe.t.voidTy, {at.closure});
  fe.jump(go);
}

void CloneBody::onTouched(At &at) { reportTouched(at.fe, at.touch(), at.future); }

}  // namespace cilkc::cg
