// effects.cpp - one walk over a function's body for what may happen, and one over the statements that calls execute for
// what does.
//
// What several calls do is meant as one reads a program: a loop's body is executed. In a recursive procedure a test
// that keeps the leaves of the recursion apart from its inner calls has both outcomes many times. So has a test of
// data: it follows a pointer, or looks at an element whose index is a variable. Anything else under a condition counts
// as not executed.
#include "frontend/analysis/effects.h"
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"

namespace cilkc::analysis {

namespace {

constexpr size_t most = 64;  // effects of one kind of one function; more are forgotten
constexpr size_t mostIncomplete = 64;  // functions that are looked at again

bool changes(const Expr *e) { return e->kind == ExprKind::Unary && isIncDec(e->as<Unary>()->op); }

// May control skip the statements after s?
bool leaves(const Stmt *s) {
  bool found = false;
  eachNode(s, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>)
      return !found && !(found = has(node->kind, Trait::Parts));
    else return false;
  });
  return found;
}

bool endsWithReturn(const Stmt *s) {
  while (s && s->kind == StmtKind::Compound && !s->as<CompoundStmt>()->body.empty())
    s = s->as<CompoundStmt>()->body.back();
  return s && s->kind == StmtKind::Return;
}

// Does `from` spawn f, itself or through procedures that it spawns (the iterations of a cilk_for)?
bool spawns(const FunctionDecl *from, const FunctionDecl *f, int depth = 0) {
  return from && std::any_of(from->spawns.begin(), from->spawns.end(), [&](const SpawnStmt *s) {
    const FunctionDecl *callee = directCallee(s);
    return callee == f || (depth < 3 && callee != from && spawns(callee, f, depth + 1));
  });
}

}  // namespace

bool EffectTable::synchronises(std::string_view name) {
  for (std::string_view part : {"lock", "Lock", "atomic", "sync_", "mutex", "sem_", "barrier"})
    if (name.find(part) != name.npos) return true;
  return false;
}

class Collector {
public:
  Collector(EffectTable &table, const FunctionDecl *f, Effects &out)
      : table(table), paths(table.paths), f(f), out(out) {}

  void run() {
    eachExpr(f->def->body, Walk::Evaluated, [&](const Expr *e) { may(e); });
    if (out.guarded) {
      out.reads.clear();
      out.writes.clear();
      return;
    }
    recursive = !f->isLoop && spawns(f, f);
    certain(f->isLoop ? iterations() : f->def->body);
  }

private:
  EffectTable &table;
  const Paths &paths;
  const FunctionDecl *f;
  Effects &out;
  bool recursive = false;
  int conditional = 0;  // tests around the statement, or before it

  const Stmt *iterations() const {
    const Stmt *found = nullptr;
    eachNode(static_cast<const Stmt *>(f->def->body), Walk::Evaluated, [&](const auto *n) {
      if constexpr (std::is_same_v<decltype(n), const Stmt *>)
        if (n->kind == StmtKind::For && n->template as<ForStmt>()->iteration) found = n;
    });
    return found;
  }
  bool throughParameter(const Path &p) const {
    return p && p.base->isParam && p.base->fn == f && !p.steps.empty() && p.steps[0].kind == Step::Pointee;
  }
  static bool isShared(const Path &p) {
    if (!p || p.base->isLocal || p.base->isPrivate || p.base->threadLocal) return false;
    return std::none_of(p.steps.begin(), p.steps.end(),
        [](const Step &s) { return s.kind == Step::Pointee || (s.kind == Step::Element && !s.known); });
  }
  static bool reads(const Expr *e, const Expr *lvalue) {
    return anyExpr(e, Walk::Evaluated, [&](const Expr *x) {
      return x->kind == ExprKind::ImplicitCast && x->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue &&
             sameExpr(x->as<ImplicitCast>()->sub, lvalue);
    });
  }
  static void add(std::vector<Effect> &to, Path p, Range at) {
    if (to.size() < most) to.push_back({std::move(p), at});
  }

  void store(const Expr *lhs) {
    if (Path p = paths.ofLvalue(lhs); throughParameter(p)) add(out.writes, std::move(p), lhs->range);
  }
  void call(const Call *c) {
    const FunctionDecl *callee = directCallee(c);
    if (callee && EffectTable::synchronises(callee->name)) out.guarded = true;
    if (c->fnType && !callee && c->args.empty()) return;
    const Effects &inner = table.of(callee);
    if (inner.guarded) out.guarded = true;
    if (!inner.visible || !callee) return;
    // What it does through pointers that are our parameters, handed on.
    for (auto [from, to] : {std::pair{&inner.reads, &out.reads}, std::pair{&inner.writes, &out.writes}})
      for (const Effect &x : *from) {
        bool beyond = false;
        Path p = table.atCall(x.path, callee, c, beyond);
        if (!beyond && throughParameter(p)) add(*to, std::move(p), x.at);
      }
  }
  void may(const Expr *e) {
    switch (e->kind) {
      case ExprKind::Assign: store(e->as<Assign>()->lhs); return;
      case ExprKind::Unary:
        if (changes(e)) store(e->as<Unary>()->sub);
        return;
      case ExprKind::ImplicitCast:
        if (e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue)
          if (Path p = paths.ofLvalue(e->as<ImplicitCast>()->sub); throughParameter(p))
            add(out.reads, std::move(p), e->range);
        return;
      case ExprKind::Call: call(e->as<Call>()); return;
      default: return otherKinds<34>();
    }
  }

  // ---- what several calls do ----
  void update(const Expr *lhs, const Expr *e) {
    Path p = paths.ofLvalue(lhs);
    if (!p || !lhs->type->isScalar() || lhs->type.isAtomic() || (!throughParameter(p) && !isShared(p))) return;
    for (const Step &s : p.steps)
      if (s.kind == Step::Element && !s.known) return;
    for (const Step &s : p.steps)
      if (s.kind == Step::Pointee && (!s.known || s.index)) return;
    add(out.updates, std::move(p), e->range);
  }
  void certain(const Expr *e) {
    e = ignoreCasts(e);
    if (!e) return;
    if (e->kind == ExprKind::Binary && e->as<Binary>()->op == BinaryOp::Comma) {
      certain(e->as<Binary>()->lhs);
      certain(e->as<Binary>()->rhs);
    } else if (changes(e)) {
      update(e->as<Unary>()->sub, e);
    } else if (e->kind == ExprKind::Assign) {
      const auto *a = e->as<Assign>();
      // Each iteration of a loop has another value for `t = f(i)`; a mark such as `found = 1` is the same in all.
      bool each = f->isLoop && !conditional && !a->lhs->type.isVolatile() && a->rhs->kind != ExprKind::IntLit;
      if (a->compound || each || reads(a->rhs, a->lhs)) update(a->lhs, e);
    } else if (e->kind == ExprKind::Call) {
      enterCall(e->as<Call>());
    }
  }
  void enterCall(const Call *c) {
    const FunctionDecl *callee = directCallee(c);
    if (!callee || !callee->def || callee == f) return;
    for (const Effect &x : table.of(callee).updates) {
      if (!x.path.base->isParam) {
        add(out.updates, x.path, x.at);
        continue;
      }
      bool beyond = false;
      Path p = table.atCall(x.path, callee, c, beyond);
      if (!beyond && (throughParameter(p) || isShared(p))) add(out.updates, std::move(p), x.at);
    }
  }
  // if (x < best) best = x;
  void ifBetter(const IfStmt &s) {
    std::vector<const Stmt *> then{s.then};
    if (s.then->kind == StmtKind::Compound)
      then.assign(s.then->as<CompoundStmt>()->body.begin(), s.then->as<CompoundStmt>()->body.end());
    for (const Stmt *t : then) {
      const Expr *e = t->kind == StmtKind::Expr ? ignoreCasts(t->as<ExprStmt>()->expr) : nullptr;
      if (!e || e->kind != ExprKind::Assign) continue;
      const Expr *lhs = e->as<Assign>()->lhs;
      if (!lhs->type.isVolatile() && reads(s.cond, lhs)) update(lhs, e);
    }
  }
  bool certain(const Stmt *s) { return dispatch(*this, s); }  // false: what follows is not certain
  void underTest(const Stmt *s) {
    conditional++;
    if (s) certain(s);
    conditional--;
  }
  bool spawnsItself(const Stmt *s) const {
    bool found = false;
    if (s)
      eachNode(s, Walk::Evaluated, [&](const auto *node) {
        if constexpr (std::is_same_v<decltype(node), const Stmt *>)
          if (node->kind == StmtKind::Spawn) {
            const FunctionDecl *callee = directCallee(node->template as<SpawnStmt>());
            found |= callee == f || spawns(callee, f, 1);
          }
        return !found;
      });
    return found;
  }
  // Are the leaves of the recursion on one side of the test, and its inner calls on the other?
  bool separatesLeaves(const IfStmt &s) const {
    if (!recursive) return false;
    bool then = spawnsItself(s.then);
    return s.otherwise ? then != spawnsItself(s.otherwise) : then || endsWithReturn(s.then);
  }
  // A test whose outcome differs from one element to the next. What is volatile or atomic may let one strand pass only.
  bool testsData(const Expr *cond) const {
    bool data = false, shared = false;
    eachExpr(cond, Walk::Evaluated, [&](const Expr *e) {
      if (e->kind == ExprKind::Call || e->kind == ExprKind::Assign || changes(e)) shared = true;
      if (e->kind != ExprKind::ImplicitCast || e->as<ImplicitCast>()->castKind != CastKind::LvalueToRvalue) return;
      const Expr *from = e->as<ImplicitCast>()->sub;
      shared |= from->type.isVolatile() || from->type.isAtomic();
      for (const Step &x : paths.ofLvalue(from).steps)
        data |= x.kind == Step::Element ? !x.known : x.kind == Step::Pointee && !x.captured && !from->type->isPointer();
    });
    return data && !shared;
  }

public:  // for dispatch
  bool on(const CompoundStmt &s) {
    return std::all_of(s.body.begin(), s.body.end(), [this](const Stmt *c) { return certain(c); });
  }
  bool on(const ExprStmt &s) {
    certain(s.expr);
    return true;
  }
  bool on(const IfStmt &s) {
    ifBetter(s);
    const bool data = testsData(s.cond);
    if (data || separatesLeaves(s)) underTest(s.then), underTest(s.otherwise);
    if (!leaves(&s) || (recursive && !s.otherwise)) return true;
    conditional += data;  // to the end of the function
    return data;
  }
  bool on(const SpawnStmt &s) {
    enterCall(s.call);
    return true;
  }
  bool on(const AsmStmt &) { return false; }
  template <class S> bool on(const S &s) {  // a delivery is ordered among its like
    if constexpr (requires { certain(s.body); })
      if (has(s.kind, Trait::Loop)) return certain(s.body) && !leaves(&s);
    return !has(s.kind, Trait::Parts);
  }
};

const Effects &EffectTable::of(const FunctionDecl *f) {
  auto [it, fresh] = table.try_emplace(f);
  if (!fresh || !f || !f->def || !f->def->body) {
    metOpen |= !open.empty() && std::find(open.begin(), open.end() - 1, f) != open.end() - 1;  // but for itself
    return it->second;
  }
  open.push_back(f);
  const bool met = metOpen;
  metOpen = false;
  Effects e;
  e.visible = true;
  Collector(*this, f, e).run();  // a recursive call sees the empty entry
  open.pop_back();
  table[f] = std::move(e);
  if (metOpen && !open.empty() && incomplete.size() < mostIncomplete) incomplete.push_back(f);
  metOpen |= met;
  if (open.empty()) {
    for (const FunctionDecl *again : incomplete) table.erase(again);
    incomplete.clear();
    metOpen = false;
  }
  return table[f];
}

Path EffectTable::atCall(const Path &path, const FunctionDecl *callee, const Call *call, bool &beyond) const {
  beyond = false;
  if (!path.base->isParam || path.base->fn != callee) return path;
  size_t n = path.base->paramIndex;
  if (n >= call->args.size() || n >= callee->params.size() || callee->params[n] != path.base) return {};
  Path p = paths.ofPointer(call->args[n]);
  if (!p) return {};
  const Step &first = path.steps[0];
  bool onElement = !p.steps.empty() && p.steps.back().kind != Step::Field;
  if (!first.known) {
    if (!onElement || !p.steps.back().known) return {};
    beyond = true;
    return p;
  }
  if (first.index) {
    if (!onElement || !p.steps.back().known) return {};
    p.steps.back().index += first.index;
  }
  if (first.captured && !p.steps.empty() && p.steps.back().kind == Step::Pointee) p.steps.back().captured = true;
  for (size_t i = 1; i < path.steps.size(); i++) {
    if (path.steps[i].expr) return {};  // an index of the callee's own
    p.steps.push_back(path.steps[i]);
  }
  return p;
}

}  // namespace cilkc::analysis
