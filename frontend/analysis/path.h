// path.h - which object an lvalue designates, as far as the text shows: a variable, and steps into it. `q.a`, `a[1]`,
// `p->next->val`.
//
// A pointer that is followed is a step like any other. So `*p`, `p[0]` and `p->x` are comparable as long as p itself
// does not change. A local pointer that keeps its initial value is another name of what it points to: after
// `int *p = &x;`, `*p` is x. What else a pointer may point to is not considered.
#pragma once
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc::analysis {

struct Step {
  enum Kind : uint8_t { Field, Element, Pointee } kind;
  const FieldDecl *field = nullptr;  // Field
  bool known = false;  // Element, Pointee: is the index a constant?
  int64_t index = 0;
  const Expr *expr = nullptr;  // the index otherwise
  // Pointee: not in the user's text. A variable of the function around a block or loop of OpenCilk is reached so.
  bool captured = false;
};

struct Path {
  const VarDecl *base = nullptr;  // null: no such path
  std::vector<Step> steps;
  explicit operator bool() const { return base != nullptr; }
};

// The same as written, but for parentheses and implicit conversions?
bool sameExpr(const Expr *, const Expr *);

// Without parentheses and conversions that keep the value.
const Expr *bare(const Expr *);

class Paths {
public:
  explicit Paths(const AstContext &cx) : cx(cx) {}
  Path ofLvalue(const Expr *) const;  // the object designated
  // the object pointed to by a pointer value: of `&v`, `a`, `a + 3`, `p`
  Path ofPointer(const Expr *e) const { return ofPointer(e, 0); }
private:
  const AstContext &cx;
  Path ofPointer(const Expr *, int names) const;
  Path ofName(const VarDecl *, int names) const;
  Path indexed(Path, const Expr *index) const;
};

// Does an access to `b` touch `a`? Unknown where that depends on an index.
enum class Overlap : uint8_t { No, Unknown, Yes };
Overlap overlap(const Path &a, const Path &b);

// Is the variable in one of the path's indices, or is it a pointer that the path follows?
bool indexMentions(const Path &, const VarDecl *);
bool followsPointerIn(const Path &path, const Path &stored);  // is `stored` (or part of it) a pointer on the way?

// As one would write it: v, q.a, a[1], p->x; indices that are no constants as written by a name, else `..`.
std::string toText(const Path &);

}  // namespace cilkc::analysis
