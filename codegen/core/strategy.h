// strategy.h - BodyStrategy: what differs between a plain C function and the clones of a Cilk procedure: where locals
// live, what spawn, sync, abort, SYNCHED and return mean, where dynamic memory comes from. The defaults (defaults.cpp)
// are those of a C function.
#pragma once
#include "codegen/core/values.h"

namespace cilkc::cg {

struct ThreadBody;  // thread_paths.h

// What a plain C function does; clones override. One object per emission. `fe` is the emitter the hook is called for.
class BodyStrategy {
public:
  virtual ~BodyStrategy() = default;
  // Address where a parameter or local lives, or nullptr: an alloca in the entry block. Asked once per variable and
  // emission, the first time it is met; for objects of inlets that are emitted inline, too. A VLA's storage is its
  // pointer slot: 8 bytes that hold the address of the elements.
  virtual LLVMValueRef storageFor(FunctionEmitter &, const VarDecl *) { return nullptr; }
  // Where a debugger finds that storage when it is not an alloca: at this offset from the pointer that is kept at
  // `base`. Null: at storageFor's address itself.
  struct DebugPlace {
    LLVMValueRef base = nullptr;
    uint64_t offset = 0;
  };
  virtual DebugPlace debugPlace(const VarDecl *) { return {}; }
  // May the emitter put lifetime markers on its own allocas and reuse stack slots? (No where control enters in the
  // middle.)
  virtual bool lifetimeMarkers() const { return true; }
  // Does it live in a closure with AddressSanitizer's red zones, and no access to it is valid after its block?
  virtual bool endsWithItsBlock(const VarDecl *) const { return false; }
  // all of it runs in one strand: reducers have the same views from the entry on
  virtual bool oneStrand() const { return true; }
  // else, if it is kept: the place of the running strand's map of reducers
  virtual LLVMValueRef viewsOfStrand() const { return nullptr; }
  virtual bool usersCode() const { return true; }  // else what it calls is not reported (Events::calls)
  virtual void prologue(FunctionEmitter &) {}
  virtual void bodyBegins(FunctionEmitter &);  // parameters are in place, the body is about to be emitted
  // First thing in the return block that emitReturnJump() leads to, all scopes left, the result already stored: where a
  // fast clone frees its closure.
  virtual void epilogue(FunctionEmitter &);
  // Called by emitStmt before any statement of the body itself is emitted (not for those of inlets emitted inline):
  // lazy release points.
  virtual void beforeStmt(FunctionEmitter &, const Stmt *) {}
  virtual void afterStmt(FunctionEmitter &, const Stmt *) {}  // likewise, after each
  // spawn in any of its forms. Default: a call, then the delivery (emitDelivery), the last thing that belongs to the
  // child: spawnReturned is reported after it.
  virtual void emitSpawn(FunctionEmitter &, const SpawnStmt &);
  virtual void emitTouch(FunctionEmitter &, const TouchStmt &) {}  // default: what was spawned is over
  virtual void emitSync(FunctionEmitter &, const SyncStmt *) {}
  virtual void emitAbort(FunctionEmitter &, const AbortStmt *) {}
  virtual LLVMValueRef worker(FunctionEmitter &);  // that this runs on (Cilk-1). Default: asks the runtime
  virtual ThreadBody *thread() { return nullptr; }  // if this is the body of a thread
  // The closure of the running instance (ptr); null where there is none.
  virtual LLVMValueRef instance(FunctionEmitter &) { return nullptr; }
  // A variable's place in it, whether or not the variable is there now; null where it has none.
  virtual LLVMValueRef home(FunctionEmitter &, const VarDecl *) { return nullptr; }
  virtual LLVMValueRef emitSynched(FunctionEmitter &, const Synched *);  // i32; default 1
  // i32: is what is left of a loop to be divided now? Default: before its first iteration, not after it has begun.
  virtual LLVMValueRef emitWanted(FunctionEmitter &, bool begun);
  // `return value;` (value null for none) of the body itself, not of an inlet that is emitted inline. Default: C
  // return: cleanups, then emitReturnValue.
  virtual void emitReturn(FunctionEmitter &, const ReturnStmt *);
  // Control reaches the closing brace. Default: C.
  virtual void fallOff(FunctionEmitter &);
  // alloca (scoped == false) and VLAs (scoped == true): n bytes (i64).
  virtual LLVMValueRef allocateDynamic(FunctionEmitter &, LLVMValueRef size, uint32_t align,
      const VarDecl *vla = nullptr);
  // Before the first VLA of a block: a place in the entry block, in which a mark was stored; null: none is needed. And
  // where that block ends (or is left by a jump). Default: stacksave, stackrestore.
  virtual LLVMValueRef dynamicMark(FunctionEmitter &, const VarDecl *vla);
  virtual void dynamicReset(FunctionEmitter &, LLVMValueRef mark);
  virtual bool returnResets() const { return true; }  // else the epilogue frees what VLAs have
  // Cilk_alloca(n) of <cilk.h> builtins.
  virtual LLVMValueRef cilkAlloca(FunctionEmitter &, LLVMValueRef size);
};

}  // namespace cilkc::cg
