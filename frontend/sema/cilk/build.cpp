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

namespace {

SpawnStmt *spawnOf(const Build &b, FunctionDecl *procedure, std::vector<Expr *> arguments) {
  auto *s = b.make<SpawnStmt>();
  s->keyword = s->spawned = b.where;
  s->call = b.call(procedure, std::move(arguments));
  s->result = b.make<ChildResult>();
  s->result->type = s->call->type;
  b.sema.fs->fn->spawns.push_back(s);
  return s;
}

Expr *valueOf(const Build &b, VarDecl *future) {
  auto *m = b.make<Member>();
  m->base = b.ref(future);
  m->path = {future->type->as<RecordType>()->fields.back()};
  m->name = m->path[0]->name;
  m->nameRange = b.where;
  m->type = m->path[0]->type;
  m->lvalue = true;
  return m;
}

}  // namespace

SpawnStmt *Build::spawn(FunctionDecl *procedure, std::vector<Expr *> arguments) const {
  return spawnOf(*this, procedure, std::move(arguments));
}

// { future T f = spawn procedure(..); touch f }. A void procedure is called by one that returns a number.
std::vector<Stmt *> Build::await(FunctionDecl *procedure, std::vector<Expr *> arguments, Expr *&result) const {
  const auto *type = procedure->type->as<FunctionType>();
  QualType t = type->result.unqual();
  if (t->isVoid()) {
    Outline around(sema, "call", sema.cx.basic(TypeKind::Int), where, procedure->shownName());
    std::vector<Expr *> passed;
    for (Expr *a : arguments) passed.push_back(value(around.parameter(a->type.unqual(), "argument")));
    auto *back = make<ReturnStmt>();
    back->value = sema.conv.intConstant(0, sema.cx.basic(TypeKind::Int), where);
    SpawnStmt *inner = spawnOf(*this, procedure, std::move(passed));
    inner->called = true;
    std::vector<Stmt *> body{inner, back};
    Expr *ignored = nullptr;
    FunctionDecl *caller = around.finish(std::move(body));
    result = nullptr;
    return await(caller, std::move(arguments), ignored);
  }
  sema.cx.futures = true;
  VarDecl *future = local(sema.cx.futureOf(t), "call");
  future->assigned = future->isReceiver = true;
  // Declared here, it is empty each time control comes by.
  future->init = make<Initializer>();
  future->init->list = make<InitList>();
  auto *plan = future->init->list->plan = sema.cx.make<InitPlan>();
  plan->type = future->type;
  plan->size = sizeOf(future->type.type, sema.cx.target);
  auto *declared = make<DeclStmt>();
  declared->decl = sema.cx.make<Declaration>();
  declared->decl->range = where;
  declared->decl->declarators.push_back({nullptr, future->init, future});
  SpawnStmt *s = spawnOf(*this, procedure, std::move(arguments));
  s->form = SpawnForm::Receiver;
  s->fills = s->called = true;
  s->value = s->result;
  s->delivery = make<Assign>();
  s->delivery->lhs = valueOf(*this, future);
  s->delivery->rhs = s->value;
  s->delivery->opRange = where;
  s->delivery->type = t;
  auto *touch = make<TouchStmt>();
  touch->future = ref(future);
  touch->own = future;
  result = sema.conv.load(valueOf(*this, future));
  return {declared, s, touch};
}

}  // namespace cilkc
