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

#include "reducer_arithmetic.h"

#define CILK_OR_(name, type, least, greatest) CILK_OP_REDUCER(cilk_opor, _##name, type, 0, |)
CILK_INTEGERS(CILK_OR_)
#undef CILK_OR_

#define cilk_opor_reducer(name) CILK_REDUCER_(cilk_##name, cilk_opor, _##name)
#define cilk_opor_view(name, object) CILK_REDUCER_VIEW_(cilk_##name, cilk_opor, _##name, object)
#define CILK_C_REDUCER_OPOR(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opor, reducer, _##name, __VA_ARGS__)
#define CILK_C_REDUCER_OPOR_TYPE(name) cilk_opor_c_##name

#endif
