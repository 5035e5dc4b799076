/* orphan.c - READY closures that lie on nobody's deque: what a worker holds when its loop ends, and what forced steals take. */
#include "orphan.h"
#include "drain.h"
#include "events.h"
#include "sleep.h"
#include "steal.h"

/* c is in this worker's hand. What is queued for it is delivered, then any idle worker may have it. */
void cilk_orphan(cilk_worker *w, cilk_closure *c)
{
  cilk_context *ctx = w->ext->ctx;
  cilk_closure_lock(c);
  cilk_assert_own(c, w, CILK_TAKEN);
  cilk_drain(w, c);
  store_relaxed(&c->state, CILK_READY);
  cilk_closure_unlock(c);
  cilk_spin_lock(&ctx->orphan_lock);
  c->next = ctx->orphans;
  store_relaxed(&ctx->orphans, c);
  cilk_announce(ctx, cilk_closure_root(c));      /* under the lock: once c is taken its root may be over soon */
  cilk_spin_unlock(&ctx->orphan_lock);
}

cilk_closure *cilk_orphan_take(cilk_worker *w)
{
  cilk_context *ctx = w->ext->ctx;
  while (load_relaxed(&ctx->orphans)) {   /* a hint */
    cilk_spin_lock(&ctx->orphan_lock);
    cilk_closure **at = &ctx->orphans, *c;
    while ((c = *at) && !cilk_root_within(cilk_closure_root(c), w->ext->waiting))
      at = &c->next;
    if (c)
      store_relaxed(at, c->next);
    cilk_spin_unlock(&ctx->orphan_lock);
    if (!c)
      break;
    if (cilk_take_ready(w, c))
      return c;
  }
  return NULL;
}
