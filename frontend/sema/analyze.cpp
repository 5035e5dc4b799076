// analyze.cpp - the way through a translation unit: its external declarations in order, by the rules of C and Cilk.
#include "frontend/sema/analyze.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/cilk/rules.h"
#include "diag/sema_expr.h"

namespace cilkc {

bool analyze(TranslationUnit &tu, AstContext &cx, DiagnosticEngine &diags, bool callsStay) {
  unsigned before = diags.errors();
  CilkSema s(cx, diags);
  s.os.callsStay = callsStay;
  DeclState state;
  s.ds = &state;
  s.run(tu);
  return diags.errors() == before;
}

// Each procedure gets a frame of pedigrees: an array, so that it does not move when the procedure is stolen.
static void addPedigrees(TranslationUnit &unit, AstContext &cx) {
  for (FunctionDecl *f : unit.functions) {
    if (!f->isCilk || !f->def) continue;
    auto *v = cx.make<VarDecl>();
    v->name = ".pedigree";
    v->type = cx.arrayOf(cx.basic(TypeKind::ULong), FunctionDecl::PedigreeWords);
    v->range = f->range;
    v->hidden = v->used = v->isLocal = v->isDefinition = v->assigned = v->addressTaken = true;
    v->fn = f;
    f->locals.push_back(v);
    f->pedigree = v;
  }
}

void CilkSema::run(TranslationUnit &unit) {
  tu = &unit;
  openCilk.findSpawning();
  scopes.pushScope(Scope::File);
  for (ExternalDecl &d : unit.decls) decls.externalDecl(d);
  if (unit.decls.empty() && !unit.damaged) diags.report(diag::pedantic_empty_unit, diags.sources().end());
  decls.finishUnit();
  if (cx.pedigrees) addPedigrees(unit, cx);
  scope = nullptr;
}

}  // namespace cilkc
