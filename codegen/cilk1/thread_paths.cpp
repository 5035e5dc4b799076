// thread_paths.cpp - see thread_paths.h.
#include <cstddef>
#include <cstring>
#include "codegen/core/target.h"
#include "codegen/cilk1/thread_paths.h"
#include "frontend/ast/visit.h"
#include "rt/extensions/cilk1/cilk1.h"

namespace cilkc::cg {

// ---- what a thread's text says ------------------------------------------------------------------------------------

static bool returns(const Stmt *s) { return s->kind == StmtKind::Return; }

static bool complete(const ThreadStmt *t) {
  bool all = !t->placement && (t->form == ThreadForm::Spawn || t->form == ThreadForm::SpawnNext);
  for (const Expr *a : t->arguments) all &= a->kind != ExprKind::Hole;
  return all;
}

static bool isTailCall(const Stmt *s) {
  return s->kind == StmtKind::Thread && s->as<ThreadStmt>()->form == ThreadForm::TailCall;
}

// May the spawns before s wait for it? Not for calls, which may take any time, nor for loops.
static bool isShort(const Stmt *s) {
  if (s->kind == StmtKind::Null || s->kind == StmtKind::Thread) return true;
  if (s->kind != StmtKind::Expr && s->kind != StmtKind::Decl) return false;
  return !anyExpr(s, Walk::Evaluated,
      [](const Expr *e) { return e->kind == ExprKind::Call || e->kind == ExprKind::StmtExpr; });
}

constexpr size_t kMostKept = 6;  // a call for each, and the same as closures: more is too much code

void Endings::block(const std::vector<Stmt *> &body, bool last) {
  size_t end = body.size();
  while (end && (returns(body[end - 1]) || body[end - 1]->kind == StmtKind::Null)) last |= returns(body[--end]);
  for (size_t i = 0; i < end; i++) branch(body[i], last && i + 1 == end);
  if (!last || !end) return;
  size_t from = end;
  std::vector<const Stmt *> spawns;
  for (; from && isShort(body[from - 1]); from--) {
    if (body[from - 1]->kind != StmtKind::Thread) continue;
    const auto *t = body[from - 1]->as<ThreadStmt>();
    if (t->form == ThreadForm::Root || (t->form == ThreadForm::TailCall && from != end)) break;
    if (complete(t) || t->form == ThreadForm::TailCall) spawns.push_back(t);
    // A successor is shallower: it comes after the children, and is one of these only if there are none.
    if (complete(t) && t->form == ThreadForm::SpawnNext) break;
  }
  if (spawns.size() > 1 && spawns.back()->as<ThreadStmt>()->form == ThreadForm::SpawnNext) spawns.pop_back();
  if (spawns.size() > 1 || spawns.empty() || !isTailCall(spawns[0])) keep(spawns, body[end - 1]);
}

// All or none of them: what is posted by itself would come before those that were spawned after it.
void Endings::keep(const std::vector<const Stmt *> &spawns, const Stmt *end) {
  if (spawns.size() > kMostKept) return;
  for (const Stmt *s : spawns)
    if (s->as<ThreadStmt>()->thread->isAdapter || !m.threads.inRegisters(s->as<ThreadStmt>()->thread)) return;
  for (const Stmt *s : spawns) kept[s] = end;
}

void Endings::branch(const Stmt *s, bool last) {
  if (!s) return;
  switch (s->kind) {
    case StmtKind::Compound: block(s->as<CompoundStmt>()->body, last); break;
    case StmtKind::If:
      branch(s->as<IfStmt>()->then, last);
      branch(s->as<IfStmt>()->otherwise, last);
      break;
    case StmtKind::Label: branch(s->as<LabelStmt>()->sub, last); break;
    case StmtKind::Thread:
      if (last && complete(s->as<ThreadStmt>())) keep({s}, s);
      break;
    case StmtKind::Send:
      if (last) sends.insert(s);
      break;
    default: break;
  }
}

Endings::Endings(ModuleEmitter &m, const FunctionDef &def) : m(m) {
  if (ThreadPaths::wanted(m)) block(def.body->body, true);
}

ThreadBody::ThreadBody(ModuleEmitter &m, LLVMValueRef function, const FunctionDef &def)
    : pool(LLVMGetParam(function, 0)), level(LLVMGetParam(function, 1)), endings(m, def) {}

LLVMValueRef ThreadBody::worker(FunctionEmitter &fe) {
  return fe.loadRaw(fe.t.ptr, fe.offsetPtr(pool, offsetof(cilk1_pool, worker)), 8);
}

// ---- code ---------------------------------------------------------------------------------------------------------

bool ThreadPaths::wanted(const ModuleEmitter &m) {
  const CodegenOptions &o = m.options;
  return m.optimizing() && o.modes.empty() && !o.sanitizeThread && !o.sanitizeAddress && !o.serial &&
         m.target.stackPointer;
}

bool ThreadPaths::fits(uint64_t size) { return (size - 1) / CILK_FREE_UNIT < CILK_FREE_CLASSES; }

void ThreadPaths::add(size_t offset, int64_t by) {
  LLVMValueRef at = field(offset);
  fe.storeRaw(LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, at, 8), fe.i64c(by), ""), at, 8);
}

LLVMValueRef ThreadPaths::noteWaitingLevel(LLVMValueRef level) {
  LLVMValueRef at = field(offsetof(cilk1_pool, waits)), before = fe.loadRaw(fe.t.i32, at, 4);
  fe.storeRaw(level, at, 4);
  return before;
}
LLVMValueRef ThreadPaths::restoreWaitingLevel(LLVMValueRef before) {
  LLVMValueRef at = field(offsetof(cilk1_pool, waits)), own = fe.loadRaw(fe.t.i32, at, 4);
  fe.storeRaw(before, at, 4);
  return own;
}

LLVMValueRef ThreadPaths::nothingReadyFrom(LLVMValueRef level) {
  return LLVMBuildICmp(fe.builder, LLVMIntSLT, fe.loadRaw(fe.t.i32, field(offsetof(cilk1_pool, deepest)), 4), level,
      "deepest");
}

LLVMValueRef ThreadPaths::nothingReadyBelow(LLVMValueRef level) {
  return LLVMBuildICmp(fe.builder, LLVMIntSLE, fe.loadRaw(fe.t.i32, field(offsetof(cilk1_pool, deepest)), 4), level,
      "deepest");
}

LLVMValueRef ThreadPaths::wouldRunNext(LLVMValueRef c) {
  LLVMValueRef level = fe.loadRaw(fe.t.i32, fe.offsetPtr(c, offsetof(cilk1_closure, level)), 4);
  LLVMValueRef waits = fe.loadRaw(fe.t.i32, field(offsetof(cilk1_pool, waits)), 4);
  return LLVMBuildAnd(fe.builder, nothingReadyBelow(level), LLVMBuildICmp(fe.builder, LLVMIntUGE, level, waits, ""),
      "next");
}

FreeList ThreadPaths::listFor(uint64_t size) {
  return {field(offsetof(cilk1_pool, free_list) + (size - 1) / CILK_FREE_UNIT * 8), offsetof(cilk1_closure, next)};
}

LLVMValueRef ThreadPaths::make(LLVMValueRef thread, uint64_t size, uint32_t missing, LLVMValueRef level) {
  auto fill = [&](LLVMValueRef c) {
    fe.storeRaw(thread, fe.offsetPtr(c, offsetof(cilk1_closure, thread)), 8);
    fe.storeRaw(level, fe.offsetPtr(c, offsetof(cilk1_closure, level)), 4);
    fe.storeRaw(fe.i32c(missing), fe.offsetPtr(c, offsetof(cilk1_closure, join)), 4);
    fe.storeRaw(pool, fe.offsetPtr(c, offsetof(cilk1_closure, plain)), 8);
    add(offsetof(cilk1_pool, closures), 1);
  };
  return listFor(size).take(fe, fill, [&] {
    return fe.callRuntime("cilk1_spawn_at", fe.t.ptr, {fe.strategy.worker(fe), thread, fe.i32c(missing), level});
  });
}

// Unordered, which is relaxed where no two of them are compared: LLVM has it as an operand of the comparison.
LLVMValueRef ThreadPaths::attention() {
  LLVMValueRef a = fe.loadRaw(fe.t.i64, field(offsetof(cilk1_pool, attention)), 8);
  LLVMSetOrdering(a, LLVMAtomicOrderingUnordered);
  return a;
}

LLVMValueRef ThreadPaths::isUndisturbed() {
  return LLVMBuildICmp(fe.builder, LLVMIntNE, attention(), fe.i64c(-1), "quiet");
}

LLVMValueRef ThreadPaths::isUndisturbedWithRoomToCall() {
  LLVMMetadataRef name = LLVMMDStringInContext2(fe.context, fe.m.target.stackPointer, strlen(fe.m.target.stackPointer));
  LLVMValueRef sp = fe.callIntrinsic("llvm.read_register", {fe.t.i64},
      {LLVMMetadataAsValue(fe.context, LLVMMDNodeInContext2(fe.context, &name, 1))});
  return LLVMBuildICmp(fe.builder, LLVMIntUGT, sp, attention(), "room");
}

LLVMValueRef ThreadPaths::isPlain(LLVMValueRef c) {
  LLVMBasicBlockRef look = fe.newBlock("send.look"), done = fe.newBlock("send.looked"),
                    before = LLVMGetInsertBlock(fe.builder);
  fe.branch(LLVMBuildIsNotNull(fe.builder, c, ""), look, done, 1);
  fe.place(look);
  LLVMValueRef owner = fe.loadRaw(fe.t.ptr, fe.offsetPtr(c, offsetof(cilk1_closure, plain)), 8);
  // another worker may write NULL, which is no more this pool than what it was
  LLVMSetOrdering(owner, LLVMAtomicOrderingUnordered);
  LLVMValueRef own = LLVMBuildICmp(fe.builder, LLVMIntEQ, owner, pool, "own");
  fe.jump(done);
  fe.place(done);
  LLVMValueRef phi = LLVMBuildPhi(fe.builder, fe.t.i1, "plain");
  LLVMValueRef values[] = {LLVMConstNull(fe.t.i1), own};
  LLVMBasicBlockRef blocks[] = {before, look};
  LLVMAddIncoming(phi, values, blocks, 2);
  return phi;
}

// A sum that was 0, or has a slot that came twice, is below 0 now. Only a sender whose value is not the last one tests
// that.
void ThreadPaths::countDown(LLVMValueRef c, LLVMValueRef slot, LLVMBasicBlockRef complete, LLVMBasicBlockRef done) {
  LLVMValueRef at = fe.offsetPtr(c, offsetof(cilk1_closure, join));
  LLVMValueRef weight = LLVMBuildTrunc(fe.builder, slot, fe.t.i32, "weight");
  LLVMValueRef left = LLVMBuildSub(fe.builder, fe.loadRaw(fe.t.i32, at, 4), weight, "left");
  LLVMBasicBlockRef dead = fe.newBlock("send.dead"), more = fe.newBlock("send.more");
  fe.storeRaw(left, at, 4);
  fe.branch(LLVMBuildIsNull(fe.builder, left, "complete"), complete, more);
  fe.place(more);
  fe.branch(LLVMBuildICmp(fe.builder, LLVMIntSLT, left, fe.i32c(0), "dead"), dead, done, 0);
  fe.place(dead);
  fe.callRuntime("cilk1_send_dead", fe.t.voidTy, {c, slot});
  LLVMBuildUnreachable(fe.builder);
}

void ThreadPaths::freeClosure(LLVMValueRef c, uint64_t size) {
  add(offsetof(cilk1_pool, begun), 1);
  listFor(size).give(fe, c);
}

}  // namespace cilkc::cg
