// kinds.h - what nodes.def says of the kinds of statements, for those who need it while they are compiled: the kind of
// a class, its name, its traits; and dispatch for those who change the tree (visit.h: dispatch by kind).
#pragma once
#include "frontend/ast/query.h"

namespace cilkc {

struct StmtFacts {
  const char *name;
  uint8_t traits;
};
inline constexpr StmtFacts stmtFacts[] = {
#define T(trait) | static_cast<uint8_t>(Trait::trait)
#define STMT(kind, cls, children, facts, weight, traits) {#kind, 0 traits},
#include "frontend/ast/nodes.def"
#undef T
};

template <class S> inline constexpr StmtKind kindOf = StmtKind::Error;
#define STMT(kind, cls, children, facts, weight, traits) \
  template <> inline constexpr StmtKind kindOf<cls> = StmtKind::kind;
#include "frontend/ast/nodes.def"

template <class S> constexpr bool classHas(Trait t) {
  return (stmtFacts[static_cast<size_t>(kindOf<S>)].traits & static_cast<uint8_t>(t)) != 0;
}
constexpr const char *name(StmtKind k) { return stmtFacts[static_cast<size_t>(k)].name; }  // as nodes.def calls it

template <class D> decltype(auto) dispatchToChange(D &&visitor, Stmt *s) {
  switch (s->kind) {
#define STMT(kind, cls, children, facts, weight, traits) \
  case StmtKind::kind: return visitor.on(*s->as<cls>());
#include "frontend/ast/nodes.def"
  }
  __builtin_unreachable();
}

}  // namespace cilkc
