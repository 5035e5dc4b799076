// constexpr.cpp - C23 6.7.2p4-6: what a constexpr object's type may be, and what its initialiser.
//
// The value of each part must be in the part's type as it is: no conversion may change it, an integer has no floating
// initialiser, and a pointer is null.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/static_value.h"
#include "frontend/sema/c/decl/declare.h"
#include "diag/sema_decl.h"

namespace cilkc {

namespace {

// "volatile" and the like, if an object of the type has such a part that is not a constant.
const char *changing(QualType t) {
  if (t.isVolatile()) return "volatile";
  if (t.isAtomic()) return "_Atomic";
  if (t.isRestrict()) return "restrict";
  if (t->isArray()) return changing(t->as<ArrayType>()->elem);
  if (t->isRecord())
    for (const FieldDecl *f : t->as<RecordType>()->fields)
      if (const char *how = changing(f->type)) return how;
  return nullptr;
}

std::string_view shownName(const VarDecl *v) { return v->hidden ? "compound literal" : v->name; }

class Parts {
public:
  Parts(Sema &s, const VarDecl *v) : s(s), v(v) {}

  void check(const Expr *value, QualType t) const {
    if (!value || value->kind == ExprKind::Error || value->kind == ExprKind::Data) return;
    if (const Expr *text = ignoreParens(value); t->isArray() && text->kind == ExprKind::StringLit)
      return characters(text->as<StringLit>(), t->as<ArrayType>()->elem.type);
    if (t->isRecord() || t->isArray() || t->isVector()) return;  // a copy of a constant, or a part that was checked
    auto is = evaluate(value, s.cx, EvalMode::Static);
    if (!is) {  // reported already where the object is static
      if (v->isLocal) report(value, "has an initialiser that is not constant");
      return;
    }
    if (t->isPointer()) {
      if (is->kind == ConstValue::Address && (is->base || is->string || is->label || is->offset))
        report(value, "is a pointer that is not null");
      else if (is->kind == ConstValue::Int && is->i) report(value, "is a pointer that is not null");
      return;
    }
    const Expr *from = written(value);
    auto was = evaluate(from, s.cx, EvalMode::Static);
    if (t->isInteger() && !from->type->isInteger())
      return report(value, "has an initialiser that is not an integer constant expression");
    if (was && !same(*was, *is)) report(value, "has a value that its type does not have");
  }

private:
  void report(const Expr *value, const char *what) const {
    s.diags.report(diag::constexpr_value, value->range) << shownName(v) << what;
  }

  // Before it was converted to the type of the part.
  static const Expr *written(const Expr *e) {
    while (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->sub->type->isArithmetic() &&
           e->as<ImplicitCast>()->castKind != CastKind::LvalueToRvalue)
      e = e->as<ImplicitCast>()->sub;
    return e;
  }

  static bool same(const ConstValue &a, const ConstValue &b) {
    auto real = [](const ConstValue &c) { return c.kind == ConstValue::Int ? static_cast<__float128>(c.i) : c.re; };
    auto plain = [](const ConstValue &c) { return c.kind == ConstValue::Int || c.kind == ConstValue::Float; };
    if (!plain(a) || !plain(b)) return true;
    if (a.kind == ConstValue::Int && b.kind == ConstValue::Int) return a.i == b.i;
    return real(a) == real(b) || (real(a) != real(a) && real(b) != real(b));
  }

  void characters(const StringLit *text, const Type *elem) const {
    if (text->unit != 1 || !elem->isInteger()) return;
    bool unsignedText = text->prefix == StrPrefix::u8 || !isSigned(s.cx.basic(TypeKind::Char), s.cx.target);
    if (unsignedText == !isSigned(elem, s.cx.target)) return;
    if (std::any_of(text->bytes.begin(), text->bytes.end(), [](char c) { return c < 0; }))
      report(text, "has a character that its type does not have");
  }

  Sema &s;
  const VarDecl *v;
};

}  // namespace

void checkConstexpr(Sema &s, const VarDecl *v) {
  std::string_view name = shownName(v);
  if (!v->type || v->type->isError()) return;
  if (const char *how = changing(v->type))
    s.diags.report(diag::constexpr_value, v->range) << name << "has a part that is " + std::string(how);
  if (v->storage == StorageClass::Extern || v->threadLocal)
    s.diags.report(diag::constexpr_value, v->range) << name << "can only be 'auto', 'register' or 'static'";
  if (isVariablyModified(v->type.type))
    s.diags.report(diag::constexpr_value, v->range) << name << "has a size that is not constant";
  if (!v->init) return;
  Parts parts(s, v);
  if (v->init->expr) return parts.check(v->init->expr, v->type);
  if (v->init->list && v->init->list->plan)
    for (const InitStore &part : v->init->list->plan->stores) parts.check(part.value, part.type);
}

}  // namespace cilkc
