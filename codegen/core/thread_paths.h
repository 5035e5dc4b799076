// thread_paths.h - the fast paths of Cilk-1's statements as IR (rt/cilk1/cilk1.h, section 5). Where they are not wanted (at -O0, with instrumentation) the
// statements are calls of the runtime (threads.cpp).
#pragma once
#include <cstddef>
#include <unordered_set>
#include "codegen/core/free_list.h"
#include "rt/cilk1/cilk1.h"

namespace cilkc::cg {

// The body of a thread.
struct ThreadBody : BodyStrategy {
  LLVMValueRef pool, level;
  ThreadBody(LLVMValueRef function, const FunctionDef &);
  LLVMValueRef worker(FunctionEmitter &) override;
  ThreadBody *thread() override { return this; }
  std::unordered_set<const Stmt *> last;      // nothing of the thread comes after these
  std::unordered_set<const Stmt *> straight;  // these spawns run once at most
  unsigned reserve = 1;                       // closures that a frame of this thread may still make
};

// For one statement, or one run of emitted code.
class ThreadPaths {
public:
  static bool wanted(const ModuleEmitter &);
  static bool fits(uint64_t size);            // closures of that size are on free lists
  ThreadPaths(FunctionEmitter &fe, LLVMValueRef pool) : fe(fe), pool(pool) {}

  LLVMValueRef make(LLVMValueRef thread, uint64_t size, uint32_t missing, LLVMValueRef level);
  LLVMValueRef quiet();                       // i1: nobody wants attention
  LLVMValueRef roomToCall();                  // i1: the same, and the stack has room for another thread
  void countCall() { add(offsetof(cilk1_pool, calls), 1); }
  void countJump() { add(offsetof(cilk1_pool, jumps), 1); }
  LLVMValueRef frames(unsigned more);         // and what there were before, for leave()
  void leave(LLVMValueRef frames);
  // Is the closure that k refers to this pool's, and nothing special about it?
  LLVMValueRef plain(LLVMValueRef closure);
  LLVMValueRef countDown(LLVMValueRef closure);             // i1: that was its last argument
  void giveBack(LLVMValueRef closure, uint64_t size);       // what `go` begins with
private:
  FunctionEmitter &fe;
  LLVMValueRef pool;
  LLVMValueRef field(size_t offset) { return fe.offsetPtr(pool, offset); }
  FreeList listFor(uint64_t size);
  LLVMValueRef attention();
  void add(size_t offset, int by);
};

}  // namespace cilkc::cg
