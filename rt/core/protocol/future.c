/* future.c - futures: a touch waits for one child, of any procedure.
 *
 * In a fast clone the procedure's own futures have their values. A touch of another's future that has none makes
 * closures of the frames (exception.c, release.c), so that only slow clones wait. They are suspended as at a sync.
 * The touch has a link among the children, which is in the future's list, and which the filler of the future
 * consumes. Aborts reach the closure as they would at a sync, and take the link off the list.
 *
 * A future is filled by its child's delivery, which excludes no other access (deliver.c), or by the slow clone that
 * spawned, when the child has returned to it. One whose child was aborted is filled without a value. */
#include "protocol/future.h"
#include "data/deque.h"
#include "steal/drain.h"
#include "observe/hook.h"
#include "fibers/fiber.h"
#include "fibers/orphan.h"
#include "data/root.h"
#include "steal/sleep.h"
#include "data/places.h"

#include <sched.h>

void cilk_rt_touch_empty(cilk_future *f) {
  (void)f;
  cilk_fatal("touch of a future into which nothing was spawned");
}

void cilk_future_check(cilk_future *f) {
  if (load_relaxed(&f->state) == CILK_FUTURE_EMPTY) cilk_rt_touch_empty(f);
}

/* Takes the lock; false: it is full. */
static bool lock(cilk_future *f) {
  for (unsigned n = 0;; n++) {
    uint64_t s = load_acquire(&f->state);
    if (s >= CILK_FUTURE_FULL) return false;
    cilk_check(s != CILK_FUTURE_EMPTY);
    if (s == CILK_FUTURE_PENDING &&
        __atomic_compare_exchange_n(&f->state, &s, CILK_FUTURE_BUSY, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;                        /* pairs with unlock */
    /* the state is not a lock of spin.h's, but a worker that waits for it waits like others (turns, tests) */
    static uint32_t none;
    cilk_spin_wait(&none);
    if (n % CILK_LOCK_SPINS == CILK_LOCK_SPINS - 1) sched_yield();
    else cilk_pause();
  }
}
static void unlock(cilk_future *f) { store_release(&f->state, (uint64_t)CILK_FUTURE_PENDING); }

void cilk_future_fill(cilk_worker *w, cilk_future *f) {
  if (!lock(f)) cilk_fatal("a future was spawned into although it already had its value");
  cilk_link *l = f->waiters, *next;
  f->waiters = cilk_hook_path_of_future(w);
  /* The last access: a frame, or memory of the program's, goes when its reader goes on. Pairs with cilk_future_full and
   * generated code's acquire. */
  store_release(&f->state, (uint64_t)(w->ext && cilk_ordered(w) ? CILK_FUTURE_ORDERED : CILK_FUTURE_FULL));
  for (; l; l = next) {
    next = l->next_waiting;
    cilk_future_wake(w, l);
  }
}

bool cilk_future_leave(cilk_link *l) {
  cilk_future *f = l->future;
  if (!lock(f)) return false;
  cilk_link **at = &f->waiters;
  while (*at && *at != l) at = &(*at)->next_waiting;
  bool found = *at != NULL;
  if (found) *at = l->next_waiting;
  unlock(f);
  return found;
}

void cilk_future_wake(cilk_worker *w, cilk_link *l) {
  cilk_closure *p = l->parent;
  const cilk_root_run *root = l->root;
  if (w->ext) CILK_HOOK(between, w);
  cilk_closure_lock(p);
  cilk_children_remove(p, l);
  p->join--;
  cilk_link_free(l);
  uint32_t state = load_relaxed(&p->state);
  cilk_check(state == CILK_SUSPENDED || state == CILK_DELIVERING);
  cilk_context *ctx = root->ctx;
  /* else the worker that runs a delivery sees that nothing is waited for (deliver.c, settle) */
  bool goes = state == CILK_SUSPENDED;
  if (goes && cilk_closure_aborted(p, ctx) && p->join > 0) goes = false; /* its children end it */
  if (goes) cilk_closure_change(p, CILK_SUSPENDED, CILK_READY);
  __atomic_fetch_sub(&ctx->touching, 1u, __ATOMIC_RELAXED);
  cilk_closure_unlock(p);
  if (goes && !(w->ext && w->ext->ctx == ctx)) { /* this thread is no worker (abort.c), or one of another context */
    cilk_orphan_put(ctx, p);
    cilk_open_to_all(ctx);
  } else if (goes) /* this worker may have frames above its deque's end, or another closure to go on with */
    cilk_ready(w, p, CILK_WHY_ORPHANED);
}

/* c is RUNNING here, not pushed, at the bottom of the innermost segment. What is queued is delivered: this is a thread
 * boundary. */
static int touch(cilk_worker *w, cilk_closure *c, cilk_future *f) {
  cilk_segment *s = w->ext->seg;
  cilk_check(s && s->full == c);
  cilk_assert_own(c, w, CILK_RUNNING);
  cilk_closure_lock(c);
  do cilk_drain(w, c);
  while (cilk_views_gather(w, c));
  if (cilk_closure_aborted(c, w->ext->ctx)) {
    cilk_closure_unlock(c);
    cilk_worker_lock(w);
    s->unwinding = CILK_UNWIND_ABORT; /* as in sync.c */
    cilk_worker_unlock(w);
    return CILK_UNWIND;
  }
  if (!lock(f)) {
    cilk_closure_unlock(c);
    return CILK_CONTINUE;
  }
  cilk_views_leave(w, c);
  cilk_link *l = cilk_link_new(c, w, c->link);
  l->future = f;
  cilk_children_add(c, l);
  l->next_waiting = f->waiters;
  f->waiters = l;
  store_relaxed(&s->full, NULL); /* as in sync.c */
  s->link = NULL;
  CILK_HOOK(touch_waits, w, c, f);
  __atomic_fetch_add(&w->ext->ctx->touching, 1u, __ATOMIC_RELAXED);
  cilk_closure_change(c, CILK_RUNNING, CILK_SUSPENDED);
  unlock(f); /* a filler waits for c's lock from here on */
  cilk_closure_unlock(c);
  return CILK_UNWIND;
}

int cilk_rt_touch(cilk_closure *c, cilk_future *f) {
  cilk_worker *w = cilk_me();
  cilk_future_check(f);
  CILK_HOOK(touch, w);
  int verdict = touch(w, c, f);
  CILK_HOOK(step_ends, w);
  return verdict;
}

void cilk_rt_view_joined(cilk_closure *c) {
  cilk_worker *w = cilk_me();
  CILK_HOOK(touch, w);
  cilk_closure_lock(c);
  while (cilk_views_gather(w, c));
  cilk_closure_unlock(c);
  CILK_HOOK(step_ends, w);
}

int cilk_rt_renew(cilk_closure *c, void *variable, size_t size) {
  cilk_worker *w = cilk_me();
  cilk_future *f;
  int verdict = CILK_CONTINUE;
  CILK_HOOK(touch, w);
  do {
    f = NULL;
    cilk_closure_lock(c);
    for (cilk_link *l = c->children; l && !f; l = l->next)
      if (l->entry->flags & CILK_ENTRY_FUTURE) {
        cilk_future *g = cilk_link_future(l);
        if ((char *)g >= (char *)variable && (char *)g < (char *)variable + size && !cilk_future_full(g)) f = g;
      }
    cilk_closure_unlock(c); /* f is in c's own frame */
  } while (f && (verdict = touch(w, c, f)) == CILK_CONTINUE);
  CILK_HOOK(step_ends, w);
  return f ? verdict : CILK_CONTINUE;
}

void cilk_rt_begin(cilk_future *f) {
  uint64_t s = load_relaxed(&f->state);
  if (s == CILK_FUTURE_PENDING || s == CILK_FUTURE_BUSY)
    cilk_fatal("a future was spawned into again before its earlier child had returned: touch it first");
  store_relaxed(&f->state, (uint64_t)CILK_FUTURE_PENDING); /* the push that follows publishes it */
}

void cilk_rt_fill(cilk_future *f) {
  cilk_worker *w = cilk_me();
  CILK_HOOK(fill, w);
  cilk_future_fill(w, f);
  CILK_HOOK(step_ends, w);
}
