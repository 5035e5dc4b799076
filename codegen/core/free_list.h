// free_list.h - a list of free closures as IR: its head is a word of the worker's, and each closure on it has the next
// one's address at the same place.
#pragma once
#include <cstddef>
#include "codegen/core/function.h"

namespace cilkc::cg {

struct FreeList {
  LLVMValueRef head;
  size_t next;                     // where in a closure the address is

  // The first one, for which `fill(closure)` writes the rest of its header; where the list is empty, what `fresh()`
  // gives.
  template <class Fill, class Fresh> LLVMValueRef take(FunctionEmitter &fe, Fill fill, Fresh fresh) const {
    LLVMTypeRef ptr = fe.t.ptr;
    LLVMValueRef first = fe.loadRaw(ptr, head, 8);
    LLVMBasicBlockRef have = fe.newBlock("closure.have"), none = fe.newBlock("closure.none"),
                      done = fe.newBlock("closure");
    fe.branch(LLVMBuildIsNotNull(fe.builder, first, ""), have, none, 1);
    fe.place(have);
    fe.storeRaw(fe.loadRaw(ptr, fe.offsetPtr(first, next), 8), head, 8);
    fill(first);
    fe.jump(done);
    fe.place(none);
    LLVMValueRef made = fresh();
    LLVMBasicBlockRef ends[] = {have, LLVMGetInsertBlock(fe.builder)};
    fe.jump(done);
    fe.place(done);
    LLVMValueRef phi = LLVMBuildPhi(fe.builder, ptr, "closure");
    LLVMValueRef values[] = {first, made};
    LLVMAddIncoming(phi, values, ends, 2);
    return phi;
  }
  void give(FunctionEmitter &fe, LLVMValueRef closure) const {
    fe.storeRaw(fe.loadRaw(fe.t.ptr, head, 8), fe.offsetPtr(closure, next), 8);
    fe.storeRaw(closure, head, 8);
  }
};

}  // namespace cilkc::cg
