// escape.h - the locals of a function, its parameters and those of its inlets, whose address goes where a child or
// another function could use it.
#pragma once
#include <functional>
#include <unordered_set>
#include "codegen/core/values.h"
#include "frontend/ast/ast.h"

namespace cilkc::cg {

using Escapes = std::unordered_set<const VarDecl *>;
Escapes findEscapes(const FunctionDecl *);
// the local of which an lvalue designates a part, elements of arrays included; or null
const VarDecl *variableAround(const Expr *);
// Can other strands reach the memory? `local` says so of a local of a function. Thread-locals, constants, `private`
// variables and errno: no.
bool isReachable(const Address &, const std::function<bool(const FunctionDecl *, const VarDecl *)> &local);

}  // namespace cilkc::cg
