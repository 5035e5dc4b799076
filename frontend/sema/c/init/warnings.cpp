// warnings.cpp - see warnings.h.
#include "frontend/sema/c/init/warnings.h"
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/static_value.h"
#include "diag/sema_decl.h"

namespace cilkc {

void warnExcess(Sema &s, QualType of, Range where) {
  s.diags.report(diag::excess_initializers, where)
      << (of->isArray()       ? "array"
             : of->isRecord() ? (of->as<RecordType>()->isUnion ? "union" : "struct")
             : of->isVector() ? "vector"
                              : "scalar");
}

void warnMissingFields(Sema &s, const RecordType *r, size_t from, const InitList *list) {
  const Expr *only = list->items.size() == 1 && list->items[0].init ? list->items[0].init->expr : nullptr;
  only = ignoreCasts(only);
  auto known = only && only->type ? s.conv.knownInteger(only) : std::nullopt;
  if (known && *known == 0) return;  // { 0 } and { NULL }
  size_t n = r->fields.size();
  while (from < n && r->fields[from]->name.empty() && !r->fields[from]->anonymous) ++from;
  if (from < n && !(r->flexible && from + 1 == n))
    s.diags.report(diag::missing_field_initializers, list->range) << r->fields[from]->name;
}

bool flexibleAllowed(InitValues &in, bool inArray, Range where) {
  bool allowed = in.isStatic && !inArray;  // an element's extra members would be where the next element is
  in.s.diags.report(allowed ? diag::flexible_init : diag::flexible_init_automatic, where);
  in.failed |= !allowed;
  return allowed;
}

static bool isZero(const Expr *value, const AstContext &cx) {
  value = ignoreParens(value);
  auto zeros = [](const auto &bytes) { return std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == 0; }); };
  if (value->kind == ExprKind::StringLit) return zeros(value->as<StringLit>()->bytes);
  if (value->kind == ExprKind::Data) return zeros(value->as<Data>()->bytes);
  std::optional<ConstValue> v = evaluate(value, cx, EvalMode::Static);
  return v && ((v->kind == ConstValue::Int && v->i == 0) ||
                  (v->kind == ConstValue::Address && !v->base && !v->string && !v->label && !v->offset));
}

void checkObjectSize(InitValues &in, QualType t, Range where) {
  constexpr uint64_t most = uint64_t{1} << 32;
  uint64_t bytes = std::max(in.size, in.sizeOfType(t));
  if (!in.isStatic || in.failed || bytes <= most) return;
  auto &stores = in.stores;
  if (std::all_of(stores.begin(), stores.end(), [&](auto &st) { return !st.value || isZero(st.value, in.s.cx); }))
    return;
  in.s.diags.report(diag::array_too_large, where)
      << "of " + std::to_string(bytes) + " bytes with an initialiser, which the object file would hold byte by byte,";
  in.failed = true;
}

}  // namespace cilkc
