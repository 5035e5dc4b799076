/* time.c - the clocks of <cilk.h>. The functions of <cilk.h> that are inline there exist as symbols as well, for old
 * objects and other languages. */
#include "data/policy.h"

/* Microseconds by the wall clock. */
CILK_SHARED long long Cilk_get_wall_time(void) { return (long long)(cilk_wall_ns() / 1000); }

CILK_SHARED double Cilk_wall_time_to_sec(long long t) { return (double)t * 1.0e-6; }

/* Cilk_user_work and Cilk_user_critical_path count nanoseconds. */
CILK_SHARED double Cilk_time_to_sec(long long t) { return (double)t * 1.0e-9; }
