// static_value.cpp - C17 6.6p7-10 with gcc's extensions, as far as ELF's relocations go.
#include "frontend/consteval/static_value.h"
#include <algorithm>
#include "frontend/ast/query.h"

namespace cilkc {

const Expr *initialValue(const Expr *e) {
  for (;;) {
    e = ignoreParens(e);
    switch (e->kind) {
      case ExprKind::ImplicitCast: {
        auto *c = e->as<ImplicitCast>();
        if (c->castKind == CastKind::NoOp || c->castKind == CastKind::LvalueToRvalue) {
          e = c->sub;
          continue;
        }
        return e;
      }
      case ExprKind::Cast:
        if (e->as<Cast>()->castKind == CastKind::NoOp && e->type->isAggregate()) {
          e = e->as<Cast>()->sub;
          continue;
        }
        return e;
      default: return otherKinds<34>(e);
    }
  }
}

const InitPlan *constantPlan(const Expr *e, const AstContext &cx) {
  // `const` objects may be initialised with one another in a circle, which is an error elsewhere.
  for (int objects = 0; objects < 100; objects++) {
    e = initialValue(e);
    const InitList *list = nullptr;
    if (e->kind == ExprKind::CompoundLit) list = e->as<CompoundLit>()->init;
    if (e->kind == ExprKind::Ident && e->as<Ident>()->decl && e->as<Ident>()->decl->kind == DeclKind::Var) {
      const auto *v = e->as<Ident>()->decl->as<VarDecl>();
      bool constant = v->isConstexpr || (v->type.isConst() && !v->isLocal && !v->isParam && !v->threadLocal);
      if (!constant || !v->init || v->type.isVolatile() || v->type.isAtomic() || v->attrs.weak) return nullptr;
      if (v->init->expr) {
        e = v->init->expr;
        continue;
      }
      list = v->init->list;
    }
    // what a flexible array has is not copied
    return list && list->plan && list->plan->size <= sizeOf(list->plan->type.type, cx.target) ? list->plan : nullptr;
  }
  return nullptr;
}

bool isStaticValue(const Expr *value, QualType type, const FieldDecl *bitField, const AstContext &cx) {
  if (type->isArray() || type->isRecord() || type->isVector()) {
    const Expr *e = initialValue(value);
    if (e->kind == ExprKind::StringLit || e->kind == ExprKind::Data) return type->isArray();
    if (const InitPlan *plan = type->isArray() && e->kind != ExprKind::CompoundLit ? nullptr : constantPlan(e, cx))
      return std::all_of(plan->stores.begin(), plan->stores.end(),
          [&](const InitStore &s) { return isStaticValue(s.value, s.type, s.bitField, cx); });
    if (!type->isVector() || (e->kind != ExprKind::ImplicitCast && e->kind != ExprKind::Cast)) return false;
    const Expr *sub = e->kind == ExprKind::Cast ? e->as<Cast>()->sub : e->as<ImplicitCast>()->sub;
    CastKind k = e->kind == ExprKind::Cast ? e->as<Cast>()->castKind : e->as<ImplicitCast>()->castKind;
    if (k == CastKind::VectorBitcast && sub->type->isVector()) return isStaticValue(sub, sub->type, nullptr, cx);
    return k == CastKind::ScalarToVector && isStaticValue(sub, type->as<VectorType>()->elem, nullptr, cx);
  }
  auto v = evaluate(value, cx, EvalMode::Static);
  if (!v || v->kind != ConstValue::Address || (!v->base && !v->string && !v->label)) return v.has_value();
  uint64_t size = sizeOf(type.type, cx.target);
  if (bitField) return !v->minusLabel && bitField->width == 64 && bitField->bitOffset == 0;
  if (v->minusLabel) return type->isInteger() && size <= 8;
  return type->isPointer() || (type->isInteger() && (size == 8 || type->isBool()));
}

}  // namespace cilkc
