// query.h - questions about a piece of the tree that every room asks, each answered once. Pure functions of the nodes;
// null in, null or "no" out.
#pragma once
#include <string>
#include <string_view>
#include "frontend/ast/ast.h"

namespace cilkc {

// ---- what is below wrappers ----

const Expr *ignoreParens(const Expr *);                  // (e) is e, and so is a selection that sema chose e from
// without parentheses and the conversions that sema put there: what the user wrote as the value
const Expr *ignoreParensAndImplicit(const Expr *);
const Expr *ignoreCasts(const Expr *);                   // also without the casts that the user wrote
const Expr *ignorePointerCasts(const Expr *);            // only without those from pointer to pointer
inline Expr *ignoreParens(Expr *e) { return const_cast<Expr *>(ignoreParens(static_cast<const Expr *>(e))); }
inline Expr *ignoreParensAndImplicit(Expr *e) {
  return const_cast<Expr *>(ignoreParensAndImplicit(static_cast<const Expr *>(e)));
}

// The statement that gives a statement expression its value: the last, without its labels. Null if there is none.
Stmt *valueStatement(const StmtExpr *);

// ---- which declaration is named ----

// of an identifier below parentheses and implicit conversions, else null
const Decl *namedDecl(const Expr *);
const VarDecl *namedVariable(const Expr *);  // the same, if it is an object
// the function that the call names; null when it calls through a pointer
const FunctionDecl *directCallee(const Call *);
// the procedure that the spawn names; null when it spawns through a pointer
const FunctionDecl *directCallee(const SpawnStmt *);

// The local object of which the lvalue designates the whole or a part without going through a pointer; null for
// anything else. `whole` (may be null): all of it, not a member, an element or __real__/__imag__.
VarDecl *baseVariable(const Expr *lvalue, bool *whole = nullptr);

// ---- what an operator is ----

const char *spelling(UnaryOp);  // as written before its operand, also for x++ and x--
const char *spelling(BinaryOp);  // "+"; of an assignment operator: this and "="
const char *name(UnaryOp);  // the same, but ++x and x++ differ: for readers of trees
const char *name(CastKind);
constexpr bool isIncDec(UnaryOp o) {
  return o == UnaryOp::PreInc || o == UnaryOp::PreDec || o == UnaryOp::PostInc || o == UnaryOp::PostDec;
}
constexpr bool isComparison(BinaryOp o) { return o >= BinaryOp::Lt && o <= BinaryOp::Ne; }  // < > <= >= == !=
constexpr bool isRelation(BinaryOp o) { return o >= BinaryOp::Lt && o <= BinaryOp::Ge; }  // < > <= >=
// evaluates its right side or not
constexpr bool isLogical(BinaryOp o) { return o == BinaryOp::LogAnd || o == BinaryOp::LogOr; }

// ---- what a kind of statement is (nodes.def) ----

enum class Trait : uint8_t { Leaf = 1, Brief = 2, Loop = 4, Parts = 8 };
bool has(StmtKind, Trait);
size_t weight(StmtKind);

// ---- two pieces of the tree ----

// Are they the same words? Blanks and comments do not count, nor which of several spellings a constant has; types must
// be known.
bool sameTree(const Expr *, const Expr *);
bool sameTree(const Stmt *, const Stmt *);

// ---- numbers as text (there is no std::to_string for 128 bits) ----

std::string decimal(__int128);
std::string decimal(unsigned __int128);

}  // namespace cilkc
