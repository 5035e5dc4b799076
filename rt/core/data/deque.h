/* deque.h - a worker's ready deque, and the segments on it.
 *
 * H, E, the chain of segments (`outer`) and of each segment link (writes), full (writes), unwinding, kept, releasing:
 * the worker's lock. T, the chain of released frames: the owner. base, slow: constant. */
#ifndef CILK_RT_DEQUE_H
#define CILK_RT_DEQUE_H

#include "data/link.h"
#include "data/worker.h"

enum { CILK_NOT_UNWINDING = 0, CILK_UNWIND_ABORT = 1 };

/* The part of a worker's C stack above one frame of the scheduler, in which this structure is. */
typedef struct cilk_segment {
  cilk_closure **base;             /* T when it began; constant */
  /* where its bottom activation delivers (and to which other parents, link.h); NULL once that is done */
  cilk_link *link;
  /* the closure whose slow clone is at the bottom, while it is this worker's; written by the owner, or under its
   * lock */
  cilk_closure *full;
  struct cilk_segment *outer;      /* the segment below a nested root */
  cilk_closure *chain_young;       /* released frames, youngest first, by ->next */
  cilk_closure *chain_old;
  uint8_t slow;                    /* the bottom activation is a slow clone */
  uint8_t unwinding;               /* CILK_UNWIND_ABORT: every frame returns a dummy; thieves keep off */
  uint8_t kept;                    /* `full` stopped being this segment's, but stays at its place below it */
  uint8_t releasing;               /* a release of its frames began: the slow clone's pop must raise */
  uint8_t chain_full;              /* the oldest of the chain was full already: the slow clone's own; owner */
} cilk_segment;

/* returns the bytes reserved; at most `most` where that is known */
size_t cilk_deque_reserve(cilk_memory *m, size_t entries, size_t most);
void cilk_deque_create(cilk_worker *w);
void cilk_deque_destroy(cilk_memory *m);
cilk_segment *cilk_segment_at(cilk_worker_ext *x, cilk_closure **place);    /* lock held */
/* lock held: E from what the owner has to see, and H */
void cilk_exc_update(cilk_worker *w);

/* The root of the code that runs on this worker; of an inlet its procedure's, on whichever worker and in whichever loop
 * the delivery comes. NULL: it is no part of a computation. */
static inline struct cilk_root_run *cilk_present_root(const cilk_worker_ext *x) {
  if (x->wait.inlet && x->wait.inlet_above == x->seg) return x->wait.inlet;
  /* a thief may be replacing it by one of the same computation */
  const cilk_link *base = x->seg ? load_acquire(&x->seg->link) : NULL;
  return base ? base->root : x->wait.root;
}

#endif
