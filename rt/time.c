/* time.c - clocks. The functions of <cilk.h> that are inline there exist as symbols as well, for old objects and other languages. */
#include "internal.h"

#include <time.h>

uint64_t cilk_now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Microseconds by the wall clock. */
CILK_SHARED long long Cilk_get_wall_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

CILK_SHARED double Cilk_wall_time_to_sec(long long t) { return (double)t * 1.0e-6; }

/* Cilk_user_work and Cilk_user_critical_path count nanoseconds. */
CILK_SHARED double Cilk_time_to_sec(long long t) { return (double)t * 1.0e-9; }
