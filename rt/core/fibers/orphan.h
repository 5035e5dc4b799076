/* orphan.h - the common pool: READY closures that are on no deque. */
#ifndef CILK_RT_ORPHAN_H
#define CILK_RT_ORPHAN_H

#include "data/closure.h"

void cilk_orphan_put(cilk_context *ctx, cilk_closure *c);
cilk_closure *cilk_orphan_take(cilk_worker *w);   /* in hand; NULL: there is none that w may run */

#endif
