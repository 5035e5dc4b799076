// stmt.cpp - statements (C17 6.8).
//
// Else-if chains are walked, not recursed into. Jumps are checked when the function ends: every label and goto
// remembers the innermost variably modified declaration (or statement expression) around it; a jump may leave such
// scopes, not enter them.
#include <algorithm>
#include <cctype>
#include <cstring>
#include "frontend/ast/kinds.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/core/declstate.h"
#include "frontend/sema/core/sema.h"
#include "frontend/sema/opencilk/build.h"
#include "frontend/types/clobbers.h"

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
  if (body && body->kind == StmtKind::Compound) return stmt(body);      // has its own scope
  BlockScope block(sema);
  Saved first(sema.beforeDeclaration, std::vector<Stmt *>()), last(sema.afterDeclaration, std::vector<Stmt *>());
  Stmt *s = stmt(body);
  if (sema.beforeDeclaration.empty()) return s;
  auto *around = sema.cx.make<CompoundStmt>();   // of the literal that it declares (reduce.cpp)
  around->range = s->range;
  around->closing = Range{s->range.end, s->range.end};
  sema.futures.place(around->body, s);
  return around;
}

// ---- labels -------------------------------------------------------------------------------------------------------

LabelDecl *Stmts::labelUse(std::string_view name, Range r) {
  for (auto it = sema.fs->labelScopes.rbegin(); it != sema.fs->labelScopes.rend(); ++it)
    if (auto l = it->find(name); l != it->end()) {
      if (!l->second->used && !l->second->defined) l->second->range = r;
      l->second->used = true;
      return l->second;
    }
  // A nested function may use a __label__ of the functions around it.
  if (sema.fs->up && sema.fs->fn && !sema.fs->fn->isInlet && !sema.fs->labels.count(name))
    for (FunctionState *up = sema.fs->up; up; up = up->up)
      for (auto it = up->labelScopes.rbegin(); it != up->labelScopes.rend(); ++it)
        if (auto l = it->find(name); l != it->end()) {
          l->second->used = true;
          return l->second;
        }
  LabelDecl *&l = sema.fs->labels[name];
  if (!l) {
    l = cx.make<LabelDecl>();
    l->name = name;
    l->range = r;
    l->fn = sema.fs->fn;
    if (sema.fs->fn) sema.fs->fn->labels.push_back(l);
  }
  l->used = true;
  return l;
}

void Stmts::finishLabels() {
  if (!sema.fs) return;
  auto name = [](const LabelDecl *l) { return l->name; };
  std::vector<LabelDecl *> all;
  if (sema.fs->fn) all = sema.fs->fn->labels;
  for (LabelDecl *l : all) {
    // by __label__
    if (!l->defined && !l->used && !l->addressTaken) diags.report(diag::label_unused, l->range) << name(l);
    else if (!l->defined && !sema.scopes.leftOut(l->name)) {
      auto d = diags.report(diag::label_undefined, l->range);
      d << name(l);
      if (sema.cilk.inInlet())
        d.note(l->range,
            "a goto cannot leave an inlet: let it set a variable that the procedure tests after its `sync;`");
      else if (sema.fs->outlined)
        d.note(l->range, std::string_view(sema.fs->outlined) == "for" ? "a goto cannot leave cilk_for"
                                                                      : "a goto cannot leave a spawned block");
    } else if (!l->used && !l->addressTaken) diags.report(diag::label_unused, l->range) << name(l);
  }
  for (const FunctionState::Jump &j : sema.fs->jumps) {
    if (!j.label->defined) continue;
    auto at = sema.fs->labelAt.find(j.label);
    if (at == sema.fs->labelAt.end()) continue;
    // The label's scopes must all be around the jump, too.
    const JumpScope *target = at->second;
    if (!target) continue;
    bool inside = false;
    for (const JumpScope *s = j.from; s; s = s->up)
      if (s == target) {
        inside = true;
        break;
      }
    if (inside) continue;
    auto d =
        target->decl ? diags.report(diag::goto_into_vla, j.range) : diags.report(diag::goto_into_statement, j.range);
    d.note(j.label->range, "the label '" + std::string(j.label->name) + "' is here");
    if (target->decl) d << target->decl->name;
    d << target->what;
  }
}

// Before C2x a label belongs to a statement.
void Stmts::pedanticLabel(const Stmt *sub, Range label) {
  if (cx.lang.std >= LangOptions::C2x) return;
  if (!sub || (sub->kind == StmtKind::Null && sub->as<NullStmt>()->missing)) diags.report(diag::label_at_end, label);
  else if (sub->kind == StmtKind::Decl) diags.report(diag::label_before_declaration, label);
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
  const Stmt *code = nullptr;                  // a statement before a declaration
  bool begun = false;
  for (const Stmt *x : c->body) {
    if (x->kind != StmtKind::LocalLabel && x->kind != StmtKind::Pragma) begun = true;
    else if (begun && x->kind == StmtKind::LocalLabel) diags.report(diag::label_late, x->range);
    if (x->kind == StmtKind::Decl && code && !x->as<DeclStmt>()->sassert) {
      diags.report(cx.lang.std < LangOptions::C99 ? diag::declaration_after_statement_c90
                                                  : diag::declaration_after_statement,
          x->range);
      code = nullptr;                          // once for adjacent declarations
      continue;
    }
    if (x->kind != StmtKind::Decl && x->kind != StmtKind::Pragma && x->kind != StmtKind::LocalLabel &&
        x->kind != StmtKind::Function && x->kind != StmtKind::Error)
      code = x;
  }
  if (!sema.spawning.empty()) sema.openCilk.prepare(c);
  std::vector<Stmt *> body;
  body.reserve(c->body.size());
  bool keeps = false;
  {
    Saved first(sema.beforeDeclaration, std::vector<Stmt *>()), last(sema.afterDeclaration, std::vector<Stmt *>());
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
      if (a->name == "fallthrough" && sema.fs->switches.empty() && !sema.tu->damaged)
        diags.report(diag::fallthrough_outside, s.range);
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
    size_t since = sema.touched.size();
    if (!sema.fs->stmtExprs) sema.futures.look(s.cond);
    return sema.futures.lifted(switchStmt(&s), since);
  }
  Stmt *on(CaseStmt &s) { return caseStmt(&s); }
  Stmt *on(DefaultStmt &s) { return caseStmt(&s); }
  Stmt *on(LabelStmt &);
  Stmt *on(GotoStmt &);
  Stmt *on(GotoExprStmt &);
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
    size_t since = sema.touched.size();
    if (!sema.fs->stmtExprs) sema.futures.look(s.value);
    Saved waits(sema.awaits, sema.openCilk.inside());
    Stmt *r = returnStmt(&s);
    bool joined = sema.openCilk.returnsReducers();
    if (!joined && cleansUp(sema)) r = returnAfterSync(sema, &s);
    return sema.openCilk.leaving(sema.futures.lifted(r, since), joined);
  }
  Stmt *on(AsmStmt &s) {
    asmStmt(&s);
    return &s;
  }
  Stmt *on(LocalLabelStmt &);
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
  if (sema.grainsize && s->kind != StmtKind::Pragma && !(s->kind == StmtKind::For && s->as<ForStmt>()->isParallel)) {
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
  Saved waits(sema.awaits, !sema.fs->forHeader && sema.openCilk.inside() && d.decl->declarators.size() == 1);
  size_t since = sema.touched.size();
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

// Since C99 a selection or iteration statement and each of its substatements are blocks (6.8.4p3, 6.8.5p5). This shows
// only in tags and enumerators that expressions declare.
Stmt *Rules::on(IfStmt &top) {
  BlockScope whole(sema);
  size_t since = sema.touched.size();
  if (!sema.fs->stmtExprs) sema.futures.look(top.cond);
  int dead = 0;                             // branches around the current branch that are never taken
  for (IfStmt *i = &top;;) {
    {
      Saved waits(sema.awaits, sema.openCilk.inside());
      i->cond = conditionOf(i->cond);
    }
    if (i->then && i->then->kind == StmtKind::If && !i->otherwise && i->then->as<IfStmt>()->otherwise)
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
        (!sema.spawning.empty() && sema.openCilk.mayAwait(i->otherwise->as<IfStmt>()->cond)) ||
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
    f.step = sema.conv.discard(wholeExpr(SpawnPlace::ForHeader, f.step));
    warnUnusedValue(f.step);
  }
  f.body = substatement(f.body);
  sema.fs->loops--, sema.fs->breakables--;
  sema.fs->jumpScope = saved;
  sema.scopes.popScope();
  return &f;
}

Stmt *Rules::on(LabelStmt &l) {
  bool wasUsed = false;
  LabelDecl *decl = nullptr;
  if (!sema.fs->labelScopes.empty())
    for (auto it = sema.fs->labelScopes.rbegin(); it != sema.fs->labelScopes.rend() && !decl; ++it)
      if (auto found = it->find(l.name); found != it->end()) decl = found->second;
  if (!decl) {
    auto it = sema.fs->labels.find(l.name);
    wasUsed = it != sema.fs->labels.end() && it->second->used;
    if (it == sema.fs->labels.end()) sema.fs->labels[l.name] = nullptr;  // its own, whatever the functions around have
    decl = labelUse(l.name, l.nameRange);
    decl->used = wasUsed;
  }
  if (decl->defined) {
    diags.report(diag::label_redefined, l.nameRange).note(decl->range, "the first one is here") << l.name;
  } else {
    decl->defined = true;
    decl->range = l.nameRange;
    sema.fs->labelAt[decl] = sema.fs->jumpScope;
    for (const Attr *a : l.attrs)
      if (a->name == "unused") decl->used = true;
  }
  l.label = decl;
  pedanticLabel(l.sub, l.range);
  if (l.sub) l.sub = stmt(l.sub);
  return &l;
}

Stmt *Rules::on(GotoStmt &g) {
  g.label = labelUse(g.name, g.nameRange);
  bool leaves = false;
  for (const auto &mark : sema.fs->scopes) leaves |= !mark.labels.count(g.name);
  if (g.label->fn == sema.fs->fn) sema.fs->jumps.push_back({g.label, sema.fs->jumpScope, g.range});
  else {
    g.label->nonlocal = true;
    if (g.label->fn) g.label->fn->callsSetjmp = true;
  }
  return sema.openCilk.leaving(&g, leaves);
}

Stmt *Rules::on(GotoExprStmt &g) {
  g.target = sema.exprs.rvalue(g.target);
  diags.report(diag::pedantic_gnu, g.range) << "'goto *'";
  if (g.target->type->isError()) return &g;
  if (!g.target->type->isPointer()) {
    diags.report(diag::computed_goto_type, g.target->range) << toString(g.target->type);
    g.target = sema.conv.error(g.target->range);
    return &g;
  }
  g.target = sema.conv.convert(g.target, cx.pointerTo(cx.basic(TypeKind::Void)));
  return &g;
}

Stmt *Rules::on(LocalLabelStmt &l) {
  if (sema.fs->labelScopes.empty()) sema.fs->labelScopes.emplace_back();
  for (auto &[name, range] : l.names) {
    auto *decl = cx.make<LabelDecl>();
    decl->name = name;
    decl->range = range;
    decl->fn = sema.fs->fn;
    if (!sema.fs->labelScopes.back().emplace(name, decl).second) diags.report(diag::label_redefined, range) << name;
    else if (sema.fs->fn) sema.fs->fn->labels.push_back(decl);
  }
  return &l;
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
    case ExprKind::Call: {
      const Expr *callee = x->as<Call>()->callee;
      callee = ignoreParensAndImplicit(callee);
      if (callee->kind == ExprKind::Ident && callee->as<Ident>()->decl &&
          callee->as<Ident>()->decl->kind == DeclKind::Function &&
          (callee->as<Ident>()->decl->as<FunctionDecl>()->attrs.warnUnused ||
              sema.ds->tags.nodiscard.count(x->type.type)))
        if (!x->type->isVoid()) diags.report(diag::unused_result, x->range) << callee->as<Ident>()->name;
      return;
    }
    default: return;
  }
}

// The value of this expression, and so that of an assignment or `x++` which it is, is not used.
void Stmts::ignoreValue(const Expr *e) {
  for (; e && !e->type;) {
    if (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
    else if (e->kind == ExprKind::Cast) e = e->as<Cast>()->sub;  // (void)(a = b)
    else if (e->kind == ExprKind::Assign || (e->kind == ExprKind::Unary && isIncDec(e->as<Unary>()->op))) {
      sema.ignoredValues.push_back(e);
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

Stmt *Stmts::exprStmt(ExprStmt *s) {
  Expr *raw = s->expr;
  if (!raw) return s;
  size_t since = sema.touched.size();
  Saved waits(sema.awaits, !sema.fs->forHeader && sema.openCilk.inside());
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
  bool isValue = sema.valueStmt == s;
  if (!isValue) ignoreValue(raw);
  Expr *e = sema.exprs.exprIn(sema.fs->forHeader   ? SpawnPlace::ForHeader
                              : sema.fs->stmtExprs ? sema.spawnPlace
                                                   : SpawnPlace::Expression,
      raw);
  if (isValue) {
    s->expr = e;
    return s;
  }  // the statement expression loads it
  s->expr = sema.conv.discard(e);
  if (raw->kind != ExprKind::Touch) warnUnusedValue(s->expr);
  sema.warn.checkFullExpression(s->expr);
  return sema.futures.lifted(s, since);
}

// ---- switch -------------------------------------------------------------------------------------------------------

// A label of the switch is the first thing that control meets in s, or after s if s does nothing (caseNext).
static bool beginsWithCase(const Stmt *s, bool caseNext) {
  while (s->kind == StmtKind::Label && s->as<LabelStmt>()->sub) s = s->as<LabelStmt>()->sub;
  if (s->kind == StmtKind::Pragma || (s->kind == StmtKind::Null && s->attrs.empty())) return caseNext;
  if (s->kind != StmtKind::Compound) return s->kind == StmtKind::Case || s->kind == StmtKind::Default;
  const auto &body = s->as<CompoundStmt>()->body;
  for (size_t i = body.size(); i-- > 0;) caseNext = beginsWithCase(body[i], caseNext);
  return caseNext;
}

// Each `fallthrough` has a label of its switch after it (C23 6.7.13.6). caseNext: one comes after s.
static void checkFallthrough(DiagnosticEngine &diags, const Stmt *s, bool caseNext) {
  while (s) {
    if (s->kind == StmtKind::Case) s = s->as<CaseStmt>()->sub;
    else if (s->kind == StmtKind::Default) s = s->as<DefaultStmt>()->sub;
    else if (s->kind == StmtKind::Label) s = s->as<LabelStmt>()->sub;
    else if (s->kind == StmtKind::If) {
      checkFallthrough(diags, s->as<IfStmt>()->then, caseNext);
      s = s->as<IfStmt>()->otherwise;
    } else break;
  }
  if (s && s->kind == StmtKind::Null) {
    for (const Attr *a : s->attrs)
      if (a->name == "fallthrough" && !caseNext) diags.report(diag::fallthrough_misplaced, a->range);
  } else if (s && s->kind == StmtKind::Compound) {
    const auto &body = s->as<CompoundStmt>()->body;
    for (size_t i = body.size(); i-- > 0;) {
      checkFallthrough(diags, body[i], caseNext);
      caseNext = beginsWithCase(body[i], caseNext);
    }
  }
}

Stmt *Stmts::switchStmt(SwitchStmt *s) {
  BlockScope whole(sema);
  Expr *c = sema.conv.load(wholeExpr(SpawnPlace::Condition, s->cond));
  const EnumType *en = nullptr;
  if (!c->type->isError() && !c->type->isInteger()) {
    diags.report(diag::switch_not_integer, c->range) << toString(c->type);
    c = sema.conv.error(c->range);
  }
  if (c->type->isEnum()) en = c->type->as<EnumType>();
  const Expr *bare = c;
  bare = ignoreParensAndImplicit(bare);
  if (bare->kind == ExprKind::Binary && isComparison(bare->as<Binary>()->op)) diags.report(diag::switch_bool, c->range);
  if (!c->type->isError()) c = sema.conv.promote(c);
  s->cond = c;
  s->cases.clear();
  s->def = nullptr;
  sema.fs->switches.push_back(s);
  sema.fs->switchScopes.push_back(sema.fs->jumpScope);
  if (s->body && s->body->kind == StmtKind::Compound && !s->body->as<CompoundStmt>()->body.empty()) {
    const Stmt *first = s->body->as<CompoundStmt>()->body[0];
    if (first->kind == StmtKind::Expr || first->kind == StmtKind::If || first->kind == StmtKind::Return)
      diags.report(diag::switch_unreachable, first->range);
  }
  sema.fs->breakables++;
  s->body = substatement(s->body);
  sema.fs->breakables--;
  sema.fs->switchScopes.pop_back();
  sema.fs->switches.pop_back();
  checkFallthrough(diags, s->body, false);
  if (c->type->isError()) return s;

  bool sign = isSigned(c->type.type, cx.target);
  auto less = [sign](__int128 a, __int128 b) {
    return sign ? a < b : static_cast<unsigned __int128>(a) < static_cast<unsigned __int128>(b);
  };
  std::vector<CaseStmt *> sorted = s->cases;
  std::stable_sort(sorted.begin(), sorted.end(),
      [&](const CaseStmt *a, const CaseStmt *b) { return less(a->lo, b->lo); });
  const CaseStmt *widest = nullptr;  // of those before, the one that reaches furthest
  for (CaseStmt *k : sorted) {
    if (widest && !less(widest->hi, k->lo)) {
      const CaseStmt *first = widest, *second = k;
      if (second->range.begin < first->range.begin) std::swap(first, second);
      diags.report(diag::duplicate_case, second->low->range).note(first->low->range, "the first one is here")
          << (sign ? decimal(k->lo) : decimal(static_cast<unsigned __int128>(k->lo)));
    }
    if (!widest || less(widest->hi, k->hi)) widest = k;
  }
  if (!s->def) diags.report(diag::switch_default, s->range);
  if (en && (s->def ? diags.wants(diag::switch_enum_all) : diags.wants(diag::switch_enum))) {
    for (const Enumerator &e : en->constants) {
      __int128 v = wrapInt(e.value, c->type.type, cx.target);
      auto it = std::upper_bound(sorted.begin(), sorted.end(), v,
          [&](__int128 x, const CaseStmt *k) { return less(x, k->lo); });
      bool found = false;
      if (it != sorted.begin()) {
        --it;
        found = !less((*it)->hi, v);
      }
      if (!found) diags.report(s->def ? diag::switch_enum_all : diag::switch_enum, s->cond->range) << e.name;
    }
  }
  return s;
}

Stmt *Stmts::caseStmt(Stmt *s) {
  bool isDefault = s->kind == StmtKind::Default;
  SwitchStmt *sw = sema.fs->switches.empty() ? nullptr : sema.fs->switches.back();
  if (!sw && !sema.tu->damaged) diags.report(diag::case_outside, s->range) << (isDefault ? "default" : "case");
  if (sw && sema.fs->jumpScope && sema.fs->jumpScope != sema.fs->switchScopes.back()) {
    bool inside = false;
    for (const JumpScope *j = sema.fs->switchScopes.back(); j; j = j->up)
      if (j == sema.fs->jumpScope) inside = true;
    const JumpScope *entered = sema.fs->jumpScope;
    if (!inside && entered->decl) diags.report(diag::switch_into_vla, s->range) << entered->decl->name << entered->what;
    else if (!inside) diags.report(diag::goto_into_statement, s->range) << entered->what;
  }
  if (isDefault) {
    auto *d = s->as<DefaultStmt>();
    if (sw) {
      if (sw->def) diags.report(diag::duplicate_default, s->range).note(sw->def->range, "it is here");
      else sw->def = d;
    }
    pedanticLabel(d->sub, d->range);
    if (d->sub) d->sub = stmt(d->sub);
    return d;
  }
  auto *k = s->as<CaseStmt>();
  auto lo = sema.conv.integerConstant(k->low, "a case value");
  std::optional<__int128> hi = lo;
  if (k->high) {
    hi = sema.conv.integerConstant(k->high, "the end of a case range");
    diags.report(diag::pedantic_gnu, k->range) << "ranges in case labels";
  }
  if (sw && lo && hi && !sw->cond->type->isError()) {
    const Type *t = sw->cond->type.type;
    for (const Expr *bound : {k->low, k->high})
      if (auto v = bound && bound->type->isWide() ? evaluate(bound, cx, EvalMode::Fold) : std::nullopt;
          v && v->kind == ConstValue::WideInt && Wide(v->wide->clamped()) != *v->wide)
        diags.report(diag::case_too_wide, bound->range);
    // A value that the unpromoted type of the condition cannot have.
    const Expr *c = sw->cond;
    while (c->kind == ExprKind::ImplicitCast && c->as<ImplicitCast>()->castKind == CastKind::IntToInt)
      c = c->as<ImplicitCast>()->sub;
    if (c->type->isInteger() && !c->type->isEnum() && !c->type->isBool() && c->type.type != t) {
      if (wrapInt(*lo, c->type.type, cx.target) != *lo && *lo == *hi)
        diags.report(diag::case_out_of_range, k->low->range) << decimal(*lo) << toString(c->type.unqual());
    }
    __int128 a = wrapInt(*lo, t, cx.target), b = wrapInt(*hi, t, cx.target);
    if (a != *lo && !k->high) {
      uint64_t bits = 8 * sizeOf(t, cx.target);
      __int128 least = -(static_cast<__int128>(1) << (bits < 128 ? bits - 1 : 126)),
               most = static_cast<__int128>(1) << (bits < 127 ? bits : 126);
      if (*lo < least || *lo >= most)
        diags.report(diag::constant_overflow, k->low->range)
            << "case value" << decimal(*lo) << toString(sw->cond->type) << decimal(a);
    }
    k->lo = a, k->hi = b;
    bool sign = isSigned(t, cx.target);
    bool empty = sign ? b < a : static_cast<unsigned __int128>(b) < static_cast<unsigned __int128>(a);
    k->low = sema.conv.convert(k->low, t);
    if (k->high) k->high = sema.conv.convert(k->high, t);
    if (empty) diags.report(diag::empty_case_range, k->range);
    sw->cases.push_back(k);
    if (empty) sw->cases.pop_back();
  }
  pedanticLabel(k->sub, k->range);
  if (k->sub) k->sub = stmt(k->sub);
  return k;
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

// ---- asm ----------------------------------------------------------------------------------------------------------

// What the template names by a number or in brackets though there is no such operand or label; empty: nothing.
static std::string missingOperand(const AsmStmt *a) {
  const std::string &t = a->text;
  auto named = [&](std::string_view name) {
    auto is = [&](const auto &list) {
      return std::any_of(list.begin(), list.end(), [&](auto &o) { return o.name == name; });
    };
    return is(a->outputs) || is(a->inputs) ||
           std::any_of(a->gotoLabels.begin(), a->gotoLabels.end(), [&](auto &l) { return l.first == name; });
  };
  size_t all = a->outputs.size() + a->inputs.size() + a->gotoLabels.size();
  for (const AsmOperand &o : a->outputs) all += o.constraint.find('+') != std::string::npos;  // an input, too
  for (size_t i = t.find('%'); i != std::string::npos; i = t.find('%', i)) {
    size_t from = i++;
    if (i + 1 < t.size() && std::isalpha(static_cast<unsigned char>(t[i]))) i++;
    if (i >= t.size()) break;
    size_t end = t[i] == '[' ? std::min(t.find(']', i), t.size() - 1) + 1 : i;
    if (end > i) {
      if (!named(std::string_view(t).substr(i + 1, end - i - 2))) return t.substr(from, end - from);
    } else if (std::isdigit(static_cast<unsigned char>(t[i]))) {
      while (end < t.size() && std::isdigit(static_cast<unsigned char>(t[end]))) end++;
      if (std::strtoul(t.c_str() + i, nullptr, 10) >= all) return t.substr(from, end - from);
    } else end = i + 1;  // %% and the like
    i = end;
  }
  return "";
}

void Stmts::asmStmt(AsmStmt *a) {
  for (std::vector<AsmOperand> *operands : {&a->outputs, &a->inputs})
    for (AsmOperand &o : *operands)
      if (!asmPlaces(o.constraint, *cx.target.facts).known)
        diags.report(diag::asm_operand, o.range) << "the constraint '" + o.constraint + "' names no kind of operand";
  for (const std::string &c : a->clobbers)
    if (!isClobber(c, *cx.target.facts))
      diags.report(diag::asm_operand, a->range) << "the clobber '" + c + "', which names no register,";
  if (!a->basic)
    if (std::string missing = missingOperand(a); !missing.empty())
      diags.report(diag::asm_operand, a->range) << "'" + missing + "', which names no operand,";
  if (sema.fs->fn) sema.fs->fn->usesAsm = true;
  std::unordered_set<std::string_view> names;
  auto named = [&](const AsmOperand &o) {
    if (!o.name.empty() && !names.insert(o.name).second) diags.report(diag::asm_duplicate_name, o.range) << o.name;
  };
  for (AsmOperand &o : a->outputs) {
    named(o);
    o.expr = sema.exprs.expr(o.expr);
    if (o.expr->type->isError()) continue;
    if (o.constraint.empty() || (o.constraint[0] != '=' && o.constraint[0] != '+')) {
      diags.report(diag::asm_output_constraint, o.range);
      o.expr = sema.conv.error(o.expr->range);
      continue;
    }
    // (int) x as an output was GNU C once; an lvalue cast is not supported by anyone now.
    if (!o.expr->lvalue || o.expr->type->isFunction() || o.expr->type->isVoid()) {
      diags.report(diag::asm_output_not_lvalue, o.expr->range);
      o.expr = sema.conv.error(o.expr->range);
      continue;
    }
    if (o.expr->type.isConst()) sema.conv.isModifiableLvalue(o.expr, o.expr->range, true);
    if (VarDecl *v = sema.conv.rootVariable(o.expr)) v->assigned = true;
    if (o.constraint.find('m') != std::string::npos || o.constraint.find('o') != std::string::npos ||
        o.constraint.find('V') != std::string::npos)
      sema.conv.markAddressTaken(o.expr);
  }
  auto alternatives = [](const AsmOperand &o) { return std::count(o.constraint.begin(), o.constraint.end(), ','); };
  const AsmOperand *first = !a->outputs.empty() ? &a->outputs[0] : !a->inputs.empty() ? &a->inputs[0] : nullptr;
  for (const std::vector<AsmOperand> *list : {&a->outputs, &a->inputs})
    for (const AsmOperand &o : *list)
      if (alternatives(o) != alternatives(*first)) {
        diags.report(diag::asm_operand, o.range)
            << "the constraints of operands have different numbers of alternatives";
        first = &o;
      }
  for (AsmOperand &o : a->inputs) {
    named(o);
    o.expr = sema.exprs.expr(o.expr);
    if (o.expr->type->isError()) continue;
    size_t digit = o.constraint.find_first_of("0123456789");
    bool unmatched = digit != std::string::npos &&
                     (!digit || o.constraint[digit - 1] == ',' || o.constraint[0] == '%') &&
                     std::strtoul(o.constraint.c_str() + digit, nullptr, 10) >= a->outputs.size();
    if (unmatched || o.constraint.find('=') != std::string::npos || o.constraint.find('+') != std::string::npos) {
      diags.report(diag::asm_input_constraint, o.range) << o.constraint;
      o.expr = sema.conv.error(o.expr->range);
      continue;
    }
    bool memory = false, other = false;
    for (char ch : o.constraint) {
      if (ch == 'm' || ch == 'o' || ch == 'V' || ch == '<' || ch == '>' || ch == 'Q') memory = true;
      else if (ch != '%' && ch != '&' && ch != ',' && ch != '*' && ch != '#' && ch != '!' && ch != '?') other = true;
    }
    if (memory && !other && o.expr->lvalue) {
      sema.conv.markAddressTaken(o.expr);  // stays an lvalue: the operand is the object itself
      continue;
    }
    o.expr = sema.conv.load(o.expr);
    if (o.expr->type->isError()) continue;
    if (o.expr->type->isVoid()) {
      diags.report(diag::asm_operand_type, o.expr->range) << toString(o.expr->type);
      o.expr = sema.conv.error(o.expr->range);
    }
  }
  for (size_t i = 0; i < a->gotoLabels.size(); i++) {
    Range r = i < a->gotoRanges.size() ? a->gotoRanges[i] : a->range;
    a->gotoLabels[i].second = labelUse(a->gotoLabels[i].first, r);
    sema.fs->jumps.push_back({a->gotoLabels[i].second, sema.fs->jumpScope, r});
  }
}

}  // namespace cilkc
