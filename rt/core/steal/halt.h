/* halt.h - all workers stop, their stacks empty; or some of them rest (--elastic).
 *
 * A worker that is asked to halt gives up what it runs at its next pop or test, as Cilk_yield does, and comes to its
 * outermost loop. It goes on instead if C code waits on its stack, or on a stack that it has set aside and that is
 * due, because such code has no closure. */
#ifndef CILK_RT_HALT_H
#define CILK_RT_HALT_H

#include "data/context.h"
#include "data/worker.h"

/* The word `halt` has these bits; the others count its changes, so that no waiter misses one. */
enum { CILK_HALT_STOP = 1, CILK_HALT_REST = 2, CILK_HALT_WHY = 3, CILK_HALT_CHANGE = 4 };

static inline bool cilk_must_halt(const cilk_worker *w) {
  const cilk_worker_ext *x = w->ext;
  /* seq_cst: against PARKED */
  return (load_seq_cst(&x->halt) & CILK_HALT_WHY) && !x->wait.root && !x->wait.called && !x->nest.seat &&
         !load_seq_cst(&x->nest.due);
}
static inline bool cilk_must_stop(const cilk_worker *w) { return load_seq_cst(&w->ext->halt) & CILK_HALT_STOP; }

void cilk_stop_here(cilk_worker *w);                          /* until the stop is over */

/* Another thread, one at a time. NULL: all workers have halted, with nothing at hand, until cilk_stop_end. Else why
 * they do not within so many ns; then they go on. */
const char *cilk_stop_begin(cilk_context *ctx, uint64_t ns);
void cilk_stop_end(cilk_context *ctx);
/* such a reason: the computation is over, or about to be */
extern const char cilk_stop_too_late[];

void cilk_activate(cilk_context *ctx, int n);                 /* from now on workers 0 .. n-1 run, the others rest */

#endif
