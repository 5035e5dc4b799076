// cost.cpp - what an iteration of a loop costs, as far as its text tells. An operator is about an instruction, a
// variable none. What is divided, moved as a whole or left to a library costs more; both sides of a test count.
// An inner loop is known if its header tells the number of its rounds, as in `for (int j = 0; j < 3; j++)`.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/consteval/consteval.h"
#include "frontend/sema/opencilk/outline.h"

namespace cilkc {

namespace {

enum : unsigned long long { Iteration = 3, Division = 8, View = 8, AtomicAccess = 20, LibraryCall = 40, Most = 10000 };
constexpr int MostCalls = 8;  // in each other

struct Cost {
  const AstContext &cx;
  int depth = 0;  // of calls
  bool known = true;
  unsigned long long sum = Iteration;

  void moved(QualType t) {
    if (!t || !(t->isRecord() || t->isArray())) return;
    if (hasVariableSize(t.type) || !isComplete(t.type)) known = false;
    else sum += sizeOf(t.type, cx.target) / 8;
  }
  static unsigned long long operation(BinaryOp op) {
    return op == BinaryOp::Div || op == BinaryOp::Rem ? Division : 1ull;
  }
  void call(const Call *c) {
    const auto id = static_cast<BuiltinId>(c->builtin);
    if (id == BuiltinId::cilk_view) sum += View;
    else if (c->builtin && atomicInfo(id)) sum += AtomicAccess;
    else if (isArithmetic(c)) sum += LibraryCall;
    else inner(knownBody(c), depth + 1);
  }
  // The body of a C function that the unit defines; null: the callee is another.
  static const Stmt *knownBody(const Call *c) {
    const FunctionDecl *f = directCallee(c);
    return f && f->def && !f->isCilk && !f->attrs.weak ? f->def->body : nullptr;
  }
  void inner(const Stmt *s, int atDepth) {
    Cost part{cx, atDepth, s && atDepth < MostCalls, sum};
    if (part.known) part.run(s);
    known &= part.known;
    sum = part.sum;
  }
  void run(const Stmt *s) {
    eachNode(s, Walk::Evaluated, [&](const auto *n) {
      using Node = std::remove_cvref_t<decltype(*n)>;
      if (!known) return;
      if constexpr (std::is_base_of_v<Stmt, Node>) statement(n);
      else if constexpr (std::is_base_of_v<Expr, Node>) sum += expression(n);
      known &= sum < Most;
    });
  }
  // What the node adds by itself: its parts are visited, too, calls and moved objects noted apart.
  unsigned long long expression(const Expr *e) {
    switch (e->kind) {
      case ExprKind::Paren:
      case ExprKind::Ident:
      case ExprKind::IntLit:
      case ExprKind::FloatLit: return 0;
      case ExprKind::ImplicitCast:
        if (e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue) moved(e->type);
        return 0;
      case ExprKind::Call: call(e->as<Call>()); return 0;
      case ExprKind::Binary: return operation(e->as<Binary>()->op);
      case ExprKind::Assign:
        moved(e->type);
        return operation(e->as<Assign>()->compound ? e->as<Assign>()->op : BinaryOp::Add);
      default: return otherKinds<34>(1ull);
    }
  }
  std::optional<__int128> number(const Expr *e) const {
    auto k = e ? evaluate(e, cx, EvalMode::Fold) : std::nullopt;
    return k && k->kind == ConstValue::Int ? std::optional<__int128>(k->i) : std::nullopt;
  }
  // The parts of a loop are visited, too: these are its other rounds.
  void rounds(const Stmt *s) {
    const auto *f = s->kind == StmtKind::For ? s->as<ForStmt>() : nullptr;
    const Expr *c = f && f->cond ? ignoreCasts(f->cond) : nullptr;
    const Expr *step = f && f->step ? ignoreCasts(f->step) : nullptr;
    const auto *test = c && c->kind == ExprKind::Binary ? c->as<Binary>() : nullptr;
    const VarDecl *v = test ? namedVariable(test->lhs) : nullptr;
    const auto end = number(test ? test->rhs : nullptr), begin = v ? startOf(f->init, v) : std::nullopt;
    const __int128 by = v && step ? strideOf(step, v).value_or(0) : 0, length = end.value_or(0) - begin.value_or(0);
    const __int128 others = by > 0 ? (length < 0 ? -length : length) / by : 0;
    Cost part{cx, depth, end && begin && by > 0 && others < Most};
    if (part.known) part.run(f->body);
    known &= part.known;
    if (known) sum += part.sum * static_cast<unsigned long long>(others);
  }
  std::optional<__int128> startOf(const Stmt *init, const VarDecl *v) const {
    if (init && init->kind == StmtKind::Decl && v->init) return number(v->init->expr);
    const Expr *e = init && init->kind == StmtKind::Expr ? ignoreCasts(init->as<ExprStmt>()->expr) : nullptr;
    const auto *a = e && e->kind == ExprKind::Assign && !e->as<Assign>()->compound ? e->as<Assign>() : nullptr;
    return a && namedVariable(a->lhs) == v ? number(a->rhs) : std::nullopt;
  }
  std::optional<__int128> strideOf(const Expr *e, const VarDecl *v) const {
    if (e->kind == ExprKind::Unary && isIncDec(e->as<Unary>()->op) && namedVariable(e->as<Unary>()->sub) == v) return 1;
    const auto *a = e->kind == ExprKind::Assign && e->as<Assign>()->compound ? e->as<Assign>() : nullptr;
    const bool adds = a && (a->op == BinaryOp::Add || a->op == BinaryOp::Sub) && namedVariable(a->lhs) == v;
    return adds ? number(a->rhs) : std::nullopt;
  }
  void statement(const Stmt *s) {
    if (has(s->kind, Trait::Loop)) rounds(s);
    if (s->kind == StmtKind::Label || s->kind == StmtKind::Asm) known = false;
    if (s->kind != StmtKind::Decl || !s->as<DeclStmt>()->decl) return;
    for (const InitDeclarator &d : s->as<DeclStmt>()->decl->declarators)
      if (d.decl && d.decl->kind == DeclKind::Var && d.decl->as<VarDecl>()->init) moved(d.decl->type);
  }
};

}  // namespace

bool isArithmetic(const Call *c) {
  const FunctionDecl *f = directCallee(c);
  if (c->builtin == static_cast<int>(BuiltinId::cilk_view)) return true;
  return f && (c->builtin || f->builtin) && c->type->isArithmetic() &&
         std::all_of(c->args.begin(), c->args.end(), [](const Expr *a) { return a->type->isArithmetic(); });
}

unsigned long long costOf(const Stmt *body, const AstContext &cx) {
  Cost cost{cx};
  cost.run(body);
  return cost.known ? cost.sum : 0;
}

}  // namespace cilkc
