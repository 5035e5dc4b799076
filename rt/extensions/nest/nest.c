/* nest.c - the seats of a nested scheduler: asleep, set aside, retired (nest.h). nest_new.c makes them; fiber.c has the
 * workers that sit there. */
#include "nest/nest.h"
#include "nest/fuel.h"
#include "nest/ticker.h"

#include <stdlib.h>

const cilk_sig cilk_seat_sig = {CILK_ABI_VERSION, 0, NULL, "Cilk_with", "cilk-start.h", CILK_SEAT_BYTES, 0, NULL, NULL,
    0, 0};

bool cilk_is_seat(const cilk_closure *c) { return c->sig == &cilk_seat_sig; }
cilk_seat *cilk_seat_of(cilk_closure *c) { return *cilk_seat_slot(c); }

/* ---- the lists. seats_lock is held ---- */

static void unlist(cilk_nest *n) {
  cilk_team *t = n->outer;
  if (n->before) n->before->next = n->next;
  else store_relaxed(&t->first, n->next);
  *(n->next ? &n->next->before : &t->last) = n->before;
  n->listed = false;
}

/* At the end: a worker that looks takes the first, so all get their turn. */
static void enlist(cilk_nest *n) {
  cilk_team *t = n->outer;
  n->next = NULL;
  n->before = t->last;
  if (t->last) t->last->next = n;
  else store_relaxed(&t->first, n);
  t->last = n;
  n->listed = true;
}

void cilk_nest_list(cilk_nest *n) {
  bool should = n->asleep && !cilk_engine_paused(n->engine);
  if (n->listed && !should) unlist(n);
  else if (!n->listed && should) enlist(n);
}

static void sleeps_now(cilk_seat *s) {
  s->next = s->nest->asleep;
  store_relaxed(&s->nest->asleep, s);
  cilk_nest_list(s->nest);
}

static cilk_seat *take(cilk_nest *n, cilk_seat **at) {
  cilk_seat *s = *at;
  store_relaxed(at, s->next);
  if (n->listed) /* it has had its turn */
    unlist(n);
  cilk_nest_list(n);
  return s;
}

void cilk_nest_open(cilk_nest *n) {
  cilk_context *ctx = n->node.ctx;
  cilk_spin_lock(&ctx->seats_lock);
  for (int i = n->engine ? 0 : 1; i < n->team.vprocs; i++) sleeps_now(&n->seats[i]);
  cilk_spin_unlock(&ctx->seats_lock);
}

void cilk_nest_keep(cilk_nest *n) { __atomic_fetch_add(&n->left, 1u, __ATOMIC_RELAXED); }

void cilk_nest_drop(cilk_nest *n) {
  cilk_context *ctx = n->node.ctx;
  cilk_group *g = n->group;
  if (__atomic_sub_fetch(&n->left, 1u, __ATOMIC_ACQ_REL) != 0) return;
  cilk_spin_lock(&ctx->seats_lock);
  *n->other_at = n->other;
  if (n->other) n->other->other_at = n->other_at;
  cilk_spin_unlock(&ctx->seats_lock);
  if (n->team.sched->slice) cilk_ticker_nest(ctx, 0, -1);
  if (n->outer->sched->ended) n->outer->sched->ended(n->outer->self, &n->node.share);
  cilk_team_destroy(&n->team);
  cilk_engine_release(n->engine);
  free(n);
  __atomic_fetch_sub(&ctx->nests, 1u, __ATOMIC_RELAXED);
  cilk_group_leave(g);
}

void cilk_seat_retire(cilk_seat *s) {
  cilk_nest *n = s->nest;
  cilk_closure *c = s->closure;
  s->closure = NULL; /* a child that is forked from here on does not count this seat */
  cilk_rt_closure_free(c);
  cilk_nest_drop(n);
}

cilk_seat *cilk_nest_seats(cilk_nest *n) {
  cilk_seat *list = n->asleep;
  store_relaxed(&n->asleep, NULL);
  cilk_nest_list(n);
  return list;
}

void cilk_nest_over(cilk_nest *n) {
  cilk_context *ctx = n->node.ctx;
  cilk_seat *gone, *s;
  /* the worker that ends it does not always sit there, and others may retire all seats from here on */
  cilk_nest_keep(n);
  store_seq_cst(&n->over, 1u); /* a worker that goes to sleep looks at it under the lock */
  cilk_spin_lock(&ctx->seats_lock);
  gone = cilk_nest_seats(n);
  cilk_spin_unlock(&ctx->seats_lock);
  while ((s = gone)) {
    gone = s->next;
    cilk_seat_retire(s);
  }
  cilk_nest_drop(n);
}

bool cilk_seat_sleep(cilk_seat *s, uint32_t seen) {
  cilk_nest *n = s->nest;
  cilk_context *ctx = n->node.ctx;
  cilk_spin_lock(&ctx->seats_lock);
  bool sleeps = !load_seq_cst(&n->over) && load_seq_cst(&n->published) == seen && !load_seq_cst(&s->inbox);
  if (sleeps) sleeps_now(s);
  cilk_spin_unlock(&ctx->seats_lock);
  return sleeps;
}

bool cilk_seat_pause(cilk_seat *s) {
  cilk_nest *n = s->nest;
  cilk_context *ctx = n->node.ctx;
  cilk_spin_lock(&ctx->seats_lock);
  bool sleeps = !load_seq_cst(&n->over) && cilk_engine_paused(n->engine);
  if (sleeps && s->stack) {
    s->next = n->aside;
    n->aside = s;
  } else if (sleeps) sleeps_now(s);
  cilk_spin_unlock(&ctx->seats_lock);
  return sleeps;
}

cilk_seat *cilk_seat_of_nest(cilk_nest *n, const cilk_seat *this) {
  cilk_context *ctx = n->node.ctx;
  cilk_seat *s = NULL;
  cilk_spin_lock(&ctx->seats_lock);
  cilk_seat **at = &n->asleep;
  while (*at && this && *at != this) at = &(*at)->next;
  if (*at && !cilk_engine_paused(n->engine)) s = take(n, at);
  cilk_spin_unlock(&ctx->seats_lock);
  return s;
}

cilk_seat *cilk_seat_asleep(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  cilk_team *t = w->ext->team;
  cilk_seat *s = NULL;
  if (!load_relaxed(&t->first)) /* a hint: idle workers look again */
    return NULL;
  cilk_spin_lock(&ctx->seats_lock);
  cilk_nest *n = t->first;
  while (n && !cilk_root_within(&n->node, w->ext->wait.root)) n = n->next;
  if (n) s = take(n, &n->asleep);
  cilk_spin_unlock(&ctx->seats_lock);
  return s;
}
