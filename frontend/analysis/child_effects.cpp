// child_effects.cpp - see child_effects.h. Effects are made once, in the order of the text: first what the text of the
// procedure holds (loops, guards, uses of variables), then a list for each spawn.
#include "frontend/analysis/child_effects.h"
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"

namespace cilkc::analysis {

namespace {

constexpr int64_t unknownExtent = -2;

bool ordered(QualType t) {  // volatile and atomic objects are shared on purpose
  for (;;) {
    if (t.isVolatile() || t.isAtomic()) return true;
    if (!t->isArray()) return false;
    t = t->as<ArrayType>()->elem;
  }
}

// How far a child goes that is given the start of an array: up to the one number that it is given, too; without a
// number, as far as there is something.
int64_t extentOf(const Call *c) {
  int64_t extent = -1;
  int numbers = 0;
  for (const Expr *a : c->args) {
    if (!a->type->isInteger()) continue;
    const Expr *l = ignoreCasts(a);
    if (++numbers > 1 || !l || l->kind != ExprKind::IntLit) return unknownExtent;
    extent = static_cast<int64_t>(l->as<IntLit>()->value);
  }
  return extent;
}

}  // namespace

ChildEffects::ChildEffects(const FunctionDef *def, const AstContext &cx, EffectTable &effects)
    : def(def), paths(cx), effects(effects) {
  survey();
  for (const SpawnStmt *s : def->fn->spawns)
    if (!bySpawn.count(s)) spawned(s);
}

void ChildEffects::findLoops(const Stmt *body) {
  eachNode(body, Walk::Evaluated, [this](const auto *node) {
    if constexpr (!std::is_same_v<decltype(node), const Stmt *>) {
      return false;
    } else {
      if (node->kind == StmtKind::If)
        guards.add(node->template as<IfStmt>()->then->range, node->template as<IfStmt>()->cond);
      else if (node->kind == StmtKind::While || node->kind == StmtKind::Do || node->kind == StmtKind::For)
        loops.add(node->range, node->range);
      return true;
    }
  });
  guards.settle();
  loops.settle();
}

void ChildEffects::survey() {
  findLoops(def->body);
  eachNode(def->body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Expr *>) surveyed(node);
    else if (node->kind == StmtKind::Spawn && node->template as<SpawnStmt>()->delivery)
      spawned(node->template as<SpawnStmt>());
  });
}

void ChildEffects::surveyed(const Expr *e) {
  if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue) {
    const Expr *sub = bare(e->as<ImplicitCast>()->sub);
    if (sub->kind == ExprKind::Ident && sub->as<Ident>()->decl && sub->as<Ident>()->decl->kind == DeclKind::Var)
      reads[sub->as<Ident>()->decl->as<VarDecl>()]++;
  } else if (e->kind == ExprKind::Cast && e->as<Cast>()->castKind == CastKind::ToVoid) {
    const Expr *sub = bare(e->as<Cast>()->sub);  // (void)x is no use
    if (sub->kind == ExprKind::ImplicitCast) sub = bare(sub->as<ImplicitCast>()->sub);
    if (sub->kind == ExprKind::Ident && sub->as<Ident>()->decl && sub->as<Ident>()->decl->kind == DeclKind::Var)
      reads[sub->as<Ident>()->decl->as<VarDecl>()]--;
  } else if (e->kind == ExprKind::Call) {
    const FunctionDecl *f = directCallee(e->as<Call>());
    if (f && (EffectTable::synchronises(f->name) || effects.of(f).guarded)) guarded = true;
  }
}

void ChildEffects::add(PendingEffect c) {
  c.indexed = std::any_of(c.path.steps.begin(), c.path.steps.end(), [](const Step &x) { return x.expr != nullptr; });
  if (const Expr *const *guard = guards.around(c.where)) c.guard = *guard;
  all.push_back(std::move(c));
  bySpawn[all.back().spawn].push_back(static_cast<int>(all.size()) - 1);
}

void ChildEffects::spawned(const SpawnStmt *s) {
  bySpawn[s];
  if (const Assign *a = s->delivery) {
    Path p = paths.ofLvalue(a->lhs);
    if (p && !s->fills && !ordered(a->lhs->type)) {
      PendingEffect c{};
      c.kind = PendingEffect::Receiver;
      c.spawn = s;
      c.where = a->range;
      c.compound = a->compound;
      const VarDecl *v = p.base;
      c.dropped = p.steps.empty() && v->isLocal && !v->addressTaken && !v->inletTouches && !v->crossesNested;
      c.path = std::move(p);
      add(std::move(c));
    }
  }
  if (s->inlet) changedBy(s);
  if (guarded) return;
  const FunctionDecl *callee = directCallee(s);
  const Effects &e = effects.of(callee);
  if (e.guarded) return;
  const auto &args = s->call->args;
  if (e.visible) {
    int64_t extent = extentOf(s->call);
    auto take = [&](const std::vector<Effect> &list, PendingEffect::Kind kind) {
      for (const Effect &x : list) {
        PendingEffect c{};
        c.kind = kind;
        c.spawn = s;
        c.path = effects.atCall(x.path, callee, s->call, c.fromHere);
        // No mark makes `x++` one step but _Atomic.
        if (!c.path || (kind != PendingEffect::Updates && ordered(c.path.base->type))) continue;
        if (kind == PendingEffect::Updates && c.fromHere) continue;
        if (c.fromHere && (extent == unknownExtent || !c.path.steps.back().known)) continue;
        c.extent = extent;
        c.where = x.path.base->isParam && x.path.base->paramIndex < args.size() ? args[x.path.base->paramIndex]->range
                                                                                : s->spawned;
        c.at = x.at;
        // Reported before?
        bool again = false;
        for (int i : bySpawn[s]) {
          const PendingEffect &o = all[static_cast<size_t>(i)];
          again |= o.kind == c.kind && o.fromHere == c.fromHere && o.path.steps.size() == c.path.steps.size() &&
                   overlap(o.path, c.path) == Overlap::Yes;
        }
        if (!again && bySpawn[s].size() < 40) add(std::move(c));
      }
    };
    take(e.updates, PendingEffect::Updates);
    take(e.writes, PendingEffect::Stores);
    take(e.reads, PendingEffect::Reads);
  } else if (callee) {
    // Its body is elsewhere. &x of a plain variable: a child that gets a pointer to something that it cannot change
    // reads it, else it is a second result.
    for (const Expr *arg : args) {
      const Expr *x = bare(arg);
      while (x->kind == ExprKind::ImplicitCast && x->as<ImplicitCast>()->castKind == CastKind::PointerToPointer)
        x = bare(x->as<ImplicitCast>()->sub);
      if (x->kind != ExprKind::Unary || x->as<Unary>()->op != UnaryOp::AddrOf || !arg->type->isPointer()) continue;
      QualType to = arg->type->as<PointerType>()->pointee;
      if (!to->isArithmetic() || ordered(to)) continue;
      Path p = paths.ofLvalue(x->as<Unary>()->sub);
      if (!p || !p.steps.empty() || ordered(p.base->type)) continue;
      PendingEffect c{};
      c.kind = to.isConst() ? PendingEffect::Reads : PendingEffect::Stores;
      c.spawn = s;
      c.where = arg->range;
      c.path = std::move(p);
      c.certain = false;
      add(std::move(c));
    }
  }
}

// Variables that the inlet changes. One that may abort speculates: they are what is tested before the next spawn.
void ChildEffects::changedBy(const SpawnStmt *s) {
  const FunctionDecl *inlet = s->inlet;
  if (!inlet->def || !inlet->def->body) return;
  bool aborts = false;
  std::vector<const Expr *> changed;
  eachNode(inlet->def->body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) aborts |= node->kind == StmtKind::Abort;
    else if (node->kind == ExprKind::Assign) changed.push_back(node->template as<Assign>()->lhs);
    else if (node->kind == ExprKind::Unary && isIncDec(node->template as<Unary>()->op))
      changed.push_back(node->template as<Unary>()->sub);
  });
  if (aborts) {
    PendingEffect c{};
    c.kind = PendingEffect::Aborts;
    c.spawn = s;
    c.where = s->spawned;
    for (const Expr *lvalue : changed)
      if (Path p = paths.ofLvalue(lvalue); p && p.base->fn != inlet) c.marks.push_back(p.base);
    speculates |= !c.marks.empty();
    if (!c.marks.empty()) add(std::move(c));
    return;
  }
  for (const Expr *lvalue : changed) {
    Path p = paths.ofLvalue(lvalue);
    if (!p || p.base->fn == inlet || ordered(lvalue->type) || ordered(p.base->type)) continue;
    if (std::any_of(p.steps.begin(), p.steps.end(), [](const Step &x) { return x.kind == Step::Pointee || x.expr; }))
      continue;
    bool again = false;
    for (int i : bySpawn[s]) again |= overlap(all[static_cast<size_t>(i)].path, p) == Overlap::Yes;
    if (again) continue;
    PendingEffect c{};
    c.kind = PendingEffect::Receiver;
    c.spawn = s;
    c.where = s->spawned;
    c.compound = c.byInlet = true;
    c.path = std::move(p);
    add(std::move(c));
  }
}

}  // namespace cilkc::analysis
