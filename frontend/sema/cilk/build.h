// build.h - typed nodes that stand for no text of their own: what the lowering of Cilk's statements is made of.
#pragma once
#include "frontend/builtins/builtins.h"
#include "frontend/sema/cilk/rules.h"

namespace cilkc {

// All nodes get the same range, that of the statement they come from.
struct Build {
  CilkSema &sema;
  Range where;

  template <class T> T *make() const {
    T *n = sema.cx.make<T>();
    n->range = where;
    return n;
  }
  Ident *ref(VarDecl *) const;                                // an lvalue
  Expr *value(VarDecl *v) const { return sema.conv.load(ref(v)); }
  Expr *number(unsigned long long) const;                     // an unsigned long
  Expr *binary(BinaryOp, Expr *, Expr *) const;               // typed by sema's own rules
  Expr *convert(Expr *, QualType) const;
  Stmt *assign(VarDecl *, Expr *value) const;                 // v = value;
  Stmt *block(std::vector<Stmt *>) const;
  Stmt *branch(Expr *cond, Stmt *then, Stmt *otherwise) const;
  VarDecl *local(QualType, const char *what) const;           // hidden, of the innermost function
  QualType word() const { return sema.cx.basic(TypeKind::ULong); }

  Call *call(FunctionDecl *, std::vector<Expr *> arguments) const;
  Call *builtin(const char *name, BuiltinId, std::vector<Expr *> arguments) const;
};

}  // namespace cilkc
