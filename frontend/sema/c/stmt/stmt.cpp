// stmt.cpp - statements (C17 6.8).
//
// A rule takes the untyped statement and returns the node to use instead. Labels and jumps are in jump.cpp, switches in
// switch.cpp, `asm` in asm.cpp. Else-if chains are walked, not recursed into.
#include <algorithm>
#include "frontend/ast/kinds.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/c/core/sema.h"
#include "frontend/sema/cilk/build.h"

namespace cilkc {

namespace {

struct BlockScope {
  Sema *s;
  explicit BlockScope(Sema &sema) : s(sema.cx.lang.std >= LangOptions::C99 ? &sema : nullptr) {
    if (s) s->scopes.pushScope(Scope::Block);
  }
  ~BlockScope() {
    if (s) s->scopes.popScope();
  }
};

}  // namespace

Stmt *Stmts::substatement(Stmt *body) {
  if (body && body->kind == StmtKind::Compound) return stmt(body);  // has its own scope
  BlockScope block(sema);
  Saved first(sema.ss.beforeDeclaration, std::vector<Stmt *>()), last(sema.ss.afterDeclaration, std::vector<Stmt *>());
  Stmt *s = stmt(body);
  if (sema.ss.beforeDeclaration.empty()) return s;
  auto *around = sema.cx.make<CompoundStmt>();  // of the literal that it declares (reduce.cpp)
  around->range = s->range;
  around->closing = Range{s->range.end, s->range.end};
  sema.futures.place(around->body, s);
  return around;
}

// ---- cleanups ------------------------------------------------------------------------------------------------------

namespace {
// Does the procedure have a variable with a cleanup so far? Its children may use that variable. So what leaves the
// procedure syncs before the cleanups, not after them.
bool cleansUp(const Sema &sema) {
  if (!sema.cilk.isCilkProcedure()) return false;
  const auto &locals = sema.fs->fn->locals;
  return std::any_of(locals.begin(), locals.end(), [](const VarDecl *v) { return v->attrs.cleanup != nullptr; });
}

SyncStmt *syncAt(Sema &sema, Range where) {
  auto *sync = sema.cx.make<SyncStmt>();
  sync->range = where;
  return sync;
}

// { value = e; sync; return value; }
Stmt *returnAfterSync(Sema &sema, ReturnStmt *r) {
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
}  // namespace

// ---- compound statements ------------------------------------------------------------------------------------------

void Stmts::compound(CompoundStmt *c, bool newScope) {
  if (newScope) sema.scopes.pushScope(Scope::Block);
  const JumpScope *saved = sema.fs->jumpScope;
  sema.fs->labelScopes.emplace_back();
  sema.warn.warnIndentation(c);
  const Stmt *code = nullptr;  // a statement before a declaration
  bool begun = false;
  for (const Stmt *x : c->body) {
    if (x->kind != StmtKind::LocalLabel && x->kind != StmtKind::Pragma) begun = true;
    else if (begun && x->kind == StmtKind::LocalLabel) diags.report(diag::label_late, x->range);
    if (x->kind == StmtKind::Decl && code && !x->as<DeclStmt>()->sassert) {
      diags.report(cx.lang.std < LangOptions::C99 ? diag::declaration_after_statement_c90
                                                  : diag::declaration_after_statement,
          x->range);
      code = nullptr;  // once for adjacent declarations
      continue;
    }
    if (x->kind != StmtKind::Decl && x->kind != StmtKind::Pragma && x->kind != StmtKind::LocalLabel &&
        x->kind != StmtKind::Function && x->kind != StmtKind::Error)
      code = x;
  }
  if (!sema.os.spawning.empty()) sema.openCilk.prepare(c);
  std::vector<Stmt *> body;
  body.reserve(c->body.size());
  bool keeps = false;
  {
    Saved first(sema.ss.beforeDeclaration, std::vector<Stmt *>()),
        last(sema.ss.afterDeclaration, std::vector<Stmt *>());
    for (Stmt *s : c->body) {
      const size_t placed = body.size();
      sema.futures.place(body, stmt(s));
      for (size_t i = placed; i < body.size(); i++) keeps = keeps || sema.openCilk.keepsReducer(c, body[i]);
    }
  }
  if (keeps) {
    sema.fs->scopes.pop_back();
    body.push_back(syncAt(sema, c->closing));
  } else if (!newScope && cleansUp(sema)) {
    body.push_back(syncAt(sema, c->closing));
  }
  c->body = std::move(body);
  sema.fs->labelScopes.pop_back();
  sema.fs->jumpScope = saved;
  if (newScope) sema.scopes.popScope();
}

// ---- the dispatch -------------------------------------------------------------------------------------------------

namespace {

// The rules of each kind; the node to use instead is returned.
struct Rules : Stmts {
  using Stmts::Stmts;
  Stmt *on(ErrorStmt &s) { return &s; }
  Stmt *on(NullStmt &s) {
    for (const Attr *a : s.attrs)
      if (a->name == "fallthrough") {
        if (sema.fs->switches.empty() && !sema.tu->damaged) diags.report(diag::fallthrough_outside, s.range);
      } else if (a->name != "assume") {
        diags.report(diag::attribute_ignored, a->range) << a->name << "an empty statement";
      }
    return &s;
  }
  Stmt *on(ExprStmt &s) { return exprStmt(&s); }
  Stmt *on(CompoundStmt &s) {
    if (s.isScope && sema.cilk.isCilkProcedure()) return sema.openCilk.scope(&s);
    const bool joined = sema.fs->labelScopes.empty();  // the body of a loop or a spawned block
    compound(&s, true);
    if (!joined) sema.openCilk.checkReceivers(&s);
    return &s;
  }
  Stmt *on(DeclStmt &);
  Stmt *on(IfStmt &);
  Stmt *on(WhileStmt &);
  Stmt *on(DoStmt &);
  Stmt *on(ForStmt &);
  Stmt *on(SwitchStmt &s) {
    BlockScope whole(sema);
    size_t since = sema.ss.touched.size();
    if (!sema.fs->stmtExprs) sema.futures.look(s.cond);
    return sema.futures.lifted(switchStmt(&s), since);
  }
  Stmt *on(CaseStmt &s) { return caseStmt(&s); }
  Stmt *on(DefaultStmt &s) { return caseStmt(&s); }
  Stmt *on(LabelStmt &s) { return labelStmt(&s); }
  Stmt *on(GotoStmt &s) { return gotoStmt(&s); }
  Stmt *on(GotoExprStmt &s) { return computedGoto(&s); }
  Stmt *on(ContinueStmt &s) {
    if (!sema.fs->loops && sema.fs->outlined) return sema.openCilk.cannotLeave(&s, "continue");
    if (!sema.fs->loops && !sema.tu->damaged) diags.report(diag::continue_outside, s.range);
    return sema.openCilk.leaving(&s, !sema.fs->scopes.empty() && sema.fs->scopes.back().loops == sema.fs->loops);
  }
  Stmt *on(BreakStmt &s) {
    if (!sema.fs->breakables && sema.fs->outlined) return sema.openCilk.cannotLeave(&s, "break");
    if (!sema.fs->breakables && !sema.tu->damaged) diags.report(diag::break_outside, s.range);
    return sema.openCilk.leaving(&s,
        !sema.fs->scopes.empty() && sema.fs->scopes.back().breakables == sema.fs->breakables);
  }
  Stmt *on(ReturnStmt &s) {
    if (sema.fs->outlined) return sema.openCilk.cannotLeave(&s, "return");
    size_t since = sema.ss.touched.size();
    if (!sema.fs->stmtExprs) sema.futures.look(s.value);
    Saved waits(sema.os.awaits, sema.openCilk.inside());
    Stmt *r = returnStmt(&s);
    bool joined = sema.openCilk.returnsReducers();
    if (!joined && cleansUp(sema)) r = returnAfterSync(sema, &s);
    return sema.openCilk.leaving(sema.futures.lifted(r, since), joined);
  }
  Stmt *on(AsmStmt &s) {
    asmStmt(&s);
    return &s;
  }
  Stmt *on(LocalLabelStmt &s) { return localLabels(&s); }
  Stmt *on(SpawnStmt &s) { return &s; }
  Stmt *on(ThreadStmt &s) { return &s; }
  Stmt *on(TouchStmt &s) { return &s; }
  Stmt *on(SendStmt &s) { return &s; }
  Stmt *on(SyncStmt &s) {
    // of a function without children
    if (cx.lang.openCilk && !sema.fs->stmtExprs && !sema.cilk.isCilkProcedure() && !sema.threads.inThread()) {
      const FunctionDecl *f = sema.fs->fn;
      if (f && !cx.lang.serial && !sema.diags.sources().resolve(s.range.begin).fromMacro)
        sema.diags.report(diag::sync_no_child, s.range)
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
  Stmt *on(AbortStmt &s) {
    sema.cilk.cilkStatement(&s);
    return &s;
  }
  Stmt *on(FunctionStmt &f) {
    if (f.def) sema.decls.functionDefinition(f.def, true);
    return &f;
  }
  Stmt *on(PragmaStmt &s) {
    if (s.pragma) sema.decls.pragma(s.pragma);
    return &s;
  }
};

}  // namespace

Stmt *Stmts::stmt(Stmt *s) {
  if (!s) return cx.make<NullStmt>();
  if (s->range.valid()) compilingNow = s->range.begin;
  if (sema.os.grainsize && s->kind != StmtKind::Pragma && !(s->kind == StmtKind::For && s->as<ForStmt>()->isParallel)) {
    sema.openCilk.grainOfNothing();
  }
  return dispatchToChange(Rules(sema), s);
}

Stmt *Rules::on(DeclStmt &d) {
  if (d.sassert) {
    sema.decls.staticAssert(d.sassert);
    return &d;
  }
  if (!d.decl) return &d;
  Saved waits(sema.os.awaits, !sema.fs->forHeader && sema.openCilk.inside() && d.decl->declarators.size() == 1);
  size_t since = sema.ss.touched.size();
  std::vector<ExprStmt *> spawns;
  std::vector<InitDeclarator *> pointers;
  if (!sema.fs->forHeader && !sema.fs->stmtExprs) {
    for (InitDeclarator &i : d.decl->declarators) sema.futures.look(i.init);
    sema.futures.takeSpawns(d.decl, spawns, pointers);
  }
  sema.openCilk.takeSpawns(d.decl, spawns);
  for (InitDeclarator &i : d.decl->declarators) sema.cilk.initializerSpawns(i);
  {
    Saved place(sema.spawnPlace, SpawnPlace::Initializer);
    sema.decls.declaration(d.decl, false);
  }
  for (InitDeclarator &i : d.decl->declarators) {
    if (!i.decl || !i.decl->type || (i.decl->kind != DeclKind::Var && i.decl->kind != DeclKind::Typedef)) continue;
    const bool reducer = i.decl->kind == DeclKind::Var && sema.openCilk.registers(i.decl->as<VarDecl>());
    if (reducer || isVariablyModified(i.decl->type.type)) {
      auto *mark = cx.make<JumpScope>();
      mark->up = sema.fs->jumpScope;
      mark->decl = i.decl;
      mark->what = reducer ? "is a reducer" : "has variable size";
      sema.fs->jumpScope = mark;
    }
  }
  for (InitDeclarator &i : d.decl->declarators) sema.futures.declared(i), sema.openCilk.declaredReducer(i);
  for (InitDeclarator *i : pointers) sema.futures.initialisedPointer(*i);
  sema.futures.aroundDeclaration(&d, since, spawns);
  return &d;
}

// What a statement without braces ends with: an `else` after that belongs to it, not to an `if` around the statement.
static const Stmt *innermost(const Stmt *s) {
  while (s) {
    if (s->kind == StmtKind::For) s = s->as<ForStmt>()->body;
    else if (s->kind == StmtKind::While) s = s->as<WhileStmt>()->body;
    else if (s->kind == StmtKind::Switch) s = s->as<SwitchStmt>()->body;
    else if (s->kind == StmtKind::Label) s = s->as<LabelStmt>()->sub;
    else if (s->kind == StmtKind::Case) s = s->as<CaseStmt>()->sub;
    else if (s->kind == StmtKind::Default) s = s->as<DefaultStmt>()->sub;
    else if (s->kind == StmtKind::Compound && s->as<CompoundStmt>()->body.size() == 2 &&
             s->as<CompoundStmt>()->body[0]->kind == StmtKind::Pragma &&
             s->as<CompoundStmt>()->closing.begin == s->as<CompoundStmt>()->closing.end)
      s = s->as<CompoundStmt>()->body[1];  // the parser's, for a pragma
    else break;
  }
  return s;
}

// Since C99 a selection or iteration statement and each of its substatements are blocks (6.8.4p3, 6.8.5p5). This shows
// only in tags and enumerators that expressions declare.
Stmt *Rules::on(IfStmt &top) {
  BlockScope whole(sema);
  size_t since = sema.ss.touched.size();
  if (!sema.fs->stmtExprs) sema.futures.look(top.cond);
  int dead = 0;  // branches around the current branch that are never taken
  for (IfStmt *i = &top;;) {
    {
      Saved waits(sema.os.awaits, sema.openCilk.inside());
      i->cond = conditionOf(i->cond);
    }
    if (const Stmt *inner = innermost(i->then);
        inner && inner->kind == StmtKind::If && !i->otherwise && inner->as<IfStmt>()->otherwise)
      diags.report(diag::dangling_else, i->range);
    if (i->then && i->then->kind == StmtKind::Null && i->then->attrs.empty() && !i->otherwise)
      diags.report(diag::empty_body, i->then->range) << "if";
    auto known = sema.conv.knownInteger(i->cond);
    bool never = known && *known == 0;
    sema.deadCode += never;
    i->then = substatement(i->then);
    sema.deadCode -= never;
    if (!i->otherwise) break;
    if (i->otherwise->kind == StmtKind::Null && i->otherwise->attrs.empty())
      diags.report(diag::empty_body_else, i->otherwise->range);
    if (known && *known != 0) sema.deadCode++, dead++;
    if (i->otherwise->kind != StmtKind::If ||
        (!sema.os.spawning.empty() && sema.openCilk.mayAwait(i->otherwise->as<IfStmt>()->cond)) ||
        (cx.touches && anyExpr(i->otherwise->as<IfStmt>()->cond, Walk::Evaluated,
                           [](const Expr *x) { return x->kind == ExprKind::Touch; }))) {
      i->otherwise = substatement(i->otherwise);
      break;
    }
    i = i->otherwise->as<IfStmt>();
  }
  sema.deadCode -= dead;
  sema.warn.checkIfChain(&top);
  return sema.futures.lifted(&top, since);
}

Stmt *Rules::on(WhileStmt &w) {
  if (Stmt *other = sema.openCilk.testedInside(&w)) return stmt(other);
  BlockScope whole(sema);
  w.cond = conditionOf(w.cond);
  sema.fs->loops++, sema.fs->breakables++;
  w.body = substatement(w.body);
  sema.fs->loops--, sema.fs->breakables--;
  return &w;
}

Stmt *Rules::on(DoStmt &d) {
  if (Stmt *other = sema.openCilk.testedInside(&d)) return stmt(other);
  BlockScope whole(sema);
  sema.fs->loops++, sema.fs->breakables++;
  d.body = substatement(d.body);
  sema.fs->loops--, sema.fs->breakables--;
  d.cond = conditionOf(d.cond);
  return &d;
}

Stmt *Rules::on(ForStmt &f) {
  if (f.isParallel) return sema.openCilk.loop(&f);
  if (Stmt *other = sema.openCilk.testedInside(&f)) return stmt(other);
  sema.scopes.pushScope(Scope::Block);
  const JumpScope *saved = sema.fs->jumpScope;
  sema.fs->forHeader = true;
  if (f.init && f.init->kind == StmtKind::Decl && cx.lang.std < LangOptions::C99)
    diags.report(diag::c99_extension, f.init->range) << "declarations in the first part of 'for'";
  if (f.init) f.init = stmt(f.init);
  sema.fs->forHeader = false;
  if (f.cond) f.cond = conditionOf(f.cond);
  sema.fs->loops++, sema.fs->breakables++;
  if (f.step) {
    ignoreValue(f.step);
    std::vector<const Expr *> unused;
    sema.warn.unusedCalls(f.step, unused);
    f.step = sema.conv.discard(wholeExpr(SpawnPlace::ForHeader, f.step));
    warnUnusedValue(f.step);
    sema.warn.checkUnusedResults(std::move(unused));
  }
  f.body = substatement(f.body);
  sema.fs->loops--, sema.fs->breakables--;
  sema.fs->jumpScope = saved;
  sema.scopes.popScope();
  sema.warn.checkCountedLoop(&f);
  return &f;
}

// A condition of a statement; `if (a = b)` is warned about.
Expr *Stmts::conditionOf(Expr *untyped) {
  if (!untyped) return sema.conv.error({});
  bool plainAssign = untyped->kind == ExprKind::Assign && !untyped->as<Assign>()->compound;
  Saved place(sema.spawnPlace, SpawnPlace::Condition);
  Spawn *sp = spawnStatementForm(untyped);
  Expr *e = sp ? sema.cilk.misplacedSpawn(sp, sema.spawnPlace) : sema.conv.condition(untyped);
  sema.warn.checkFullExpression(e);
  if (!e->type->isError()) sema.warn.checkTruth(e);
  if (plainAssign && !e->type->isError()) diags.report(diag::assignment_condition, untyped->range);
  return e;
}

// The expression of a statement that allows no spawn, not even in one of its forms.
Expr *Stmts::wholeExpr(SpawnPlace place, Expr *e) {
  Spawn *s = spawnStatementForm(e);
  return s ? sema.cilk.misplacedSpawn(s, place) : sema.exprs.exprIn(place, e);
}

// The spawn of `spawn f()`, `x = spawn f()`, `inl(spawn f())` or `x = inl(spawn f())`, if e has one of these forms.
Spawn *Stmts::spawnStatementForm(Expr *e) const {
  if (!e) return nullptr;
  if (e->kind == ExprKind::Spawn) return e->as<Spawn>();
  if (e->kind == ExprKind::Assign && e->as<Assign>()->rhs) {
    Expr *r = e->as<Assign>()->rhs;
    if (r->kind == ExprKind::Spawn) return r->as<Spawn>();
    if (r->kind == ExprKind::Call && !r->as<Call>()->args.empty() && r->as<Call>()->args[0]->kind == ExprKind::Spawn)
      return r->as<Call>()->args[0]->as<Spawn>();
  }
  if (e->kind == ExprKind::Call && !e->as<Call>()->args.empty() && e->as<Call>()->args[0]->kind == ExprKind::Spawn)
    return e->as<Call>()->args[0]->as<Spawn>();
  return nullptr;
}

void Stmts::warnUnusedValue(const Expr *e) {
  if (!e->type || e->type->isError() || e->type->isVoid()) return;
  const Expr *x = e;
  for (;;) {
    if (x->kind == ExprKind::Paren) x = x->as<ParenExpr>()->sub;
    else if (x->kind == ExprKind::ImplicitCast) {
      if (x->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue && x->as<ImplicitCast>()->sub->type.isVolatile())
        return;
      x = x->as<ImplicitCast>()->sub;
    } else break;
  }
  switch (x->kind) {
    case ExprKind::Ident:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::IntLit:
    case ExprKind::FloatLit:
    case ExprKind::CharLit:
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::StringLit: diags.report(diag::unused_value, x->range); return;
    case ExprKind::Unary: {
      UnaryOp op = x->as<Unary>()->op;
      if (isIncDec(op)) return;
      if (op == UnaryOp::Deref) {
        // *p++; is a popular mistake.
        diags.report(diag::unused_value, x->range);
        return;
      }
      diags.report(diag::unused_value, x->range);
      return;
    }
    case ExprKind::Binary: {
      BinaryOp op = x->as<Binary>()->op;
      if (isLogical(op)) return;  // used for control
      if (op == BinaryOp::Comma) {
        warnUnusedValue(x->as<Binary>()->rhs);
        return;
      }
      diags.report(diag::unused_value, x->range);
      return;
    }
    case ExprKind::Cast:
      if (x->as<Cast>()->castKind != CastKind::ToVoid && ignoreParens(x->as<Cast>()->sub)->kind != ExprKind::Call)
        diags.report(diag::unused_value, x->range);
      return;
    default: return;
  }
}

// The value of this expression, and so that of an assignment or `x++` which it is, is not used.
void Stmts::ignoreValue(const Expr *e) {
  for (; e && !e->type;) {
    if (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
    else if (e->kind == ExprKind::Cast) e = e->as<Cast>()->sub;  // (void)(a = b)
    else if (e->kind == ExprKind::Assign || (e->kind == ExprKind::Unary && isIncDec(e->as<Unary>()->op))) {
      sema.es.ignoredValues.push_back(e);
      return;
    } else if (e->kind == ExprKind::Conditional)
      ignoreValue(e->as<Conditional>()->then), e = e->as<Conditional>()->otherwise;
    else if (e->kind == ExprKind::Binary) {
      BinaryOp op = e->as<Binary>()->op;
      if (op == BinaryOp::Comma) {
        ignoreValue(e->as<Binary>()->rhs);
        e = e->as<Binary>()->lhs;
      } else if (isLogical(op)) e = e->as<Binary>()->rhs;
      else return;
    } else return;
  }
}

// A call, or a choice of calls, whatever becomes of its value.
static bool isCall(const Expr *e) {
  for (;;) {
    e = ignoreParens(e);
    if (e->kind == ExprKind::Cast) e = e->as<Cast>()->sub;
    else if (e->kind == ExprKind::Binary && e->as<Binary>()->op == BinaryOp::Comma) e = e->as<Binary>()->rhs;
    else
      return e->kind == ExprKind::Call || e->kind == ExprKind::Conditional ||
             (e->kind == ExprKind::Binary && isLogical(e->as<Binary>()->op));
  }
}

Stmt *Stmts::exprStmt(ExprStmt *s) {
  Expr *raw = s->expr;
  if (!raw) return s;
  size_t since = sema.ss.touched.size();
  Saved waits(sema.os.awaits, !sema.fs->forHeader && sema.openCilk.inside());
  if (cx.openCilkWords && !raw->type)
    if (Stmt *spawned = sema.openCilk.spawned(s)) return sema.futures.lifted(spawned, since);
  raw = s->expr;
  if (!sema.fs->forHeader && !sema.fs->stmtExprs) sema.futures.look(raw);
  if (!raw->type && spawnStatementForm(raw)) {
    Spawn *sp = spawnStatementForm(raw);
    if (sema.threads.inThread() || sp->word != SpawnWord::Spawn) return sema.threads.threadStatement(s, sp);
    if (sema.fs->stmtExprs) s->expr = sema.cilk.misplacedSpawn(sp, SpawnPlace::StatementExpression);
    else if (sema.fs->forHeader) s->expr = sema.cilk.misplacedSpawn(sp, SpawnPlace::ForHeader);
    else {
      Stmt *spawned = sema.cilk.spawnStatement(s);
      return sema.futures.lifted(spawned, since);
    }
    return s;
  }
  if (raw->kind == ExprKind::Assign && !raw->type)
    if (Expr *e = sema.cilk.spawnBeforeReceiver(raw->as<Assign>())) return s->expr = e, s;
  bool isValue = sema.es.valueStmt == s;
  if (!isValue) ignoreValue(raw);
  bool call = isCall(raw);
  std::vector<const Expr *> unused;
  sema.warn.unusedCalls(raw, unused);
  Expr *e = sema.exprs.exprIn(sema.fs->forHeader   ? SpawnPlace::ForHeader
                              : sema.fs->stmtExprs ? sema.spawnPlace
                                                   : SpawnPlace::Expression,
      raw);
  if (isValue) {
    s->expr = e;
    return s;
  }  // the statement expression loads it
  s->expr = sema.conv.discard(e);
  // Where OpenCilk's call waited before this statement, only its value is left here.
  bool waited = call && sema.ss.touched.size() > since;
  if (raw->kind != ExprKind::Touch && !waited) warnUnusedValue(s->expr);
  sema.warn.checkUnusedResults(std::move(unused));
  sema.warn.checkFullExpression(s->expr);
  return sema.futures.lifted(s, since);
}

// ---- return -------------------------------------------------------------------------------------------------------

Stmt *Stmts::returnStmt(ReturnStmt *r) {
  FunctionDecl *fn = sema.fs->fn;
  if (fn && fn->isThread && r->value) {
    Range where = r->value->range;
    r->value = wholeExpr(SpawnPlace::Return, r->value);
    if (r->value->type->isError()) return r;
    auto d = diags.report(diag::thread_return_value, where);
    d.note(where, "write `send_argument(k, ..);`, where k is the continuation for this value");
    r->value = sema.conv.error(where);
    return r;
  }
  QualType result = fn && fn->type && fn->type->isFunction() ? fn->type->as<FunctionType>()->result.unqual()
                                                             : QualType(cx.basic(TypeKind::Error));
  if (const FunctionDecl *f = fn && fn->entered ? fn->entered : fn; f && (f->isNoreturn || f->attrs.noreturn))
    diags.report(diag::return_in_noreturn, r->range) << fn->name;
  bool cilkRules = fn && (fn->isCilk || fn->isInlet) && !fn->entered;
  if (!r->value) {
    if (!result->isVoid() && !result->isError()) {
      if (cilkRules) diags.report(diag::cilk_return_without_value, r->range) << fn->name << toString(result);
      else if (cx.lang.std != LangOptions::C89) diags.report(diag::return_value_missing, r->range) << toString(result);
    }
    return r;
  }
  r->value = wholeExpr(SpawnPlace::Return, sema.openCilk.returned(r->value));
  if (r->value->type->isError()) return r;
  r->value = result->isVoid() && r->value->type->isVoid() ? r->value : sema.conv.load(r->value);
  if (r->value->type->isError() || result->isError()) return r;
  if (result->isVoid()) {
    if (r->value->type->isVoid()) {
      if (cx.lang.pedantic) diags.report(diag::pedantic_return_void, r->range);
      r->value->lvalue = false;
    } else {
      if (cilkRules) diags.report(diag::cilk_return_value_in_void, r->range) << fn->name;
      else diags.report(diag::return_value_in_void, r->range);
      r->value = sema.conv.implicit(CastKind::ToVoid, r->value, cx.basic(TypeKind::Void));
    }
    return r;
  }
  Expr *before = r->value;
  sema.warn.checkFullExpression(before);
  r->value = sema.conv.assignConvert(r->value, result, "return", r->range);
  // The address of an automatic object dies with the function.
  if (result->isPointer()) {
    const Expr *e = before;
    while (e->kind == ExprKind::Paren ||
           (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::PointerToPointer) ||
           (e->kind == ExprKind::Cast && e->as<Cast>()->castKind == CastKind::PointerToPointer))
      e = e->kind == ExprKind::Paren  ? e->as<ParenExpr>()->sub
          : e->kind == ExprKind::Cast ? e->as<Cast>()->sub
                                      : e->as<ImplicitCast>()->sub;
    const Expr *object = nullptr;
    if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf) object = e->as<Unary>()->sub;
    else if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer)
      object = e->as<ImplicitCast>()->sub;
    if (object && object->type && object->lvalue && !object->type->isFunction())
      if (const VarDecl *v = sema.conv.rootVariable(object); v && v->isLocal && v->fn == fn && !v->hidden)
        diags.report(diag::return_local_address, before->range) << v->name;
  }
  return r;
}

}  // namespace cilkc
