// sema.h - the private header of the sema room: the stages, one per chapter of C17 6.5-6.9, and the state that they
// share.
//
// Rules of the room: an Expr method takes a possibly untyped node and returns the node to use instead (typed, maybe
// wrapped or replaced; never null; ErrorExpr after a reported error). Callers store the result back:
// `e->lhs = expr(e->lhs);`.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "frontend/ast/ast.h"
#include "frontend/consteval/consteval.h"
#include "frontend/sema/c/core/hooks.h"
#include "frontend/source/diagnostics.h"
#include "frontend/support/saved.h"
#include "frontend/types/compat.h"

namespace cilkc {

struct Scope {
  enum Kind : uint8_t { File, Prototype, Function, Block } kind = Block;
  Scope *up = nullptr;
  // the next one that holds a name or a tag, or the file's; only the innermost scope gets any
  Scope *outer = nullptr;
  std::unordered_map<std::string_view, Decl *> names;          // ordinary identifiers
  std::unordered_map<std::string_view, const Type *> tags;     // struct, union, enum
  // what bind() entered, in order (for warnings at the end)
  std::vector<Decl *> order;
};

// What a jump may not enter: the scope of a variably modified declaration or of a reducer, or a statement (no decl).
struct JumpScope {
  const JumpScope *up = nullptr;
  const Decl *decl = nullptr;
  const char *what = "a statement expression";
};

// The function whose body is being analysed (an inlet or nested function has its own, with `up`).
struct FunctionState {
  FunctionState *up = nullptr;
  FunctionDecl *fn = nullptr;
  bool cilkMode = false;
  int nextHidden = 0;
  std::unordered_set<std::string_view> undeclared;  // names reported as undeclared: once per function
  // Labels and the jumps to them (jump.cpp).
  struct Labels {
    std::unordered_map<std::string_view, LabelDecl *> named;  // function scope; __label__ ones are in `scopes`
    std::vector<std::unordered_map<std::string_view, LabelDecl *>> scopes;
    std::unordered_map<const LabelDecl *, const JumpScope *> at;
    struct Jump {
      LabelDecl *label;
      const JumpScope *from;
      Range range;
    };
    std::vector<Jump> jumps;
  } labels;
  // What the statement that is analysed now is in.
  struct Inside {
    struct Switch {
      SwitchStmt *stmt;
      const JumpScope *scope;
    };
    std::vector<Switch> switches;
    unsigned loops = 0, breakables = 0;
    int stmtExprs = 0;  // statement expressions
    bool forHeader = false;  // the first part of a for statement
    const JumpScope *jumpScope = nullptr;
  } inside;
  struct OpenCilkFunction *openCilk = nullptr;  // what the rules of OpenCilk remember of it
};

class Sema;
struct DeclState;  // declstate.h: what the stage of declarations remembers

// The members of a complete record, by name; only for records of many members, made when one is first looked for.
struct MemberIndex {
  std::unordered_map<std::string_view, FieldDecl *> named;
  // structs and unions whose members count as the record's own
  std::vector<FieldDecl *> anonymous;
};

// What expressions remember of one another (expr/).
struct ExprState {
  Stmt *valueStmt = nullptr;  // the last statement of a statement expression
  // assignments and `x++` in an expression statement whose values go nowhere
  std::vector<const Expr *> ignoredValues;
  std::unordered_map<const Expr *, __int128> folded;  // values of operators on constants
  std::unordered_map<const RecordType *, MemberIndex> members;
  unsigned suggestions = 0;  // how often a name that is spelled alike was looked for
};

// What the stages share: where in the program the analysis is, and what each chapter remembers.
struct SemaState {
  SemaState(AstContext &c, DiagnosticEngine &d) : cx(c), diags(d), compat(c, c.lang.std >= LangOptions::C2x) {}
  AstContext &cx;
  DiagnosticEngine &diags;
  const Compatibility compat;
  TranslationUnit *tu = nullptr;
  Scope *scope = nullptr;
  FunctionState *fs = nullptr;
  // inside sizeof, typeof, _Generic control...: no `used`, no addressTaken
  int unevaluated = 0;
  // in an operand that is never evaluated, such as b in `0 && b`
  int deadCode = 0;
  // the place of a spawn that is met now; changed through Saved
  SpawnPlace spawnPlace = SpawnPlace::Expression;
  DeclState *ds = nullptr;
  ExprState es;

  // What kind of function the innermost one is.
  bool inProcedure() const { return fs && fs->fn && fs->fn->isCilk; }
  bool inInlet() const { return fs && fs->fn && fs->fn->isInlet; }
  bool inThread() const { return fs && fs->fn && fs->fn->isThread; }
  // The function that the text is in: not a procedure that OpenCilk's rules made of a part of it.
  const FunctionDecl *writtenIn() const {
    const FunctionState *f = fs;
    while (f && f->fn && f->fn->isOutlined) f = f->up;
    return f ? f->fn : nullptr;
  }
};

// A stage: one chapter of the standard. It owns no state; `sema` has what is shared, and the other stages.
struct Stage {
  explicit Stage(Sema &);
  Sema &sema;
  AstContext &cx;
  DiagnosticEngine &diags;
};

// The scopes that are open, and what names mean in them (C17 6.2.1 - 6.2.3). scope.cpp
struct Scopes : Stage {
  using Stage::Stage;
  void pushScope(Scope::Kind);
  void enter(Scope *);  // one that was there before, as the innermost
  void popScope();
  Decl *lookup(std::string_view) const;
  const Type *lookupTag(std::string_view, bool thisScopeOnly) const;
  bool inPrototype() const;
  void bind(Decl *);
  bool leftOut(std::string_view name) const;  // may a syntax error be the reason that this name is unknown?
  VarDecl *hiddenLocal(QualType, const char *what, Range);  // an automatic object of fs->fn
  void noteType(QualType);  // named in a nested function
  void noteUse(VarDecl *);  // inletTouches, crossesNested …
};

// Specifiers and declarators become types (C17 6.7.2 - 6.7.7); what has to be complete. decl/types.cpp,
// declarators.cpp, record.cpp, attr.cpp
struct Types : Stage {
  using Stage::Stage;
  QualType specifiers(DeclSpecs *);  // analyses tags and enums it defines too
  QualType declaratorType(QualType base, Declarator *, const DeclSpecs *, bool isParam = false);
  // sets and returns TypeName::type; a compound literal's may have _Alignas, static, ...
  QualType typeName(TypeName *, bool literal = false);
  QualType recordSpec(RecordSpec *, const DeclSpecs *);
  QualType enumSpec(EnumSpec *);
  void applyAttrs(Decl *, const Attrs &);  // merges into DeclAttrs
  QualType typeAttrs(QualType, const Attrs &, Range);  // mode, vector_size, aligned … on types
  void refuseTwoConventions(QualType, const Attrs &);  // sysv_abi on a type that is ms_abi
  bool requireComplete(QualType, Range, const char *what);
};

// Declarations, definitions, linkage (C17 6.7, 6.9). decl/, analyze.cpp
struct Decls : Stage {
  using Stage::Stage;
  void externalDecl(ExternalDecl &);
  void declaration(Declaration *, bool fileScope);  // fills InitDeclarator::decl
  void functionDefinition(FunctionDef *, bool nested);  // nested: inlet or GNU nested function in a block
  void staticAssert(StaticAssert *);
  void pragma(PragmaDecl *);
  FunctionDecl *implicitFunction(std::string_view name, Range);  // implicit declaration (warned) or builtin by name
  void finishUnit();  // tentative definitions, unused statics, inline semantics
};

// Initialisers (C17 6.7.9). init.cpp
struct Inits : Stage {
  using Stage::Stage;
  // Analyses an initialiser for an object of type t; returns t completed ([] gets its size). staticStorage: must be
  // constant.
  QualType initializer(Initializer *, QualType t, bool staticStorage, Range where);
};

// What happens to a typed expression: conversions (C17 6.3), assignment compatibility, questions about its value.
// expr/convert.cpp, assign_convert.cpp
struct Conversions : Stage {
  using Stage::Stage;
  Expr *load(Expr *typed);  // decay and load of an already typed node
  Expr *condition(Expr *);  // rvalue of scalar type
  // unconditional implicit conversion (arithmetic, pointers) by cast nodes
  Expr *convert(Expr *typedRvalue, QualType to);
  // Assignment conversion (C17 6.5.16.1) with its diagnostics; `context` is one of the texts "assignment",
  // "initialization", "return", "argument N of 'f'".
  Expr *assignConvert(Expr *typedRvalue, QualType to, const std::string &context, Range where);
  Expr *promote(Expr *typedRvalue);  // integer promotions, bit-fields by width
  Expr *defaultPromote(Expr *typedRvalue);
  QualType usualArithmetic(Expr *&a, Expr *&b);  // converts both
  // the same for + - * /: beside a complex operand a real one stays real
  QualType arithmeticOperands(Expr *&a, Expr *&b);
  static QualType operandType(QualType operand, QualType result);
  bool isNullPointerConstant(const Expr *) const;
  bool isModifiableLvalue(const Expr *, Range, bool report);
  // constant_form.cpp: what ISO C has against a constant
  void checkConstantForm(const Expr *, bool integerConstant, const char *what);
  // analyses, must be an integer constant expression; reports
  std::optional<__int128> integerConstant(Expr *&e, const char *what);
  Expr *error(Range);  // an ErrorExpr
  // The parts of the above. `to` and `from` are unqualified where it matters.
  int rank(const Type *integer) const;  // C17 6.3.1.1
  const Type *promotedType(const Type *) const;  // integer promotions, not for bit-fields
  const Type *promotedBitField(const FieldDecl *) const;
  // usual arithmetic conversions of promoted operands, vectors included
  QualType arithmeticType(QualType a, QualType b);
  // between scalars, vectors; NoOp if the representation is the same
  CastKind castKind(const Type *from, const Type *to) const;
  QualType mergePointers(Expr *&a, Expr *&b, Range where, bool comparison);  // both become the returned pointer type
  // A type without qualifiers; those of an array are its element's. _Atomic makes a type of its own and stays.
  QualType withoutQualifiers(QualType) const;
  const FieldDecl *bitFieldOf(const Expr *) const;  // the bit-field whose value this is, or nullptr
  void markAddressTaken(const Expr *lvalue);
  VarDecl *rootVariable(const Expr *lvalue) const;  // the object an lvalue is part of, without going through pointers
  Expr *discard(Expr *typed);  // a value that is not used (expression statement, left of a comma)
  // value of a small constant expression, in constant time
  std::optional<__int128> knownInteger(const Expr *typed) const;
  void warnConstantConversion(const Expr *value, QualType to, const std::string &context);
  Expr *implicit(CastKind, Expr *, QualType);
  Expr *intConstant(__int128, QualType, Range);
};

// Expressions get their types (C17 6.5). An untyped node goes in, the node to use instead comes out. expr/
struct Exprs : Stage {
  using Stage::Stage;
  Expr *expr(Expr *);  // types it; may be an lvalue
  Expr *typed(Expr *);  // the same; a reducer is not yet its view
  Expr *rvalue(Expr *);  // expr + decay + load
  Expr *exprIn(SpawnPlace, Expr *);  // the same if a spawn would be in the given place
  Expr *rvalueIn(SpawnPlace, Expr *);
  Expr *exprIdent(Ident *, bool called);
  Expr *exprUnary(Unary *);
  Expr *exprIncDec(Unary *);
  Expr *exprBinary(Binary *);  // the whole left spine
  Expr *binaryNode(Binary *);  // both operands typed
  Expr *exprAssign(Assign *);
  Expr *storedTo(const Expr *whole, Expr *operand);  // of an assignment or `x++`
  Expr *exprConditional(Conditional *);
  Expr *exprCast(Cast *);
  Expr *exprCompoundLit(CompoundLit *);
  Expr *exprCall(Call *);
  Expr *callArguments(Call *, const FunctionType *, size_t firstArg, const char *what);  // nullptr if all went well
  Expr *exprMember(Member *);
  void warnDeprecated(const void *declared, std::string_view name, Range use);  // a typedef name, enumerator, member
  void warnDeprecated(std::string_view name, Attr *, Range use);  // or refuses what is unavailable
  Expr *exprIndex(Index *);
  Expr *exprGeneric(Generic *);
  Expr *exprStmtExpr(StmtExpr *);
  Expr *exprSizeof(Expr *);
  Expr *exprOffsetof(Offsetof *);
  Expr *exprVaArg(VaArg *);
  Expr *exprIntLit(IntLit *);
  Expr *exprFloatLit(FloatLit *);
  Expr *exprString(StringLit *);
  Expr *vaListOperand(Expr *untyped);  // an array va_list decays to its pointer; a struct one stays an lvalue
  bool findMember(const RecordType *, std::string_view name, std::vector<FieldDecl *> &path) const;
  std::string didYouMean(std::string_view name);  // a visible name that is spelled alike, or empty
  std::string memberLike(const RecordType *, std::string_view name) const;  // the same among the members
  void checkSum(const Expr *accessed);
  void checkPastTheEnd(const Expr *accessed);  // a[n] of an array of n: its address is an address, its value is none
};

// Functions that the compiler knows. builtin/
struct Builtins : Stage {
  using Stage::Stage;
  FunctionDecl *builtinFunction(std::string_view name);  // nullptr: no such builtin. Declared on demand at file scope
  Expr *builtinCall(Call *);  // checks and types it
};

// Statements, labels and jumps (C17 6.8). stmt/
struct Stmts : Stage {
  using Stage::Stage;
  Stmt *stmt(Stmt *);
  Stmt *ofC(Stmt *);  // the same by C's rules alone
  void compound(CompoundStmt *, bool newScope);
  void finishLabels();
  Stmt *labelStmt(LabelStmt *);
  Stmt *gotoStmt(GotoStmt *);
  Stmt *computedGoto(GotoExprStmt *);
  Stmt *localLabels(LocalLabelStmt *);
  Stmt *substatement(Stmt *);
  Stmt *exprStmt(ExprStmt *);
  Stmt *switchStmt(SwitchStmt *);
  Stmt *caseStmt(Stmt *);
  Stmt *returnStmt(ReturnStmt *);
  void asmStmt(AsmStmt *);
  Expr *conditionOf(Expr *untyped);
  Expr *wholeExpr(SpawnPlace, Expr *untyped);
  void warnUnusedValue(const Expr *);
  void pedanticLabel(const Stmt *sub, Range label);
  LabelDecl *labelUse(std::string_view name, Range);
  void ignoreValue(const Expr *untyped);
};

// Warnings that need more than one node and no flow. They report and change nothing. warn/
struct Warnings : Stage {
  using Stage::Stage;
  void checkCallWarnings(Call *);  // format strings, nonnull, sentinel…
  void checkFullExpression(const Expr *);  // sequence points, self-assignment
  // What may be a call whose value is that of this expression, which has no types yet. If the value is not used:
  void unusedCalls(const Expr *untyped, std::vector<const Expr *> &) const;
  void checkUnusedResults(std::vector<const Expr *>);  // [[nodiscard]], warn_unused_result
  // parentheses, comparisons whose outcome is known; l and r are loaded
  void checkOperands(const Binary *, const Expr *l, const Expr *r);
  void checkArithmeticConversion(const Expr *, QualType to, const std::string &context);  // -Wconversion and its kind
  void checkCast(const Expr *from, QualType to, Range where);
  void checkLogical(const Binary *);  // operands of && and ||
  void checkTruth(const Expr *);  // used as a truth value
  static const Decl *neverNull(const Expr *);  // whose address it is, of an object or a function
  std::optional<bool> outcomeForAll(BinaryOp, const Type *t, const Type *common, __int128) const;
  void checkMaskedCompare(const Expr *, __int128, BinaryOp, Range where);
  void checkPackedAddress(const Expr *, QualType to);
  void checkCountedLoop(const ForStmt *);  // with constant bounds
  void checkIndexUpTo(const VarDecl *, __int128 largest, const Stmt *body, Range cond, bool inclusive);
  void checkIfChain(const IfStmt *);
  void checkSizeDivision(const Binary *);
  void checkSizeArgument(const Call *, const FunctionDecl *);
  void checkAbsolute(const Call *, const FunctionDecl *);
  const EnumType *enumerationOf(const Expr *) const;  // of a value or an enumerator
  bool neverNegative(const Expr *, int depth = 0) const;
  void checkStringPlus(const Binary *);
  void warnIndentation(const CompoundStmt *);
};

// The analysis of one unit. Free functions of a room take a `Sema &s`.
class Sema : public SemaState {
public:
  Sema(AstContext &c, DiagnosticEngine &d, Hooks &h) : SemaState(c, d), hooks(h) {}
  Hooks &hooks;
  Scopes scopes{*this};
  Types types{*this};
  Decls decls{*this};
  Inits inits{*this};
  Conversions conv{*this};
  Exprs exprs{*this};
  Builtins builtins{*this};
  Stmts stmts{*this};
  Warnings warn{*this};
};

inline Stage::Stage(Sema &s) : sema(s), cx(s.cx), diags(s.diags) {}

inline Expr *Exprs::exprIn(SpawnPlace p, Expr *e) {
  Saved place(sema.spawnPlace, p);
  return expr(e);
}

inline Expr *Exprs::rvalueIn(SpawnPlace p, Expr *e) {
  Saved place(sema.spawnPlace, p);
  return rvalue(e);
}

}  // namespace cilkc
