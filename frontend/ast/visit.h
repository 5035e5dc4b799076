// visit.h - how the tree is walked: the children of a node, whole subtrees, and dispatch by kind. All of it is made
// from nodes.def, so that a new kind of node is walked as soon as it is in the table.
//
//   eachChild(node, how, f)   calls f for every node directly below, in the order of the text. f is called with const
//                             Expr *, const Stmt *, const TypeName *, const InitList *, const Declaration *, const
//                             StaticAssert * or const FunctionDef *; give it an overload for each that matters and a
//                             `const auto *` for the rest.
//   eachNode(root, how, f)    calls f for every expression and statement at or below root, in preorder, without
//                             recursion: sums of 100,000 terms and chains of `else if` need no stack. f returns void,
//                             or false to leave out what is below the node.
//   eachExpr(root, how, f)    the same for the expressions alone.
//   anyExpr(root, how, f)     does f hold for some expression at or below root?
//   dispatch(visitor, node)   calls visitor.on(const Class &) with the node's own class. A visitor that forgets a kind
//                             does not compile.
//
// Walk::Written goes where the text goes, declarations and types included. Walk::Evaluated goes where control goes:
// operands of sizeof, types and the arms that _Generic and __builtin_choose_expr did not choose are passed over, and
// initialisers are the flattened plan's values.
#pragma once
#include <type_traits>
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc {

enum class Walk : uint8_t { Written, Evaluated };

namespace detail {

// What may be in a field of nodes.def.
template <class N, class F> void visitField(const N *n, Walk, F &f) {
  if (n) f(n);
}
template <class N, class F> void visitField(N *n, Walk, F &f) {
  if (n) f(static_cast<const N *>(n));
}
template <class F> void visitField(const GenericAssoc &a, Walk how, F &f) {
  visitField(a.type, how, f);
  visitField(a.value, how, f);
}
template <class F> void visitField(const OffsetofStep &s, Walk how, F &f) { visitField(s.index, how, f); }
template <class F> void visitField(const std::pair<uint64_t, Expr *> &term, Walk how, F &f) {
  visitField(term.second, how, f);
}
template <class F> void visitField(const AsmOperand &o, Walk how, F &f) { visitField(o.expr, how, f); }
template <class N, class F> void visitField(const std::vector<N> &many, Walk how, F &f) {
  for (const N &n : many) visitField(n, how, f);
}

}  // namespace detail

#define EACH_CHILD_OF(Kind, Class, kind, children) \
  case Kind::kind: { \
    [[maybe_unused]] const auto *n = node->template as<Class>(); \
    children return; \
  }
#define C(field) detail::visitField(n->field, how, f);
#define W(field) \
  if (how == Walk::Written) detail::visitField(n->field, how, f);
#define V(field) \
  if (how == Walk::Evaluated) detail::visitField(n->field, how, f);

template <class F> void eachChild(const Expr *node, Walk how, F &&f) {
  switch (node->kind) {
#define EXPR(kind, cls, children, facts) EACH_CHILD_OF(ExprKind, cls, kind, children)
#include "frontend/ast/nodes.def"
  }
}

template <class F> void eachChild(const Stmt *node, Walk how, F &&f) {
  switch (node->kind) {
#define STMT(kind, cls, children, facts, weight, traits) EACH_CHILD_OF(StmtKind, cls, kind, children)
#include "frontend/ast/nodes.def"
  }
}

#undef EACH_CHILD_OF
#undef C
#undef W
#undef V

// ---- what has no kind: the pieces of declarations ----

template <class F> void eachChild(const StaticAssert *s, Walk how, F &&f) {
  if (how == Walk::Written) detail::visitField(s->cond, how, f);
}

template <class F> void eachChild(const Initializer *i, Walk how, F &&f) {
  detail::visitField(i->expr, how, f);
  detail::visitField(i->list, how, f);
}

template <class F> void eachChild(const InitList *l, Walk how, F &&f) {
  if (how == Walk::Evaluated && l->plan) {
    for (const InitStore &s : l->plan->stores) detail::visitField(s.value, how, f);
    return;
  }
  for (const InitItem &i : l->items) {
    if (how == Walk::Written)
      for (const Designator &d : i.designators) {
        detail::visitField(d.lo, how, f);
        detail::visitField(d.hi, how, f);
      }
    if (i.init) eachChild(i.init, how, f);
  }
}

template <class F> void eachChild(const Declarator *, Walk, F &&);

template <class F> void eachChild(const DeclSpecs *s, Walk how, F &&f) {
  if (how != Walk::Written) return;
  detail::visitField(s->typeofExpr, how, f);
  detail::visitField(s->typeofType, how, f);
  detail::visitField(s->atomicType, how, f);
  for (const auto &a : s->alignAs) {
    detail::visitField(a.first, how, f);
    detail::visitField(a.second, how, f);
  }
  if (s->record)
    for (const StructMember &m : s->record->members) {
      if (m.specs) eachChild(m.specs, how, f);
      for (const FieldDeclarator &d : m.fields) {
        if (d.declarator) eachChild(d.declarator, how, f);
        detail::visitField(d.width, how, f);
      }
      detail::visitField(m.sassert, how, f);
    }
  if (s->enumeration)
    for (const EnumSpec::Item &i : s->enumeration->items) detail::visitField(i.value, how, f);
}

template <class F> void eachChild(const Declarator *d, Walk how, F &&f) {
  if (how != Walk::Written) return;
  for (const DeclChunk &c : d->chunks) {
    detail::visitField(c.size, how, f);
    for (const ParamDecl *p : c.params) {
      if (p->specs) eachChild(p->specs, how, f);
      if (p->declarator) eachChild(p->declarator, how, f);
    }
  }
}

template <class F> void eachChild(const TypeName *t, Walk how, F &&f) {
  if (t->specs) eachChild(t->specs, how, f);
  if (t->declarator) eachChild(t->declarator, how, f);
}

// Evaluated: the initialisers of automatic objects. (The run-time sizes of variably modified types belong to the
// types.)
template <class F> void eachChild(const Declaration *d, Walk how, F &&f) {
  if (d->specs) eachChild(d->specs, how, f);
  for (const InitDeclarator &i : d->declarators) {
    if (i.declarator) eachChild(i.declarator, how, f);
    if (!i.init) continue;
    if (how == Walk::Evaluated && i.decl && i.decl->kind == DeclKind::Var && !i.decl->as<VarDecl>()->isLocal) continue;
    eachChild(i.init, how, f);
  }
}

template <class F> void eachChild(const FunctionDef *d, Walk how, F &&f) {
  if (how == Walk::Written) {
    if (d->declarator) eachChild(d->declarator, how, f);
    for (const Declaration *k : d->krDecls) eachChild(k, how, f);
  }
  detail::visitField(static_cast<const Stmt *>(d->body), how, f);
}

// ---- whole subtrees ----

namespace detail {

// Nodes still to be visited, the next one last. Everything that is no expression is opened on the spot; functions in
// blocks are not entered (they run when they are called).
class Pending {
public:
  explicit Pending(Walk how) : how(how) {}
  template <class N> void children(const N *n) {
    size_t mark = todo.size();
    auto add = [this](const auto *child) { push(child); };
    eachChild(n, how, add);
    // the first child comes off first
    for (size_t i = mark, j = todo.size(); i + 1 < j; ++i) std::swap(todo[i], todo[--j]);
  }
  void push(const Expr *e) { todo.push_back({e, nullptr}); }
  void push(const Stmt *s) { todo.push_back({nullptr, s}); }
  template <class N> std::enable_if_t<std::is_base_of_v<Expr, N>> push(const N *n) {
    push(static_cast<const Expr *>(n));
  }
  template <class N> std::enable_if_t<std::is_base_of_v<Stmt, N>> push(const N *n) {
    push(static_cast<const Stmt *>(n));
  }
  void push(const FunctionDef *) {}
  template <class N> std::enable_if_t<!std::is_base_of_v<Expr, N> && !std::is_base_of_v<Stmt, N>> push(const N *n) {
    auto add = [this](const auto *child) { push(child); };
    eachChild(n, how, add);
  }
  struct Node {
    const Expr *expr;
    const Stmt *stmt;
  };     // exactly one is set
  bool next(Node &n) {
    if (todo.empty()) return false;
    n = todo.back();
    todo.pop_back();
    return true;
  }

private:
  std::vector<Node> todo;
  Walk how;
};

}  // namespace detail

template <class N, class F> void eachNode(const N *root, Walk how, F &&f) {
  if (!root) return;
  detail::Pending pending(how);
  pending.push(root);
  auto visit = [&](const auto *node) {
    if constexpr (std::is_void_v<std::invoke_result_t<F &, decltype(node)>>) f(node);
    else if (!f(node)) return;
    pending.children(node);
  };
  for (detail::Pending::Node n; pending.next(n);) {
    if (n.expr) visit(n.expr);
    else visit(n.stmt);
  }
}

template <class N, class F> void eachExpr(const N *root, Walk how, F &&f) {
  eachNode(root, how, [&](const auto *node) {
    if constexpr (!std::is_same_v<decltype(node), const Expr *>) return true;
    else if constexpr (std::is_void_v<std::invoke_result_t<F &, const Expr *>>) return f(node), true;
    else return static_cast<bool>(f(node));
  });
}

template <class N, class F> bool anyExpr(const N *root, Walk how, F &&f) {
  bool found = false;
  eachExpr(root, how, [&](const Expr *e) { return !found && !(found = f(e)); });
  return found;
}

// ---- dispatch ----

template <class D> decltype(auto) dispatch(D &&visitor, const Expr *e) {
  switch (e->kind) {
#define EXPR(kind, cls, children, facts) \
  case ExprKind::kind: return visitor.on(*e->as<cls>());
#include "frontend/ast/nodes.def"
  }
  __builtin_unreachable();
}

template <class D> decltype(auto) dispatch(D &&visitor, const Stmt *s) {
  switch (s->kind) {
#define STMT(kind, cls, children, facts, weight, traits) \
  case StmtKind::kind: return visitor.on(*s->as<cls>());
#include "frontend/ast/nodes.def"
  }
  __builtin_unreachable();
}

}  // namespace cilkc
