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

#include "reducer_arithmetic.h"

#define CILK_ADD_(name, type, least, greatest) CILK_OP_REDUCER(cilk_opadd, _##name, type, 0, +)
CILK_INTEGERS(CILK_ADD_)
CILK_FLOATS(CILK_ADD_)
#undef CILK_ADD_

#define cilk_opadd_reducer(name) CILK_REDUCER_(cilk_##name, cilk_opadd, _##name)
#define cilk_opadd_view(name, object) CILK_REDUCER_VIEW_(cilk_##name, cilk_opadd, _##name, object)
#define CILK_C_REDUCER_OPADD(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opadd, reducer, _##name, __VA_ARGS__)
#define CILK_C_REDUCER_OPADD_TYPE(name) cilk_opadd_c_##name

#endif
