// jump.cpp - labels and gotos (C17 6.8.1, 6.8.6.1; GNU's local labels and computed gotos).
//
// Jumps are checked when the function ends: every label and goto remembers the innermost variably modified declaration
// (or statement expression) around it. A jump may leave such scopes, not enter them.
#include "frontend/sema/c/core/sema.h"
#include "diag/sema_expr.h"

namespace cilkc {

LabelDecl *Stmts::labelUse(std::string_view name, Range r) {
  for (auto it = sema.fs->labels.scopes.rbegin(); it != sema.fs->labels.scopes.rend(); ++it)
    if (auto l = it->find(name); l != it->end()) {
      if (!l->second->used && !l->second->defined) l->second->range = r;
      l->second->used = true;
      return l->second;
    }
  // A nested function may use a __label__ of the functions around it.
  if (sema.fs->up && sema.fs->fn && !sema.fs->fn->isInlet && !sema.fs->labels.named.count(name))
    for (FunctionState *up = sema.fs->up; up; up = up->up)
      for (auto it = up->labels.scopes.rbegin(); it != up->labels.scopes.rend(); ++it)
        if (auto l = it->find(name); l != it->end()) {
          l->second->used = true;
          return l->second;
        }
  LabelDecl *&l = sema.fs->labels.named[name];
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
    else if (!l->defined && !sema.scopes.leftOut(l->name) && !(l->addressTaken && sema.inProcedure())) {
      auto d = diags.report(diag::label_undefined, l->range);
      d << name(l);
      if (std::string advice = sema.hooks.labelAdvice(); !advice.empty()) d.note(l->range, advice);
    } else if (!l->used && !l->addressTaken) diags.report(diag::label_unused, l->range) << name(l);
  }
  for (const FunctionState::Labels::Jump &j : sema.fs->labels.jumps) {
    if (!j.label->defined) continue;
    auto at = sema.fs->labels.at.find(j.label);
    if (at == sema.fs->labels.at.end()) continue;
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

Stmt *Stmts::labelStmt(LabelStmt *l) {
  bool wasUsed = false;
  LabelDecl *decl = nullptr;
  if (!sema.fs->labels.scopes.empty())
    for (auto it = sema.fs->labels.scopes.rbegin(); it != sema.fs->labels.scopes.rend() && !decl; ++it)
      if (auto found = it->find(l->name); found != it->end()) decl = found->second;
  if (!decl) {
    auto it = sema.fs->labels.named.find(l->name);
    wasUsed = it != sema.fs->labels.named.end() && it->second->used;
    if (it == sema.fs->labels.named.end())
      sema.fs->labels.named[l->name] = nullptr;  // its own, whatever the functions around have
    decl = labelUse(l->name, l->nameRange);
    decl->used = wasUsed;
  }
  if (decl->defined) {
    diags.report(diag::label_redefined, l->nameRange).note(decl->range, "the first one is here") << l->name;
  } else {
    decl->defined = true;
    decl->range = l->nameRange;
    sema.fs->labels.at[decl] = sema.fs->inside.jumpScope;
    for (const Attr *a : l->attrs)
      if (a->name == "unused") decl->used = true;
  }
  l->label = decl;
  pedanticLabel(l->sub, l->range);
  if (l->sub) l->sub = stmt(l->sub);
  return l;
}

Stmt *Stmts::gotoStmt(GotoStmt *g) {
  g->label = labelUse(g->name, g->nameRange);
  if (g->label->fn == sema.fs->fn) sema.fs->labels.jumps.push_back({g->label, sema.fs->inside.jumpScope, g->range});
  else {
    g->label->nonlocal = true;
    if (g->label->fn) g->label->fn->callsSetjmp = true;
  }
  return g;
}

Stmt *Stmts::computedGoto(GotoExprStmt *g) {
  g->target = sema.exprs.rvalue(g->target);
  diags.report(diag::pedantic_gnu, g->range) << "'goto *'";
  if (g->target->type->isError()) return g;
  if (!g->target->type->isPointer()) {
    diags.report(diag::computed_goto_type, g->target->range) << toString(g->target->type);
    g->target = sema.conv.error(g->target->range);
    return g;
  }
  g->target = sema.conv.convert(g->target, cx.pointerTo(cx.basic(TypeKind::Void)));
  return g;
}

Stmt *Stmts::localLabels(LocalLabelStmt *l) {
  if (sema.fs->labels.scopes.empty()) sema.fs->labels.scopes.emplace_back();
  for (auto &[name, range] : l->names) {
    auto *decl = cx.make<LabelDecl>();
    decl->name = name;
    decl->range = range;
    decl->fn = sema.fs->fn;
    if (!sema.fs->labels.scopes.back().emplace(name, decl).second) diags.report(diag::label_redefined, range) << name;
    else if (sema.fs->fn) sema.fs->fn->labels.push_back(decl);
  }
  return l;
}

}  // namespace cilkc
