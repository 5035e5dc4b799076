// builder.h - FunctionBuilder: the blocks and instructions of ONE LLVM function in the making. It knows no C: what is
// below expressions and statements, and all that the code around a user's body needs (clones' protocols, events,
// stubs).
//
// A block is made, later placed; code goes to the builder's place. Memory is read and written here by its address
// alone, without alias metadata and without informing any mode: this is the compiler's own traffic. What the user's
// code does to memory goes through Memory and Atomics (stages.h). All of them make their instructions in memory.cpp.
#pragma once
#include "codegen/core/module.h"

namespace cilkc::cg {

// Words that the runtime reads and writes, too: the deque, the flag of releases, counters that a mode keeps. With the
// order that the protocol asks for, and at the place of any builder. Only files that speak with the runtime use them
// (tests/house/test_guards.py lists them).
constexpr LLVMAtomicOrdering plainOrder = LLVMAtomicOrderingNotAtomic;
LLVMValueRef runtimeLoad(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef ptr, uint32_t align, LLVMAtomicOrdering = plainOrder,
    const char *name = "");
LLVMValueRef runtimeStore(LLVMBuilderRef, LLVMValueRef value, LLVMValueRef ptr, uint32_t align,
    LLVMAtomicOrdering = plainOrder);
LLVMValueRef runtimeExchange(LLVMBuilderRef, LLVMValueRef value, LLVMValueRef ptr, LLVMAtomicOrdering);

class FunctionBuilder {
public:
  FunctionBuilder(ModuleEmitter &, LLVMValueRef function);
  ~FunctionBuilder();
  FunctionBuilder(const FunctionBuilder &) = delete;

  ModuleEmitter &m;
  TypeLowering &t;
  const LLVMContextRef context;
  const LLVMBuilderRef builder;
  const LLVMValueRef function;
  LLVMBasicBlockRef entryBlock = nullptr;  // made by FunctionEmitter::begin

  // ---- blocks ----
  LLVMBasicBlockRef newBlock(const char *name);  // not yet placed
  void place(LLVMBasicBlockRef);  // appends it; falls through from the current block if that is open; continues there
  bool open() const;  // does control reach the current point?
  void ensureOpen();  // starts an unreachable block if not
  void jump(LLVMBasicBlockRef);  // br, if open
  // expect: 1 likely, 0 unlikely
  void branch(LLVMValueRef i1, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, int expect = -1);
  void emitTrap();
  // Begins another block where this block has very many calls: LLVM's allocator for -O0 looks, at each call, at all
  // values of the block. Optimised code is one block again, which its allocator does not mind.
  void cutLongBlock();

  // ---- calls ----
  LLVMValueRef call(LLVMTypeRef type, LLVMValueRef callee, std::vector<LLVMValueRef> args, const char *name = "");
  LLVMValueRef callIntrinsic(const char *name, std::vector<LLVMTypeRef> overloads, std::vector<LLVMValueRef> args);
  LLVMValueRef callRuntime(const char *name, LLVMTypeRef result, std::vector<LLVMValueRef> args);

  // ---- addresses and constants ----
  LLVMValueRef entryAlloca(LLVMTypeRef, uint32_t align, const char *name);
  LLVMValueRef offsetPtr(LLVMValueRef ptr, uint64_t bytes);  // inbounds
  LLVMValueRef i32c(int64_t), i64c(int64_t);

  // ---- memory (memory.cpp) ----
  LLVMValueRef loadRaw(LLVMTypeRef, LLVMValueRef ptr, uint32_t align);
  LLVMValueRef storeRaw(LLVMValueRef value, LLVMValueRef ptr, uint32_t align);  // the instruction
  LLVMValueRef rmwRaw(LLVMAtomicRMWBinOp, LLVMValueRef ptr, LLVMValueRef value, LLVMAtomicOrdering);
  LLVMValueRef cmpXchgRaw(LLVMValueRef ptr, LLVMValueRef expected, LLVMValueRef desired, LLVMAtomicOrdering success,
      LLVMAtomicOrdering failure);
  void copyBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign, LLVMValueRef size,
      bool isVolatile = false);
  void moveBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign, LLVMValueRef size);
  void fillBytes(LLVMValueRef dest, uint32_t align, LLVMValueRef byte, LLVMValueRef size);
  void zeroFill(LLVMValueRef dest, uint32_t align, LLVMValueRef size, bool isVolatile = false);

private:
  LLVMValueRef allocaPoint = nullptr;
  LLVMBasicBlockRef counted = nullptr;  // the block in which `calls` were made
  unsigned calls = 0;
};

}  // namespace cilkc::cg
