/* cilk/reducer_opand.h: reducers for bitwise and of the types that cilk/cilk_types.h lists.
 *
 *     cilk_opand_reducer(long) x = ...;             a reducer, where the compiler knows cilk_reducer
 *     *cilk_opand_view(long, &y) &= ...;            the view of an ordinary object y
 *     CILK_C_REDUCER_OPAND(r, long, init);          Cilk Plus (cilk/reducer.h): REDUCER_VIEW(r) &= ... */
#ifndef CILK_REDUCER_OPAND_H
#define CILK_REDUCER_OPAND_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "cilk_types.h"
#include "reducer.h"

#define CILK_AND_(name, type, least, greatest) \
    static __inline__ void cilk_opand_identity_##name(void *view) { *(type *)view = (type)~(type)0; } \
    static __inline__ void cilk_opand_reduce_##name(void *left, void *right) \
    { \
        *(type *)left = (type)(*(type *)left & *(type *)right); \
    } \
    CILK_C_ADAPTERS(cilk_opand, name, type)
CILK_INTEGERS(CILK_AND_)
#undef CILK_AND_

#define cilk_opand_reducer(name) cilk_##name cilk_reducer(cilk_opand_identity_##name, cilk_opand_reduce_##name)
#define cilk_opand_view(name, object) \
    ((cilk_##name *)__cilkrts_reducer_lookup(object, sizeof(cilk_##name), cilk_opand_identity_##name, \
                                             cilk_opand_reduce_##name))

#define CILK_C_REDUCER_OPAND(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opand, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPAND_TYPE(name) cilk_opand_c_##name

#endif
