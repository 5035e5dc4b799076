/* barrier.h - the thief's half of the asymmetric fence. */
#ifndef CILK_RT_BARRIER_H
#define CILK_RT_BARRIER_H

#include "data/worker.h"

/* Orders this thread's earlier stores before its later loads, as seen against the victim's plain store-load; the
 * victim's lock is held. False: no fence was possible, and the
 * thief retreats. */
bool cilk_heavy_fence(cilk_worker *victim);
void cilk_heavy_fence_init(void);

#endif
