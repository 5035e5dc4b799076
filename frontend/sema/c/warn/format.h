// format.h - the checker of printf, scanf and strftime formats against the arguments of a call. Private to format.cpp
// and sema/c/warn/call.cpp.
#pragma once
#include "frontend/sema/c/core/sema.h"

namespace cilkc {

struct FormatSpec {
  enum Kind { None, Printf, Scanf, Strftime } kind = None;
  // argument numbers from 1; first 0: a va_list (or nothing) follows, arguments not checked
  size_t format = 0, first = 0;
};

// What a function's attribute or its name in the C library says.
FormatSpec formatOf(const FunctionDecl *);
void checkFormat(Sema &, const Call *, const FormatSpec &);

// The operand under parentheses, implicit conversions and casts to pointers.
const Expr *bareValue(const Expr *);

}  // namespace cilkc
