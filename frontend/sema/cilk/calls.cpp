// calls.cpp - calls of what is not called: threads, inlets, procedures. Each is reported with what to write instead.
#include "frontend/ast/query.h"
#include "frontend/sema/cilk/rules.h"
#include "diag/cilk.h"
#include "diag/cilk1.h"

namespace cilkc {

namespace {

Expr *ofThread(CilkSema &sema, Call *c, const FunctionDecl *decl) {
  std::string name = decl ? std::string(decl->name) : "T";
  auto d = sema.diags.report(diag::thread_called, c->callee->range);
  d << name;
  if (sema.inThread())
    d.note(c->range,
        "write `spawn " + name + "(..);`, or `tail_call " + name + "(..);` as the last thing of this thread");
  else if (decl)
    d.note(decl->range, "if its first parameter is a continuation it is a procedure: `x = spawn " + name +
                            "(..);` in a cilk procedure, EXPORT(" + name + ") in C");
  return sema.conv.error(c->range);
}

Expr *ofInlet(CilkSema &sema, Call *c, const FunctionDecl *decl, bool bad) {
  if (!bad) {
    std::string_view called = decl ? decl->name : std::string_view("inlet");
    const char *advice = sema.inInlet() ? "an inlet cannot call inlets: put what both do into a C function"
                                        : "write `%(spawn f(..));`, or make it a C function to call it with values";
    std::string text = advice;
    if (size_t at = text.find('%'); at != text.npos) text.replace(at, 1, called);
    sema.diags.report(diag::inlet_without_spawn, c->range).note(c->range, text) << called;
  }
  return sema.conv.error(c->range);
}

Expr *ofProcedure(CilkSema &sema, Call *c, const FunctionDecl *decl, const FunctionType *ft) {
  std::string name = decl ? std::string(decl->name) : "f";
  for (std::string_view word : {"cilk_spawn", "_Cilk_spawn"})
    // in that dialect it is not a mistake, and the first message says so
    if (sema.tu->damagedNames.count(word)) return sema.conv.error(c->range);
  auto d = sema.diags.report(diag::call_without_spawn, c->callee->range);
  d << (decl ? "'" + name + "'" : std::string("a cilk procedure"));
  if (sema.inProcedure()) {
    if (ft->result->isVoid())
      d.note(c->callee->range, "write `spawn " + name + "(..);` as a statement of its own")
          .fixit(Range{c->callee->range.begin, c->callee->range.begin}, "spawn ");
    else
      d.note(c->callee->range,
          "write `x = spawn " + name + "(..);` as a statement of its own, then `sync;` before x is read");
  } else if (sema.inInlet()) {
    d.note(c->callee->range,
        "an inlet cannot spawn; let the procedure spawn after the inlet has recorded what is to be done");
  } else if (sema.fs && sema.fs->fn && sema.fs->fn->name == "main") {
    d.note(c->callee->range, "write `cilk` before main: a procedure may spawn");
  } else {
    d.note(c->callee->range, "C code runs a cilk procedure through EXPORT(" + name +
                                 ") and a CilkContext, or make this function a cilk procedure");
  }
  return sema.conv.error(c->range);
}

}  // namespace

Expr *CilkRules::refuseCall(Call *c, FunctionDecl *decl, const FunctionType *ft, bool bad) {
  if (ft->isThread) return ofThread(sema, c, decl);
  if (ft->isInlet) return ofInlet(sema, c, decl, bad);
  // abort() of the C library where the statement is likely meant: in an inlet, and beside inlets.
  if (decl && decl->name == "abort" && ignoreParens(c->callee)->range.begin.raw == c->range.begin.raw &&
      c->args.empty() && sema.fs && sema.fs->cilkMode && !sema.unevaluated &&
      (sema.inInlet() || (sema.inProcedure() && !sema.fs->fn->inlets.empty())))
    diags.report(diag::abort_call, c->range).note(c->range, "write `(abort)()` if ending the program is meant");
  return ft->isCilk ? ofProcedure(sema, c, decl, ft) : nullptr;
}

}  // namespace cilkc
