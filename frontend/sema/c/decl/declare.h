// declare.h - one declarator on its way to a Decl. Private to decl.cpp, redeclare.cpp and function.cpp.
#pragma once
#include "frontend/sema/c/core/declstate.h"

namespace cilkc {

struct DeclContext {
  Sema &s;
  Declarator *declarator;
  const DeclSpecs *specs;
  SpecFacts facts;
  QualType type;
  Initializer *init;
  Range where;
  bool fileScope;

  Decl *declareTypedef();
  Decl *declareFunction(bool definition);
  Decl *declareVariable();

  // redeclare.cpp: the entity this declaration belongs to, entered in the current scope.
  FunctionDecl *mergeFunction(FunctionDecl *, bool definition);
  VarDecl *mergeVariable(VarDecl *, bool defines);

private:
  Decl *blockVariable(VarDecl *);
  Decl *linkedVariable(VarDecl *);
  void initialize(VarDecl *, bool staticStorage);
  void asmLabel(DeclAttrs &, bool local);
  void pragmas(Decl *, DeclAttrs &);
  void checkAtomicAlign(VarDecl *);
  QualType autoType();
  Decl *previous();
};

// What redeclarations say adds up.
void mergeAttrs(DeclAttrs &into, const DeclAttrs &from);

// ../remote.cpp: what another machine may run takes and gives values only.
void checkRemote(Sema &, const FunctionDecl *, Range where);
// a remote Cilk procedure, whose body has its types: what comes before that
void offerRemote(Sema &, FunctionDef *);

// constexpr.cpp: a variable with its initialiser
void checkConstexpr(Sema &, const VarDecl *);

// types.cpp: a type whose sizes lie in variables of a function around an outlined one: the same with captured sizes.
QualType retyped(Sema &, QualType, Range where);

void warnShadow(Sema &, const VarDecl *, Range where);

}  // namespace cilkc
