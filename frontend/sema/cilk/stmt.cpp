// stmt.cpp - what Cilk adds to the statements of C: a statement that is a spawn, sync or abort; the touches and awaited
// calls that go before a statement; jumps out of the blocks of OpenCilk's spelling.
//
// C's rule for a statement is `ofC`; what is done around it is here.
#include <algorithm>
#include "frontend/ast/kinds.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/cilk/build.h"
#include "diag/cilk.h"
#include "diag/cilk1.h"

namespace cilkc {

namespace {

// Does the procedure have a variable with a cleanup so far? Its children may use that variable. So what leaves the
// procedure syncs before the cleanups, not after them.
bool cleansUp(const Sema &sema) {
  if (!sema.inProcedure()) return false;
  const auto &locals = sema.fs->fn->locals;
  return std::any_of(locals.begin(), locals.end(), [](const VarDecl *v) { return v->attrs.cleanup != nullptr; });
}

SyncStmt *syncAt(Sema &sema, Range where) {
  auto *sync = sema.cx.make<SyncStmt>();
  sync->range = where;
  return sync;
}

// { value = e; sync; return value; }
Stmt *returnAfterSync(CilkSema &sema, ReturnStmt *r) {
  Build b{sema, r->range};
  std::vector<Stmt *> body;
  if (r->value && !r->value->type->isError()) {
    if (r->value->type->isVoid()) {
      auto *s = b.make<ExprStmt>();
      s->expr = r->value;
      r->value = nullptr;
      body.push_back(s);
    } else {
      VarDecl *value = b.local(r->value->type.unqual(), "value");
      body.push_back(b.assign(value, r->value));
      r->value = b.value(value);
    }
  }
  body.push_back(syncAt(sema, r->range));
  body.push_back(r);
  return b.block(std::move(body));
}

// The rules of each kind; the node to use instead is returned.
struct Around : CilkStage {
  using CilkStage::CilkStage;
  Stmt *ofC(Stmt *s) { return sema.stmts.ofC(s); }
  template <class T> Stmt *on(T &s) { return ofC(&s); }
  Stmt *on(CompoundStmt &s) {
    if (s.isScope && sema.inProcedure()) return sema.openCilk.scope(&s);
    const bool joined = sema.fs->labels.scopes.empty();  // the body of a loop or a spawned block
    ofC(&s);
    if (!joined) sema.openCilk.checkReceivers(&s);
    return &s;
  }
  Stmt *on(DeclStmt &);
  Stmt *on(ExprStmt &);
  Stmt *on(ReturnStmt &);
  Stmt *on(SyncStmt &);
  Stmt *on(AbortStmt &s) {
    sema.cilk.cilkStatement(&s);
    return &s;
  }
  Stmt *on(IfStmt &s) { return afterTouches(s); }
  Stmt *on(SwitchStmt &s) { return afterTouches(s); }
  Stmt *on(WhileStmt &s) { return loop(s); }
  Stmt *on(DoStmt &s) { return loop(s); }
  Stmt *on(ForStmt &s) { return s.isParallel ? sema.openCilk.loop(&s) : loop(s); }
  Stmt *on(ContinueStmt &s) { return jump(s, "continue", &OpenCilkFunction::ScopeMark::loops, sema.fs->inside.loops); }
  Stmt *on(BreakStmt &s) {
    return jump(s, "break", &OpenCilkFunction::ScopeMark::breakables, sema.fs->inside.breakables);
  }
  Stmt *on(GotoStmt &s) {
    const auto &scopes = sema.here()->scopes;
    const bool leaves =
        std::any_of(scopes.begin(), scopes.end(), [&](const auto &m) { return !m.labels.count(s.name); });
    return sema.openCilk.leaving(ofC(&s), leaves);
  }

private:
  template <class T> Stmt *afterTouches(T &s) {
    const size_t since = sema.ss.touched.size();
    if (!sema.fs->inside.stmtExprs) sema.futures.look(s.cond);
    return sema.futures.lift(ofC(&s), since);
  }
  template <class T> Stmt *loop(T &s) {
    Stmt *other = sema.openCilk.testInside(&s);
    return other ? sema.stmts.stmt(other) : ofC(&s);
  }
  // `around`: how many statements of the function it may end or continue
  Stmt *jump(Stmt &s, const char *word, unsigned OpenCilkFunction::ScopeMark::*of, unsigned around) {
    if (!around && sema.outlined()) return sema.openCilk.cannotLeave(&s, word);
    const auto &scopes = sema.here()->scopes;
    return sema.openCilk.leaving(ofC(&s), !scopes.empty() && scopes.back().*of == around);
  }
};

Stmt *Around::on(DeclStmt &d) {
  if (d.sassert || !d.decl) return ofC(&d);
  const size_t since = sema.ss.touched.size();
  std::vector<ExprStmt *> spawns;
  std::vector<InitDeclarator *> pointers;
  if (!sema.fs->inside.forHeader && !sema.fs->inside.stmtExprs) {
    for (InitDeclarator &i : d.decl->declarators) sema.futures.look(i.init);
    sema.futures.takeSpawns(d.decl, spawns, pointers);
  }
  sema.openCilk.takeSpawns(d.decl, spawns);
  for (InitDeclarator &i : d.decl->declarators) sema.cilk.initializerSpawns(i);
  ofC(&d);
  for (InitDeclarator &i : d.decl->declarators) sema.finishDeclarator(i);
  for (InitDeclarator *i : pointers) sema.futures.initialisedPointer(*i);
  sema.futures.aroundDeclaration(&d, since, spawns);
  return &d;
}

Stmt *Around::on(ExprStmt &s) {
  if (!s.expr) return ofC(&s);
  const FunctionState::Inside &in = sema.fs->inside;
  Saved since(sema.ss.since, sema.ss.touched.size());
  if (cx.openCilkWords && !s.expr->type)
    if (Stmt *spawned = sema.openCilk.lowerSpawn(&s)) return sema.futures.lift(spawned, sema.ss.since);
  if (!in.forHeader && !in.stmtExprs) sema.futures.look(s.expr);
  if (s.expr->type) return sema.futures.lift(ofC(&s), sema.ss.since);
  if (const SpawnForms f = spawnForms(s.expr); f.spawn) {
    if (sema.inThread() || f.spawn->word != SpawnWord::Spawn) return sema.threads.threadStatement(&s, f.spawn);
    if (!in.stmtExprs && !in.forHeader) return sema.futures.lift(sema.cilk.spawnStatement(&s, f), sema.ss.since);
    s.expr = sema.cilk.misplacedSpawn(f.spawn, in.stmtExprs ? SpawnPlace::StatementExpression : SpawnPlace::ForHeader);
    return &s;
  }
  if (s.expr->kind == ExprKind::Assign)
    if (Expr *e = sema.cilk.spawnBeforeReceiver(s.expr->as<Assign>())) return s.expr = e, &s;
  return sema.futures.lift(ofC(&s), sema.ss.since);
}

Stmt *Around::on(ReturnStmt &s) {
  if (sema.outlined()) return sema.openCilk.cannotLeave(&s, "return");
  const size_t since = sema.ss.touched.size();
  if (!sema.fs->inside.stmtExprs) sema.futures.look(s.value);
  Stmt *r = &s;
  if (sema.inThread() && s.value) {
    const Range where = s.value->range;
    s.value = sema.stmts.wholeExpr(SpawnPlace::Return, s.value);
    if (!s.value->type->isError()) {
      diags.report(diag::thread_return_value, where)
          .note(where, "write `send_argument(k, ..);`, where k is the continuation for this value");
      s.value = sema.conv.error(where);
    }
  } else {
    if (s.value) s.value = sema.openCilk.takeReturnedSpawn(s.value);
    r = ofC(&s);
  }
  const bool joined = sema.openCilk.returnsReducers();
  if (!joined && cleansUp(sema)) r = returnAfterSync(sema, &s);
  return sema.openCilk.leaving(sema.futures.lift(r, since), joined);
}

Stmt *Around::on(SyncStmt &s) {
  // of a function without children
  if (cx.lang.openCilk && !sema.fs->inside.stmtExprs && !sema.inProcedure() && !sema.inThread()) {
    const FunctionDecl *f = sema.fs->fn;
    if (f && !cx.lang.serial && !diags.sources().resolve(s.range.begin).fromMacro)
      diags.report(diag::sync_no_child, s.range)
          .note(f->range, "'" + std::string(f->name) +
                              "' spawns nothing, and does not wait for children of its caller: write the `sync;` "
                              "where they are spawned");
    auto *nothing = cx.make<NullStmt>();
    nothing->range = s.range;
    return nothing;
  }
  sema.cilk.cilkStatement(&s);
  return &s;
}

}  // namespace

Stmt *CilkSema::statement(Stmt *s) {
  if (os.grainsize && s->kind != StmtKind::Pragma && !(s->kind == StmtKind::For && s->as<ForStmt>()->isParallel))
    openCilk.grainOfNothing();
  Saved waits(os.awaits, openCilk.awaits(s));
  return dispatchToChange(Around(*this), s);
}

bool CilkSema::block(CompoundStmt *c, bool ofFunction) {
  if (!os.spawning.empty()) openCilk.prepare(c);
  std::vector<Stmt *> body;
  body.reserve(c->body.size());
  bool keeps = false;
  {
    Saved first(ss.beforeDeclaration, std::vector<Stmt *>()), last(ss.afterDeclaration, std::vector<Stmt *>());
    for (Stmt *s : c->body) {
      const size_t placed = body.size();
      futures.place(body, stmts.stmt(s));
      for (size_t i = placed; i < body.size(); i++) keeps = keeps || openCilk.keepsReducer(c, body[i]);
    }
  }
  if (keeps) here()->scopes.pop_back();
  if (keeps || (ofFunction && cleansUp(*this))) body.push_back(syncAt(*this, c->closing));
  c->body = std::move(body);
  return true;
}

// With a block around it if it is a declaration of more than it says: of a literal (reduce.cpp).
Stmt *CilkSema::substatement(Stmt *body) {
  Saved first(ss.beforeDeclaration, std::vector<Stmt *>()), last(ss.afterDeclaration, std::vector<Stmt *>());
  Stmt *s = stmts.stmt(body);
  if (ss.beforeDeclaration.empty()) return s;
  auto *around = cx.make<CompoundStmt>();
  around->range = s->range;
  around->closing = Range{s->range.end, s->range.end};
  futures.place(around->body, s);
  return around;
}

bool CilkSema::separate(const Expr *condition) const {
  return (!os.spawning.empty() && openCilk.mayAwait(condition)) ||
         (cx.touches && anyExpr(condition, Walk::Evaluated, [](const Expr *x) { return x->kind == ExprKind::Touch; }));
}

// Where OpenCilk's call waited before the statement, only its value is left in it.
bool CilkSema::hasWaited(const Expr *e, bool call) const {
  return e->kind == ExprKind::Touch || (call && ss.touched.size() > ss.since);
}

const char *CilkSema::noJumpInto(const Decl *d) const {
  return d->kind == DeclKind::Var && openCilk.registers(d->as<VarDecl>()) ? "is a reducer" : nullptr;
}

std::string CilkSema::labelAdvice() const {
  if (inInlet())
    return "a goto cannot leave an inlet: let it set a variable that the procedure tests after its `sync;`";
  return outlined() ? openCilk.labelAdvice() : "";
}

Expr *CilkSema::expr(Expr *e) {
  if (e->kind == ExprKind::Spawn) return cilk.misplacedSpawn(e->as<Spawn>(), spawnPlace);
  if (e->kind == ExprKind::Touch) return futures.touch(e->as<TouchExpr>());
  if (e->kind == ExprKind::Hole) return threads.misplacedHole(e->as<Hole>());
  return cilk.typeSynched(e->as<Synched>());
}

Expr *CilkSema::operandItself(Expr *e) {
  Saved raw(os.rawReducer, true);
  return exprs.exprIn(SpawnPlace::Operand, e);
}

void CilkSema::functionEnds(FunctionDecl *f, FunctionDef *def) {
  if (f->isCilk && f->attrs.remote && def->body && !cx.lang.serial && !diags.hadError()) cilk.offerRemote(def);
  if (f->isThread) threads.defineProcedure(f);
  if (def->body) openCilk.settleCalls(def);
}

}  // namespace cilkc
