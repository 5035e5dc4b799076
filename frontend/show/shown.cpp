// shown.cpp - takes spawn statements apart and finds, once for a procedure, what its writers ask for.
#include "frontend/show/shown.h"
#include "frontend/ast/query.h"

namespace cilkc::show {

namespace {

const Spawn *spawnUnder(const Expr *e) {
  e = ignoreCasts(e);
  return e && e->kind == ExprKind::Spawn && e->as<Spawn>()->call ? e->as<Spawn>() : nullptr;
}

}  // namespace

Site siteOf(const Expr *e) {
  Site s;
  const Expr *x = ignoreParensAndImplicit(e);
  if (!x) return s;
  if (x->kind == ExprKind::Assign && (s.spawn = spawnUnder(x->as<Assign>()->rhs))) s.assign = x->as<Assign>();
  else if (x->kind == ExprKind::Call && x->as<Call>()->inlet && !x->as<Call>()->args.empty() && (s.spawn = spawnUnder(x->as<Call>()->args[0]))) s.inlet = x->as<Call>();
  else s.spawn = spawnUnder(x);
  return s;
}

Shown::Shown(const SourceManager &sources, const FunctionDecl *fn, bool lazy, const TypeNames &types)
    : sources(sources), fn(fn), lazy(lazy), flow(analyzeProcedure(fn->def)), name(fn->name), types(types) {
  for (auto *v : fn->params) call(v);
  for (auto *v : fn->locals) call(v);
  f = fresh("f");
  for (size_t n = 1; n < flow.entries.size(); n++) {
    const EntryPoint &e = flow.entries[n];
    if (e.kind != EntryPoint::AfterSpawn || !e.stmt || e.stmt->kind != StmtKind::Expr) continue;
    Site s = siteOf(e.stmt->as<ExprStmt>()->expr);
    if (!s.spawn) continue;
    s.stored = s.assign && !fixed(s.assign->lhs);
    sites[static_cast<int>(n)] = s;
  }
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

// Is the receiver the same object whenever it is looked at? (codegen/clones/procedure.cpp)
bool Shown::fixed(const Expr *e) const {
  for (e = ignoreParensAndImplicit(e); e; e = ignoreParensAndImplicit(e)) {
    if (e->kind == ExprKind::Member && !e->as<Member>()->arrow) { e = e->as<Member>()->base; continue; }
    if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var) return false;
    auto *v = e->as<Ident>()->decl->as<VarDecl>();
    if (v->tls != TlsKind::None || v->isPrivate) return false;
    return !v->isLocal || flow.home(v) == VarHome::Delivered || flow.home(v) == VarHome::Closure;
  }
  return false;
}

}  // namespace cilkc::show
