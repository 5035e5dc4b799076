/* nest_new.c - a nested scheduler and its seats are made (nest.h). */
#include "data/team.h"
#include "nest/nest.h"
#include "nest/ticker.h"

#include <stdlib.h>

cilk_nest *cilk_nest_new(cilk_computation *m, cilk_team *outer, const char *scheduler, int vprocs, cilk_worker *w,
    struct cilk_engine *engine) {
  cilk_context *ctx = m->run.ctx;
  if (vprocs < 1 || vprocs > outer->vprocs) vprocs = outer->vprocs;
  cilk_nest *n = calloc(1, sizeof *n + (size_t)vprocs * sizeof *n->seats);
  if (!n) cilk_fatal("out of memory");
  if (!cilk_team_make(&n->team, scheduler, vprocs, "Cilk_with", false)) cilk_fatal("no such scheduler");
  n->team.nest = n;
  n->outer = outer;
  n->node.link.root = &n->node;
  n->node.ctx = ctx;
  n->node.team = outer;
  n->node.outer = &m->group->node;
  n->node.shares = true;
  n->node.share = m->run.share;           /* its attributes: the outer scheduler's fields are all 0 yet */
  n->group = m->group;
  n->first = m->closure;
  n->engine = engine;
  int awake = engine ? 0 : 1;             /* the first seat, but an engine's */
  n->left = (uint32_t)vprocs;
  __atomic_fetch_add(&m->group->alive, 1u, __ATOMIC_ACQ_REL);
  __atomic_fetch_add(&ctx->nests, 1u, __ATOMIC_RELAXED);   /* seen by each thief that sees a fiber of it (steal.c) */
  for (int i = 0; i < vprocs; i++) {
    cilk_seat *s = &n->seats[i];
    s->nest = n;
    s->number = i;
    s->link.root = &n->node;
    s->link.worker = w;
    s->closure = cilk_rt_closure_alloc(&cilk_seat_sig);
    *cilk_seat_slot(s->closure) = s;
    cilk_closure_become_full(s->closure, &s->link, w, i < awake ? CILK_READY : CILK_TAKEN);
  }
  cilk_spin_lock(&ctx->seats_lock);
  n->other = ctx->every_nest;
  n->other_at = &ctx->every_nest;
  if (n->other) n->other->other_at = &n->other;
  ctx->every_nest = n;
  cilk_spin_unlock(&ctx->seats_lock);
  if (n->team.sched->slice) cilk_ticker_nest(ctx, n->team.sched->slice(n->team.self), 1);
  return n;
}
