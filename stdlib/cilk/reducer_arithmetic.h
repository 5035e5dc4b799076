/* cilk/reducer_arithmetic.h: what the reducers of arithmetic types have in common, as macros for the headers beside
 * this.
 *
 * For the type `long` they take `_long`. A macro expands the arguments that it passes on to another one, and `ulong`
 * may be a macro of the user. */
#ifndef CILK_REDUCER_ARITHMETIC_H
#define CILK_REDUCER_ARITHMETIC_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

/* A reducer's declaration, where the compiler knows cilk_reducer, and the view of an ordinary object. T: its type. */
#define CILK_REDUCER_(T, prefix, _name) T cilk_reducer(prefix##_identity##_name, prefix##_reduce##_name)
#define CILK_REDUCER_VIEW_(T, prefix, _name, object) \
    ((T *)__cilkrts_reducer_lookup(object, sizeof(T), prefix##_identity##_name, prefix##_reduce##_name))

/* The functions for a binary operator. */
#define CILK_OP_REDUCER(prefix, _name, type, identity, op) \
    static __inline__ void prefix##_identity##_name(void *view) { *(type *)view = identity; } \
    static __inline__ void prefix##_reduce##_name(void *left, void *right) \
    { \
        *(type *)left = (type)(*(type *)left op *(type *)right); \
    } \
    CILK_C_ADAPTERS(prefix, _name, type)

/* The functions for the best of values, alone and with its index: x is replaced by y where `x worse y`. */
#define CILK_BEST_REDUCERS(prefix, _name, type, worst, worse) \
    typedef struct prefix##_index##_name { ptrdiff_t index; type value; } prefix##_index##_name; \
    static __inline__ void prefix##_identity##_name(void *view) { *(type *)view = worst; } \
    static __inline__ void prefix##_reduce##_name(void *left, void *right) \
    { \
        if (*(type *)left worse *(type *)right) \
            *(type *)left = *(type *)right; \
    } \
    CILK_C_ADAPTERS(prefix, _name, type) \
    static __inline__ void prefix##_index_identity##_name(void *view) \
    { \
        ((prefix##_index##_name *)view)->index = -1; \
        ((prefix##_index##_name *)view)->value = worst; \
    } \
    static __inline__ void prefix##_index_reduce##_name(void *left, void *right) \
    { \
        prefix##_index##_name *l = (prefix##_index##_name *)left, *r = (prefix##_index##_name *)right; \
        if (l->value worse r->value || (l->index == -1 && l->value == r->value)) \
            *l = *r; \
    } \
    CILK_C_ADAPTERS(prefix##_index, _name, prefix##_index##_name)

#define CILK_BEST_CALC_(view, v, worse) \
    do { \
        __typeof__(view) cilk_view_ = (view); \
        __typeof__(*cilk_view_) cilk_value_ = (v); \
        if (*cilk_view_ worse cilk_value_) \
            *cilk_view_ = cilk_value_; \
    } while (0)
#define CILK_BEST_INDEX_CALC_(view, i, v, worse) \
    do { \
        __typeof__(view) cilk_view_ = (view); \
        __typeof__(cilk_view_->value) cilk_value_ = (v); \
        ptrdiff_t cilk_index_ = (i); \
        if (cilk_view_->value worse cilk_value_ || (cilk_view_->index == -1 && cilk_view_->value == cilk_value_)) { \
            cilk_view_->index = cilk_index_; \
            cilk_view_->value = cilk_value_; \
        } \
    } while (0)

#endif
