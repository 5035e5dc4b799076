// stages.h - what emits a body, by subject: one class for each, in one or two files of body/, c/ and builtin/. A stage
// reaches the others, and the blocks of the function, through `fe`; state that only it needs is its own and private.
#pragma once
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include "codegen/core/checks.h"
#include "codegen/core/values.h"

namespace cilkc {
struct AtomicInfo;
struct Weight;
}

namespace cilkc::cg {

class BodyStrategy;

struct BodyStage {
  explicit BodyStage(FunctionEmitter &);
  FunctionEmitter &fe;
  ModuleEmitter &m;
  TypeLowering &t;
  const LLVMContextRef context;
  const LLVMBuilderRef builder;
  const LLVMValueRef function;
  const FunctionDecl *const fn;
  BodyStrategy &strategy;
  Events &events;
};

// ---- a body's frame -----------------------------------------------------------------------------------------------

// Where variables live, and how large those of variable size are. locals.cpp
class Locals : BodyStage {
public:
  using BodyStage::BodyStage;
  // a local's storage (allocating it on first sight) or a global's address; not for registers
  Address variable(const VarDecl *);
  Address slotOf(const VarDecl *);  // the same of a local; of one of variable size, where its address is kept
  Address temporary(QualType, const char *name = "tmp");  // uninitialised, in the entry block
  void bindParameter(const VarDecl *, const Address &);  // lives there from now on
  void keepAt(const VarDecl *v, const Address &slot) { storage[v] = slot; }
  bool known(const VarDecl *v) const { return storage.count(v) != 0; }
  void forget(const VarDecl *v) { storage.erase(v); }
  void reportClosure(LLVMValueRef holder);  // to debuggers: where the procedure's closure is kept
  LLVMValueRef sizeOfType(QualType);  // the bytes of a type (i64), reading the size variables of a VLA's
  // Bytes before a member of a record of variable size; of the whole record, if there is no member.
  LLVMValueRef variableOffset(const RecordType *, const FieldDecl *);
  Address sizeVariable(const VarDecl *);  // of a VLA type
  void describe(const VarDecl *, const Address &);
  void emitVlaSizes(QualType, const void *owner);

private:
  Address storageOf(const VarDecl *);
  LLVMValueRef threadLocalAddress(LLVMValueRef);
  std::unordered_map<const VarDecl *, Address> storage;
  // which declaration sets a type's size variables: typedefs and typeof share types
  std::unordered_map<const VarDecl *, const void *> vlaOwner;
  std::vector<const RecordType *> measured;  // whose sizes are being evaluated: a record may have pointers to itself
};

// Nested functions of GNU C: the record of captured variables' addresses, filled in by their owner, and jumps from them
// to labels here. nested.cpp
class NestedFunctions : BodyStage {
public:
  using BodyStage::BodyStage;
  void enter(LLVMValueRef chain) { chainParam = chain; }  // this is one; the record of the function around it
  void buildChain();
  LLVMValueRef captured(const VarDecl *);  // the place of a variable of an enclosing function; null: it is none
  LLVMValueRef staticChainFor(const FunctionDecl *callee);
  LLVMValueRef chainOf(const FunctionDecl *owner);
  // Labels that nested functions jump to: a buffer of setjmp after the chain's variables, before it the stack pointer
  // to go back to.
  void armNonlocalLabels();
  void noteStack();  // after the stack has grown: jumps of nested functions to labels here come back to it

private:
  LLVMValueRef chainRecord = nullptr, chainParam = nullptr;
  LLVMValueRef jumpBuffer = nullptr;
};
unsigned jumpSlot(const FunctionDecl *);  // of a chain record: where the jump buffer's address is
bool isAncestor(const FunctionDecl *, const FunctionDecl *of);

// The blocks that are open, and what is done where control leaves them. scopes.cpp
class Scopes : BodyStage {
public:
  using BodyStage::BodyStage;
  struct Cleanup {
    // Reported: Events::objectEnds. Poison: accesses are reported from now on (AddressSanitizer)
    enum Kind : uint8_t { Dynamic, Function, Lifetime, Reported, Poison } kind;
    const VarDecl *var;  // whose declaration needs it
    LLVMValueRef value = nullptr;  // Dynamic: slot that holds the mark; Lifetime: alloca; Poison: slot
    uint64_t size = 0;
    // Function, -fexceptions: the landing pad of calls that this is the innermost one of
    LLVMBasicBlockRef pad = nullptr;
  };
  struct BlockScope {
    std::vector<Cleanup> cleanups;
    bool marked = false;
    bool bypassed = false;
    const void *node = nullptr;
    LLVMMetadataRef debugScope = nullptr;
  };
  void pushScope();
  void popScope();  // runs the cleanups if control reaches here
  void unwindScopes(size_t depth);  // emits cleanups of all scopes above depth, keeps them
  void emitCleanup(const Cleanup &);
  LLVMBasicBlockRef landingPad();  // where a call made here unwinds to; null: it passes through
  size_t depth() const { return stack.size(); }
  BlockScope &at(size_t i) { return stack[i]; }
  BlockScope &innermost() { return stack.back(); }
  LLVMMetadataRef debugScope() const;

private:
  std::vector<BlockScope> stack;
  const VarDecl *cleaning = nullptr;  // whose cleanup is being called
};

// Labels, and the jumps to them. labels.cpp
class Labels : BodyStage {
public:
  using BodyStage::BodyStage;
  using Chain = std::vector<const void *>;  // the nodes of enclosing blocks
  void scanBody(const CompoundStmt *);  // labels, bypassed blocks
  bool scanStmt(const Stmt *, Chain &);
  // does control enter it past declarations?
  bool bypasses(const Stmt *block) const { return bypassedBlocks.count(block) != 0; }
  static bool canBeEnteredInside(const Stmt *, bool inSwitch = true);
  LLVMBasicBlockRef labelBlock(const LabelDecl *);
  LLVMValueRef emitLabelAddress(const LabelDecl *);
  void forget(const LabelDecl *l) { blocks.erase(l); }
  void emitGoto(const GotoStmt *);
  void emitComputedGoto(LLVMValueRef target);
  void finish();  // computed gotos: one indirectbr to every label whose address is taken

private:
  std::unordered_map<const LabelDecl *, LLVMBasicBlockRef> blocks;
  std::unordered_map<const LabelDecl *, Chain> enclosing;
  std::unordered_map<const Decl *, size_t> order;  // of variables and labels in the text
  std::unordered_set<const void *> bypassedBlocks;
  LLVMBasicBlockRef indirectBlock = nullptr;
  LLVMValueRef indirectPhi = nullptr;  // computed gotos share one indirectbr
  std::vector<std::pair<const LabelDecl *, LLVMBasicBlockRef>> addressTaken;
  std::unordered_set<const LabelDecl *> isTaken;  // those in there
};

// ---- statements ---------------------------------------------------------------------------------------------------

// stmt.cpp, declaration.cpp; inline assembly is in asm.cpp
class Statements : BodyStage {
public:
  using BodyStage::BodyStage;
  void emitStmt(const Stmt *);
#define STMT(kind, cls, children, facts, weight, traits) void on(const cls &);  // one kind of statement, by dispatch
#include "frontend/ast/nodes.def"
  void emitCompound(const CompoundStmt *, bool newScope = true);
  RValue emitStmtExpr(const StmtExpr *);
  // Default delivery of a child's result: receiver = / op= result, or the inlet's body. receiver: its evaluated lvalue
  // (Receiver, Op).
  void emitDelivery(const SpawnStmt &, const RValue &result, const Address &receiver,
      const std::vector<RValue> &inletArgs);
  // Extra inlet arguments (all but the spawn), evaluated and converted.
  void emitInletArgs(const SpawnStmt &, std::vector<RValue> &args);
  // Where break, continue and case labels of the statements around lead to. A body that is emitted inline has nothing
  // around it.
  struct Jump {
    LLVMBasicBlockRef target = nullptr;
    size_t depth = 0;
  };
  struct SwitchState {
    LLVMValueRef inst = nullptr;
    std::unordered_map<const void *, LLVMBasicBlockRef> blocks;
  };
  struct Around {
    std::vector<Jump> breaks, continues;
    std::vector<SwitchState> switches;
  };
  bool inLoop() const { return !around.continues.empty(); }
  Around startInline() { return std::exchange(around, {}); }
  void endInline(Around &&before) { around = std::move(before); }

private:
  void announce(const Stmt *);
  void emitCases(const Stmt *);
  void findRange(LLVMValueRef v, bool isSigned, const CaseStmt *const *ranges, size_t n, LLVMBasicBlockRef rest);
  void emitLoopBody(const Stmt *, LLVMBasicBlockRef in, LLVMBasicBlockRef next, LLVMBasicBlockRef end, bool reported,
      Range);
  void jumpTo(const std::vector<Jump> &);  // the innermost of them
  void emitLocalDecl(const VarDecl *);  // a declaration is reached: VLA sizes and storage, initialiser, cleanup
  Around around;
  Loc touched;  // of the touch or the awaited call before, which a statement of the same line goes on after
};

// Cilk-1: the statements of a thread. threads.cpp
class ThreadStatements : BodyStage {
public:
  using BodyStage::BodyStage;
  void emitThread(const ThreadStmt &);
  void emitSend(const SendStmt &);
};

// ---- expressions --------------------------------------------------------------------------------------------------

// Values of expressions, whatever their type; what is evaluated and not wanted; truth and branches. expr.cpp
class Exprs : BodyStage {
public:
  using BodyStage::BodyStage;
  // While bound, this expression node has that value: how a delivery re-evaluates `lhs op= spawn`'s conversions with
  // the child's result.
  void bindExpr(const Expr *, const RValue &);
  void unbindExpr(const Expr *);
  const RValue *boundTo(const Expr *e) const {
    if (bound.empty()) return nullptr;
    auto it = bound.find(e);
    return it == bound.end() ? nullptr : &it->second;
  }
  RValue emitExpr(const Expr *);  // any type; void gives None
  LLVMValueRef emitScalar(const Expr *);  // value type
  void emitInto(const Expr *, const Address &dest);  // any type
  void emitIgnored(const Expr *);
  LLVMValueRef emitBool(const Expr *);  // i1
  void emitBranch(const Expr *cond, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);
  LLVMValueRef emitLogical(const Binary *);  // i1

private:
  LLVMValueRef emitConditional(const Conditional *);
  void emitSizesFrom(const Expr *skipped, QualType result);
  LLVMValueRef emitSizeof(QualType, LLVMTypeRef result), emitOffsetof(const Offsetof *, LLVMTypeRef result);
  std::unordered_map<const Expr *, RValue> bound;
};

// Operators on scalars and vectors, assignments. operator.cpp
class Operators : BodyStage {
public:
  using BodyStage::BodyStage;
  LLVMValueRef emitUnary(const Unary *);
  LLVMValueRef emitBinary(const Binary *);
  LLVMValueRef emitCompare(const Binary *);  // i1, or a vector of it
  LLVMValueRef emitIncDec(const Unary *, RValue *complexOut = nullptr);
  RValue emitAssign(const Assign *);
  // lhs (already evaluated) = / op= rhs with C's conversions; returns the new value of lhs. evaluated: the value of
  // Assign::rhs, if known.
  RValue emitAssignTo(const Assign *, const Address &lhs, const RValue *evaluated = nullptr);
  LLVMValueRef applyBinaryOp(BinaryOp, LLVMValueRef a, LLVMValueRef b, QualType type, QualType rhsType, Range);
  LLVMValueRef fast(LLVMValueRef);  // with what the options allow for floating-point operations and calls
  LLVMValueRef emitPointerArith(LLVMValueRef p, LLVMValueRef i, QualType pointerType, bool subtract, Loc where = {});

private:
  LLVMValueRef emitFMulAdd(LLVMValueRef a, LLVMValueRef b, bool sub);
};

// Values of complex type. complex.cpp
class ComplexValues : BodyStage {
public:
  using BodyStage::BodyStage;
  RValue emitComplex(const Expr *);
  RValue applyComplexOp(BinaryOp, RValue a, RValue b, QualType type);
};

// cast.cpp
class Conversions : BodyStage {
public:
  using BodyStage::BodyStage;
  LLVMValueRef emitCast(const Expr *, CastKind, const Expr *sub, QualType to);
  LLVMValueRef convertScalar(LLVMValueRef, QualType from, QualType to, Range = {});
  RValue convert(const RValue &, QualType from, QualType to, Range = {});
  LLVMValueRef toBool(LLVMValueRef);  // i1: != 0
};

// Expressions that designate objects. lvalue.cpp
class Lvalues : BodyStage {
public:
  using BodyStage::BodyStage;
  Address emitLvalue(const Expr *);
  Address emitMember(const Member *);
  Address emitIndex(const Index *, bool used = true);

private:
  Address lvalueOf(const Expr *);
  Address functionAddress(const FunctionDecl *, QualType type), compoundLiteral(const CompoundLit *);
  Address memberOf(const Member *), elementOf(const Index *, bool used);
};

// Records and arrays, and what initialises objects. aggregate.cpp
class Aggregates : BodyStage {
public:
  using BodyStage::BodyStage;
  Address emitAggregate(const Expr *);  // record rvalue in memory (may be a temporary)
  void emitAggregateInto(const Expr *, const Address &dest);
  void emitInitializer(const Initializer *, const Address &dest);
  void emitPlan(const InitPlan &, const Address &dest);

private:
  void emitStores(const InitPlan &, const Address &);
  // initialises a character array
  void copyString(LLVMValueRef to, uint32_t align, const StringLit *, QualType array, uint64_t size);
};

// ---- memory -------------------------------------------------------------------------------------------------------

// What the user's code does to an Address that is not `own` is reported as Events::access, here and in Atomics; for
// what is done to memory by its pointer alone there are loadAt, storeAt and access() itself. memory.cpp
class Memory : BodyStage {
public:
  explicit Memory(FunctionEmitter &);
  RValue load(const Address &);
  LLVMValueRef loadScalar(const Address &);
  void storeToLvalue(const Address &, const RValue &);  // aggregates are copied
  void storeScalar(const Address &, LLVMValueRef);
  LLVMValueRef storeBitField(const Address &, LLVMValueRef);  // returns the value as read back
  void copyAggregate(const Address &dest, const Address &src, bool mayOverlap = false);
  // as loadRaw and storeRaw, but the user's; storeAt gives the instruction
  LLVMValueRef loadAt(LLVMTypeRef, LLVMValueRef ptr, uint32_t align, Range);
  LLVMValueRef storeAt(LLVMValueRef value, LLVMValueRef ptr, uint32_t align, Range);
  LLVMValueRef toMemory(LLVMValueRef v, const Type *);  // i1 -> i8 for _Bool
  LLVMValueRef fromMemory(LLVMValueRef v, const Type *);
  bool watched() const { return watching; }
  void access(const Address &, AccessMode, AccessKind = AccessKind::Plain);  // of the whole object
  void access(LLVMValueRef ptr, LLVMValueRef size, AccessMode, AccessKind, Range);
  bool reportsObjects() const { return reportingObjects; }
  // Events::objectBegins, objectEnds, where a mode asks for them
  // where: without it, where the variable is declared
  void reportObject(bool begins, Object::Kind, const VarDecl *, LLVMValueRef ptr, LLVMValueRef size, Range where = {});

private:
  LLVMValueRef loadBitField(const Address &);
  void annotate(LLVMValueRef access, const Address &, const Type *);
  const bool watching, reportingObjects;  // does a mode want reports of accesses, objects?
};

// Atomic operations on the user's memory: on pointers (the instruction, for its result), and on objects of atomic type.
// atomic.cpp
class Atomics : BodyStage {
public:
  using BodyStage::BodyStage;
  LLVMValueRef atomicLoadAt(LLVMTypeRef, LLVMValueRef ptr, uint32_t align, LLVMAtomicOrdering, Range);
  LLVMValueRef atomicStoreAt(LLVMValueRef value, LLVMValueRef ptr, uint32_t align, LLVMAtomicOrdering, Range);
  LLVMValueRef atomicRmwAt(LLVMAtomicRMWBinOp, LLVMValueRef ptr, LLVMValueRef value, LLVMAtomicOrdering, Range);
  LLVMValueRef atomicCmpXchgAt(LLVMValueRef ptr, LLVMValueRef expected, LLVMValueRef desired,
      LLVMAtomicOrdering success, LLVMAtomicOrdering failure, Range);
  RValue loadAtomic(const Address &);
  void storeAtomic(const Address &, const RValue &);
  RValue atomicUpdate(const Address &, const std::function<RValue(const RValue &)> &compute, bool returnOld);
};

// ---- calls --------------------------------------------------------------------------------------------------------

// call.cpp
class Calls : BodyStage {
public:
  using BodyStage::BodyStage;
  RValue emitCall(const Call *, const Address &dest = {});
  // Calls with evaluated, converted arguments. args/types in parallel. dest: where a record result goes (null ptr: a
  // temporary).
  RValue emitCallTo(LLVMValueRef callee, const FunctionType *, const std::vector<RValue> &args,
      const std::vector<QualType> &types, const Address &dest = {}, const FunctionDecl *direct = nullptr);
  LLVMValueRef emitCallee(const Call *, const FunctionDecl *&direct);
  void emitArgs(const Call *, std::vector<RValue> &args, std::vector<QualType> &types, size_t first = 0);
  // Appends the LLVM arguments for the C values, which have the types of f.types (byval copies are made as needed).
  void lowerArguments(const AbiFunction &f, const std::vector<RValue> &, std::vector<LLVMValueRef> &out);
  // The C value of parameter i of the current function, which has so many hidden ones in front; index advances over its
  // LLVM parameters.
  RValue raiseParameter(const AbiFunction &, size_t i, unsigned hidden, unsigned &index);
  // The place of a Stacked parameter of the current function; it is the function's own.
  Address stackedParameter(const AbiFunction &, size_t i, unsigned hidden);
  RValue raiseResult(const AbiSlot &, QualType, LLVMValueRef callResult, const Address &dest);
  LLVMValueRef lowerResult(const AbiSlot &, const RValue &, QualType);  // value for `ret`, nullptr for void
  uint32_t argumentAlign() const { return largest; }

private:
  void lowerArgument(const AbiSlot &, const RValue &, QualType, std::vector<LLVMValueRef> &out);
  void storeStacked(const AbiSlot &, const RValue &, QualType, LLVMValueRef block, uint32_t align);
  LLVMValueRef emitAbsolute(const Call *);
  Range place;  // of the call that is being made
  uint32_t largest = 0;  // alignment beyond the stack's own of an argument in memory
};

// always_inline functions that ask about their call. expand.cpp
class Expansions : BodyStage {
public:
  using BodyStage::BodyStage;
  struct Expansion {  // a call that is being expanded
    const FunctionDecl *fn = nullptr;
    Loc place;  // of the user's call, for all that is expanded in it
    Address result;
    const Call *call = nullptr;
    std::vector<RValue> packed;
    std::vector<QualType> packedTypes;  // __builtin_va_arg_pack()
    Expansion *outer = nullptr;
  };
  const Expansion *current() const { return innermost; }  // null: nothing is being expanded
  Loc placeOf(Loc where) const { return innermost ? innermost->place : where; }
  // The function, if this call is to be expanded; the expansion.
  const FunctionDecl *expandable(const Call *) const;
  RValue emitExpansion(const Call *, const FunctionDecl *);
  static bool isArgumentPack(const Expr *);
  // The number of arguments that `...` of the function being expanded stands for (__builtin_va_arg_pack_len); nothing
  // where no call is expanded.
  std::optional<size_t> packedArguments() const {
    return innermost ? std::optional(innermost->packed.size()) : std::nullopt;
  }
  LLVMValueRef emitObjectSize(const Expr *pointer, unsigned type, bool dynamic);
  void notePlace(LLVMValueRef call, Loc);  // what the back end and the assembler find in it is reported there

private:
  struct Extent {
    uint64_t bytes = 0;
    bool exact = false;
    const Type *of = nullptr;  // the type of what the pointer points to, where it is no cast's
    bool cast = false;  // not known, since the object is accessed as one of another type
    const VarDecl *root = nullptr;  // the variable of which it is a part, known or not
  };
  bool extentOfPointer(const Expr *, Extent &), extentOfObject(const Expr *, bool decays, Extent &),
      stepInto(const Expr *index, QualType pointer, Extent &);
  Expansion *innermost = nullptr;
};

// va_list and va_arg. vaarg.cpp
class VarArgs : BodyStage {
public:
  using BodyStage::BodyStage;
  RValue emitVaArg(const VaArg *);
  LLVMValueRef emitVaList(const Expr *);  // pointer to the va_list object
  void accessVaList(LLVMValueRef list, AccessMode, Range);

private:
  LLVMValueRef emitVaArgAddress(LLVMValueRef list, QualType type);
};

// Calls of builtin functions. builtin/
class Builtins : BodyStage {
public:
  using BodyStage::BodyStage;
  // True if the call was a builtin with code of its own; then `out` is its value.
  bool emitBuiltin(const Call *, RValue &out, const Address &dest);

private:
  bool emitMathBuiltin(const Call *, RValue &out);
  RValue emitAtomicBuiltin(const Call *, const AtomicInfo &);
};

// ---- what is added to the code ------------------------------------------------------------------------------------

// Checks of undefined behaviour. ubsan.cpp
class UndefinedChecks : BodyStage {
public:
  using BodyStage::BodyStage;
  void chooseChecks();
  bool enabled() const { return chosen != 0; }
  bool checks(Check c) const { return chosen & bitOf(c); }
  Loc throughPointer(Range r) const {
    return chosen & (bitOf(Check::Null) | bitOf(Check::Alignment) | bitOf(Check::ObjectSize)) ? r.begin : Loc{};
  }
  bool overflowChecked(const Type *) const;
  LLVMValueRef emitCheckedArith(BinaryOp, LLVMValueRef a, LLVMValueRef b, QualType, Loc, bool negation = false);
  void checkDivision(LLVMValueRef a, LLVMValueRef b, QualType, Loc);
  void checkShift(bool left, LLVMValueRef a, LLVMValueRef b, QualType, QualType by, Loc);
  void checkFloatCast(LLVMValueRef, const Type *from, const Type *to, Loc);
  void checkLoad(const Address &), checkStore(const Address &), checkMember(const Address &, Loc);
  void checkIndex(const Expr *base, LLVMValueRef i, const Expr *index, bool used, Loc);
  void checkPointerArith(LLVMValueRef p, LLVMValueRef i, LLVMValueRef size, Loc);
  void checkBool(LLVMValueRef byte, QualType, Loc);
  void checkVlaSize(LLVMValueRef n, const Expr *size);
  void checkBitCount(bool leading, LLVMValueRef, Loc);
  void checkUnreachable(Loc);
  bool checksArguments(const FunctionDecl *) const;
  void checkArguments(const Call *, const FunctionDecl *, const std::vector<RValue> &);
  void checkResult(LLVMValueRef, Loc);

private:
  LLVMValueRef placeRecord(Loc), handle(LLVMValueRef, const Type *);
  void check(Check, LLVMValueRef ok, const char *handler, std::vector<LLVMValueRef> data,
      const std::function<std::vector<LLVMValueRef>()> &values);
  void checkAccess(LLVMValueRef p, QualType, uint32_t align, unsigned kind, Loc);
  CheckSet chosen = 0;  // in this function
};

// What the text asks for here, for modes that count it. weigh.cpp
class Weights : BodyStage {
public:
  explicit Weights(FunctionEmitter &);
  void weigh(const Expr *);  // a whole expression, before it is emitted, or a part of one that is under a condition
  void weigh(const Initializer *, Loc);
  void weigh(const SpawnStmt &);
  void weighCondition(const Expr *);
  void weighStatement(const Stmt *);
  void weighBytes(LLVMValueRef n, Loc);  // that a builtin copies or sets
  // the same of a function of the C library
  void weighLength(const FunctionDecl *, const std::vector<RValue> &args, Loc);
  // Do modes hear of this loop? Such a loop is around one of the lines that were named (CodegenOptions::loopLines).
  // Control leaves the loop at its end or by break alone. The loop is without spawns and syncs, which already show what
  // is parallel.
  bool reportsLoop(const Stmt *, Range);

private:
  void weigh(const Weight &, Loc);
  const bool weighing;
};

}  // namespace cilkc::cg
