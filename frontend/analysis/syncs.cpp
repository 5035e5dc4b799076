// syncs.cpp - a `sync` that makes two children run one after the other although neither needs the other: it is all that
// is between two spawns, or a spawn and it are a loop's body.
//
// The text shows that only where the children are pure: they, and all that they call, store to variables of their own
// alone. Then one child can need another one only by its result, so by the variable that receives it.
//
// And a `sync` that no spawn of its procedure can come before: it waits for nothing. One after another sync is left
// alone, since a path that has spawned may lead to it later.
#include "frontend/analysis/syncs.h"
#include <algorithm>
#include "frontend/analysis/closed.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/flow/forward.h"
#include "diag/cilk.h"

namespace cilkc::analysis {

namespace {

// Does the body store to the function's own variables alone? `calls` are what it calls besides.
bool storesToItsOwn(const FunctionDecl *f, std::vector<const FunctionDecl *> &calls) {
  bool own = true;
  auto stores = [&](const Expr *lvalue) {
    const VarDecl *v = baseVariable(lvalue);
    own &= v && v->isLocal && v->fn == f;
  };
  eachNode(f->def->body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
      switch (node->kind) {
        case StmtKind::Spawn:
          if (node->template as<SpawnStmt>()->receiver()) stores(node->template as<SpawnStmt>()->receiver());
          own &= !node->template as<SpawnStmt>()->inlet;
          return;
        case StmtKind::Asm:
        case StmtKind::Thread:
        case StmtKind::Send:
        case StmtKind::Touch:
        case StmtKind::Function:
        case StmtKind::Abort: own = false; return;
        case StmtKind::Error:
        case StmtKind::Expr:
        case StmtKind::Compound:
        case StmtKind::Decl:
        case StmtKind::If:
        case StmtKind::While:
        case StmtKind::Do:
        case StmtKind::For:
        case StmtKind::Switch:
        case StmtKind::Case:
        case StmtKind::Default:
        case StmtKind::Label:
        case StmtKind::Goto:
        case StmtKind::GotoExpr:
        case StmtKind::Continue:
        case StmtKind::Break:
        case StmtKind::Return:
        case StmtKind::Null:
        case StmtKind::LocalLabel:
        case StmtKind::Sync:
        case StmtKind::Pragma: return;
      }
    } else {
      if (node->kind == ExprKind::Assign) stores(node->template as<Assign>()->lhs);
      else if (node->kind == ExprKind::Unary && isIncDec(node->template as<Unary>()->op))
        stores(node->template as<Unary>()->sub);
      else if (node->kind == ExprKind::Call) calls.push_back(directCallee(node->template as<Call>()));
      else if (node->kind == ExprKind::ImplicitCast &&
               node->template as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue) {
        QualType t = node->template as<ImplicitCast>()->sub->type;
        own &= !t.isVolatile() && !t.isAtomic();
      }
    }
  });
  return own;
}

struct SyncChecker {
  const FunctionDef *def;
  DiagnosticEngine &diags;
  PureFunctions &pure;

  // The variable that such a child's result goes to; null where the child may do more.
  const VarDecl *resultOf(const Stmt *s) const {
    if (s->kind != StmtKind::Spawn) return nullptr;
    const auto *spawn = s->as<SpawnStmt>();
    if (spawn->called || spawn->fills || spawn->inlet || !spawn->receiver()) return nullptr;
    const VarDecl *v = baseVariable(spawn->receiver());
    return v && v->isLocal && !v->addressTaken && pure.all(directCallee(spawn)) ? v : nullptr;
  }
  // May the results be delivered in either order?
  static bool commute(const SpawnStmt *a, const SpawnStmt *b) {
    if (!a->delivery->compound || !b->delivery->compound) return false;
    auto family = [](BinaryOp op) { return op == BinaryOp::Sub ? BinaryOp::Add : op; };
    return family(a->delivery->op) == family(b->delivery->op) && a->delivery->op != BinaryOp::Rem;
  }
  static int uses(const Stmt *s, const VarDecl *v) {
    int n = 0;
    eachExpr(s, Walk::Evaluated, [&](const Expr *e) { n += namedDecl(e) == v && e->kind == ExprKind::Ident; });
    return n;
  }
  void report(const Stmt *sync, const Stmt *next, const VarDecl *v, const char *advice) const {
    diags.report(diag::sync_between, sync->range).note(next->range, advice) << v->name;
  }

  void between(const Stmt *first, const Stmt *sync, const Stmt *second) const {
    const VarDecl *v = resultOf(first), *w = resultOf(second);
    if (!v || !w) return;
    const auto *a = first->as<SpawnStmt>(), *b = second->as<SpawnStmt>();
    const int own = v == w && commute(a, b);  // to add to the same variable is no need
    if (uses(second, v) == own) report(sync, second, v, "write the `sync;` after this spawn");
  }
  // The body is the spawn and the sync alone: what else it does could be what the sync is for.
  void inLoop(const Stmt *loop) const {
    const CompoundStmt *body = nullptr;
    bool plain = true;
    eachChild(loop, Walk::Evaluated, [&](const auto *child) {
      if constexpr (std::is_same_v<decltype(child), const Stmt *>)
        if (child->kind == StmtKind::Compound) body = child->template as<CompoundStmt>();
      if constexpr (std::is_same_v<decltype(child), const Expr *>) plain &= !changesOther(child);
    });
    if (!plain || !body || body->body.size() != 2 || body->body[1]->kind != StmtKind::Sync) return;
    const Stmt *spawn = body->body[0];
    const VarDecl *v = resultOf(spawn);
    if (!v || uses(loop, v) != 1) return;
    if (commute(spawn->as<SpawnStmt>(), spawn->as<SpawnStmt>()))
      report(body->body[1], spawn, v, "write the `sync;` after the loop");
  }
  // Does the condition or the step change what a child could look at?
  static bool changesOther(const Expr *e) {
    return anyExpr(e, Walk::Evaluated, [](const Expr *x) {
      const Expr *changed = x->kind == ExprKind::Assign                                  ? x->as<Assign>()->lhs
                            : x->kind == ExprKind::Unary && isIncDec(x->as<Unary>()->op) ? x->as<Unary>()->sub
                                                                                         : nullptr;
      if (!changed) return x->kind == ExprKind::Call;
      const VarDecl *v = baseVariable(changed);
      return !v || !v->isLocal || v->addressTaken;
    });
  }
  static bool holds(const Stmt *s, StmtKind kind) {
    bool found = false;
    eachNode(s, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) found |= node->kind == kind;
    });
    return found;
  }

  // A sync may be needed for an earlier child: only those count before which no child is outstanding.
  void run() const {
    eachNode(def->body, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
        if (node->kind != StmtKind::Compound) return;
        const auto &list = node->template as<CompoundStmt>()->body;
        bool none = node == def->body;
        for (size_t i = 0; i < list.size(); i++) {
          if (list[i]->kind == StmtKind::Sync) none = true;
          // knary runs some children in series and the others at once: a loop that ends with a sync, then more spawns.
          bool more = i + 1 < list.size() && holds(list[i + 1], StmtKind::Spawn) && !holds(list[i + 1], StmtKind::Sync);
          if (none && !more && has(list[i]->kind, Trait::Loop)) inLoop(list[i]);
          if (none && i + 2 < list.size() && list[i + 1]->kind == StmtKind::Sync)
            between(list[i], list[i + 1], list[i + 2]);
          if (holds(list[i], StmtKind::Spawn)) none = false;
        }
      }
    });
  }
};

// A macro may be used where there are children and where there are none.
bool isJudged(const Stmt *sync, const SourceManager &sources) {
  return sync->as<SyncStmt>()->isWritten && !sources.resolve(sync->range.begin).fromMacro;
}

void withoutChild(const FunctionDef *def, const AstContext &cx, DiagnosticEngine &diags) {
  bool any = false;
  eachNode(def->body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) any |= node->kind == StmtKind::Sync;
  });
  if (!any) return;
  Cfg cfg = buildCfg(def);
  closeWays(cfg, cx);
  const Graph graph(cfg);
  using cilkc::Effect;
  const std::vector<char> spawned = solveForward(graph, Join::May,
      [](const Event &e) { return e.kind == Event::SpawnPoint ? Effect::Sets : Effect::Keeps; });
  for (size_t b = 0; b < cfg.blocks.size(); b++) {
    if (!graph.reached[b]) continue;
    char before = spawned[b];
    for (const Event &e : cfg.blocks[b].events) {
      if (e.kind == Event::SyncPoint && !before && isJudged(e.stmt, diags.sources())) {
        auto d = diags.report(diag::sync_no_child, e.stmt->range);
        if (def->fn->spawns.empty())
          d.note(def->fn->range, "'" + std::string(def->fn->name) +
                                     "' spawns nothing, and does not wait for children of its caller: write the "
                                     "`sync;` where they are spawned");
        else d.note(def->fn->spawns[0]->range, "the first child is spawned here: only a later sync waits for it");
      }
      before |= e.kind == Event::SpawnPoint;
    }
  }
}

}  // namespace

bool PureFunctions::all(const FunctionDecl *f) {
  std::vector<const FunctionDecl *> reached{f};
  for (size_t i = 0; i < reached.size(); i++) {
    const FunctionDecl *g = reached[i];
    if (!g) return false;
    if (g->attrs.pure || g->attrs.constant) continue;
    if (g->builtin || !g->def || !g->def->body) return false;
    auto [it, fresh] = known.try_emplace(g);
    if (fresh) it->second.own = storesToItsOwn(g, it->second.calls);
    if (!it->second.own) return false;
    for (const FunctionDecl *c : it->second.calls)
      if (std::find(reached.begin(), reached.end(), c) == reached.end()) reached.push_back(c);
    if (reached.size() > 100) return false;
  }
  return true;
}

void checkSyncs(const FunctionDef *def, const AstContext &cx, PureFunctions &pure, DiagnosticEngine &diags) {
  if (def->fn->isOutlined) return;
  if (!def->fn->spawns.empty()) SyncChecker{def, diags, pure}.run();
  withoutChild(def, cx, diags);
}

}  // namespace cilkc::analysis
