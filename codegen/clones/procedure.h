// procedure.h - one Cilk procedure while its clones are made, and the operations that every clone shares. Private to
// clones/.
//
// A procedure `f` becomes the fast clone `f.fast` (C ABI of the elision) and the slow clone `f.slow` (resumes a closure
// at its entry point). Each spawn whose result goes somewhere has one deliver function. Further parts are the
// signature `f.sig`, a thunk and the export stub `mt_f` for calls from C. What clones do at a spawn, a sync or a touch
// is a list of steps in the plan (frontend/plan/sites.def). Each step is one function here. Spawn strategies differ in
// their lists only.
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
#include "rt/core/abi.h"

namespace cilkc::cg {

struct Procedure {
  Procedure(ModuleEmitter &, const ClonePlan &);
  ModuleEmitter &m;
  const ClonePlan &plan;
  const FunctionDecl *fn;
  const FunctionType *type;
  std::unordered_map<const SpawnStmt *, uint32_t> receiverAlign;  // of Stored receivers, the least seen
  LLVMValueRef fast = nullptr, slow = nullptr, sig = nullptr, thunk = nullptr;
  LLVMValueRef zones = nullptr;  // AddressSanitizer: for cilk_rt_zones; made when a fast clone first asks
  std::string name() const { return std::string(fn->name); }
  std::string shownName() const { return std::string(fn->shownName()); }
};

// The arguments of a procedure as a struct, in which a root's thunk finds them. root.cpp
struct ArgsLayout {
  std::vector<uint64_t> offsets;
  uint64_t size = 0;
  uint32_t align = 16;
};
ArgsLayout layoutArgs(ModuleEmitter &, const FunctionType *);
Address packedArgument(LLVMValueRef ptr, QualType, uint32_t align);

// `what` is in the table of what other machines may run (rt/extensions/cilk1/cilk1.h). root.cpp
void emitRemote(Procedure &);  // what a remote procedure calls (frontend/sema/cilk/remote.cpp)
void remoteEntry(ModuleEmitter &, LLVMValueRef what, const std::string &name, unsigned kind);

// All procedures of the module, and the copies of their fast clones. Owns the Procedures. Which copies there are says
// the plan.
//
// There are two kinds, both internal functions that are always inlined. They have the C signature plus one last
// parameter, `mark`, the address of a byte that is 0 before the call; the copy sets it to 1 where the caller has
// something to see to:
//   the leaf copy     runs the procedure up to its cut (ClonePlan::cut): a leaf returns with its value, others return
//                     with the mark set and nothing done; that of a loop (ClonePlan::cut) with what is left to do;
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
  // A slow clone's pop is fenced: then thieves need no membarrier for its closure (rt/core/abi.h).
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

// One place of the text while its steps are emitted: what they leave for each other.
struct At {
  FunctionEmitter &fe;
  const int number;  // of its entry point
  const EntryPoint &entry;
  LLVMValueRef closure = nullptr;
  SpawnValues values = {};
  RValue result = {};  // the child's
  Address merged = {};  // where the leaf copy and the child leave it
  LLVMValueRef place = nullptr, asked = nullptr, future = nullptr;
  LLVMBasicBlockRef join = nullptr, after = nullptr;  // after the child, after the delivery
  // For a step that branches: where the main line goes on, and the arms.
  LLVMBasicBlockRef go = nullptr;
  std::vector<std::pair<Outcome, LLVMBasicBlockRef>> arms = {};

  const SpawnStmt &spawn() const { return *entry.spawn; }
  const TouchStmt &touch() const { return *entry.stmt->as<TouchStmt>(); }
  LLVMBasicBlockRef goOn(const char *name) { return go ? go : go = fe.newBlock(name); }
};

// Base of every clone's strategy: slots, saving, records, deliveries, steps.
class CloneBody : public BodyStrategy {
public:
  CloneBody(Procedure &p, RuntimeOps &ops) : met(p.plan), p(p), ops(ops) {}
  Ledger met;  // of this emission
  void emitSpawn(FunctionEmitter &fe, const SpawnStmt &s) override { emitSite(fe, p.plan.spawn(&s).entry); }
  void emitSync(FunctionEmitter &fe, const SyncStmt *s) override { emitSite(fe, p.plan.entryOf(s)); }
  void emitTouch(FunctionEmitter &fe, const TouchStmt &s) override { emitSite(fe, p.plan.entryOf(&s)); }
  bool endsWithItsBlock(const VarDecl *) const override;
  LLVMValueRef allocateDynamic(FunctionEmitter &, LLVMValueRef size, uint32_t align, const VarDecl *vla) override;
  LLVMValueRef dynamicMark(FunctionEmitter &, const VarDecl *vla) override;
  void dynamicReset(FunctionEmitter &, LLVMValueRef mark) override;
  LLVMValueRef cilkAlloca(FunctionEmitter &, LLVMValueRef size) override;
  LLVMValueRef instance(FunctionEmitter &fe) override { return closure(fe); }
  LLVMValueRef home(FunctionEmitter &fe, const VarDecl *v) override {
    return p.plan.closure.offsets.count(v) ? slot(fe, closure(fe), v) : nullptr;
  }
  void bodyBegins(FunctionEmitter &) override {}  // not that of a C function
  void beforeStmt(FunctionEmitter &, const Stmt *s) override { met.statement(s); }
  void setConstants(FunctionEmitter &);  // parameters with one value in all calls, at the start of every clone

protected:
  Procedure &p;
  RuntimeOps &ops;
  virtual LLVMValueRef closure(FunctionEmitter &) = 0;  // the instance's closure, taken now if need be
  virtual unsigned vlaNumber(const VarDecl *) const { return 0; }  // for cilk_rt_vla
  // The steps at an entry point (steps.cpp).
  virtual Clone kind() const { return Clone::Slow; }
  void emitSite(FunctionEmitter &, int entry);
  void emitSteps(At &, const Steps &, LLVMBasicBlockRef after);
  void emitBefore(FunctionEmitter &, const Stmt *);  // the test before a spawn, if the plan has one here
  virtual void giveUp(FunctionEmitter &) {}  // this run of the clone is over
  virtual LLVMBasicBlockRef exitBlock() const { return nullptr; }  // if that is one block
  void decide(At &, LLVMValueRef verdict, const char *go);  // branches as the runtime says
  [[noreturn]] static void notMine(Step);
#define STEP(id, word) void on##id(At &);
#define FAST_STEP(id, word) \
  virtual void on##id(At &) { notMine(Step::id); }
#define SLOW_STEP FAST_STEP
#include "frontend/plan/steps.def"
  LLVMValueRef slot(FunctionEmitter &, LLVMValueRef closure, const VarDecl *);
  void save(FunctionEmitter &, LLVMValueRef closure, const std::vector<const VarDecl *> &, bool registersOnly);
  void restore(FunctionEmitter &, LLVMValueRef closure, const std::vector<const VarDecl *> &);
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

// The fast clone: C ABI, invariant "never stolen, no child out".
class FastClone : public CloneBody {
public:
  FastClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark = nullptr, size_t levels = 0)
      : CloneBody(p, ops), mark(mark), levels(levels) {}
  LLVMValueRef storageFor(FunctionEmitter &, const VarDecl *) override;
  DebugPlace debugPlace(const VarDecl *) override;
  void prologue(FunctionEmitter &) override;
  void bodyBegins(FunctionEmitter &) override;
  void beforeStmt(FunctionEmitter &, const Stmt *) override;  // takes the closure of residents
  void epilogue(FunctionEmitter &) override;
  LLVMValueRef allocateDynamic(FunctionEmitter &, LLVMValueRef size, uint32_t align, const VarDecl *vla) override;
  LLVMValueRef dynamicMark(FunctionEmitter &, const VarDecl *vla) override;
  void dynamicReset(FunctionEmitter &, LLVMValueRef mark) override;
  bool returnResets() const override { return !p.plan.residents; }
  LLVMValueRef emitWanted(FunctionEmitter &, bool begun) override;
protected:
  Clone kind() const override { return Clone::Fast; }
#define FAST_STEP(id, word) void on##id(At &) override;
#include "frontend/plan/steps.def"
  void filled(FunctionEmitter &, const SpawnStmt &, const Address &receiver) override;
  LLVMValueRef mark;  // in copies: the byte to set before giving up; null in f.fast
  size_t levels;  // of inlining left below this frame
  void setMark(FunctionEmitter &);
  void giveUp(FunctionEmitter &) override;  // sets the mark, returns a dummy
  // Calls a copy with a fresh mark; at.result, and whether the mark is set.
  LLVMValueRef callMarked(At &, const FunctionDecl *, LLVMValueRef copy);
  // The result of one of two calls at at.merged: storing it after each, loading it where they come together.
  void mergeResults(At &);
  void keepResult(At &);
  void loadResult(At &);
  LLVMValueRef closure(FunctionEmitter &) override;
  LLVMValueRef ownClosure(FunctionEmitter &);  // or null at run time
public:
  LLVMValueRef closureHolder() const { return holder; }  // for verifyFast
protected:
  LLVMValueRef holder = nullptr;  // alloca: the closure or null
  void reportClosure(FunctionEmitter &, bool begins, LLVMValueRef);
  void takeResidents(FunctionEmitter &);
  std::unordered_map<const VarDecl *, LLVMValueRef> slots;  // Closure homes
  LLVMValueRef arraysLeft = nullptr;  // alloca: bytes that are left in the closure's array space
  std::unordered_map<LLVMValueRef, LLVMValueRef> leftAt;  // by mark: what was left
};

// The fast clone, its copy with so many levels of inlining left below it, and its leaf copy (fast.cpp).
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
void emitShapes(ModuleEmitter &, const std::vector<const Procedure *> &);  // shapes.cpp
void emitThunk(Procedure &);  // root.cpp
void emitExport(Procedure &);
void emitEntry(Procedure &, LLVMValueRef function);
void emitMainRoot(Procedure &);

}  // namespace cilkc::cg
