// future.cpp - futures: `future T f = spawn g(..);` and `touch f`.
//
// A future is a record (AstContext::futureOf) that is never copied: an automatic variable of a Cilk procedure, or an
// element of an array that is one, into which that procedure spawns. Others get its address. `touch f` is an expression
// in a statement that evaluates it exactly once: a TouchStmt, which waits, goes before the statement, and in place of
// the touch is a load of the value. So what comes after sema knows of no place inside of an expression where a
// procedure waits. The operand is evaluated twice, and may have no side effects.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/cilk/rules.h"
#include "diag/cilk.h"

namespace cilkc {

namespace {

const Type *element(QualType t) {
  const Type *e = t.type;
  while (e && e->isArray()) e = e->as<ArrayType>()->elem.type;
  return e;
}
bool holdsFutures(QualType t) {
  const Type *e = element(t);
  return e && e->isFuture();
}
QualType valueOf(QualType future) { return future->as<RecordType>()->awaits; }

// The value, an lvalue.
Expr *member(AstContext &cx, Expr *future, Range where) {
  auto *m = cx.make<Member>();
  m->base = future;
  m->path = {future->type->as<RecordType>()->fields.back()};
  m->name = m->path[0]->name;
  m->range = m->nameRange = where;
  m->type = m->path[0]->type;
  m->lvalue = true;
  return m;
}

}  // namespace

QualType FutureRules::futureType(QualType t, Range where) {
  if (!t.type || t->isError()) return cx.basic(TypeKind::Error);
  const char *what = t->isVoid()                  ? "void: let the procedure return an int, or wait for it with `sync;`"
                     : t->isFunction()            ? "a function: let it be a pointer"
                     : t->isArray()               ? "an array: let it be a struct with the array in it"
                     : t->isFuture()              ? "a future: touch it, and make a future of its value"
                     : isVariablyModified(t.type) ? "a type whose size is known at run time only"
                     : t.isAtomic() ? "an atomic object, and need not: a touch comes after the end of the child"
                                    : nullptr;
  if (!what && !sema.types.requireComplete(t, where, "the value of a future")) return cx.basic(TypeKind::Error);
  if (!what && alignOf(t.type, cx.target) > 16) what = "an object that is aligned to more than 16 bytes";
  if (what) {
    diags.report(diag::future_of, where) << what;
    return cx.basic(TypeKind::Error);
  }
  return cx.futureOf(t.unqual());
}

bool FutureRules::refuse(QualType t, Range where, const char *as) {
  if (!holdsFutures(t)) return false;
  auto d = diags.report(diag::future_misplaced, where);
  d << as;
  d.note(where, "pass its address: `" + declToString(cx.pointerTo(QualType(element(t))), "f") + "`");
  return true;
}

// ---- declarations -------------------------------------------------------------------------------------------------

// The initialisers that are spawns become statements after the declaration. Those of pointers are only taken away:
// they are reported when the type is known.
void FutureRules::takeSpawns(Declaration *d, std::vector<ExprStmt *> &spawns, std::vector<InitDeclarator *> &pointers) {
  if (!d->specs) return;
  bool arrays = false;  // by their typedef
  if (!d->specs->future) {
    if (d->specs->typedefName.empty()) return;
    const Decl *named = sema.scopes.lookup(d->specs->typedefName);
    if (!named || named->kind != DeclKind::Typedef || !named->type || !holdsFutures(named->type)) return;
    arrays = named->type->isArray();
  }
  for (InitDeclarator &i : d->declarators) {
    if (!i.init || !i.declarator) continue;
    const auto &chunks = i.declarator->chunks;
    auto all = [&](DeclChunk::Kind k) {
      return std::all_of(chunks.begin(), chunks.end(), [&](const DeclChunk &c) { return c.kind == k; });
    };
    Expr *e = i.init->expr;
    if (!arrays && !chunks.empty() && all(DeclChunk::Pointer) && e && e->kind == ExprKind::Spawn) {
      pointers.push_back(&i);
      i.init = nullptr;
      continue;
    }
    if (!all(DeclChunk::Array)) continue;
    bool array = arrays || !chunks.empty();
    if (!e || e->kind != ExprKind::Spawn || array) {
      std::string name(i.declarator->name);
      diags.report(diag::future_initializer, i.init->range.valid() ? i.init->range : i.declarator->range)
          .note(i.declarator->range, array ? "declare the array without initialiser, then spawn into its elements: `" +
                                                 name + "[..] = spawn f(..);`"
                                           : "write `future .. " + name + " = spawn f(..);`");
    } else {
      auto *name = cx.make<Ident>();
      name->name = i.declarator->name;
      name->range = i.declarator->nameRange.valid() ? i.declarator->nameRange : i.declarator->range;
      auto *a = cx.make<Assign>();
      a->lhs = name;
      a->rhs = e;
      a->range = Range::join(i.declarator->range, e->range);
      auto *s = cx.make<ExprStmt>();
      s->expr = a;
      s->range = a->range;
      spawns.push_back(s);
    }
    i.init = nullptr;
  }
}

void FutureRules::declare(InitDeclarator &i) {
  if (!i.decl || i.decl->kind != DeclKind::Var || !i.decl->type || !holdsFutures(i.decl->type)) return;
  auto *v = i.decl->as<VarDecl>();
  Range where = v->range;
  if (!sema.inProcedure() || !v->isLocal) {
    auto d =
        diags.report(sema.inProcedure() || !sema.fs ? diag::future_storage : diag::future_outside_procedure, where);
    d << v->name;
    if (sema.inInlet()) d.note(where, "declare it in the procedure, which spawns into it");
    else if (sema.fs && sema.fs->fn && !sema.inProcedure())
      d.note(sema.fs->fn->range, "write `cilk` before '" + std::string(sema.fs->fn->name) +
                                     "' to make it a cilk procedure, or pass pointers to futures through it");
    v->type = cx.basic(TypeKind::Error);
    return;
  }
  // Where its declaration can be met again, the one of before may still be under way.
  bool variable = hasVariableSize(v->type.type);  // then it gets other memory
  if (!variable && (sema.fs->inside.loops || !sema.fs->labels.at.empty())) {
    auto *t = cx.make<TouchStmt>();
    t->range = where;
    t->renewed = v;
    sema.ss.touched.push_back(t);
  }
  // Empty.
  v->init = i.init = cx.make<Initializer>();
  v->init->range = where;
  v->init->list = cx.make<InitList>();
  v->init->list->range = where;
  auto *plan = v->init->list->plan = cx.make<InitPlan>();
  plan->type = v->type;
  plan->size = variable ? 0 : sizeOf(v->type.type, cx.target);
}

// `future T *p = spawn g(..);`: what was meant is a future whose value is a T *.
void FutureRules::initialisedPointer(InitDeclarator &i) {
  if (!i.decl || i.decl->kind != DeclKind::Var || !i.decl->type || i.decl->type->isError()) return;
  auto *v = i.decl->as<VarDecl>();
  int pointers = 0;
  QualType value = v->type;
  for (; value->isPointer(); pointers++) value = value->as<PointerType>()->pointee;
  if (!value->isFuture()) return;
  value = valueOf(value);
  while (pointers--) value = cx.pointerTo(value);
  diags.report(diag::future_pointer, v->range)
          .note(v->range, "for a future whose value is a pointer write `future typeof(" + toString(value) + ") " +
                              std::string(v->name) + " = spawn f(..);`")
      << v->name;
  v->type = cx.basic(TypeKind::Error);
}

// ---- spawn --------------------------------------------------------------------------------------------------------

Expr *FutureRules::receiver(Assign *a, Expr *l) {
  if (a->compound) {
    diags.report(diag::future_update, a->opRange.valid() ? a->opRange : a->range)
        .note(l->range, "a future gets one value: write `=`");
    return nullptr;
  }
  VarDecl *v = sema.conv.rootVariable(l);
  if (!v || !v->isLocal || v->isParam || v->fn != sema.fs->fn) {
    diags.report(diag::future_not_own, l->range)
        .note(l->range, "the procedure that declares it spawns into it, and passes its address to those that touch it");
    return nullptr;
  }
  return member(cx, l, l->range);
}

// ---- touch --------------------------------------------------------------------------------------------------------

// Before the statement's expressions are typed: the places of touches in them.
void FutureRules::look(const Expr *e) {
  if (!cx.touches || !e) return;
  std::vector<std::pair<const Expr *, TouchPlace>> todo{{e, TouchPlace::Once}};
  while (!todo.empty()) {
    auto [x, place] = todo.back();
    todo.pop_back();
    auto all = [&](TouchPlace p) {
      eachChild(x, Walk::Evaluated, [&](const auto *child) {
        if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*child)>>) todo.push_back({child, p});
      });
    };
    if (x->kind == ExprKind::StmtExpr) continue;
    if (x->kind == ExprKind::Touch) sema.ss.touchPlaces[x] = place;
    const auto *b = x->kind == ExprKind::Binary ? x->as<Binary>() : nullptr;
    if (b && (isLogical(b->op) || b->op == BinaryOp::Comma)) {
      todo.push_back({b->lhs, place});
      todo.push_back({b->rhs, isLogical(b->op) ? TouchPlace::Maybe : TouchPlace::Comma});
    } else if (x->kind == ExprKind::Conditional) {
      const auto *c = x->as<Conditional>();
      todo.push_back({c->cond, place});
      if (c->then) todo.push_back({c->then, TouchPlace::Maybe});
      todo.push_back({c->otherwise, TouchPlace::Maybe});
    } else {
      all(place);
    }
  }
}

void FutureRules::look(const Initializer *i) {
  if (cx.touches && i)
    eachExpr(i, Walk::Evaluated, [&](const Expr *x) {
      look(x);
      return false;
    });
}

Expr *FutureRules::touch(TouchExpr *t) {
  Range where = t->range;
  Expr *f = t->sub = sema.exprs.exprIn(SpawnPlace::Operand, t->sub);
  if (f->type->isError()) return sema.conv.error(where);
  if (!f->type->isFuture() || !f->lvalue) {
    auto d = diags.report(diag::touch_of_non_future, f->range);
    d << toString(f->type);
    if (f->type->isPointer() && holdsFutures(f->type->as<PointerType>()->pointee))
      d.note(f->range, "it points to a future: write `touch *` before it");
    else if (f->type->isArray() && holdsFutures(f->type)) d.note(f->range, "name one of its elements");
    else if (const VarDecl *v = namedVariable(f))
      d.note(v->range, "a future is declared as `" +
                           declToString(cx.futureOf(f->type->isArithmetic() || f->type->isPointer()
                                                        ? f->type.unqual()
                                                        : QualType(cx.basic(TypeKind::Int))),
                               v->name) +
                           " = spawn f(..);`");
    return sema.conv.error(where);
  }
  if (sema.unevaluated) return sema.conv.load(member(cx, f, where));
  if (sema.inThread()) {
    sema.threads.cilk5InThread(where, "touch",
        "a thread cannot wait: let a procedure touch the future, and spawn that procedure");
    return sema.conv.error(where);
  }
  if (!sema.inProcedure()) {
    auto d = diags.report(sema.inInlet() ? diag::touch_in_inlet : diag::touch_outside_procedure, where);
    if (sema.inInlet()) d.note(where, "an inlet runs to its end without waiting; touch it in the procedure");
    else if (sema.fs && sema.fs->fn && sema.fs->fn->range.valid())
      d.note(sema.fs->fn->range, "write `cilk` before '" + std::string(sema.fs->fn->name) +
                                     "' to make it a cilk procedure, or pass it the value");
    return sema.conv.error(where);
  }
  auto place = sema.ss.touchPlaces.find(t);
  TouchPlace p = place == sema.ss.touchPlaces.end() ? TouchPlace::Elsewhere : place->second;
  if (p != TouchPlace::Once) {
    const char *in = p == TouchPlace::Maybe   ? "a part of an expression that may not be evaluated"
                     : p == TouchPlace::Comma ? "the right side of a comma"
                                              : "this place";
    QualType value = valueOf(f->type);
    diags.report(diag::touch_misplaced, where)
            .note(where,
                "write `" + declToString(value, "x") +
                    " = touch ..;` as a statement before, and use x; a touch is allowed in an expression statement, an initialiser, a "
                    "return, and the conditions of if and switch")
        << in;
    return sema.conv.error(where);
  }
  bool effects = anyExpr(f, Walk::Evaluated, [](const Expr *x) {
    return x->kind == ExprKind::Assign || x->kind == ExprKind::Call || x->kind == ExprKind::VaArg ||
           x->kind == ExprKind::StmtExpr || (x->kind == ExprKind::Unary && isIncDec(x->as<Unary>()->op)) ||
           x->type.isVolatile();
  });
  if (effects) {
    diags.report(diag::touch_side_effects, f->range)
        .note(f->range, "put its address into a variable first: `" + declToString(cx.pointerTo(f->type.unqual()), "p") +
                            " = &..;`, then `touch *p`");
    return sema.conv.error(where);
  }
  auto *w = cx.make<TouchStmt>();
  w->range = where;
  w->future = f;
  VarDecl *v = sema.conv.rootVariable(f);
  if (v && v->isLocal && !v->isParam && v->fn == sema.fs->fn) w->own = v;
  sema.ss.touched.push_back(w);
  return sema.conv.load(member(cx, f, where));
}

// What a statement touches is waited for before it.
Stmt *FutureRules::lift(Stmt *s, size_t since) {
  if (sema.ss.touched.size() == since) return s;
  auto *block = cx.make<CompoundStmt>();
  block->range = s->range;
  block->closing = Range{s->range.end, s->range.end};
  block->body.assign(sema.ss.touched.begin() + static_cast<std::ptrdiff_t>(since), sema.ss.touched.end());
  sema.ss.touched.resize(since);
  block->body.push_back(s);
  return block;
}

// A declaration: what goes before it, itself, and the spawns into the futures that it declares.
void FutureRules::aroundDeclaration(DeclStmt *d, size_t since, const std::vector<ExprStmt *> &spawns) {
  auto touches = sema.ss.touched.begin() + static_cast<std::ptrdiff_t>(since);
  for (auto it = touches; it != sema.ss.touched.end(); ++it) {
    const Expr *f = (*it)->kind == StmtKind::Touch ? (*it)->as<TouchStmt>()->future : nullptr;
    bool own = f && anyExpr(f, Walk::Evaluated, [&](const Expr *x) {
      return x->kind == ExprKind::Ident &&
             std::any_of(d->decl->declarators.begin(), d->decl->declarators.end(),
                 [&](const InitDeclarator &i) { return i.decl && i.decl == x->as<Ident>()->decl; });
    });
    if (own) diags.report(diag::touch_of_declared, f->range).note(f->range, "end the declaration before it with `;`");
    sema.ss.beforeDeclaration.push_back(*it);
  }
  sema.ss.touched.resize(since);
  for (ExprStmt *s : spawns) sema.ss.afterDeclaration.push_back(sema.stmts.stmt(s));
}

// A statement of a block, perhaps with labels, with what belongs around it.
void FutureRules::place(std::vector<Stmt *> &body, Stmt *s) {
  std::vector<Stmt *> first = std::move(sema.ss.beforeDeclaration), last = std::move(sema.ss.afterDeclaration);
  sema.ss.beforeDeclaration.clear();
  sema.ss.afterDeclaration.clear();
  Stmt **hole = nullptr;
  for (Stmt *l = s; !first.empty();) {
    Stmt **sub = l->kind == StmtKind::Label     ? &l->as<LabelStmt>()->sub
                 : l->kind == StmtKind::Case    ? &l->as<CaseStmt>()->sub
                 : l->kind == StmtKind::Default ? &l->as<DefaultStmt>()->sub
                                                : nullptr;
    if (!sub) break;
    hole = sub;
    l = *sub;
  }
  if (hole) {  // the label precedes the first of them
    Stmt *declaration = *hole;
    *hole = first.front();
    body.push_back(s);
    body.insert(body.end(), first.begin() + 1, first.end());
    body.push_back(declaration);
  } else {
    body.insert(body.end(), first.begin(), first.end());
    body.push_back(s);
  }
  body.insert(body.end(), last.begin(), last.end());
}

}  // namespace cilkc
