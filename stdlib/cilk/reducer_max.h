/* cilk/reducer_max.h: reducers for the greatest of values, alone or with the index where it was found. Of equal
 * values the first one counts, as in the serial execution.
 *
 *     cilk_max_reducer(long) x = ...;                      a reducer, where the compiler knows cilk_reducer
 *     cilk_max_calc(cilk_max_view(long, &y), value);        of an ordinary object y
 *     cilk_max_index_long z = { -1, ... };                 ... with an index
 *     cilk_max_index_calc(cilk_max_index_view(long, &z), index, value);
 *     CILK_C_REDUCER_MAX(r, long, init), CILK_C_REDUCER_MAX_INDEX(r, long, init): Cilk Plus (cilk/reducer.h) */
#ifndef CILK_REDUCER_MAX_H
#define CILK_REDUCER_MAX_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

#define CILK_MAX_(name, type, least, greatest) \
    typedef struct cilk_max_index_##name { ptrdiff_t index; type value; } cilk_max_index_##name; \
    static __inline__ void cilk_max_identity_##name(void *view) { *(type *)view = least; } \
    static __inline__ void cilk_max_reduce_##name(void *left, void *right) \
    { \
        if (*(type *)left < *(type *)right) \
            *(type *)left = *(type *)right; \
    } \
    CILK_C_ADAPTERS(cilk_max, name, type) \
    static __inline__ void cilk_max_index_identity_##name(void *view) \
    { \
        ((cilk_max_index_##name *)view)->index = -1; \
        ((cilk_max_index_##name *)view)->value = least; \
    } \
    static __inline__ void cilk_max_index_reduce_##name(void *left, void *right) \
    { \
        cilk_max_index_##name *l = (cilk_max_index_##name *)left, *r = (cilk_max_index_##name *)right; \
        if (l->value < r->value || (l->index == -1 && l->value == r->value)) \
            *l = *r; \
    } \
    CILK_C_ADAPTERS(cilk_max_index, name, cilk_max_index_##name)
CILK_INTEGERS(CILK_MAX_)
CILK_FLOATS(CILK_MAX_)
#undef CILK_MAX_

#define cilk_max_reducer(name) cilk_##name cilk_reducer(cilk_max_identity_##name, cilk_max_reduce_##name)
#define cilk_max_view(name, object) \
    ((cilk_##name *)__cilkrts_reducer_lookup(object, sizeof(cilk_##name), cilk_max_identity_##name, \
                                             cilk_max_reduce_##name))
#define cilk_max_calc(view, v) \
    do { \
        __typeof__(view) cilk_view_ = (view); \
        __typeof__(*cilk_view_) cilk_value_ = (v); \
        if (*cilk_view_ < cilk_value_) \
            *cilk_view_ = cilk_value_; \
    } while (0)

#define cilk_max_index_reducer(name) \
    cilk_max_index_##name cilk_reducer(cilk_max_index_identity_##name, cilk_max_index_reduce_##name)
#define cilk_max_index_view(name, object) \
    ((cilk_max_index_##name *)__cilkrts_reducer_lookup( \
        object, sizeof(cilk_max_index_##name), cilk_max_index_identity_##name, cilk_max_index_reduce_##name))
#define cilk_max_index_calc(view, i, v) \
    do { \
        __typeof__(view) cilk_view_ = (view); \
        __typeof__(cilk_view_->value) cilk_value_ = (v); \
        ptrdiff_t cilk_index_ = (i); \
        if (cilk_view_->value < cilk_value_ || (cilk_view_->index == -1 && cilk_view_->value == cilk_value_)) { \
            cilk_view_->index = cilk_index_; \
            cilk_view_->value = cilk_value_; \
        } \
    } while (0)

#define CILK_C_REDUCER_MAX(reducer, name, ...) CILK_C_REDUCER_OF(cilk_max, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_MAX_TYPE(name) cilk_max_c_##name
#define CILK_C_REDUCER_MAX_CALC(reducer, v) cilk_max_calc(&REDUCER_VIEW(reducer), v)
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, ...) \
    CILK_C_REDUCER_OF(cilk_max_index, reducer, name, { 0, __VA_ARGS__ })
#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) cilk_max_index_c_##name
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, i, v) cilk_max_index_calc(&REDUCER_VIEW(reducer), i, v)

#endif
