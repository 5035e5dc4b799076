// function.h - FunctionEmitter: emits ONE body from the typed AST into ONE LLVM function. It may be run any number of times on the same FunctionDef (fast
// clone, unrolled copies, slow clone): nothing is noted on AST nodes. What differs between a plain C function and the clones of a Cilk procedure is behind
// BodyStrategy: where locals live, what spawn, sync, abort, SYNCHED and return mean, where dynamic memory comes from.
//
// How a strategy drives it (see serial.cpp for the smallest one):
//
//     FunctionEmitter fe(module, llvmFunction, fn, strategy);
//     fe.begin();                       // entry block, allocas' place, debug subprogram; calls strategy.prologue()
//     fe.bindParameters(abi);           // C ABI parameters -> storage (or fe.bindParameter(var, address) one by one)
//     fe.emitBody(*fn->def);            // calls the strategy's hooks; ends with strategy.fallOff()
//     fe.finish();                      // return block, removes what is unreachable
//
// Code that the strategy adds itself uses the building blocks (emitLvalue, emitCallTo, storeToLvalue, applyBinaryOp …) and fe.builder.
// SSA values never live across statements: whatever one statement leaves for another is in memory (allocas that LLVM promotes, or the
// closure), so a slow clone may jump to the middle of any statement nest from its entry switch.
#pragma once
#include <functional>
#include <optional>
#include "codegen/core/module.h"

namespace cilkc::cg {

// An lvalue: address plus what is needed to access it.
struct Address {
  LLVMValueRef ptr = nullptr;
  uint32_t align = 1;
  QualType type;                        // of the object, with qualifiers (volatile, atomic matter)
  const FieldDecl *bitField = nullptr;  // then ptr is the record member's storage unit (FieldDecl::offset applied)
  LLVMMetadataRef namedRegister = nullptr; // global register variable: ptr is null
  Loc through = {};                       // -fsanitize=null and its like: it was reached through a pointer here
  bool mayAlias = false;                // member of a union or punned: accessed as char for alias analysis
  bool own = false;                     // of the compiler's making (temporaries, records, results): what it does with it is no access of the user's
  const VarDecl *object = nullptr;      // the variable that it is or lies in, where the expression names one
  Range where{};                        // the expression that designates it
  bool isVolatile() const { return type.isVolatile(); }
  bool isAtomic() const { return type.isAtomic(); }
  Address as(QualType other) const {    // the same place, nothing known of it but whose it is
    Address a{ptr, align, other};
    a.own = own;
    a.object = object;
    a.where = where;
    return a;
  }
};

// An access to memory that the C program makes: what Events::access is told (memory.cpp).
enum class AccessMode : uint8_t { Read = 1, Write = 2, ReadWrite = 3 };
enum class AccessKind : uint8_t {
  Plain,
  Atomic,
  Initial,                              // of a whole object by its initialiser
  Block,                                // memcpy and its like, where they are expanded
  VaList,                               // of a va_list by va_start, va_arg, va_copy, va_end
  Asm,                                  // a memory operand
  Masked                                // some elements of a vector: no more than this
};
struct Access {
  Address at;                           // of the first byte; for bit-fields of the memory location (C17 3.14)
  LLVMValueRef size = nullptr;          // i64, bytes
  AccessMode mode = AccessMode::Read;
  AccessKind kind = AccessKind::Plain;
};

struct RValue;
// A call as it is made.
struct CallSite {
  LLVMValueRef callee = nullptr;        // ptr
  const FunctionDecl *direct = nullptr; // what is called, where it has a name
  const std::vector<RValue> *args = nullptr;
  Loc where{};
};

// Memory that begins or ceases to be an object of the user's.
struct Object {
  enum Kind : uint8_t {
    Local,                              // a variable of a block, from its declaration to the end of the block
    Dynamic,                            // alloca: until the function ends
    Vla,                                // its end is told with what lies above the mark, and no size
    Cilk,                               // Cilk_alloca
    Closure                             // a closure with its residents
  } kind = Local;
  const VarDecl *variable = nullptr;
  LLVMValueRef ptr = nullptr, size = nullptr;   // size: i64, or null
  Loc where{};
};

// A value of any type. Scalar: value. Complex: value + i*imag. Aggregate: the memory at addr, which is nobody else's to write.
struct RValue {
  enum Kind : uint8_t { None, Scalar, Complex, Aggregate } kind = None;
  LLVMValueRef value = nullptr, imag = nullptr;
  Address addr;
  static RValue scalar(LLVMValueRef v) {
    RValue r;
    r.kind = Scalar;
    r.value = v;
    return r;
  }
  static RValue complex(LLVMValueRef re, LLVMValueRef im) {
    RValue r;
    r.kind = Complex;
    r.value = re;
    r.imag = im;
    return r;
  }
  static RValue aggregate(const Address &a) {
    RValue r;
    r.kind = Aggregate;
    r.addr = a;
    return r;
  }
};

unsigned jumpSlot(const FunctionDecl *);   // of a chain record: where the jump buffer's address is

struct ThreadBody;   // thread_paths.h

// What a plain C function does; clones override. One object per emission. `fe` is the emitter the hook is called for.
class BodyStrategy {
public:
  virtual ~BodyStrategy() = default;
  // Address where a parameter or local lives, or nullptr: an alloca in the entry block. Asked once per variable and emission, the first time it is met;
  // for objects of inlets that are emitted inline, too. A VLA's storage is its pointer slot: 8 bytes that hold the address of the elements.
  virtual LLVMValueRef storageFor(FunctionEmitter &, const VarDecl *) { return nullptr; }
  virtual bool storageStays() const { return true; }           // else storageFor is asked at every use, and its address is for this use alone
  // Where a debugger finds that storage when it is not an alloca: at this offset from the pointer that is kept at `base`. Null: at storageFor's address itself.
  struct DebugPlace {
    LLVMValueRef base = nullptr;
    uint64_t offset = 0;
  };
  virtual DebugPlace debugPlace(const VarDecl *) { return {}; }
  // May the emitter put lifetime markers on its own allocas and reuse stack slots? (No where control enters in the middle.)
  virtual bool lifetimeMarkers() const { return true; }
  virtual bool usersCode() const { return true; }  // else what it calls is told to nobody (Events::calls)
  virtual void prologue(FunctionEmitter &) {}
  virtual void bodyBegins(FunctionEmitter &);  // parameters are in place, the body is about to be emitted
  // First thing in the return block that emitReturnJump() leads to, all scopes left, the result already stored: where a fast clone frees its closure.
  virtual void epilogue(FunctionEmitter &);
  // Called by emitStmt before any statement of the body itself is emitted (not for those of inlets emitted inline): lazy release points.
  virtual void beforeStmt(FunctionEmitter &, const Stmt *) {}
  // spawn in any of its forms. Default: a call, then the delivery (emitDelivery), the last thing that belongs to the child: spawnReturned is told after it.
  virtual void emitSpawn(FunctionEmitter &, const SpawnStmt &);
  virtual void emitTouch(FunctionEmitter &, const TouchStmt &) {}  // default: what was spawned is over
  virtual void emitSync(FunctionEmitter &, const SyncStmt *) {}
  virtual void emitAbort(FunctionEmitter &, const AbortStmt *) {}
  virtual LLVMValueRef worker(FunctionEmitter &);  // that this runs on (Cilk-1). Default: asks the runtime
  virtual ThreadBody *thread() { return nullptr; }  // if this is the body of a thread
  // The closure of the running instance (ptr); null where there is none.
  virtual LLVMValueRef instance(FunctionEmitter &) { return nullptr; }
  virtual LLVMValueRef emitSynched(FunctionEmitter &, const Synched *);  // i32; default 1
  // `return value;` (value null for none) of the body itself, not of an inlet that is emitted inline. Default: C return: cleanups, then emitReturnValue.
  virtual void emitReturn(FunctionEmitter &, const ReturnStmt *);
  // Control reaches the closing brace. Default: C.
  virtual void fallOff(FunctionEmitter &);
  // alloca (scoped == false) and VLAs (scoped == true): n bytes (i64).
  virtual LLVMValueRef allocateDynamic(FunctionEmitter &, LLVMValueRef size, uint32_t align, const VarDecl *vla = nullptr);
  // Before the first VLA of a block, and where that block ends (or is left by a jump). Default: stacksave, stackrestore.
  virtual LLVMValueRef dynamicMark(FunctionEmitter &, const VarDecl *vla);  // ptr
  virtual void dynamicReset(FunctionEmitter &, LLVMValueRef mark);
  // Cilk_alloca(n) of <cilk.h> builtins.
  virtual LLVMValueRef cilkAlloca(FunctionEmitter &, LLVMValueRef size);
};

class FunctionEmitter {
public:
  // fn gives the name, types and debug scope; its body is not touched until emitBody. strategy outlives the emitter.
  FunctionEmitter(ModuleEmitter &, LLVMValueRef function, const FunctionDecl *fn, BodyStrategy &strategy);
  ~FunctionEmitter();
  FunctionEmitter(const FunctionEmitter &) = delete;

  ModuleEmitter &m;
  TypeLowering &t;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  const FunctionDecl *fn;
  BodyStrategy &strategy;
  Events &events;  // of the modes that the module is compiled with

  // ---- a body (function.cpp) ----
  void begin();
  void bindParameters(const AbiFunction &, unsigned firstLlvmParam = 0);  // definition's parameters after firstLlvmParam hidden ones
  void bindParameter(const VarDecl *, const Address &);  // lives there from now on
  void emitBody(const FunctionDef &);
  void emitPart(const FunctionDef &, size_t from, size_t to);  // some statements of the body; what comes after them is the caller's business
  void finish();
  // The C result: stored here by emitReturnValue, returned in finish()'s return block by the ABI. A strategy that returns in another way
  // never calls emitReturnValue and terminates its blocks itself.
  void emitReturnValue(const Expr *value);  // evaluates and stores; no jump
  void emitReturnValue(const RValue &);
  void emitReturnJump();  // leaves all scopes (cleanups), jumps to the return block
  void emitReturnUndef();  // `ret` of a dummy, at once
  void resultsGoTo(const Address &a) { returnSlot = a; }
  Address resultSlot();  // where emitReturnValue stores: the sret memory or a local temporary
  LLVMBasicBlockRef returnTarget() {
    returnUsed = true;
    return returnBlock;
  }

  // Emits another definition's body (an inlet's) inline: parameters are bound to fresh storage holding args; `return` goes to its end.
  void emitInline(const FunctionDef &, const std::vector<RValue> &args);
  bool inInline() const { return inlineDepth > 0; }

  // ---- blocks ----
  LLVMBasicBlockRef newBlock(const char *name);  // not yet placed
  void place(LLVMBasicBlockRef);  // appends it; falls through from the current block if that is open; continues there
  bool open() const;  // does control reach the current point?
  void ensureOpen();  // starts an unreachable block if not
  void jump(LLVMBasicBlockRef);  // br, if open
  void branch(LLVMValueRef i1, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, int expect = -1);  // expect: 1 likely, 0 unlikely
  LLVMValueRef call(LLVMTypeRef type, LLVMValueRef callee, std::vector<LLVMValueRef> args, const char *name = "");
  LLVMValueRef callIntrinsic(const char *name, std::vector<LLVMTypeRef> overloads, std::vector<LLVMValueRef> args);
  LLVMValueRef callRuntime(const char *name, LLVMTypeRef result, std::vector<LLVMValueRef> args);
  LLVMValueRef entryAlloca(LLVMTypeRef, uint32_t align, const char *name);
  Address temporary(QualType, const char *name = "tmp");  // uninitialised, in the entry block
  LLVMValueRef i32c(int64_t), i64c(int64_t);
  LLVMValueRef offsetPtr(LLVMValueRef ptr, uint64_t bytes);  // inbounds

  // ---- storage ----
  Address variable(const VarDecl *);  // a local's storage (allocating it on first sight) or a global's address; not for registers
  void tellClosure(LLVMValueRef holder);  // to debuggers: where the procedure's closure is kept
  bool hasStorage(const VarDecl *) const;
  void forgetStorage(const VarDecl *);
  // The bytes of a VLA type (i64), reading its size variables.
  LLVMValueRef sizeOfType(QualType);
  // Bytes before a member of a record of variable size; of the whole record, if there is no member.
  LLVMValueRef variableOffset(const RecordType *, const FieldDecl *);
  LLVMValueRef vlaPointer(const VarDecl *);

  // ---- expressions (expr.cpp, lvalue.cpp, …) ----
  // While bound, this expression node has that value: how a delivery re-evaluates `lhs op= spawn`'s conversions with the child's result.
  void bindExpr(const Expr *, const RValue &);
  void unbindExpr(const Expr *);
  RValue emitExpr(const Expr *);  // any type; void gives None
  LLVMValueRef emitScalar(const Expr *);  // value type
  RValue emitComplex(const Expr *);
  Address emitAggregate(const Expr *);  // record rvalue in memory (may be a temporary)
  void emitAggregateInto(const Expr *, const Address &dest);
  void emitInto(const Expr *, const Address &dest);  // any type
  Address emitLvalue(const Expr *);
  void emitIgnored(const Expr *);
  LLVMValueRef emitBool(const Expr *);  // i1
  void emitBranch(const Expr *cond, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);
  // lhs (already evaluated) = / op= rhs with C's conversions; returns the new value of lhs. evaluated: the value of Assign::rhs, if known.
  RValue emitAssignTo(const Assign *, const Address &lhs, const RValue *evaluated = nullptr);
  LLVMValueRef applyBinaryOp(BinaryOp, LLVMValueRef a, LLVMValueRef b, QualType type, QualType rhsType, Range);
  RValue applyComplexOp(BinaryOp, RValue a, RValue b, QualType type);

  // ---- memory ----
  // What the user's code does to an Address that is not `own` is told as Events::access, here and in atomic.cpp; for what is done to memory by its pointer alone
  // there are loadAt, storeAt and access() itself. The functions named Raw or Bytes, and zeroFill, tell nothing: they are for the compiler's own traffic.
  RValue load(const Address &);
  LLVMValueRef loadScalar(const Address &);
  bool watched() const { return watching; }
  void tellObject(bool begins, Object::Kind, const VarDecl *, LLVMValueRef ptr,
      LLVMValueRef size);  // Events::objectBegins, objectEnds, where somebody wants to know
  void access(const Address &, AccessMode, AccessKind = AccessKind::Plain);  // of the whole object
  void access(LLVMValueRef ptr, LLVMValueRef size, AccessMode, AccessKind, Range);
  LLVMValueRef loadAt(LLVMTypeRef, LLVMValueRef ptr, uint32_t align, Range);  // as loadRaw and storeRaw, but the user's; storeAt gives the instruction
  LLVMValueRef storeAt(LLVMValueRef value, LLVMValueRef ptr, uint32_t align, Range);
  LLVMValueRef loadRaw(LLVMTypeRef, LLVMValueRef ptr, uint32_t align);  // no alias metadata
  LLVMValueRef storeRaw(LLVMValueRef value, LLVMValueRef ptr, uint32_t align);
  void moveBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign, LLVMValueRef size);
  void fillBytes(LLVMValueRef dest, uint32_t align, LLVMValueRef byte, LLVMValueRef size);
  // Atomic operations on the user's memory (atomic.cpp); the instruction, for its result.
  LLVMValueRef atomicLoadAt(LLVMTypeRef, LLVMValueRef ptr, uint32_t align, LLVMAtomicOrdering, Range);
  LLVMValueRef atomicStoreAt(LLVMValueRef value, LLVMValueRef ptr, uint32_t align, LLVMAtomicOrdering, Range);
  LLVMValueRef atomicRmwAt(LLVMAtomicRMWBinOp, LLVMValueRef ptr, LLVMValueRef value, LLVMAtomicOrdering, Range);
  LLVMValueRef atomicCmpXchgAt(LLVMValueRef ptr, LLVMValueRef expected, LLVMValueRef desired, LLVMAtomicOrdering success, LLVMAtomicOrdering failure, Range);
  void storeToLvalue(const Address &, const RValue &);  // aggregates are copied
  void storeScalar(const Address &, LLVMValueRef);
  LLVMValueRef storeBitField(const Address &, LLVMValueRef);  // returns the value as read back
  void copyAggregate(const Address &dest, const Address &src, bool mayOverlap = false);
  void copyBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign, LLVMValueRef size, bool isVolatile = false);
  void zeroFill(LLVMValueRef dest, uint32_t align, LLVMValueRef size, bool isVolatile = false);
  void copyString(LLVMValueRef to, uint32_t align, const StringLit *, QualType array, uint64_t size);  // initialises a character array
  LLVMValueRef toMemory(LLVMValueRef v, const Type *);  // i1 -> i8 for _Bool
  LLVMValueRef fromMemory(LLVMValueRef v, const Type *);

  // ---- calls (call.cpp) ----
  // Calls with evaluated, converted arguments. args/types in parallel. dest: where a record result goes (null ptr: a temporary).
  RValue emitCallTo(LLVMValueRef callee, const FunctionType *, const std::vector<RValue> &args, const std::vector<QualType> &types, const Address &dest = {},
      const FunctionDecl *direct = nullptr);
  LLVMValueRef emitAbsolute(const Call *);
  RValue emitCall(const Call *, const Address &dest = {});
  LLVMValueRef emitCallee(const Call *, const FunctionDecl *&direct);
  void emitArgs(const Call *, std::vector<RValue> &args, std::vector<QualType> &types, size_t first = 0);
  // always_inline functions that ask about their call (expand.cpp): the function, if this call is to be expanded; the expansion.
  const FunctionDecl *expandable(const Call *) const;
  RValue emitExpansion(const Call *, const FunctionDecl *);
  LLVMValueRef emitObjectSize(const Expr *pointer, unsigned type, bool dynamic);
  void emitThread(const ThreadStmt &);  // threads.cpp
  void emitSend(const SendStmt &);
  // Appends the LLVM arguments for one C value (byval copies are made as needed).
  void lowerArgument(const AbiSlot &, const RValue &, QualType, std::vector<LLVMValueRef> &out);
  // The C value of one parameter of the current function; index advances over its LLVM parameters.
  RValue raiseParameter(const AbiSlot &, QualType, unsigned &index);
  RValue raiseResult(const AbiSlot &, QualType, LLVMValueRef callResult, const Address &dest);
  LLVMValueRef lowerResult(const AbiSlot &, const RValue &, QualType);  // value for `ret`, nullptr for void
  // Nested function support: address of the current function's captured-variables record.
  LLVMValueRef staticChainFor(const FunctionDecl *callee);

  // ---- conversions (cast.cpp) ----
  LLVMValueRef convertScalar(LLVMValueRef, QualType from, QualType to, Range = {});
  RValue convert(const RValue &, QualType from, QualType to, Range = {});
  LLVMValueRef toBool(LLVMValueRef);  // i1: != 0

  // ---- builtins (builtin*.cpp) ----
  // True if the call was a builtin with code of its own; then `out` is its value.
  bool emitBuiltin(const Call *, RValue &out, const Address &dest);
  bool emitMathBuiltin(const Call *, std::string_view name, RValue &out);
  struct MathBuiltin;
  RValue emitAtomicBuiltin(const Call *, std::string_view name);
  LLVMValueRef emitVaArgAddress(LLVMValueRef list, QualType type);
  RValue emitVaArg(const VaArg *);
  void accessVaList(LLVMValueRef list, AccessMode, Range);
  LLVMValueRef emitVaList(const Expr *);  // pointer to the va_list object

  // ---- statements (stmt.cpp, asm.cpp) ----
  void emitStmt(const Stmt *);
  // What the text asks for here, for modes that count it (weigh.cpp): a whole expression, before it is emitted, or a part of one that is under a condition.
  void weigh(const Expr *);
  void weighCondition(const Expr *);
  void weigh(const Initializer *, Loc);
  void weigh(const SpawnStmt &);
  void weighStatement(const Stmt *);
  void weighBytes(LLVMValueRef n, Loc);  // that a builtin copies or sets
  void weighLength(const FunctionDecl *, const std::vector<RValue> &args, Loc);  // the same of a function of the C library
  // Is this one of the loops that modes are told of? Around one of the lines that were named (CodegenOptions::loopLines), left at its end or by break alone, and
  // without spawns and syncs, which say already what is parallel.
  bool tellsLoop(const Stmt *, Range);
  void emitCompound(const CompoundStmt *, bool newScope = true);
  RValue emitStmtExpr(const StmtExpr *);
  void emitAsm(const AsmStmt *);
  void emitLocalDecl(const VarDecl *);  // a declaration is reached: VLA sizes and storage, initialiser, cleanup
  void emitInitializer(const Initializer *, const Address &dest);
  void emitPlan(const InitPlan &, const Address &dest);
  // Default delivery of a child's result: receiver = / op= result, or the inlet's body. receiver: its evaluated lvalue (Receiver, Op).
  void emitDelivery(const SpawnStmt &, const RValue &result, const Address &receiver, const std::vector<RValue> &inletArgs);
  // Extra inlet arguments (all but the spawn), evaluated and converted.
  void emitInletArgs(const SpawnStmt &, std::vector<RValue> &args);

  // ---- scopes and cleanups ----
  void pushScope();
  void popScope();  // runs the cleanups if control reaches here
  void unwindScopes(size_t depth);  // emits cleanups of all scopes above depth, keeps them
  size_t scopeDepth() const { return scopes.size(); }

  // ---- labels ----
  LLVMBasicBlockRef labelBlock(const LabelDecl *);

  // ---- debug ----
  void setLocation(Range);
  void setLocation(Loc);

  // The number of arguments that `...` of the function being expanded stands for (__builtin_va_arg_pack_len); nothing where no call is expanded.
  std::optional<size_t> packedArguments() const { return expansion ? std::optional(expansion->packed.size()) : std::nullopt; }
  void emitTrap();
  void checkUnreachable(Loc);
  void notePlace(LLVMValueRef call, Loc);  // what the back end and the assembler find in it is reported there
  void noteStack();  // after the stack has grown: jumps of nested functions to labels here come back to it
private:
  const bool watching, tellingObjects, weighing;  // does a mode want to be told of accesses, objects, units?
  void weigh(uint64_t units, Loc);
  friend class DebugInfo;
  friend class BodyStrategy;
  struct Cleanup {
    enum Kind : uint8_t { Dynamic, Function, Lifetime, Told } kind;  // Told: Events::objectEnds
    LLVMValueRef value = nullptr;  // Dynamic: slot that holds the mark; Lifetime: alloca
    const VarDecl *var = nullptr;
    uint64_t size = 0;
    LLVMBasicBlockRef pad = nullptr;  // Function, -fexceptions: the landing pad of calls that this is the innermost one of
  };
  struct BlockScope {
    std::vector<Cleanup> cleanups;
    bool marked = false;
    bool bypassed = false;
    const void *node = nullptr;
    LLVMMetadataRef debugScope = nullptr;
  };
  struct Jump {
    LLVMBasicBlockRef target = nullptr;
    size_t depth = 0;
  };
  struct SwitchState {
    LLVMValueRef inst = nullptr;
    std::unordered_map<const void *, LLVMBasicBlockRef> blocks;
  };
  struct LabelInfo {
    std::vector<std::pair<const void *, unsigned>> scopes;
  };  // enclosing block nodes with the cleanups open in each
  void emitCleanup(const Cleanup &);
  const VarDecl *cleaning = nullptr;  // whose cleanup is being called
  LLVMBasicBlockRef landingPad();  // where a call made here unwinds to; null: it passes through
  void scanBody(const CompoundStmt *);  // labels, bypassed blocks
  bool scanStmt(const Stmt *, std::vector<std::pair<const void *, unsigned>> &scopes);
  void emitIf(const IfStmt *);
  void emitWhile(const WhileStmt *);
  void emitDo(const DoStmt *);
  void emitFor(const ForStmt *);
  void emitSwitch(const SwitchStmt *);
  void emitGoto(const GotoStmt *);
  void emitReturnStmt(const ReturnStmt *);
  void emitDeclStmt(const DeclStmt *);
  void emitVlaSizes(QualType, const void *owner);
  static bool containsLabel(const Stmt *, bool inSwitch = true);

  LLVMValueRef emitUnary(const Unary *);
  LLVMValueRef emitBinary(const Binary *);
  LLVMValueRef emitCast(const Expr *, CastKind, const Expr *sub, QualType to);
  LLVMValueRef emitCompare(const Binary *);
  LLVMValueRef emitIncDec(const Unary *, RValue *complexOut = nullptr);
  LLVMValueRef emitPointerArith(LLVMValueRef p, LLVMValueRef i, QualType pointerType, bool subtract, Loc where = {});
  LLVMValueRef emitLogical(const Binary *);
  LLVMValueRef emitConditional(const Conditional *);
  LLVMValueRef emitCheckedArith(BinaryOp, LLVMValueRef a, LLVMValueRef b, QualType, Loc, bool negation = false);
  RValue emitAssign(const Assign *);
  RValue emitAtomicAssign(const Assign *, const Address &, bool ignored);
  Address emitMember(const Member *);
  Address emitIndex(const Index *, bool used = true);
  RValue loadAtomic(const Address &);
  void storeAtomic(const Address &, const RValue &);
  RValue atomicUpdate(const Address &, const std::function<RValue(const RValue &)> &compute, bool returnOld);
  LLVMValueRef loadBitField(const Address &);
  void annotate(LLVMValueRef access, const Address &, const Type *);
  Address lvalueOf(const Expr *);
  Address functionAddress(const FunctionDecl *, QualType type), compoundLiteral(const CompoundLit *);
  Address storageOf(const VarDecl *);
  void emitStores(const InitPlan &, const Address &);
  Address sizeVariable(const VarDecl *);  // of a VLA type
  Address memberOf(const Member *), elementOf(const Index *, bool used);
  LLVMValueRef emitSizeof(QualType, LLVMTypeRef result), emitOffsetof(const Offsetof *, LLVMTypeRef result);
  LLVMValueRef emitLabelAddress(const LabelDecl *);
  LLVMValueRef threadLocalAddress(LLVMValueRef);

  // ---- checks of undefined behaviour (ubsan.cpp) ----
  CheckSet enabled = 0;  // in this function
  void chooseChecks();
  bool checks(Check c) const { return enabled & bitOf(c); }
  Loc throughPointer(Range r) const { return enabled & (bitOf(Check::Null) | bitOf(Check::Alignment) | bitOf(Check::ObjectSize)) ? r.begin : Loc{}; }
  LLVMValueRef placeRecord(Loc), handle(LLVMValueRef, const Type *);
  void check(Check, LLVMValueRef ok, const char *handler, std::vector<LLVMValueRef> data, const std::function<std::vector<LLVMValueRef>()> &values);
  bool overflowChecked(const Type *) const;
  void checkDivision(LLVMValueRef a, LLVMValueRef b, QualType, Loc);
  void checkShift(bool left, LLVMValueRef a, LLVMValueRef b, QualType, QualType by, Loc);
  void checkFloatCast(LLVMValueRef, const Type *from, const Type *to, Loc);
  void checkAccess(LLVMValueRef p, QualType, uint32_t align, unsigned kind, Loc);
  void checkLoad(const Address &), checkStore(const Address &), checkMember(const Address &, Loc);
  void checkIndex(const Expr *base, LLVMValueRef i, const Expr *index, bool used, Loc);
  void checkPointerArith(LLVMValueRef p, LLVMValueRef i, LLVMValueRef size, Loc);
  void checkBool(LLVMValueRef byte, QualType, Loc);
  void checkVlaSize(LLVMValueRef n, const Expr *size);
  void checkBitCount(bool leading, LLVMValueRef, Loc);
  bool checksArguments(const FunctionDecl *) const;
  void checkArguments(const Call *, const FunctionDecl *, const std::vector<RValue> &);
  void checkResult(LLVMValueRef, Loc);
  LLVMValueRef emitFMulAdd(LLVMValueRef a, LLVMValueRef b, bool sub, bool negateResult);

  LLVMBasicBlockRef entryBlock = nullptr, returnBlock = nullptr;
  LLVMValueRef allocaPoint = nullptr;
  Address returnSlot;  // result storage (or the sret pointer)
  const AbiFunction *abi = nullptr;
  std::unordered_map<const VarDecl *, Address> storage;
  std::unordered_map<const Expr *, RValue> bound;
  std::unordered_map<const VarDecl *, const void *> vlaOwner;  // which declaration sets a type's size variables: typedefs and typeof share types
  std::unordered_map<const LabelDecl *, LLVMBasicBlockRef> labels;
  std::unordered_map<const LabelDecl *, LabelInfo> labelInfo;
  std::unordered_set<const void *> bypassedBlocks;
  std::vector<BlockScope> scopes;
  std::vector<Jump> breaks, continues;
  std::vector<SwitchState> switches;
  LLVMBasicBlockRef indirectBlock = nullptr;
  LLVMValueRef indirectPhi = nullptr;  // computed gotos share one indirectbr
  std::vector<std::pair<const LabelDecl *, LLVMBasicBlockRef>> addressTaken;
  struct Expansion {  // the call that is being expanded
    const FunctionDecl *fn = nullptr;
    Loc place;  // of the user's call, for all that is expanded in it
    Address result;
    const Call *call = nullptr;
    std::vector<RValue> packed;
    std::vector<QualType> packedTypes;  // __builtin_va_arg_pack()
    Expansion *outer = nullptr;
  };
  Expansion *expansion = nullptr;
  Loc calledAt;
  static bool isArgumentPack(const Expr *);
  struct Extent {
    uint64_t bytes;
    bool exact;
  };
  bool extentOfPointer(const Expr *, Extent &), extentOfObject(const Expr *, bool decays, Extent &), stepInto(const Expr *index, QualType pointer, Extent &);
  int inlineDepth = 0;
  LLVMBasicBlockRef inlineEnd = nullptr;
  size_t inlineBase = 0;
  bool hasLabels = false, returnUsed = false;
  uint32_t argumentAlign = 0;  // the largest alignment beyond the stack's own of an argument in memory
  LLVMMetadataRef subprogram = nullptr;
  // Nested functions: record of captured variables' addresses, filled in by the owner.
  LLVMValueRef chainRecord = nullptr, chainParam = nullptr;
  std::unordered_map<const VarDecl *, unsigned> chainIndex;
  void buildChain();
  // Labels that nested functions jump to: a buffer of setjmp behind the chain's variables, before it the stack pointer to go back to.
  LLVMValueRef chainOf(const FunctionDecl *owner);
  void armNonlocalLabels();
  LLVMValueRef jumpBuffer = nullptr;
};

}  // namespace cilkc::cg
