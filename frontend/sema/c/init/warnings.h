// warnings.h - what is reported about initialisers as a whole.
//
// Invariant: nothing here changes the tree or the stores; what is refused says so by its result.
#pragma once
#include "frontend/sema/c/init/values.h"

namespace cilkc {

void warnExcess(Sema &, QualType of, Range);  // items for which there is no subobject
// { 1, 2 } for a struct that has more members, from number `from` on.
void warnMissingFields(Sema &, const RecordType *, size_t from, const InitList *);
// May a flexible array member have an initialiser here? Reports either way.
bool flexibleAllowed(InitValues &, bool inArray, Range);
// The object file holds a static object byte by byte, unless all of them are zero.
void checkObjectSize(InitValues &, QualType, Range);

}  // namespace cilkc
