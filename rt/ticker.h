/* ticker.h - the thread that watches the time: slices of a preemptive scheduler, deadlines of computations. */
#ifndef CILK_RT_TICKER_H
#define CILK_RT_TICKER_H

#include "context.h"

void cilk_ticker_begin(cilk_context *ctx);                                  /* the scheduler has slices, perhaps; workers are up */
void cilk_ticker_end(cilk_context *ctx);                                    /* before the workers end */
void cilk_ticker_look(cilk_worker *w, uint64_t now);                        /* in a replay there is no thread: who has the turn looks */

#endif
