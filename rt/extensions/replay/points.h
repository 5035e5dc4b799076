/* points.h - numbered points: where --sched=turns says that another worker goes on, and the file that `cilkc explore`
 * reads.
 *
 * A *point* is a pop, a test, or what a build with -cilk-explore reports (cilk_rt_point). Where steps have an order,
 * there is one before each step, too, and before each pop. Points are numbered from 1 on, over all workers. The worker
 * that has the turn calls. */
#ifndef CILK_RT_POINTS_H
#define CILK_RT_POINTS_H

#include "data/context.h"

typedef struct cilk_place {        /* where a worker is */
  int kind; /* CILK_PLACE_..., or -1: a pop, -2: of a touch, -3: a test, or a step that has an order */
  const void *memory;
  const cilk_point_site *site; /* NULL: unknown. Of a pop it is that of the closure */
} cilk_place;

/* The list of --sched=turns:P:POINT=WORKER,... or of the file that @FILE names; or the process ends with a message. */
typedef struct cilk_switches {
  uint64_t n, next;
  struct cilk_switch {
    uint64_t point;
    int worker;
  } *list;
} cilk_switches;
cilk_switches *cilk_switches_read(const char *text, int workers);
/* the worker that goes on after this point; -1: not listed */
int cilk_switches_at(cilk_switches *s, uint64_t point);

/* CILK_EXPLORE=FILE: what happened, a line each. CILK_EXPLORE_LIMIT=N: the process ends at that point.
 * CILK_EXPLORE_POINTS=A-B,...: these points, in full. */
void cilk_points_begin(cilk_context *ctx);
bool cilk_points_kept(void);
void cilk_points_switch(uint64_t point, int worker);
/* for the last line, however the process ends */
void cilk_points_count(uint64_t point);
void cilk_points_at(cilk_worker *w, uint64_t point, const cilk_place *place);
CILK_NORETURN void cilk_points_end(const char *how, const char *message); /* the process ends here */
uint64_t cilk_points_limit(void);
void cilk_points_put(const char *text, size_t size); /* whole lines */
void cilk_step_at(const cilk_worker *w,
    const cilk_place *place); /* step.c: the values at this point, which is in the log */

#endif
