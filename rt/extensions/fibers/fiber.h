/* fiber.h - where the runtime meets a scheduler: fibers go to it and come from it. Its functions are called here, with
 * these exceptions: create and destroy (data/team.h), slice and waits (nest/ticker.c, nest/nest.c, nest/nest_new.c),
 * and ended (protocol/finish.c, nest/nest.c). */
#ifndef CILK_RT_FIBER_H
#define CILK_RT_FIBER_H

#include "data/closure.h"
#include "nest/nest.h"
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
/* The same for the teams in which the worker has taken s and the seats below it as fibers: code in s waits. */
void cilk_leave_below(cilk_worker *w, cilk_seat *s);
void cilk_back_below(cilk_worker *w, cilk_seat *s);
/* ... and for the team that it asks: it waits for something that is no part of this context */
void cilk_leave_all(cilk_worker *w);
void cilk_back_all(cilk_worker *w);
/* What the scheduler, or a test's policy, says at a safe point. */
Cilk_answer cilk_asked(cilk_worker *w, Cilk_point at);
Cilk_answer cilk_ask_scheduler(cilk_worker *w, Cilk_point at, int late);    /* the scheduler alone, for policies */

/* Workers sit down at nested schedulers, and leave them (nest.h). */
/* c, a seat, is in hand; false: an engine's that is paused, or over meanwhile */
bool cilk_seat_sit(cilk_worker *w, cilk_closure *c);
/* s was taken off the list of those asleep: a fiber of the outer team from now on */
void cilk_seat_awake(cilk_worker *w, cilk_seat *s);
/* a loop has ended: seats below it may have to be left, as they could not be meanwhile */
void cilk_seat_recall(cilk_worker *w);
/* w->ext->leave, or one whose engine is paused, if it may */
void cilk_seat_leave(cilk_worker *w);
/* an engine is paused in which C code waits here */
bool cilk_seat_called_away(const cilk_worker *w);
/* C code waits, and there is nothing to run: a seat that is due wants the worker */
bool cilk_seat_pass(cilk_worker *w);
/* in both cases: its seat is set aside, or those above it are left; false: neither is the case */
bool cilk_seat_go_away_now(cilk_worker *w);
static inline bool cilk_seat_go_away(cilk_worker *w) {
  return (w->ext->nest.floor || w->ext->nest.passes) && cilk_seat_go_away_now(w);
}
/* those above `to`; each goes back to its outer scheduler */
void cilk_seat_leave_all(cilk_worker *w, cilk_seat *to);
/* own work is at an end: another look; NULL: the seat was left */
cilk_closure *cilk_seat_look(cilk_worker *w);
/* an idle worker looks whether a seat that is asleep has something; then it sits there */
cilk_closure *cilk_seat_try(cilk_worker *w);
/* in a forked child: seats of workers that are not here are free again */
void cilk_seats_of_others(cilk_worker *w);
void cilk_seat_wake(cilk_worker *w, cilk_nest *n);                          /* something became ready inside of n */
/* something was sent there: if it is asleep it becomes a fiber again */
void cilk_seat_call(cilk_worker *w, cilk_seat *s);

#endif
