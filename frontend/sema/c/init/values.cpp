// values.cpp - see values.h.
#include "frontend/sema/c/init/values.h"
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/static_value.h"
#include "diag/sema_decl.h"

namespace cilkc {

void InitValues::touch(Initializer *init) {
  if (!init) return;
  if (init->expr) init->expr = typed(init->expr);
  if (init->list)
    for (InitItem &i : init->list->items) touch(i.init);
}

// ---- questions ----------------------------------------------------------------------------------------------------

StringLit *InitValues::asString(Expr *e) {
  e = ignoreParens(e);
  return e && e->kind == ExprKind::StringLit ? e->as<StringLit>() : nullptr;
}

bool InitValues::isCharArray(QualType t) const {
  if (!t->isArray()) return false;
  const Type *e = t->as<ArrayType>()->elem.type;
  return !e->isEnum() && e->isInteger() && e->kind != TypeKind::Bool;
}

bool InitValues::stringFits(const StringLit *lit, QualType q) const {
  const Type *elem = q.type;
  if (q.isAtomic()) return false;
  if (elem->kind == TypeKind::Char || elem->kind == TypeKind::SChar || elem->kind == TypeKind::UChar)
    return lit->unit == 1;
  if (lit->unit == 1 || !lit->type.type || !lit->type->isArray()) return false;
  return s.compat.compatible(lit->type->as<ArrayType>()->elem.unqual(), QualType(elem));
}

bool InitValues::elides(QualType t, Initializer *init) {
  if (!init || !init->expr || !isAggregate(t)) return false;
  Expr *e = init->expr = typed(init->expr);
  if (e->kind == ExprKind::Error || (t->isArray() && asString(e) && isCharArray(t))) return false;
  return !is(e, t);
}

bool InitValues::hasScalar(QualType t) {
  for (int i = 0; i < 100; ++i) {
    if (t->isArray()) t = t->as<ArrayType>()->elem;
    else if (t->isRecord()) {
      const auto &fields = t->as<RecordType>()->fields;
      auto first = std::find_if(fields.begin(), fields.end(), [](auto *f) { return !f->name.empty() || f->anonymous; });
      if (first == fields.end()) return false;
      t = (*first)->type;
    } else return true;
  }
  return false;
}

// ---- values -------------------------------------------------------------------------------------------------------

void InitValues::constantCheck(Expr *value, QualType t, const FieldDecl *bf) {
  if (!isStatic || value->kind == ExprKind::Error || value->type->isError()) return;
  if (t->isRecord()) return;
  if (isStaticValue(value, t, bf, s.cx)) {
    if (!t->isVector()) s.conv.checkConstantForm(value, false, "initialiser");
    return;
  }
  s.diags.report(diag::not_constant, value->range);
  failed = true;
}

Expr *InitValues::value(Expr *e, QualType t, const FieldDecl *bf) {
  if (e->kind == ExprKind::Error || !e->type.type || e->type->isError() || t->isError()) {
    failed = true;
    return nullptr;
  }
  Range where = e->range;
  e = s.conv.load(e);
  e = s.conv.assignConvert(e, t.unqual(), "initialization", where);
  if (!e || e->kind == ExprKind::Error || !e->type.type || e->type->isError()) {
    failed = true;
    return nullptr;
  }
  constantCheck(e, t, bf);
  return e;
}

void InitValues::scalar(Initializer *init, QualType t, uint64_t offset, FieldDecl *f) {
  FieldDecl *bitField = f && f->bitField ? f : nullptr;
  if (Expr *v = value(init->expr, t, bitField)) store(offset, t, bitField, init->expr = v);
}

void InitValues::whole(Expr *e, QualType t, uint64_t offset) {
  if (isStatic && !t->isVector()) {
    const InitList *list = literalList(e);
    if (const InitPlan *plan = list ? list->plan : t->isRecord() ? constantPlan(e, s.cx) : nullptr) {
      cover(offset * 8, (offset + plan->size) * 8, e->range);
      include(*plan, offset);
      size = std::max(size, offset + plan->size);
      return;
    }
    if (t->isRecord()) {
      s.diags.report(diag::not_constant, e->range);
      failed = true;
      return;
    }
  }
  if (Expr *v = value(e, t)) store(offset, t, nullptr, v);
}

QualType InitValues::string(QualType t, uint64_t offset, StringLit *lit, Range where) {
  const auto *a = t->as<ArrayType>();
  if (!stringFits(lit, a->elem)) {
    s.diags.report(diag::init_string_type, where) << toString(t);
    failed = true;
    return errorType();
  }
  if (a->arrayKind == ArrayKind::Incomplete) t = s.cx.arrayOf(a->elem, lit->length() + 1);
  else if (lit->length() > a->count) s.diags.report(diag::init_string_long, where) << lit->length() << a->count;
  if (sizeOf(t.type, target())) store(offset, t, nullptr, lit);
  return t;
}

}  // namespace cilkc
