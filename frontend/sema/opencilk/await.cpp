// await.cpp - a procedure that is spawned, and one that is waited for alone.
#include "frontend/sema/opencilk/outline.h"

namespace cilkc {

SpawnStmt *spawnOf(const Build &b, FunctionDecl *procedure, std::vector<Expr *> arguments) {
  auto *s = b.make<SpawnStmt>();
  s->keyword = s->spawned = b.where;
  s->call = b.call(procedure, std::move(arguments));
  s->result = b.make<ChildResult>();
  s->result->type = s->call->type;
  b.sema.fs->fn->spawns.push_back(s);
  return s;
}

static Expr *valueOf(const Build &b, VarDecl *future) {
  auto *m = b.make<Member>();
  m->base = b.ref(future);
  m->path = {future->type->as<RecordType>()->fields.back()};
  m->name = m->path[0]->name;
  m->nameRange = b.where;
  m->type = m->path[0]->type;
  m->lvalue = true;
  return m;
}

// { future T f = spawn procedure(..); touch f }. A void procedure is called by one that returns a number.
std::vector<Stmt *> await(const Build &b, FunctionDecl *procedure, std::vector<Expr *> arguments, Expr *&result) {
  const auto *type = procedure->type->as<FunctionType>();
  QualType t = type->result.unqual();
  if (t->isVoid()) {
    Outline around(b.sema, "call", b.sema.cx.basic(TypeKind::Int), b.where, procedure->shownName());
    std::vector<Expr *> passed;
    for (Expr *a : arguments) passed.push_back(b.value(around.parameter(a->type.unqual(), "argument")));
    auto *back = b.make<ReturnStmt>();
    back->value = b.sema.conv.intConstant(0, b.sema.cx.basic(TypeKind::Int), b.where);
    SpawnStmt *inner = spawnOf(b, procedure, std::move(passed));
    inner->called = true;
    std::vector<Stmt *> body{inner, back};
    Expr *ignored = nullptr;
    FunctionDecl *caller = around.finish(std::move(body));
    result = nullptr;
    return await(b, caller, std::move(arguments), ignored);
  }
  b.sema.cx.futures = true;
  VarDecl *future = b.local(b.sema.cx.futureOf(t), "call");
  future->assigned = future->isReceiver = true;
  // Declared here, it is empty each time control comes by.
  future->init = b.make<Initializer>();
  future->init->list = b.make<InitList>();
  auto *plan = future->init->list->plan = b.sema.cx.make<InitPlan>();
  plan->type = future->type;
  plan->size = sizeOf(future->type.type, b.sema.cx.target);
  auto *declared = b.make<DeclStmt>();
  declared->decl = b.sema.cx.make<Declaration>();
  declared->decl->range = b.where;
  declared->decl->declarators.push_back({nullptr, future->init, future});
  SpawnStmt *s = spawnOf(b, procedure, std::move(arguments));
  s->form = SpawnForm::Receiver;
  s->fills = s->called = true;
  s->value = s->result;
  s->delivery = b.make<Assign>();
  s->delivery->lhs = valueOf(b, future);
  s->delivery->rhs = s->value;
  s->delivery->opRange = b.where;
  s->delivery->type = t;
  auto *touch = b.make<TouchStmt>();
  touch->future = b.ref(future);
  touch->own = future;
  result = b.sema.conv.load(valueOf(b, future));
  return {declared, s, touch};
}

}  // namespace cilkc
