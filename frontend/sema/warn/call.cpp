// call.cpp - warnings about single calls: null for nonnull parameters, missing sentinels, sizes and lengths that look wrong. The call is
// typed and its arguments are converted; nothing here changes the tree. Format strings have format.cpp.
#include <algorithm>
#include <optional>
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/warn/format.h"
#include "frontend/sema/core/sema.h"

namespace cilkc {

namespace {

// The whole object that an argument designates, `a` or `&a`, if its size is known.
std::optional<uint64_t> roomAt(Sema &s, const Expr *arg, std::string &name) {
  const Expr *e = arg;
  for (;;) {
    if (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
    else if (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
    else if (e->kind == ExprKind::Cast && e->type->isPointer()) e = e->as<Cast>()->sub;
    else if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf) {
      e = e->as<Unary>()->sub;
      if (e->kind != ExprKind::Ident) return {};
      break;
    } else break;
  }
  if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var) return {};
  QualType t = e->type;
  if (!t.type || t->isPointer() || !isComplete(t.type) || hasVariableSize(t.type)) return {};
  if (!t->isArray() && !t->isScalar()) return {};      // a struct may end in an array that has more room than it says
  name = e->as<Ident>()->name;
  return sizeOf(t.type, s.cx.target);
}

// memset(a, 0, n), memcpy, strcpy of a literal: what certainly goes beyond the end of a variable.
void checkOverflow(Sema &s, const Call *c, const FunctionDecl *f) {
  static constexpr std::string_view sized[] = {"memset", "memcpy", "memmove", "strncpy"};
  bool bySize = std::find(std::begin(sized), std::end(sized), f->name) != std::end(sized);
  if (f->def || (!bySize && f->name != "strcpy") || c->args.size() != (bySize ? 3u : 2u)) return;
  std::string name;
  auto room = roomAt(s, c->args[0], name);
  if (!room) return;
  __int128 bytes = 0;
  if (bySize) {
    auto n = s.conv.knownInteger(c->args[2]);
    if (!n) return;
    bytes = *n;
  } else {
    const Expr *text = bareValue(c->args[1]);
    if (text->kind != ExprKind::StringLit || text->as<StringLit>()->unit != 1) return;
    bytes = static_cast<__int128>(
                text->as<StringLit>()->bytes.find('\0') == std::string::npos ? text->as<StringLit>()->length() : text->as<StringLit>()->bytes.find('\0')) +
            1;
  }
  if (bytes > static_cast<__int128>(*room) && bytes < (static_cast<__int128>(1) << 62))
    s.diags.report(diag::stringop_overflow, c->range) << f->name << static_cast<unsigned long long>(bytes) << name << *room;
}

}  // namespace

void Warnings::checkCallWarnings(Call *c) {
  if (sema.unevaluated || sema.deadCode) return;
  const Expr *callee = c->callee;
  callee = ignoreParensAndImplicit(callee);
  if (callee->kind != ExprKind::Ident || !callee->as<Ident>()->decl || callee->as<Ident>()->decl->kind != DeclKind::Function) return;
  const auto *f = callee->as<Ident>()->decl->as<FunctionDecl>();

  // Null where the function wants an object.
  if (f->attrs.nonnullAll || !f->attrs.nonnull.empty()) {
    for (size_t i = 0; i < c->args.size(); i++) {
      bool wanted = f->attrs.nonnullAll;
      for (int n : f->attrs.nonnull)
        if (n == static_cast<int>(i + 1)) wanted = true;
      if (wanted && c->args[i]->type->isPointer()) {
        const Expr *a = c->args[i];
        while (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::PointerToPointer) a = a->as<ImplicitCast>()->sub;
        if (sema.conv.isNullPointerConstant(a) || (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::NullToPointer))
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
    auto n = sema.conv.knownInteger(c->args[2]);
    auto v = sema.conv.knownInteger(c->args[1]);
    const Expr *third = bareValue(c->args[2]);
    if (n && *n == 0 && third->kind == ExprKind::IntLit && !(v && *v == 0)) diags.report(diag::memset_swapped, c->range);
  }

  checkOverflow(sema, c, f);
  checkSizeArgument(c, f);
  checkAbsolute(c, f);
  if (FormatSpec spec = formatOf(f); spec.kind) checkFormat(sema, c, spec);
}

}  // namespace cilkc
