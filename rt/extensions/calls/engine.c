/* engine.c - engines: computations that are paused and go on (fuel.h), driven by the program.
 *
 * A seat that falls asleep in a paused engine does so under seats_lock, where `paused` changes: so when the engine is
 * resumed it is either in the list, and woken, or it does not fall asleep. */
#include "calls/start.h"
#include "fibers/fiber.h"
#include "nest/seats.h"
#include "steal/steal.h"
#include "data/step.h"
#include "steal/sleep.h"
#include "nest/seat_stack.h"

#include <stdlib.h>

/* The fuel is used up. The ticker's mutex is held, so m is not done. */
static void pause_it(cilk_computation *m) {
  cilk_nest *n = m->nest;
  cilk_engine *e = m->engine;
  cilk_context *ctx = m->run.ctx;
  cilk_spin_lock(&ctx->seats_lock);
  if (!load_relaxed(&e->open)) {
    store_seq_cst(&e->paused, 1u);
    cilk_nest_list(n);
  }
  cilk_spin_unlock(&ctx->seats_lock);
  for (int i = 0; i < n->team.vprocs; i++) {
    cilk_worker *w = load_seq_cst(&n->seats[i].worker);
    if (w) {
      cilk_hurry(w);
      cilk_unpark(w);                     /* it waits in C code, perhaps */
    }
  }
  if (load_seq_cst(&e->inside) == 0) cilk_engine_notify(e);
}

/* seats_lock is held. */
static void unpause(cilk_computation *m, bool open) {
  store_seq_cst(&m->engine->paused, 0u);
  if (open) store_relaxed(&m->engine->open, 1u);
  cilk_nest_list(m->nest);
}

/* Each worker that has set a seat of n aside comes back to the seat. Something keeps n. */
static void call_back(cilk_nest *n) {
  for (cilk_worker *home; (home = cilk_seat_of_aside(n));) {
    cilk_unpark(home);
    if (home != cilk_me())                /* it may run something else */
      cilk_hurry(home);
  }
}

void cilk_engine_open(cilk_computation *m) {
  if (!m->engine) return;
  cilk_spin_lock(&m->run.ctx->seats_lock);
  unpause(m, true);
  cilk_spin_unlock(&m->run.ctx->seats_lock);
  call_back(m->nest);                     /* idle workers find seats that sleep, but not these */
}

static void resume(cilk_worker *w, cilk_computation *m, bool open) {
  cilk_context *ctx = m->run.ctx;
  cilk_seat *list = NULL, *s;
  cilk_nest *n = NULL;
  cilk_spin_lock(&m->lock);               /* while it is held the nest does not end */
  if (!load_seq_cst(&m->run.done)) {
    n = m->nest;
    cilk_nest_keep(n);
    cilk_spin_lock(&ctx->seats_lock);
    unpause(m, open);
    list = cilk_nest_seats(m->nest);
    cilk_spin_unlock(&ctx->seats_lock);
  }
  cilk_spin_unlock(&m->lock);
  while ((s = list)) {
    list = s->next;
    cilk_seat_awake(w, s);
  }
  if (n) {
    call_back(n);
    cilk_nest_drop(n);
  }
}

void cilk_engine_resume(cilk_worker *w, cilk_computation *m) {
  if (m->engine) resume(w, m, true);
}

void cilk_engines_end(cilk_worker *w, cilk_group *g) {
  cilk_spin_lock(&g->lock);
  for (cilk_computation *m = g->first; m; m = m->next) {
    if (!m->engine || load_relaxed(&m->engine->open) || load_seq_cst(&m->run.done)) continue;
    cilk_cancel(m);                       /* opens it */
    cilk_spin_unlock(&g->lock);
    cilk_engine_resume(w, m); /* handles stay until all of the group is over, and the caller counts in it */
    cilk_spin_lock(&g->lock);
  }
  cilk_spin_unlock(&g->lock);
}

/* ---- for programs ---- */

/* Where steps have an order there are no nests: the computation begins at once, and is not paused. */
CILK_SHARED cilk_computation *cilk_rt_engine(const char *scheduler, int vprocs) {
  return cilk_nested(scheduler, vprocs, cilk_engine_new);
}

CILK_SHARED int Cilk_engine_run(cilk_computation *m, long long ns, void *result) {
  cilk_engine *e = m->engine;
  cilk_worker *w = cilk_me();
  if (m->group && w->id < 0)
    cilk_fatal("Cilk_engine_run can be called only by Cilk procedures and by C functions that they call");
  if (!e) {
    if (m->group && !cilk_ordered(w)) cilk_fatal("Cilk_engine_run needs an engine made by Cilk_engine");
    return Cilk_wait(m, result);
  }
  bool begun = false;
  for (;;) {
    store_seq_cst(&e->event, 0u); /* then the state: a worker that changes the state sets `event` after it */
    if (load_seq_cst(&m->run.done)) return cilk_wait_ended(m, result);
    if (!begun) {
      store_release(&e->driver, w); /* pairs with cilk_engine_notify */
      resume(w, m, false);
      cilk_alarm_set(m, &m->fuel, pause_it, ns);
      begun = true;
    } else if (load_seq_cst(&e->paused) && load_seq_cst(&e->inside) == 0) return CILK_ENGINE_STOPPED;
    cilk_wait_loop(w, m, &e->event);
  }
}
