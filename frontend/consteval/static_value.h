// static_value.h - what an object of static storage can start with: bytes in the file, and addresses that the linker or
// the loader fills in. sema refuses everything else; codegen (const.cpp) writes these and no more.
#pragma once
#include "frontend/consteval/consteval.h"

namespace cilkc {

// The expression that gives an aggregate or vector its value: without parentheses, choices made, and conversions that
// change nothing.
const Expr *initialValue(const Expr *);

// The stores that give a record or vector its value: of a compound literal, or of a constant object of static storage
// or a constexpr one. Null: there are none.
const InitPlan *constantPlan(const Expr *, const AstContext &);

// Can a member of this type (in a record: this bit-field) start with this value? An address plus an integer constant
// fills a whole word: a pointer, an integer of its width, a bit-field that is one; the difference of two labels also a
// narrower integer. Arrays and records take literals, vectors also constants that are bit-cast or repeated.
bool isStaticValue(const Expr *value, QualType type, const FieldDecl *bitField, const AstContext &);

}  // namespace cilkc
