/* orphan.c - the common pool: READY closures that are neither on a deque nor in a scheduler's keeping (fiber.c): what a worker holds when its loop ends,
 * what forced steals take. */
#include "orphan.h"
#include "context.h"
#include "steal.h"

/* c is READY. The caller, or who called that one, tells those who sleep. */
void cilk_orphan_put(cilk_context *ctx, cilk_closure *c)
{
  cilk_spin_lock(&ctx->orphan_lock);
  c->next = ctx->orphans;
  store_relaxed(&ctx->orphans, c);
  cilk_spin_unlock(&ctx->orphan_lock);
}

cilk_closure *cilk_orphan_take(cilk_worker *w)
{
  cilk_context *ctx = w->ext->ctx;
  while (load_relaxed(&ctx->orphans)) {   /* a hint */
    cilk_spin_lock(&ctx->orphan_lock);
    cilk_closure **at = &ctx->orphans, *c;
    while ((c = *at) && !(cilk_closure_root(c)->team == w->ext->team && cilk_may_take(w->ext, cilk_closure_root(c))))
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
