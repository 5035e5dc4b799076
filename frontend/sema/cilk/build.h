// build.h - typed nodes that stand for no text of their own: what the lowering of OpenCilk's statements is made of.
#pragma once
#include "frontend/sema/c/core/sema.h"

namespace cilkc {

// All nodes get the same range, that of the statement they come from.
struct Build {
  Sema &sema;
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
  // spawn procedure(arguments); the value is dropped.
  SpawnStmt *spawn(FunctionDecl *procedure, std::vector<Expr *> arguments) const;
  // The same, and the statements wait for this child alone. `result` becomes its value, null for a void procedure.
  std::vector<Stmt *> await(FunctionDecl *procedure, std::vector<Expr *> arguments, Expr *&result) const;
};

// A procedure of sema's own while its body is made: its function state and scope.
class Outline {
public:
  // `shown`: as users read of it; empty: "<what> of <function> (line N)"
  Outline(Sema &, const char *what, QualType result, Range, std::string_view shown = {});
  ~Outline();
  VarDecl *parameter(QualType, std::string_view name);
  FunctionDecl *finish(std::vector<Stmt *> body);             // the procedure; its captures are its last parameters
  // the arguments for them, after finish(), in the function around
  std::vector<Expr *> captured(const Build &) const;
  std::vector<Expr *> passedOn(const Build &) const;  // the same in the procedure itself, for a spawn of itself
  FunctionDecl *fn;
  FunctionState state;

private:
  Sema &sema;
  Range where;
  bool finished = false;
};

// Notes the names whose objects a text writes to.
void namesWritten(const Stmt *, FunctionState &);

}  // namespace cilkc
