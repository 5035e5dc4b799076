// thread_paths.cpp - see thread_paths.h.
#include <cstddef>
#include <cstring>
#include "codegen/core/target.h"
#include "codegen/core/thread_paths.h"
#include "rt/cilk1/cilk1.h"

namespace cilkc::cg {

// ---- what a thread's text says ---------------------------------------------------------------------------------------------------------------

static bool returns(const Stmt *s) { return s->kind == StmtKind::Return; }

// The statements of s after which the thread is over, if it is over after s.
static void findLast(const Stmt *s, std::unordered_set<const Stmt *> &found) {
  if (!s) return;
  switch (s->kind) {
    case StmtKind::Compound: {
      const auto &body = s->as<CompoundStmt>()->body;
      for (size_t i = body.size(); i-- > 0;) {
        if (returns(body[i]) || body[i]->kind == StmtKind::Null) continue;
        findLast(body[i], found);
        break;
      }
      break;
    }
    case StmtKind::If:
      findLast(s->as<IfStmt>()->then, found);
      findLast(s->as<IfStmt>()->otherwise, found);
      break;
    case StmtKind::Label: findLast(s->as<LabelStmt>()->sub, found); break;
    case StmtKind::Thread:
    case StmtKind::Send: found.insert(s); break;
    default: break;
  }
}

// The same of those before a `return` somewhere in s.
static void findReturning(const Stmt *s, std::unordered_set<const Stmt *> &found) {
  if (!s) return;
  if (s->kind == StmtKind::If) {
    findReturning(s->as<IfStmt>()->then, found);
    findReturning(s->as<IfStmt>()->otherwise, found);
  } else if (s->kind == StmtKind::Compound) {
    const auto &body = s->as<CompoundStmt>()->body;
    for (size_t i = 0; i < body.size(); i++) {
      findReturning(body[i], found);
      if (i + 1 < body.size() && returns(body[i + 1])) findLast(body[i], found);
    }
  }
}

// Spawns with all arguments that no jump leads back to: those in blocks and branches, of a thread without labels.
static bool findStraight(const Stmt *s, std::unordered_set<const Stmt *> &found) {
  if (!s) return true;
  switch (s->kind) {
    case StmtKind::Compound:
      for (const Stmt *sub : s->as<CompoundStmt>()->body)
        if (!findStraight(sub, found)) return false;
      return true;
    case StmtKind::If: return findStraight(s->as<IfStmt>()->then, found) && findStraight(s->as<IfStmt>()->otherwise, found);
    case StmtKind::Label: return false;
    case StmtKind::Thread: {
      const auto *t = s->as<ThreadStmt>();
      bool complete = t->form == ThreadForm::Spawn && !t->placement;
      for (const Expr *a : t->arguments) complete &= a->kind != ExprKind::Hole;
      if (complete) found.insert(s);
      return true;
    }
    default: return true;
  }
}

ThreadBody::ThreadBody(LLVMValueRef function, const FunctionDef &def) : pool(LLVMGetParam(function, 0)), level(LLVMGetParam(function, 1)) {
  findLast(def.body, last);
  findReturning(def.body, last);
  if (!findStraight(def.body, straight)) straight.clear();
  unsigned inner = 0;
  for (const Stmt *s : straight) inner += !last.count(s);
  reserve = inner ? inner : 1;
}

LLVMValueRef ThreadBody::worker(FunctionEmitter &fe) { return fe.loadRaw(fe.t.ptr, fe.offsetPtr(pool, offsetof(cilk1_pool, worker)), 8); }

// ---- code -------------------------------------------------------------------------------------------------------------------------------------

bool ThreadPaths::wanted(const ModuleEmitter &m) {
  const CodegenOptions &o = m.options;
  return m.optimizing() && o.modes.empty() && !o.sanitizeThread && !o.sanitizeAddress && !o.serial && m.target.stackPointer;
}

bool ThreadPaths::fits(uint64_t size) { return (size - 1) / CILK_FREE_UNIT < CILK_FREE_CLASSES; }

void ThreadPaths::add(size_t offset, int by) {
  LLVMValueRef at = field(offset);
  fe.storeRaw(LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, at, 8), fe.i64c(by), ""), at, 8);
}

// What was there is stored again: an addition would wait for the one before the call.
LLVMValueRef ThreadPaths::frames(unsigned more) {
  LLVMValueRef at = field(offsetof(cilk1_pool, frames)), before = fe.loadRaw(fe.t.i64, at, 8);
  fe.storeRaw(LLVMBuildAdd(fe.builder, before, fe.i64c(more), "frames"), at, 8);
  return before;
}
void ThreadPaths::leave(LLVMValueRef frames) { fe.storeRaw(frames, field(offsetof(cilk1_pool, frames)), 8); }

FreeList ThreadPaths::listFor(uint64_t size) {
  return {field(offsetof(cilk1_pool, free_list) + (size - 1) / CILK_FREE_UNIT * 8), offsetof(cilk1_closure, next)};
}

LLVMValueRef ThreadPaths::make(LLVMValueRef thread, uint64_t size, uint32_t missing, LLVMValueRef level) {
  auto fill = [&](LLVMValueRef c) {
    fe.storeRaw(thread, fe.offsetPtr(c, offsetof(cilk1_closure, thread)), 8);
    fe.storeRaw(level, fe.offsetPtr(c, offsetof(cilk1_closure, level)), 4);
    fe.storeRaw(fe.i32c(missing), fe.offsetPtr(c, offsetof(cilk1_closure, join)), 4);
    add(offsetof(cilk1_pool, closures), 1);
  };
  return listFor(size).take(fe, fill, [&] { return fe.callRuntime("cilk1_spawn_at", fe.t.ptr, {fe.strategy.worker(fe), thread, fe.i32c(missing), level}); });
}

// Unordered, which is relaxed where no two of them are compared: LLVM has it as an operand of the comparison.
LLVMValueRef ThreadPaths::attention() {
  LLVMValueRef a = fe.loadRaw(fe.t.i64, field(offsetof(cilk1_pool, attention)), 8);
  LLVMSetOrdering(a, LLVMAtomicOrderingUnordered);
  return a;
}

LLVMValueRef ThreadPaths::quiet() { return LLVMBuildICmp(fe.builder, LLVMIntNE, attention(), fe.i64c(-1), "quiet"); }

LLVMValueRef ThreadPaths::roomToCall() {
  LLVMMetadataRef name = LLVMMDStringInContext2(fe.context, fe.m.target.stackPointer, strlen(fe.m.target.stackPointer));
  LLVMValueRef sp = fe.callIntrinsic("llvm.read_register", {fe.t.i64}, {LLVMMetadataAsValue(fe.context, LLVMMDNodeInContext2(fe.context, &name, 1))});
  return LLVMBuildICmp(fe.builder, LLVMIntUGT, sp, attention(), "room");
}

LLVMValueRef ThreadPaths::plain(LLVMValueRef c) {
  LLVMBasicBlockRef look = fe.newBlock("send.look"), done = fe.newBlock("send.looked"), before = LLVMGetInsertBlock(fe.builder);
  fe.branch(LLVMBuildIsNotNull(fe.builder, c, ""), look, done, 1);
  fe.place(look);
  LLVMValueRef own = LLVMBuildICmp(fe.builder, LLVMIntEQ, fe.loadRaw(fe.t.ptr, fe.offsetPtr(c, offsetof(cilk1_closure, pool)), 8), pool, "own");
  LLVMValueRef flags = fe.loadRaw(fe.t.i64, fe.offsetPtr(c, offsetof(cilk1_closure, flags)), 8);
  LLVMValueRef both = LLVMBuildAnd(fe.builder, own, LLVMBuildIsNull(fe.builder, flags, ""), "plain");
  fe.jump(done);
  fe.place(done);
  LLVMValueRef phi = LLVMBuildPhi(fe.builder, fe.t.i1, "plain");
  LLVMValueRef values[] = {LLVMConstNull(fe.t.i1), both};
  LLVMBasicBlockRef blocks[] = {before, look};
  LLVMAddIncoming(phi, values, blocks, 2);
  return phi;
}

LLVMValueRef ThreadPaths::countDown(LLVMValueRef c) {
  LLVMValueRef at = fe.offsetPtr(c, offsetof(cilk1_closure, join));
  LLVMValueRef left = LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i32, at, 4), fe.i32c(-1), "left");
  fe.storeRaw(left, at, 4);
  return LLVMBuildIsNull(fe.builder, left, "complete");
}

void ThreadPaths::giveBack(LLVMValueRef c, uint64_t size) {
  add(offsetof(cilk1_pool, begun), 1);
  listFor(size).give(fe, c);
}

}  // namespace cilkc::cg
