/* progress.h - whether user code goes on, or waits in a loop of its own for what another worker does.
 *
 * A loop that waits comes back to the same memory, and finds there what it found before: a flag that is not set, a lock
 * that is taken, the expected value that a failed attempt has stored. So a worker *goes on* at a point where it uses
 * memory that it has not used since it got the turn. It also goes on where it writes, and what is there before is new
 * to it. It does not matter whose the memory is, by which instruction it is used, and whether the attempt has failed.
 * A worker that is taken for a waiting one by mistake only lets others go on, which it might do at any point. */
#ifndef CILK_RT_PROGRESS_H
#define CILK_RT_PROGRESS_H

#include "data/policy.h"
#include "replay/points.h"

enum { CILK_PROGRESS_WORDS = 1024, CILK_PROGRESS_VALUES = 4 };

typedef struct cilk_progress {     /* of the worker that has the turn */
  uint32_t without;                /* so many points, the last ones, at which it has not gone on */
  uint32_t turn;                   /* counts the calls of cilk_progress_reset */
  struct cilk_used {
    uintptr_t word;                /* the address, a multiple of a word's size */
    uint64_t values[CILK_PROGRESS_VALUES];   /* found before writes, the last ones */
    uint32_t turn, found;          /* in which it was used; how many were found */
  } used[CILK_PROGRESS_WORDS];     /* by a hash of the address; a newer one replaces it */
} cilk_progress;

/* The worker is at a numbered point. The result is p->without. */
uint32_t cilk_progress_at(cilk_progress *p, enum cilk_turn at, const cilk_place *here, bool fair);
void cilk_progress_reset(cilk_progress *p);      /* another worker goes on */

#endif
