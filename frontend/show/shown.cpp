// shown.cpp - finds, once for a procedure, what its writers ask for.
#include "frontend/show/shown.h"

namespace cilkc::show {

Shown::Shown(const SourceManager &sources, const ClonePlan &plan, const TypeNames &types)
    : sources(sources), plan(plan), fn(plan.fn), name(fn->name), types(types) {
  for (auto *v : fn->params) call(v);
  for (auto *v : fn->locals) call(v);
  f = fresh("f");
}

std::string Shown::dummy() const {
  QualType r = fn->type->as<FunctionType>()->result;
  return isVoid() ? "return;" : r->isRecord() ? "return dummy;" : "return 0;";
}

std::string Shown::statement(const EntryPoint &e) const {
  std::string s = sourceText(sources, e.stmt ? e.stmt->range : e.range, {}, [](const Expr *) { return std::string(); });
  while (!s.empty() && (s.back() == ';' || s.back() == ' ')) s.pop_back();
  return s;
}

}  // namespace cilkc::show
