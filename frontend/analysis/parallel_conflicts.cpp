// parallel_conflicts.cpp - the outstanding effects of a Cilk procedure's children at each point, and what conflicts
// with them.
//
// Every spawn has a list of *pending effects*, made once: the receiver that its result goes to; what the child stores,
// reads or updates through the pointers that it got, and in variables of static storage (effects.h). The state at a
// point is the set of effects that are pending; a spawn adds its own, `sync` and a test of SYNCHED that came out true
// take all away. A forward data-flow problem over the graph of frontend/flow: a set union with one bit per effect for
// "on every path", and one for "its index has changed since". When the states have settled, one more pass compares each
// access with the effects that are pending.
//
// SYNCHED that is kept in a variable could guard all children that are outstanding at that point: no warning is given
// about these children from there on.
#include <algorithm>
#include <set>
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/closed.h"
#include "frontend/analysis/effects.h"
#include "frontend/analysis/foreign.h"
#include "frontend/analysis/futures.h"
#include "frontend/analysis/locks.h"
#include "frontend/analysis/enclosing.h"
#include "frontend/analysis/syncs.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/flow/cfg.h"

namespace cilkc {
namespace {

using namespace analysis;

struct PendingEffect {
  enum Kind : uint8_t { Receiver, Stores, Reads, Updates, Aborts } kind;
  Path path;
  const SpawnStmt *spawn = nullptr;
  Range where;  // what to point at: the spawn, or the argument
  Range at;  // Updates: where it does
  bool compound = false;  // Receiver of op=
  bool dropped = false;  // Receiver: a variable that is never read
  bool byInlet = false;  // Receiver: what an inlet changes; conditions may look at it on purpose
  bool fromHere = false;  // Stores, Reads, Updates: path.steps.back() is where a range begins
  int64_t extent = -1;  // how many elements; -1: no end is known
  bool certain = true;  // Stores, Reads: seen in the callee's body
  bool indexed = false;  // there is an index in the path that is not a constant
  const Expr *guard = nullptr;  // of the innermost `if` whose then-part contains `where`
  std::vector<const VarDecl *> marks;  // Aborts: the variables that the inlet sets
};

enum : uint8_t { OnEveryPath = 1, IndexChanged = 2 };
struct Out {
  int effect;
  uint8_t flags;
};

struct State {
  bool live = false;
  std::vector<Out> out;  // sorted by effect
};

bool join(State &into, const State &from) {
  if (!from.live) return false;
  if (!into.live) {
    into = from;
    return true;
  }
  std::vector<Out> r;
  auto a = into.out.cbegin(), b = from.out.cbegin();
  bool changed = false;
  while (a != into.out.cend() || b != from.out.end()) {
    if (b == from.out.end() || (a != into.out.end() && a->effect < b->effect)) {
      changed |= (a->flags & OnEveryPath) != 0;
      r.push_back({a->effect, static_cast<uint8_t>(a->flags & ~OnEveryPath)});
      ++a;
    } else if (a == into.out.end() || b->effect < a->effect) {
      changed = true;
      r.push_back({b->effect, static_cast<uint8_t>(b->flags & ~OnEveryPath)});
      ++b;
    } else {
      uint8_t f = static_cast<uint8_t>((a->flags & b->flags & OnEveryPath) | ((a->flags | b->flags) & IndexChanged));
      changed |= f != a->flags;
      r.push_back({a->effect, f});
      ++a, ++b;
    }
  }
  into.out = std::move(r);
  return changed;
}

// What most comparisons of two paths end with: another object, another element of the array.
struct Where {
  const VarDecl *base;
  bool known = false;
  int64_t index = 0;
  explicit Where(const Path &p, bool range = false) : base(p.base) {
    if (range || p.steps.empty() || !p.steps[0].known) return;
    known = true;
    index = p.steps[0].index;
  }
  bool apart(const Where &o) const { return base != o.base || (known && o.known && index != o.index); }
};

const Expr *literal(const Expr *e) {
  e = ignoreCasts(e);
  return e && e->kind == ExprKind::IntLit ? e : nullptr;
}
bool isZero(const Expr *e) { return literal(e)->as<IntLit>()->value == 0; }

class Checker {
public:
  Checker(const FunctionDef *def, const AstContext &cx, DiagnosticEngine &diags, EffectTable &effects)
      : def(def), cx(cx), paths(cx), diags(diags), effects(effects) {}

  void run() {
    if (def->fn->spawns.empty()) return;
    survey();
    for (const SpawnStmt *s : def->fn->spawns)
      if (!pendingOf.count(s)) spawned(s);
    if (pending.empty()) return;
    cfg = buildCfg(def);
    closeWays(cfg, cx);
    // Every spawn is compared with all outstanding effects: a very large procedure gets no warnings, which saves the
    // time.
    if (pending.size() * cfg.blocks.size() > 1000000 || pending.size() * def->fn->spawns.size() > 30000000) return;
    reported.assign(pending.size(), false);
    in.assign(cfg.blocks.size(), {});
    in[0].live = true;
    // Blocks in the order in which control comes to them: but for loops each is visited once, with all that reaches it.
    std::vector<int> order = cfg.inOrder(), rank(cfg.blocks.size(), -1);
    for (size_t i = 0; i < order.size(); i++) rank[static_cast<size_t>(order[i])] = static_cast<int>(i);
    std::set<int> work{0};
    while (!work.empty()) {
      int b = order[static_cast<size_t>(*work.begin())];
      work.erase(work.begin());
      flow(b, [&](int next, const State &s) {
        if (join(in[static_cast<size_t>(next)], s)) work.insert(rank[static_cast<size_t>(next)]);
      });
    }
    reporting = true;
    for (size_t b = 0; b < cfg.blocks.size(); b++)
      if (in[b].live) flow(static_cast<int>(b), [](int, const State &) {});
    // A spawn/spawn report is left out if an access report already names one of the two: the same `sync` mends both.
    for (const Collision &c : collisions)
      if (!reported[static_cast<size_t>(c.mine)] && !reported[static_cast<size_t>(c.other)]) reportCollision(c);
  }

private:
  const FunctionDef *def;
  const AstContext &cx;
  Paths paths;
  DiagnosticEngine &diags;
  EffectTable &effects;
  Cfg cfg;
  std::vector<PendingEffect> pending;
  std::vector<Where> places;  // of the effects
  std::unordered_map<const SpawnStmt *, std::vector<int>> pendingOf;
  std::vector<State> in;
  std::vector<bool> reported;
  struct Collision {
    int mine, other;
    bool certain;
  };
  std::vector<Collision> collisions;
  bool reporting = false, guarded = false, testing = false, speculates = false;

  // ---- before: what the procedure's text holds ----
  Enclosing<const Expr *> guards;  // then-parts of `if`, and what is tested
  Enclosing<Range> loops;
  std::unordered_map<const VarDecl *, int> reads;

  void findLoops(const Stmt *body) {
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
  static bool within(Range r, Range outer) {
    return r.valid() && outer.valid() && !(r.begin < outer.begin) && r.begin < outer.end;
  }
  Range loopAround(Range r) const {  // the innermost one
    const Range *found = loops.around(r);
    return found ? *found : Range{};
  }

  void survey() {
    findLoops(def->body);
    eachNode(def->body, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Expr *>) surveyed(node);
      else if (node->kind == StmtKind::Spawn && node->template as<SpawnStmt>()->delivery)
        spawned(node->template as<SpawnStmt>());
    });
  }
  void surveyed(const Expr *e) {
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

  // ---- the effects of a spawn ----
  int add(PendingEffect c) {
    c.indexed = std::any_of(c.path.steps.begin(), c.path.steps.end(), [](const Step &x) { return x.expr != nullptr; });
    if (const Expr *const *guard = guards.around(c.where)) c.guard = *guard;
    places.emplace_back(c.path, c.fromHere);
    pending.push_back(std::move(c));
    pendingOf[pending.back().spawn].push_back(static_cast<int>(pending.size()) - 1);
    return static_cast<int>(pending.size()) - 1;
  }
  static bool ordered(QualType t) {  // volatile and atomic objects are shared on purpose
    for (;;) {
      if (t.isVolatile() || t.isAtomic()) return true;
      if (!t->isArray()) return false;
      t = t->as<ArrayType>()->elem;
    }
  }

  void spawned(const SpawnStmt *s) {
    pendingOf[s];
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
          for (int i : pendingOf[s]) {
            const PendingEffect &o = pending[static_cast<size_t>(i)];
            again |= o.kind == c.kind && o.fromHere == c.fromHere && o.path.steps.size() == c.path.steps.size() &&
                     overlap(o.path, c.path) == Overlap::Yes;
          }
          if (!again && pendingOf[s].size() < 40) add(std::move(c));
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
  void changedBy(const SpawnStmt *s) {
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
      for (int i : pendingOf[s]) again |= overlap(pending[static_cast<size_t>(i)].path, p) == Overlap::Yes;
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
  // How far a child goes that is given the start of an array: up to the one number that it is given, too; without a
  // number, as far as there is something.
  static constexpr int64_t unknownExtent = -2;
  int64_t extentOf(const Call *c) const {
    int64_t extent = -1;
    int numbers = 0;
    for (const Expr *a : c->args) {
      if (!a->type->isInteger()) continue;
      const Expr *l = literal(a);
      if (++numbers > 1 || !l) return unknownExtent;
      extent = static_cast<int64_t>(l->as<IntLit>()->value);
    }
    return extent;
  }

  // ---- the flow ----
  template <class F> void flow(int number, F &&to) {
    const Block &b = cfg.blocks[static_cast<size_t>(number)];
    State s = in[static_cast<size_t>(number)];
    for (const Event &e : b.events) {
      if (e.kind == Event::Evaluate) {
        value(e.expr, s);
        looksAtMarks(e.expr, s);
        if (!e.stmt && keepsSynched(e.expr)) s.out.clear();  // an initialiser
      } else if (e.kind == Event::SpawnPoint) {
        start(e.spawn, s);
      } else if (e.kind == Event::Declared && e.var->init) write({e.var, {}}, e.var->range, s);
      else if (e.kind == Event::SyncPoint) s.out.clear();
      else if (e.kind == Event::TouchPoint)
        std::erase_if(s.out, [&](const Out &o) {
          return waitsFor(e.stmt->as<TouchStmt>(), pending[static_cast<size_t>(o.effect)].spawn);
        });
    }
    if (!b.condition) {
      for (int n : b.next) to(n, s);
      return;
    }
    looksAtMarks(b.condition, s);
    testing = true;
    auto [yes, no] = test(b.condition, s);
    testing = false;
    // if (c) x = spawn f(); .. if (c) sync; where c is false the first time it is so the second time.
    std::erase_if(no.out, [&](const Out &o) {
      const Expr *guard = pending[static_cast<size_t>(o.effect)].guard;
      return guard && sameExpr(guard, b.condition);
    });
    if (yes.live && b.whenTrue >= 0) to(b.whenTrue, yes);
    if (no.live && b.whenFalse >= 0) to(b.whenFalse, no);
    for (int n : b.next)
      if (n != b.whenTrue && n != b.whenFalse) to(n, s);
  }

  static bool waitsFor(const TouchStmt *touch, const SpawnStmt *spawn) {
    return touch->own && spawn->fills && baseVariable(spawn->receiver()) == touch->own;
  }

  void start(const SpawnStmt *sp, State &s) {
    if (sp->delivery) address(sp->receiver(), s);
    for (const Expr *a : sp->arguments) value(a, s);
    value(sp->call->callee, s);
    for (const Expr *a : sp->call->args) value(a, s);
    if (speculates) speculative(sp, s);
    const std::vector<int> &mine = pendingOf[sp];
    uint8_t flags = OnEveryPath;
    for (const Expr *a : sp->call->args)
      if (changesSomething(a)) flags |= IndexChanged;  // a[i] = spawn f(i++): it is the old i's
    if (reporting)
      for (int i : mine) collide(i, s);
    for (int i : mine) {
      auto at = std::lower_bound(s.out.begin(), s.out.end(), i, [](const Out &o, int n) { return o.effect < n; });
      if (at != s.out.end() && at->effect == i) at->flags = flags | (at->flags & IndexChanged);
      else s.out.insert(at, {i, flags});
    }
  }

  // Nothing is left to report about an inlet that aborts once the procedure looks at what the inlet sets.
  void looksAtMarks(const Expr *e, State &s) {
    if (!speculates || s.out.empty()) return;
    auto looksAt = [&](const std::vector<const VarDecl *> &marks) {
      return anyExpr(e, Walk::Evaluated, [&](const Expr *x) {
        if (x->kind == ExprKind::Call)
          return std::any_of(marks.begin(), marks.end(), [](auto *v) { return !v->isLocal; });
        if (x->kind == ExprKind::Synched) return true;
        return x->kind == ExprKind::Ident &&
               std::any_of(marks.begin(), marks.end(), [&](auto *v) { return x->as<Ident>()->decl == v; });
      });
    };
    std::erase_if(s.out, [&](const Out &o) {
      const PendingEffect &c = pending[static_cast<size_t>(o.effect)];
      return c.kind == PendingEffect::Aborts && looksAt(c.marks);
    });
  }
  // A child that is of use only if no inlet has aborted, and nothing asks.
  void speculative(const SpawnStmt *sp, State &s) {
    for (const Expr *a : sp->call->args) looksAtMarks(a, s);
    const std::vector<int> &mine = pendingOf[sp];
    auto aborts = [&](int i) { return pending[static_cast<size_t>(i)].kind == PendingEffect::Aborts; };
    if (!reporting || std::none_of(mine.begin(), mine.end(), aborts)) return;
    for (const Out &o : s.out) {
      const PendingEffect &c = pending[static_cast<size_t>(o.effect)];
      if (!aborts(o.effect) || reported[static_cast<size_t>(o.effect)]) continue;
      if (!(o.flags & OnEveryPath) && c.spawn != sp) continue;
      reported[static_cast<size_t>(o.effect)] = true;
      diags.report(diag::spawn_after_abort, sp->spawned)
              .note(c.where, c.spawn == sp ? "`abort` stops the children of earlier rounds only"
                                           : "`abort` stops this child, and no later one")
          << c.marks[0]->name;
      return;
    }
  }

  static bool changesSomething(const Expr *e) {
    return anyExpr(e, Walk::Evaluated, [](const Expr *x) {
      return x->kind == ExprKind::Assign || (x->kind == ExprKind::Unary && isIncDec(x->as<Unary>()->op));
    });
  }

  // Both outcomes of a test.
  std::pair<State, State> test(const Expr *e, State s) {
    const Expr *x = bare(e);
    while (x->kind == ExprKind::ImplicitCast && x->as<ImplicitCast>()->castKind != CastKind::LvalueToRvalue)
      x = bare(x->as<ImplicitCast>()->sub);
    State none;
    if (const Expr *l = literal(x)) return isZero(l) ? std::pair{none, s} : std::pair{s, none};
    if (x->kind == ExprKind::Synched) {
      State yes = s;
      yes.out.clear();
      return {yes, s};
    }
    if (x->kind == ExprKind::Unary && x->as<Unary>()->op == UnaryOp::Not) {
      auto [yes, no] = test(x->as<Unary>()->sub, std::move(s));
      return {no, yes};
    }
    if (x->kind == ExprKind::Call && x->as<Call>()->builtin && x->as<Call>()->args.size() == 2)
      if (const FunctionDecl *f = directCallee(x->as<Call>()); f && f->name == "__builtin_expect")
        return test(x->as<Call>()->args[0], std::move(s));
    if (x->kind == ExprKind::Binary) {
      const auto *b = x->as<Binary>();
      if (b->op == BinaryOp::LogAnd || b->op == BinaryOp::LogOr) {
        bool both = b->op == BinaryOp::LogAnd;
        auto [yes, no] = test(b->lhs, std::move(s));
        auto [yes2, no2] = test(b->rhs, both ? yes : no);
        if (both) {
          join(no, no2);
          return {yes2, no};
        }
        join(yes, yes2);
        return {yes, no2};
      }
      if ((b->op == BinaryOp::Eq || b->op == BinaryOp::Ne) && literal(b->rhs)) {
        bool flip = (b->op == BinaryOp::Eq) == isZero(b->rhs);
        if (isZero(b->rhs) || bare(b->lhs)->kind == ExprKind::Synched) {
          auto [yes, no] = test(b->lhs, std::move(s));
          if (flip) return {no, yes};
          return {yes, no};
        }
      }
    }
    value(x, s);
    return {s, s};
  }

  // ---- expressions ----
  void address(const Expr *e, State &s) {  // of an lvalue: what computing it reads
    e = bare(e);
    if (!e) return;
    switch (e->kind) {
      case ExprKind::Ident: return;
      case ExprKind::Member:
        if (e->as<Member>()->arrow) value(e->as<Member>()->base, s);
        else address(e->as<Member>()->base, s);
        return;
      case ExprKind::Index:
        if (e->as<Index>()->base->type->isVector()) address(e->as<Index>()->base, s);
        else value(e->as<Index>()->base, s);
        value(e->as<Index>()->index, s);
        return;
      default: value(e, s);
    }
  }
  void value(const Expr *e, State &s) {
    if (!e || !s.live) return;
    switch (e->kind) {
      case ExprKind::ImplicitCast: {
        const auto *c = e->as<ImplicitCast>();
        if (c->castKind == CastKind::LvalueToRvalue) {
          address(c->sub, s);
          read(c->sub, s);
        } else if (c->castKind == CastKind::ArrayToPointer) address(c->sub, s);
        else value(c->sub, s);
        return;
      }
      case ExprKind::Cast: {
        const Expr *sub = bare(e->as<Cast>()->sub);
        if (e->as<Cast>()->castKind == CastKind::ToVoid && sub->kind == ExprKind::ImplicitCast)
          address(sub->as<ImplicitCast>()->sub, s);
        else value(sub, s);
        return;
      }
      case ExprKind::Unary: {
        const auto *u = e->as<Unary>();
        switch (u->op) {
          case UnaryOp::AddrOf: address(u->sub, s); return;
          case UnaryOp::PreInc:
          case UnaryOp::PreDec:
          case UnaryOp::PostInc:
          case UnaryOp::PostDec:
            address(u->sub, s);
            change(u->sub, s);
            return;
          default: value(u->sub, s); return;
        }
      }
      case ExprKind::Binary: {
        const auto *b = e->as<Binary>();
        if (b->op == BinaryOp::LogAnd || b->op == BinaryOp::LogOr) {
          auto [yes, no] = test(e, std::move(s));
          s = std::move(yes);
          join(s, no);
          return;
        }
        std::vector<const Binary *> spine;
        const Expr *left = e;
        while (left->kind == ExprKind::Binary && left->as<Binary>()->op != BinaryOp::LogAnd &&
               left->as<Binary>()->op != BinaryOp::LogOr)
          spine.push_back(left->as<Binary>()), left = left->as<Binary>()->lhs;
        value(left, s);
        for (auto it = spine.rbegin(); it != spine.rend(); ++it) value((*it)->rhs, s);
        return;
      }
      case ExprKind::Assign: {
        const auto *a = e->as<Assign>();
        address(a->lhs, s);
        value(a->rhs, s);
        if (keepsSynched(a->rhs)) s.out.clear();
        if (a->compound) change(a->lhs, s);
        else if (Path p = paths.ofLvalue(a->lhs)) write(p, e->range, s);
        return;
      }
      case ExprKind::Conditional: {
        const auto *c = e->as<Conditional>();
        auto [yes, no] = test(c->cond, std::move(s));
        value(c->then, yes);
        value(c->otherwise, no);
        s = std::move(yes);
        join(s, no);
        return;
      }
      case ExprKind::Call: {
        const auto *c = e->as<Call>();
        if (c->builtin)
          if (const FunctionDecl *f = directCallee(c);
              f && (f->name == "__builtin_constant_p" || f->name == "__builtin_object_size" ||
                       f->name == "__builtin_dynamic_object_size"))
            return;
        value(c->callee, s);
        for (const Expr *a : c->args) value(a, s);
        if (reporting && !s.out.empty()) passed(c, s);
        if (c->fnType && c->fnType->noreturn) s.live = false;
        if (const FunctionDecl *f = directCallee(c); f && (f->isNoreturn || f->attrs.noreturn)) s.live = false;
        return;
      }
      case ExprKind::Member:
        if (e->as<Member>()->arrow) value(e->as<Member>()->base, s);
        else address(e->as<Member>()->base, s);
        return;
      case ExprKind::Index: address(e, s); return;
      default: values(e, s);
    }
  }
  // What only evaluates its parts. The body of a statement expression has events of its own.
  template <class N> void values(const N *node, State &s) {
    eachChild(node, Walk::Evaluated, [&](const auto *child) {
      if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*child)>>) value(child, s);
      else if constexpr (std::is_same_v<decltype(child), const InitList *>) values(child, s);
    });
  }
  static bool keepsSynched(const Expr *e) {
    return anyExpr(e, Walk::Evaluated, [](const Expr *x) { return x->kind == ExprKind::Synched; });
  }

  // ---- accesses ----
  enum Access { ReadsIt, WritesIt, ChangesIt };
  void read(const Expr *lvalue, State &s) {
    if (reporting && !s.out.empty())
      if (Path p = paths.ofLvalue(lvalue)) compare(p, lvalue->range, s, ReadsIt);
  }
  void change(const Expr *lvalue, State &s) {
    Path p = paths.ofLvalue(lvalue);
    if (!p) return;
    if (reporting) compare(p, lvalue->range, s, ChangesIt);
    stored(p, s);
  }
  void write(const Path &p, Range at, State &s) {
    if (reporting) compare(p, at, s, WritesIt);
    stored(p, s);
  }
  // PendingEffects whose path leads through what has just been stored designate something else now.
  void stored(const Path &p, State &s) {
    std::erase_if(s.out,
        [&](const Out &o) { return followsPointerIn(pending[static_cast<size_t>(o.effect)].path, p); });
    if (p.steps.empty())
      for (Out &o : s.out)
        if (const PendingEffect &c = pending[static_cast<size_t>(o.effect)]; c.indexed && indexMentions(c.path, p.base))
          o.flags |= IndexChanged;
  }

  Overlap meets(const PendingEffect &c, const Path &p, bool changed) const {
    if (c.path.base != p.base) return Overlap::No;
    if (c.fromHere) {
      size_t n = c.path.steps.size();
      if (p.steps.size() < n) return Overlap::No;
      Path before{c.path.base, {c.path.steps.begin(), c.path.steps.end() - 1}},
          other{p.base, {p.steps.begin(), p.steps.begin() + static_cast<std::ptrdiff_t>(n) - 1}};
      if (overlap(before, other) != Overlap::Yes) return Overlap::No;
      const Step &from = c.path.steps.back(), &at = p.steps[n - 1];
      if (from.kind != at.kind || !at.known) return Overlap::No;
      return at.index >= from.index && (c.extent < 0 || at.index < from.index + c.extent) ? Overlap::Yes : Overlap::No;
    }
    Overlap o = overlap(c.path, p);
    return o == Overlap::Yes && changed && c.indexed ? Overlap::Unknown : o;
  }

  // Every element was spawned for in one loop, and another loop reads them.
  bool readsThemAll(const PendingEffect &c, const Path &p, Range at) const {
    Range loop = loopAround(c.where), other = loopAround(at);
    if (!loop.valid() || !other.valid() || within(at, loop)) return false;
    for (const Step &x : c.path.steps)
      if (x.kind != Step::Field && !x.expr && !(x.known && &x != &c.path.steps.back())) return false;
    return std::any_of(p.steps.begin(), p.steps.end(), [](const Step &x) { return x.expr != nullptr; });
  }

  void compare(const Path &p, Range at, const State &s, Access access) {
    const PendingEffect *found = nullptr;
    bool sure = false;
    const Where place(p);
    for (const Out &o : s.out) {
      if (places[static_cast<size_t>(o.effect)].apart(place)) continue;
      const PendingEffect &c = pending[static_cast<size_t>(o.effect)];
      if (reported[static_cast<size_t>(o.effect)]) continue;
      if (c.kind == PendingEffect::Reads && access == ReadsIt) continue;
      if (c.byInlet && (access != ReadsIt || testing)) continue;
      Overlap m = meets(c, p, o.flags & IndexChanged);
      bool touches = m == Overlap::Yes || (m == Overlap::Unknown && access == ReadsIt &&
                                              c.kind == PendingEffect::Receiver && readsThemAll(c, p, at));
      if (!touches) continue;
      reported[static_cast<size_t>(o.effect)] = true;
      bool here = (o.flags & OnEveryPath) && m == Overlap::Yes;
      if (!found || (here && !sure) || (found->kind != PendingEffect::Receiver && c.kind == PendingEffect::Receiver))
        found = &c, sure = here;
    }
    if (!found) return;
    for (const Out &o : s.out)  // what else this child does there needs no second message
      if (pending[static_cast<size_t>(o.effect)].spawn == found->spawn &&
          meets(pending[static_cast<size_t>(o.effect)], p, o.flags & IndexChanged) == Overlap::Yes)
        reported[static_cast<size_t>(o.effect)] = true;
    report(*found, p, at, access, sure);
  }

  // A C function reads what a child's result goes to: through what it is given, or by name.
  void passed(const Call *call, const State &s) {
    const FunctionDecl *f = directCallee(call);
    if (!f || f->isCilk || f->isInlet) return;
    const Effects &e = effects.of(f);
    if (!e.visible || e.guarded) return;
    for (const Effect &x : e.reads) {
      bool fromHere = false;
      Path p = effects.atCall(x.path, f, call, fromHere);
      if (!p || (fromHere && p.steps.empty())) continue;
      Range at = x.path.base->isParam && x.path.base->paramIndex < call->args.size()
                     ? call->args[x.path.base->paramIndex]->range
                     : call->range;
      for (const Out &o : s.out) {
        const PendingEffect &c = pending[static_cast<size_t>(o.effect)];
        if (c.kind != PendingEffect::Receiver || reported[static_cast<size_t>(o.effect)] || (c.byInlet && testing))
          continue;
        if (fromHere ? !goesOver(p, c, at) : meets(c, p, o.flags & IndexChanged) != Overlap::Yes) continue;
        reported[static_cast<size_t>(o.effect)] = true;
        report(c, c.path, at, ReadsIt, false);
      }
    }
  }
  // Does a reader that begins at the element `from` come to the effect's? It has a known index from there on, or a
  // loop that is over went through them all.
  bool goesOver(const Path &from, const PendingEffect &c, Range at) const {
    size_t n = from.steps.size();
    if (from.base != c.path.base || c.path.steps.size() < n) return false;
    auto last = static_cast<std::ptrdiff_t>(n) - 1;
    Path a{from.base, {from.steps.begin(), from.steps.begin() + last}},
        b{from.base, {c.path.steps.begin(), c.path.steps.begin() + last}};
    if (overlap(a, b) != Overlap::Yes || !from.steps.back().known) return false;
    const Step &element = c.path.steps[n - 1];
    if (element.kind == Step::Field) return false;
    if (element.known) return element.index >= from.steps.back().index;
    Range loop = loopAround(c.where);
    return loop.valid() && !within(at, loop);
  }

  void report(const PendingEffect &c, const Path &p, Range at, Access access, bool sure) {
    std::string name = toText(p);
    if (c.kind == PendingEffect::Receiver) {
      DiagId id = access == WritesIt ? (sure ? diag::receiver_written : diag::receiver_maybe_written)
                  : sure             ? diag::receiver_read
                                     : diag::receiver_maybe_read;
      diags.report(id, at).note(c.where, "the spawn is here: write `sync;` between the two") << name;
      return;
    }
    bool loopVariable = p.steps.empty() && p.base->isLocal && access != ReadsIt && within(at, loopAround(c.where));
    if (loopVariable) {
      diags.report(diag::loop_variable_shared, c.where)
              .note(at, "it changes here, while the children run: give each child its own variable, or pass the value")
          << name;
      return;
    }
    bool reads = access == ReadsIt || (access == ChangesIt && c.kind != PendingEffect::Reads);
    auto d = diags.report(reads ? diag::shared_read : diag::shared_written, at);
    d << name;
    bool global = c.kind == PendingEffect::Updates && !c.path.base->isLocal;
    if (c.kind == PendingEffect::Updates && c.at.valid())
      d.note(c.at, std::string("the child changes it here; ") + (global ? "it is spawned" : "it got the pointer") +
                       " before this: write `sync;` between the two");
    else d.note(c.where, "the child gets the pointer here: write `sync;` between the two");
  }

  // The effect of a spawn against those that are out.
  void collide(int mine, const State &s) {
    const PendingEffect &c = pending[static_cast<size_t>(mine)];
    if (c.kind != PendingEffect::Receiver && c.kind != PendingEffect::Updates) return;
    if (c.kind == PendingEffect::Receiver && c.dropped && reads[c.path.base] <= 0) return;
    const Where place(c.path);
    for (const Out &o : s.out) {
      if (places[static_cast<size_t>(o.effect)].apart(place)) continue;
      const PendingEffect &d = pending[static_cast<size_t>(o.effect)];
      if (c.byInlet || d.byInlet || d.kind != c.kind || (c.kind == PendingEffect::Receiver && c.compound && d.compound))
        continue;
      if (meets(d, c.path, o.flags & IndexChanged) != Overlap::Yes) continue;
      if (c.compound != d.compound && !(o.flags & OnEveryPath)) continue;
      collisions.push_back({mine, o.effect, (o.flags & OnEveryPath) != 0});
      return;
    }
  }
  void reportCollision(const Collision &x) {
    const PendingEffect &c = pending[static_cast<size_t>(x.mine)], &d = pending[static_cast<size_t>(x.other)];
    reported[static_cast<size_t>(x.mine)] = reported[static_cast<size_t>(x.other)] = true;
    bool same = &c == &d;
    if (c.kind == PendingEffect::Receiver) {
      auto r = diags.report(x.certain && !same ? diag::receiver_written : diag::receiver_maybe_written, c.where);
      r << toText(c.path);
      if (same)
        r.note(c.where,
            "the spawn of the previous round may still be running: write `sync;` in the loop, or give each spawn its own variable");
      else r.note(d.where, "the other spawn is here: write `sync;` between the two, or give each its own variable");
      return;
    }
    if (def->fn->isLoop) {
      diags.report(diag::parallel_iterations, c.at)
              .note(c.at,
                  "declare it in the loop's body if each iteration has one of its own; make a sum or a maximum a reducer")
          << toText(c.path);
      return;
    }
    auto r = diags.report(diag::parallel_updates, c.spawn->spawned);
    r << toText(c.path);
    std::string advice = c.path.base->type.isVolatile() ? "here, in several steps although it is volatile; " : "here; ";
    advice += "take a lock around it, or let each child return its part and add the results up";
    if (cx.lang.openCilk) advice += ", or make it a reducer";
    r.note(c.at, advice);
    if (!same) r.note(d.spawn->spawned, "the other child is spawned here");
  }
};

}  // namespace

void checkProcedures(const TranslationUnit &unit, const AstContext &cx, DiagnosticEngine &diags) {
  EffectTable effects(cx);
  PureFunctions pure;
  const bool locks = std::any_of(unit.functions.begin(), unit.functions.end(), analysis::isLockOperation);
  for (const FunctionDecl *f : unit.functions) {
    if (!f->def || !f->def->body || diags.sources().inSystemHeader(f->range.begin)) continue;
    if (f->isCilk) Checker(f->def, cx, diags, effects).run();
    if (locks) analysis::checkLocks(f->def, cx, effects, diags);
    if (!f->isCilk) continue;
    analysis::checkForeignCalls(f->def, diags);
    analysis::checkSyncs(f->def, cx, pure, diags);
    if (cx.touches) analysis::checkFutures(f->def, cx, diags);
  }
}

}  // namespace cilkc
