/* orphan.c - the common pool of a team: READY closures that are neither on a deque nor in a scheduler's keeping
 * (fiber.c): what a worker holds when its loop ends, what forced steals take. A nested scheduler has a pool of its own,
 * so a look there costs nothing for what waits elsewhere. */
#include "fibers/orphan.h"
#include "data/context.h"
#include "data/slots.h"
#include "steal/steal.h"

static cilk_closure **pool_of(cilk_context *ctx, const cilk_team *t) {
  return t->nest ? cilk_nest_orphans(t->nest) : &ctx->orphans;
}

/* c is READY. The caller, or the caller's caller, notifies sleeping workers. */
void cilk_orphan_put(cilk_context *ctx, cilk_closure *c) {
  cilk_closure **pool = pool_of(ctx, cilk_closure_root(c)->team);
  cilk_spin_lock(&ctx->orphan_lock);
  c->next = *pool;
  store_relaxed(pool, c);
  cilk_spin_unlock(&ctx->orphan_lock);
}

cilk_closure *cilk_orphan_take(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  cilk_closure **pool = pool_of(ctx, w->ext->team);
  while (load_relaxed(pool)) {            /* a hint */
    cilk_spin_lock(&ctx->orphan_lock);
    cilk_closure **at = pool, *c;
    while ((c = *at) && !cilk_may_take(w->ext, cilk_closure_root(c))) at = &c->next;
    if (c) store_relaxed(at, c->next);
    cilk_spin_unlock(&ctx->orphan_lock);
    if (!c) break;
    if (cilk_take_ready(w, c)) return c;
  }
  return NULL;
}
