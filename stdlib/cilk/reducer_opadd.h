/* cilk/reducer_opadd.h: reducers for sums of the types that cilk/cilk_types.h lists.
 *
 *     cilk_opadd_reducer(long) x = ...;             a reducer, where the compiler knows cilk_reducer
 *     *cilk_opadd_view(long, &y) += ...;            the view of an ordinary object y
 *     CILK_C_REDUCER_OPADD(r, long, init);          Cilk Plus (cilk/reducer.h): REDUCER_VIEW(r) += ... */
#ifndef CILK_REDUCER_OPADD_H
#define CILK_REDUCER_OPADD_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

#define CILK_ADD_(name, type, least, greatest) \
    static __inline__ void cilk_opadd_identity_##name(void *view) { *(type *)view = 0; } \
    static __inline__ void cilk_opadd_reduce_##name(void *left, void *right) \
    { \
        *(type *)left = (type)(*(type *)left + *(type *)right); \
    } \
    CILK_C_ADAPTERS(cilk_opadd, name, type)
CILK_INTEGERS(CILK_ADD_)
CILK_FLOATS(CILK_ADD_)
#undef CILK_ADD_

#define cilk_opadd_reducer(name) cilk_##name cilk_reducer(cilk_opadd_identity_##name, cilk_opadd_reduce_##name)
#define cilk_opadd_view(name, object) \
    ((cilk_##name *)__cilkrts_reducer_lookup(object, sizeof(cilk_##name), cilk_opadd_identity_##name, \
                                             cilk_opadd_reduce_##name))

#define CILK_C_REDUCER_OPADD(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opadd, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPADD_TYPE(name) cilk_opadd_c_##name

#endif
