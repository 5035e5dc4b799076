// same.cpp - are two pieces of the tree the same words? Made from nodes.def: two nodes are if they are of one kind,
// their facts are equal, and their children the same, field by field. Pairs wait on a list, so that long sums and
// chains need no stack; the first difference ends it.
#include <utility>
#include "frontend/ast/query.h"

namespace cilkc {
namespace {

class Comparison {
public:
  template <class N> bool run(const N *a, const N *b) {
    if (!field(a, b)) return false;
    while (!exprs.empty() || !stmts.empty()) {
      bool expr = !exprs.empty();
      if (!(expr ? next(exprs) : next(stmts))) return false;
    }
    return true;
  }

private:
  std::vector<std::pair<const Expr *, const Expr *>> exprs;
  std::vector<std::pair<const Stmt *, const Stmt *>> stmts;

  template <class P> bool next(std::vector<P> &todo) {
    auto [a, b] = todo.back();
    todo.pop_back();
    return node(a, b);
  }

#define SAME(Class, children, facts) \
  { \
    [[maybe_unused]] const auto *n = a->as<Class>(), *m = b->as<Class>(); \
    return true children facts; \
  }
#define C(f) &&field(n->f, m->f)
#define W(f) &&field(n->f, m->f)
#define V(f)
#define F(f) &&fact(n->f, m->f)
  bool node(const Expr *a, const Expr *b) {
    if (a->kind != b->kind) return false;
    switch (a->kind) {
#define EXPR(kind, cls, children, facts) \
  case ExprKind::kind: SAME(cls, children, facts)
#include "frontend/ast/nodes.def"
    }
    return false;
  }
  bool node(const Stmt *a, const Stmt *b) {
    if (a->kind != b->kind) return false;
    switch (a->kind) {
#define STMT(kind, cls, children, facts, weight, traits) \
  case StmtKind::kind: SAME(cls, children, facts)
#include "frontend/ast/nodes.def"
    }
    return false;
  }
#undef C
#undef W
#undef V
#undef F
#undef SAME

  template <class T> static bool fact(const T &a, const T &b) { return a == b; }
  static bool fact(const std::vector<std::pair<std::string_view, Range>> &a,
      const std::vector<std::pair<std::string_view, Range>> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [](const auto &x, const auto &y) { return x.first == y.first; });
  }

  // Null in both, or in neither.
  template <class N> bool field(const N *a, const N *b) { return a && b ? waits(a, b) : a == b; }
  template <class N> bool field(const std::vector<N> &a, const std::vector<N> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [this](const N &x, const N &y) { return field(x, y); });
  }
  bool field(const GenericAssoc &a, const GenericAssoc &b) { return field(a.type, b.type) && field(a.value, b.value); }
  bool field(const OffsetofStep &a, const OffsetofStep &b) { return a.member == b.member && field(a.index, b.index); }
  bool field(const AsmOperand &a, const AsmOperand &b) {
    return a.name == b.name && a.constraint == b.constraint && field(a.expr, b.expr);
  }
  bool field(const Designator &a, const Designator &b) {
    return a.field == b.field && field(a.lo, b.lo) && field(a.hi, b.hi);
  }
  bool field(const InitItem &a, const InitItem &b) {
    return a.run == b.run && field(a.designators, b.designators) && field(a.init, b.init);
  }
  bool field(const InitDeclarator &a, const InitDeclarator &b) {
    return a.decl && b.decl && a.decl->kind == b.decl->kind && a.decl->name == b.decl->name &&
           a.decl->type == b.decl->type && field(a.init, b.init);
  }

  bool waits(const Expr *a, const Expr *b) { return exprs.emplace_back(a, b), true; }
  bool waits(const Stmt *a, const Stmt *b) { return stmts.emplace_back(a, b), true; }
  bool waits(const TypeName *a, const TypeName *b) { return a->type && a->type == b->type; }
  bool waits(const Initializer *a, const Initializer *b) { return field(a->expr, b->expr) && field(a->list, b->list); }
  bool waits(const InitList *a, const InitList *b) { return field(a->items, b->items); }
  bool waits(const Declaration *a, const Declaration *b) {
    return a->specs->storage == b->specs->storage && field(a->declarators, b->declarators);
  }
  bool waits(const StaticAssert *a, const StaticAssert *b) { return field(a->cond, b->cond); }
  bool waits(const FunctionDef *, const FunctionDef *) { return false; }
};

}  // namespace

bool sameTree(const Expr *a, const Expr *b) { return Comparison().run(a, b); }
bool sameTree(const Stmt *a, const Stmt *b) { return Comparison().run(a, b); }

}  // namespace cilkc
