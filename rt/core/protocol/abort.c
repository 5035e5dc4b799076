/* abort.c - abort: all children of one instance that are out, and all their descendants, stop.
 *
 * The walk (below.h) marks every link below the closure; a link made later inherits the mark from the closure's own
 * link (steal.c, release.c). Workers that run a marked piece are signalled after the walk, when no lock is held. What
 * is marked
 *   - on some stack: unwinds at its next pop, test or sync;
 *   - READY: is completed when a worker takes it;
 *   - SUSPENDED: is completed when its own children are gone.
 * Marked links deliver nothing; dropping them brings join down, so the next sync finds the procedure clean. */
#include "protocol/abort.h"
#include "protocol/below.h"
#include "observe/hook.h"
#include "protocol/exit.h"
#include "protocol/future.h"
#include "data/root.h"
#include "steal/steal.h"

/* May a thread that is no worker give to the common pool what waits there? Not where steps have an order, or a nested
 * scheduler would need a notice. */
static bool outsider_wakes(const cilk_context *ctx, const cilk_link *l) {
  return !ctx->steps && l->root->team == &ctx->team;
}

/* Marks all links below c, whose lock is held, and unlocks; then signals the workers that run something marked, and
 * those in `hit`. */
static void walk(cilk_context *ctx, cilk_closure *c, uint64_t *hit) {
  cilk_worker *w = cilk_me();
  cilk_link *touches = NULL;
  cilk_below below = cilk_below_of(c);
  for (cilk_link *l; (l = cilk_below_next(&below));) {
    if (load_relaxed(&l->aborted))        /* an earlier walk has been below */
      continue;
    store_seq_cst(&l->aborted, 1u);
    cilk_closure *child = l->child;
    /* suspended at a touch: it waits no more (or until the future is filled, or stuck.c finds it) */
    if (l->future) {
      if ((w->ext || outsider_wakes(ctx, l)) && cilk_future_leave(l)) {
        l->next_waiting = touches;
        touches = l;
      }
    } else if (!child) hit[l->worker->id / 64] |= (uint64_t)1 << (l->worker->id % 64);
    else {
      cilk_closure_lock(child);
      if (load_relaxed(&child->state) == CILK_RUNNING)
        hit[child->worker->id / 64] |= (uint64_t)1 << (child->worker->id % 64);
      cilk_below_enter(&below, l);
    }
  }
  cilk_closure_unlock(c);

  for (cilk_link *next; touches; touches = next) {
    next = touches->next_waiting;
    cilk_future_wake(w, touches);
  }
  for (int i = 0; i < ctx->nproc; i++)
    if (hit[i / 64] >> (i % 64) & 1) {
      if (w->ext) {
        CILK_HOOK(signal, w);
        CILK_HOOK(between, w);
      }
      cilk_signal(ctx->workers[i]);
    }
}

void cilk_rt_abort(cilk_closure *c) {
  cilk_worker *w = cilk_me();
  uint64_t hit[(CILK_MAX_PROC + 63) / 64] = {0};
  CILK_HOOK(abort, w, c);
  cilk_closure_lock(c);
  c->aborts++;                            /* read by cilk_rt_pop_exception on the worker that runs this inlet */
  CILK_HOOK(drop, w, cilk_pending_drop(c));
  walk(w->ext->ctx, c, hit);
  CILK_HOOK(step_ends, w);
}

void cilk_abort_all(cilk_context *ctx, cilk_closure *c) {
  uint64_t hit[(CILK_MAX_PROC + 63) / 64] = {0};
  cilk_closure_lock(c);
  if (load_relaxed(&c->state) == CILK_RUNNING) hit[c->worker->id / 64] |= (uint64_t)1 << (c->worker->id % 64);
  walk(ctx, c, hit);
}

/* Cilk_exit: ends the computation by aborting its root. Statements after it may run until the next pop, test or
 * sync. */
CILK_SHARED void cilk_rt_exit(int status) {
  cilk_worker *w = cilk_me();
  if (w->id < 0) cilk_exit_process(status);
  cilk_context *ctx = w->ext->ctx;
  CILK_HOOK(exit, w);
  cilk_hold(1);
  pthread_mutex_lock(&ctx->mutex);
  bool first = !load_relaxed(&ctx->exiting);
  if (first) {
    ctx->exit_status = status;
    store_seq_cst(&ctx->exiting, 1u);     /* pairs with the load in cilk_rt_call_root */
  }
  pthread_mutex_unlock(&ctx->mutex);
  cilk_hold(-1);
  if (first && load_seq_cst(&ctx->nested)) cilk_exit_now(ctx);
  for (int i = 0; first && i < ctx->nproc; i++) cilk_signal(ctx->workers[i]);
  CILK_HOOK(step_ends, w);
}
