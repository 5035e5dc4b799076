// module.h - one LLVM module in the making: types, globals, functions, constants, metadata. Private to codegen/.
//
//     generate()            output/emit.cpp         target machine, passes, output
//     ModuleEmitter         module/definitions.cpp  which definitions are emitted and how they are linked
//                           module/const.cpp        static initialisers
//     Attributes            module/attrs.cpp        of functions, parameters, calls and globals
//     TypeLowering          module/types.cpp        C types -> LLVM types, sizes, alias metadata
//     DebugInfo             module/debug.cpp        DWARF
//     FunctionEmitter       function.h              one body -> one LLVM function, by the stages of stages.h
//     ProcedureEmitter      below                   Cilk procedures: implemented by clones/ and by serial/
//
// Rule of the room: the AST is read only. Everything that belongs to one emission lives in the FunctionEmitter,
// everything that belongs to the module in the ModuleEmitter. So a FunctionDef may be emitted several times (clones,
// unrolled copies).
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "codegen/core/passing.h"
#include "codegen/core/options.h"
#include "frontend/source/diagnostics.h"
#include "frontend/consteval/consteval.h"

namespace cilkc::cg {

class ModuleEmitter;
class FunctionEmitter;
class DebugInfo;
class Target;

// ---- types --------------------------------------------------------------------------------------------------------

// Every C type has a memory type, whose alloc size is sizeof: _Bool is i8, a record is [size x i8], an array [n x T]. A
// scalar type also has a value type, which is the same, but _Bool is i1. All accesses name their alignment; record
// members are reached by byte offsets.
class TypeLowering {
public:
  TypeLowering(ModuleEmitter &);
  LLVMTypeRef memory(const Type *);
  LLVMTypeRef stored(const Type *);  // what a load or store of it is in
  LLVMTypeRef memory(QualType t) { return memory(t.type); }
  LLVMTypeRef value(const Type *);
  LLVMTypeRef value(QualType t) { return value(t.type); }
  uint64_t size(const Type *) const;  // sizeof; not for VLAs
  uint64_t size(QualType t) const { return size(t.type); }
  uint32_t align(const Type *) const;
  uint32_t align(QualType t) const { return align(t.type); }
  bool isSigned(const Type *) const;
  LLVMTypeRef intN(unsigned bits);
  // Alias metadata for an access of this type; nullptr when none is wanted (-O0, -fno-strict-aliasing).
  LLVMValueRef tbaa(const Type *);
  // of a prototype, or (K&R, empty parentheses) a definition; cached
  const AbiFunction &abi(const FunctionType *, bool definition = false);
  const AbiFunction &abiOf(const FunctionDecl *f) { return abi(f->type->as<FunctionType>(), f->def != nullptr); }
  AbiFunction abiForCall(const FunctionType *, const std::vector<QualType> &args);  // variadic and unprototyped calls

  LLVMContextRef context;
  LLVMTypeRef i1, i8, i16, i32, i64, i128, ptr, voidTy, f16, f32, f64, f80, f128;
private:
  LLVMTypeRef build(const Type *);
  LLVMTypeRef signature(AbiFunction &);
  ModuleEmitter &m;
  std::unique_ptr<AbiLowering> lowering, windows;
  AbiLowering &loweringOf(const FunctionType *ft) { return ft->msAbi && windows ? *windows : *lowering; }
  std::unordered_map<const Type *, LLVMTypeRef> memTypes;
  std::unordered_map<const Type *, LLVMValueRef> tbaaTags;
  std::unordered_map<std::string, LLVMMetadataRef> tbaaNodes;
  std::unordered_map<const FunctionType *, std::unique_ptr<AbiFunction>> abis[2];
  LLVMMetadataRef tbaaNode(const std::string &name, LLVMMetadataRef parent);
};

inline bool isScalarType(const Type *t) { return t->isInteger() || t->isFloating() || t->isPointer() || t->isVector(); }

// ---- Cilk procedures: the seam to clones/ -------------------------------------------------------------------------

class Events;

// What a module does with Cilk procedures. One object per module; makeProcedureEmitter() (clones/) chooses by
// CodegenOptions::spawn, serial.cpp is the implementation for --serial and for C units.
class ProcedureEmitter {
public:
  virtual ~ProcedureEmitter() = default;
  // The value a procedure's name has in an expression (a cilk function pointer), declared or defined in this unit.
  virtual LLVMValueRef reference(const FunctionDecl *) = 0;
  // Emits everything a definition needs: clones, signature, stubs. Called once per definition that is needed.
  virtual void define(const FunctionDecl *) = 0;
  // The body of a C function whose procedure this is: it runs the procedure (OpenCilk).
  virtual void enter(const FunctionDecl *, LLVMValueRef function) = 0;
  // After the last definition, before optimisation: module-wide symbols (ABI tags, cilk_main_root).
  virtual void finish() = 0;
};
std::unique_ptr<ProcedureEmitter> makeProcedureEmitter(ModuleEmitter &);  // clones/clones.cpp
std::unique_ptr<ProcedureEmitter> makeSerialEmitter(ModuleEmitter &);  // serial.cpp

// What a module does with threads of Cilk-1: a constant that describes each, its body, and the function that the
// scheduler calls. threads.cpp
class ThreadEmitter {
public:
  explicit ThreadEmitter(ModuleEmitter &m) : m(m) {}
  LLVMValueRef constant(const FunctionDecl *);  // the address of its cilk1_thread; its definition is queued
  LLVMValueRef body(const FunctionDecl *);  // of a worker and the arguments
  LLVMTypeRef bodyType(const FunctionDecl *);
  bool inRegisters(const FunctionDecl *);  // no argument is passed in memory: then it can be tail-called
  void define(const FunctionDecl *);
  struct Layout {
    std::vector<uint64_t> offsets;  // of the arguments in the closure
    uint64_t size = 0;
  };
  const Layout &layout(const FunctionDecl *);
  // the cilk_root of a procedure, for a thread that calls it, or of a thread's procedure
  LLVMValueRef root(const FunctionDecl *procedure);
private:
  ModuleEmitter &m;
  std::unordered_map<const FunctionDecl *, Layout> layouts;
  std::unordered_map<const FunctionDecl *, LLVMValueRef> constants, roots;
  LLVMValueRef table(const FunctionDecl *, unsigned &rows);
  void defineConstant(const FunctionDecl *, LLVMValueRef run, LLVMValueRef go = nullptr);
  void defineAdapter(const FunctionDecl *);
};

// Attributes of functions, calls and globals. attrs.cpp
class Attributes {
public:
  explicit Attributes(ModuleEmitter &m) : m(m) {}
  // enum attribute; index 0 result, 1.. params, -1 function
  void attr(LLVMValueRef fn, unsigned index, const char *name, uint64_t value = 0);
  void attrString(LLVMValueRef fn, const char *key, const std::string &value = "");
  void typeAttr(LLVMValueRef fn, unsigned index, const char *name, LLVMTypeRef);
  void callAttr(LLVMValueRef call, unsigned index, const char *name, uint64_t value = 0);
  void callTypeAttr(LLVMValueRef call, unsigned index, const char *name, LLVMTypeRef);
  // after `hidden` leading parameters
  void abiAttributes(LLVMValueRef fnOrCall, const AbiFunction &, bool isCall, unsigned hidden = 0);
  void unitAttributes(LLVMValueRef fn);  // every definition
  void declAttributes(LLVMValueRef fn, const FunctionDecl *);
  // says its type or, if it is known, its declaration
  static bool neverReturns(const FunctionType *, const FunctionDecl *);
  void parameterAttributes(LLVMValueRef fn, const AbiFunction &, const FunctionDecl *);
  // visibility, section, dso_local, weak
  void globalProperties(LLVMValueRef, const Decl *, const DeclAttrs &, bool definition);

private:
  ModuleEmitter &m;
};

// ---- the module ---------------------------------------------------------------------------------------------------

class ModuleEmitter {
public:
  ModuleEmitter(const TranslationUnit &, const AstContext &, DiagnosticEngine &, const CodegenOptions &, LLVMContextRef,
      LLVMTargetMachineRef);
  ~ModuleEmitter();
  void run();  // emits the whole unit

  const TranslationUnit &unit;
  const AstContext &ast;
  DiagnosticEngine &diags;
  const CodegenOptions &options;
  const Target &target;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMTargetDataRef layout;
  std::unique_ptr<TypeLowering> types;
  std::unique_ptr<DebugInfo> debug;  // nullptr without -g
  std::unique_ptr<ProcedureEmitter> procedures;
  ThreadEmitter threads{*this};
  Attributes attributes{*this};
  std::unique_ptr<Events> events;  // of the modes (codegen/events/)

  bool optimizing() const { return options.optLevel > 0; }
  // what sema and analysis have refused: an internal error
  [[noreturn]] void impossible(Range, const std::string &what) const;

  // -- functions and objects
  // The LLVM function of a C function (for Cilk procedures: procedures->reference). Queues its definition if that is
  // emitted on demand.
  LLVMValueRef function(const FunctionDecl *);
  // A plain LLVM function of the module with the C ABI of this type under this link name; for clones, stubs, helpers.
  // With `fn`, takes over fn's attributes, section and so on. linkage: External for visible ones.
  LLVMValueRef makeFunction(const std::string &linkName, const FunctionType *, LLVMLinkage,
      const FunctionDecl *fn = nullptr);
  // Same for a bare LLVM type (slow clones, deliver functions). Gets the unit-wide attributes (frame pointer, unwind
  // tables, target features, sanitizers).
  LLVMValueRef makeRawFunction(const std::string &linkName, LLVMTypeRef, LLVMLinkage);
  // The linkage of the functions that implement a procedure: its fast clone or its C function, and its stub for C.
  LLVMLinkage procedureLinkage(const FunctionDecl *) const;
  bool exported(const FunctionDecl *) const;
  LLVMValueRef makeExport(const FunctionDecl *, const FunctionType *&stubType);
  // A runtime function by name, declared on first use with this type. nounwind.
  LLVMValueRef workerField(size_t offset);  // of cilk_self, the calling thread's worker
  LLVMValueRef runtimeFunction(const char *name, LLVMTypeRef);
  // The address of an object with static storage duration (file scope, local static, file-scope compound literal).
  // Queues its definition. Not for thread-locals' address in functions: use Lvalues::emitLvalue.
  LLVMValueRef global(const VarDecl *);
  LLVMValueRef emitted(const VarDecl *v) const {
    auto it = globals.find(v);
    return it == globals.end() ? nullptr : it->second;
  }  // null if nothing refers to it
  LLVMValueRef stringLiteral(const StringLit *, QualType type);
  LLVMValueRef dataConstant(const Data *);
  LLVMValueRef cstring(const std::string &text, const char *name = ".str");  // private constant char array
  std::string linkName(const Decl *, const DeclAttrs &) const;  // asm label or name
  LLVMValueRef intrinsic(const char *name, std::vector<LLVMTypeRef> overloads = {});
  LLVMTypeRef intrinsicType(const char *name, std::vector<LLVMTypeRef> overloads = {});

  // -- constants (const.cpp)
  LLVMValueRef intConst(LLVMTypeRef, __int128);
  LLVMValueRef intConst(LLVMTypeRef, const Wide &);
  LLVMValueRef floatConst(const Type *, __float128);
  LLVMValueRef constant(const ConstValue &, QualType);  // of a scalar or complex, in its value type
  LLVMValueRef addressConstant(const ConstValue &);  // ptr
  // The initialiser of a static object; its LLVM type may differ from types->memory(type).
  LLVMValueRef staticInitializer(const Initializer *, QualType, uint64_t size);
  LLVMValueRef planConstant(const InitPlan &);
  // The same plan, but nullptr if some value is not a constant (for local aggregates).
  LLVMValueRef tryPlanConstant(const InitPlan &);
  LLVMValueRef zero(LLVMTypeRef t) { return LLVMConstNull(t); }
  LLVMValueRef privateConstant(LLVMValueRef init, uint32_t align, const char *name);
  LLVMValueRef typeRecord(QualType);  // ubsan.cpp: a type as the runtime's reports name it

  // -- flags of the LLVM module
  void flag(const char *key, unsigned behaviour, uint32_t value);

  // -- labels whose address a static initialiser takes: block of a plain C function's label, made on demand
  LLVMBasicBlockRef labelBlock(const LabelDecl *);
  std::unordered_map<const LabelDecl *, LLVMBasicBlockRef> labelBlocks;

  void useLater(LLVMValueRef v) { llvmUsed.push_back(v); }
  // The unit refers to the symbols cilk_GROUP_VALUE, on which objects agree at link time (rt/core/abi_tags.def).
  using AbiTag = std::pair<std::string_view, std::string_view>;
  void tag(const std::vector<AbiTag> &);
  void staticConstructor(LLVMValueRef fn, int priority, bool destructor);

  void needed(const FunctionDecl *f) {  // queues a definition
    if (defined.insert(f).second) pendingFunctions.push_back(f);
  }

private:
  friend class FunctionEmitter;
  void emitFileAsm();
  void emitSymbolVersions();
  void emitDeferred();
  bool mustEmit(const FunctionDecl *) const;
  bool mustEmit(const VarDecl *) const;
  void defineFunction(const FunctionDecl *);
  void defineGlobal(const VarDecl *);
  void emitAlias(const Decl *, const DeclAttrs &, bool isFunction);
  LLVMLinkage linkageOf(const FunctionDecl *) const;
  LLVMLinkage linkageOf(const VarDecl *, bool definition) const;
  void finishUsed();
  void takeOver(LLVMValueRef old, LLVMValueRef n);
  void finishConstructors();
  void moduleFlags();

  struct Image;  // const.cpp: bytes and relocations under construction
  bool fillPlan(Image &, const InitPlan &, uint64_t base, bool required);
  bool fillValue(Image &, uint64_t offset, QualType, const FieldDecl *bitField, const Expr *, bool required);
  bool fillAggregate(Image &, uint64_t offset, QualType, const Expr *, bool required);
  LLVMValueRef imageConstant(Image &, QualType);

  std::unordered_map<const FunctionDecl *, LLVMValueRef> functions;
  std::unordered_map<const VarDecl *, LLVMValueRef> globals;
  std::unordered_map<std::string, LLVMValueRef> strings;
  std::unordered_map<std::string, LLVMValueRef> runtimeFns;
  std::unordered_map<const Type *, LLVMValueRef> typeRecords;
  std::deque<const FunctionDecl *> pendingFunctions;
  std::deque<const VarDecl *> pendingGlobals;
  std::unordered_set<const Decl *> defined;
  std::unordered_set<std::string_view> stubs;  // mt_f: the C functions that this unit calls by EXPORT(f)
  std::vector<LLVMValueRef> llvmUsed, llvmCompilerUsed;
  int aliasDepth = 0;
  struct Ctor {
    LLVMValueRef fn;
    int priority;
    bool destructor;
  };
  std::vector<Ctor> ctors;
};

}  // namespace cilkc::cg
