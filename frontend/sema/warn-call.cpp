// warn-call.cpp - warnings about single calls: null for nonnull parameters, missing sentinels, sizes and lengths that look wrong. The call is
// typed and its arguments are converted; nothing here changes the tree. Format strings have format.cpp.
#include "frontend/sema/builtins.h"
#include "frontend/sema/format.h"
#include "frontend/sema/sema.h"

namespace cilkc {

void Sema::checkCallWarnings(Call *c) {
  if (unevaluated || deadCode) return;
  const Expr *callee = c->callee;
  while (callee->kind == ExprKind::Paren || callee->kind == ExprKind::ImplicitCast)
    callee = callee->kind == ExprKind::Paren ? callee->as<ParenExpr>()->sub : callee->as<ImplicitCast>()->sub;
  if (callee->kind != ExprKind::Ident || !callee->as<Ident>()->decl || callee->as<Ident>()->decl->kind != DeclKind::Function) return;
  const auto *f = callee->as<Ident>()->decl->as<FunctionDecl>();

  // Null where the function wants an object.
  if (f->attrs.nonnullAll || !f->attrs.nonnull.empty()) {
    for (size_t i = 0; i < c->args.size(); i++) {
      bool wanted = f->attrs.nonnullAll;
      for (int n : f->attrs.nonnull) if (n == static_cast<int>(i + 1)) wanted = true;
      if (wanted && c->args[i]->type->isPointer()) {
        const Expr *a = c->args[i];
        while (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::PointerToPointer) a = a->as<ImplicitCast>()->sub;
        if (isNullPointerConstant(a) || (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::NullToPointer))
          diags.report(diag::nonnull_argument, c->args[i]->range) << i + 1 << f->name;
      }
    }
  }
  if (f->attrs.sentinel && c->fnType && c->args.size() >= c->fnType->params.size()) {
    const Expr *last = c->args.empty() ? nullptr : c->args.back();
    bool null = false;
    if (last && last->type->isPointer()) {   // (char *)0 ends the list too, though it is no null pointer constant
      auto value = evaluate(last, cx, EvalMode::Fold);
      null = value && !value->base && !value->string && !value->label && value->i == 0 && value->offset == 0;
    }
    if (!null && last) diags.report(diag::sentinel_missing, c->range) << f->name;
  }
  if (f->builtin == static_cast<int>(BuiltinId::memset) && c->args.size() == 3) {
    auto n = knownInteger(c->args[2]);
    auto v = knownInteger(c->args[1]);
    const Expr *third = bareValue(c->args[2]);
    if (n && *n == 0 && third->kind == ExprKind::IntLit && !(v && *v == 0)) diags.report(diag::memset_swapped, c->range);
  }

  checkSizeArgument(c, f);
  checkAbsolute(c, f);
  if (FormatSpec spec = formatOf(f); spec.kind) checkFormat(*this, c, spec);
}

}  // namespace cilkc
