// calls.cpp - a call of a procedure in a procedure returns when this child has returned, and waits for no other child.
// It is a spawn and what waits for it (await.cpp), both before the statement that the call is in.
//
// Parts of an expression that may not be evaluated (arms of ?:, right sides of && and ||) become branches before the
// statement. Where nothing can go before the statement, the call stays a C call, which waits in the runtime. Such
// places are the step of a loop, a size and a statement expression.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/opencilk/outline.h"

namespace cilkc {

namespace {

// A part that may not be evaluated: its value, and the statements that go before it.
struct Part {
  Expr *value = nullptr;
  std::vector<Stmt *> first;
};

Part partOf(CilkSema &sema, Expr *e, bool condition) {
  Part p;
  size_t since = sema.ss.touched.size();
  p.value = condition ? sema.conv.condition(e) : sema.exprs.rvalue(e);
  p.first.assign(sema.ss.touched.begin() + static_cast<std::ptrdiff_t>(since), sema.ss.touched.end());
  sema.ss.touched.resize(since);
  return p;
}

}  // namespace

// Is there a call in it that might be waited for?
bool OpenCilkRules::mayAwait(const Expr *e) const {
  return e && anyExpr(e, Walk::Evaluated, [&](const Expr *x) {
    if (x->kind != ExprKind::Call) return false;
    const Expr *callee = ignoreParens(x->as<Call>()->callee);
    return callee->kind == ExprKind::Ident && sema.os.spawning.count(callee->as<Ident>()->name) != 0;
  });
}

// This call in its place waits for the procedure alone.
Expr *OpenCilkRules::lowerCall(Call *c, FunctionDecl *f) {
  if (sema.os.spawning.empty() || c == sema.os.spawnedCall || !sema.os.awaits || sema.os.callsStay || !inside())
    return c;
  FunctionDecl *p = procedureOf(f);
  if (!p) return c;
  QualType t = p->type->as<FunctionType>()->result.unqual();
  if (!t->isVoid() && (alignOf(t.type, cx.target) > 16 || t.isAtomic())) return c;  // no future has such a value
  Build b{sema, c->range};
  Awaited call = await(b, p, c->args);
  sema.ss.touched.insert(sema.ss.touched.end(), call.first.begin(), call.first.end());
  if (call.value) return call.value;
  auto *zero = sema.conv.intConstant(0, cx.basic(TypeKind::Int), c->range);
  return sema.conv.implicit(CastKind::ToVoid, zero, cx.basic(TypeKind::Void));
}

bool OpenCilkRules::awaits(const Stmt *s) const {
  const bool first = s->kind == StmtKind::If || s->kind == StmtKind::Return;
  const bool alone = s->kind == StmtKind::Expr || (s->kind == StmtKind::Decl && s->as<DeclStmt>()->decl &&
                                                      s->as<DeclStmt>()->decl->declarators.size() == 1);
  return (first || (alone && !sema.fs->inside.forHeader)) && inside();
}

Expr *OpenCilkRules::choice(Expr *e) {
  return e->kind == ExprKind::Conditional ? conditional(e->as<Conditional>()) : logical(e->as<Binary>());
}

Expr *OpenCilkRules::conditional(Conditional *c) {
  if (!mayAwait(c->then) && !mayAwait(c->otherwise)) return nullptr;
  if (!c->then) return nullptr;
  Build b{sema, c->range};
  Expr *cond = sema.conv.condition(c->cond);
  Part yes = partOf(sema, c->then, false), no = partOf(sema, c->otherwise, false);
  if (cond->type->isError() || yes.value->type->isError() || no.value->type->isError())
    return sema.conv.error(c->range);
  auto *typed = b.make<Conditional>();
  typed->cond = sema.conv.intConstant(1, cx.basic(TypeKind::Int), c->range);
  typed->then = yes.value;
  typed->otherwise = no.value;
  Expr *e = sema.exprs.exprConditional(typed);
  if (e->type->isError()) return e;
  auto arm = [&](Part &p, Expr *value, VarDecl *result) {
    std::vector<Stmt *> body = std::move(p.first);
    if (result) body.push_back(b.assign(result, value));
    else {
      auto *s = b.make<ExprStmt>();
      s->expr = sema.conv.discard(value);
      body.push_back(s);
    }
    auto *block = b.make<CompoundStmt>();
    block->closing = Range{c->range.end, c->range.end};
    block->body = std::move(body);
    return block;
  };
  VarDecl *result = e->type->isVoid() ? nullptr : b.local(e->type.unqual(), "choice");
  Stmt *then = arm(yes, typed->then, result), *otherwise = arm(no, typed->otherwise, result);
  sema.ss.touched.push_back(b.branch(cond, then, otherwise));
  if (result) return b.value(result);
  return sema.conv.implicit(CastKind::ToVoid, sema.conv.intConstant(0, cx.basic(TypeKind::Int), c->range),
      cx.basic(TypeKind::Void));
}

Expr *OpenCilkRules::logical(Binary *n) {
  Build b{sema, n->range};
  if (n->op == BinaryOp::Comma) {
    if (!mayAwait(n->rhs)) return nullptr;
    auto *s = b.make<ExprStmt>();
    std::vector<const Expr *> unused;
    sema.warn.unusedCalls(n->lhs, unused);
    s->expr = sema.conv.discard(sema.exprs.expr(n->lhs));
    sema.warn.checkUnusedResults(std::move(unused));
    sema.ss.touched.push_back(s);
    return sema.exprs.rvalue(n->rhs);
  }
  if (!isLogical(n->op) || !mayAwait(n)) return nullptr;
  Expr *left = sema.conv.condition(n->lhs);
  Part right = partOf(sema, n->rhs, true);
  if (left->type->isError() || right.value->type->isError()) return sema.conv.error(n->range);
  QualType truth = cx.basic(TypeKind::Int);
  VarDecl *result = b.local(truth, "truth");
  const bool isAnd = n->op == BinaryOp::LogAnd;
  sema.ss.touched.push_back(b.assign(result, sema.conv.intConstant(!isAnd, truth, n->range)));
  std::vector<Stmt *> body = std::move(right.first);
  auto number = [&](int v) { return sema.conv.intConstant(v, truth, n->range); };
  body.push_back(b.branch(right.value, b.assign(result, number(1)), b.assign(result, number(0))));
  auto *block = b.make<CompoundStmt>();
  block->closing = Range{n->range.end, n->range.end};
  block->body = std::move(body);
  auto *nothing = b.make<NullStmt>();
  sema.ss.touched.push_back(isAnd ? b.branch(left, block, nothing) : b.branch(left, nothing, block));
  return b.value(result);
}

// ---- blocks -------------------------------------------------------------------------------------------------------

namespace {

// A call of a procedure as a spawn, or null.
Spawn *spawnOf(CilkSema &sema, Expr *e) {
  if (!e || e->kind != ExprKind::Call) return nullptr;
  const Expr *callee = ignoreParens(e->as<Call>()->callee);
  if (callee->kind != ExprKind::Ident || !sema.os.spawning.count(callee->as<Ident>()->name)) return nullptr;
  const Decl *d = sema.scopes.lookup(callee->as<Ident>()->name);
  if (!d || d->kind != DeclKind::Function || d->as<FunctionDecl>()->isCilk) return nullptr;
  auto *s = sema.cx.make<Spawn>();
  s->range = e->range;
  s->keyword = Range{e->range.begin, e->range.begin};
  s->word = SpawnWord::CilkSpawn;
  s->call = e->as<Call>();
  return s;
}

// y = f(..); cilk_sync;  A child that is joined at once may as well be spawned: then nothing waits for it alone.
void beforeSync(CilkSema &sema, Stmt *s) {
  if (s->kind == StmtKind::Expr && s->as<ExprStmt>()->expr) {
    Expr *&e = s->as<ExprStmt>()->expr;
    if (Spawn *whole = spawnOf(sema, e)) e = whole;
    else if (e->kind == ExprKind::Assign && !e->as<Assign>()->compound)
      if (Spawn *right = spawnOf(sema, e->as<Assign>()->rhs)) e->as<Assign>()->rhs = right;
  } else if (s->kind == StmtKind::Decl && s->as<DeclStmt>()->decl && s->as<DeclStmt>()->decl->declarators.size() == 1) {
    InitDeclarator &d = s->as<DeclStmt>()->decl->declarators[0];
    const DeclSpecs *specs = s->as<DeclStmt>()->decl->specs;
    if (d.init && specs && specs->storage == StorageClass::None && !specs->infersType())
      if (Spawn *value = spawnOf(sema, d.init->expr)) d.init->expr = value;
  }
}

// int a = 1, b = f(a);  What waits for f goes before the declaration of b, and after that of a.
bool takeApart(const OpenCilkRules &rules, const Stmt *s) {
  if (s->kind != StmtKind::Decl || !s->as<DeclStmt>()->decl || s->as<DeclStmt>()->decl->declarators.size() < 2)
    return false;
  const Declaration *d = s->as<DeclStmt>()->decl;
  if (!d->specs || d->specs->record || d->specs->enumeration) return false;
  for (const InitDeclarator &i : d->declarators)
    if (i.init && i.init->expr && (rules.mayAwait(i.init->expr) || i.init->expr->kind == ExprKind::Spawn)) return true;
  return false;
}

}  // namespace

void OpenCilkRules::prepare(CompoundStmt *c) {
  if (!inside()) return;
  std::vector<Stmt *> body;
  for (Stmt *s : c->body) {
    if (!takeApart(*this, s)) {
      body.push_back(s);
      continue;
    }
    for (const InitDeclarator &i : s->as<DeclStmt>()->decl->declarators) {
      auto *one = cx.make<DeclStmt>();
      one->range = s->range;
      one->decl = cx.make<Declaration>();
      one->decl->specs = s->as<DeclStmt>()->decl->specs;
      one->decl->range = s->range;
      one->decl->declarators = {i};
      body.push_back(one);
    }
  }
  c->body = std::move(body);
  if (cx.pedigrees || sema.os.callsStay) return;  // a child that is called is a part of its parent
  for (size_t i = 0; i < c->body.size(); i++) {
    bool last = i + 1 == c->body.size();
    if (last ? sema.os.scopeBody == c : c->body[i + 1]->kind == StmtKind::Sync) beforeSync(sema, c->body[i]);
  }
}

// while (c) S  becomes  for (;;) { if (!c) break; S }
namespace {
Stmt *stopUnless(AstContext &cx, Expr *cond) {
  auto *no = cx.make<Unary>();
  no->op = UnaryOp::Not;
  no->sub = cond;
  no->range = cond->range;
  auto *out = cx.make<BreakStmt>();
  auto *i = cx.make<IfStmt>();
  out->range = i->range = cond->range;
  i->cond = no;
  i->then = out;
  return i;
}
ForStmt *forever(AstContext &cx, Range where, std::vector<Stmt *> body) {
  auto *block = cx.make<CompoundStmt>();
  block->range = where;
  block->closing = Range{where.end, where.end};
  block->body = std::move(body);
  auto *f = cx.make<ForStmt>();
  f->range = where;
  f->body = block;
  return f;
}
bool continues(const Stmt *body) {
  bool found = false;
  eachNode(body, Walk::Written, [&](const auto *n) {
    if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*n)>>) {
      if (n->kind == StmtKind::Continue) found = true;
      if (n->kind == StmtKind::While || n->kind == StmtKind::Do || n->kind == StmtKind::For) return false;
    }
    return true;
  });
  return found;
}
}  // namespace

Stmt *OpenCilkRules::testInside(WhileStmt *w) {
  if (sema.os.spawning.empty() || !inside() || !mayAwait(w->cond)) return nullptr;
  return forever(cx, w->range, {stopUnless(cx, w->cond), w->body});
}

Stmt *OpenCilkRules::testInside(DoStmt *d) {
  if (sema.os.spawning.empty() || !inside() || !mayAwait(d->cond) || continues(d->body)) return nullptr;
  return forever(cx, d->range, {d->body, stopUnless(cx, d->cond)});
}

Stmt *OpenCilkRules::testInside(ForStmt *f) {
  if (sema.os.spawning.empty() || !inside()) return nullptr;
  bool first = false;
  if (f->init && f->init->kind == StmtKind::Expr) first = mayAwait(f->init->as<ExprStmt>()->expr);
  if (f->init && f->init->kind == StmtKind::Decl && f->init->as<DeclStmt>()->decl)
    for (const InitDeclarator &i : f->init->as<DeclStmt>()->decl->declarators)
      first |= i.init && i.init->expr && mayAwait(i.init->expr);
  bool tests = f->cond && mayAwait(f->cond);
  if (!first && !tests) return nullptr;
  ForStmt *inner = f;
  if (tests) {
    inner = forever(cx, f->range, {stopUnless(cx, f->cond), f->body});
    inner->step = f->step;
    inner->init = f->init;
  }
  if (!first) return inner;
  auto *block = cx.make<CompoundStmt>();
  block->range = f->range;
  block->closing = Range{f->range.end, f->range.end};
  block->body = {inner->init, inner};
  inner->init = nullptr;
  return block;
}

}  // namespace cilkc
