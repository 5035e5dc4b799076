// thread.cpp - the rules of Cilk-1 (PPoPP'95, section 2): threads, continuations, spawn, spawn_next, tail_call,
// send_argument; and what threads are to Cilk-5.
//
// A thread whose first parameter is `cont T k` is for Cilk-5 and C a procedure that returns T. Sema makes that
// procedure, a FunctionDecl of the same name with a body of one Root statement. Everything else (clones, export stub,
// main) follows from its being a procedure. The other way round a Cilk-5 procedure `cilk T p(..)` is for threads a
// thread p(cont T k, ..); a procedure that returns nothing sends an int, 0, when it is done.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/cilk/rules.h"
#include "diag/cilk1.h"

namespace cilkc {

namespace {

const char *spelling(SpawnWord w) {
  switch (w) {
    case SpawnWord::Spawn: return "spawn";
    case SpawnWord::CilkSpawn: return "cilk_spawn";
    case SpawnWord::SpawnNext: return "spawn_next";
    case SpawnWord::Call: return "call";
    case SpawnWord::TailCall: return "tail_call";
    case SpawnWord::Send: return "send_argument";
  }
  return "";
}

// `cont T k` -> T.
QualType continued(QualType t) { return t->isCont() ? t->as<RecordType>()->continues : QualType(); }

std::string quotedName(const FunctionDecl *f) { return "'" + std::string(f->name) + "'"; }

// The local that a value is the address of, or of which it is a part that decays.
const VarDecl *addressItself(const Expr *e, const FunctionDecl *fn) {
  e = ignoreCasts(e);
  const Expr *object = nullptr;
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf) object = e->as<Unary>()->sub;
  else if (e->type && e->type->isArray()) object = e;
  while (object && ignoreParens(object)->kind == ExprKind::Index) {  // &a[i] of an array
    const Expr *base = ignoreCasts(ignoreParens(object)->as<Index>()->base);
    if (!base->type || !base->type->isArray()) return nullptr;
    object = base;
  }
  const VarDecl *v = object ? baseVariable(object) : nullptr;
  return v && v->isLocal && v->fn == fn ? v : nullptr;
}

bool isAlloca(const Expr *e) {
  e = ignoreCasts(e);
  const FunctionDecl *f = e->kind == ExprKind::Call ? directCallee(e->as<Call>()) : nullptr;
  return f && (f->name == "alloca" || f->name == "__builtin_alloca" || f->name == "__builtin_alloca_with_align");
}

// What memory of this thread a value refers to, by name; empty: none that is certain. A local that keeps what it was
// initialised with is looked through.
std::string ownMemory(const Expr *e, const FunctionDecl *fn) {
  auto of = [&](const Expr *value) -> std::string {
    if (isAlloca(value)) return "*alloca()";
    const VarDecl *v = addressItself(value, fn);
    return v ? std::string(v->name) : "";
  };
  if (std::string name = of(e); !name.empty()) return name;
  const VarDecl *v = namedVariable(ignoreCasts(e));
  if (!v || !v->isLocal || v->isParam || v->fn != fn || v->assigned || v->addressTaken || !v->init) return "";
  if (v->init->expr) return of(v->init->expr);
  if (v->init->list && v->init->list->plan)
    for (const InitStore &store : v->init->list->plan->stores)
      if (std::string name = store.value ? of(store.value) : ""; !name.empty()) return name;
  return "";
}

// The same object, whatever was evaluated in between.
bool sameObject(const Expr *a, const Expr *b) {
  return sameTree(a, b) && !anyExpr(a, Walk::Evaluated, [](const Expr *e) {
    return e->kind == ExprKind::Call || e->kind == ExprKind::Assign ||
           (e->kind == ExprKind::Unary && e->as<Unary>()->op >= UnaryOp::PreInc &&
               e->as<Unary>()->op <= UnaryOp::PostDec);
  });
}

}  // namespace


// ---- declarations -------------------------------------------------------------------------------------------------

QualType ThreadRules::contType(QualType t, Range where) {
  if (!t.type || t->isError()) return cx.basic(TypeKind::Error);
  const char *what = t->isVoid()       ? "void: let it be an int, and send 0"
                     : t->isFunction() ? "a function: let it be a pointer"
                     : t->isArray()    ? "an array: let it be a pointer, or a struct with the array in it"
                                       : nullptr;
  if (what) {
    diags.report(diag::cont_of, where) << what;
    return cx.basic(TypeKind::Error);
  }
  if (!sema.types.requireComplete(t, where, "the value of a continuation")) return cx.basic(TypeKind::Error);
  return cx.contOf(t.unqual());
}

void ThreadRules::checkThreadDeclaration(Decl *d, const DeclSpecs *specs, Range where) {
  if (!specs->thread) {
    const FunctionDecl *outer =
        d && d->kind == DeclKind::Function && sema.fs && sema.fs->fn == d && sema.fs->up ? sema.fs->up->fn : nullptr;
    if (outer && outer->isThread && !specs->inlet) diags.report(diag::thread_nested, where) << "a function";
    if (outer && outer->isThread && specs->inlet)
      cilk5InThread(specs->cilkRange, "inlet",
          "in place of an inlet, `spawn_next` a thread that takes the result as its argument");
    return;
  }
  Range keyword = specs->cilkRange.valid() ? specs->cilkRange : where;
  if (!d || d->kind != DeclKind::Function) {
    if (!d || !d->type || !d->type->isError()) diags.report(diag::thread_not_function, keyword);
    return;
  }
  auto *f = d->as<FunctionDecl>();
  if (!f->type || !f->type->isFunction()) return;
  const auto *ft = f->type->as<FunctionType>();
  if (specs->cilk || specs->inlet) diags.report(diag::thread_and_cilk, keyword) << (specs->cilk ? "cilk" : "inlet");
  if (sema.fs && sema.fs->fn == f && sema.fs->up) diags.report(diag::thread_nested, where) << "a thread";
  if (!ft->result->isVoid() && !ft->result->isError())
    diags.report(diag::thread_result, where)
            .note(where, "declare it `thread " + std::string(f->name) + "(cont(" + toString(ft->result) +
                             ") k, ..)` and send the value through k")
        << f->name << toString(ft->result);
  if (ft->variadic) diags.report(diag::thread_variadic, where) << f->name;
  if (!ft->prototype) diags.report(diag::thread_old_style, where) << f->name;
  for (QualType p : ft->params)
    if (isVariablyModified(p.type)) {
      diags.report(diag::thread_parameter, where) << f->name << toString(p);
      break;
    }
  if (f->name == "main" &&
      (ft->params.empty() || !ft->params[0]->isCont() || continued(ft->params[0])->kind != TypeKind::Int) &&
      (ft->params.empty() || !ft->params[0]->isError()))
    diags.report(diag::thread_main, where)
        .note(where, "write `thread main(cont int k, int argc, char *argv[])`; what is sent to k is the exit status");
}

// ---- places -------------------------------------------------------------------------------------------------------

void ThreadRules::cilk5InThread(Range where, std::string_view word, const std::string &advice) {
  diags.report(diag::cilk5_in_thread, where).note(where, advice) << word;
}

// A call of something undeclared with a continuation: a misspelt send_argument, or a thread that is declared later.
Expr *ThreadRules::unknownThread(const Call *c, const Ident *callee) {
  if (!sema.inThread() || sema.scopes.lookup(callee->name)) return nullptr;
  bool continues = false;
  for (Expr *a : c->args)
    if (Expr *raw = ignoreParens(a); raw->kind == ExprKind::Ident)
      if (const Decl *d = sema.scopes.lookup(raw->as<Ident>()->name); d && d->kind == DeclKind::Var && d->type)
        continues |= d->type->isCont();
  if (!continues) return nullptr;
  std::string name(callee->name);
  diags.report(diag::thread_unknown, callee->range)
          .note(callee->range, name.starts_with("send") ? "write `send_argument(k, value);`"
                                                        : "declare it before, `thread " + name +
                                                              "(..);`, and write `spawn " + name + "(..);`")
      << name;
  return sema.conv.error(c->range);
}

Expr *ThreadRules::misplacedHole(Hole *h) {
  diags.report(diag::hole_outside, h->range)
      .note(h->range, "`spawn_next T(.., ?k, ..);` makes k the continuation for an argument of T that comes later");
  return sema.conv.error(h->range);
}

Expr *ThreadRules::misplacedThreadWord(Spawn *s) {
  Range where = s->keyword.valid() ? s->keyword : s->range;
  if (!sema.inThread()) {
    auto d = diags.report(diag::thread_word_outside, where);
    d << spelling(s->word);
    if (sema.inProcedure())
      d.note(where, s->word == SpawnWord::Send ? "a cilk procedure returns its value: `return ..;`"
                                               : "in a cilk procedure write `x = spawn f(..);` and `sync;`");
    else if (sema.fs && sema.fs->fn && sema.fs->fn->range.valid())
      d.note(sema.fs->fn->range, "write `thread` in place of the type of '" + std::string(sema.fs->fn->name) + "'");
  } else {
    diags.report(diag::thread_word_in_expression, where)
            .note(s->range,
                s->word == SpawnWord::Send
                    ? "write `send_argument(k, ..);` as a statement of its own"
                    : "a thread does not wait for a value: let `spawn_next T(.., ?x);` receive it, and pass x to the spawned thread")
        << spelling(s->word);
  }
  return sema.conv.error(s->range);
}

// ---- the statements -----------------------------------------------------------------------------------------------

Stmt *ThreadRules::threadStatement(ExprStmt *s, Spawn *sp) {
  bool alone = s->expr == sp && !sema.fs->inside.stmtExprs && !sema.fs->inside.forHeader;
  if (!sema.inThread() || !alone) {
    s->expr = misplacedThreadWord(sp);
    return s;
  }
  Stmt *out;
  bool ok;
  if (sp->word == SpawnWord::Send) {
    auto *send = cx.make<SendStmt>();
    ok = typeSend(send, sp);
    out = send;
  } else {
    auto *thread = cx.make<ThreadStmt>();
    ok = typeThread(thread, sp);
    out = thread;
  }
  if (!ok) {
    s->expr = sema.conv.error(s->expr->range);
    return s;
  }
  out->range = s->range;
  out->attrs = s->attrs;
  return out;
}

bool ThreadRules::typeSend(SendStmt *out, Spawn *s) {
  std::vector<Expr *> &args = s->call->args;
  bool bad = false;
  for (Expr *&a : args) {
    a = sema.exprs.rvalueIn(SpawnPlace::Argument, a);
    bad |= a->type->isError();
  }
  if (args.size() != 2) {
    diags.report(diag::send_arguments, s->range).note(s->keyword, "the form is `send_argument(k, value);`")
        << args.size();
    return false;
  }
  if (bad) return false;
  QualType want = continued(args[0]->type);
  if (!want) {
    auto d = diags.report(diag::send_not_continuation, args[0]->range);
    d << toString(args[0]->type);
    if (continued(args[1]->type)) d.note(s->range, "the continuation comes first: `send_argument(k, value);`");
    return false;
  }
  if (continued(args[1]->type) && args[1]->type.type != want.type) {
    diags.report(diag::send_continuation, args[1]->range) << toString(args[0]->type) << toString(args[1]->type);
    return false;
  }
  out->continuation = args[0];
  out->value = sema.conv.assignConvert(args[1], want, "the value of 'send_argument'", args[1]->range);
  if (out->value->type->isError()) return false;
  if (std::string own = ownMemory(args[1], sema.fs->fn); !own.empty())
    diags.report(diag::thread_local_address, args[1]->range) << own;
  return true;
}

bool ThreadRules::typeHole(Hole *h, QualType parameter, size_t number, const FunctionDecl *thread) {
  Expr *k = h->sub = sema.exprs.expr(h->sub);
  if (k->type->isError()) return false;
  auto say = [&](DiagId id) -> DiagBuilder { return diags.report(id, k->range); };
  if (!k->lvalue || k->type->isFunction()) {
    say(diag::hole_not_lvalue).note(k->range, "declare `cont " + toString(parameter) + " k;` and write `?k`");
    return false;
  }
  QualType has = continued(k->type);
  if (!has) {
    say(diag::hole_not_continuation)
            .note(k->range, "declare it `" +
                                declToString(cx.contOf(parameter), namedVariable(k) ? namedVariable(k)->name : "k") +
                                ";`")
        << toString(k->type);
    return false;
  }
  if (has.type != parameter.type && !sema.compat.compatible(has, parameter)) {
    auto d = say(diag::cont_mismatch);
    d << toString(k->type) << "parameter " + std::to_string(number) + " of " + quotedName(thread)
      << toString(parameter);
    if (k->type.type == parameter.type) d.note(h->range, "without the '?' it passes this continuation on");
    else if (thread->range.valid()) d.note(thread->range, quotedName(thread) + " is declared here");
    return false;
  }
  if (!sema.conv.isModifiableLvalue(k, k->range, true)) return false;
  if (VarDecl *v = sema.conv.rootVariable(k)) v->assigned = true;
  h->type = has;
  return true;
}

bool ThreadRules::typeThread(ThreadStmt *out, Spawn *s) {
  out->keyword = s->keyword;
  out->form = s->word == SpawnWord::Spawn       ? ThreadForm::Spawn
              : s->word == SpawnWord::SpawnNext ? ThreadForm::SpawnNext
                                                : ThreadForm::TailCall;
  std::string word = spelling(s->word);
  if (!s->call) {
    diags.report(diag::thread_not_a_call, s->operand ? s->operand->range : s->range)
            .note(s->range, "the form is `" + word + " T(arguments);`")
        << word;
    return false;
  }
  Call *c = s->call;
  Expr *raw = ignoreParens(c->callee);
  Decl *d = raw->kind == ExprKind::Ident ? sema.scopes.lookup(raw->as<Ident>()->name) : nullptr;
  if (!d && raw->kind == ExprKind::Ident) {
    c->callee = sema.exprs.exprIn(SpawnPlace::SpawnedProcedure, c->callee);  // reports it
    return false;
  }
  FunctionDecl *named = d && d->kind == DeclKind::Function ? d->as<FunctionDecl>() : nullptr;
  FunctionDecl *thread = named && named->isThread ? named : named && named->isCilk ? threadOf(named) : nullptr;
  if (!thread) {
    auto r = diags.report(diag::spawn_non_thread, c->callee->range);
    r << word << (d ? "'" + std::string(d->name) + "'" : std::string("this"));
    if (named && named->range.valid())
      r.note(named->range, "it is declared as a C function: call it without `" + word +
                               "`, or write `thread` before its declaration and definition");
    else r.note(c->callee->range, "a thread is spawned by its name");
    return false;
  }
  named->used = true;
  named->references++;
  raw->as<Ident>()->decl = named;
  raw->type = named->type;
  raw->lvalue = true;
  out->callee = c->callee;
  out->thread = thread;
  if (named->isCilk && out->form == ThreadForm::TailCall) {
    diags.report(diag::tail_call_procedure, c->callee->range)
            .note(s->range, "write `spawn " + std::string(named->name) + "(k, ..);`")
        << named->name;
    return false;
  }
  const auto *ft = thread->type->as<FunctionType>();
  if (ft->params.size() != c->args.size()) {
    auto r = diags.report(diag::thread_arguments, c->range);
    r << c->args.size() << quotedName(named) << ft->params.size();
    if (named->isCilk)
      r.note(named->range,
          "for a thread it is '" + toString(thread->type) + "': the first argument is the continuation for its result");
    else if (named->range.valid()) r.note(named->range, quotedName(named) + " is declared here");
    return false;
  }
  bool ok = true;
  const Expr *hole = nullptr;
  for (size_t i = 0; i < c->args.size(); i++) {
    QualType want = ft->params[i].unqual();
    if (want->isError()) ok = false;
    else if (c->args[i]->kind != ExprKind::Hole) ok &= typeArgument(c->args[i], want, i + 1, named);
    else {
      hole = c->args[i];
      ok &= typeHole(c->args[i]->as<Hole>(), want, i + 1, named) && !twice(c->args, i);
    }
  }
  if (hole && out->form == ThreadForm::TailCall) {
    diags.report(diag::tail_call_hole, hole->range)
            .note(s->keyword, "write `spawn_next`: the thread runs when the argument was sent")
        << word;
    return false;
  }
  out->arguments = c->args;
  return typePlacement(out, s) && ok;
}

// spawn T(?k, ?k)
bool ThreadRules::twice(const std::vector<Expr *> &args, size_t i) {
  const Expr *k = ignoreParens(args[i]->as<Hole>()->sub);
  for (size_t j = 0; j < i; j++)
    if (args[j]->kind == ExprKind::Hole && sameObject(ignoreParens(args[j]->as<Hole>()->sub), k)) {
      diags.report(diag::hole_twice, args[i]->range).note(args[j]->range, "it is this argument's continuation already")
          << (namedVariable(k) ? std::string(namedVariable(k)->name) : "this continuation");
      return true;
    }
  return false;
}

bool ThreadRules::typeArgument(Expr *&a, QualType want, size_t number, const FunctionDecl *thread) {
  a = sema.exprs.rvalueIn(SpawnPlace::Argument, a);
  if (a->type->isError()) return false;
  if (want->isCont() && a->type.type != want.type) {
    auto r = diags.report(continued(a->type) ? diag::cont_mismatch_passed : diag::cont_expected, a->range);
    r << toString(a->type) << "parameter " + std::to_string(number) + " of " + quotedName(thread) << toString(want);
    if (thread->range.valid()) r.note(thread->range, quotedName(thread) + " is declared here");
    return false;
  }
  if (continued(a->type) && !want->isCont()) {
    auto r = diags.report(diag::cont_mismatch_passed, a->range);
    r << toString(a->type) << "parameter " + std::to_string(number) + " of " + quotedName(thread) << toString(want);
    const VarDecl *v = namedVariable(a);
    if (v && continued(a->type).type == want.type)
      r.note(a->range, "write `?" + std::string(v->name) + "` where the value comes later: " + std::string(v->name) +
                           " becomes the continuation for it");
    else if (thread->range.valid()) r.note(thread->range, quotedName(thread) + " is declared here");
    return false;
  }
  if (std::string own = ownMemory(a, sema.fs->fn); !own.empty())
    diags.report(diag::thread_local_address, a->range) << own;
  a = sema.conv.assignConvert(a, want, "argument " + std::to_string(number) + " of " + quotedName(thread), a->range);
  return !a->type->isError();
}

bool ThreadRules::typePlacement(ThreadStmt *out, Spawn *s) {
  if (!s->placement) return true;
  Expr *p = sema.exprs.rvalueIn(SpawnPlace::Argument, s->placement);
  if (p->type->isError()) return false;
  if (!p->type->isInteger()) {
    diags.report(diag::placement_type, p->range) << toString(p->type);
    return false;
  }
  if (out->form == ThreadForm::TailCall) {
    diags.report(diag::placement_tail_call, p->range) << spelling(s->word);
    return false;
  }
  out->placement = sema.conv.convert(p, cx.basic(TypeKind::Int));
  return true;
}

// ---- threads for Cilk-5, procedures for Cilk-1 --------------------------------------------------------------------

FunctionDecl *ThreadRules::procedureOf(FunctionDecl *thread) {
  if (thread->procedure) return thread->procedure;
  const auto *ft = thread->type->as<FunctionType>();
  if (ft->params.empty() || !ft->params[0]->isCont()) return nullptr;
  FunctionType type;
  type.result = continued(ft->params[0]);
  type.params.assign(ft->params.begin() + 1, ft->params.end());
  type.isCilk = true;
  auto *p = cx.make<FunctionDecl>();
  p->name = thread->name;
  p->type = cx.functionType(type);
  p->range = thread->range;
  p->storage = thread->storage;
  p->linkage = thread->linkage;
  p->isCilk = p->used = true;
  p->thread = thread;
  thread->procedure = p;
  sema.tu->functions.push_back(p);
  return p;
}

// { T result; <run the thread>; return result; }
void ThreadRules::defineProcedure(FunctionDecl *thread) {
  FunctionDecl *p = procedureOf(thread);
  if (!p || p->def || diags.hadError()) return;
  const auto *type = p->type->as<FunctionType>();
  Range where = thread->range;
  auto variable = [&](std::string_view name, QualType t) {
    auto *v = cx.make<VarDecl>();
    v->name = name;
    v->type = t;
    v->range = where;
    v->isLocal = v->isDefinition = v->used = v->assigned = true;
    v->fn = p;
    return v;
  };
  auto name = [&](VarDecl *v) {
    auto *id = cx.make<Ident>();
    id->name = v->name;
    id->range = where;
    id->decl = v;
    id->type = v->type;
    id->lvalue = true;
    return id;
  };
  for (size_t i = 0; i < type->params.size(); i++) {
    VarDecl *v = variable(thread->params[i + 1]->name, type->params[i]);
    v->isParam = true;
    v->paramIndex = static_cast<uint32_t>(i);
    p->params.push_back(v);
  }
  VarDecl *result = variable("result", type->result.unqual());
  result->hidden = true;
  p->locals.push_back(result);
  auto *run = cx.make<ThreadStmt>();
  run->range = where;
  run->form = ThreadForm::Root;
  run->thread = thread;
  run->receiver = name(result);
  for (VarDecl *v : p->params) run->arguments.push_back(sema.conv.load(name(v)));
  auto *back = cx.make<ReturnStmt>();
  back->range = where;
  back->value = sema.conv.load(name(result));
  auto *def = cx.make<FunctionDef>();
  def->specs = thread->def->specs;
  def->declarator = thread->def->declarator;
  def->range = thread->def->range;
  def->cilkMode = true;
  def->fn = p;
  def->body = cx.make<CompoundStmt>();
  def->body->range = where;
  def->body->closing = where;
  def->body->body = {run, back};
  p->def = def;
}

FunctionDecl *ThreadRules::threadOf(FunctionDecl *procedure) {
  if (procedure->thread) return procedure->thread;
  const auto *pt = procedure->type->as<FunctionType>();
  FunctionType type;
  type.result = cx.basic(TypeKind::Void);
  type.isThread = true;
  type.params.push_back(cx.contOf(pt->result->isVoid() ? QualType(cx.basic(TypeKind::Int)) : pt->result.unqual()));
  type.params.insert(type.params.end(), pt->params.begin(), pt->params.end());
  auto *t = cx.make<FunctionDecl>();
  t->name = procedure->name;
  t->type = cx.functionType(type);
  t->range = procedure->range;
  t->linkage = Linkage::Internal;
  t->isThread = t->isAdapter = t->used = true;
  t->procedure = procedure;
  return procedure->thread = t;
}

}  // namespace cilkc
