/* blocking.c - Cilk_blocking_begin and Cilk_blocking_end (<cilk-blocking.h>).
 *
 * A program that uses them has more workers than --nproc says: the last ones are *spares*. With `blocked` workers in
 * system calls the first so many spares have a place, the others rest: they are workers like any other, but they are
 * not listed among the workers to wake. A spare looks whether it still has a place between two closures that it
 * runs. The deque of a worker that blocks, or rests, can be stolen from as usual. A worker rests only when it has no
 * threads of Cilk-1: no other worker could run those of its pools, nor handle their messages.
 *
 * A spare that goes to rest has stored PARKED before it looks at `blocked`; a worker that blocks counts first, then
 * wakes the spare: one sees the other (PROTOCOLS.md, section 9). */
#include "fibers/blocking.h"
#include "fibers/fiber.h"
#include "data/policy.h"
#include "data/work_source.h"
#include "steal/halt.h"
#include "steal/sleep.h"

#include <errno.h>

/* some image of the program includes the header; before contexts are made, as a rule */
static uint32_t may_block;

CILK_SHARED void cilk_rt_may_block(void) { store_relaxed(&may_block, 1u); }

int cilk_spares(void) { return load_relaxed(&may_block) ? CILK_SPARES : 0; }

bool cilk_must_rest(const cilk_worker *w) {
  const cilk_context *ctx = w->ext->ctx;
  uint32_t halt = load_seq_cst(&w->ext->halt) & CILK_HALT_WHY;   /* against PARKED */
  if (halt)                               /* --elastic; a worker in a call from C goes on */
    return halt == CILK_HALT_REST && cilk_must_halt(w);
  int spare = w->id - (ctx->nproc - ctx->spares);
  /* seq_cst: against PARKED */
  return spare >= 0 && (uint32_t)spare >= load_seq_cst(&ctx->blocked) && !load_seq_cst(&w->ext->nest.due) &&
         !cilk_seat_called_away(w);
}

void cilk_rest(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_worker_ext *x = w->ext;
  cilk_leave_all(w);
  cilk_withdraw(w);
  /* recruited between two computations, where it was listed: another one is to come */
  cilk_search_decline(w);
  store_relaxed(&x->stats.idle_since, cilk_now_ns());
  while (!cilk_reached(flag, value) && cilk_must_rest(w) && !cilk_other_work_came(w)) {
    cilk_park(w, false);
    if (cilk_reached(flag, value) || !cilk_must_rest(w) || cilk_other_work_came(w)) cilk_park_leave(w);
    else cilk_park_wait(w, 0);
    cilk_search_decline(w);               /* by a recruiter that took its bit earlier */
  }
  store_relaxed(&x->stats.idle_since, 0u);
  cilk_work_begin(w);
  cilk_back_below(w, x->nest.floor);      /* C code above these seats goes on; its own team is asked next */
}

CILK_SHARED void Cilk_blocking_begin(void) {
  cilk_worker *w = cilk_me();
  if (w->id < 0 || !w->ext->ctx->spares || w->ext->blocking++) return;
  cilk_context *ctx = w->ext->ctx;
  cilk_leave_all(w);                      /* no worker may wait for it, at a gang's barrier for instance */
  /* first: cilk_freeze looks at the census, then at this */
  uint32_t n = __atomic_fetch_add(&ctx->blocked, 1u, __ATOMIC_SEQ_CST);
  cilk_withdraw(w);
  if (n < (uint32_t)ctx->spares) cilk_unpark(ctx->workers[ctx->nproc - ctx->spares + (int)n]);
}

CILK_SHARED void Cilk_blocking_end(void) {
  cilk_worker *w = cilk_me();
  if (w->id < 0 || !w->ext->ctx->spares) return;
  int error = errno;
  if (!w->ext->blocking)
    cilk_fatal("Cilk_blocking_end without Cilk_blocking_begin on the same worker: was there a spawn between them?");
  if (--w->ext->blocking == 0) {
    cilk_work_begin(w);                   /* first: likewise */
    __atomic_fetch_sub(&w->ext->ctx->blocked, 1u, __ATOMIC_SEQ_CST);
    cilk_back_all(w);
  }
  errno = error;
}
