// site.cpp - see site.h.
#include "frontend/flow/site.h"
#include "frontend/ast/query.h"

namespace cilkc {

static const Spawn *spawnUnder(const Expr *e) {
  e = ignoreCasts(e);
  return e && e->kind == ExprKind::Spawn && e->as<Spawn>()->call ? e->as<Spawn>() : nullptr;
}

bool spawnSite(const Expr *e, SpawnSite &out) {
  out = SpawnSite{};
  e = ignoreParens(e);
  if (!e) return false;
  if (e->kind == ExprKind::Assign) {
    out.assign = e->as<Assign>();
    out.form = out.assign->compound ? SpawnSite::Op : SpawnSite::Receiver;
    out.spawn = spawnUnder(out.assign->rhs);
  } else if (e->kind == ExprKind::Call) {
    auto *c = e->as<Call>();
    if (!c->inlet || c->args.empty()) return false;
    out.form = SpawnSite::Inlet;
    out.inletCall = c;
    out.inlet = c->inlet;
    out.spawn = spawnUnder(c->args[0]);
  } else {
    out.spawn = spawnUnder(e);
  }
  return out.spawn != nullptr;
}

}  // namespace cilkc
