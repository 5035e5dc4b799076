// build.cpp - typed nodes without text (build.h).
#include "frontend/sema/cilk/build.h"

namespace cilkc {

Ident *Build::ref(VarDecl *v) const {
  auto *id = make<Ident>();
  id->name = v->name;
  id->decl = v;
  id->type = v->type;
  id->lvalue = true;
  v->used = true;
  return id;
}

Expr *Build::number(unsigned long long n) const {
  return sema.conv.intConstant(static_cast<__int128>(n), word(), where);
}

Expr *Build::binary(BinaryOp op, Expr *a, Expr *b) const {
  auto *n = make<Binary>();
  n->op = op;
  n->lhs = a;
  n->rhs = b;
  n->opRange = where;
  return sema.conv.load(sema.exprs.binaryNode(n));
}

Expr *Build::convert(Expr *e, QualType to) const { return sema.conv.convert(e, to); }

Stmt *Build::assign(VarDecl *v, Expr *value) const {
  auto *a = make<Assign>();
  a->lhs = ref(v);
  a->rhs = convert(value, v->type.unqual());
  a->opRange = where;
  a->type = v->type.unqual();
  v->assigned = true;
  auto *s = make<ExprStmt>();
  s->expr = sema.conv.discard(a);
  return s;
}

Stmt *Build::block(std::vector<Stmt *> body) const {
  if (body.size() == 1) return body[0];
  auto *c = make<CompoundStmt>();
  c->closing = Range{where.end, where.end};
  c->body = std::move(body);
  return c;
}

Stmt *Build::branch(Expr *cond, Stmt *then, Stmt *otherwise) const {
  auto *s = make<IfStmt>();
  s->cond = cond;
  s->then = then;
  s->otherwise = otherwise;
  return s;
}

VarDecl *Build::local(QualType type, const char *what) const { return sema.scopes.hiddenLocal(type, what, where); }

Call *Build::call(FunctionDecl *f, std::vector<Expr *> arguments) const {
  auto *id = make<Ident>();
  id->name = f->name;
  id->decl = f;
  id->type = f->type;
  id->lvalue = true;
  f->used = true;
  f->references++;
  auto *c = make<Call>();
  c->callee = sema.conv.load(id);
  c->fnType = f->type->as<FunctionType>();
  c->args = std::move(arguments);
  c->type = c->fnType->result.unqual();
  return c;
}

Call *Build::builtin(const char *name, BuiltinId id, std::vector<Expr *> arguments) const {
  Call *c = call(sema.builtins.builtinFunction(name), std::move(arguments));
  c->builtin = static_cast<int>(id);
  return c;
}

}  // namespace cilkc
