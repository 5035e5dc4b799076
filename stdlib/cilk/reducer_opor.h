/* cilk/reducer_opor.h: reducers for bitwise or of the types that cilk/cilk_types.h lists.
 *
 *     cilk_opor_reducer(long) x = ...;             a reducer, where the compiler knows cilk_reducer
 *     *cilk_opor_view(long, &y) |= ...;            the view of an ordinary object y
 *     CILK_C_REDUCER_OPOR(r, long, init);          Cilk Plus (cilk/reducer.h): REDUCER_VIEW(r) |= ... */
#ifndef CILK_REDUCER_OPOR_H
#define CILK_REDUCER_OPOR_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

#define CILK_OR_(name, type, least, greatest) \
    static __inline__ void cilk_opor_identity_##name(void *view) { *(type *)view = 0; } \
    static __inline__ void cilk_opor_reduce_##name(void *left, void *right) \
    { \
        *(type *)left = (type)(*(type *)left | *(type *)right); \
    } \
    CILK_C_ADAPTERS(cilk_opor, name, type)
CILK_INTEGERS(CILK_OR_)
#undef CILK_OR_

#define cilk_opor_reducer(name) cilk_##name cilk_reducer(cilk_opor_identity_##name, cilk_opor_reduce_##name)
#define cilk_opor_view(name, object) \
    ((cilk_##name *)__cilkrts_reducer_lookup(object, sizeof(cilk_##name), cilk_opor_identity_##name, \
                                             cilk_opor_reduce_##name))

#define CILK_C_REDUCER_OPOR(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opor, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPOR_TYPE(name) cilk_opor_c_##name

#endif
