/* computation.h - computations of their own (<cilk-start.h>), and the group of computations that a root has started.
 *
 * A root with a group is over when its own result is there and all of its group are over: `alive` counts them, and
 * the root itself, which therefore outlives the computations that it has started. `lock` (a leaf for finish.c;
 * start.c acquires closures' locks under it) guards the list of handles, and of a computation `waiter`, `ends` and
 * the step to `done`. */
#ifndef CILK_RT_COMPUTATION_H
#define CILK_RT_COMPUTATION_H

#include "data/closure.h"

#pragma GCC visibility push(default)
#include <cilk-start.h>
#pragma GCC visibility pop

typedef struct cilk_computation cilk_computation;

typedef struct cilk_group {
  /* the computations' `outer`; its own is the root that started them. A waiter for one of them waits for the group */
  cilk_root_run node;
  uint32_t lock;
  uint32_t alive; /* acq_rel: the worker that takes the last one sees what the others did */
  cilk_computation *first; /* handles, by ->next */
  /* the root that started them is over: those without a driver are cancelled (engine.c); constant */
  void (*owner_ended)(cilk_worker *w, struct cilk_group *g);
} cilk_group;

struct cilk_end {
  void (*f)(void *);
  void *argument;
  struct cilk_end *next;
};

/* Something that happens to a computation at a certain time, unless it is over by then (ticker.c, whose mutex guards
 * all of it). */
typedef struct cilk_alarm {
  size_t place; /* in the ticker's heap, from 1; 0: it is not set */
  uint64_t when;
  void (*ring)(cilk_computation *m); /* mutex held */
  cilk_computation *of;
} cilk_alarm;

struct cilk_computation {
  cilk_root_run run;
  uint32_t lock;
  cilk_group *group; /* constant */
  cilk_computation *next, *before; /* in the group's list; group->lock */
  cilk_closure *closure; /* alive until done */
  cilk_nest *nest; /* Cilk_with; alive until done */
  cilk_worker *waiter;
  /* its result is there, its closure gone; computations that it has started may still run */
  bool over;
  struct cilk_end *ends;
  struct cilk_engine *engine; /* Cilk_engine (fuel.h), or NULL; constant; a reference */
  cilk_alarm deadline, fuel; /* when it is cancelled; when it is paused */
  bool silent; /* no alarm can be set any more; the ticker's mutex */
  cilk_sig sig;
  cilk_entry entries[3];
};

/* in place of a context: Cilk_start (<cilk-start.h>) */
#define CILK_START_MARK ((struct CilkContext *)1)
/* ... Cilk_with: cilk_rt_with, which follows, sets it going */
#define CILK_WITH_MARK ((struct CilkContext *)2)
#define CILK_STARTED_BYTES (CILK_CLOSURE_HEADER + CILK_FREE_UNIT) /* of its closure */
extern const cilk_sig cilk_ended; /* of such a closure, once m is over: m may be freed before it (finish.c) */
/* key and next are constant, value is atomic */
struct cilk_local {
  const void *key;
  void *value;
  struct cilk_local *next;
};
void cilk_locals_free(cilk_root_run *run);
void cilk_computation_free(cilk_computation *m);
void cilk_group_leave(cilk_group *g); /* one of `alive` is over (finish.c) */
/* start.c; within a step, where those have an order */
void cilk_cancel(cilk_computation *m);
/* engine.c: m->lock is held, it is not done: not paused any more, if it is an engine. Its seats still sleep */
void cilk_engine_open(cilk_computation *m);
/* the same for good; seats that sleep go back to the outer scheduler; m may be over */
void cilk_engine_resume(cilk_worker *w, cilk_computation *m);
void cilk_engines_end(cilk_worker *w, cilk_group *g); /* `owner_ended` of every group */
/* ticker.c: in so many ns; a of m. Replaces what was set */
void cilk_alarm_set(cilk_computation *m, cilk_alarm *a, void (*ring)(cilk_computation *), long long ns);

#endif
