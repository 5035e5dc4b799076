/* policy.c - the clocks, and chance: a generator for each worker. */
#include "data/policy.h"
#include "data/context.h"

#include <time.h>

const cilk_policy *cilk_policy_of(const cilk_worker *w) { return w->ext->ctx->policy; }

#ifdef CILK_DEBUG
void (*cilk_at_access)(void);
__thread uint32_t cilk_held;
#endif

/* ---- chance ---- */

/* xorshift64*; never 0 */
static uint64_t next_random(cilk_worker_ext *x) {
  uint64_t r = x->random;
  r ^= r >> 12;
  r ^= r << 25;
  r ^= r >> 27;
  x->random = r;
  return r * 0x2545F4914F6CDD1Dull;
}

void cilk_choose_seed(cilk_worker_ext *x, uint64_t seed, int worker) {
  x->random = (seed + 1) * 0x9E3779B97F4A7C15ull ^ ((uint64_t)worker + 1) * 0xD1B54A32D192ED03ull;
}

uint64_t cilk_choose_at_random(cilk_worker *w, enum cilk_choice what, uint64_t n) {
  (void)what;
  return (next_random(w->ext) >> 32) * n >> 32;
}

/* ---- clocks ---- */

static uint64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t cilk_clock_monotonic(void) { return read_clock(CLOCK_MONOTONIC); }

uint64_t (*cilk_clock)(void) = cilk_clock_monotonic;

uint64_t cilk_now_ns(void) { return cilk_clock(); }
uint64_t cilk_wall_ns(void) { return read_clock(CLOCK_REALTIME); }
uint64_t cilk_thread_ns(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
