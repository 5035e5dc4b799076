/* drain.c - one delivery, and those that wait: the store, `op=` or inlet that an entry stands for. No lock is held
 * while it runs. */
#include "steal/drain.h"
#include "data/deque.h"
#include "observe/hook.h"
#include "data/places.h"

static void run_entry(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result) {
  const cilk_entry *e = l->entry;
  if (e->deliver) {
    bool inlet = e->flags & CILK_ENTRY_INLET;
    struct cilk_root_run *outer = w->ext->wait.inlet;
    const cilk_segment *above = w->ext->wait.inlet_above;
    if (inlet) {
      w->ext->wait.inlet = cilk_closure_root(p);
      w->ext->wait.inlet_above = w->ext->seg;
      CILK_HOOK(inlet, w, p, l);
    }
    e->deliver(p, cilk_link_record(l), result);
    if (inlet) {
      CILK_HOOK(user_code_ends, w);
      w->ext->wait.inlet = outer;
      w->ext->wait.inlet_above = above;
    }
  }
}

void cilk_deliver_one(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result) {
  CILK_HOOK(between, w);
  CILK_HOOK(deliver, w, p, l);
  run_entry(w, p, l, result);
  cilk_closure_lock(p);
  cilk_views_give(w, p, l);
}

/* p's lock is held, and is again afterwards; the caller has p to itself (in hand, DELIVERING, or running it). */
void cilk_drain(cilk_worker *w, cilk_closure *p) {
  cilk_assert_locked(p);
  for (cilk_link *l; !cilk_closure_aborted(p, w->ext->ctx) && (l = cilk_pending_take(p));) {
    struct cilk_views *own = w->views;    /* p's, or of another strand that runs here */
    cilk_closure_unlock(p);
    w->views = l->views;
    cilk_deliver_one(w, p, l, cilk_link_result(l));
    w->views = own;
  }
  if (p->pending)                         /* p itself was aborted */
    CILK_HOOK(drop, w, cilk_pending_drop(p));
}
