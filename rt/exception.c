/* exception.c - the victim's half of the THE protocol: a pop that met E > T.
 *
 * E is above T because the entry was stolen or is being claimed, because somebody signalled (an abort, a delivery), because
 * deliveries wait for the segment's bottom closure, or, in lazy programs, because the child was released. T stays where the pop
 * put it in every case, so that the pops of the older frames, which follow when this one unwinds, stay in step. */
#include "internal.h"

static int unwind_aborted(cilk_worker *w, cilk_closure **t)
{
  /* A full closure is completed by the scheduler, a stolen one is somebody else's. */
  cilk_closure *mine = t >= load_relaxed(&w->ext->head) && load_relaxed(&(*t)->state) == CILK_ATTACHED ? *t : NULL;
  cilk_worker_unlock(w);
  if (mine)
    cilk_rt_closure_free(mine);
  cilk_count(w, CILK_N_EX_ABORT);
  return CILK_UNWIND;
}

int cilk_rt_pop_exception(void *result, size_t size)
{
  cilk_worker *w = cilk_me();
  cilk_worker_ext *x = w->ext;
  cilk_count(w, CILK_N_EXCEPTION);
  cilk_worker_lock(w);
  cilk_closure **t = load_relaxed(&w->tail);
  cilk_segment *s = x->seg;
  cilk_check(s && t >= s->base);

  if (x->requester)                       /* this frame is not given away: its child is done */
    cilk_serve(w, s->unwinding || s->chain_old ? NULL : t);

  if (s->unwinding)
    return unwind_aborted(w, t);

  if (s->chain_old) {                     /* the child was released; only slow clones come here, t is the segment's bottom */
    if (t >= load_relaxed(&x->head)) {    /* popped for good: it becomes the oldest of the chain */
      cilk_closure *c = *t;
      cilk_check(c == s->full);
      c->next = NULL;
      s->chain_old->next = c;
      s->chain_old = c;
      s->chain_full = 1;
      s->full = NULL;
    }
    cilk_worker_unlock(w);
    cilk_count(w, CILK_N_EX_RELEASE);
    return CILK_UNWIND;
  }

  if (t >= load_relaxed(&x->head) && x->ctx->policy->force_pop && s->link && x->ctx->policy->force_pop(w)) {
    /* Testing: this worker itself steals everything up to this frame. */
    while (load_relaxed(&x->head) <= t) {
      cilk_closure *c = cilk_take_head(w, w);
      cilk_count(w, CILK_N_STEAL);
      cilk_orphan(x->ctx, c);
    }
  }

  if (t < load_relaxed(&x->head)) {       /* stolen, and all older frames of this segment with it */
    cilk_link *l = s->link;
    s->link = NULL;
    cilk_exc_update(w);
    cilk_worker_unlock(w);
    cilk_count(w, CILK_N_EX_STEAL);
    if (l)                                /* NULL for the frames below the first */
      cilk_deliver(w, l, result, size);
    return CILK_UNWIND;
  }

  if (s->link && cilk_link_aborted(s->link, x->ctx)) {
    s->unwinding = CILK_UNWIND_ABORT;
    cilk_exc_update(w);
    store_relaxed(&w->release, 1u);       /* so that the tests of lazy frames unwind, too */
    return unwind_aborted(w, t);
  }

  /* The pop stands. A signal may be about deliveries to the bottom closure: then its own pop has to raise. */
  cilk_closure *bottom = s->full && t == s->base ? s->full : NULL;
  if (x->signal) {
    x->signal = 0;
    s->alarm = s->full != NULL;
  }
  if (bottom)
    s->alarm = 0;
  cilk_exc_update(w);
  cilk_worker_unlock(w);
  cilk_count(w, CILK_N_EX_OTHER);

  if (bottom) {                           /* a thread boundary of its instance */
    cilk_closure_lock(bottom);
    uint64_t aborts = bottom->aborts;
    for (cilk_link *l; (l = cilk_pending_take(bottom)); cilk_closure_lock(bottom)) {
      cilk_closure_unlock(bottom);
      cilk_run_pending(w, bottom, l, cilk_link_result(l));
    }
    bool aborted = bottom->aborts != aborts;
    cilk_closure_unlock(bottom);
    if (aborted)                          /* the child that just returned was out when an inlet said abort */
      return CILK_SKIP;
  }
  return CILK_CONTINUE;
}
