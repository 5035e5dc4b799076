/* controlled_schedule.h - one worker at a time, in an order that a seed or a list decides. */
#ifndef CILK_RT_CONTROLLED_SCHEDULE_H
#define CILK_RT_CONTROLLED_SCHEDULE_H

#include "data/context.h"
#include "data/policy.h"
#include "replay/points.h"

extern const cilk_policy cilk_policy_turns;
void cilk_turn_offer(cilk_worker *w, enum cilk_turn at);                     /* its `turn` */
void cilk_turn_point(cilk_worker *w, const cilk_place *place);               /* of a worker in a context with turns */

/* ---- turns with an order of steps (record_replay.c): --sched=record:FILE with any of these schedules, and
 * --sched=turns:P with --sched=replay:FILE ---- */
void cilk_turn_waits(cilk_worker *w, bool waits);   /* for its step */
/* The owner of the next step in a record gives the turn to `worker`; -1: to any. */
void cilk_turn_wait_for(cilk_worker *w, int worker);
int cilk_turn_victim(cilk_worker *w);          /* where a look for work begins; -1: at random */
int cilk_turn_releases(const cilk_worker *w);  /* does the list say so, at a test? -1: there is no list */
/* What the log of a replay has beside the turns: w takes work of this worker; it releases. */
void cilk_turn_takes(cilk_worker *w, int victim);
void cilk_turn_released(cilk_worker *w);

#endif
