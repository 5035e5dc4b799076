/* exception.c - the victim's half of the THE protocol: a pop that met E > T.
 *
 * E is above T for one of four reasons: the entry was stolen or is being claimed, a thread signalled (an abort, a
 * delivery), the segment unwinds, or, in lazy programs, the child was released. T stays where the pop put it in
 * every case, which keeps the pops of the older frames, which follow when the present one unwinds, in step. */
#include "protocol/deliver.h"
#include "steal/drain.h"
#include "steal/halt.h"
#include "observe/hook.h"
#include "fibers/fiber.h"
#include "protocol/future.h"
#include "data/policy.h"
#include "data/context.h"
#include "steal/steal.h"

/* c, popped, is this worker's, unless it is NULL (stolen). A full closure is completed by the scheduler. */
static int unwind_aborted(cilk_worker *w, cilk_closure *c) {
  cilk_closure *mine = c && load_relaxed(&c->state) == CILK_ATTACHED ? c : NULL;
  cilk_worker_unlock(w);
  if (mine) cilk_rt_closure_free(mine);
  CILK_HOOK(unwind, w);
  return CILK_UNWIND;
}

/* This worker itself steals everything up to the frame at t, oldest first: it gives up what it runs. Returns a list by
 * ->next. */
static cilk_closure *take_all(cilk_worker *w, cilk_closure **t) {
  cilk_closure *first = NULL, **end = &first;
  while (load_relaxed(&w->ext->head) <= t) {
    cilk_closure *c = cilk_take_head(w, w);
    CILK_HOOK(steal, w, w, c);
    if (c) {
      c->next = NULL;
      *end = c;
      end = &c->next;
    }
  }
  return first;
}

/* The scheduler says whether the worker leaves what it runs. */
static int raised(cilk_worker *w, void *result, size_t size, bool leave) {
  cilk_worker_ext *x = w->ext;
  cilk_worker_lock(w);
  cilk_closure **t = load_relaxed(&w->tail);
  cilk_segment *s = x->seg;
  cilk_check(s && t >= s->base);
  /* The popped closure, NULL when it was stolen, or detached from its activation and left here: then it is READY and
   * goes back. */
  bool kept = s->kept && t == s->base;
  cilk_closure *c = t < load_relaxed(&x->head) || kept ? NULL : *t;
  if (kept)    /* the last pop of this segment; pairs with the thief's acquire, for what is below */
    store_release(&w->tail, t + 1);

  if (x->requester)                       /* this frame is not given away: its child is done */
    cilk_serve(w, s->unwinding || s->chain_old ? NULL : t);

  if (s->unwinding) return unwind_aborted(w, c);

  /* the child was released; only slow clones come here, t is the segment's bottom */
  if (s->chain_old) {
    if (c) {                              /* popped for good: it becomes the oldest of the chain */
      cilk_check(c == s->full);
      c->next = NULL;
      s->chain_old->next = c;
      s->chain_old = c;
      s->chain_full = 1;
      s->full = NULL;
    }
    cilk_worker_unlock(w);
    CILK_HOOK(pop_released, w);
    return CILK_UNWIND;
  }

  cilk_closure *left = NULL;
  /* gone with the oldest frame, or taken away by the bottom activation when nothing is pushed */
  cilk_check(!c || s->link);
  if (c && leave) {
    left = take_all(w, t);
    c = NULL;
  }

  if (!c) {                               /* stolen, and all older frames of this segment with it */
    cilk_link *l = s->link;
    s->link = NULL;
    cilk_exc_update(w);
    cilk_worker_unlock(w);
    CILK_HOOK(pop_stolen, w);
    for (cilk_closure *next; left; left = next) {
      next = left->next;
      cilk_give_up(w, left, CILK_WHY_PREEMPTED);
    }
    if (l)                                /* NULL for the frames below the first */
      cilk_deliver(w, l, result, size);
    return CILK_UNWIND;
  }

  int verdict = CILK_CONTINUE;
  if (!(s->link && cilk_link_aborted(s->link, x->ctx))) {
    /* The pop is valid. */
    bool signalled = x->signal, bottom = c == s->full;
    /* Something that came with the signal, but after the scheduler was asked: the next pop asks again. */
    bool again = !leave && (load_relaxed(&x->late) || cilk_until_reached(x) || cilk_must_halt(w));
    store_relaxed(&x->signal, again ? 1u : 0u);
    cilk_exc_update(w);
    cilk_worker_unlock(w);
    CILK_HOOK(pop_succeeds, w);

    if (bottom) {                         /* a thread boundary of its instance */
      cilk_closure_lock(c);
      uint64_t aborts = c->aborts;
      cilk_drain(w, c);
      if (c->aborts != aborts)            /* the child that just returned was out when an inlet said abort */
        verdict = CILK_SKIP;
      cilk_closure_unlock(c);
    }
    if (signalled) cilk_deliver_below(w);
    else if (!bottom) return CILK_CONTINUE;

    cilk_worker_lock(w);                  /* what was delivered may have aborted what runs here */
    if (!(s->link && cilk_link_aborted(s->link, x->ctx))) {
      cilk_worker_unlock(w);
      return verdict;
    }
  }
  s->unwinding = CILK_UNWIND_ABORT;
  cilk_exc_update(w);
  cilk_flag_raise(w);                     /* so that the tests of lazy frames unwind, too */
  return unwind_aborted(w, c);
}

/* The frame that touches is pushed like one whose child runs. It is popped, and given up with all older ones,
 * unless the future has its value by now. */
int cilk_rt_touch_leave(cilk_future *f) {
  cilk_worker *w = cilk_me();
  cilk_future_check(f);
  CILK_HOOK(touch_leaves, w);
  store_relaxed(&w->tail, load_relaxed(&w->tail) - 1);   /* thieves claim under the lock that raised() takes */
  int verdict = raised(w, NULL, 0, !cilk_future_full(f));
  CILK_HOOK(step_ends, w);
  return verdict;
}

int cilk_rt_pop_exception(void *result, size_t size) {
  cilk_worker *w = cilk_me();
  cilk_worker_ext *x = w->ext;
  if (cilk_ordered(w)) cilk_steps_of(w)->before_pop(w);
  CILK_HOOK(pop, w);
  if (x->ctx->turns && !cilk_ordered(w) && load_relaxed(&x->exc) <= load_relaxed(&w->tail) && !load_relaxed(&x->late))
    return CILK_CONTINUE;                 /* it came in to pass the turn, and nothing else has happened */
  /* no lock is held */
  bool leave = (x->ctx->policy->every || x->wait.until || load_relaxed(&x->late) || cilk_must_halt(w)) &&
               cilk_asked(w, CILK_POINT_POP) == CILK_LEAVE;
  if (cilk_ordered(w) && !cilk_steps_of(w)->pop(w, &leave)) return CILK_CONTINUE;
  int verdict = raised(w, result, size, leave);
  CILK_HOOK(step_ends, w);
  return verdict;
}
