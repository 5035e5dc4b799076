// expr.h - the nodes of expressions and initialisers, and the attributes that any piece of the text may have. Part of
// ast.h, which says what holds of them.
#pragma once
#include <string>
#include <string_view>
#include <vector>
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

// In a `default` of a switch over ExprKind: what all other kinds give, as far as the place was written for so many
// kinds. A row that is added to nodes.def makes each such place an error, to be looked at again.
constexpr unsigned exprKinds = 0
#define EXPR(kind, cls, children, facts) +1
#include "frontend/ast/nodes.def"
    ;
template <unsigned known, class... T> constexpr auto otherKinds(T... value) {
  static_assert(known == exprKinds, "does this hold of the kind that nodes.def has now?");
  if constexpr (sizeof...(T) > 0) return (value, ...);
}

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

}  // namespace cilkc
