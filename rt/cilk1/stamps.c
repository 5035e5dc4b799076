/* stamps.c - work and longest path by time stamps that closures carry.
 *
 * A thread begins, on the longest path, at the latest stamp of what its closure depends on: its spawner at the spawn, the senders of its arguments when they sent. While a
 * program is measured every post and send is a call, so un-measured ones pay nothing. Lengths are nanoseconds, without what the runtime did meanwhile, or, in
 * a program that counts (-cilk-span=count), units: then the same in each run on any number of workers. */
#include "stamps.h"
#include "policy.h"
#include "span.h"

bool cilk1_measures(const cilk_context *ctx) { return ctx->opt.critical_path || cilk_span_counted(); }

static uint64_t clock_now(void) { return cilk_span_counted() ? cilk_me()->units : cilk_now_ns(); }

void cilk1_thread_begins(cilk1_home *h, uint64_t stamp)
{
  if (cilk_span_counted())
    cilk_me()->units = 0;
  h->stamp = stamp;
  h->so_far = 0;
  h->began = clock_now();
}

uint64_t cilk1_pause(cilk1_home *h)
{
  if (!(h->pool.flags & CILK1_SLOW))
    return 0;
  h->so_far += clock_now() - h->began;
  return h->stamp + h->so_far;
}

void cilk1_resume(cilk1_home *h)
{
  if (h->pool.flags & CILK1_SLOW)
    h->began = clock_now();
}

void cilk1_thread_ends(cilk1_home *h)
{
  uint64_t end = cilk1_pause(h);
  h->work += h->so_far;
  if (end > h->span)
    h->span = end;
}
