// race_uses.cpp - the text of a procedure and its inlets, read for what deliveries do: which updates come to the same
// in any order (sums, maxima, flags); which conditions only decide whether more is spawned; which variables that no
// other strand can reach have to be watched at all.
//
// An `if` that compares what it goes on to store is taken for a choice (the largest, the first in some order). A choice
// is taken for one that does not depend on the order.
#include "codegen/events/race_uses.h"
#include <algorithm>
#include <functional>
#include "codegen/events/escape.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include "frontend/consteval/consteval.h"
#include "frontend/flow/cfg.h"
#include "rt/tools/race/abi.h"

namespace cilkc::cg {
namespace {

const Expr *plain(const Expr *e) { return ignoreParensAndImplicit(e); }
bool same(const Expr *a, const Expr *b) {
  a = plain(a), b = plain(b);
  return a && b && sameTree(a, b);
}

template <class F> void eachRead(const Expr *e, F &&f) {
  if (!e) return;
  eachExpr(e, Walk::Evaluated, [&](const Expr *x) {
    if (x->kind == ExprKind::ImplicitCast && x->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue)
      f(ignoreParens(x->as<ImplicitCast>()->sub));
  });
}
// Is a part of the place, or a place around it, read in e?
bool overlap(const Expr *a, const Expr *b) {
  const VarDecl *v = variableAround(a);
  return same(a, b) || (v && v == variableAround(b));
}
bool reads(const Expr *e, const Expr *place) {
  bool found = false;
  eachRead(e, [&](const Expr *x) { found |= overlap(x, place); });
  return found;
}

uint32_t updateOf(BinaryOp op, const Type *type) {
  if (!type->isInteger() && !type->isPointer()) return 0;
  bool truth = type->kind == TypeKind::Bool;
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub: return truth ? 0 : CILK_RACE_ADDS;
    case BinaryOp::Mul: return truth ? 0 : CILK_RACE_MULTIPLIES;
    case BinaryOp::Or: return CILK_RACE_ORS;
    case BinaryOp::And: return CILK_RACE_ANDS;
    case BinaryOp::Xor: return CILK_RACE_XORS;
    default: return 0;
  }
}

// `x < y` and then x = y: the larger one stays.
uint32_t extremum(const Expr *condition, const Expr *to, const Expr *from, bool whenTrue) {
  const Expr *c = plain(condition);
  if (c->kind != ExprKind::Binary || !isRelation(c->as<Binary>()->op)) return 0;
  const auto *b = c->as<Binary>();
  bool less = b->op == BinaryOp::Lt || b->op == BinaryOp::Le;
  if (same(b->rhs, to) && same(b->lhs, from)) less = !less;
  else if (!same(b->lhs, to) || !same(b->rhs, from)) return 0;
  return less == whenTrue ? CILK_RACE_MAXIMUM : CILK_RACE_MINIMUM;
}

uint32_t numbered(uint32_t kind, uint64_t number) {
  return kind + CILK_RACE_NUMBER * (static_cast<uint32_t>(number * 0x9E3779B97F4A7C15u >> 40) + 1);
}

uint32_t floating(const Type *t) {
  return t->isFloating() || t->isComplex() ? static_cast<uint32_t>(CILK_RACE_FLOATING) : 0;
}

class Reader {
  RaceUses &uses;
  const AstContext &cx;
  const FunctionDecl *f;

  void mark(const Expr *place, RaceUse use) {
    for (const Expr *e : {place, ignoreParens(place)}) {
      RaceUse &to = uses.accesses[RaceUses::key(e->range)];
      if (use.update) to.update = use.update;
      to.use |= use.use;
    }
  }
  void markReads(const Expr *in, const Expr *place, RaceUse use) {
    eachRead(in, [&](const Expr *x) {
      if (overlap(x, place)) mark(x, use);
    });
  }

  // An expression whose value is of no interest.
  void discarded(const Expr *e) {
    e = ignoreCasts(e);
    if (!e) return;
    if (e->kind == ExprKind::Binary && e->as<Binary>()->op == BinaryOp::Comma) {
      discarded(e->as<Binary>()->lhs);
      discarded(e->as<Binary>()->rhs);
    } else if (e->kind == ExprKind::Unary && isIncDec(e->as<Unary>()->op)) {
      const Expr *x = e->as<Unary>()->sub;
      mark(x, {updateOf(BinaryOp::Add, x->type.type), floating(x->type.type)});
    } else if (e->kind == ExprKind::Assign) assigned(e->as<Assign>());
  }
  RaceUse compound(const Assign *a) const {
    if (floating(a->computeType.type)) return {0, CILK_RACE_FLOATING};
    return {reads(a->rhs, a->lhs) ? 0 : updateOf(a->op, a->lhs->type.type), 0};
  }
  void assigned(const Assign *a) {
    if (a->compound) return mark(a->lhs, compound(a));
    const Expr *from = ignoreCasts(a->rhs);
    if (f->isInlet) {  // flag = 1
      auto v = evaluate(a->rhs, cx, EvalMode::Fold);
      bool number = v && v->kind == ConstValue::Int;
      if (number || (v && v->kind == ConstValue::Address && !v->base && !v->string && !v->label))
        return mark(a->lhs, {numbered(CILK_RACE_SETS, static_cast<uint64_t>(number ? v->i : v->offset)), 0});
    }
    if (from->kind == ExprKind::Binary) {  // x = x + y
      const auto *b = from->as<Binary>();
      bool left = same(b->lhs, a->lhs);
      if (!left && (b->op == BinaryOp::Sub || !same(b->rhs, a->lhs))) return;
      RaceUse use{updateOf(b->op, b->type.type), floating(b->type.type)};
      if (reads(left ? b->rhs : b->lhs, a->lhs) || !a->lhs->type->isInteger()) use.update = 0;
      mark(a->lhs, use);
      if (use.update) markReads(a->rhs, a->lhs, use);
    } else if (from->kind == ExprKind::Conditional) {  // x = x < y ? y : x
      const auto *c = from->as<Conditional>();
      if (!c->then || !reads(c->cond, a->lhs)) return;
      uint32_t kind = same(c->otherwise, a->lhs) ? extremum(c->cond, a->lhs, c->then, true)
                      : same(c->then, a->lhs)    ? extremum(c->cond, a->lhs, c->otherwise, false)
                                                 : 0;
      RaceUse use{kind ? kind : numbered(CILK_RACE_CHOOSES, a->range.begin.offset()), 0};
      mark(a->lhs, use);
      markReads(a->rhs, a->lhs, use);
    } else if (from->kind == ExprKind::Call) {  // x = max(x, y)
      const FunctionDecl *callee = directCallee(from->as<Call>());
      std::string_view name = callee ? callee->name : std::string_view();
      uint32_t kind = name.find("max") != name.npos   ? CILK_RACE_MAXIMUM
                      : name.find("min") != name.npos ? CILK_RACE_MINIMUM
                                                      : 0;
      if (!kind || !reads(from, a->lhs)) return;
      mark(a->lhs, {kind, 0});
      markReads(from, a->lhs, {kind, 0});
    }
  }

  // if (x < y) x = y;
  void chosen(const IfStmt *s) {
    auto branch = [&](const Stmt *part, bool whenTrue) {
      if (!part) return;
      eachNode(part, Walk::Evaluated, [&](const auto *node) {
        if constexpr (std::is_same_v<decltype(node), const Expr *>) {
          if (node->kind != ExprKind::Assign || node->template as<Assign>()->compound) return;
          const auto *a = node->template as<Assign>();
          if (!reads(s->cond, a->lhs)) return;
          uint32_t kind = extremum(s->cond, a->lhs, a->rhs, whenTrue);
          RaceUse use{kind ? kind : numbered(CILK_RACE_CHOOSES, s->range.begin.offset()), 0};
          mark(a->lhs, use);
          markReads(s->cond, a->lhs, use);
        }
      });
    };
    branch(s->then, true);
    branch(s->otherwise, false);
  }

  // Does the statement go on with the search, or leave it?
  static bool decides(const Stmt *s, bool loop) {
    bool found = false;
    if (s)
      eachNode(s, Walk::Evaluated, [&](const auto *node) {
        if constexpr (std::is_same_v<decltype(node), const Stmt *>)
          found |= node->kind == StmtKind::Spawn ||
                   (!loop && (node->kind == StmtKind::Break || node->kind == StmtKind::Continue ||
                                 node->kind == StmtKind::Goto || node->kind == StmtKind::Abort ||
                                 node->kind == StmtKind::Return));
      });
    return found;
  }
  void polls(const Expr *condition, bool decides) {
    if (!decides || !condition) return;
    eachRead(condition, [&](const Expr *x) { mark(x, {0, CILK_RACE_POLLS}); });
  }

  // if (found) return found;  No aborted child delivers, so the value is the last one.
  void returnsIt(const IfStmt &s) {
    eachNode(s.then, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>)
        if (node->kind == StmtKind::Return)
          eachRead(node->template as<ReturnStmt>()->value, [&](const Expr *x) {
            const VarDecl *v = namedVariable(x);
            if (v && anyExpr(s.cond, Walk::Evaluated, [&](const Expr *e) { return namedVariable(e) == v; }))
              mark(x, {0, CILK_RACE_POLLS});
          });
    });
  }

public:
  // ---- statements: eachNode meets each of them, so these look at what is in the statement itself ----
  void on(const ExprStmt &s) { discarded(s.expr); }
  void on(const ForStmt &s) {
    discarded(s.step);
    polls(s.cond, decides(s.body, true));
  }
  void on(const WhileStmt &s) { polls(s.cond, decides(s.body, true)); }
  void on(const DoStmt &s) { polls(s.cond, decides(s.body, true)); }
  void on(const IfStmt &s) {
    later.push_back(&s);
    bool leaves = decides(s.then, false) || decides(s.otherwise, false);
    polls(s.cond, leaves);
    if (leaves) returnsIt(s);
  }
  void on(const AbortStmt &) {
    if (f->isInlet) uses.aborting.insert(f);
  }
  void on(const SpawnStmt &s) {
    if (s.delivery) uses.deliveries[&s] = s.delivery->compound ? compound(s.delivery) : RaceUse{};
  }
  void on(const Stmt &) {}  // what it evaluates is a node of its own

private:
  // A reducer's value that is read for anything but its update: of this strand's view. (What a pointer is read for is
  // not known.)
  void viewed(const Expr *e) {
    if (e->kind != ExprKind::ImplicitCast || e->as<ImplicitCast>()->castKind != CastKind::LvalueToRvalue) return;
    const Expr *place = ignoreParens(e->as<ImplicitCast>()->sub);
    if (place->kind != ExprKind::Unary || place->as<Unary>()->op != UnaryOp::Deref || place->type->isPointer()) return;
    const Expr *call = ignoreCasts(place->as<Unary>()->sub);
    if (call->kind == ExprKind::Call && call->as<Call>()->builtin == static_cast<int>(BuiltinId::cilk_view) &&
        !updating(place))
      mark(place, {0, CILK_RACE_VIEW});
  }
  bool updating(const Expr *place) const {
    return uses.of(place->range).update || std::any_of(updates.begin(), updates.end(), [&](const Assign *a) {
      return !(place->range.begin < a->range.begin) && !(a->range.end < place->range.end) && same(a->lhs, place);
    });
  }
  std::vector<const Assign *> updates;  // of reducers' views, and others
  std::vector<const IfStmt *> later;  // what they choose is more than what the assignments say of themselves

public:
  Reader(RaceUses &u, const AstContext &c, const FunctionDecl *function) : uses(u), cx(c), f(function) {}
  void run() {
    eachNode(f->def->body, Walk::Evaluated, [this](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) dispatch(*this, node);
    });
    for (auto *s : later) chosen(s);
    eachExpr(f->def->body, Walk::Evaluated, [this](const Expr *e) {
      if (e->kind == ExprKind::Assign) updates.push_back(e->as<Assign>());
    });
    eachExpr(f->def->body, Walk::Evaluated, [this](const Expr *e) { viewed(e); });
  }
};

// Does every inlet that mentions the variable have an `abort`? Then the order of its changes is of no interest.
bool onlySpeculates(const FunctionDecl *procedure, const RaceUses &uses, const VarDecl *v) {
  for (auto *inlet : procedure->inlets) {
    if (!inlet->isInlet || uses.aborting.count(inlet) || !inlet->def || !inlet->def->body) continue;
    if (anyExpr(inlet->def->body, Walk::Evaluated, [&](const Expr *e) { return namedVariable(e) == v; })) return false;
  }
  return true;
}

// Variables of the procedure that deliveries change in ways that do not commute. An inlet's abort excuses no receiver.
void findUnordered(const FunctionDecl *procedure, const RaceUses &uses,
    const std::unordered_set<const VarDecl *> &receivers, std::unordered_set<const VarDecl *> &out) {
  struct Seen {
    uint32_t update = 0;
    bool any = false, mixed = false, writes = false;
  };
  std::unordered_map<const VarDecl *, Seen> seen;
  auto updated = [&](const VarDecl *v, uint32_t update, bool write) {
    if (!v || v->fn != procedure) return;
    Seen &s = seen[v];
    s.mixed |= !update || (s.any && s.update != update);
    s.any = true;
    s.update = update;
    s.writes |= write;
  };
  auto access = [&](const Expr *place, bool write) {
    updated(variableAround(place), uses.of(ignoreParens(place)->range).update, write);
  };
  for (auto &[spawn, use] : uses.deliveries) updated(variableAround(spawn->receiver()), use.update, true);
  for (auto *inlet : procedure->inlets) {
    if (!inlet->isInlet || !inlet->def || !inlet->def->body) continue;
    eachExpr(inlet->def->body, Walk::Evaluated, [&](const Expr *e) {
      if (e->kind == ExprKind::Assign) access(e->as<Assign>()->lhs, true);
      else if (e->kind == ExprKind::Unary && isIncDec(e->as<Unary>()->op)) access(e->as<Unary>()->sub, true);
      else if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue)
        access(e->as<ImplicitCast>()->sub, false);
    });
  }
  for (auto &[v, s] : seen)
    if (s.writes && s.mixed && (receivers.count(v) || !onlySpeculates(procedure, uses, v))) out.insert(v);
}

// A forward problem: of which variables may a delivery come at a point? SYNCHED is not asked: what it would leave out
// is watched for nothing.
void findEarly(const FunctionDecl *f, RaceUses &uses, bool anySync) {
  Cfg cfg = buildCfg(f->def);
  std::vector<const VarDecl *> variables;
  std::unordered_map<const VarDecl *, size_t> number;
  auto add = [&](const VarDecl *v) {
    if (v && number.emplace(v, variables.size()).second) variables.push_back(v);
  };
  for (auto *v : cfg.inletTouched) add(v);
  std::unordered_set<const VarDecl *> isReceiver;
  for (auto &b : cfg.blocks)
    for (auto &e : b.events)
      if (e.kind == Event::Deliver) {
        add(e.var);
        isReceiver.insert(e.var);
      }
  if (variables.empty()) return;
  using Set = std::vector<bool>;
  std::vector<Set> in(cfg.blocks.size(), Set(variables.size()));
  std::vector<bool> reached(cfg.blocks.size());
  std::unordered_set<const VarDecl *> unordered;
  findUnordered(f, uses, isReceiver, unordered);
  std::vector<int> work{0};
  reached[0] = true;
  auto flow = [&](size_t b, Set s) {
    for (auto &e : cfg.blocks[b].events) {
      auto known = e.var ? number.find(e.var) : number.end();
      size_t n = known == number.end() ? variables.size() : known->second;
      switch (e.kind) {
        case Event::Use:
        case Event::Define:
        case Event::Undefine:
        case Event::Modify:
          if (n < variables.size() && s[n]) uses.ordered.insert(e.var);
          break;
        case Event::Deliver:
          if (s[n] && unordered.count(e.var)) uses.ordered.insert(e.var);
          s[n] = true;
          break;
        case Event::DeliverInlet:
          for (auto *v : cfg.inletTouched) {
            size_t k = number[v];
            if (s[k] && unordered.count(v)) uses.ordered.insert(v);
            s[k] = true;
          }
          break;
        case Event::SyncPoint:
          if (!anySync) s.assign(variables.size(), false);
          break;
        default: break;
      }
    }
    return s;
  };
  while (!work.empty()) {
    auto b = static_cast<size_t>(work.back());
    work.pop_back();
    Set out = flow(b, in[b]);
    for (int n : cfg.blocks[b].next) {
      auto to = static_cast<size_t>(n);
      bool changed = !reached[to];
      reached[to] = true;
      for (size_t i = 0; i < out.size(); i++)
        if (out[i] && !in[to][i]) in[to][i] = changed = true;
      if (changed) work.push_back(n);
    }
  }
}

}  // namespace

RaceUses findRaceUses(const FunctionDecl *f, const AstContext &cx, bool anySync) {
  RaceUses uses;
  std::function<void(const FunctionDecl *)> read = [&](const FunctionDecl *function) {
    if (!function->def || !function->def->body) return;
    Reader(uses, cx, function).run();
    findAtomicUses(function, uses);
    for (auto *inlet : function->inlets) read(inlet);
  };
  read(f);
  // The graph's events do not name the elements of arrays.
  for (auto &[spawn, use] : uses.deliveries)
    if (const VarDecl *v = variableAround(spawn->receiver()); v && v->type->isArray()) uses.ordered.insert(v);
  if (f->isCilk && f->def && f->def->body && !f->spawns.empty()) findEarly(f, uses, anySync);
  return uses;
}

}  // namespace cilkc::cg
