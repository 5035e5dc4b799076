/* cilk/reducer_opmul.h: reducers for products of the types that cilk/cilk_types.h lists.
 *
 *     cilk_opmul_reducer(long) x = ...;             a reducer, where the compiler knows cilk_reducer
 *     *cilk_opmul_view(long, &y) *= ...;            the view of an ordinary object y
 *     CILK_C_REDUCER_OPMUL(r, long, init);          Cilk Plus (cilk/reducer.h): REDUCER_VIEW(r) *= ... */
#ifndef CILK_REDUCER_OPMUL_H
#define CILK_REDUCER_OPMUL_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

#define CILK_MUL_(name, type, least, greatest) \
    static __inline__ void cilk_opmul_identity_##name(void *view) { *(type *)view = 1; } \
    static __inline__ void cilk_opmul_reduce_##name(void *left, void *right) \
    { \
        *(type *)left = (type)(*(type *)left * *(type *)right); \
    } \
    CILK_C_ADAPTERS(cilk_opmul, name, type)
CILK_INTEGERS(CILK_MUL_)
CILK_FLOATS(CILK_MUL_)
#undef CILK_MUL_

#define cilk_opmul_reducer(name) cilk_##name cilk_reducer(cilk_opmul_identity_##name, cilk_opmul_reduce_##name)
#define cilk_opmul_view(name, object) \
    ((cilk_##name *)__cilkrts_reducer_lookup(object, sizeof(cilk_##name), cilk_opmul_identity_##name, \
                                             cilk_opmul_reduce_##name))

#define CILK_C_REDUCER_OPMUL(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opmul, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPMUL_TYPE(name) cilk_opmul_c_##name

#endif
