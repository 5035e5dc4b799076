// cilk.cpp - the rules of Cilk-5 but for its spawns (spawn.cpp): where sync, abort and SYNCHED are allowed; what
// `cilk`, `inlet`, `shared` and `private` may be written on; which variables a nested function uses.
//
// Each rule has a code of its own and says what to write instead.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/cilk/rules.h"
#include "diag/cilk.h"

namespace cilkc {

// ---- sync, abort, SYNCHED -----------------------------------------------------------------------------------------

void CilkRules::cilkStatement(Stmt *s) {
  if (sema.inThread()) {
    bool sync = s->kind == StmtKind::Sync;
    return sema.threads.cilk5InThread(s->range, sync ? "sync" : "abort",
        sync ? "write `spawn_next T(k, ?x);`: thread T runs after x has got its value, and does what follows the sync"
             : "threads cannot be stopped; let each read a flag before it spawns more");
  }
  if (s->kind == StmtKind::Sync) {
    if (sema.fs->inside.stmtExprs && (sema.inProcedure() || cx.lang.openCilk)) {
      diags.report(diag::spawn_in_expression, s->range) << "a statement expression (and neither can sync)";
      return;
    }
    if (sema.inProcedure()) return;
    auto d = diags.report(diag::sync_outside_procedure, s->range);
    if (sema.inInlet()) d.note(s->range, "an inlet runs to its end without waiting; write `sync;` in the procedure");
    else if (sema.fs && sema.fs->fn && sema.fs->fn->range.valid())
      d.note(sema.fs->fn->range,
          "write `cilk` before '" + std::string(sema.fs->fn->name) + "' to make it a cilk procedure");
    return;
  }
  if (sema.inProcedure() || sema.inInlet()) return;
  auto d = diags.report(diag::abort_outside_procedure, s->range);
  d.note(s->range, "to end the program call `exit(1);` here, or `abort();` with parentheses");
}

Expr *CilkRules::typeSynched(Synched *s) {
  if (sema.inThread()) {
    sema.threads.cilk5InThread(s->range, "SYNCHED",
        "a thread starts only after all its arguments have arrived, so there is nothing to test");
    return sema.conv.error(s->range);
  }
  if (!sema.inProcedure() && !sema.inInlet()) {
    auto d = diags.report(diag::synched_outside_procedure, s->range);
    if (sema.fs && sema.fs->fn)
      d.note(sema.fs->fn->range, "write `cilk` before '" + std::string(sema.fs->fn->name) +
                                     "' to make it a cilk procedure; a C function has no children to wait for");
    return sema.conv.error(s->range);
  }
  s->type = cx.basic(TypeKind::Int);
  return s;
}

// ---- cilk, inlet, shared, private on declarations -----------------------------------------------------------------

namespace {
// Is there a function in the type, as itself, pointed to, or as an element?
const FunctionType *functionInside(QualType t) {
  if (!t) return nullptr;
  const Chain *c = chainOf(t.type);
  const Type *end = c ? c->end : t.type;
  return end->isFunction() ? end->as<FunctionType>() : nullptr;
}
}  // namespace

void CilkRules::checkCilkDeclaration(Decl *d, const DeclSpecs *specs, Range where) {
  if (!specs) return;
  sema.threads.checkThreadDeclaration(d, specs, where);
  Range keyword = specs->cilkRange.valid() ? specs->cilkRange : where;
  if (!d) {
    if (specs->cilk) diags.report(diag::cilk_on_non_function, keyword);
    if (specs->inlet) diags.report(diag::inlet_on_non_function, keyword);
    return;
  }
  if (d->type && d->type->isError()) return;
  const FunctionType *ft = functionInside(d->type);
  bool isFunction = d->kind == DeclKind::Function;
  auto *f = isFunction ? d->as<FunctionDecl>() : nullptr;
  bool definition = f && sema.fs && sema.fs->fn == f;
  const FunctionDecl *outer = definition && sema.fs->up ? sema.fs->up->fn : nullptr;
  if (specs->cilk && !ft) diags.report(diag::cilk_on_non_function, keyword);
  if (specs->cilk && specs->inlet) {
    diags.report(diag::cilk_inlet, keyword);
    if (f) f->isInlet = f->isCilk = false;
    return;
  }
  if (f && ft && ft->isCilk && ft->variadic) diags.report(diag::cilk_variadic, where) << f->name;
  if (definition && f->isCilk && outer) {
    diags.report(diag::cilk_nested, where)
        .note(where, "move '" + std::string(f->name) + "' out of '" + std::string(outer->name) +
                         "'; only inlets are defined inside");
    return;
  }
  if (specs->inlet) {
    if (!isFunction) diags.report(diag::inlet_on_non_function, keyword);
    else if (!definition)
      diags.report(diag::inlet_prototype, where)
              .note(where, "define the inlet among the declarations of the cilk procedure, before it is used")
          << f->name;
    else if (!outer)
      diags.report(diag::inlet_outside_procedure, where)
          .note(where,
              "move '" + std::string(f->name) + "' into the cilk procedure that calls it, among its declarations");
    else if (outer->isInlet) diags.report(diag::inlet_in_inlet, where);
    else if (outer->isThread) {
    } else if (!outer->isCilk)
      diags.report(diag::inlet_outside_procedure, where)
          .note(outer->range, "write `cilk` before '" + std::string(outer->name) + "' to make it a cilk procedure");
    else if (ft && ft->variadic) diags.report(diag::inlet_variadic, where);
  } else if (definition && outer && !f->isCilk && (outer->isCilk || outer->isInlet)) {
    auto b = diags.report(diag::nested_in_cilk, where);
    b << f->name;
    if (isFunction && !specs->cilk)
      b.note(where, "or write `inlet` before its declaration, if it takes what a spawn returns: `" +
                        std::string(f->name) + "(spawn ..);`");
  }
  if (specs->shared || specs->priv) {
    const char *which = specs->shared ? "shared" : "private";
    if (isFunction) diags.report(diag::shared_function, where) << which;
    else if (d->kind != DeclKind::Var || (d->as<VarDecl>()->isLocal) || d->as<VarDecl>()->linkage == Linkage::None)
      diags.report(diag::shared_not_global, where) << which;
    else if (specs->shared && specs->priv) diags.report(diag::shared_and_private, where) << d->name;
    else if (specs->priv) {
      d->as<VarDecl>()->isPrivate = true;
      if (d->as<VarDecl>()->init || d->as<VarDecl>()->isDefinition) diags.report(diag::private_initializer, where);
    }
  }
}

}  // namespace cilkc
