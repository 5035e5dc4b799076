/* policy.h - under which circumstances workers run: what two runs of one program may do differently apart from what
 * a scheduler decides (fiber.h).
 *
 * A policy is a table; each context has one, chosen by its options (search.c) and changed only while no computation
 * runs (or, in a forked child, by the only worker). It says how a worker without work waits for some, what is chosen by
 * chance, and, for tests, what happens at safe points. All clocks are read here, all random numbers are made here
 * (tests/house/test_guards.py), so what depends on time (how long a thief asks, searches, sleeps; what is coarse)
 * follows the clock that a policy gives. What remains is the order in which threads meet at locks and atomics: a policy
 * with `turn` governs that, too (controlled_schedule.c). */
#ifndef CILK_RT_POLICY_H
#define CILK_RT_POLICY_H

#include "data/team.h"
#include "data/worker.h"

/* What is chosen by chance. A replay sees the question as well as the answer. */
enum cilk_choice {
  CILK_CHOOSE_VICTIM,              /* where a round over the workers begins, and whatever else a scheduler asks for */
  CILK_CHOOSE_FORCE                /* --force-steal=random: is this pop stolen from? 0: yes */
};

/* Where one worker may be stopped and another one go on. */
enum cilk_turn {
  CILK_TURN_POP,                   /* a pop raised: no lock is held, user code is above */
  CILK_TURN_TOUCH,                 /* the same of a frame that waits for a future, and is still on the deque */
  CILK_TURN_TEST,                  /* the same of a test of the lazy strategy */
  CILK_TURN_STEP,                  /* inside of the runtime, between two steps of a protocol */
  CILK_TURN_ACCESS,                /* debug build: before an access to what workers share; locks may be held */
  CILK_TURN_ORDERED,               /* before a step that has an order (step.h), which nothing interrupts, or a pop */
  CILK_TURN_USER,                  /* a point of a build with -cilk-explore: user code is here */
  CILK_TURN_WAIT                   /* it cannot go on until another one has: a lock, an answer, work */
};

/* Where all workers come into a computation together, and leave it together: their order is governed. */
typedef struct cilk_together {
  void (*make)(struct CilkContext *ctx);   /* the context is made, its workers are not yet; or the process ends */
  void (*reset)(struct CilkContext *ctx);  /* its workers are gone; NULL: nothing is to be done */
  void (*end)(struct CilkContext *ctx);
  /* This worker comes into a computation: returns when all have come, and it may run. And it leaves. */
  void (*enter)(cilk_worker *w);
  void (*leave)(cilk_worker *w);
  void (*wait)(struct CilkContext *ctx);   /* a caller, at the end of a computation: until all workers have left it */
} cilk_together;

typedef struct cilk_policy {
  const char *name;
  /* Nothing to run: a closure in hand, or NULL once *flag has reached value. */
  cilk_closure *(*idle)(cilk_worker *w, const uint32_t *flag, uint32_t value);
  /* In place of the scheduler's `asked`; NULL: the scheduler's. */
  Cilk_answer (*asked)(cilk_worker *w, Cilk_point at, int late);
  /* A number from 0 to n-1. */
  uint64_t (*choose)(cilk_worker *w, enum cilk_choice what, uint64_t n);
  /* All pops and tests come into the runtime, and ask. */
  bool every;
  /* NULL: threads run as the system lets them. */
  void (*turn)(cilk_worker *w, enum cilk_turn at);
  /* NULL: each worker comes and goes by itself. */
  const cilk_together *together;
} cilk_policy;

const cilk_policy *cilk_policy_of(const cilk_worker *w);
static inline void cilk_point(cilk_worker *w, enum cilk_turn at) {
  void (*turn)(cilk_worker *, enum cilk_turn) = cilk_policy_of(w)->turn;
  if (turn) turn(w, at);
}
static inline uint64_t cilk_choose(cilk_worker *w, enum cilk_choice what, uint64_t n) {
  return cilk_policy_of(w)->choose(w, what, n);
}
/* by the worker's own generator (--seed) */
uint64_t cilk_choose_at_random(cilk_worker *w, enum cilk_choice what, uint64_t n);
void cilk_choose_seed(cilk_worker_ext *x, uint64_t seed, int worker);

/* Clocks, in ns. `cilk_clock` is what cilk_now_ns reads: one for the process, since contexts compare times; set before
 * the first computation. */
extern uint64_t (*cilk_clock)(void);
uint64_t cilk_clock_monotonic(void);      /* the usual one */
uint64_t cilk_now_ns(void);               /* monotonic */
uint64_t cilk_wall_ns(void);              /* since 1970 */
uint64_t cilk_thread_ns(void);            /* processor time of the calling thread */

#endif
