// walk.h - visits every expression, declaration and statement below a node, in the order of the text. Private to
// elide/.
#pragma once
#include "frontend/ast/ast.h"

namespace cilkc {

class AstWalker {
public:
  virtual ~AstWalker() = default;
  void walk(const Stmt *);
  void walk(const Expr *);
  void walk(const Declaration *);
  void walk(const DeclSpecs *);
  void walk(const Declarator *);
  void walk(const TypeName *);
  void walk(const InitList *);
  void walk(const StaticAssert *);
  void walk(const FunctionDef *);      // parameters and body, without the name

protected:
  virtual void onExpr(const Expr *) {}              // before its operands
  virtual void onStmt(const Stmt *) {}              // before what is below it
  // a declarator that sema has given a meaning, parameters too
  virtual void onDecl(const Decl *, const DeclSpecs *) {}
  virtual void onDeclaration(const Declaration *) {}
  virtual void onSpecs(const DeclSpecs *) {}
  // a function in a block; not calling walk passes it over
  virtual void onFunction(const FunctionDef *def) { walk(def); }
  virtual void enterScope() {}
  virtual void leaveScope() {}

private:
  void parts(const Declarator *);                   // in the scope around it
  template <class N> void below(const N *);         // every child
};

}  // namespace cilkc
