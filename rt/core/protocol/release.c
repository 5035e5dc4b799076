/* release.c - lazy closure creation (MIT/LCS/TM-580, section 4): the frames of a segment become closures when a thief
 * is hungry.
 *
 * A test in generated code calls cilk_rt_release. If the answer is INITIATE, this frame puts itself on the segment's
 * chain with cilk_rt_release_frame, and returns a dummy, and every older frame of the segment does the same in turn.
 * The slow clone at the bottom, if there is one, does so in cilk_rt_pop_exception, since E makes its pop raise. The
 * flag stays up until then, because the older frames' tests have to see it. Back in the scheduler,
 * cilk_publish_chain links the closures, child to parent, pushes all but the youngest, oldest at the head, and runs
 * the youngest next. Only now is the deque's order right: every closure on it has its ancestors nearer to the head. */
#include "protocol/release.h"
#include "data/closure.h"
#include "data/context.h"
#include "protocol/deliver.h"
#include "steal/drain.h"
#include "observe/hook.h"
#include "fibers/fiber.h"
#include "protocol/future.h"
#include "data/root.h"
#include "steal/sleep.h"
#include "steal/steal.h"

static Cilk_point place(int point) { return point == CILK_AT_SPAWN ? CILK_POINT_SPAWN : CILK_POINT_RETURN; }

/* Nothing is under way in this segment. `known`: what the scheduler answered, NULL: it has to be asked. */
static int tested(cilk_worker *w, int point, const Cilk_answer *known) {
  cilk_segment *s = w->ext->seg;
  /* Cleared before looking why it was set: a flag raised after this is seen by the next test. Pairs with
   * cilk_signal. */
  cilk_flag_clear(w);
  if (load_relaxed(&w->ext->signal)) {    /* set before the flag was raised */
    cilk_worker_lock(w);
    store_relaxed(&w->ext->signal, 0u);
    cilk_exc_update(w);
    cilk_worker_unlock(w);
    cilk_deliver_below(w);                /* may abort what runs here */
  }
  /* a thief may be replacing it; the old one is alive as long as this child is */
  cilk_link *l = load_acquire(&s->link);
  if (l && cilk_link_aborted(l, w->ext->ctx)) {
    cilk_worker_lock(w);
    s->unwinding = CILK_UNWIND_ABORT;
    cilk_exc_update(w);
    cilk_worker_unlock(w);
    cilk_flag_raise(w);
    CILK_HOOK(unwind, w);
    return CILK_UNWIND;
  }
  if (load_relaxed(&w->ext->requester)) { /* every entry of the deque waits for a child: a thief may have the head */
    cilk_worker_lock(w);
    if (w->ext->requester) cilk_serve(w, load_relaxed(&w->tail));
    cilk_worker_unlock(w);
  }
  Cilk_answer answer = known ? *known : cilk_asked(w, place(point));
  if (answer == CILK_STAY) return CILK_CONTINUE;
  w->ext->leaving = answer == CILK_LEAVE;
  cilk_flag_raise(w);
  if (s->slow) {                          /* its pop looks at E alone */
    cilk_worker_lock(w);
    s->releasing = 1;
    cilk_exc_update(w);
    cilk_worker_unlock(w);
  }
  CILK_HOOK(release, w);
  return CILK_INITIATE;
}

int cilk_rt_release(int point) {
  cilk_worker *w = cilk_me();
  cilk_segment *s = w->ext->seg;
  CILK_HOOK(test, w);
  if (s->chain_young) return CILK_PROPAGATE;
  if (s->unwinding) return CILK_UNWIND;
  if (load_relaxed(&w->release) == CILK_FLAG_CALM && !load_relaxed(&w->ext->late) && !cilk_ordered(w))
    return CILK_CONTINUE;                 /* it came in to pass the turn, and nothing else has happened */
  if (!cilk_ordered(w)) return tested(w, point, NULL);
  Cilk_answer answer = CILK_STAY;
  int verdict = cilk_steps_of(w)->test(w, place(point), &answer) ? tested(w, point, &answer) : CILK_CONTINUE;
  cilk_flag_raise(w);                     /* the next one comes in, too */
  CILK_HOOK(step_ends, w);
  return verdict;
}

/* At a touch: a release without a request. */
int cilk_rt_touch_test(cilk_future *f) {
  static const Cilk_answer expose = CILK_EXPOSE;
  cilk_worker *w = cilk_me();
  cilk_segment *s = w->ext->seg;
  cilk_future_check(f);
  CILK_HOOK(test, w);
  if (s->unwinding) return CILK_UNWIND;
  CILK_HOOK(touch, w);
  int verdict = cilk_future_full(f) ? CILK_CONTINUE : tested(w, CILK_AT_TOUCH, &expose);
  if (cilk_ordered(w)) cilk_flag_raise(w);                   /* as below */
  CILK_HOOK(step_ends, w);
  return verdict;
}

cilk_closure *cilk_rt_release_frame(const cilk_sig *sig, cilk_closure *own, uint32_t entry) {
  cilk_segment *s = cilk_self.ext->seg;
  cilk_closure *c = own ? own : cilk_rt_closure_alloc(sig);
  c->sig = sig;
  c->entry = entry;
  c->next = NULL;
  if (s->chain_old) s->chain_old->next = c;
  else s->chain_young = c;
  s->chain_old = c;
  return c;
}

/* In the scheduler, the segment has ended: T is where its entries begin. */
void cilk_publish_chain(cilk_worker *w, cilk_segment *s) {
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *young = s->chain_young, *old = s->chain_old;
  bool aborted = false, leaving = w->ext->leaving;
  size_t n = 0;
  /* Before anything can be stolen: a thief that finds nothing after this raises it again and is heard. */
  cilk_flag_clear(w);

  /* Each closure but the oldest gets a link to the next older one. No other worker can see them yet, except the oldest
   * if it was full. */
  cilk_closure *c = young, *older;
  for (; c; c = older, n++) {
    older = c->next;
    if (c != old || !s->chain_full) cilk_closure_become_full(c, older ? NULL : s->link, w, CILK_READY);
  }
  CILK_HOOK(release_frames, w, n);
  for (c = young; c != old; c = c->next) {
    cilk_closure *p = c->next;
    cilk_link *l = cilk_link_new(p, w, s->link);
    l->child = c;
    c->link = l;
    if (p == old && s->chain_full) {
      cilk_closure_lock(p);
      cilk_children_add(p, l);
      aborted = cilk_link_marked(p->link);
      cilk_closure_change(p, CILK_RUNNING, CILK_TAKEN);
      cilk_closure_unlock(p);
    } else cilk_children_add(p, l);
  }
  young->link->views = w->views; /* its strand is the one that runs here; older frames begin new ones */
  w->views = CILK_NO_VIEWS;
  if (!s->chain_full) aborted = cilk_link_adopt(s->link, old); /* as in cilk_take_head */
  if (aborted) /* each is completed when it is taken */
    for (c = young; c != old; c = c->next) store_seq_cst(&c->link->aborted, 1u);
  for (c = young; c; c = c->next) CILK_HOOK(release_frame, w, c);

  if (s->chain_full) { /* the only one for which something may have been queued */
    cilk_closure_lock(old);
    cilk_drain(w, old);
    cilk_closure_change(old, CILK_TAKEN, CILK_READY);
    cilk_closure_unlock(old);
  }
  Cilk_why why = leaving ? CILK_WHY_PREEMPTED : CILK_WHY_RELEASED;
  cilk_waiting waiting;
  cilk_waiting_for(&waiting, ctx, cilk_closure_root(young));
  cilk_team *team = cilk_closure_root(young)->team;
  if (!leaving) cilk_closure_change(young, CILK_READY, CILK_TAKEN);
  if (n > 1) {
    /* The chain runs from young to old, the deque from old to young: turn the list of all but the youngest around. */
    cilk_closure *head = NULL;
    for (c = young->next; c; c = older) {
      older = c->next;
      c->next = head;
      head = c;
    }
    for (c = head; c; c = older) {
      older = c->next; /* read before c can be stolen */
      cilk_ready_quietly(w, c, why);
    }
    if (!leaving) cilk_notify(w, team, &waiting);
  }
  /* A worker may still be hungry, or asleep with the flag cleared here: answer again at the next test. A woken worker
   * that finds nothing asks by itself. */
  if (w->ext->coarse.level || (n > 1 ? cilk_searching(ctx) > n - 1 : cilk_idle(ctx) > 0)) cilk_flag_raise(w);
  cilk_check(w->ext->next == NULL);
  if (leaving) cilk_ready(w, young, why);
  else w->ext->next = young;
}
