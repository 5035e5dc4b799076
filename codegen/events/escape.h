// escape.h - the locals of a function, its parameters and those of its inlets, whose address goes where a child or another function could use it.
#pragma once
#include <unordered_set>
#include "frontend/ast/ast.h"

namespace cilkc::cg {

using Escapes = std::unordered_set<const VarDecl *>;
Escapes findEscapes(const FunctionDecl *);
const VarDecl *variableAround(const Expr *);  // the local of which an lvalue designates a part, elements of arrays included; or null

}  // namespace cilkc::cg
