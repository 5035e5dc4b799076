// ast.h - the abstract syntax tree: one closed set of node kinds.
//
// frontend/parse builds it from the parse tree, purely syntactic: names are strings, declarators are chains,
// expressions have no type. frontend/sema then decorates it in place: every expression gets a type and value category,
// names get their declarations, conversions become explicit ImplicitCast nodes, initialisers get a plan, declarations
// get Decl objects. codegen, flow and elide read the decorated tree. The fields that sema fills follow a "sema:"
// comment.
//
// INVARIANTS AFTER SEMA (checked by checkAst() in debug builds and tests), when no error was reported:
//  * Expr::type is set. `lvalue` says whether the node designates an object (or function). An lvalue is never used as a
//    value: wherever a value is needed an ImplicitCast{LvalueToRvalue | ArrayToPointer | FunctionToPointer} is above
//    it. Rvalues have unqualified types. Struct and union rvalues exist (calls, assignment, ?:, casts, LvalueToRvalue
//    of a record).
//  * Operands of arithmetic, bitwise, relational and equality operators have the same (common) type; shifts: each
//    promoted; pointer + integer: the pointer may be on either side, the integer is converted to ptrdiff_t size (long
//    or unsigned long); pointer - pointer same; comparisons of pointers: both the same pointer type (a cast is
//    inserted); conditions (if/while/?:/!/&&/||) are scalars of any type. Comparison, !, && and || yield int.
//  * Call arguments are converted to the parameter types (default promotions where there is no prototype or variadic).
//  * Assign: rhs converted to the lhs's unqualified type; compound assignment: see Assign::computeType.
//  * Every Ident that is an expression has decl set. Enum constants have been replaced by nothing: they stay Ident
//    nodes with EnumConstDecl.
//  * No expression is a Spawn: each has become a SpawnStmt, listed in its procedure's FunctionDecl::spawns. A
//    ChildResult occurs only below the `value` of its SpawnStmt.
//  * Return values are converted to the function's type. Switch conditions are promoted, case values converted
//    (CaseStmt::lo/hi).
//
// Ownership: all nodes live in the AstContext's arena and die with it; raw pointers everywhere; no node is freed alone.
// Strings are interned in the arena. Nodes are not thread-safe; different AstContexts are independent.
#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "frontend/source/dialect.h"
#include "frontend/source/source.h"
#include "frontend/types/type_table.h"

namespace cilkc {

struct Expr;
struct Stmt;
struct Decl;
struct VarDecl;
struct FunctionDecl;
struct TypedefDecl;
struct EnumConstDecl;
struct LabelDecl;
struct SpawnStmt;
struct Declarator;
struct DeclSpecs;
struct Initializer;
struct ConstantRun;
struct InitList;
struct CompoundStmt;
struct TypeName;
struct FunctionDef;

// ---- attributes ---------------------------------------------------------------------------------------------------

// __attribute__((name(args))) / [[gnu::name(args)]]. Underscores around the name are stripped ("__packed__" ->
// "packed").
struct Attr {
  std::string_view name;
  // an argument that is a plain identifier is an Ident node; a type argument is a SizeofType-less TypeArg
  std::vector<Expr *> args;
  std::vector<TypeName *> typeArgs;
  bool standard = false;  // [[name]]
  Range range;
};
using Attrs = std::vector<Attr *>;

// ---- expressions --------------------------------------------------------------------------------------------------

enum class ExprKind : uint8_t {
#define EXPR(kind, cls, children, facts) kind,
#include "frontend/ast/nodes.def"
};

struct ConstValue;  // consteval/consteval.h

struct Expr {
  ExprKind kind;
  bool lvalue = false;  // sema
  bool bitField = false;  // sema: lvalue that designates a bit-field
  Range range;
  QualType type;  // sema
  template <class T> T *as() { return static_cast<T *>(this); }
  template <class T> const T *as() const { return static_cast<const T *>(this); }
protected:
  explicit Expr(ExprKind k) : kind(k) {}
};

struct ErrorExpr : Expr {
  ErrorExpr() : Expr(ExprKind::Error) {}
};

struct IntLit : Expr {  // also character constants after decoding are CharLit, not this
  unsigned __int128 value = 0;  // parse: decoded; overflow beyond 64 bits sets tooLarge
  bool tooLarge = false, decimal = true;
  bool suffixU = false;
  uint8_t suffixL = 0;  // 0, 1 (l), 2 (ll)
  bool suffixWB = false;  // C23: a _BitInt
  // of a _BitInt, where `value` might not hold it: digits and prefix as written, without separators
  std::string_view wide;
  bool imaginary = false;
  IntLit() : Expr(ExprKind::IntLit) {}
};
struct FloatLit : Expr {
  std::string_view text;  // digits as written, without suffix and separators: for strtold & co
  enum Suffix : uint8_t { None, F, L, F16, F32, F64, F128, F32x, F64x, Q, D /*decimal: rejected*/ } suffix = None;
  bool imaginary = false;
  FloatLit() : Expr(ExprKind::FloatLit) {}
};
enum class StrPrefix : uint8_t { None, L, u8, u, U };
struct CharLit : Expr {
  StrPrefix prefix = StrPrefix::None;
  int64_t value = 0;  // as C says (multi-character constants in gcc's manner); type by sema
  CharLit() : Expr(ExprKind::CharLit) {}
};
// Adjacent literals are joined by the parser. Elements are code units of the final type (1, 2 or 4 bytes each), without
// the terminating zero.
struct StringLit : Expr {
  StrPrefix prefix = StrPrefix::None;
  std::string bytes;  // little-endian code units
  unsigned unit = 1;
  size_t length() const { return bytes.size() / unit; }
  StringLit() : Expr(ExprKind::StringLit) {}
};
// Sema: elements of an array as they are in memory, made of constants in a row. The value of an InitStore of array
// type, nowhere else.
struct Data : Expr {
  std::string bytes;
  uint64_t count = 0;  // elements
  Data() : Expr(ExprKind::Data) {}
};
struct Ident : Expr {
  std::string_view name;
  Decl *decl = nullptr;  // sema
  Ident() : Expr(ExprKind::Ident) {}
};
struct ParenExpr : Expr {
  Expr *sub = nullptr;
  ParenExpr() : Expr(ExprKind::Paren) {}
};

enum class UnaryOp : uint8_t { Plus, Minus, BitNot, Not, Deref, AddrOf, PreInc, PreDec, PostInc, PostDec, Real, Imag };
struct Unary : Expr {
  UnaryOp op{};
  Expr *sub = nullptr;
  Unary() : Expr(ExprKind::Unary) {}
};

enum class BinaryOp : uint8_t {
  Mul,
  Div,
  Rem,
  Add,
  Sub,
  Shl,
  Shr,
  Lt,
  Gt,
  Le,
  Ge,
  Eq,
  Ne,
  And,
  Xor,
  Or,
  LogAnd,
  LogOr,
  Comma
};
struct Binary : Expr {
  BinaryOp op{};
  Expr *lhs = nullptr, *rhs = nullptr;
  Range opRange;
  Binary() : Expr(ExprKind::Binary) {}
};

// lhs = rhs, lhs op= rhs.
struct Assign : Expr {
  bool compound = false;
  bool initializes = false;  // sema, OpenCilk: of `T x = cilk_spawn f();`
  BinaryOp op{};
  Expr *lhs = nullptr, *rhs = nullptr;
  Range opRange;
  // sema, compound: lhs's value is converted to this, op with rhs (already of this type; for shifts the promoted
  QualType computeType;
  // type; for pointer +=/-= the pointer type and rhs a long), result converted to
  // the lhs's type
  Assign() : Expr(ExprKind::Assign) {}
};
struct Conditional : Expr {  // middle == nullptr: GNU `a ?: b`
  Expr *cond = nullptr, *then = nullptr, *otherwise = nullptr;
  Conditional() : Expr(ExprKind::Conditional) {}
};

enum class CastKind : uint8_t {
  NoOp,  // same representation (qualifiers, pointer to pointer, int <-> same-size enum…)
  LvalueToRvalue,
  ArrayToPointer,
  FunctionToPointer,
  IntToInt,
  IntToFloat,
  FloatToInt,
  FloatToFloat,
  ToBool,
  PointerToInt,
  IntToPointer,
  PointerToPointer,
  NullToPointer,
  RealToComplex,
  ComplexToReal,
  ComplexToComplex,
  VectorBitcast,
  ScalarToVector,
  ToVoid,
  ToUnion,
  Dependent  // not yet decided (explicit casts before sema)
};
struct Cast : Expr {  // explicit (T)e
  TypeName *target = nullptr;
  Expr *sub = nullptr;
  CastKind castKind = CastKind::Dependent;  // sema; sub has been decayed/loaded
  Cast() : Expr(ExprKind::Cast) {}
};
struct ImplicitCast : Expr {
  CastKind castKind{};
  Expr *sub = nullptr;
  ImplicitCast() : Expr(ExprKind::ImplicitCast) {}
};

struct CompoundLit : Expr {
  TypeName *target = nullptr;
  InitList *init = nullptr;
  VarDecl *object = nullptr;  // sema: the unnamed object (static at file scope, else automatic)
  CompoundLit() : Expr(ExprKind::CompoundLit) {}
};
struct Call : Expr {
  Expr *callee = nullptr;
  std::vector<Expr *> args;
  int builtin = 0;  // sema: BuiltinId (builtins/builtins.h), 0 = none
  const FunctionType *fnType = nullptr;  // sema: of the callee
  Call() : Expr(ExprKind::Call) {}
};
struct Member : Expr {
  Expr *base = nullptr;
  bool arrow = false;
  std::string_view name;
  Range nameRange;
  // sema: through anonymous members; the last is the field; base: lvalue record, rvalue record, or pointer value
  std::vector<FieldDecl *> path;
  Member() : Expr(ExprKind::Member) {}
};
// sema: base has decayed to a pointer (or is a vector lvalue/rvalue), index is a long; swapped if written i[a]
struct Index : Expr {
  Expr *base = nullptr, *index = nullptr;
  Index() : Expr(ExprKind::Index) {}
};
// also alignof expr by kind AlignofExpr. Operand is not evaluated unless it has variable size.
struct SizeofExpr : Expr {
  Expr *sub = nullptr;
  bool gnu = false;  // __alignof__, which may have an expression
  explicit SizeofExpr(bool isAlign = false) : Expr(isAlign ? ExprKind::AlignofExpr : ExprKind::SizeofExpr) {}
};
struct SizeofType : Expr {
  TypeName *target = nullptr;
  explicit SizeofType(bool isAlign = false) : Expr(isAlign ? ExprKind::AlignofType : ExprKind::SizeofType) {}
};
struct GenericAssoc {
  TypeName *type = nullptr; /* nullptr: default */
  Expr *value = nullptr;
  Range range;
};
struct Generic : Expr {
  Expr *control = nullptr;
  TypeName *controlType = nullptr;
  std::vector<GenericAssoc> assocs;
  Expr *chosen = nullptr;  // sema; only it is emitted
  Generic() : Expr(ExprKind::Generic) {}
};
struct StmtExpr : Expr {
  CompoundStmt *body = nullptr;
  StmtExpr() : Expr(ExprKind::StmtExpr) {}
};  // value: last ExprStmt's expression
struct LabelAddr : Expr {
  std::string_view name;
  LabelDecl *label = nullptr;
  LabelAddr() : Expr(ExprKind::LabelAddr) {}
};
struct VaArg : Expr {
  Expr *list = nullptr;
  TypeName *target = nullptr;
  VaArg() : Expr(ExprKind::VaArg) {}
};  // list: lvalue/pointer to va_list
struct OffsetofStep {
  std::string_view member;
  Expr *index = nullptr;
  Range range;
};  // .member or [index]
struct Offsetof : Expr {
  TypeName *target = nullptr;
  std::vector<OffsetofStep> steps;
  // sema: value = constant + sum of stride * index over non-constant indices
  std::vector<std::pair<uint64_t, Expr *>> terms;
  uint64_t constant = 0;  // sema
  Offsetof() : Expr(ExprKind::Offsetof) {}
};
struct TypesCompatible : Expr {
  TypeName *a = nullptr, *b = nullptr;
  bool value = false;
  TypesCompatible() : Expr(ExprKind::TypesCompatible) {}
};
struct ChooseExpr : Expr {
  Expr *cond = nullptr, *then = nullptr, *otherwise = nullptr;
  Expr *chosen = nullptr;
  ChooseExpr() : Expr(ExprKind::ChooseExpr) {}
};

// spawn f(args) as it is parsed. Sema makes a SpawnStmt of its statement; after sema no expression is a spawn.
// What makes a thread run, and `send_argument(k, e)`, which is a call of it here.
enum class SpawnWord : uint8_t { Spawn, CilkSpawn, SpawnNext, Call, TailCall, Send };
struct Spawn : Expr {
  SpawnWord word = SpawnWord::Spawn;
  // callee and arguments; parse may give a non-call operand: then call == nullptr and operand is set
  Call *call = nullptr;
  Expr *operand = nullptr;
  Expr *placement = nullptr;  // `@ p`
  CompoundStmt *block = nullptr;  // OpenCilk: `cilk_spawn { .. }`
  Range keyword;
  Spawn() : Expr(ExprKind::Spawn) {}
};
// ?k among the arguments of a ThreadStmt: this argument is missing, and k becomes the continuation for it.
struct Hole : Expr {
  Expr *sub = nullptr;  // sema: an lvalue of type `cont T`, where T is the type of this
  Hole() : Expr(ExprKind::Hole) {}
};
// touch f, as it is written. Sema puts a TouchStmt before the statement, and a load of the future's value in place of
// this.
struct TouchExpr : Expr {
  Expr *sub = nullptr;
  TouchExpr() : Expr(ExprKind::Touch) {}
};
struct Synched : Expr {
  Synched() : Expr(ExprKind::Synched) {}
};

// ---- initialisers -------------------------------------------------------------------------------------------------

struct Designator {  // .field  |  [lo]  |  [lo ... hi]
  std::string_view field;
  Expr *lo = nullptr, *hi = nullptr;
  Range range;
};
struct InitItem {
  std::vector<Designator> designators;
  Initializer *init = nullptr;
  ConstantRun *run = nullptr;  // instead: several items, without designators (run.h)
};

struct Initializer {
  Expr *expr = nullptr;  // either this
  InitList *list = nullptr;  // or this
  Range range;
};

// One store of a flattened initialiser: value -> object at byte offset. Later stores override earlier ones; overridden
// ones are dropped when they have no side effects.
struct InitStore {
  uint64_t offset = 0;
  // of the subobject; a StringLit value may have a longer or shorter array type than this (truncate/zero fill)
  QualType type;
  FieldDecl *bitField = nullptr;
  Expr *value = nullptr;  // converted to type
  uint64_t repeat = 1, stride = 0;  // [a ... b]: value is evaluated once and stored repeat times
};
struct InitPlan {
  QualType type;  // completed type (array size deduced)
  uint64_t size = 0;  // bytes (with flexible array member data)
  std::vector<InitStore> stores;  // everything else is zero
};
struct InitList {
  std::vector<InitItem> items;
  Range range;
  InitPlan *plan = nullptr;  // sema: set on the outermost list (inner lists are flattened into it)
};

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
       externallyVisible = false,
       remote = false;  // threads and Cilk procedures: other machines may run it
  int constructorPriority = 65535, destructorPriority = 65535;
  Visibility visibility = Visibility::Default;
  bool visibilitySet = false;
  std::string_view section, alias, asmLabel, ifuncResolver, targetFeatures, tlsModel;
  Attr *deprecated = nullptr;  // or `unavailable`, see restrictUse
  std::string_view noSanitize;  // words of no_sanitize, separated by newlines
  std::string_view callError, callWarning;  // error("…"), warning("…"): said where a call is left in the program
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
  bool isLoop = false;  // ... of a loop
  VarDecl *pedigree = nullptr;  // procedures of units with pedigrees: a cilk_pedigree_frame (rt/abi.h), in words
  static constexpr int PedigreeWords = 9;
  FunctionDecl *procedure =
      // OpenCilk: see `entered`. Cilk-1: threads whose first parameter is `cont T k`: what Cilk-5 and C call, a
      // procedure that returns T
      nullptr;
  // a C function that sema made: it offers a call of this remote procedure to other machines, or (isAdapter) takes the
  // result
  FunctionDecl *offers = nullptr;
  // such a procedure: its thread; other procedures, if a thread spawns them: the thread that calls them
  FunctionDecl *thread = nullptr;
  // always_inline, and the body asks about its call: __builtin_va_arg_pack, __builtin_object_size. Expanded where it is
  // called
  bool asksCall = false;
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

// ---- statements ---------------------------------------------------------------------------------------------------

enum class StmtKind : uint8_t {
#define STMT(kind, cls, children, facts, weight, traits) kind,
#include "frontend/ast/nodes.def"
};
struct Stmt {
  StmtKind kind;
  Range range;
  Attrs attrs;  // on null statements: fallthrough
  template <class T> T *as() { return static_cast<T *>(this); }
  template <class T> const T *as() const { return static_cast<const T *>(this); }
protected:
  explicit Stmt(StmtKind k) : kind(k) {}
};
struct ErrorStmt : Stmt {
  ErrorStmt() : Stmt(StmtKind::Error) {}
};
struct NullStmt : Stmt {
  bool missing = false;  // nothing follows a label, not even a ';'
  NullStmt() : Stmt(StmtKind::Null) {}
};
struct ExprStmt : Stmt {
  Expr *expr = nullptr;
  ExprStmt() : Stmt(StmtKind::Expr) {}
};
struct CompoundStmt : Stmt {
  std::vector<Stmt *> body;
  Range closing;
  bool isScope = false;  // OpenCilk: `cilk_scope`, until sema
  CompoundStmt() : Stmt(StmtKind::Compound) {}
};
struct IfStmt : Stmt {
  Range elseWord;
  Expr *cond = nullptr;
  Stmt *then = nullptr, *otherwise = nullptr;
  IfStmt() : Stmt(StmtKind::If) {}
};
struct WhileStmt : Stmt {
  Expr *cond = nullptr;
  Stmt *body = nullptr;
  WhileStmt() : Stmt(StmtKind::While) {}
};
struct DoStmt : Stmt {
  Stmt *body = nullptr;
  Expr *cond = nullptr;
  DoStmt() : Stmt(StmtKind::Do) {}
};
struct ForStmt : Stmt {
  Stmt *init = nullptr; /* ExprStmt, DeclStmt or null */
  Expr *cond = nullptr, *step = nullptr;
  Stmt *body = nullptr;
  bool isParallel = false;  // OpenCilk: `cilk_for`, until sema
  VarDecl *iteration = nullptr;  // the grains of a `cilk_for`: their iterations are numbered by this
  ForStmt() : Stmt(StmtKind::For) {}
};
struct CaseStmt;
struct SwitchStmt : Stmt {
  Expr *cond = nullptr;
  Stmt *body = nullptr;
  std::vector<CaseStmt *> cases;
  struct DefaultStmt *def = nullptr;  // sema
  SwitchStmt() : Stmt(StmtKind::Switch) {}
};
struct CaseStmt : Stmt {
  Expr *low = nullptr, *high = nullptr;
  __int128 lo = 0, hi = 0; /* sema */
  Stmt *sub = nullptr;
  CaseStmt() : Stmt(StmtKind::Case) {}
};
struct DefaultStmt : Stmt {
  Stmt *sub = nullptr;
  DefaultStmt() : Stmt(StmtKind::Default) {}
};
struct LabelStmt : Stmt {
  std::string_view name;
  Range nameRange;
  Stmt *sub = nullptr;
  LabelDecl *label = nullptr;
  LabelStmt() : Stmt(StmtKind::Label) {}
};
struct GotoStmt : Stmt {
  std::string_view name;
  Range nameRange;
  LabelDecl *label = nullptr;
  GotoStmt() : Stmt(StmtKind::Goto) {}
};
struct GotoExprStmt : Stmt {
  Expr *target = nullptr;
  GotoExprStmt() : Stmt(StmtKind::GotoExpr) {}
};
struct ContinueStmt : Stmt {
  ContinueStmt() : Stmt(StmtKind::Continue) {}
};
struct BreakStmt : Stmt {
  BreakStmt() : Stmt(StmtKind::Break) {}
};
struct ReturnStmt : Stmt {
  Expr *value = nullptr;
  ReturnStmt() : Stmt(StmtKind::Return) {}
};
struct AsmOperand {
  std::string_view name;
  std::string constraint;
  Expr *expr = nullptr;
  Range range;
};
struct AsmStmt : Stmt {
  std::string text;
  bool isVolatile = false, isGoto = false, basic = false;
  std::vector<AsmOperand> outputs, inputs;
  std::vector<std::string> clobbers;
  std::vector<std::pair<std::string_view, LabelDecl *>> gotoLabels;
  std::vector<Range> gotoRanges;
  AsmStmt() : Stmt(StmtKind::Asm) {}
};
struct LocalLabelStmt : Stmt {
  std::vector<std::pair<std::string_view, Range>> names;
  LocalLabelStmt() : Stmt(StmtKind::LocalLabel) {}
};  // __label__ a, b;
// The value that the child of a SpawnStmt returns, where its delivery uses it. Its place is the text of the spawn.
struct ChildResult : Expr {
  ChildResult() : Expr(ExprKind::ChildResult) {}
};

enum class SpawnForm : uint8_t {
  Plain,  // spawn f(..);
  Receiver,  // x = spawn f(..);
  Op,  // x op= spawn f(..);
  Inlet  // inl(spawn f(..), ..);
};
// Sema makes it of the ExprStmt whose expression is a spawn in one of the forms. What happens when the child comes back
// is its delivery: nothing, an assignment, or a call of the inlet.
struct SpawnStmt : Stmt {
  SpawnForm form = SpawnForm::Plain;
  bool fills = false;  // Receiver: the receiver is the value of a future
  // a call that is waited for, or half of a `cilk_for`: for pedigrees the child is a part of its parent
  bool called = false;
  Range keyword, spawned;  // `spawn`; `spawn f(..)`
  Call *call = nullptr;  // callee (a value: pointer to a cilk function) and converted arguments
  ChildResult *result = nullptr;  // of the callee's result type
  // Receiver, Op, and Inlet unless the child returns void: `result` under the conversions to what takes it
  Expr *value = nullptr;
  Assign *delivery = nullptr;  // Receiver, Op: lhs is the receiver, rhs is `value`
  FunctionDecl *inlet = nullptr;  // Inlet
  Expr *inletName = nullptr;  // Inlet: as it is written
  std::vector<Expr *> arguments;  // Inlet: those after the spawn, converted
  Expr *receiver() const { return delivery ? delivery->lhs : nullptr; }
  const FunctionType *type() const { return call->fnType; }  // of the procedure
  bool isVoid() const { return result->type->isVoid(); }
  SpawnStmt() : Stmt(StmtKind::Spawn) {}
};

// Cilk-1. A closure is made of the thread, with those of its arguments that are there; for each Hole its continuation
// is set. Without holes it is ready at once. A tail call runs the thread in place of the one that makes it, which ends
// here. A root is the body of FunctionDecl::procedure: it runs the thread, and all that comes of it, until the
// continuation that is the thread's first argument was sent its value; the other arguments are given.
enum class ThreadForm : uint8_t { Spawn, SpawnNext, TailCall, Root };
struct ThreadStmt : Stmt {
  ThreadForm form = ThreadForm::Spawn;
  Range keyword;
  Expr *callee = nullptr;  // as it is written: the name of `thread`
  FunctionDecl *thread = nullptr;
  std::vector<Expr *> arguments;  // converted to the thread's parameters, or Holes
  Expr *placement = nullptr;  // converted to int
  Expr *receiver = nullptr;  // Root: an lvalue that gets the value
  ThreadStmt() : Stmt(StmtKind::Thread) {}
};
struct SendStmt : Stmt {
  Expr *continuation = nullptr;  // of type `cont T`
  Expr *value = nullptr;  // converted to T
  SendStmt() : Stmt(StmtKind::Send) {}
};

// Waits until a future has its value, or (renewed) until no child is left that would fill this variable, whose
// declaration comes again.
struct TouchStmt : Stmt {
  Expr *future = nullptr;  // an lvalue of type `future T`, without side effects
  VarDecl *own = nullptr;  // the local variable that it is (a part of)
  VarDecl *renewed = nullptr;
  TouchStmt() : Stmt(StmtKind::Touch) {}
};

struct SyncStmt : Stmt {
  SyncStmt() : Stmt(StmtKind::Sync) {}
  bool isWritten = false;  // in the program's text: sema makes others
};
struct AbortStmt : Stmt {
  AbortStmt() : Stmt(StmtKind::Abort) {}
};

// ---- external declarations and block declarations -----------------------------------------------------------------

struct InitDeclarator {
  Declarator *declarator = nullptr;
  Initializer *init = nullptr;
  Decl *decl = nullptr; /* sema */
};
struct Declaration {
  DeclSpecs *specs = nullptr;
  std::vector<InitDeclarator> declarators;
  Range range;
};
struct StaticAssert {
  Expr *cond = nullptr;
  StringLit *message = nullptr;
  Range range;
};
struct PragmaDecl {
  std::string_view text; /* after `#pragma`, blanks trimmed */
  Range range;
};
struct FileAsm {
  std::string text;
  Range range;
};

struct DeclStmt : Stmt {  // exactly one is set
  Declaration *decl = nullptr;
  StaticAssert *sassert = nullptr;
  DeclStmt() : Stmt(StmtKind::Decl) {}
};
struct PragmaStmt : Stmt {
  PragmaDecl *pragma = nullptr;
  PragmaStmt() : Stmt(StmtKind::Pragma) {}
};

struct FunctionDef {
  DeclSpecs *specs = nullptr;
  Declarator *declarator = nullptr;
  std::vector<Declaration *> krDecls;
  CompoundStmt *body = nullptr;
  Range range;
  bool cilkMode = false;  // the definition is in Cilk text
  // OpenCilk: the body can reach a spawn, so the function becomes a procedure and a C function that enters it (sema)
  bool spawns = false;
  FunctionDecl *fn = nullptr;  // sema
};
struct FunctionStmt : Stmt {
  FunctionDef *def = nullptr;
  FunctionStmt() : Stmt(StmtKind::Function) {}
};  // inlet or GNU nested function in a block

struct ExternalDecl {  // exactly one is set
  FunctionDef *function = nullptr;
  Declaration *decl = nullptr;
  StaticAssert *sassert = nullptr;
  FileAsm *fileAsm = nullptr;
  PragmaDecl *pragma = nullptr;
  Range range;
};
struct TranslationUnit {
  std::vector<ExternalDecl> decls;
  // What syntax errors made unreadable: was anything left out, the names in it, and did the parser give up altogether?
  // Sema keeps quiet about what may be missing for that reason.
  bool damaged = false, abandoned = false;
  std::unordered_set<std::string_view> damagedNames;
  // may_alias, or optimize("no-strict-aliasing"), outside of system headers: types do not distinguish accesses
  bool typesAlias = false;
  // sema:
  std::vector<FunctionDecl *> functions;  // every function declared or defined, once each
  std::vector<VarDecl *> globals;  // every file-scope object and local static, once each (declared or defined)
  std::vector<VarDecl *> literals;  // file-scope compound literals
};

// ---- the context --------------------------------------------------------------------------------------------------

struct LangOptions {
  enum Std : uint8_t { C89, C99, C11, C17, C2x } std = C17;
  bool gnu = true;  // -std=gnuNN
  Dialect dialect = Dialect::Cilk5;  // of text whose file does not say
  bool pedantic = false;
  bool unsignedChar = false;
  bool commonSymbols = false;  // -fcommon
  bool gnuInline = false;  // -fgnu89-inline or gnu89
  bool wrapv = false, trapv = false;
  bool cilkPlus = false;  // -fcilkplus: openCilk, with what Cilk Plus took besides
  bool freestanding = false;  // -ffreestanding / -fno-builtin
  bool shortEnums = false, shortWchar = false, msExtensions = false;
  bool serial = false;  // --serial: the elision
  bool openCilk = false;  // -fopencilk: OpenCilk's words are keywords in all text
};

// Owns everything: make<T>() for nodes, intern() for names, the questions of TypeTable for types.
struct AstContext : Arena, TypeTable {
  explicit AstContext(TargetInfo t = {}, LangOptions l = {}) : TypeTable(static_cast<Arena &>(*this), t), lang(l) {}
  LangOptions lang;
  bool touches = false;  // the unit has a `touch`
  bool futures = false;  // ... a `future`
  bool openCilkWords = false;  // ... a word of OpenCilk that the serial form does not lack
  bool pedigrees = false;  // ... a name of a function about pedigrees; or it was asked for
  const Type *wcharType() const {
    return basic(lang.shortWchar ? TypeKind::UShort : target.facts->wcharSigned ? TypeKind::Int : TypeKind::UInt);
  }
};

// Prints the tree for `cilkc emit --stage ast`: one node a line, indented, with types after sema.
void printAst(const TranslationUnit &, std::ostream &);
// Checks the invariants at the top; returns the first violation as text, empty when all hold.
std::string checkAst(const TranslationUnit &, const AstContext &);

}  // namespace cilkc
