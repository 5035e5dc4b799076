// procedure.h - one Cilk procedure while its clones are made, and the operations that every clone shares. Private to
// clones/.
//
// A procedure `f` becomes: the fast clone `f.fast` (C ABI of the elision), the slow clone `f.slow` (resumes a closure
// at its entry point), one deliver function per spawn whose result goes somewhere, the signature `f.sig`, a thunk and
// the export stub `mt_f` for calls from C. What differs by spawn strategy is one class per strategy, FastClone's
// subclasses in fast_eager.cpp and fast_lazy.cpp.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
#include "codegen/clones/ledger.h"
#include "codegen/core/events.h"
#include "codegen/core/free_list.h"
#include "codegen/core/function.h"
#include "frontend/plan/plan.h"
#include "rt/abi.h"

namespace cilkc::cg {

struct Procedure {
  Procedure(ModuleEmitter &, const ClonePlan &);
  ModuleEmitter &m;
  const ClonePlan &plan;
  const FunctionDecl *fn;
  const FunctionType *type;
  std::unordered_map<const SpawnStmt *, uint32_t> receiverAlign;   // of Stored receivers, the least seen
  LLVMValueRef fast = nullptr, slow = nullptr, sig = nullptr, thunk = nullptr;
  std::string name() const { return std::string(fn->name); }
};

// The arguments of a procedure as a struct, in which a root's thunk finds them. root.cpp
struct ArgsLayout {
  std::vector<uint64_t> offsets;
  uint64_t size = 0;
  uint32_t align = 16;
};
ArgsLayout layoutArgs(ModuleEmitter &, const FunctionType *);
Address packedArgument(LLVMValueRef ptr, QualType, uint32_t align);

// `what` is in the table of what other machines may run (rt/cilk1/cilk1.h). root.cpp
void emitRemote(Procedure &);  // what a remote procedure calls (frontend/sema/decl/remote.cpp)
void remoteEntry(ModuleEmitter &, LLVMValueRef what, const std::string &name, unsigned kind);

// All procedures of the module, and the copies of their fast clones. Owns the Procedures. Which copies there are says
// the plan.
//
// There are two kinds, both internal functions that are always inlined. They have the C signature plus one last
// parameter, `mark`, the address of a byte that is 0 before the call; the copy sets it to 1 where the caller has
// something to see to:
//   the leaf copy     runs the procedure up to its cut (ClonePlan::cut): a leaf returns with its value, others return
//                     with the mark set and nothing done;
//   the copy at r     is a whole fast clone in which spawns of the same recursive group call copies at r-1; the mark is
//                     set where the frame released or unwound, that is, where the caller has to do so, too.
class Procedures {
public:
  explicit Procedures(ModuleEmitter &m);
  ~Procedures();
  Procedure &of(const FunctionDecl *);
  LLVMValueRef fast(const FunctionDecl *);  // f.fast, declared or defined in this unit
  const FunctionType *markedType(const FunctionDecl *);  // of copies
  void inlined(const FunctionDecl *, LLVMValueRef copy);
  LLVMValueRef copy(const FunctionDecl *, size_t r);
  LLVMValueRef leaf(const FunctionDecl *);
  // takes one copy whose body is still to be emitted; level -1: leaf copy
  bool pending(const FunctionDecl *&fn, long &level, LLVMValueRef &function);
private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

// Access to the worker's hot part and to closure headers, as IR.
class RuntimeOps {
public:
  explicit RuntimeOps(ModuleEmitter &m) : m(m) {}
  ModuleEmitter &m;
  LLVMValueRef selfField(size_t offset);
  LLVMValueRef headerField(FunctionEmitter &, LLVMValueRef closure, size_t offset);
  Procedures *all = nullptr;
  // A closure for p, from the free list.
  LLVMValueRef allocate(FunctionEmitter &, Procedure &p);
  void free(FunctionEmitter &, Procedure &p, LLVMValueRef closure);
  // The deque: push returns the place that pop needs; pop returns i1 "an exception is above".
  LLVMValueRef push(FunctionEmitter &, LLVMValueRef closure);
  // A slow clone's pop is fenced: then thieves need no membarrier for its closure (rt/abi.h).
  LLVMValueRef pop(FunctionEmitter &, LLVMValueRef place, bool fenced = false);
  LLVMValueRef releaseFlag(FunctionEmitter &);  // i1
  void compilerFence(FunctionEmitter &);
private:
  FreeList listOf(uint64_t sizeClass);
};

void leaveUnoptimized(Procedure &, LLVMValueRef function);  // body.cpp; does nothing where the size is ordinary

// What one spawn statement evaluated before its child starts.
struct SpawnValues {
  Address receiver;  // Stored receivers
  std::vector<RValue> inletArgs, args;
  std::vector<QualType> types;
  LLVMValueRef callee = nullptr;
  const FunctionDecl *direct = nullptr;
};

// Base of every clone's strategy: slots, saving, records, deliveries.
class CloneBody : public BodyStrategy {
public:
  CloneBody(Procedure &p, RuntimeOps &ops) : met(p.plan), p(p), ops(ops) {}
  Ledger met;  // of this emission
  virtual bool publishes() const { return true; }  // at a spawn the frame can be stolen before the child is called
  LLVMValueRef allocateDynamic(FunctionEmitter &, LLVMValueRef size, uint32_t align, const VarDecl *vla) override;
  LLVMValueRef dynamicMark(FunctionEmitter &, const VarDecl *vla) override;
  void dynamicReset(FunctionEmitter &, LLVMValueRef mark) override;
  LLVMValueRef cilkAlloca(FunctionEmitter &, LLVMValueRef size) override;
  LLVMValueRef instance(FunctionEmitter &fe) override { return closure(fe); }
  void bodyBegins(FunctionEmitter &) override {}  // not that of a C function
  void beforeStmt(FunctionEmitter &, const Stmt *s) override { met.statement(s); }
  void setConstants(FunctionEmitter &);  // parameters with one value in all calls, at the start of every clone

protected:
  Procedure &p;
  RuntimeOps &ops;
  virtual LLVMValueRef closure(FunctionEmitter &) = 0;  // the instance's closure, taken now if need be
  virtual unsigned vlaNumber(const VarDecl *) const { return 0; }  // for cilk_rt_vla
  LLVMValueRef slot(FunctionEmitter &, LLVMValueRef closure, const VarDecl *);
  // receiver's address, extra inlet arguments, arguments: in this order
  SpawnValues evaluate(FunctionEmitter &, const SpawnStmt &);
  RValue callChild(FunctionEmitter &, const SpawnStmt &, const SpawnValues &, LLVMValueRef callee);
  void deliver(FunctionEmitter &, const SpawnStmt &, const SpawnValues &, const RValue &result);
  void save(FunctionEmitter &, LLVMValueRef closure, const std::vector<const VarDecl *> &, bool registersOnly);
  void restore(FunctionEmitter &, LLVMValueRef closure, const std::vector<const VarDecl *> &);
  void saveRecord(FunctionEmitter &, LLVMValueRef closure, const SpawnStmt &, const SpawnValues &);
  void setEntry(FunctionEmitter &, LLVMValueRef closure, int entry);
  // Futures (touch.cpp).
  virtual void begins(FunctionEmitter &, const SpawnStmt &, const Address &receiver);  // something is spawned into it
  virtual void filled(FunctionEmitter &, const SpawnStmt &, const Address &receiver);  // its value is stored
  LLVMValueRef isFull(FunctionEmitter &, LLVMValueRef future, bool own);  // i1
  void moveSlot(FunctionEmitter &, const VarDecl *, LLVMValueRef closure, bool toSlot);
  // Address and size of a child's result in memory, for the runtime; null and 0 for void.
  std::pair<LLVMValueRef, LLVMValueRef> resultInMemory(FunctionEmitter &, const RValue &, QualType);
};

// Code that works on the closure itself: the slow clone and the deliver functions. What deliveries touch, and objects
// that never move, are the slots.
class SlotBody : public CloneBody {
public:
  using CloneBody::CloneBody;
  LLVMValueRef storageFor(FunctionEmitter &, const VarDecl *) override;
  DebugPlace debugPlace(const VarDecl *) override;
  void emitAbort(FunctionEmitter &, const AbortStmt *) override;
  LLVMValueRef emitSynched(FunctionEmitter &, const Synched *) override;
  bool oneStrand() const override { return false; }
protected:
  void useClosure(FunctionEmitter &, LLVMValueRef closure);  // in the prologue
  LLVMValueRef closure(FunctionEmitter &) override { return c; }
  LLVMValueRef c = nullptr;
private:
  LLVMValueRef holder = nullptr;  // alloca: the closure, for debuggers
  std::unordered_map<const VarDecl *, LLVMValueRef> slots;
};

// The fast clone: C ABI, invariant "never stolen, no child out". Subclasses say what a spawn costs.
class FastClone : public CloneBody {
public:
  FastClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark = nullptr) : CloneBody(p, ops), mark(mark) {}
  LLVMValueRef storageFor(FunctionEmitter &, const VarDecl *) override;
  DebugPlace debugPlace(const VarDecl *) override;
  void prologue(FunctionEmitter &) override;
  void beforeStmt(FunctionEmitter &, const Stmt *) override;  // the cut: takes the closure of procedures with residents
  void epilogue(FunctionEmitter &) override;
  void emitSync(FunctionEmitter &, const SyncStmt *) override;  // nothing but measurements
  void emitTouch(FunctionEmitter &, const TouchStmt &) override;
protected:
  void filled(FunctionEmitter &, const SpawnStmt &, const Address &receiver) override;
  // The future is another's, and not there: this frame becomes a closure that waits, or control goes on to `full`,
  // since it has come.
  virtual void giveUpFor(FunctionEmitter &, const TouchStmt &, LLVMValueRef future, LLVMBasicBlockRef full);
  LLVMValueRef mark;  // in copies: the byte to set before giving up; null in f.fast
  void giveUp(FunctionEmitter &);  // sets the mark, returns a dummy
  // Calls a copy with a fresh mark: the result, and whether the mark is set.
  RValue callMarked(FunctionEmitter &, const SpawnStmt &, const SpawnValues &, const FunctionDecl *, LLVMValueRef copy,
      const Address &dest, LLVMValueRef &marked);
  LLVMValueRef closure(FunctionEmitter &) override;
  LLVMValueRef ownClosure(FunctionEmitter &);  // or null at run time
public:
  LLVMValueRef closureHolder() const { return holder; }  // for verifyFast
protected:
  LLVMValueRef holder = nullptr;  // alloca: the closure or null
  void tellClosure(FunctionEmitter &, bool begins, LLVMValueRef);
  void takeResidents(FunctionEmitter &);
  std::unordered_map<const VarDecl *, LLVMValueRef> slots;  // Closure homes
};

// The fast clone, its copy with so many levels of inlining left below it, and its leaf copy (fast.cpp). Each strategy
// has a factory, make<id>Clone, in a file of its own.
void emitFast(Procedure &, RuntimeOps &);
void emitFastCopy(Procedure &, RuntimeOps &, LLVMValueRef copy, size_t levels);
void emitLeafCopy(Procedure &, RuntimeOps &, LLVMValueRef copy);
std::unique_ptr<FastClone> makeLeafClone(Procedure &, RuntimeOps &, LLVMValueRef mark);  // inline.cpp
void emitSlow(Procedure &, RuntimeOps &);  // slow.cpp
void verifyFast(Procedure &, LLVMValueRef function, LLVMValueRef holder);  // verify.cpp; with CodegenOptions::verify
void verifySlow(Procedure &);
// deliver.cpp; null when there is nothing to deliver
LLVMValueRef emitDeliver(Procedure &, RuntimeOps &, const EntryPoint &);
void emitSignature(Procedure &, RuntimeOps &);  // signature.cpp; after the clones
void emitLayouts(ModuleEmitter &);  // layouts.cpp
void emitThunk(Procedure &);  // root.cpp
void emitExport(Procedure &);
void emitEntry(Procedure &, LLVMValueRef function);
void emitMainRoot(Procedure &);

}  // namespace cilkc::cg
