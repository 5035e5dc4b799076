/* cilk/holder.h: memory that each strand has for itself. What it holds at the beginning of a strand is what the
 * strand before left there, or all bytes 0.
 *
 *     cilk_holder(struct scratch) h;                where the compiler knows cilk_reducer
 *     struct scratch *s = cilk_holder_view(&x);     of an ordinary object x */
#ifndef CILK_HOLDER_H
#define CILK_HOLDER_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "hyperobject_base.h"

#define cilk_holder(T) T cilk_reducer(0, 0)
#define cilk_holder_view(object) \
    ((__typeof__(object))__cilkrts_reducer_lookup(object, sizeof *(object), \
                                                  (void (*)(void *))0, (void (*)(void *, void *))0))

#endif
