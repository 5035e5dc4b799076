// spawns.cpp - the forms of `cilk_spawn`. Callee and arguments are evaluated by the parent; the call, the conversion of
// its result and the store are the child's.
//
// A procedure of this unit is spawned itself. Any other function is spawned through a procedure of one call, made here,
// to which the arguments are passed. Of any other statement the whole is the child, as a procedure (outline.cpp). So is
// a call one of whose arguments is a spawn.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/opencilk/outline.h"
#include "diag/cilk.h"

namespace cilkc {

namespace {

Spawn *spawnIn(Expr *e) {
  e = ignoreParens(e);
  return e && e->kind == ExprKind::Spawn && e->as<Spawn>()->word == SpawnWord::CilkSpawn ? e->as<Spawn>() : nullptr;
}

// An arm of ?: that is spawned, or has such an arm.
bool choosesSpawn(Expr *e) {
  e = ignoreParens(e);
  if (!e || e->kind != ExprKind::Conditional) return false;
  auto *c = e->as<Conditional>();
  auto arm = [](Expr *x) { return x && (spawnIn(x) || choosesSpawn(x)); };
  return arm(c->then) || arm(c->otherwise);
}

// What the statement begins with: the `cilk_spawn a` of `cilk_spawn a ? f() : g();`.
Expr **firstOperand(Expr **e) {
  switch ((*e)->kind) {
    case ExprKind::Binary: return firstOperand(&(*e)->as<Binary>()->lhs);
    case ExprKind::Conditional: return firstOperand(&(*e)->as<Conditional>()->cond);
    case ExprKind::Assign: return firstOperand(&(*e)->as<Assign>()->lhs);
    default: return otherKinds<34>(e);
  }
}

struct Spawner {
  CilkSema &sema;
  AstContext &cx = sema.cx;
  DiagnosticEngine &diags = sema.diags;

  Stmt *failed(ExprStmt *s) const {
    s->expr = sema.conv.error(s->expr->range);
    return s;
  }

  // A procedure whose body is the call.
  FunctionDecl *caller(const Build &b, Call *c, bool direct, std::vector<Expr *> &arguments) const {
    arguments = c->args;
    if (!direct) arguments.insert(arguments.begin(), c->callee);
    const FunctionDecl *callee = direct ? directCallee(c) : nullptr;
    Outline around(sema, callee ? "spawn" : "call", c->type.unqual(), b.where,
        callee ? callee->name : std::string_view());
    auto *inner = b.make<Call>();
    *inner = *c;
    inner->args.clear();
    for (size_t i = 0; i < arguments.size(); i++) {
      Expr *passed = b.value(around.parameter(arguments[i]->type.unqual(), "argument"));
      if (!direct && i == 0) inner->callee = passed;
      else inner->args.push_back(passed);
    }
    Stmt *body;
    if (c->type->isVoid()) {
      auto *s = b.make<ExprStmt>();
      s->expr = sema.conv.discard(inner);
      body = s;
    } else {
      auto *r = b.make<ReturnStmt>();
      r->value = inner;
      body = r;
    }
    return around.finish({body});
  }

  // c is the child's call; a is the assignment that takes its value, or null.
  Stmt *call(ExprStmt *s, Call *c, Range keyword, Assign *a) const {
    Build b{sema, s->range};
    Expr *l = nullptr;
    if (a) {
      Saved quiet(sema.os.awaits, false);
      l = a->lhs = sema.exprs.exprIn(SpawnPlace::LeftSide, a->lhs);
    }
    sema.os.spawnedCall = c;
    Expr *e = sema.exprs.exprIn(SpawnPlace::SpawnedProcedure, c);
    sema.os.spawnedCall = nullptr;
    if (e->type->isError() || (l && l->type->isError())) return failed(s);
    if (e->kind != ExprKind::Call) {  // a builtin of which the compiler has made something else
      diags.report(diag::cilk_spawn_builtin, c->range);
      if (!a) s->expr = sema.conv.discard(e);
      else {
        a->rhs = e;
        s->expr = sema.conv.discard(sema.exprs.exprAssign(a));
      }
      return s;
    }
    c = e->as<Call>();
    if (a) {  // a[i++] = cilk_spawn f(i): as without the spawn
      Assign typed = *a;
      typed.rhs = c;
      typed.type = l->type;
      sema.warn.checkFullExpression(&typed);
    } else {
      sema.warn.checkFullExpression(c);
      sema.warn.checkUnusedResults({c});
    }
    for (const Expr *argument : c->args)
      if (const Expr *view = sema.openCilk.addressOfView(argument))
        diags.report(diag::cilk_view_in_child, view->range)
            .note(view->range,
                "pass the reducer: `__builtin_addressof(r)`, to a parameter of type `T cilk_reducer(..) *`");
    const Expr *raw = ignoreParensAndImplicit(c->callee);
    FunctionDecl *callee =
        raw->kind == ExprKind::Ident && raw->as<Ident>()->decl && raw->as<Ident>()->decl->kind == DeclKind::Function
            ? static_cast<FunctionDecl *>(raw->as<Ident>()->decl)
            : nullptr;
    FunctionDecl *p = callee && !c->builtin ? sema.openCilk.procedureOf(callee) : nullptr;
    std::vector<Expr *> arguments = c->args;
    if (p) callee->references++;
    else p = caller(b, c, callee != nullptr, arguments);
    SpawnStmt *out = spawnOf(b, p, std::move(arguments));
    if (Expr *named = ignoreParensAndImplicit(out->call->callee); callee) named->range = raw->range;
    out->attrs = s->attrs;
    out->keyword = keyword;
    out->spawned = out->result->range = c->range;
    if (!a) return out;
    return deliver(out, a, l) ? out : failed(s);
  }

  bool deliver(SpawnStmt *out, Assign *a, Expr *l) const {
    Range where = a->opRange.valid() ? a->opRange : a->range;
    if (out->isVoid()) {
      diags.report(diag::spawn_void_receiver, where).note(out->spawned, "leave out the assignment")
          << "the spawned function";
      return drop(out);
    }
    if (l->bitField) {
      const FieldDecl *f = sema.conv.bitFieldOf(l);
      diags.report(diag::spawn_bit_field, l->range)
              .note(l->range,
                  "let a plain variable receive the result, and store it in the bit-field after `cilk_sync;`")
          << (f ? f->name : std::string_view("?"));
      return drop(out);
    }
    if (a->initializes ? l->type->isArray() : !sema.conv.isModifiableLvalue(l, where, true)) return drop(out);
    if (VarDecl *root = sema.conv.rootVariable(l)) root->assigned = root->isReceiver = true;
    if (const Expr *x = ignoreParens(l); x->kind == ExprKind::Index && x->as<Index>()->base->type->isVector())
      sema.conv.markAddressTaken(l);
    a->type = l->type.unqual();
    a->rhs = sema.conv.assignConvert(out->result, a->type, a->initializes ? "initialization" : "assignment", where);
    if (a->rhs->type->isError()) return drop(out);
    out->form = SpawnForm::Receiver;
    out->delivery = a;
    out->value = a->rhs;
    return true;
  }
  bool drop(SpawnStmt *out) const {
    std::erase(sema.fs->fn->spawns, out);
    return false;
  }

  Stmt *block(ExprStmt *s, Stmt *body) const {
    Build b{sema, s->range};
    Outline child(sema, "block", cx.basic(TypeKind::Void), s->range);
    namesWritten(body, child.own);
    Stmt *typed;
    {
      Saved quiet(sema.os.awaits, false);
      typed = sema.stmts.stmt(body);
    }
    FunctionDecl *p = child.finish({typed});
    SpawnStmt *out = spawnOf(b, p, child.captured(b));
    out->attrs = s->attrs;
    return out;
  }

  // Only the chosen arm is spawned: v = c ? cilk_spawn f() : 1; or, with no assignment, c ? cilk_spawn f() : g();
  Stmt *choice(ExprStmt *s, Assign *a, Conditional *c) const {
    auto arm = [&](Expr *value) {
      auto *st = cx.make<ExprStmt>();
      st->range = s->range;
      st->expr = value;
      if (!a) return st;
      auto *assign = cx.make<Assign>();
      *assign = *a;
      assign->rhs = ignoreParens(value);
      st->expr = assign;
      return st;
    };
    auto *i = cx.make<IfStmt>();
    i->range = s->range;
    i->cond = c->cond;
    i->then = arm(c->then ? c->then : c->cond);
    i->otherwise = arm(c->otherwise);
    return sema.stmts.stmt(i);
  }
};

}  // namespace

namespace {

// One statement, form by form. Each answer is the statement to use instead, or null: the statement is none of these.
struct Forms {
  CilkSema &sema;
  ExprStmt *s;
  AstContext &cx = sema.cx;
  Spawner spawner{sema};

  Stmt *bad(Spawn *sp, const std::string &text) const {
    sema.diags.report(diag::cilk_spawn_form, sp->range) << text;
    return spawner.failed(s);
  }
  Stmt *refuse(Spawn *sp) const {
    if (sema.fs->inside.stmtExprs)
      return bad(sp, "a statement expression has no spawn: make the statement one of the function's own");
    if (sema.fs->inside.forHeader)
      return bad(sp, "the header of a loop has no spawn: write it before the loop or in the body");
    if (sema.inProcedure()) return nullptr;
    return bad(sp,
        sema.inInlet()
            ? "an inlet cannot spawn"
            : "this function cannot spawn: it is nested in another one, or uses what a procedure cannot have");
  }
  // Does it name a procedure of Cilk-5? Then the rules of `spawn` hold.
  bool isCilk5(Call *c) const {
    const Expr *callee = ignoreParens(c->callee);
    if (callee->kind != ExprKind::Ident) return false;
    const Decl *d = sema.scopes.lookup(callee->as<Ident>()->name);
    return d && d->kind == DeclKind::Function && (d->as<FunctionDecl>()->isCilk || d->as<FunctionDecl>()->isThread);
  }
  static Call *callOf(Spawn *sp) {
    if (sp->call) return sp->call;
    Expr *inner = sp->operand ? ignoreParens(sp->operand) : nullptr;
    return inner && inner->kind == ExprKind::Call ? inner->as<Call>() : nullptr;
  }
  CompoundStmt *blockOf(Expr *e) const {
    auto *body = cx.make<CompoundStmt>();
    body->range = s->range;
    body->closing = Range{s->range.end, s->range.end};
    auto *inner = cx.make<ExprStmt>();
    inner->range = s->range;
    inner->expr = e;
    body->body.push_back(inner);
    return body;
  }

  Stmt *alone(Spawn *sp) const {
    if (Stmt *wrong = refuse(sp)) return wrong;
    if (sp->block) return spawner.block(s, sp->block);
    Call *c = callOf(sp);
    if (!c) {
      if (ignoreParens(sp->operand)->kind <= ExprKind::Ident)  // a constant or a name
        return bad(sp, "what is spawned is a call or another statement: `cilk_spawn f(..);`");
      return spawner.block(s, blockOf(sp->operand));
    }
    if (isCilk5(c)) {
      sp->word = SpawnWord::Spawn;
      s->expr = sp;
      return nullptr;
    }
    for (Expr *a : c->args)
      if (Spawn *inner = spawnIn(a))
        return bad(inner, "a spawn in the arguments of a spawn: give it a statement of its own");
    return spawner.call(s, c, sp->keyword, nullptr);
  }

  // cilk_spawn a ? f() : g();
  Stmt *whole(Spawn *sp, Expr **first) const {
    if (Stmt *wrong = refuse(sp)) return wrong;
    *first = sp->operand ? sp->operand : static_cast<Expr *>(sp->call);
    return spawner.block(s, blockOf(s->expr));
  }

  // cilk_spawn x = f();
  Stmt *beforeAssignment(Spawn *sp, Assign *a) const {
    if (Stmt *wrong = refuse(sp)) return wrong;
    a->lhs = sp->operand ? sp->operand : static_cast<Expr *>(sp->call);
    if (!a->lhs) return bad(sp, "what is spawned is a call, an assignment or a block");
    Expr *r = ignoreParens(a->rhs);
    if (!a->compound && r->kind == ExprKind::Call) return spawner.call(s, r->as<Call>(), sp->keyword, a);
    return spawner.block(s, blockOf(a));
  }

  // x = cilk_spawn f();
  Stmt *rightSide(Spawn *sp, Assign *a) const {
    if (Stmt *wrong = refuse(sp)) return wrong;
    Call *c = callOf(sp);
    if (c && isCilk5(c)) {
      sp->word = SpawnWord::Spawn;
      s->expr = a;
      return nullptr;
    }
    if (!c) return bad(sp, "what is spawned is a call: `x = cilk_spawn f(..);`");
    if (a->compound)
      return bad(sp,
          "a spawn cannot be the right side of `op=`: give each child a variable of its own and combine them after the `cilk_sync`; or make x a reducer, and write `cilk_spawn { x op= f(..); }`");
    return spawner.call(s, c, sp->keyword, a);
  }

  // g(cilk_spawn f(x)): g runs in the child, too.
  Stmt *argument(Call *c) const {
    Expr **found = nullptr;
    for (Expr *&a : c->args)
      if (Spawn *sp = spawnIn(a)) {
        const Expr *callee = ignoreParens(c->callee);
        const Decl *d = callee->kind == ExprKind::Ident ? sema.scopes.lookup(callee->as<Ident>()->name) : nullptr;
        if (d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isInlet) {
          sp->word = SpawnWord::Spawn;
          return nullptr;
        }
        if (found) return bad(sp, "one argument of a call can be spawned, not two");
        found = &a;
      }
    if (!found) return nullptr;
    Spawn *sp = spawnIn(*found);
    if (Stmt *wrong = refuse(sp)) return wrong;
    Call *inner = callOf(sp);
    if (!inner) return bad(sp, "what is spawned is a call: `g(cilk_spawn f(..));`");
    *found = inner;
    return spawner.block(s, blockOf(c));
  }
};

}  // namespace

Stmt *OpenCilkRules::lowerSpawn(ExprStmt *s) {
  Expr *e = ignoreParens(s->expr);
  Forms forms{sema, s};
  if (Spawn *sp = spawnIn(e)) return forms.alone(sp);
  if (e->kind == ExprKind::Call) return forms.argument(e->as<Call>());
  auto *a = e->kind == ExprKind::Assign ? e->as<Assign>() : nullptr;
  if (Spawn *sp = a ? spawnIn(a->lhs) : nullptr) return forms.beforeAssignment(sp, a);
  if (Expr **first = firstOperand(&s->expr); first != &s->expr && (*first)->kind == ExprKind::Spawn)
    if (Spawn *sp = spawnIn(*first)) return forms.whole(sp, first);
  if (Spawn *sp = a ? spawnIn(a->rhs) : nullptr) return forms.rightSide(sp, a);
  Expr *chosen = a ? ignoreParens(a->rhs) : e;
  if ((a && a->compound) || !choosesSpawn(chosen)) return nullptr;
  Spawn whole;
  whole.range = chosen->range;
  if (Stmt *wrong = forms.refuse(&whole)) return wrong;
  return forms.spawner.choice(s, a, chosen->as<Conditional>());
}

// return cilk_spawn f();  is a call: the function's end waits for it, and nothing runs beside it.
Expr *OpenCilkRules::takeReturnedSpawn(Expr *e) {
  Spawn *sp = spawnIn(e);
  if (!sp || !sema.inProcedure() || sema.fs->inside.stmtExprs) return e;
  Call *c = Forms::callOf(sp);
  if (!c) return e;
  diags.report(diag::cilk_spawn_return, sp->range).note(sp->range, "leave out `cilk_spawn`");
  return c;
}

// A block that ends while a child may still store into one of its variables.
void OpenCilkRules::checkReceivers(const CompoundStmt *block) const {
  if (!inside() || sema.os.scopeBody == block) return;
  std::unordered_set<const VarDecl *> own;
  const SpawnStmt *pending = nullptr;
  for (const Stmt *s : block->body) {
    if (s->kind == StmtKind::Sync) pending = nullptr;
    if (s->kind == StmtKind::Decl && s->as<DeclStmt>()->decl)
      for (const InitDeclarator &i : s->as<DeclStmt>()->decl->declarators)
        if (i.decl && i.decl->kind == DeclKind::Var && i.decl->as<VarDecl>()->isLocal && !i.decl->as<VarDecl>()->hidden)
          own.insert(i.decl->as<VarDecl>());
    eachNode(s, Walk::Evaluated, [&](const auto *n) {
      if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*n)>>) {
        if (n->kind != StmtKind::Spawn) return;
        const auto *spawn = n->template as<SpawnStmt>();
        if (spawn->delivery && !spawn->fills && own.count(baseVariable(spawn->receiver()))) pending = spawn;
      }
    });
  }
  if (!pending || block->body.back()->kind == StmtKind::Return) return;
  diags.report(diag::cilk_receiver_scope, pending->range)
          .note(pending->range, "write `cilk_sync;` at the end of the block, or declare the variable outside of it")
      << baseVariable(pending->receiver())->name;
}

// `__auto_type x = cilk_spawn f();`: x has the type that f returns. The name that the specifiers get is in no text.
static bool inferred(CilkSema &sema, Declaration *d, Spawn *sp) {
  if (!sp || d->declarators.size() != 1 || !d->declarators[0].declarator->chunks.empty()) return false;
  Call *c = Forms::callOf(sp);
  const Expr *callee = c ? ignoreParens(c->callee) : nullptr;
  if (!callee || callee->kind != ExprKind::Ident) return false;
  const Decl *found = sema.scopes.lookup(callee->as<Ident>()->name);
  if (!found || (found->kind != DeclKind::Function && found->kind != DeclKind::Var) || !found->type.type) return false;
  QualType t = found->type->isPointer() ? found->type->as<PointerType>()->pointee : found->type;
  if (!t->isFunction() || t->as<FunctionType>()->result->isVoid()) return false;
  auto *name = sema.cx.make<TypedefDecl>();
  name->name = "type that a spawn returns";
  name->type = t->as<FunctionType>()->result.unqual();
  name->unused = true;
  name->range = d->specs->range;
  sema.scopes.bind(name);
  d->specs->typedefName = name->name;
  d->specs->typedefRange = d->specs->range;
  d->specs->autoWord = false;
  d->specs->counts[static_cast<int>(BasicSpec::AutoType)] = 0;
  return true;
}

// T x = cilk_spawn f(); becomes a declaration, and an assignment after it.
void OpenCilkRules::takeSpawns(Declaration *d, std::vector<ExprStmt *> &spawns) {
  if (!d->specs || !cx.openCilkWords) return;
  const bool automatic = d->specs->storage == StorageClass::None || d->specs->storage == StorageClass::Auto ||
                         d->specs->storage == StorageClass::Register;
  for (InitDeclarator &i : d->declarators) {
    if (!i.init || !i.init->expr || !i.declarator || (!spawnIn(i.init->expr) && !choosesSpawn(i.init->expr))) continue;
    Spawn *sp = spawnIn(i.init->expr);
    if (!automatic || sema.fs->inside.forHeader || sema.fs->inside.stmtExprs || !sema.inProcedure() ||
        (d->specs->infersType() && !inferred(sema, d, sp))) {
      diags.report(diag::cilk_spawn_form, i.init->expr->range)
          << (d->specs->infersType()
                     ? "the type of the variable cannot be taken from this spawn: write the type"
                     : "only an automatic variable of a function's own statements can be initialised by a spawn");
      i.init->expr = sema.conv.error(i.init->expr->range);
      continue;
    }
    if (d->specs->future && sp) {
      sp->word = SpawnWord::Spawn;
      continue;
    }
    auto *name = cx.make<Ident>();
    name->name = i.declarator->name;
    name->range = i.declarator->nameRange.valid() ? i.declarator->nameRange : i.declarator->range;
    auto *a = cx.make<Assign>();
    a->lhs = name;
    a->rhs = i.init->expr;
    a->range = Range::join(i.declarator->range, i.init->expr->range);
    a->initializes = true;
    auto *s = cx.make<ExprStmt>();
    s->expr = a;
    s->range = a->range;
    spawns.push_back(s);
    i.init = nullptr;
  }
}

}  // namespace cilkc
