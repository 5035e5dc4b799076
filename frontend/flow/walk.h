// walk.h - walks over expressions, and whom a spawn names.
#pragma once
#include "frontend/ast/ast.h"

namespace cilkc {

// The function that the spawn names; null when it spawns through a pointer.
const FunctionDecl *namedCallee(const Spawn *);

// Walks every expression below e, e included, each once (unevaluated operands too unless evaluatedOnly).
void walkExpr(const Expr *e, bool evaluatedOnly, void (*visit)(const Expr *, void *), void *context);

}  // namespace cilkc
