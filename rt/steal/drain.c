/* drain.c - one delivery, and those that wait: the store, `op=` or inlet that an entry stands for. No lock is held
 * while it runs. */
#include "steal/drain.h"
#include "observe/events.h"
#include "data/policy.h"
#include "observe/span.h"
#include "data/step.h"
#include "views/places.h"

static void run_entry(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result)
{
  const cilk_entry *e = l->entry;
  cilk_point(w, CILK_TURN_STEP);
  cilk_count(w, CILK_N_DELIVER);
  CILK_EVENT(DELIVER, w, p, l);
  if (e->deliver) {
    if (e->flags & CILK_ENTRY_INLET)
      CILK_EVENT(INLET, w, p, l);
    bool inlet = e->flags & CILK_ENTRY_INLET;
    if (inlet)
      cilk_step_end(w);
    e->deliver(p, cilk_link_record(l), result);
    if (inlet)
      cilk_step_begin(w, CILK_STEP_AFTER);
  }
}

void cilk_deliver_one(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result)
{
  if (load_relaxed(&cilk_span_used))
    cilk_span_deliver(w, p, l);
  run_entry(w, p, l, result);
  cilk_closure_lock(p);
  cilk_views_give(w, p, l);
}

/* p's lock is held, and is again afterwards; the caller has p to itself (in hand, DELIVERING, or running it). */
void cilk_drain(cilk_worker *w, cilk_closure *p)
{
  cilk_assert_locked(p);
  for (cilk_link *l; !cilk_closure_aborted(p, w->ext->ctx) && (l = cilk_pending_take(p));) {
    struct cilk_views *own = w->views;    /* p's, or of another strand that runs here */
    cilk_closure_unlock(p);
    w->views = l->views;
    cilk_deliver_one(w, p, l, cilk_link_result(l));
    w->views = own;
  }
  if (p->pending)                         /* p itself was aborted */
    cilk_count_n(w, CILK_N_ABORTED, cilk_pending_drop(p));
}
