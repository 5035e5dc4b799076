// ast.h - the abstract syntax tree: one closed set of node kinds.
//
// frontend/parse builds it from the parse tree, purely syntactic: names are strings, declarators are chains,
// expressions have no type. frontend/sema then decorates it in place: every expression gets a type and value category,
// names get their declarations, conversions become explicit ImplicitCast nodes, initialisers get a plan, declarations
// get Decl objects. codegen, flow and elide read the decorated tree. The fields that sema fills follow a "sema:"
// comment. The nodes are in expr.h, decl.h and stmt.h; here are the unit that they form, and what owns them. Other
// rooms include this file.
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
#include "frontend/ast/stmt.h"
#include "frontend/source/dialect.h"
#include "frontend/source/source.h"
#include "frontend/types/type_table.h"

namespace cilkc {

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
  bool readsFloatEnvironment = false;  // #pragma STDC FENV_ACCESS ON somewhere: taken for the whole unit
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
  bool cilkPlus = false;  // -fcilkplus: openCilk, with what Cilk Plus took besides
  bool freestanding = false;  // -ffreestanding / -fno-builtin
  bool shortEnums = false, shortWchar = false, msExtensions = false;
  bool serial = false;  // --serial: the elision
  bool openCilk = false;  // -fopencilk: OpenCilk's words are keywords in all text
  bool everyIteration = false;  // a tool looks at the program: loops are halved as far as their range allows
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
