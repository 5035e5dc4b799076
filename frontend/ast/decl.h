// decl.h - declarations: specifiers and declarators as they are written, and the objects, functions, types and labels
// that sema makes of them. Part of ast.h, which says what holds of them.
#pragma once
#include "frontend/ast/expr.h"

namespace cilkc {

// ---- declarations: syntax -----------------------------------------------------------------------------------------

enum class StorageClass : uint8_t { None, Typedef, Extern, Static, Auto, Register };
// Counted so that sema can diagnose nonsense. One per declaration.
enum class BasicSpec : uint8_t {
  Void,
  Char,
  Short,
  Int,
  Long,
  Float,
  Double,
  Signed,
  Unsigned,
  Bool,
  Complex,
  Imaginary,
  Int128,
  Float16,
  Float32,
  Float64,
  Float128,
  Float32x,
  Float64x,
  Decimal,
  BitInt,
  Nullptr,  // of the word nullptr
  AutoType,
  VaList,
  count_
};

struct EnumSpec {  // enum tag { … }
  std::string_view tag;
  Range tagRange;
  bool hasBody = false;
  struct Item {
    std::string_view name;
    Range range;
    Expr *value;
    Attrs attrs;
  };
  std::vector<Item> items;
  TypeName *underlying = nullptr;
  Attrs attrs;
};
struct FieldDeclarator {
  Declarator *declarator = nullptr;
  Expr *width = nullptr;
  Attrs attrs;
};
struct StructMember {  // a struct-declaration, or a static assertion, or a pragma pack
  DeclSpecs *specs = nullptr;
  std::vector<FieldDeclarator> fields;
  struct StaticAssert *sassert = nullptr;
  struct PragmaDecl *pragma = nullptr;
};
struct RecordSpec {  // struct/union tag { … }
  bool isUnion = false;
  std::string_view tag;
  Range tagRange;
  bool hasBody = false;
  std::vector<StructMember> members;
  Attrs attrs;
  const RecordType *type = nullptr;  // sema
};
struct DeclSpecs {
  StorageClass storage = StorageClass::None;
  Range storageRange;
  bool multipleStorage = false, lateStorage = false;  // two of them; one after a type or qualifier
  bool threadLocal = false, gnuThread = false;  // gnuThread: spelled __thread
  bool isInline = false, isNoreturn = false, isConstexpr = false;
  bool autoWord = false;  // C23: `auto`, a storage class or a type to be inferred
  bool infersType() const { return autoWord || counts[static_cast<int>(BasicSpec::AutoType)]; }
  bool cilk = false, inlet = false, shared = false, priv = false;
  bool future = false;
  bool thread = false, cont = false;  // Cilk-1
  Range cilkRange;
  uint8_t quals = 0;  // incl. _Atomic as a qualifier
  uint8_t counts[static_cast<int>(BasicSpec::count_)] = {};  // how often each basic specifier occurred
  bool anyTypeSpec = false;  // false: implicit int
  std::string_view typedefName;
  Range typedefRange;
  RecordSpec *record = nullptr;
  EnumSpec *enumeration = nullptr;
  RecordSpec *unendedRecord = nullptr;
  EnumSpec *unendedEnum = nullptr;  // a definition before, whose ';' is missing (reported)
  TypeName *typeofType = nullptr;
  Expr *typeofExpr = nullptr;
  bool typeofUnqual = false;
  TypeName *atomicType = nullptr;  // _Atomic(T)
  TypeName *contType = nullptr;  // cont(T)
  Expr *bitIntWidth = nullptr;  // _BitInt(width)
  std::vector<std::pair<TypeName *, Expr *>> alignAs;  // one of each pair
  Attrs attrs;
  Range range;
};

// A declarator is a chain read from the name outwards: `int *(*f[3])(int)` = name f, chunks: Array(3), Pointer,
// Function(int), Pointer.
struct ParamDecl {
  DeclSpecs *specs = nullptr;
  Declarator *declarator = nullptr; /* may be abstract or null */
  Range range;
  VarDecl *var = nullptr; /* sema */
};
struct DeclChunk {
  enum Kind : uint8_t { Pointer, Array, Function, Reducer } kind{};
  uint8_t quals = 0;  // pointer, array parameter
  bool cilk = false, inlet = false;  // pointer qualifiers of Cilk
  bool isStatic = false, star = false;
  Expr *size = nullptr;  // array; nullptr = []
  Expr *identity = nullptr, *reduce = nullptr;  // reducer
  std::vector<ParamDecl *> params;
  bool variadic = false;
  bool prototype = true;  // false: () or an identifier list
  std::vector<std::pair<std::string_view, Range>> krNames;
  Attrs attrs;
  Range range;
};
struct Declarator {
  std::string_view name;
  Range nameRange;
  Range range;  // name empty: abstract
  std::vector<DeclChunk> chunks;
  Attrs attrs;  // after the declarator
  std::string_view asmLabel;
  bool hasAsmLabel = false;
};
struct TypeName {
  DeclSpecs *specs = nullptr;
  Declarator *declarator = nullptr;
  Range range;
  QualType type; /* sema */
};

// ---- declarations: meaning (sema makes these) ---------------------------------------------------------------------

enum class DeclKind : uint8_t { Var, Function, Typedef, EnumConst, Label };
struct Decl {
  DeclKind kind;
  std::string_view name;
  QualType type;
  Range range;
  template <class T> T *as() { return static_cast<T *>(this); }
  template <class T> const T *as() const { return static_cast<const T *>(this); }
protected:
  explicit Decl(DeclKind k) : kind(k) {}
};

enum class Linkage : uint8_t { None, Internal, External };
enum class Visibility : uint8_t { Default, Hidden, Protected, Internal };

// What attributes, _Alignas, asm labels say about a function or variable; merged over redeclarations.
struct DeclAttrs {
  bool weak = false, used = false, unused = false, noinline = false, alwaysInline = false, gnuInline = false,
       cold = false, hot = false, noreturn = false, pure = false, constant = false, malloc = false, nothrow = true,
       returnsTwice = false, naked = false, constructor = false, destructor = false, common = false, nocommon = false,
       packed = false, noInstrument = false, warnUnused = false, sentinel = false, fallthrough = false, ifunc = false,
       returnsNonnull = false, flatten = false, leaf = false, optnone = false, weakref = false, artificial = false,
       externallyVisible = false, stackProtect = false, noStackProtector = false,
       remote = false;  // threads and Cilk procedures: other machines may run it
  int constructorPriority = 65535, destructorPriority = 65535;
  Visibility visibility = Visibility::Default;
  bool visibilitySet = false;
  std::string_view section, alias, asmLabel, ifuncResolver, targetFeatures, tlsModel;
  Attr *deprecated = nullptr;  // or `unavailable`, see restrictUse
  std::string_view noSanitize;  // words of no_sanitize, separated by newlines
  std::string_view callError, callWarning;  // error("…"), warning("…"): said where a call is left in the program
  std::string_view touches;  // cilk_touches("…"): what a call accesses, for `cilkc prove`
  std::string_view symver;  // names with versions, each followed by a newline
  bool hasAsmLabel = false;
  uint32_t align = 0;  // bytes, 0 = natural
  FunctionDecl *cleanup = nullptr;  // variables
  bool uninitialized = false;  // -ftrivial-auto-var-init leaves it alone
  int formatKind = 0, formatIndex = 0, formatFirst = 0;  // 1 printf, 2 scanf, 3 strftime
  uint32_t formatArgs = 0;  // bit i-1: the result is a format like argument i (format_arg)
  std::vector<int> nonnull;
  bool nonnullAll = false;
  int allocSize1 = 0, allocSize2 = 0;
};


struct VarDecl : Decl {
  StorageClass storage = StorageClass::None;
  Linkage linkage = Linkage::None;
  bool threadLocal = false;
  bool isParam = false;
  // automatic object of a function (parameters too); local statics: !isLocal, linkage None, fn set
  bool isLocal = false;
  bool isDefinition = false;  // file scope: has an initialiser, or tentative at the end of the unit
  bool tentative = false;
  bool isConstexpr = false;  // C23: a constant of its initialiser's value
  bool isPrivate = false;  // Cilk `private`: one copy per worker
  bool hidden = false;  // made by sema (VLA sizes, compound literals, cleanup temporaries)
  Initializer *init = nullptr;  // after sema: init->expr converted to type, or init->list->plan
  DeclAttrs attrs;
  FunctionDecl *fn = nullptr;  // of locals and local statics: the function (or inlet) they belong to
  uint32_t paramIndex = 0;
  // Facts sema collects:
  bool used = false, assigned = false;
  // & applied, or array/record used in place through a pointer; not set by plain member access
  bool addressTaken = false;
  bool inletTouches = false;  // read or written by an inlet of the procedure (Cilk)
  // receives a spawn's result (directly: x = spawn, x += spawn; or a member/element of it)
  bool isReceiver = false;
  bool crossesNested = false;  // used by a nested function
  VarDecl() : Decl(DeclKind::Var) {}
};

struct FunctionDecl : Decl {  // type is a FunctionType
  StorageClass storage = StorageClass::None;
  Linkage linkage = Linkage::External;
  bool isInline = false;  // some declaration had inline
  // C99: a file-scope declaration without inline or with extern: external definition is emitted
  bool externInline = false;
  bool isNoreturn = false;
  bool isCilk = false, isInlet = false;
  bool isThread = false;  // of Cilk-1: its result is void
  bool isAdapter = false;  // a thread that sema made, which calls the Cilk-5 procedure `procedure`
  bool implicit = false;  // implicitly declared
  bool used = false;
  uint32_t references = 0;  // sema: how often an expression names it, unevaluated ones too
  FunctionDef *def = nullptr;  // the definition, if it is in this unit
  FunctionDecl *parent = nullptr;  // inlets and nested functions: the enclosing function
  DeclAttrs attrs;
  int builtin = 0;  // BuiltinId
  // Fields of definitions:
  std::vector<VarDecl *> params;
  // every automatic object in the body, hidden ones included, in order of declaration (params not)
  std::vector<VarDecl *> locals;
  std::vector<VarDecl *> statics;  // local statics
  std::vector<LabelDecl *> labels;
  std::vector<FunctionDecl *> inlets;  // inlets and nested functions defined in the body
  std::vector<SpawnStmt *> spawns;  // Cilk procedures: all spawns, in textual order
  // OpenCilk: a procedure that sema made of this C function's body, whose `procedure` it is
  FunctionDecl *entered = nullptr;
  bool isOutlined = false;  // OpenCilk: a procedure that sema made of a block or a loop
  std::string_view shown;  // ... as users read of it: the function that it calls, or "loop of main (line 9)"
  bool isLoop = false;  // ... of a loop
  bool inPieces = false;  // ... whose iterations are so short that they run in pieces (sema/opencilk/loop.cpp)
  VarDecl *pedigree = nullptr;  // procedures of units with pedigrees: a cilk_pedigree_frame (rt/core/abi.h), in words
  static constexpr int PedigreeWords = 9;
  // OpenCilk: see `entered`. Cilk-1: threads whose first parameter is `cont T k`: what Cilk-5 and C call, a procedure
  // that returns T
  FunctionDecl *procedure = nullptr;
  // C functions that sema made: one offers a call of this remote procedure to other machines, one takes the result
  FunctionDecl *offers = nullptr, *takes = nullptr;
  // such a procedure: its thread; other procedures, if a thread spawns them: the thread that calls them
  FunctionDecl *thread = nullptr;
  std::string_view shownName() const { return shown.empty() ? name : shown; }
  // always_inline, and the body asks about its call: __builtin_va_arg_pack, __builtin_object_size. Expanded where it is
  // called
  bool asksCall = false;
  bool ofReducers = false;  // `T cilk_reducer(..)` names it
  bool callsSetjmp = false, usesAlloca = false, usesVla = false, usesVaStart = false, usesFrameAddress = false,
       usesAsm = false;
  FunctionDecl() : Decl(DeclKind::Function) {}
};
struct TypedefDecl : Decl {
  TypedefDecl() : Decl(DeclKind::Typedef) {}
  uint32_t align = 0;
  bool unused = false;  // the attribute: so may be what is declared with it
};
struct EnumConstDecl : Decl {
  __int128 value = 0;
  EnumConstDecl() : Decl(DeclKind::EnumConst) {}
};
// nonlocal: some nested function jumps to it.
struct LabelDecl : Decl {
  bool defined = false, addressTaken = false, used = false, nonlocal = false;
  FunctionDecl *fn = nullptr;
  LabelDecl() : Decl(DeclKind::Label) {}
};

}  // namespace cilkc
