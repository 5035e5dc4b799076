/* deliver.c - a child's result goes to its parent: stores, `op=`, inlets; and the end of aborted closures.
 *
 * Threads of one instance, its inlets and its implicit deliveries exclude one another. So the state of the parent decides:
 *   SUSPENDED   the deliverer runs it now (state DELIVERING meanwhile), and resumes the parent if it was the last (provably good)
 *   RUNNING     if the parent waits at the head of a deque, the deliverer, who has nothing else to do, steals it, delivers, and goes
 *               on with it; else the result is copied into the link, the link queued, and the worker signalled
 *   READY, DELIVERING   queued: who has the parent in hand runs what is queued before anything else
 * No lock is held while a delivery runs. The join counter goes down before it runs, so that SYNCHED in an inlet does not count the
 * inlet's own child.
 *
 * A delivery may leave one closure to run next in ext->next; its caller returns to the scheduler at once. */
#include "internal.h"

static void run_entry(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result)
{
  const cilk_entry *e = l->entry;
  cilk_count(w, CILK_N_DELIVER);
  CILK_EVENT(CILK_EV_DELIVER, w, p, l);
  if (e->deliver) {
    if (e->flags & CILK_ENTRY_INLET)
      CILK_EVENT(CILK_EV_INLET, w, p, l);
    e->deliver(p, cilk_link_record(l), result);
  }
  (void)w;
}

/* Runs one delivery whose link has been taken off p's lists; the caller has p to itself (in hand, or running it). Frees the link. */
void cilk_run_pending(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result)
{
  if (load_relaxed(&cilk_span_used))
    cilk_span_deliver(p, l);
  run_entry(w, p, l, result);
  cilk_link_free(l);
}

static void set_next(cilk_worker *w, cilk_closure *c)
{
  cilk_check(w->ext->next == NULL);
  w->ext->next = c;
}

/* p's lock is held, p is SUSPENDED or DELIVERING with nothing pending: resume it if nothing is out. Unlocks. */
static void settle(cilk_worker *w, cilk_closure *p)
{
  if (p->join == 0) {
    store_relaxed(&p->state, CILK_READY);
    p->worker = w;
    cilk_closure_unlock(p);
    cilk_count(w, CILK_N_PROVABLY_GOOD);
    set_next(w, p);
    return;
  }
  store_relaxed(&p->state, CILK_SUSPENDED);
  cilk_closure_unlock(p);
}

void cilk_deliver(cilk_worker *w, cilk_link *l, void *result, size_t size)
{
  cilk_closure *p = l->parent;
  bool tried = false;
  if (load_relaxed(&cilk_span_used))
    cilk_span_carry(w, l);
  if (!p) {
    cilk_root_finish(w, l, result, size);
    return;
  }
  cilk_check(p->magic == CILK_MAGIC);
  cilk_closure_lock(p);
  l->child = NULL;                        /* from here on an abort that walks p's children does not go into the child */
  for (;;) {
    if (cilk_link_aborted(l, w->ext->ctx)) {
      cilk_children_remove(p, l);
      p->join--;
      cilk_link_free(l);
      cilk_count(w, CILK_N_ABORTED);
      if (load_relaxed(&p->state) == CILK_SUSPENDED)
        settle(w, p);
      else
        cilk_closure_unlock(p);
      return;
    }
    cilk_check(size == l->entry->result_size || !result);
    uint32_t state = load_relaxed(&p->state);
    if (state == CILK_SUSPENDED) {
      cilk_children_remove(p, l);
      p->join--;
      store_relaxed(&p->state, CILK_DELIVERING);
      cilk_closure_unlock(p);
      cilk_run_pending(w, p, l, result);
      cilk_closure_lock(p);
      while ((l = cilk_pending_take(p))) {
        cilk_closure_unlock(p);
        cilk_run_pending(w, p, l, cilk_link_result(l));
        cilk_closure_lock(p);
      }
      settle(w, p);
      return;
    }
    cilk_worker *v = p->worker;
    if (state == CILK_RUNNING && v != w && !tried) {
      tried = true;
      cilk_closure_unlock(p);
      cilk_closure *got = cilk_steal(w, v, p);
      cilk_closure_lock(p);
      if (got) {                          /* p is READY in this worker's hand */
        set_next(w, p);
        if (!cilk_link_aborted(l, w->ext->ctx)) {
          cilk_children_remove(p, l);
          p->join--;
          cilk_closure_unlock(p);
          w->ext->next = NULL;            /* an inlet may run a nested root, whose scheduler must not take it */
          cilk_run_pending(w, p, l, result);
          set_next(w, p);
          return;
        }
      }
      continue;                           /* look again: the state may be any other by now */
    }
    /* RUNNING, READY, DELIVERING */
    cilk_children_remove(p, l);
    size_t n = l->entry->result_size;
    if (n && result)
      memcpy(cilk_link_result(l), result, n < size ? n : size);
    cilk_pending_add(p, l);
    cilk_closure_unlock(p);
    cilk_count(w, CILK_N_DELIVER_QUEUED);
    if (state == CILK_RUNNING) {
      cilk_count(w, CILK_N_SIGNAL);
      cilk_signal(v);
    }
    return;
  }
}

/* c is in this worker's hand (or was running here) and its own link is aborted: what is queued for it is dropped, and it ends, now or
 * when its last child is gone. */
void cilk_complete_aborted(cilk_worker *w, cilk_closure *c)
{
  cilk_closure_lock(c);
  cilk_pending_drop(c);
  if (c->join > 0) {
    store_relaxed(&c->state, CILK_SUSPENDED);
    cilk_closure_unlock(c);
    return;
  }
  store_relaxed(&c->state, CILK_RETURNED);
  cilk_closure_unlock(c);
  cilk_count(w, CILK_N_ABORTED);
  cilk_link *l = c->link;
  /* The parent must not find c through the link any more before c goes; cilk_deliver sees to that. */
  cilk_deliver(w, l, NULL, 0);
  cilk_rt_closure_free(c);
}
