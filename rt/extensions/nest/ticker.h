/* ticker.h - the thread that watches the time: slices of a preemptive scheduler, deadlines of computations. */
#ifndef CILK_RT_TICKER_H
#define CILK_RT_TICKER_H

#include "data/context.h"

uint64_t cilk_ticker_slice(cilk_context *ctx); /* how often they are notified; 0: never */
/* a nested scheduler with slices begins (+1), or is over (-1) */
void cilk_ticker_nest(cilk_context *ctx, uint64_t slice, int change);
/* in a replay there is no thread: the worker with the turn looks */
void cilk_ticker_look(cilk_worker *w, uint64_t now);
/* in a replay: time will make something happen */
bool cilk_ticker_waits(const cilk_context *ctx);

#endif
