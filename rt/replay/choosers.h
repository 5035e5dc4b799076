/* choosers.h - which worker goes on after a point of a controlled schedule (controlled_schedule.c), or makes the next
 * step of a run that is replayed (places.c).
 *
 * A chooser is a table of functions and what they keep. All of it belongs to the worker that has the turn, or the mutex
 * of the order guards it. */
#ifndef CILK_RT_CHOOSERS_H
#define CILK_RT_CHOOSERS_H

#include "base/options.h"
#include "data/policy.h"
#include "observe/record.h"
#include "replay/points.h"

typedef struct cilk_chooser {
  const struct cilk_choosing *by;
  int n;
  uint64_t present;                /* workers in the computation: bits */
  uint64_t resting;                /* of these: they wait, and have looked in vain since something happened */
  uint64_t steps;                  /* points and waits so far, numbered or not */
  uint64_t random;
  /* by priorities */
  int64_t lowest, priority[CILK_MOST_TURNS];
  uint64_t change[CILK_PCT_MOST];  /* at these steps the running worker falls */
  int depth;
  uint64_t length, fair;           /* how many steps of a computation have priorities; the last of the present one */
  /* by a list */
  cilk_switches *listed;
  uint32_t tries;                  /* looks for work, or for what it waits for, one after the other */
  uint32_t reads;                  /* reads since something was written, or a child returned */
  const cilk_record *record;       /* as recorded */
} cilk_chooser;

/* A point has a number: pops, tests and points of user code. Others are steps of the runtime. */
static inline bool cilk_is_numbered(enum cilk_turn at)
{
  return at == CILK_TURN_POP || at == CILK_TURN_TEST || at == CILK_TURN_USER;
}

void cilk_chooser_init(cilk_chooser *c, const cilk_replay *r, int workers);
/* by the owners of its steps; CILK_MOST_TURNS is a thread that is no worker, -1: it has no further step */
void cilk_chooser_of_record(cilk_chooser *c, const cilk_record *record, int workers);
/* each returns the worker that goes on */
int cilk_chooser_begin(cilk_chooser *c);                                    /* all workers have come in */
int cilk_chooser_after(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, int kind);
int cilk_chooser_leave(cilk_chooser *c, int me);                            /* -1: no worker is left */

#endif
