/* stamps.c - work and longest path by time stamps that closures carry.
 *
 * A thread begins, on the longest path, at the latest stamp of what its closure depends on: its spawner at the spawn,
 * the senders of its arguments when they sent. While a program is measured every post and send is a call, so
 * un-measured ones pay nothing. Lengths are nanoseconds, without what the runtime did meanwhile, or, in a program that
 * counts (-cilk-span=count), units: then the same in each run on any number of workers. */
#include "stamps.h"
#include "data/policy.h"
#include "observe/span.h"

bool cilk1_measures(const cilk_context *ctx) {
  return ctx->opt.critical_path || ctx->opt.simulate || cilk_span_counted() || cilk1_watched;
}

/* The time between two readings of the clock, one after the other: no part of what is between. Of one thread; set by
 * the first that measures. */
static uint64_t taken_away(void);
static uint64_t clock_cost(void) {
  static _Thread_local uint64_t least;
  if (!least) {
    least = UINT64_MAX;
    for (int i = 0; i < 200; i++) {
      uint64_t a = cilk_now_ns(), b = cilk_now_ns();
      least = b - a < least ? b - a : least;
    }
    least += least == 0;
    taken_away();
  }
  return least;
}

/* The system took the processor away, if a thread was long: by how much processor time has lagged the clock since the
 * last look. */
static uint64_t taken_away(void) {
  static _Thread_local uint64_t lag;
  uint64_t was = lag, is = cilk_now_ns() - cilk_thread_ns();
  lag = is;
  return is > was ? is - was : 0;
}

static uint64_t clock_now(void) { return cilk_span_counted() ? cilk_me()->units : cilk_now_ns(); }

void cilk1_thread_begins(cilk1_home *h, uint64_t stamp) {
  if (cilk_span_counted()) cilk_me()->units = 0;
  h->stamp = stamp;
  h->so_far = 0;
  if (!cilk_span_counted()) clock_cost();
  h->began = clock_now();
}

uint64_t cilk1_pause(cilk1_home *h) {
  if (!(h->pool.flags & CILK1_SLOW)) return 0;
  uint64_t t = clock_now() - h->began;
  if (!cilk_span_counted()) {
    uint64_t gone = clock_cost() + (t > CILK_SPAN_LONG_NS ? taken_away() : 0);
    t = t > gone ? t - gone : 0;
  }
  /* here, not at the thread's end: what spawns the first thread is not a thread, and part of the longest path */
  h->work += t;
  h->so_far += t;
  return h->stamp + h->so_far;
}

void cilk1_resume(cilk1_home *h) {
  if (h->pool.flags & CILK1_SLOW) h->began = clock_now();
}

void cilk1_thread_ends(cilk1_home *h) {
  uint64_t end = cilk1_pause(h);
  if (end > h->span) h->span = end;
}
