/* cilk/reducer_opxor.h: reducers for bitwise exclusive or of the types that cilk/cilk_types.h lists.
 *
 *     cilk_opxor_reducer(long) x = ...;             a reducer, where the compiler knows cilk_reducer
 *     *cilk_opxor_view(long, &y) ^= ...;            the view of an ordinary object y
 *     CILK_C_REDUCER_OPXOR(r, long, init);          Cilk Plus (cilk/reducer.h): REDUCER_VIEW(r) ^= ... */
#ifndef CILK_REDUCER_OPXOR_H
#define CILK_REDUCER_OPXOR_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

#define CILK_XOR_(name, type, least, greatest) \
    static __inline__ void cilk_opxor_identity_##name(void *view) { *(type *)view = 0; } \
    static __inline__ void cilk_opxor_reduce_##name(void *left, void *right) \
    { \
        *(type *)left = (type)(*(type *)left ^ *(type *)right); \
    } \
    CILK_C_ADAPTERS(cilk_opxor, name, type)
CILK_INTEGERS(CILK_XOR_)
#undef CILK_XOR_

#define cilk_opxor_reducer(name) cilk_##name cilk_reducer(cilk_opxor_identity_##name, cilk_opxor_reduce_##name)
#define cilk_opxor_view(name, object) \
    ((cilk_##name *)__cilkrts_reducer_lookup(object, sizeof(cilk_##name), cilk_opxor_identity_##name, \
                                             cilk_opxor_reduce_##name))

#define CILK_C_REDUCER_OPXOR(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opxor, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPXOR_TYPE(name) cilk_opxor_c_##name

#endif
