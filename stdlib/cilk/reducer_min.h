/* cilk/reducer_min.h: reducers for the least of values, alone or with the index where it was found. Of equal values
 * the first one counts, as in the serial execution.
 *
 *     cilk_min_reducer(long) x = ...;                      a reducer, where the compiler knows cilk_reducer
 *     cilk_min_calc(cilk_min_view(long, &y), value);        of an ordinary object y
 *     cilk_min_index_long z = { -1, ... };                 ... with an index
 *     cilk_min_index_calc(cilk_min_index_view(long, &z), index, value);
 *     CILK_C_REDUCER_MIN(r, long, init), CILK_C_REDUCER_MIN_INDEX(r, long, init): Cilk Plus (cilk/reducer.h) */
#ifndef CILK_REDUCER_MIN_H
#define CILK_REDUCER_MIN_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "reducer_arithmetic.h"

#define CILK_MIN_(name, type, least, greatest) CILK_BEST_REDUCERS(cilk_min, _##name, type, greatest, >)
CILK_INTEGERS(CILK_MIN_)
CILK_FLOATS(CILK_MIN_)
#undef CILK_MIN_

#define cilk_min_reducer(name) CILK_REDUCER_(cilk_##name, cilk_min, _##name)
#define cilk_min_view(name, object) CILK_REDUCER_VIEW_(cilk_##name, cilk_min, _##name, object)
#define cilk_min_calc(view, v) CILK_BEST_CALC_(view, v, >)

#define cilk_min_index_reducer(name) CILK_REDUCER_(cilk_min_index_##name, cilk_min_index, _##name)
#define cilk_min_index_view(name, object) CILK_REDUCER_VIEW_(cilk_min_index_##name, cilk_min_index, _##name, object)
#define cilk_min_index_calc(view, i, v) CILK_BEST_INDEX_CALC_(view, i, v, >)

#define CILK_C_REDUCER_MIN(reducer, name, ...) CILK_C_REDUCER_OF(cilk_min, reducer, _##name, __VA_ARGS__)
#define CILK_C_REDUCER_MIN_TYPE(name) cilk_min_c_##name
#define CILK_C_REDUCER_MIN_CALC(reducer, v) cilk_min_calc(&REDUCER_VIEW(reducer), v)
#define CILK_C_REDUCER_MIN_INDEX(reducer, name, ...) \
    CILK_C_REDUCER_OF(cilk_min_index, reducer, _##name, { 0, __VA_ARGS__ })
#define CILK_C_REDUCER_MIN_INDEX_TYPE(name) cilk_min_index_c_##name
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, i, v) cilk_min_index_calc(&REDUCER_VIEW(reducer), i, v)

#endif
