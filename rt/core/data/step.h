/* step.h - steps, whose order is recorded in a file or enforced as a file says: --sched=record:FILE,
 * --sched=replay:FILE (record_replay.c).
 *
 * A *step* is what the runtime does for one worker between two pieces of user code. Where there is an order, steps
 * come one after the other, while user code runs in parallel with them. All hooks are on slow paths, and only test a
 * pointer where there is no order. */
#ifndef CILK_RT_STEP_H
#define CILK_RT_STEP_H

#include "data/context.h"

struct cilk_computation;

/* The value of a Cilk_lock that was taken in a step, less the worker's number. 1: taken in no step. */
enum { CILK_LOCK_HELD = 2 };

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

/* What an order of steps does: the table of replay/record_replay.c. The files of the protocols know no more of it than
 * this. */
typedef struct cilk_steps {
  bool replays;                    /* false: they are recorded */
  void (*begin)(cilk_worker *w, enum cilk_step kind);
  void (*end)(cilk_worker *w);
  void (*before_pop)(cilk_worker *w);      /* T is down */
  /* A pop, a test. False: nothing happens there, it goes on. True: a step has begun; what the scheduler answered is in
   * *leave, *answer. */
  bool (*pop)(cilk_worker *w, bool *leave);
  bool (*test)(cilk_worker *w, Cilk_point at, Cilk_answer *answer);
  /* During a step: where READY closures go, and what comes next. */
  void (*ready)(cilk_worker *w, cilk_closure *c, Cilk_why why);
  cilk_closure *(*next)(cilk_worker *w);
  cilk_closure *(*look)(cilk_worker *w);
  /* During a step: how far another worker has come. may_steal: a thief asks before it takes the victim's lock; false:
   * this is not the recorded victim. Then, with the lock held, what it has found. */
  bool (*may_steal)(cilk_worker *thief, cilk_worker *victim);
  void (*stolen)(cilk_worker *thief, cilk_worker *victim, const cilk_closure *c);
  /* A delivery: does the parent wait at a push at the victim? */
  void (*await_stop)(cilk_worker *w, cilk_worker *victim, const cilk_closure *parent);
  bool (*stopped)(cilk_worker *w, cilk_worker *victim, bool pushed);
  uint64_t (*number)(cilk_worker *w); /* of a closure that becomes full */
  void (*started)(cilk_worker *w, struct cilk_computation *m); /* in a step */
  void (*forget)(cilk_context *ctx, struct cilk_computation *m); /* it is about to be freed */
  /* A thread that is no worker cancels m. False: not now; the file says when. */
  bool (*outside)(cilk_context *ctx, struct cilk_computation *m);
  void (*outside_done)(cilk_context *ctx);
  /* Cilk_lock: taken; false: not in this order, the caller takes it */
  bool (*lock)(cilk_worker *w, volatile int *lock);
  /* The program turns out to be one whose steps have no order here: no file is left, and no advice to repeat the run.
   * */
  void (*give_up)(cilk_context *ctx);
} cilk_steps;

static inline const cilk_steps *cilk_steps_of(const cilk_worker *w) { return w->ext->ctx->steps; }
/* Another field than the table, which is loaded only then. */
static inline bool cilk_ordered(const cilk_worker *w) { return __builtin_expect(w->ext->ctx->order != NULL, false); }

static inline void cilk_step_begin(cilk_worker *w, enum cilk_step kind) {
  if (cilk_ordered(w)) cilk_steps_of(w)->begin(w, kind);
}
static inline void cilk_step_end(cilk_worker *w) {
  if (cilk_ordered(w)) cilk_steps_of(w)->end(w);
}

/* Cilk_lock: taken; false: there is no order, the caller takes it */
static inline bool cilk_lock_in_order(volatile int *lock) {
  cilk_worker *w = cilk_me();
  return w->id >= 0 && w->ext && cilk_ordered(w) && cilk_steps_of(w)->lock(w, lock);
}
extern int cilk_rt_locks_ordered; /* workers that take Cilk_locks in steps; not 0: <cilk.h> asks the order */

#endif
