/* fiber.h - where the runtime meets a scheduler: fibers go to it and come from it. Its functions are called here, with
 * these exceptions: create and destroy (data/team.h), slice and waits (nest/ticker.c, nest/nest.c, nest/nest_new.c),
 * and ended (protocol/finish.c, nest/nest.c). */
#ifndef CILK_RT_FIBER_H
#define CILK_RT_FIBER_H

#include "data/closure.h"
#include "data/slots.h"
#include "steal/sleep.h"
#include "data/team.h"

/* c, READY and in no worker's hand, becomes the scheduler's; `w` is the caller. Sleeping workers are notified. */
void cilk_ready(cilk_worker *w, cilk_closure *c, Cilk_why why);
/* The same, but the caller notifies them, when it has given all that it has. */
void cilk_ready_quietly(cilk_worker *w, cilk_closure *c, Cilk_why why);
/* Notifies those that may take a fiber of t, and those that wait: there is one. t is the present team, or a team in
 * which the worker sits. */
void cilk_notify(cilk_worker *w, cilk_team *t, const cilk_waiting *waiting);
/* The same as cilk_ready for c in this worker's hand: what is queued for it is delivered first. */
void cilk_give_up(cilk_worker *w, cilk_closure *c, Cilk_why why);
static inline void cilk_orphan(cilk_worker *w, cilk_closure *c) { cilk_give_up(w, c, CILK_WHY_ORPHANED); }
/* Own work, and one look at everybody's: a closure in hand, or NULL. */
cilk_closure *cilk_next(cilk_worker *w);
cilk_closure *cilk_look(cilk_worker *w);
/* it asks its team for nothing from now on */
void cilk_leave(cilk_worker *w);
/* it goes on with what it ran before it waited, or before it left */
void cilk_back(cilk_worker *w);
/* The same for this team and those further out: it waits for something that is no part of this context */
void cilk_leave_all(cilk_worker *w);
void cilk_back_all(cilk_worker *w);
/* What the scheduler, or a test's policy, says at a safe point. */
Cilk_answer cilk_asked(cilk_worker *w, Cilk_point at);
Cilk_answer cilk_ask_scheduler(cilk_worker *w, Cilk_point at, int late);    /* the scheduler alone, for policies */

/* t's `asked`. */
Cilk_answer cilk_team_asked(cilk_worker *w, const cilk_team *t, Cilk_point at, int late);

/* What Cilk_wait waits for is there: what runs above that loop is left. */
static inline bool cilk_until_reached(const cilk_worker_ext *x) {
  const uint32_t *until = x->nest.stack ? cilk_seat_stack_until(x) : x->wait.until;
  /* pairs with the store of `done`, or of an engine's `event`; a signal comes after that */
  return until && load_acquire(until);
}

static inline bool cilk_seat_called_away(const cilk_worker *w) {
  return w->ext->nest.floor && cilk_seat_called_away_now(w);
}
static inline bool cilk_seat_go_away(cilk_worker *w) {
  return (w->ext->nest.floor || w->ext->nest.passes) && cilk_seat_go_away_now(w);
}

#endif
