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

// constexpr.cpp: a variable with its initialiser
void checkConstexpr(Sema &, const VarDecl *);

void warnShadow(Sema &, const VarDecl *, Range where);

}  // namespace cilkc
