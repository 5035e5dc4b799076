// thread_paths.h - the fast paths of Cilk-1's statements as IR (rt/extensions/cilk1/cilk1.h, section 5). Where they are
// not wanted (at -O0, with instrumentation) the statements are calls of the runtime (threads.cpp).
#pragma once
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "codegen/core/free_list.h"
#include "rt/extensions/cilk1/cilk1.h"

namespace cilkc::cg {

// The spawns that end a thread: one after the other in one block, between them and after them nothing that takes long,
// and all have their arguments. From the thread's end on their threads could run anyway, the last one first; so they
// do. A tail call may be the last of them.
struct Endings {
  Endings(ModuleEmitter &, const FunctionDef &);
  std::unordered_set<const Stmt *> sends;  // nothing of the thread comes after these
  // spawns, each with the statement after which it is started
  std::unordered_map<const Stmt *, const Stmt *> kept;
private:
  ModuleEmitter &m;
  void block(const std::vector<Stmt *> &, bool last);
  void keep(const std::vector<const Stmt *> &spawns, const Stmt *end);
  void branch(const Stmt *, bool last);
};

// The body of a thread.
struct ThreadBody : BodyStrategy {
  LLVMValueRef pool, level;
  ThreadBody(ModuleEmitter &, LLVMValueRef function, const FunctionDef &);
  LLVMValueRef worker(FunctionEmitter &) override;
  ThreadBody *thread() override { return this; }
  void afterStmt(FunctionEmitter &, const Stmt *) override;  // starts what is kept, if that was the last statement
  // The spawn is one of those that end the thread: it is started when all else is done, with what its arguments are
  // now.
  bool keep(FunctionEmitter &, const ThreadStmt &, const std::vector<RValue> &);
  bool last(const Stmt *s) const { return endings.sends.count(s); }
private:
  struct Kept {
    const ThreadStmt *spawn;
    std::vector<RValue> values;
  };
  Endings endings;
  std::vector<Kept> kept;
  void start(FunctionEmitter &);
  void startOne(FunctionEmitter &);
};

// For one statement, or one run of emitted code.
class ThreadPaths {
public:
  static bool wanted(const ModuleEmitter &);
  static bool fits(uint64_t size);  // closures of that size are on free lists
  ThreadPaths(FunctionEmitter &fe, LLVMValueRef pool) : fe(fe), pool(pool) {}

  LLVMValueRef make(LLVMValueRef thread, uint64_t size, uint32_t missing, LLVMValueRef level);
  // Questions, whose answers are i1. Does no worker want attention?
  LLVMValueRef isUndisturbed();
  LLVMValueRef isUndisturbedWithRoomToCall();  // and does the stack have room for another thread?
  LLVMValueRef nothingReadyBelow(LLVMValueRef level);
  LLVMValueRef nothingReadyFrom(LLVMValueRef level);  // of that level or below
  LLVMValueRef wouldRunNext(LLVMValueRef closure);  // would the pool run this closure next?
  // Does k's closure, which may be null, belong to this pool, and is nothing special about it?
  LLVMValueRef isPlain(LLVMValueRef closure);

  void countCalls(int64_t n) { add(offsetof(cilk1_pool, calls), n); }
  void countJump() { add(offsetof(cilk1_pool, jumps), 1); }
  // Notes in the pool that this frame has threads of that level to start. The result is what was noted before, for
  // restoreWaitingLevel, whose result is the level given here: no register keeps it during the call.
  LLVMValueRef noteWaitingLevel(LLVMValueRef level);
  LLVMValueRef restoreWaitingLevel(LLVMValueRef before);
  // One argument is there: goes to `complete` if it was the last one. A fatal error if none was missing.
  void countDown(LLVMValueRef closure, LLVMValueRef slot, LLVMBasicBlockRef complete, LLVMBasicBlockRef done);
  void freeClosure(LLVMValueRef closure, uint64_t size);  // what `go` begins with
private:
  FunctionEmitter &fe;
  LLVMValueRef pool;
  LLVMValueRef field(size_t offset) { return fe.offsetPtr(pool, offset); }
  FreeList listFor(uint64_t size);
  LLVMValueRef attention();
  void add(size_t offset, int64_t by);
};

}  // namespace cilkc::cg
