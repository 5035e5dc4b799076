// locks.cpp - a forward "must" problem: the locks that are held on every path to a point. A second Cilk_lock of one of
// them waits for ever. What other functions of the user do with locks is not looked at: a call of one forgets
// everything. A spawn is the exception. The child's first statements may take a lock that is held where the child is
// spawned. On one worker this child waits for ever. On any number of workers this child waits for ever if the lock is
// given back after the sync.
//
// A local lock that is used for nothing but Cilk_lock and Cilk_unlock guards nothing, since no other strand has it.
// Without an initialiser it has never been initialised, either.
#include "frontend/analysis/locks.h"
#include <algorithm>
#include "frontend/analysis/closed.h"
#include "frontend/analysis/path.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/flow/cfg.h"
#include "diag/cilk.h"

namespace cilkc::analysis {
namespace {

enum class Op : uint8_t { None, Init, Lock, Unlock };

// <cilk.h> makes other functions of the three for `cilkc race` and -cilk-debug.
constexpr std::pair<std::string_view, Op> operations[] = {{"Cilk_lock", Op::Lock}, {"cilk_race_lock", Op::Lock},
    {"cilk_rt_lock_checked", Op::Lock}, {"Cilk_unlock", Op::Unlock}, {"cilk_race_unlock", Op::Unlock},
    {"cilk_rt_unlock_checked", Op::Unlock}, {"Cilk_lock_init", Op::Init}, {"cilk_race_lock_init", Op::Init}};

Op operation(const FunctionDecl *f) {
  for (auto [name, o] : operations)
    if (f->name == name) return o;
  return Op::None;
}
Op operation(const Expr *e) {
  if (e->kind != ExprKind::Call || e->as<Call>()->args.empty()) return Op::None;
  const FunctionDecl *f = directCallee(e->as<Call>());
  return f ? operation(f) : Op::None;
}

struct Held {
  Path path;
  Range where;
};

// The locks that every call takes: up to the first statement where ways part, or a lock is given back.
bool firstLocks(const Stmt *s, const Paths &paths, std::vector<Held> &found) {
  if (s->kind == StmtKind::Compound) {
    for (const Stmt *c : s->as<CompoundStmt>()->body)
      if (!firstLocks(c, paths, found)) return false;
    return true;
  }
  if (s->kind == StmtKind::Decl || s->kind == StmtKind::Spawn) return true;
  if (s->kind != StmtKind::Expr) return false;
  const Expr *e = bare(s->as<ExprStmt>()->expr);
  Op o = e ? operation(e) : Op::None;
  if (o == Op::Lock)
    if (Path p = paths.ofPointer(e->as<Call>()->args[0])) found.push_back({std::move(p), e->range});
  return o != Op::Unlock;
}

// As in Cilk_lock(l).
std::string lockName(Path lock) {
  const bool first = !lock.steps.empty() && lock.steps.back().kind != Step::Field && lock.steps.back().known &&
                     lock.steps.back().index == 0;
  if (first) lock.steps.pop_back();
  return toText(lock);
}


class LockChecker {
public:
  LockChecker(const FunctionDef *def, const AstContext &cx, const EffectTable &effects, DiagnosticEngine &diags)
      : def(def), cx(cx), paths(cx), effects(effects), diags(diags) {}

  void run() {
    bool any = false;
    eachExpr(def->body, Walk::Evaluated, [&](const Expr *e) {
      if (Op o = operation(e); o != Op::None) {
        any |= o == Op::Lock;
        inCalls[root(e->as<Call>()->args[0])]++;
        if (o == Op::Init) initialised[root(e->as<Call>()->args[0])] = true;
      } else if (e->kind == ExprKind::Ident && e->as<Ident>()->decl && e->as<Ident>()->decl->kind == DeclKind::Var) {
        mentioned[e->as<Ident>()->decl->as<VarDecl>()]++;
      }
    });
    if (!any) return;
    ofItsOwn();
    cfg = buildCfg(def);
    closeWays(cfg, cx);
    if (cfg.blocks.size() > 20000) return;
    in.assign(cfg.blocks.size(), {});
    reached.assign(cfg.blocks.size(), false);
    reached[0] = true;
    for (bool again = true; again;) {
      again = false;
      for (size_t b = 0; b < cfg.blocks.size(); b++) {
        if (!reached[b]) continue;
        std::vector<Held> s = in[b];
        through(cfg.blocks[b], s, false);
        for (int n : cfg.blocks[b].next) again |= meet(static_cast<size_t>(n), s);
      }
    }
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      std::vector<Held> s = in[b];
      if (reached[b]) through(cfg.blocks[b], s, true);
    }
  }

private:
  const FunctionDef *def;
  const AstContext &cx;
  Paths paths;
  const EffectTable &effects;
  DiagnosticEngine &diags;
  Cfg cfg;
  std::vector<std::vector<Held>> in;
  std::vector<bool> reached;
  std::unordered_map<const VarDecl *, int> mentioned, inCalls;
  std::unordered_map<const VarDecl *, bool> initialised;

  static const VarDecl *root(const Expr *e) {
    for (;;) {
      e = bare(e);
      if (!e) return nullptr;
      if (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
      else if (e->kind == ExprKind::Ident)
        return e->as<Ident>()->decl && e->as<Ident>()->decl->kind == DeclKind::Var ? e->as<Ident>()->decl->as<VarDecl>()
                                                                                   : nullptr;
      else return nullptr;
    }
  }

  // Where it is a macro of <cilk.h>, only the lock is the user's text.
  Range placeOf(const Expr *call) const {
    return diags.sources().inSystemHeader(call->range.begin) ? call->as<Call>()->args[0]->range : call->range;
  }

  void ofItsOwn() {
    std::vector<const VarDecl *> reported;
    eachExpr(def->body, Walk::Evaluated, [&](const Expr *e) {
      if (operation(e) != Op::Lock) return;
      const VarDecl *v = root(e->as<Call>()->args[0]);
      if (!v || !v->isLocal || v->isParam || !v->type->isArray() || v->crossesNested || mentioned[v] != inCalls[v])
        return;
      if (std::find(reported.begin(), reported.end(), v) != reported.end()) return;
      reported.push_back(v);
      const bool safe = v->init || initialised[v];
      diags.report(safe ? diag::lock_local : diag::lock_uninitialized, placeOf(e))
              .note(v->range, safe ? "declare it next to what it guards: as a global variable, or in the structure"
                                   : "no other strand has it, either: declare it next to what it guards, as a global "
                                     "variable or in the structure")
          << v->name;
    });
  }

  bool meet(size_t to, const std::vector<Held> &s) {
    if (!reached[to]) {
      reached[to] = true;
      in[to] = s;
      return true;
    }
    return std::erase_if(in[to], [&](const Held &h) {
      return std::none_of(s.begin(), s.end(), [&](const Held &o) {
        return overlap(o.path, h.path) == Overlap::Yes && o.path.steps.size() == h.path.steps.size();
      });
    }) != 0;
  }

  void through(const Block &b, std::vector<Held> &s, bool report) {
    for (const Event &e : b.events) {
      if (e.kind == Event::Evaluate) evaluate(e.expr, s, report);
      if (e.kind == Event::SpawnPoint && report && !s.empty()) reportAtSpawn(e.spawn, s);
      if (e.kind == Event::SpawnPoint || e.kind == Event::SyncPoint) s.clear();   // a child may give it back
    }
    if (b.condition) evaluate(b.condition, s, report);
  }
  static bool sameLock(const Path &a, const Path &b) {
    return a.steps.size() == b.steps.size() && overlap(a, b) == Overlap::Yes;
  }

  void reportAtSpawn(const SpawnStmt *s, const std::vector<Held> &held) {
    const FunctionDecl *callee = directCallee(s);
    if (!callee || !callee->def || !callee->def->body) return;
    std::vector<Held> taken;
    firstLocks(callee->def->body, paths, taken);
    for (const Held &t : taken) {
      if (t.path.base->isLocal && (!t.path.base->isParam || t.path.steps.empty())) continue;
      bool beyond = false;
      Path p = effects.atCall(t.path, callee, s->call, beyond);
      if (!p || beyond) continue;
      auto at = std::find_if(held.begin(), held.end(), [&](const Held &h) { return sameLock(h.path, p); });
      if (at == held.end()) continue;
      auto d = diags.report(diag::lock_held_at_spawn, s->spawned);
      d.note(at->where, "it is taken here").note(t.where, "and here by the child: release it before the spawn")
          << lockName(p);
      return;
    }
  }

  void evaluate(const Expr *e, std::vector<Held> &s, bool report) {
    const Expr *x = bare(e);
    if (!x) return;                       // of a statement of Cilk-1: it evaluates no locks
    if (Op o = operation(x); o != Op::None) {
      Path p = paths.ofPointer(x->as<Call>()->args[0]);
      if (!p) {
        s.clear();
        return;
      }
      if (o == Op::Lock) {
        auto held = std::find_if(s.begin(), s.end(), [&](const Held &h) { return sameLock(h.path, p); });
        if (held != s.end()) {
          if (report) diags.report(diag::lock_twice, placeOf(x)).note(held->where, "it is taken here") << lockName(p);
          return;
        }
        // An index that is not a constant may be another one next time round.
        if (std::all_of(p.steps.begin(), p.steps.end(), [](const Step &st) { return !st.expr; }))
          s.push_back({std::move(p), placeOf(x)});
      } else {
        std::erase_if(s, [&](const Held &h) {
          return overlap(h.path, p) != Overlap::No || h.path.base->isParam || p.base->isParam;
        });
      }
      return;
    }
    bool forget = anyExpr(e, Walk::Evaluated, [&](const Expr *y) {
      if (y->kind == ExprKind::Call) {
        const FunctionDecl *f = directCallee(y->as<Call>());
        if (!f || !diags.sources().inSystemHeader(f->range.begin) || operation(y) != Op::None) return true;
      }
      // A pointer on the way to a lock may have been changed.
      if (y->kind != ExprKind::Assign && (y->kind != ExprKind::Unary || y->as<Unary>()->op == UnaryOp::Plus))
        return false;
      const Expr *target = y->kind == ExprKind::Assign ? y->as<Assign>()->lhs : y->as<Unary>()->sub;
      return target->type->isPointer();
    });
    if (forget) s.clear();
  }
};

}  // namespace

bool isLockOperation(const FunctionDecl *f) { return operation(f) != Op::None; }

void checkLocks(const FunctionDef *def, const AstContext &cx, const EffectTable &effects, DiagnosticEngine &diags) {
  LockChecker(def, cx, effects, diags).run();
}

}  // namespace cilkc::analysis
