/* computation.h - computations of their own (<cilk-start.h>), and the group of those that one root has started.
 *
 * A root with a group is over when its own result is there and all of its group are: `alive` counts them, and the root itself. So what a computation belongs to
 * outlives it. `lock` (a leaf for finish.c; start.c takes closures' locks under it) guards the list of handles, and of a computation `waiter`, `ends`
 * and the step to `done`. */
#ifndef CILK_RT_COMPUTATION_H
#define CILK_RT_COMPUTATION_H

#include "closure.h"

#pragma GCC visibility push(default)
#include <cilk-start.h>
#pragma GCC visibility pop

typedef struct cilk_computation cilk_computation;

typedef struct cilk_group {
  cilk_root_run node;              /* the computations' `outer`; its own is the root that started them. Who waits for one of them waits for this */
  uint32_t lock;
  uint32_t alive;                  /* acq_rel: who takes the last one sees what the others did */
  cilk_computation *first;         /* handles, by ->next */
} cilk_group;

struct cilk_end { void (*f)(void *); void *argument; struct cilk_end *next; };

struct cilk_computation {
  cilk_root_run run;
  uint32_t lock;
  cilk_group *group;               /* constant */
  cilk_computation *next;          /* group->lock */
  cilk_closure *closure;           /* alive until done */
  cilk_nest *nest;                 /* Cilk_with; alive until done */
  cilk_worker *waiter;
  bool over;                       /* its result is there, its closure gone; computations that it has started may still run */
  struct cilk_end *ends;
  cilk_computation *due;           /* among the deadlines, ticker.c */
  uint64_t deadline;               /* 0: none */
  cilk_sig sig;
  cilk_entry entries[3];
};

#define CILK_STARTED_BYTES (CILK_CLOSURE_HEADER + CILK_FREE_UNIT)           /* of its closure */
struct cilk_local { const void *key; void *value; struct cilk_local *next; };   /* key and next are constant, value is atomic */
void cilk_locals_free(cilk_root_run *run);
void cilk_computation_free(cilk_computation *m);
void cilk_group_leave(cilk_group *g);                                       /* one of `alive` is over (finish.c) */
void cilk_cancel(cilk_computation *m);                                      /* start.c; within a step, where those have an order */
void cilk_forget_deadline(cilk_computation *m);                             /* ticker.c */

#endif
