// parallel_conflicts.cpp - the outstanding effects of a Cilk procedure's children at each point, and what conflicts
// with them.
//
// Every spawn has a list of effects, made once (child_effects.h). The state at a point is the set of effects that are
// pending; a spawn adds its own, `sync` and a test of SYNCHED that came out true take all away. A forward data-flow
// problem over the graph of frontend/flow: a set union with one bit per effect for "on every path", and one for "its
// index has changed since". When the states have settled, one more pass compares each access with the effects that are
// pending.
//
// SYNCHED that is kept in a variable could guard all children that are outstanding at that point: no warning is given
// about these children from there on.
#include <algorithm>
#include <set>
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/busy_wait.h"
#include "frontend/analysis/child_effects.h"
#include "frontend/analysis/cleanups.h"
#include "frontend/analysis/closed.h"
#include "frontend/analysis/foreign.h"
#include "frontend/analysis/futures.h"
#include "frontend/analysis/locks.h"
#include "frontend/analysis/syncs.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/flow/cfg.h"
#include "diag/cilk.h"

namespace cilkc {
namespace {

using namespace analysis;

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

bool within(Range r, Range outer) {
  return r.valid() && outer.valid() && !(r.begin < outer.begin) && r.begin < outer.end;
}

class Checker {
public:
  Checker(const FunctionDef *def, const AstContext &cx, DiagnosticEngine &diags, EffectTable &effects)
      : def(def), cx(cx), paths(cx), diags(diags), effects(effects), children(def, cx, effects) {}

  void run() {
    if (pending.empty()) return;
    for (const PendingEffect &c : pending) places.emplace_back(c.path, c.fromHere);
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
  ChildEffects children;
  const std::vector<PendingEffect> &pending = children.all;
  Cfg cfg;
  std::vector<Where> places;  // of the effects
  std::vector<State> in;
  std::vector<bool> reported;
  struct Collision {
    int mine, other;
    bool certain;
  };
  std::vector<Collision> collisions;
  bool reporting = false, testing = false;
  const std::string sync = cx.lang.openCilk ? "`cilk_sync;`" : "`sync;`";  // for hints

  // ---- the flow ----
  template <class F> void flow(int number, F &&to) {
    const Block &b = cfg.blocks[static_cast<size_t>(number)];
    State s = in[static_cast<size_t>(number)];
    for (const Event &e : b.events) {
      if (e.kind == Event::Evaluate) {
        unused = e.stmt && e.stmt->kind == StmtKind::Expr ? bare(e.expr) : nullptr;
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
    if (children.speculates) speculative(sp, s);
    const std::vector<int> &mine = children.of(sp);
    uint8_t flags = OnEveryPath;
    for (const Expr *a : sp->call->args)
      if (changesSomething(a)) flags |= IndexChanged;  // a[i] = spawn f(i++): it is the old i's
    if (reporting)
      for (int i : mine) collide(i, s);
    for (int i : mine) {
      auto at = std::lower_bound(s.out.begin(), s.out.end(), i, [](const Out &o, int n) { return o.effect < n; });
      if (at != s.out.end() && at->effect == i) at->flags = flags;  // the effect of the latest spawn, of those it has
      else s.out.insert(at, {i, flags});
    }
  }

  // Nothing is left to report about an inlet that aborts once the procedure looks at what the inlet sets.
  void looksAtMarks(const Expr *e, State &s) {
    if (!children.speculates || s.out.empty()) return;
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
    const std::vector<int> &mine = children.of(sp);
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
      default: otherKinds<34>(); value(e, s);
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
            change(u->sub, s, e == unused && u->sub->type->isInteger() ? Update::Adds : Update::None);
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
        if (a->compound) change(a->lhs, s, e == unused ? updateOf(*a) : Update::None);
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
        if (reporting && !s.out.empty()) checkPassed(c, s);
        if (c->fnType && c->fnType->noreturn) s.live = false;
        if (const FunctionDecl *f = directCallee(c); f && (f->isNoreturn || f->attrs.noreturn)) s.live = false;
        return;
      }
      case ExprKind::Member:
        if (e->as<Member>()->arrow) value(e->as<Member>()->base, s);
        else address(e->as<Member>()->base, s);
        return;
      case ExprKind::Index: address(e, s); return;
      default: otherKinds<34>(); values(e, s);
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
  const Expr *unused = nullptr;  // of the statement that is looked at: its value
  // Updates of one kind come to the same in any order.
  enum class Update : uint8_t { None, Adds, Multiplies, Ands, Ors, Xors };
  static Update updateOf(const Assign &a) {
    if (!a.lhs->type->isInteger()) return Update::None;
    switch (a.op) {
      case BinaryOp::Add:
      case BinaryOp::Sub: return Update::Adds;
      case BinaryOp::Mul: return Update::Multiplies;
      case BinaryOp::And: return Update::Ands;
      case BinaryOp::Or: return Update::Ors;
      case BinaryOp::Xor: return Update::Xors;
      default: return Update::None;
    }
  }
  void read(const Expr *lvalue, State &s) {
    if (reporting && !s.out.empty())
      if (Path p = paths.ofLvalue(lvalue)) compare(p, lvalue->range, s, ReadsIt);
  }
  void change(const Expr *lvalue, State &s, Update update) {
    Path p = paths.ofLvalue(lvalue);
    if (!p) return;
    if (reporting) compare(p, lvalue->range, s, ChangesIt, update);
    forgetThrough(p, s);
  }
  void write(const Path &p, Range at, State &s) {
    if (reporting) compare(p, at, s, WritesIt);
    forgetThrough(p, s);
  }
  // Effects whose path leads through what has just been stored designate something else now.
  void forgetThrough(const Path &p, State &s) {
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
    Range loop = children.loopAround(c.where), other = children.loopAround(at);
    if (!loop.valid() || !other.valid() || within(at, loop)) return false;
    for (const Step &x : c.path.steps)
      if (x.kind != Step::Field && !x.expr && !(x.known && &x != &c.path.steps.back())) return false;
    return std::any_of(p.steps.begin(), p.steps.end(), [](const Step &x) { return x.expr != nullptr; });
  }

  void compare(const Path &p, Range at, const State &s, Access access, Update update = Update::None) {
    const PendingEffect *found = nullptr;
    bool sure = false;
    const Where place(p);
    for (const Out &o : s.out) {
      if (places[static_cast<size_t>(o.effect)].apart(place)) continue;
      const PendingEffect &c = pending[static_cast<size_t>(o.effect)];
      if (reported[static_cast<size_t>(o.effect)]) continue;
      if (c.kind == PendingEffect::Reads && access == ReadsIt) continue;
      if (c.byInlet && (access != ReadsIt || testing)) continue;
      if (c.compound && !c.byInlet && update != Update::None && update == updateOf(*c.spawn->delivery)) continue;
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

  // A C function reads what a child's result goes to, through what it is given, or by name; or it updates what a child
  // updates, too.
  void checkPassed(const Call *call, const State &s) {
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
    for (const Effect &x : e.updates) {
      bool fromHere = false;
      Path p = effects.atCall(x.path, f, call, fromHere);
      if (!p || fromHere) continue;
      for (const Out &o : s.out) {
        const PendingEffect &c = pending[static_cast<size_t>(o.effect)];
        if (c.kind != PendingEffect::Updates || reported[static_cast<size_t>(o.effect)] ||
            meets(c, p, o.flags & IndexChanged) != Overlap::Yes)
          continue;
        reported[static_cast<size_t>(o.effect)] = true;
        auto r = diags.report(diag::parallel_call, call->range);
        r << toText(c.path);
        r.note(c.at, updateAdvice(c)).note(c.spawn->spawned, "the child is spawned here");
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
    Range loop = children.loopAround(c.where);
    return loop.valid() && !within(at, loop);
  }

  void report(const PendingEffect &c, const Path &p, Range at, Access access, bool sure) {
    std::string name = toText(p);
    if (c.kind == PendingEffect::Receiver) {
      DiagId id = access == WritesIt ? (sure ? diag::receiver_written : diag::receiver_maybe_written)
                  : sure             ? diag::receiver_read
                                     : diag::receiver_maybe_read;
      diags.report(id, at).note(c.where, "the spawn is here: write " + sync + " between the two") << name;
      return;
    }
    bool loopVariable =
        p.steps.empty() && p.base->isLocal && access != ReadsIt && within(at, children.loopAround(c.where));
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
                       " before this: write " + sync + " between the two");
    else d.note(c.where, "the child gets the pointer here: write " + sync + " between the two");
  }

  // The effect of a spawn against those that are out.
  void collide(int mine, const State &s) {
    const PendingEffect &c = pending[static_cast<size_t>(mine)];
    if (c.kind != PendingEffect::Receiver && c.kind != PendingEffect::Updates) return;
    if (c.kind == PendingEffect::Receiver && c.dropped && !children.isRead(c.path.base)) return;
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
  std::string updateAdvice(const PendingEffect &c) const {
    std::string advice = c.path.base->type.isVolatile() ? "here, in several steps although it is volatile; " : "here; ";
    advice += "take a lock around it, or let each child return its part and add the results up";
    if (cx.lang.openCilk) advice += ", or make it a reducer";
    return advice;
  }
  void reportCollision(const Collision &x) {
    const PendingEffect &c = pending[static_cast<size_t>(x.mine)], &d = pending[static_cast<size_t>(x.other)];
    reported[static_cast<size_t>(x.mine)] = reported[static_cast<size_t>(x.other)] = true;
    bool same = &c == &d;
    if (c.kind == PendingEffect::Receiver) {
      auto r = diags.report(x.certain && !same ? diag::receiver_written : diag::receiver_maybe_written, c.where);
      r << toText(c.path);
      if (same)
        r.note(c.where, "the spawn of the previous round may still be running: write " + sync +
                            " in the loop, or give each spawn its own variable");
      else
        r.note(d.where, "the other spawn is here: write " + sync + " between the two, or give each its own variable");
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
    r.note(c.at, updateAdvice(c));
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
    if (f->isCilk && !f->spawns.empty()) Checker(f->def, cx, diags, effects).run();
    if (locks) analysis::checkLocks(f->def, cx, effects, diags);
    if (!f->isCilk) continue;
    analysis::checkForeignCalls(f->def, diags);
    analysis::checkSyncs(f->def, cx, pure, diags);
    if (cx.touches) analysis::checkFutures(f->def, cx, diags);
  }
  analysis::checkCleanups(unit, diags);
  analysis::checkBusyWaits(unit, cx, diags);
}

}  // namespace cilkc
