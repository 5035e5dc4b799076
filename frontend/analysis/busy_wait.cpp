// busy_wait.cpp - `while (!ready);` in a child, where `ready` changes in a strand after its spawn.
//
// One worker executes a child before what comes after its spawn, so such a loop never ends there. That is certain
// enough if the loop is executed in every call of the child; if the variable's first value lets it go on; and if all
// changes in the unit are in one function, at places after the spawn with no sync between. What has the variable's
// address may change it.
#include "frontend/analysis/busy_wait.h"
#include <algorithm>
#include <string_view>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/consteval/consteval.h"
#include "diag/cilk.h"

namespace cilkc::analysis {

namespace {

constexpr int callsDeep = 2;

// What a body does until it looks at the condition again: nothing, or nothing but a pause.
bool pauses(const Stmt *s) {
  while (s && s->kind == StmtKind::Compound && s->as<CompoundStmt>()->body.size() == 1)
    s = s->as<CompoundStmt>()->body[0];
  if (!s || s->kind == StmtKind::Null) return s;
  if (s->kind == StmtKind::Compound) return s->as<CompoundStmt>()->body.empty();
  const Expr *e = s->kind == StmtKind::Expr ? ignoreCasts(s->as<ExprStmt>()->expr) : nullptr;
  const FunctionDecl *f = e && e->kind == ExprKind::Call ? directCallee(e->as<Call>()) : nullptr;
  static constexpr std::string_view names[] = {"sched_yield", "thrd_yield", "pthread_yield", "usleep", "sleep",
      "nanosleep"};
  return f &&
         (f->name.ends_with("_pause") || std::find(std::begin(names), std::end(names), f->name) != std::end(names));
}

bool readsAtomically(const Call *c) {
  const FunctionDecl *f = directCallee(c);
  return f && f->name.find("atomic_load") != f->name.npos;
}

// The only variable of static storage that the condition reads.
const VarDecl *watched(const Expr *cond) {
  const VarDecl *v = nullptr;
  bool other = false;
  eachExpr(cond, Walk::Evaluated, [&](const Expr *e) {
    if (e->kind == ExprKind::Call) other |= !readsAtomically(e->as<Call>());
    const VarDecl *named = e->kind == ExprKind::Ident ? namedVariable(e) : nullptr;
    if (!named || named->isLocal) return;
    other |= v && v != named;
    v = named;
  });
  return v && !other && !v->threadLocal && !v->isPrivate && v->type->isScalar() ? v : nullptr;
}

struct Place {
  const FunctionDecl *fn;
  Range at;
};

class BusyWaits {
public:
  BusyWaits(const TranslationUnit &unit, const AstContext &cx, DiagnosticEngine &diags)
      : unit(unit), cx(cx), diags(diags) {}

  void run() {
    for (const FunctionDecl *f : unit.functions)
      if (f->isCilk && f->def && f->def->body && !diags.sources().inSystemHeader(f->range.begin))
        for (const SpawnStmt *s : f->spawns) child(f, s);
  }

private:
  const TranslationUnit &unit;
  const AstContext &cx;
  DiagnosticEngine &diags;
  std::vector<const Stmt *> reported;

  void child(const FunctionDecl *parent, const SpawnStmt *spawn) {
    const FunctionDecl *waiting = directCallee(spawn);
    if (!waiting || waiting == parent) return;
    const VarDecl *v = nullptr;
    const Stmt *loop = waitsIn(waiting, v, 0);
    if (!loop || std::find(reported.begin(), reported.end(), loop) != reported.end()) return;
    std::vector<Place> changes = changesOf(v);
    if (changes.empty() || std::any_of(changes.begin(), changes.end(),
                               [&](const Place &p) { return p.fn != changes[0].fn || p.fn == waiting; }))
      return;
    Range later = laterStrand(parent, spawn, changes);
    if (!later.valid()) return;
    reported.push_back(loop);
    diags.report(diag::busy_wait, loop->range)
            .note(spawn->spawned,
                "the child that waits is spawned here; one worker executes it before what comes after")
            .note(later, "the strand that changes '" + std::string(v->name) + "' begins after that")
        << v->name;
  }

  // A loop that every call of f executes, itself or in a function that it calls.
  const Stmt *waitsIn(const FunctionDecl *f, const VarDecl *&v, int depth) {
    if (!f || !f->def || !f->def->body || depth > callsDeep) return nullptr;
    for (const Stmt *s : f->def->body->body) {
      const Expr *cond = nullptr, *first = nullptr;
      const Stmt *body = nullptr;
      if (s->kind == StmtKind::While) cond = s->as<WhileStmt>()->cond, body = s->as<WhileStmt>()->body;
      else if (s->kind == StmtKind::Do) cond = s->as<DoStmt>()->cond, body = s->as<DoStmt>()->body;
      else if (s->kind == StmtKind::For && !s->as<ForStmt>()->init && !s->as<ForStmt>()->step)
        cond = s->as<ForStmt>()->cond, body = s->as<ForStmt>()->body;
      else if (s->kind == StmtKind::Expr) first = ignoreCasts(s->as<ExprStmt>()->expr);
      else if (s->kind == StmtKind::Return && s->as<ReturnStmt>()->value)
        first = ignoreCasts(s->as<ReturnStmt>()->value);
      else if (s->kind != StmtKind::Decl) return nullptr;
      if (cond && pauses(body))
        if ((v = watched(cond)) && goesOn(cond, v)) return s;
      if (first && first->kind == ExprKind::Call)
        if (const Stmt *loop = waitsIn(directCallee(first->as<Call>()), v, depth + 1)) return loop;
      if (s->kind == StmtKind::Return) return nullptr;
    }
    return nullptr;
  }

  // Is the condition true while the variable has its first value?
  bool goesOn(const Expr *cond, const VarDecl *v) const {
    __int128 first = 0;
    if (v->init) {
      auto value = v->init->expr ? evaluate(v->init->expr, cx, EvalMode::Fold) : std::nullopt;
      if (!value || value->kind != ConstValue::Int || value->base) return false;
      first = value->i;
    } else if (v->storage == StorageClass::Extern && !v->isDefinition) return false;
    auto value = valueOf(cond, v, first);
    return value && *value;
  }
  std::optional<__int128> valueOf(const Expr *e, const VarDecl *v, __int128 first) const {
    e = ignoreCasts(e);
    if (namedVariable(e) == v) return first;
    if (e->kind == ExprKind::Call || e->kind == ExprKind::StmtExpr)
      return watched(e) == v ? std::optional(first) : std::nullopt;
    if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Not) {
      auto x = valueOf(e->as<Unary>()->sub, v, first);
      return x ? std::optional<__int128>(!*x) : std::nullopt;
    }
    if (e->kind == ExprKind::Binary && isComparison(e->as<Binary>()->op)) {
      auto l = valueOf(e->as<Binary>()->lhs, v, first), r = valueOf(e->as<Binary>()->rhs, v, first);
      if (!l || !r) return {};
      switch (e->as<Binary>()->op) {
        case BinaryOp::Eq: return *l == *r;
        case BinaryOp::Ne: return *l != *r;
        case BinaryOp::Lt: return *l < *r;
        case BinaryOp::Gt: return *l > *r;
        case BinaryOp::Le: return *l <= *r;
        default: return *l >= *r;
      }
    }
    auto c = evaluate(e, cx, EvalMode::Fold);
    return c && c->kind == ConstValue::Int && !c->base ? std::optional<__int128>(c->i) : std::nullopt;
  }

  // Where the unit stores in v, or takes its address for something else than an atomic load.
  std::vector<Place> changesOf(const VarDecl *v) const {
    std::vector<Place> all;
    for (const FunctionDecl *f : unit.functions) {
      if (!f->def || f->def->fn != f || !f->def->body) continue;
      std::vector<const Expr *> loads;
      eachExpr(static_cast<const Stmt *>(f->def->body), Walk::Evaluated, [&](const Expr *e) {
        const Expr *to = nullptr;
        if (e->kind == ExprKind::Assign) to = e->as<Assign>()->lhs;
        else if (e->kind == ExprKind::Unary && (isIncDec(e->as<Unary>()->op) || e->as<Unary>()->op == UnaryOp::AddrOf))
          to = e->as<Unary>()->sub;
        else if (e->kind == ExprKind::Call && readsAtomically(e->as<Call>())) return false;
        else if (e->kind == ExprKind::StmtExpr && watched(e) == v) return false;
        if (to && namedVariable(ignoreParens(to)) == v) all.push_back({f, e->range});
        return true;
      });
    }
    return all;
  }

  static bool reaches(const FunctionDecl *from, const FunctionDecl *to, int depth) {
    if (from == to) return true;
    return from && from->def && from->def->body && depth < callsDeep &&
           anyExpr(
               static_cast<const Stmt *>(from->def->body), Walk::Evaluated,
               [&](const Expr *e) {
                 return e->kind == ExprKind::Call && reaches(directCallee(e->as<Call>()), to, depth + 1);
               });
  }

  // Where all changes begin, if that is after the spawn and before a sync.
  Range laterStrand(const FunctionDecl *parent, const SpawnStmt *spawn, const std::vector<Place> &changes) const {
    const FunctionDecl *changer = changes[0].fn;
    if (changer != parent && changer->references != 1) return {};
    Range found{};
    bool after = false, over = false;
    auto at = [&](Range r) {
      if (!after) over = true;  // before the spawn
      else if (!over && !found.valid()) found = r;
    };
    eachNode(static_cast<const Stmt *>(parent->def->body), Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
        if (node == spawn) after = true;
        else if (node->kind == StmtKind::Sync && after) over |= !found.valid();
      } else {
        if (node->kind == ExprKind::Call && changer != parent &&
            directCallee(node->template as<Call>()) != directCallee(spawn) &&
            reaches(directCallee(node->template as<Call>()), changer, 0))
          at(node->range);
        for (const Place &p : changes)
          if (p.fn == parent && p.at.begin == node->range.begin && p.at.end == node->range.end) at(node->range);
      }
    });
    return found;
  }
};

}  // namespace

void checkBusyWaits(const TranslationUnit &unit, const AstContext &cx, DiagnosticEngine &diags) {
  if (diags.wants(diag::busy_wait)) BusyWaits(unit, cx, diags).run();
}

}  // namespace cilkc::analysis
