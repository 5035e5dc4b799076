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

#include "reducer_arithmetic.h"

#define CILK_AND_(name, type, least, greatest) CILK_OP_REDUCER(cilk_opand, _##name, type, (type)~(type)0, &)
CILK_INTEGERS(CILK_AND_)
#undef CILK_AND_

#define cilk_opand_reducer(name) CILK_REDUCER_(cilk_##name, cilk_opand, _##name)
#define cilk_opand_view(name, object) CILK_REDUCER_VIEW_(cilk_##name, cilk_opand, _##name, object)
#define CILK_C_REDUCER_OPAND(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opand, reducer, _##name, __VA_ARGS__)
#define CILK_C_REDUCER_OPAND_TYPE(name) cilk_opand_c_##name

#endif
