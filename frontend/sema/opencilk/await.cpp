// await.cpp - a procedure that is spawned, and one that is called. Where no other child can be out, a call is a spawn
// and a sync. Where one may be out, which the flow of the whole function says (settleCalls), it waits for its child
// alone, in a future.
#include <unordered_map>
#include <unordered_set>
#include "frontend/flow/forward.h"
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

// A variable of its own for the child's value.
static void receive(const Build &b, AwaitedCall &call, QualType t) {
  SpawnStmt *s = call.spawn;
  call.result = b.local(t, "call");
  call.result->assigned = call.result->isReceiver = true;
  call.declaration = b.make<DeclStmt>();
  call.declaration->decl = b.sema.cx.make<Declaration>();
  call.declaration->decl->range = b.where;
  call.declaration->decl->declarators.push_back({nullptr, nullptr, call.result});
  s->form = SpawnForm::Receiver;
  s->value = s->result;
  s->delivery = b.make<Assign>();
  s->delivery->lhs = b.ref(call.result);
  s->delivery->rhs = s->value;
  s->delivery->opRange = b.where;
  s->delivery->type = t;
}

// The call as it is where no other child can be out: { T v; { v = spawn procedure(..); sync; } }. settleCalls decides.
Awaited await(const Build &b, FunctionDecl *procedure, std::vector<Expr *> arguments) {
  QualType t = procedure->type->as<FunctionType>()->result.unqual();
  Awaited a;
  AwaitedCall call;
  call.procedure = procedure;
  call.spawn = a.spawn = spawnOf(b, procedure, std::move(arguments));
  call.spawn->called = call.spawn->awaited = true;
  call.block = b.make<CompoundStmt>();
  call.block->closing = Range{b.where.end, b.where.end};
  call.block->body = {call.spawn, b.make<SyncStmt>()};
  if (!t->isVoid()) {
    receive(b, call, t);
    a.first.push_back(call.declaration);
    call.value = b.make<ParenExpr>();
    call.value->type = t;
    call.value->lvalue = true;
    call.value->sub = b.ref(call.result);
    a.value = b.sema.conv.load(call.value);
  }
  a.first.push_back(call.block);
  b.sema.here()->awaited.push_back(call);
  return a;
}

// Another child may be out, and is not waited for: { future T f = spawn procedure(..); touch f }. A void procedure is
// called by one that returns a number.
static void waitAlone(CilkSema &sema, AwaitedCall &call) {
  SpawnStmt *s = call.spawn;
  Build b{sema, s->range};
  auto &body = call.block->body;
  if (!call.result) {
    QualType number = sema.cx.basic(TypeKind::Int);
    Outline around(sema, "call", number, b.where, call.procedure->shownName());
    std::vector<Expr *> passed;
    for (Expr *a : s->call->args) passed.push_back(b.value(around.parameter(a->type.unqual(), "argument")));
    SpawnStmt *inner = spawnOf(b, call.procedure, std::move(passed));
    inner->called = inner->awaited = true;
    auto *back = b.make<ReturnStmt>();
    back->value = sema.conv.intConstant(0, number, b.where);
    s->call = b.call(around.finish({inner, back}), s->call->args);
    s->result->type = number;
    receive(b, call, number);
    body.insert(body.begin(), call.declaration);
  }
  sema.cx.futures = true;
  // Declared here, it is empty each time control comes by.
  VarDecl *future = call.result;
  future->type = sema.cx.futureOf(future->type);
  future->init = b.make<Initializer>();
  future->init->list = b.make<InitList>();
  auto *plan = future->init->list->plan = sema.cx.make<InitPlan>();
  plan->type = future->type;
  plan->size = sizeOf(future->type.type, sema.cx.target);
  call.declaration->decl->declarators[0].init = future->init;
  s->fills = true;
  s->delivery->lhs = valueOf(b, future);
  if (call.value) call.value->sub = valueOf(b, future);
  auto *touch = b.make<TouchStmt>();
  touch->future = b.ref(future);
  touch->own = future;
  body.back() = touch;
}

// For pedigrees a sync would be a step of its own.
void OpenCilkRules::settleCalls(const FunctionDef *def) {
  auto &calls = sema.here()->awaited;
  if (calls.empty() || diags.hadError()) return;
  std::unordered_map<const SpawnStmt *, AwaitedCall *> callOf;
  std::unordered_set<const Stmt *> waits;
  for (AwaitedCall &c : calls) {
    callOf.emplace(c.spawn, &c);
    waits.insert(c.block->body.back());
  }
  const Cfg cfg = buildCfg(def);
  auto effect = [&](const Event &e) {
    return e.kind == Event::SpawnPoint && !callOf.count(e.spawn) ? Effect::Sets
           : e.kind == Event::SyncPoint && !waits.count(e.stmt)  ? Effect::Clears
                                                                 : Effect::Keeps;
  };
  const std::vector<char> outIn = solveForward(Graph(cfg), Join::May, effect);
  std::vector<AwaitedCall *> alone;
  for (size_t n = 0; n < cfg.blocks.size(); n++) {
    bool out = outIn[n] || cx.pedigrees;
    for (const Event &e : cfg.blocks[n].events) {
      if (out && e.kind == Event::SpawnPoint && callOf.count(e.spawn)) alone.push_back(callOf.at(e.spawn));
      if (Effect x = effect(e); x != Effect::Keeps) out = x == Effect::Sets || cx.pedigrees;
    }
  }
  for (AwaitedCall *c : alone) waitAlone(sema, *c);
}

}  // namespace cilkc
