/* deliver.c - a child's result goes to its parent: stores, `op=`, inlets; and the end of aborted closures.
 *
 * Threads of one instance, its inlets and its implicit deliveries exclude one another, and therefore the state of the
 * parent decides:
 *   SUSPENDED   the deliverer runs the delivery now (state DELIVERING). If it was the last one, the deliverer resumes
 *               the parent (provably good).
 *   READY       the same, but the parent stays where it is. If it was taken off its deque by then (HANDED), the
 *               deliverer goes on with it.
 *   RUNNING     A parent that is pushed at a spawn is detached from its activation. If it is at the head of its deque,
 *               the deliverer, which has nothing else to do, steals it, delivers, and goes on with it. Else it becomes
 *               DELIVERING at its place on the deque, then READY. If the parent runs a thread, the result is queued,
 *               and the worker is signalled.
 *   TAKEN, DELIVERING, HANDED
 *               The result is queued. The worker that has the parent to itself runs what is queued before all else.
 * A signalled worker looks at its next pop or test whether a parent below, on its stack, has something queued. That
 * parent is at a spawn, so the worker detaches it from its activation in the same way, and delivers. A result is
 * therefore late by at most one thread or inlet of its parent, and the code up to the next pop or test. Since the
 * parent's present child has a link by then, an abort in one of these inlets reaches the child like any other. The
 * child's worker finds the parent on its own deque next.
 *
 * No lock is held while a delivery runs. The join counter goes down before it runs, so that SYNCHED in an inlet does
 * not count the inlet's own child.
 *
 * What a delivery makes ready goes to the scheduler (fiber.h), which lets it run next, as a rule (ext->next): its
 * caller returns to the loop at once. */
#include "protocol/deliver.h"
#include "steal/drain.h"
#include "observe/hook.h"
#include "fibers/fiber.h"
#include "protocol/finish.h"
#include "protocol/future.h"
#include "steal/steal.h"
#include "data/places.h"

#include <string.h>

/* p's lock is held, p is in that state, SUSPENDED or DELIVERING, with nothing pending: resume it if nothing is out.
 * Unlocks. */
static void settle(cilk_worker *w, cilk_closure *p, uint32_t state) {
  cilk_assert_locked(p);
  if (p->join == 0 || cilk_touched(p)) {
    cilk_closure_change(p, state, CILK_READY);
    cilk_closure_unlock(p);
    CILK_HOOK(resume, w);
    cilk_ready(w, p, CILK_WHY_RESUMED);
    return;
  }
  if (state != CILK_SUSPENDED) cilk_closure_change(p, state, CILK_SUSPENDED);
  cilk_closure_unlock(p);
}

/* p's lock is held, p is DELIVERING on some deque or in the scheduler's keeping, and stays there, or HANDED: then it is
 * in this worker's hand, true. Unlocks. */
static bool settle_ready(cilk_worker *w, cilk_closure *p) {
  cilk_assert_locked(p);
  bool handed = load_relaxed(&p->state) == CILK_HANDED;
  cilk_closure_change(p, handed ? CILK_HANDED : CILK_DELIVERING, handed ? CILK_TAKEN : CILK_READY);
  if (handed) p->worker = w;
  cilk_closure_unlock(p);
  return handed;
}

/* p's lock is held: the result waits in the link, among p's pending. */
static void queue(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result, size_t size) {
  size_t n = l->entry->result_size;
  l->stage = CILK_LINK_RETURNED;
  l->views = w->views;
  w->views = CILK_NO_VIEWS;
  if (n && result) memcpy(cilk_link_result(l), result, n < size ? n : size);
  cilk_pending_add(p, l);
  CILK_HOOK(queue, w);
}

/* Into a future: the value's place is the child's alone until it is full, so this waits for no one, whatever the parent
 * does. */
static void deliver_future(cilk_worker *w, cilk_link *l, void *result) {
  cilk_closure *p = l->parent;
  CILK_HOOK(between, w);
  cilk_closure_lock(p);
  l->child = NULL; /* as below */
  bool dropped = cilk_link_aborted(l, w->ext->ctx) || !result;
  l->stage = CILK_LINK_RETURNED;
  cilk_closure_unlock(p);
  cilk_future *f = cilk_link_future(l);
  if (!dropped) {
    CILK_HOOK(deliver, w, p, l);
    l->entry->deliver(p, cilk_link_record(l), result);
  } else CILK_HOOK(deliver_nothing, w, p, l);
  if (w->views != CILK_NO_VIEWS) { /* before p goes on: it may wait for this child alone */
    cilk_closure_lock(p);
    cilk_views_give(w, p, l);
    cilk_closure_unlock(p);
  }
  cilk_future_fill(w, f); /* f may be gone from here on, if it is not p's own frame */
  cilk_closure_lock(p);
  if (l->stage == CILK_LINK_RETURNED) cilk_views_give(w, p, l);
  cilk_link_joined(p, l);
  if (load_relaxed(&p->state) == CILK_SUSPENDED) settle(w, p, CILK_SUSPENDED);
  else cilk_closure_unlock(p);
}

void cilk_deliver(cilk_worker *w, cilk_link *l, void *result, size_t size) {
  cilk_closure *p = l->parent;
  bool mine = false;
  CILK_HOOK(child_ends, w, l);
  if (!p) {
    l->child = NULL;
    cilk_root_finish(l, result, size);
    return;
  }
  cilk_check(p->magic == CILK_MAGIC);
  if (l->entry->flags & CILK_ENTRY_FUTURE) {
    deliver_future(w, l, result);
    return;
  }
  CILK_HOOK(between, w);
  cilk_closure_lock(p);
  l->child = NULL; /* from here on an abort that walks p's children does not go into the child */
  uint32_t state = load_relaxed(&p->state);
  if (state == CILK_RUNNING && !cilk_link_aborted(l, w->ext->ctx)) {
    cilk_worker *v = p->worker;
    cilk_closure_unlock(p);
    CILK_HOOK(between, w);
    mine = cilk_stop_parent(w, v, p);
    CILK_HOOK(between, w);
    cilk_closure_lock(p);
    state = load_relaxed(&p->state); /* any other by now */
  }
  bool aborted = cilk_link_aborted(l, w->ext->ctx);
  cilk_check(aborted || size == l->entry->result_size || !result);
  if (!aborted && !mine && state != CILK_SUSPENDED && state != CILK_READY) {
    cilk_worker *v = p->worker;
    queue(w, p, l, result, size);
    cilk_closure_unlock(p);
    if (state == CILK_RUNNING) { /* elsewhere it is in a worker's hand, which looks before anything else */
      CILK_HOOK(signal, w);
      cilk_signal(v);
    }
    return;
  }
  l->stage = CILK_LINK_RETURNED;
  if (aborted) { /* what it has done in views is done; p may go on, but not end */
    cilk_views_give(w, p, l);
    cilk_link_joined(p, l);
    state = load_relaxed(&p->state);
    CILK_HOOK(drop, w, 1);
  } else {
    if (!mine) cilk_closure_change(p, state, CILK_DELIVERING);
    p->join--;
    l->joined = true;
    cilk_closure_unlock(p);
    cilk_deliver_one(w, p, l, result);
  }
  if (mine || !aborted) cilk_drain(w, p);
  if (state == CILK_SUSPENDED) settle(w, p, aborted ? CILK_SUSPENDED : CILK_DELIVERING);
  else if (mine || !aborted) {
    if (settle_ready(w, p)) cilk_give_up(w, p, CILK_WHY_RESUMED);
  } else cilk_closure_unlock(p);
}

/* One closure that was pushed at the bottom of a segment of w, with something queued, and is DELIVERING now; NULL:
 * none. */
static cilk_closure *keep_waiting(cilk_worker *w) {
  cilk_closure *c = NULL;
  cilk_worker_lock(w);
  for (cilk_segment *s = w->ext->seg; s && !c; s = s->outer) {
    cilk_closure *p = s->full;
    if (!p || s->unwinding || load_relaxed(&w->tail) <= s->base || *s->base != p)
      continue; /* stolen, or it runs a thread (that called a nested root) */
    cilk_closure_lock(p);
    bool waits = p->pending && !cilk_closure_aborted(p, w->ext->ctx);
    cilk_closure_unlock(p);
    if (waits) {
      cilk_keep_bottom(w, s);
      c = p;
    }
  }
  cilk_exc_update(w);
  cilk_worker_unlock(w);
  return c;
}

void cilk_deliver_below(cilk_worker *w) {
  for (cilk_closure *c; (c = keep_waiting(w));) {
    CILK_HOOK(deliver_below, w);
    cilk_closure_lock(c);
    cilk_drain(w, c);
    bool handed = settle_ready(w, c);
    if (handed) /* this worker has other things to do */
      cilk_orphan(w, c);
  }
}

/* c is in this worker's hand (or was running here) and its own link is aborted: what is queued for it is dropped, and
 * it ends, now or when its last child is gone. */
void cilk_complete_aborted(cilk_worker *w, cilk_closure *c) {
  cilk_closure_lock(c);
  do cilk_pending_drop(c);
  while (cilk_views_gather(w, c));
  if (c->join > 0) {
    cilk_views_leave(w, c);
    cilk_closure_change(c, load_relaxed(&c->state), CILK_SUSPENDED);
    cilk_closure_unlock(c);
    return;
  }
  cilk_closure_change(c, load_relaxed(&c->state), CILK_RETURNED);
  cilk_closure_unlock(c);
  CILK_HOOK(drop, w, 1);
  cilk_views_forget_closure(w->views, c);
  /* Its parent must not find c through the link any more before c goes; cilk_deliver sees to that. */
  cilk_deliver(w, c->link, NULL, 0);
  cilk_rt_closure_free(c);
}
