// hooks.h - the border between C and the languages on top of it: the places where C's rules ask whether such a language
// has something to say. What a function does here is C's own; CilkSema overrides it (frontend/sema/cilk/rules.h). C's
// files know nothing else of Cilk but its words in the tree.
#pragma once
#include <string>
#include "frontend/ast/ast.h"

namespace cilkc {

// The place of a spawn that is no statement of its own: spawn_places.def.
enum class SpawnPlace : uint8_t {
#define PLACE(name, diagnostic, called, rewrite) name,
#include "frontend/sema/c/core/spawn_places.def"
};

struct Hooks {
  virtual ~Hooks() = default;
  // Declarations.
  virtual void declaration(Decl *, const DeclSpecs *, Range) {}  // words of Cilk among the specifiers; null: of nothing
  virtual void finishDeclarator(InitDeclarator &) {}
  virtual QualType contType(QualType t, Range) { return t; }  // `cont T`
  virtual QualType futureType(QualType t, Range) { return t; }  // `future T`
  virtual QualType reducerType(QualType t, DeclChunk &) { return t; }  // `T cilk_reducer(identity, reduce)`
  virtual QualType namedType(QualType t, Range) { return t; }  // a typedef's, as it is in this function
  virtual bool refuseType(QualType, Range, const char *) { return false; }  // as a parameter, a result
  virtual bool refuseMember(QualType, Range) { return false; }
  virtual void remote(const FunctionDecl *, Range) {}  // the attribute cilk_remote
  virtual void pragma(PragmaDecl *, std::string_view) {}  // `#pragma cilk`
  // A definition: the function whose body it is; before the body and after it.
  virtual FunctionDecl *owner(FunctionDecl *f, FunctionDef *) { return f; }
  virtual void functionBegins(FunctionDef *) {}
  virtual void functionEnds(FunctionDecl *, FunctionDef *) {}
  // Expressions. Those that return a node return nullptr where C's rules hold.
  virtual Expr *expr(Expr *) { return nullptr; }  // spawn, touch, ?k, SYNCHED
  virtual Expr *refuseSpawn(Expr *, SpawnPlace) { return nullptr; }  // a spawn where a statement has an expression
  virtual Expr *view(Expr *e) { return e; }  // a reducer's view in place of the reducer; others as they are
  virtual Expr *operandItself(Expr *) { return nullptr; }  // the operand of __builtin_addressof, untyped
  virtual Expr *capture(Ident *, VarDecl *) { return nullptr; }  // a local variable of a function around
  virtual bool captures(const VarDecl *) const { return false; }  // would the last one be a node?
  virtual Expr *choice(Expr *) { return nullptr; }  // && || ?: and commas whose parts wait
  virtual Expr *refuseUndeclared(Call *, Ident *) { return nullptr; }  // a call of what nothing declares
  virtual Expr *refuseCall(Call *, FunctionDecl *, const FunctionType *, bool) {
    return nullptr;
  }  // needs another word
  virtual Expr *lowerCall(Call *c, FunctionDecl *) { return c; }  // typed
  virtual void literal(VarDecl *) {}  // the object of a compound literal in a function
  // Statements.
  virtual Stmt *statement(Stmt *) { return nullptr; }
  virtual bool block(CompoundStmt *, bool) { return false; }  // types what is in it; false: C's rules hold
  virtual Stmt *substatement(Stmt *) { return nullptr; }
  virtual bool separate(const Expr *) const { return false; }  // must `else if` of this condition be a statement?
  virtual bool hasWaited(const Expr *, bool) const { return false; }  // did an expression statement wait for its value?
  virtual const char *noJumpInto(const Decl *) const { return nullptr; }  // why no jump may enter its scope
  virtual std::string labelAdvice() const { return {}; }  // where no label has the name
};

}  // namespace cilkc
