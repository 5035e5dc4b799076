/* sync.c - what slow clones call: sync, SYNCHED, return. The closure is RUNNING here, not pushed, at the bottom of the
 * innermost segment. */
#include "protocol/deliver.h"
#include "data/blocks.h"
#include "data/deque.h"
#include "steal/drain.h"
#include "steal/lazy.h"
#include "observe/hook.h"
#include "data/places.h"

/* CONTINUE: no child is out, all deliveries done. UNWIND: suspended (another worker may run c already) or aborted. */
static int sync_step(cilk_worker *w, cilk_closure *c) {
  cilk_worker_ext *x = w->ext;
  cilk_segment *s = x->seg;
  cilk_check(s && s->full == c);
  cilk_assert_own(c, w, CILK_RUNNING);
  cilk_closure_lock(c);
  do cilk_drain(w, c);
  while (cilk_views_gather(w, c));
  if (cilk_closure_aborted(c, x->ctx)) {
    cilk_closure_unlock(c);
    cilk_worker_lock(w);
    s->unwinding = CILK_UNWIND_ABORT;     /* the scheduler completes c */
    cilk_worker_unlock(w);
    return CILK_UNWIND;
  }
  if (c->join == 0) {
    cilk_closure_unlock(c);
    cilk_hunger_place(w, c);
    return CILK_CONTINUE;
  }
  store_relaxed(&s->full, NULL);          /* read by cilk_stop_parent, which then finds nothing pushed */
  s->link = NULL;                         /* the deque of this segment is empty: no thief looks at it */
  cilk_views_leave(w, c);
  CILK_HOOK(suspend, w, c);
  cilk_closure_change(c, CILK_RUNNING, CILK_SUSPENDED);
  cilk_closure_unlock(c);
  return CILK_UNWIND;
}

int cilk_rt_sync(cilk_closure *c) {
  cilk_worker *w = cilk_me();
  CILK_HOOK(sync, w, c);
  int verdict = sync_step(w, c);
  CILK_HOOK(step_ends, w);
  return verdict;
}

/* 1 only if no child is out; deliveries that wait count as out. The lock makes the children's effects visible. */
int cilk_rt_synched(cilk_closure *c) {
  cilk_worker *w = cilk_me();
  CILK_HOOK(synched, w);
  cilk_closure_lock(c);
  int none = c->join == 0;
  cilk_closure_unlock(c);
  CILK_HOOK(step_ends, w);
  return none;
}

/* An outstanding child may hold the address of the array that the declaration made before. */
void *cilk_rt_vla(cilk_closure *c, size_t n, size_t align, unsigned number) {
  return cilk_closure_vla(c, n, align, number, number && !cilk_needs_no_block(n, align) && cilk_rt_synched(c));
}

/* The procedure is done; value may lie in c. */
void cilk_rt_return(cilk_closure *c, void *value, size_t size) {
  cilk_worker *w = cilk_me();
  cilk_segment *s = w->ext->seg;
  CILK_HOOK(slow_return, w, c);
  cilk_check(s && s->full == c && c->join == 0);
  cilk_assert_own(c, w, CILK_RUNNING);
  cilk_link *l = c->link;
  store_relaxed(&s->full, NULL);          /* as in sync */
  s->link = NULL;
  cilk_closure_lock(c);
  while (cilk_views_gather(w, c));
  cilk_closure_change(c, CILK_RUNNING, CILK_RETURNED);
  cilk_closure_unlock(c);
  cilk_deliver(w, l, value, size);
  cilk_rt_closure_free(c);
  CILK_HOOK(step_ends, w);
}
