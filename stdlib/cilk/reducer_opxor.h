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

#include "reducer_arithmetic.h"

#define CILK_XOR_(name, type, least, greatest) CILK_OP_REDUCER(cilk_opxor, _##name, type, 0, ^)
CILK_INTEGERS(CILK_XOR_)
#undef CILK_XOR_

#define cilk_opxor_reducer(name) CILK_REDUCER_(cilk_##name, cilk_opxor, _##name)
#define cilk_opxor_view(name, object) CILK_REDUCER_VIEW_(cilk_##name, cilk_opxor, _##name, object)
#define CILK_C_REDUCER_OPXOR(reducer, name, ...) CILK_C_REDUCER_OF(cilk_opxor, reducer, _##name, __VA_ARGS__)
#define CILK_C_REDUCER_OPXOR_TYPE(name) cilk_opxor_c_##name

#endif
