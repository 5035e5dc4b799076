/* cilk/reducer_max.h: reducers for the greatest of values, alone or with the index where it was found. Of equal
 * values the first one counts, as in the serial execution.
 *
 *     cilk_max_reducer(long) x = ...;                      a reducer, where the compiler knows cilk_reducer
 *     cilk_max_calc(cilk_max_view(long, &y), value);        of an ordinary object y
 *     cilk_max_index_long z = { -1, ... };                 ... with an index
 *     cilk_max_index_calc(cilk_max_index_view(long, &z), index, value);
 *     CILK_C_REDUCER_MAX(r, long, init), CILK_C_REDUCER_MAX_INDEX(r, long, init): Cilk Plus (cilk/reducer.h) */
#ifndef CILK_REDUCER_MAX_H
#define CILK_REDUCER_MAX_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "reducer_arithmetic.h"

#define CILK_MAX_(name, type, least, greatest) CILK_BEST_REDUCERS(cilk_max, _##name, type, least, <)
CILK_INTEGERS(CILK_MAX_)
CILK_FLOATS(CILK_MAX_)
#undef CILK_MAX_

#define cilk_max_reducer(name) CILK_REDUCER_(cilk_##name, cilk_max, _##name)
#define cilk_max_view(name, object) CILK_REDUCER_VIEW_(cilk_##name, cilk_max, _##name, object)
#define cilk_max_calc(view, v) CILK_BEST_CALC_(view, v, <)

#define cilk_max_index_reducer(name) CILK_REDUCER_(cilk_max_index_##name, cilk_max_index, _##name)
#define cilk_max_index_view(name, object) CILK_REDUCER_VIEW_(cilk_max_index_##name, cilk_max_index, _##name, object)
#define cilk_max_index_calc(view, i, v) CILK_BEST_INDEX_CALC_(view, i, v, <)

#define CILK_C_REDUCER_MAX(reducer, name, ...) CILK_C_REDUCER_OF(cilk_max, reducer, _##name, __VA_ARGS__)
#define CILK_C_REDUCER_MAX_TYPE(name) cilk_max_c_##name
#define CILK_C_REDUCER_MAX_CALC(reducer, v) cilk_max_calc(&REDUCER_VIEW(reducer), v)
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, ...) \
    CILK_C_REDUCER_OF(cilk_max_index, reducer, _##name, { 0, __VA_ARGS__ })
#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) cilk_max_index_c_##name
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, i, v) cilk_max_index_calc(&REDUCER_VIEW(reducer), i, v)

#endif
