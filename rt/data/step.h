/* step.h - steps, whose order is recorded in a file or enforced as a file says: --sched=record:FILE,
 * --sched=replay:FILE (order.c).
 *
 * A *step* is what the runtime does for one worker between two pieces of user code. Where there is an order, steps come
 * one after the other; user code runs beside them. All hooks are on slow paths, and nothing but a test of a pointer
 * where there is no order. */
#ifndef CILK_RT_STEP_H
#define CILK_RT_STEP_H

#include "data/context.h"

enum cilk_step {
  CILK_STEP_POP = 1,               /* pops and tests at which something happens: the others are no steps */
  CILK_STEP_TEST,
  CILK_STEP_LOOP,                  /* the scheduler's loop: the end of a wait, or something to run */
  CILK_STEP_SEGMENT,               /* what the loop ran has come back */
  CILK_STEP_AFTER,                 /* an inlet, or a computation's cleanup, has come back */
  CILK_STEP_SYNC,
  CILK_STEP_RETURN,
  CILK_STEP_SYNCHED,
  CILK_STEP_ABORT,
  CILK_STEP_LOCK,                  /* Cilk_lock: taken */
  CILK_STEP_START,
  CILK_STEP_WAIT,
  CILK_STEP_CANCEL,
  CILK_STEP_EXIT,
  CILK_STEP_OUTSIDE,               /* a thread that is no worker cancels: a deadline, or one of the program's own */
  CILK_STEP_CLEANUP,               /* Cilk_on_end: before or after the end */
  CILK_STEP_TOUCH,                 /* of a future that was not full, or might not have been */
  CILK_STEP_FILL,
  CILK_STEPS,
  CILK_STEP_END = 31               /* in files only */
};

static inline bool cilk_ordered(const cilk_worker *w) { return w->ext->ctx->order != NULL; }

void cilk_order_step(cilk_worker *w, enum cilk_step kind);
void cilk_order_done(cilk_worker *w);
static inline void cilk_step_begin(cilk_worker *w, enum cilk_step kind)
{
  if (cilk_ordered(w))
    cilk_order_step(w, kind);
}
static inline void cilk_step_end(cilk_worker *w)
{
  if (cilk_ordered(w))
    cilk_order_done(w);
}

/* A pop, a test. False: nothing happens there, it goes on. True: a step has begun; what the scheduler answered is in
 * *leave, *answer. */
bool cilk_order_pop(cilk_worker *w, bool *leave);
bool cilk_order_test(cilk_worker *w, Cilk_point at, Cilk_answer *answer);

/* Of a step: where READY closures go, and what comes next. */
void cilk_order_ready(cilk_worker *w, cilk_closure *c, Cilk_why why);
cilk_closure *cilk_order_next(cilk_worker *w);
cilk_closure *cilk_order_look(cilk_worker *w);

/* Of a step: what another worker has got to. A thief, before it takes the victim's lock; false: this is not the one.
 * Then, the lock held, what it has found. */
bool cilk_order_may_steal(cilk_worker *thief, cilk_worker *victim);
bool cilk_order_replays(const cilk_worker *w);
void cilk_order_stolen(cilk_worker *thief, cilk_worker *victim, const cilk_closure *c);
/* A delivery: does the parent stand pushed at the victim? */
void cilk_order_await_stop(cilk_worker *w, cilk_worker *victim, const cilk_closure *parent);
bool cilk_order_stopped(cilk_worker *w, cilk_worker *victim, bool pushed);

uint64_t cilk_order_number(cilk_worker *w);                                 /* of a closure that becomes full */
struct cilk_computation;
void cilk_order_started(cilk_worker *w, struct cilk_computation *m);        /* in a step */
void cilk_order_forget(cilk_context *ctx, struct cilk_computation *m);      /* it is about to be freed */
/* A thread that is no worker cancels m. False: not now; the file says when. */
bool cilk_order_outside(cilk_context *ctx, struct cilk_computation *m);
void cilk_order_outside_done(cilk_context *ctx);
/* Cilk_lock: taken; false: there is no order, the caller takes it */
bool cilk_order_lock(volatile int *lock);
extern int cilk_rt_locks_ordered;                                           /* the same for <cilk.h> */

#endif
