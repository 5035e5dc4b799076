// race_atomics.cpp - the text of a procedure, read for its atomic operations: which may take a lock that the program
// makes itself, and which store a value that was computed from what the same object held.
//
// A lock is taken by an exchange, a compare-and-swap or an `or` whose outcome the text asks for. Whether it is a lock
// shows in the run (rt/tools/race/spins.c). The macros of
// <stdatomic.h> keep addresses and values in variables of statement expressions: a variable stands for what is stored
// in it.
#include <functional>
#include "codegen/events/race_uses.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include "rt/tools/race/abi.h"

namespace cilkc::cg {
namespace {

enum class Atomic : uint8_t { None, Load, Store, Takes };

Atomic operation(const Call *c) {
  const AtomicInfo *info = atomicInfo(static_cast<BuiltinId>(c->builtin));
  if (!info) return Atomic::None;
  switch (info->op) {
    case AtomicOp::Load: return Atomic::Load;
    case AtomicOp::Store: return Atomic::Store;
    case AtomicOp::Exchange:
    case AtomicOp::CompareExchange:
    case AtomicOp::BoolSwap:
    case AtomicOp::ValueSwap:
    case AtomicOp::TestAndSet: return Atomic::Takes;
    case AtomicOp::Or: return info->form == AtomicForm::New ? Atomic::None : Atomic::Takes;
    case AtomicOp::Init:
    case AtomicOp::Release:
    case AtomicOp::Add:
    case AtomicOp::Sub:
    case AtomicOp::And:
    case AtomicOp::Xor:
    case AtomicOp::Nand:
    case AtomicOp::Clear:
    case AtomicOp::Synchronize:
    case AtomicOp::ThreadFence:
    case AtomicOp::SignalFence:
    case AtomicOp::AlwaysLockFree:
    case AtomicOp::IsLockFree: break;
  }
  return Atomic::None;
}

class AtomicReader {
  RaceUses &uses;
  const FunctionDecl *f;
  std::unordered_map<const VarDecl *, std::vector<const Expr *>> stored;  // in locals
  std::unordered_set<const Expr *> ignored;  // expressions whose outcome is of no interest
  std::unordered_set<const Stmt *> values;  // of statement expressions

  static const Call *call(const Expr *e) {
    e = ignoreCasts(e);
    return e && e->kind == ExprKind::Call ? e->as<Call>() : nullptr;
  }
  void mark(const Expr *place, uint32_t use) {
    for (const Expr *e : {place, ignoreParens(place)}) uses.accesses[RaceUses::key(e->range)].use |= use;
  }

  void ignore(const ExprStmt *s) {
    const Expr *e = ignoreCasts(s->expr);
    if (!e || values.count(s)) return;
    if (e->kind == ExprKind::StmtExpr || (e->kind == ExprKind::Call && !e->type->isVoid())) ignored.insert(e);
    if (e->kind != ExprKind::StmtExpr) return;
    for (auto *part : e->as<StmtExpr>()->body->body)  // a macro's
      if (const Call *c = part->kind == StmtKind::Expr ? call(part->as<ExprStmt>()->expr) : nullptr) ignored.insert(c);
  }

  // `while (atomic_load(&serving) != ticket);` is left by the strand whose turn it is.
  void turn(const Expr *condition) {
    const Expr *e = ignoreCasts(condition);
    if (!e || e->kind != ExprKind::Binary || e->as<Binary>()->op != BinaryOp::Ne) return;
    const Expr *sides[] = {e->as<Binary>()->lhs, e->as<Binary>()->rhs};
    for (int i = 0; i < 2; i++) {
      const VarDecl *ticket = namedVariable(ignoreCasts(sides[1 - i]));
      if (!ticket || (!ticket->isLocal && !ticket->isParam)) continue;
      eachExpr(sides[i], Walk::Evaluated, [this](const Expr *x) {
        if (x->kind == ExprKind::Call && operation(x->as<Call>()) == Atomic::Load) mark(x, CILK_RACE_TAKES);
        else if (x->kind == ExprKind::ImplicitCast && x->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue &&
                 x->as<ImplicitCast>()->sub->type.isAtomic())
          mark(x->as<ImplicitCast>()->sub, CILK_RACE_TAKES);
      });
    }
  }
  void statement(const Stmt *s) {
    if (s->kind == StmtKind::Expr) ignore(s->as<ExprStmt>());
    else if (s->kind == StmtKind::While) turn(s->as<WhileStmt>()->cond);
    else if (s->kind == StmtKind::Do) turn(s->as<DoStmt>()->cond);
    else if (s->kind == StmtKind::For) turn(s->as<ForStmt>()->cond);
  }

  // The object that a pointer leads to: the expression of its address, or the lvalue itself (isObject).
  struct Place {
    const Expr *e = nullptr;
    bool isObject = false;
    bool operator==(const Place &o) const { return e && o.e && isObject == o.isObject && sameTree(e, o.e); }
  };
  Place pointed(const Expr *p) const {
    for (int steps = 0; steps < 8; steps++) {
      p = ignoreCasts(p);
      if (!p) return {};
      if (p->kind == ExprKind::Unary && p->as<Unary>()->op == UnaryOp::AddrOf) return object(p->as<Unary>()->sub);
      const VarDecl *v = namedVariable(p);
      auto it = v ? stored.find(v) : stored.end();
      if (it == stored.end() || it->second.size() != 1 || v->isParam) break;
      p = it->second[0];
    }
    return {p, false};
  }
  Place object(const Expr *lvalue) const {
    lvalue = ignoreCasts(lvalue);
    if (lvalue && lvalue->kind == ExprKind::Unary && lvalue->as<Unary>()->op == UnaryOp::Deref)
      return pointed(lvalue->as<Unary>()->sub);
    return {lvalue, true};
  }

  // Is the object read for the value, also by way of locals?
  bool readsFor(const Expr *value, const Place &place, std::unordered_set<const VarDecl *> &seen) const {
    return value && anyExpr(value, Walk::Evaluated, [&](const Expr *e) {
      if (e->kind == ExprKind::Call)
        return operation(e->as<Call>()) == Atomic::Load && pointed(e->as<Call>()->args[0]) == place;
      if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue) {
        const Expr *from = e->as<ImplicitCast>()->sub;
        if (from->type.isAtomic() && object(from) == place) return true;
      }
      const VarDecl *v = namedVariable(e);
      auto it = v ? stored.find(v) : stored.end();
      if (it == stored.end() || !seen.insert(v).second) return false;
      for (auto *part : it->second)
        if (readsFor(part, place, seen)) return true;
      return false;
    });
  }

  void store(const Expr *at, const Place &place, const Expr *value) {
    std::unordered_set<const VarDecl *> seen;
    if (readsFor(value, place, seen)) mark(at, CILK_RACE_SPLIT);
  }
  void operations(const Expr *e) {
    if (e->kind == ExprKind::Assign && !e->as<Assign>()->compound && e->as<Assign>()->lhs->type.isAtomic())
      return store(e->as<Assign>()->lhs, object(e->as<Assign>()->lhs), e->as<Assign>()->rhs);
    if (e->kind != ExprKind::Call) return;
    const auto *c = e->as<Call>();
    Atomic what = operation(c);
    if (what == Atomic::Takes && !ignored.count(c)) mark(c, CILK_RACE_TAKES);
    if (what == Atomic::Store && c->args.size() > 1) store(c, pointed(c->args[0]), c->args[1]);
  }

  // What is stored in locals: by their initialisers, assignments, and loads that get an address.
  void collect(const Expr *e) {
    if (e->kind == ExprKind::StmtExpr && !ignored.count(e) && !e->as<StmtExpr>()->body->body.empty())
      values.insert(e->as<StmtExpr>()->body->body.back());
    if (e->kind == ExprKind::Assign) {
      if (const VarDecl *v = namedVariable(e->as<Assign>()->lhs)) stored[v].push_back(e->as<Assign>()->rhs);
    } else if (e->kind == ExprKind::Call && operation(e->as<Call>()) == Atomic::Load &&
               e->as<Call>()->args.size() > 2) {
      const Expr *to = ignoreCasts(e->as<Call>()->args[1]);
      const VarDecl *v = to->kind == ExprKind::Unary && to->as<Unary>()->op == UnaryOp::AddrOf
                             ? namedVariable(to->as<Unary>()->sub)
                             : nullptr;
      if (v) stored[v].push_back(e);
    }
  }

public:
  AtomicReader(RaceUses &u, const FunctionDecl *function) : uses(u), f(function) {}
  void run() {
    for (auto *v : f->locals)
      if (v->init && v->init->expr) stored[v].push_back(v->init->expr);
    eachNode(f->def->body, Walk::Evaluated, [this](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
        statement(node);
      } else collect(node);
    });
    std::erase_if(stored, [](auto &entry) { return !entry.first->isLocal; });
    eachExpr(f->def->body, Walk::Evaluated, [this](const Expr *e) { operations(e); });
  }
};

}  // namespace

void findAtomicUses(const FunctionDecl *f, RaceUses &uses) {
  bool any = anyExpr(f->def->body, Walk::Evaluated, [](const Expr *e) {
    return (e->kind == ExprKind::Call && operation(e->as<Call>()) != Atomic::None) ||
           (e->kind == ExprKind::Assign && e->as<Assign>()->lhs->type.isAtomic());
  });
  if (any) AtomicReader(uses, f).run();
}

}  // namespace cilkc::cg
