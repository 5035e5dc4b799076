/* cilk/reducer_last.h: reducers for the last of values, in the order of the serial execution. The types are those that
 * cilk/cilk_types.h lists.
 *
 *     cilk_last_long y = { 0, ... };                       y.value is the last value; y.set is not 0 if there was one
 *     cilk_last_set(cilk_last_view(long, &y), value);
 *     cilk_last_reducer(long) x = { 0, ... };              a reducer, where the compiler knows cilk_reducer
 *     cilk_last_set(&x, value);
 *     CILK_C_REDUCER_LAST(r, long, init), CILK_C_REDUCER_LAST_SET(r, value): in the form of Cilk Plus (cilk/reducer.h)
 *
 * A view has the strand's own values alone, so the value is that of the serial execution once all have joined. */
#ifndef CILK_REDUCER_LAST_H
#define CILK_REDUCER_LAST_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "reducer_arithmetic.h"

#define CILK_LAST_(name, type, least, greatest) \
    typedef struct cilk_last_##name { int set; type value; } cilk_last_##name; \
    static __inline__ void cilk_last_identity_##name(void *view) { ((cilk_last_##name *)view)->set = 0; } \
    static __inline__ void cilk_last_reduce_##name(void *left, void *right) \
    { \
        if (((cilk_last_##name *)right)->set) \
            *(cilk_last_##name *)left = *(cilk_last_##name *)right; \
    } \
    CILK_C_ADAPTERS(cilk_last, _##name, cilk_last_##name)
CILK_INTEGERS(CILK_LAST_)
CILK_FLOATS(CILK_LAST_)
#undef CILK_LAST_

#define cilk_last_reducer(name) CILK_REDUCER_(cilk_last_##name, cilk_last, _##name)
#define cilk_last_view(name, object) CILK_REDUCER_VIEW_(cilk_last_##name, cilk_last, _##name, object)
#define cilk_last_set(view, v) \
    do { \
        __typeof__(view) cilk_view_ = (view); \
        cilk_view_->value = (v); \
        cilk_view_->set = 1; \
    } while (0)

#define CILK_C_REDUCER_LAST(reducer, name, ...) CILK_C_REDUCER_OF(cilk_last, reducer, _##name, { 0, __VA_ARGS__ })
#define CILK_C_REDUCER_LAST_TYPE(name) cilk_last_c_##name
#define CILK_C_REDUCER_LAST_SET(reducer, v) cilk_last_set(&REDUCER_VIEW(reducer), v)

#endif
