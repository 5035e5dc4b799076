// body.cpp - what all clones share: where variables live, moving them between their locals and their slots, and where a
// fast clone's closure comes from.
#include <cstddef>
#include "codegen/clones/procedure.h"
#include "codegen/shim/shim.h"
#include "frontend/ast/query.h"
#include "frontend/consteval/consteval.h"

namespace cilkc::cg {

LLVMValueRef CloneBody::slot(FunctionEmitter &fe, LLVMValueRef c, const VarDecl *v) {
  return fe.offsetPtr(c, p.plan.closure.offsets.at(v));
}

void CloneBody::moveSlot(FunctionEmitter &fe, const VarDecl *v, LLVMValueRef c, bool toSlot) {
  Address local = fe.locals.variable(v);
  LLVMValueRef inClosure = slot(fe, c, v);
  if (isScalarType(v->type.type)) {
    LLVMTypeRef t = fe.t.stored(v->type.type);
    uint32_t a = slotAlign(v, fe.m.ast.target);
    if (toSlot) fe.storeRaw(fe.loadRaw(t, local.ptr, local.align), inClosure, a);
    else fe.storeRaw(fe.loadRaw(t, inClosure, a), local.ptr, local.align);
    return;
  }
  LLVMValueRef n = fe.i64c(static_cast<int64_t>(slotSize(v, p.m.ast.target)));
  if (toSlot) fe.copyBytes(inClosure, slotAlign(v, fe.m.ast.target), local.ptr, local.align, n);
  else fe.copyBytes(local.ptr, local.align, inClosure, slotAlign(v, fe.m.ast.target), n);
}

void CloneBody::save(FunctionEmitter &fe, LLVMValueRef c, const std::vector<const VarDecl *> &vars,
    bool registersOnly) {
  for (auto *v : vars) {
    VarHome h = p.plan.home(v);
    if (h == VarHome::Register || (h == VarHome::Delivered && !registersOnly)) moveSlot(fe, v, c, true);
  }
}

void CloneBody::restore(FunctionEmitter &fe, LLVMValueRef c, const std::vector<const VarDecl *> &vars) {
  for (auto *v : vars)
    if (p.plan.home(v) == VarHome::Register) moveSlot(fe, v, c, false);
}

void CloneBody::setConstants(FunctionEmitter &fe) {
  for (auto &[v, value] : p.plan.constants) {
    auto c = cilkc::evaluate(value, fe.m.ast, EvalMode::Static);
    Address local = fe.locals.variable(v);
    local.own = true;
    fe.memory.storeToLvalue(local, RValue::scalar(fe.m.constant(*c, v->type)));
  }
}

std::pair<LLVMValueRef, LLVMValueRef> CloneBody::resultInMemory(FunctionEmitter &fe, const RValue &r, QualType type) {
  if (r.kind == RValue::None) return {LLVMConstNull(fe.t.ptr), fe.i64c(0)};
  LLVMValueRef size = fe.i64c(static_cast<int64_t>(fe.t.size(type)));
  if (r.kind == RValue::Aggregate) return {r.addr.ptr, size};
  Address tmp = fe.locals.temporary(type.unqual(), "result");
  fe.memory.storeToLvalue(tmp, r);
  return {tmp.ptr, size};
}

// The passes of the optimiser take more than linear time over a procedure with very many entry points.
void leaveUnoptimized(Procedure &p, LLVMValueRef function) {
  if (!p.plan.large) return;
  const auto index = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  for (const char *a : {"noinline", "optnone"}) p.m.attributes.attr(function, index, a);
  p.m.attributes.attrString(function, kLargeProcedure);
}

// What a child delivers to, it may deliver to after the block of the receiver.
bool CloneBody::endsWithItsBlock(const VarDecl *v) const {
  return !p.plan.closure.zoned.empty() && p.plan.home(v) == VarHome::Closure &&
         (v->addressTaken || v->type->isArray()) && !hasVariableSize(v->type.type) && !v->isReceiver &&
         !v->inletTouches && !v->crossesNested;
}

LLVMValueRef CloneBody::allocateDynamic(FunctionEmitter &fe, LLVMValueRef size, uint32_t align, const VarDecl *vla) {
  if (vla) return fe.callRuntime("cilk_rt_vla", fe.t.ptr, {closure(fe), size, fe.i64c(align), fe.i32c(vlaNumber(vla))});
  return fe.callRuntime("cilk_rt_alloca", fe.t.ptr, {closure(fe), size, fe.i64c(align)});
}
LLVMValueRef CloneBody::cilkAlloca(FunctionEmitter &fe, LLVMValueRef size) {
  return fe.callRuntime("cilk_rt_alloca", fe.t.ptr, {closure(fe), size, fe.i64c(16)});
}
static LLVMValueRef blocks(FunctionEmitter &fe, LLVMValueRef closure) {
  return fe.loadRaw(fe.t.ptr, fe.offsetPtr(closure, offsetof(cilk_closure, blocks)), 8);
}
LLVMValueRef CloneBody::dynamicMark(FunctionEmitter &fe, const VarDecl *) {
  LLVMValueRef mark = fe.entryAlloca(fe.t.ptr, 8, "saved.blocks");
  fe.storeRaw(blocks(fe, closure(fe)), mark, 8);
  return mark;
}
// Most VLAs of a leaf are empty and have no block: they cost a comparison.
void CloneBody::dynamicReset(FunctionEmitter &fe, LLVMValueRef mark) {
  LLVMBasicBlockRef reset = fe.newBlock("vla.reset"), done = fe.newBlock("vla.done");
  LLVMValueRef before = fe.loadRaw(fe.t.ptr, mark, 8), c = closure(fe);
  LLVMBuildCondBr(fe.builder, LLVMBuildICmp(fe.builder, LLVMIntEQ, blocks(fe, c), before, ""), done, reset);
  fe.place(reset);
  fe.callRuntime("cilk_rt_vla_reset", fe.t.voidTy, {c, before});
  fe.jump(done);
  fe.place(done);
}

// ---- slow clones and deliver functions ----------------------------------------------------------------------------

void SlotBody::useClosure(FunctionEmitter &fe, LLVMValueRef closure) {
  c = closure;
  if (p.m.options.debugLevel <= 1) return;
  holder = fe.entryAlloca(fe.t.ptr, 8, "closure");
  fe.storeRaw(c, holder, 8);
  fe.locals.reportClosure(holder);
}

// Addresses of slots are computed in the entry block, those that are used.
LLVMValueRef SlotBody::storageFor(FunctionEmitter &fe, const VarDecl *v) {
  VarHome h = p.plan.home(v);
  auto it =
      h == VarHome::Closure || h == VarHome::Delivered ? p.plan.closure.offsets.find(v) : p.plan.closure.offsets.end();
  if (it == p.plan.closure.offsets.end()) return nullptr;
  LLVMValueRef &slot = slots[v];
  if (slot) return slot;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(fe.function));
  if (!end) return slot = fe.offsetPtr(c, it->second);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(fe.builder);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(fe.builder);
  LLVMPositionBuilderBefore(fe.builder, end);
  LLVMSetCurrentDebugLocation2(fe.builder, nullptr);
  slot = fe.offsetPtr(c, it->second);
  if (here) LLVMPositionBuilderAtEnd(fe.builder, here);
  else LLVMClearInsertionPosition(fe.builder);
  LLVMSetCurrentDebugLocation2(fe.builder, location);
  return slot;
}

BodyStrategy::DebugPlace SlotBody::debugPlace(const VarDecl *v) {
  // The optimiser does away with the holder; the closure itself is one value.
  return holder && slots.count(v) ? DebugPlace{p.m.optimizing() ? c : holder, p.plan.closure.offsets.at(v)}
                                  : DebugPlace{};
}

void SlotBody::emitAbort(FunctionEmitter &fe, const AbortStmt *) { fe.callRuntime("cilk_rt_abort", fe.t.voidTy, {c}); }
LLVMValueRef SlotBody::emitSynched(FunctionEmitter &fe, const Synched *) {
  return fe.callRuntime("cilk_rt_synched", fe.t.i32, {c});
}

// ---- fast clones: where the closure comes from --------------------------------------------------------------------

LLVMValueRef FastClone::storageFor(FunctionEmitter &, const VarDecl *v) {
  auto it = slots.find(v);
  return it == slots.end() ? nullptr : it->second;
}

BodyStrategy::DebugPlace FastClone::debugPlace(const VarDecl *v) {
  return slots.count(v) ? DebugPlace{holder, p.plan.closure.offsets.at(v)} : DebugPlace{};
}

void FastClone::prologue(FunctionEmitter &fe) {
  holder = fe.entryAlloca(fe.t.ptr, 8, "closure.own");
  fe.storeRaw(LLVMConstNull(fe.t.ptr), holder, 8);
  fe.locals.reportClosure(holder);
  if (p.plan.taken == ClosureTaken::AtEntry) takeResidents(fe);
  fe.events.procedureBegins(fe);
}

void FastClone::bodyBegins(FunctionEmitter &fe) { fe.events.parametersBound(fe); }

void FastClone::reportClosure(FunctionEmitter &fe, bool begins, LLVMValueRef c) {
  fe.memory.reportObject(begins, Object::Closure, nullptr, c, fe.i64c(static_cast<int64_t>(p.plan.closure.size)));
}

static LLVMValueRef zonesOf(Procedure &p) {
  if (p.zones) return p.zones;
  const ClosureLayout &c = p.plan.closure;
  std::vector<uint64_t> words = {c.zonesBegin, c.zonesEnd, c.zoned.size()};
  for (auto *v : c.zoned) words.insert(words.end(), {c.offsets.at(v), slotSize(v, p.m.ast.target)});
  LLVMTypeRef i32 = p.m.types->i32;
  std::vector<LLVMValueRef> table;
  for (uint64_t w : words) table.push_back(LLVMConstInt(i32, w, false));
  return p.zones = p.m.privateConstant(LLVMConstArray2(i32, table.data(), table.size()), 4, "cilk.zones");
}

void FastClone::takeResidents(FunctionEmitter &fe) {
  LLVMValueRef c = ops.allocate(fe, p);
  fe.storeRaw(c, holder, 8);
  if (!p.plan.closure.zoned.empty()) fe.callRuntime("cilk_rt_zones", fe.t.voidTy, {c, zonesOf(p)});
  reportClosure(fe, true, c);
  if (uint64_t space = p.plan.closure.arraySpace) {
    LLVMValueRef mask = fe.loadRaw(fe.t.i64, ops.selfField(offsetof(cilk_worker, arrays)), 8);
    arraysLeft = fe.entryAlloca(fe.t.i64, 8, "arrays.left");
    fe.storeRaw(LLVMBuildAnd(fe.builder, mask, fe.i64c(static_cast<int64_t>(space)), ""), arraysLeft, 8);
  }
  for (auto *v : p.plan.closure.variables) {
    if (p.plan.home(v) != VarHome::Closure) continue;
    // The sizes of parameters' types are known before the cut. They do not change: this clone keeps its copy.
    if (fe.locals.known(v)) moveSlot(fe, v, c, true);
    slots[v] = slot(fe, c, v);
  }
}

void FastClone::beforeStmt(FunctionEmitter &fe, const Stmt *s) {
  CloneBody::beforeStmt(fe, s);
  if (p.plan.taken == ClosureTaken::Late && s == p.plan.take) takeResidents(fe);
  // A copy starts right after its parent's test: one there would find nothing new.
  if (auto it = p.plan.before.find(s); mark && it != p.plan.before.end()) met.entry(it->second);
  else emitBefore(fe, s);
}

// ---- fast clones: the array space of the closure (rt/core/abi.h) ---------------------------------------------------

LLVMValueRef FastClone::allocateDynamic(FunctionEmitter &fe, LLVMValueRef size, uint32_t align, const VarDecl *vla) {
  if (!vla || !p.plan.closure.arraySpace || align > 16) return CloneBody::allocateDynamic(fe, size, align, vla);
  LLVMTypeRef ptr = fe.t.ptr, i64 = fe.t.i64;
  LLVMValueRef c = ownClosure(fe), left = fe.loadRaw(i64, arraysLeft, 8);
  LLVMBasicBlockRef small = fe.newBlock("vla.small"), large = fe.newBlock("vla.large"), done = fe.newBlock("vla");
  fe.branch(LLVMBuildICmp(fe.builder, LLVMIntULE, size, left, "fits"), small, large, 1);
  fe.place(small);
  LLVMValueRef end = fe.offsetPtr(c, p.plan.closure.size), back = LLVMBuildNeg(fe.builder, left, ""),
               inside = LLVMBuildGEP2(fe.builder, fe.t.i8, end, &back, 1, "arrays"),
               whole = LLVMBuildAnd(fe.builder, LLVMBuildAdd(fe.builder, size, fe.i64c(15), ""), fe.i64c(-16), "");
  fe.storeRaw(LLVMBuildSub(fe.builder, left, whole, "left"), arraysLeft, 8);
  fe.jump(done);
  fe.place(large);
  LLVMValueRef block = CloneBody::allocateDynamic(fe, size, align, vla);
  LLVMBasicBlockRef from[] = {small, LLVMGetInsertBlock(fe.builder)};
  fe.jump(done);
  fe.place(done);
  LLVMValueRef at = LLVMBuildPhi(fe.builder, ptr, "vla"), either[] = {inside, block};
  LLVMAddIncoming(at, either, from, 2);
  return at;
}

LLVMValueRef FastClone::dynamicMark(FunctionEmitter &fe, const VarDecl *vla) {
  LLVMValueRef mark = CloneBody::dynamicMark(fe, vla);
  if (arraysLeft)
    fe.storeRaw(fe.loadRaw(fe.t.i64, arraysLeft, 8), leftAt[mark] = fe.entryAlloca(fe.t.i64, 8, "saved.arrays"), 8);
  return mark;
}

void FastClone::dynamicReset(FunctionEmitter &fe, LLVMValueRef mark) {
  CloneBody::dynamicReset(fe, mark);
  if (arraysLeft) fe.storeRaw(fe.loadRaw(fe.t.i64, leftAt.at(mark), 8), arraysLeft, 8);
}

LLVMValueRef FastClone::ownClosure(FunctionEmitter &fe) { return fe.loadRaw(fe.t.ptr, holder, 8); }

// Without residents the closure is taken at the first use. The test for "already taken" folds away in straight code,
// because the holder is promoted.
LLVMValueRef FastClone::closure(FunctionEmitter &fe) {
  if (p.plan.taken == ClosureTaken::AtEntry || p.plan.taken == ClosureTaken::Late) return ownClosure(fe);
  LLVMBasicBlockRef take = fe.newBlock("closure.take"), taken = fe.newBlock("closure.taken");
  fe.branch(LLVMBuildIsNull(fe.builder, ownClosure(fe), ""), take, taken);
  fe.place(take);
  LLVMValueRef c = ops.allocate(fe, p);
  fe.storeRaw(c, holder, 8);
  reportClosure(fe, true, c);
  fe.jump(taken);
  fe.place(taken);
  return ownClosure(fe);
}

void FastClone::epilogue(FunctionEmitter &fe) {
  fe.events.procedureEnds(fe);
  LLVMValueRef c = ownClosure(fe);
  if (p.plan.taken == ClosureTaken::AtEntry) {
    reportClosure(fe, false, c);
    ops.free(fe, p, c);
    return;
  }
  LLVMBasicBlockRef have = fe.newBlock("closure.give"), none = fe.newBlock("closure.none");
  fe.branch(LLVMBuildIsNull(fe.builder, c, ""), none, have);
  fe.place(have);
  reportClosure(fe, false, c);
  ops.free(fe, p, c);
  fe.jump(none);
  fe.place(none);
}

void FastClone::setMark(FunctionEmitter &fe) {
  if (mark) fe.storeRaw(LLVMConstInt(fe.t.i8, 1, 0), mark, 1);
}

void FastClone::giveUp(FunctionEmitter &fe) {
  setMark(fe);
  fe.emitReturnUndef();
}

}  // namespace cilkc::cg
