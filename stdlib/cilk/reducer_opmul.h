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

#include "reducer_arithmetic.h"

#define CILK_MUL_(name, type, least, greatest) CILK_OP_REDUCER(cilk_opmul, _##name, type, 1, *)
CILK_INTEGERS(CILK_MUL_)
CILK_FLOATS(CILK_MUL_)
#undef CILK_MUL_

#define cilk_opmul_reducer(name) CILK_REDUCER_(cilk_##name, cilk_opmul, _##name)
#define cilk_opmul_view(name, object) CILK_REDUCER_VIEW_(cilk_##name, cilk_opmul, _##name, object)
#define CILK_C_REDUCER_OPMUL(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opmul, reducer, _##name, __VA_ARGS__)
#define CILK_C_REDUCER_OPMUL_TYPE(name) cilk_opmul_c_##name

#endif
