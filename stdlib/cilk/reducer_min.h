/* cilk/reducer_min.h: reducers for the least of values, alone or with the index where it was found. Of equal values
 * the first one counts, as in the serial execution.
 *
 *     cilk_min_reducer(long) x = ...;                      a reducer, where the compiler knows cilk_reducer
 *     cilk_min_calc(cilk_min_view(long, &y), value);        of an ordinary object y
 *     cilk_min_index_long z = { -1, ... };                 ... with an index
 *     cilk_min_index_calc(cilk_min_index_view(long, &z), index, value);
 *     CILK_C_REDUCER_MIN(r, long, init), CILK_C_REDUCER_MIN_INDEX(r, long, init): Cilk Plus (cilk/reducer.h) */
#ifndef CILK_REDUCER_MIN_H
#define CILK_REDUCER_MIN_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

#define CILK_MIN_(name, type, least, greatest) \
    typedef struct cilk_min_index_##name { ptrdiff_t index; type value; } cilk_min_index_##name; \
    static __inline__ void cilk_min_identity_##name(void *view) { *(type *)view = greatest; } \
    static __inline__ void cilk_min_reduce_##name(void *left, void *right) \
    { \
        if (*(type *)left > *(type *)right) \
            *(type *)left = *(type *)right; \
    } \
    CILK_C_ADAPTERS(cilk_min, name, type) \
    static __inline__ void cilk_min_index_identity_##name(void *view) \
    { \
        ((cilk_min_index_##name *)view)->index = -1; \
        ((cilk_min_index_##name *)view)->value = greatest; \
    } \
    static __inline__ void cilk_min_index_reduce_##name(void *left, void *right) \
    { \
        cilk_min_index_##name *l = (cilk_min_index_##name *)left, *r = (cilk_min_index_##name *)right; \
        if (l->value > r->value || (l->index == -1 && l->value == r->value)) \
            *l = *r; \
    } \
    CILK_C_ADAPTERS(cilk_min_index, name, cilk_min_index_##name)
CILK_INTEGERS(CILK_MIN_)
CILK_FLOATS(CILK_MIN_)
#undef CILK_MIN_

#define cilk_min_reducer(name) cilk_##name cilk_reducer(cilk_min_identity_##name, cilk_min_reduce_##name)
#define cilk_min_view(name, object) \
    ((cilk_##name *)__cilkrts_reducer_lookup(object, sizeof(cilk_##name), cilk_min_identity_##name, \
                                             cilk_min_reduce_##name))
#define cilk_min_calc(view, v) \
    do { \
        __typeof__(view) cilk_view_ = (view); \
        __typeof__(*cilk_view_) cilk_value_ = (v); \
        if (*cilk_view_ > cilk_value_) \
            *cilk_view_ = cilk_value_; \
    } while (0)

#define cilk_min_index_reducer(name) \
    cilk_min_index_##name cilk_reducer(cilk_min_index_identity_##name, cilk_min_index_reduce_##name)
#define cilk_min_index_view(name, object) \
    ((cilk_min_index_##name *)__cilkrts_reducer_lookup( \
        object, sizeof(cilk_min_index_##name), cilk_min_index_identity_##name, cilk_min_index_reduce_##name))
#define cilk_min_index_calc(view, i, v) \
    do { \
        __typeof__(view) cilk_view_ = (view); \
        __typeof__(cilk_view_->value) cilk_value_ = (v); \
        ptrdiff_t cilk_index_ = (i); \
        if (cilk_view_->value > cilk_value_ || (cilk_view_->index == -1 && cilk_view_->value == cilk_value_)) { \
            cilk_view_->index = cilk_index_; \
            cilk_view_->value = cilk_value_; \
        } \
    } while (0)

#define CILK_C_REDUCER_MIN(reducer, name, ...) CILK_C_REDUCER_OF(cilk_min, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_MIN_TYPE(name) cilk_min_c_##name
#define CILK_C_REDUCER_MIN_CALC(reducer, v) cilk_min_calc(&REDUCER_VIEW(reducer), v)
#define CILK_C_REDUCER_MIN_INDEX(reducer, name, ...) \
    CILK_C_REDUCER_OF(cilk_min_index, reducer, name, { 0, __VA_ARGS__ })
#define CILK_C_REDUCER_MIN_INDEX_TYPE(name) cilk_min_index_c_##name
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, i, v) cilk_min_index_calc(&REDUCER_VIEW(reducer), i, v)

#endif
