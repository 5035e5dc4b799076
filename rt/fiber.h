/* fiber.h - where the runtime meets a scheduler: fibers go to it and come from it, its functions are called here and nowhere else. */
#ifndef CILK_RT_FIBER_H
#define CILK_RT_FIBER_H

#include "closure.h"
#include "team.h"

/* c, READY and in nobody's hand, becomes the scheduler's; `w` is the caller. Who sleeps is told. */
void cilk_ready(cilk_worker *w, cilk_closure *c, Cilk_why why);
/* The same, but the caller tells them, when it has given all that it has. */
void cilk_ready_quietly(cilk_worker *w, cilk_closure *c, Cilk_why why);
/* The same for c in this worker's hand: what is queued for it is delivered first. */
void cilk_give_up(cilk_worker *w, cilk_closure *c, Cilk_why why);
static inline void cilk_orphan(cilk_worker *w, cilk_closure *c) { cilk_give_up(w, c, CILK_WHY_ORPHANED); }
/* Own work, and one look at everybody's: a closure in hand, or NULL. */
cilk_closure *cilk_next(cilk_worker *w);
cilk_closure *cilk_look(cilk_worker *w);
/* What the scheduler, or a test's policy, says at a safe point. */
Cilk_answer cilk_asked(cilk_worker *w, Cilk_point at);
Cilk_answer cilk_ask_scheduler(cilk_worker *w, Cilk_point at, int late);    /* that one alone, for policies */

#endif
