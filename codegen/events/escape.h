// escape.h - the locals of a function, its parameters and those of its inlets, whose address goes where a child or
// another function could use it.
#pragma once
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include "codegen/core/values.h"
#include "frontend/ast/ast.h"

namespace cilkc::cg {

// The function in whose frame an inlet runs; any other function itself.
const FunctionDecl *ownerOfFrame(const FunctionDecl *);

class Escapes {
public:
  bool has(const FunctionDecl *, const VarDecl *);

private:
  std::unordered_map<const FunctionDecl *, std::unordered_set<const VarDecl *>> found;
};
// the local of which an lvalue designates a part, elements of arrays included; or null
const VarDecl *variableAround(const Expr *);
// Can other strands reach the memory? `local` says so of a local of a function. Thread-locals, constants, `private`
// variables and errno: no.
bool isReachable(const Address &, const std::function<bool(const FunctionDecl *, const VarDecl *)> &local);

}  // namespace cilkc::cg
