/* cilk/reducer_min_max.h: both headers, under the name that Cilk Plus has for them. */
#ifndef CILK_REDUCER_MIN_MAX_H
#define CILK_REDUCER_MIN_MAX_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "reducer_max.h"
#include "reducer_min.h"

#endif
