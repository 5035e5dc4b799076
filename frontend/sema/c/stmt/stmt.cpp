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
#include "diag/cilk.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"
#include "diag/sema_expr.h"
#include "diag/warn.h"

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
  Stmt *other = sema.hooks.substatement(body);
  return other ? other : stmt(body);
}

// ---- compound statements ------------------------------------------------------------------------------------------

void Stmts::compound(CompoundStmt *c, bool newScope) {
  if (newScope) sema.scopes.pushScope(Scope::Block);
  const JumpScope *saved = sema.fs->inside.jumpScope;
  sema.fs->labels.scopes.emplace_back();
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
  if (!sema.hooks.block(c, !newScope))
    for (Stmt *&s : c->body) s = stmt(s);
  sema.fs->labels.scopes.pop_back();
  sema.fs->inside.jumpScope = saved;
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
        if (sema.fs->inside.switches.empty() && !sema.tu->damaged) diags.report(diag::fallthrough_outside, s.range);
      } else if (a->name != "assume") {
        diags.report(diag::attribute_ignored, a->range) << a->name << "an empty statement";
      }
    return &s;
  }
  Stmt *on(ExprStmt &s) { return exprStmt(&s); }
  Stmt *on(CompoundStmt &s) {
    compound(&s, true);
    return &s;
  }
  Stmt *on(DeclStmt &);
  Stmt *on(IfStmt &);
  Stmt *on(WhileStmt &);
  Stmt *on(DoStmt &);
  Stmt *on(ForStmt &);
  Stmt *on(SwitchStmt &s) {
    BlockScope whole(sema);
    return switchStmt(&s);
  }
  Stmt *on(CaseStmt &s) { return caseStmt(&s); }
  Stmt *on(DefaultStmt &s) { return caseStmt(&s); }
  Stmt *on(LabelStmt &s) { return labelStmt(&s); }
  Stmt *on(GotoStmt &s) { return gotoStmt(&s); }
  Stmt *on(GotoExprStmt &s) { return computedGoto(&s); }
  Stmt *on(ContinueStmt &s) {
    if (!sema.fs->inside.loops && !sema.tu->damaged) diags.report(diag::continue_outside, s.range);
    return &s;
  }
  Stmt *on(BreakStmt &s) {
    if (!sema.fs->inside.breakables && !sema.tu->damaged) diags.report(diag::break_outside, s.range);
    return &s;
  }
  Stmt *on(ReturnStmt &s) { return returnStmt(&s); }
  Stmt *on(AsmStmt &s) {
    asmStmt(&s);
    return &s;
  }
  Stmt *on(LocalLabelStmt &s) { return localLabels(&s); }
  Stmt *on(SpawnStmt &s) { return &s; }
  Stmt *on(ThreadStmt &s) { return &s; }
  Stmt *on(TouchStmt &s) { return &s; }
  Stmt *on(SendStmt &s) { return &s; }
  Stmt *on(SyncStmt &s) { return &s; }
  Stmt *on(AbortStmt &s) { return &s; }
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
  if (s->kind != StmtKind::Null && s->kind != StmtKind::Label)  // those have attributes of their own
    for (const Attr *a : s->attrs) diags.report(diag::attribute_ignored, a->range) << a->name << "a statement";
  Stmt *other = sema.hooks.statement(s);
  return other ? other : ofC(s);
}

Stmt *Stmts::ofC(Stmt *s) { return dispatchToChange(Rules(sema), s); }

Stmt *Rules::on(DeclStmt &d) {
  if (d.sassert) {
    sema.decls.staticAssert(d.sassert);
    return &d;
  }
  if (!d.decl) return &d;
  {
    Saved place(sema.spawnPlace, SpawnPlace::Initializer);
    sema.decls.declaration(d.decl, false);
  }
  for (InitDeclarator &i : d.decl->declarators) {
    if (!i.decl || !i.decl->type || (i.decl->kind != DeclKind::Var && i.decl->kind != DeclKind::Typedef)) continue;
    const char *why = isVariablyModified(i.decl->type.type) ? "has variable size" : nullptr;
    if (const char *other = sema.hooks.noJumpInto(i.decl)) why = other;
    if (why) {
      auto *mark = cx.make<JumpScope>();
      mark->up = sema.fs->inside.jumpScope;
      mark->decl = i.decl;
      mark->what = why;
      sema.fs->inside.jumpScope = mark;
    }
  }
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
  int dead = 0;  // branches around the current branch that are never taken
  for (IfStmt *i = &top;;) {
    i->cond = conditionOf(i->cond);
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
    if (i->otherwise->kind != StmtKind::If || sema.hooks.separate(i->otherwise->as<IfStmt>()->cond)) {
      i->otherwise = substatement(i->otherwise);
      break;
    }
    i = i->otherwise->as<IfStmt>();
  }
  sema.deadCode -= dead;
  sema.warn.checkIfChain(&top);
  return &top;
}

Stmt *Rules::on(WhileStmt &w) {
  BlockScope whole(sema);
  w.cond = conditionOf(w.cond);
  sema.fs->inside.loops++, sema.fs->inside.breakables++;
  w.body = substatement(w.body);
  sema.fs->inside.loops--, sema.fs->inside.breakables--;
  return &w;
}

Stmt *Rules::on(DoStmt &d) {
  BlockScope whole(sema);
  sema.fs->inside.loops++, sema.fs->inside.breakables++;
  d.body = substatement(d.body);
  sema.fs->inside.loops--, sema.fs->inside.breakables--;
  d.cond = conditionOf(d.cond);
  return &d;
}

Stmt *Rules::on(ForStmt &f) {
  sema.scopes.pushScope(Scope::Block);
  const JumpScope *saved = sema.fs->inside.jumpScope;
  sema.fs->inside.forHeader = true;
  if (f.init && f.init->kind == StmtKind::Decl && cx.lang.std < LangOptions::C99)
    diags.report(diag::c99_extension, f.init->range) << "declarations in the first part of 'for'";
  if (f.init) f.init = stmt(f.init);
  sema.fs->inside.forHeader = false;
  if (f.cond) f.cond = conditionOf(f.cond);
  sema.fs->inside.loops++, sema.fs->inside.breakables++;
  if (f.step) {
    ignoreValue(f.step);
    std::vector<const Expr *> unused;
    sema.warn.unusedCalls(f.step, unused);
    f.step = sema.conv.discard(wholeExpr(SpawnPlace::ForHeader, f.step));
    warnUnusedValue(f.step);
    sema.warn.checkUnusedResults(std::move(unused));
  }
  f.body = substatement(f.body);
  sema.fs->inside.loops--, sema.fs->inside.breakables--;
  sema.fs->inside.jumpScope = saved;
  sema.scopes.popScope();
  sema.warn.checkCountedLoop(&f);
  return &f;
}

// A condition of a statement; `if (a = b)` is warned about.
Expr *Stmts::conditionOf(Expr *untyped) {
  if (!untyped) return sema.conv.error({});
  bool plainAssign = untyped->kind == ExprKind::Assign && !untyped->as<Assign>()->compound;
  Saved place(sema.spawnPlace, SpawnPlace::Condition);
  Expr *e = sema.hooks.refuseSpawn(untyped, SpawnPlace::Condition);
  if (!e) e = sema.conv.condition(untyped);
  sema.warn.checkFullExpression(e);
  if (!e->type->isError()) sema.warn.checkTruth(e);
  if (plainAssign && !e->type->isError()) diags.report(diag::assignment_condition, untyped->range);
  return e;
}

// The expression of a statement that allows no spawn, not even in one of its forms.
Expr *Stmts::wholeExpr(SpawnPlace place, Expr *e) {
  Expr *error = sema.hooks.refuseSpawn(e, place);
  return error ? error : sema.exprs.exprIn(place, e);
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
    default: return otherKinds<34>();
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
  bool isValue = sema.es.valueStmt == s;
  if (!isValue) ignoreValue(raw);
  bool call = isCall(raw);
  std::vector<const Expr *> unused;
  sema.warn.unusedCalls(raw, unused);
  Expr *e = sema.exprs.exprIn(sema.fs->inside.forHeader   ? SpawnPlace::ForHeader
                              : sema.fs->inside.stmtExprs ? sema.spawnPlace
                                                          : SpawnPlace::Expression,
      raw);
  if (isValue) {
    s->expr = e;
    return s;
  }  // the statement expression loads it
  s->expr = sema.conv.discard(e);
  if (!sema.hooks.hasWaited(raw, call)) warnUnusedValue(s->expr);
  sema.warn.checkUnusedResults(std::move(unused));
  sema.warn.checkFullExpression(s->expr);
  return s;
}

// ---- return -------------------------------------------------------------------------------------------------------

Stmt *Stmts::returnStmt(ReturnStmt *r) {
  FunctionDecl *fn = sema.fs->fn;
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
  r->value = wholeExpr(SpawnPlace::Return, r->value);
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
