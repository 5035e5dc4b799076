/* nest.c - the seats of a nested scheduler: made, asleep, retired (nest.h). Who sits there is seat.c's. */
#include "nest.h"
#include "fuel.h"
#include "ticker.h"

#include <stdlib.h>

enum { SEAT_BYTES = CILK_CLOSURE_HEADER + CILK_FREE_UNIT };

static const cilk_sig seat_sig = { CILK_ABI_VERSION, 0, NULL, "Cilk_with", "cilk-start.h", SEAT_BYTES, 0, NULL, NULL, 0 };

static cilk_seat **slot(cilk_closure *c) { return (cilk_seat **)(void *)((char *)c + CILK_CLOSURE_HEADER); }

bool cilk_is_seat(const cilk_closure *c) { return c->sig == &seat_sig; }
cilk_seat *cilk_seat_of(cilk_closure *c) { return *slot(c); }

cilk_nest *cilk_nest_new(cilk_computation *m, cilk_team *outer, const char *scheduler, int vprocs, cilk_worker *w, cilk_engine *engine)
{
  cilk_context *ctx = m->run.ctx;
  if (vprocs < 1 || vprocs > outer->vprocs)
    vprocs = outer->vprocs;
  cilk_nest *n = calloc(1, sizeof *n + (size_t)vprocs * sizeof *n->seats);
  if (!n)
    cilk_fatal("out of memory");
  if (!cilk_team_make(&n->team, scheduler, vprocs, "Cilk_with", false))
    cilk_fatal("no such scheduler");
  n->team.nest = n;
  n->outer = outer;
  n->node.link.root = &n->node;
  n->node.ctx = ctx;
  n->node.team = outer;
  n->node.outer = &m->group->node;
  n->node.shares = true;
  n->node.share.weight = 1;
  n->group = m->group;
  n->first = m->closure;
  n->engine = engine;
  int awake = engine ? 0 : 1;             /* the first seat, but an engine's */
  n->left = (uint32_t)vprocs;
  __atomic_fetch_add(&m->group->alive, 1u, __ATOMIC_ACQ_REL);
  __atomic_fetch_add(&ctx->nests, 1u, __ATOMIC_RELAXED);   /* seen by who sees a fiber of it (steal.c) */
  for (int i = 0; i < vprocs; i++) {
    cilk_seat *s = &n->seats[i];
    s->nest = n;
    s->number = i;
    s->link.root = &n->node;
    s->link.worker = w;
    s->closure = cilk_rt_closure_alloc(&seat_sig);
    *slot(s->closure) = s;
    cilk_closure_become_full(s->closure, &s->link, w, i < awake ? CILK_READY : CILK_TAKEN);
  }
  if (n->team.sched->slice)
    cilk_ticker_nest(ctx, n->team.sched->slice(n->team.self), 1);
  return n;
}

void cilk_nest_open(cilk_nest *n)
{
  cilk_context *ctx = n->node.ctx;
  int awake = n->engine ? 0 : 1;
  cilk_spin_lock(&ctx->seats_lock);
  for (int i = awake; i < n->team.vprocs; i++) {
    n->seats[i].next = ctx->asleep;
    store_relaxed(&ctx->asleep, &n->seats[i]);
  }
  store_relaxed(&n->asleep, (uint32_t)(n->team.vprocs - awake));
  cilk_spin_unlock(&ctx->seats_lock);
}

/* seats_lock is held. */
static void take(cilk_seat **at)
{
  cilk_seat *s = *at;
  store_relaxed(at, s->next);
  s->next = NULL;
  store_relaxed(&s->nest->asleep, s->nest->asleep - 1);
}

void cilk_nest_keep(cilk_nest *n) { __atomic_fetch_add(&n->left, 1u, __ATOMIC_RELAXED); }

void cilk_nest_drop(cilk_nest *n)
{
  cilk_context *ctx = n->node.ctx;
  cilk_group *g = n->group;
  if (__atomic_sub_fetch(&n->left, 1u, __ATOMIC_ACQ_REL) != 0)
    return;
  if (n->team.sched->slice)
    cilk_ticker_nest(ctx, 0, -1);
  cilk_team_destroy(&n->team);
  cilk_engine_release(n->engine);
  free(n);
  __atomic_fetch_sub(&ctx->nests, 1u, __ATOMIC_RELAXED);
  cilk_group_leave(g);
}

void cilk_seat_retire(cilk_seat *s)
{
  cilk_nest *n = s->nest;
  cilk_rt_closure_free(s->closure);
  cilk_nest_drop(n);
}

cilk_seat *cilk_nest_seats(cilk_nest *n)
{
  cilk_seat *list = NULL, *s;
  for (cilk_seat **at = &n->node.ctx->asleep; (s = *at);)
    if (s->nest == n) {
      take(at);
      s->next = list;
      list = s;
    } else
      at = &s->next;
  return list;
}

void cilk_nest_over(cilk_nest *n)
{
  cilk_context *ctx = n->node.ctx;
  cilk_seat *gone, *s;
  cilk_nest_keep(n);                      /* who ends it does not always sit there, and others may retire all seats from here on */
  store_seq_cst(&n->over, 1u);            /* who goes to sleep looks at it under the lock */
  cilk_spin_lock(&ctx->seats_lock);
  gone = cilk_nest_seats(n);
  cilk_spin_unlock(&ctx->seats_lock);
  while ((s = gone)) {
    gone = s->next;
    cilk_seat_retire(s);
  }
  cilk_nest_drop(n);
}

/* seats_lock is held. At the end: who looks takes the first, so all get their turn. */
static void sleeps_now(cilk_seat *s)
{
  cilk_seat **at = &s->nest->node.ctx->asleep;
  while (*at)
    at = &(*at)->next;
  s->next = NULL;
  store_relaxed(at, s);
  store_relaxed(&s->nest->asleep, s->nest->asleep + 1);
}

bool cilk_seat_sleep(cilk_seat *s, uint32_t seen)
{
  cilk_nest *n = s->nest;
  cilk_context *ctx = n->node.ctx;
  cilk_spin_lock(&ctx->seats_lock);
  bool sleeps = !load_seq_cst(&n->over) && load_seq_cst(&n->published) == seen && !load_seq_cst(&s->inbox);
  if (sleeps)
    sleeps_now(s);
  cilk_spin_unlock(&ctx->seats_lock);
  return sleeps;
}

bool cilk_seat_pause(cilk_seat *s)
{
  cilk_nest *n = s->nest;
  cilk_context *ctx = n->node.ctx;
  cilk_spin_lock(&ctx->seats_lock);
  bool sleeps = !load_seq_cst(&n->over) && cilk_engine_paused(n->engine);
  if (sleeps)
    sleeps_now(s);
  cilk_spin_unlock(&ctx->seats_lock);
  return sleeps;
}

cilk_seat *cilk_seat_of_nest(cilk_nest *n, const cilk_seat *this)
{
  cilk_context *ctx = n->node.ctx;
  cilk_seat *s = NULL;
  cilk_spin_lock(&ctx->seats_lock);
  for (cilk_seat **at = &ctx->asleep; n->asleep && !cilk_engine_paused(n->engine) && (s = *at); at = &s->next)
    if (s->nest == n && (!this || s == this)) {
      take(at);
      break;
    }
  cilk_spin_unlock(&ctx->seats_lock);
  return s;
}

cilk_seat *cilk_seat_asleep(cilk_worker *w)
{
  cilk_context *ctx = w->ext->ctx;
  cilk_seat *s = NULL;
  if (!load_relaxed(&ctx->asleep))        /* a hint: idle workers look again */
    return NULL;
  cilk_spin_lock(&ctx->seats_lock);
  for (cilk_seat **at = &ctx->asleep; (s = *at); at = &s->next)
    if (s->nest->outer == w->ext->team && !cilk_engine_paused(s->nest->engine) && cilk_root_within(&s->nest->node, w->ext->waiting)) {
      take(at);
      break;
    }
  cilk_spin_unlock(&ctx->seats_lock);
  return s;
}
