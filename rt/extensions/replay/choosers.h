/* choosers.h - which worker goes on after a point of a controlled schedule (controlled_schedule.c).
 *
 * A chooser is a table of functions and what they keep. All of it belongs to the worker that has the turn. */
#ifndef CILK_RT_CHOOSERS_H
#define CILK_RT_CHOOSERS_H

#include "base/options.h"
#include "data/policy.h"
#include "replay/points.h"
#include "replay/progress.h"

typedef struct cilk_chooser {
  const struct cilk_choosing *by;
  int n;
  uint64_t present;                /* workers in the computation: bits */
  uint64_t resting;                /* of these: they wait, and have looked in vain since something happened */
  uint64_t steps;                  /* points and waits so far, numbered or not */
  uint64_t random;
  cilk_progress progress;          /* by a list, and as recorded */
  /* by priorities */
  int64_t lowest, priority[CILK_MOST_TURNS];
  uint64_t change[CILK_PCT_MOST];  /* at these steps the running worker falls */
  int depth;
  uint64_t length, fair;           /* how many steps of a computation have priorities; the last of the present one */
  int from, before;                /* the worker that had the turn before; what it will be after this point */
  /* by a list */
  cilk_switches *listed;
  bool releases;                   /* the list says so of the worker that goes on */
  uint32_t tries;                  /* looks for work, or for what it waits for, one after the other */
  /* as recorded */
  const int *recorded;             /* whose step is next (order.h) */
  uint64_t waiting;                /* workers that wait for their steps */
  int needed;                      /* the worker that goes on when the owner waits; -1: any */
} cilk_chooser;

/* A point has a number: pops, tests, points of user code, and steps that have an order. Others are steps of the
 * runtime. */
static inline bool cilk_is_numbered(enum cilk_turn at) {
  return at == CILK_TURN_POP || at == CILK_TURN_TOUCH || at == CILK_TURN_TEST || at == CILK_TURN_USER ||
         at == CILK_TURN_ORDERED;
}

void cilk_chooser_init(cilk_chooser *c, const cilk_replay *r, int workers);
void cilk_chooser_of_record(cilk_chooser *c, const int *next, int workers);
/* each returns the worker that goes on */
int cilk_chooser_begin(cilk_chooser *c);                                    /* all workers have come in */
int cilk_chooser_after(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, const cilk_place *here);
int cilk_chooser_leave(cilk_chooser *c, int me);                            /* -1: no worker is left */

#endif
