/* policy.h - everything that two runs of one program may do differently: what is chosen, and what time it is.
 *
 * A policy is a table; each context has one, chosen by its options (search.c) and changed only while no computation runs (or, in a forked child,
 * by the only worker). A scheduler of another kind, or a replay, is one more table: it decides what a worker does next, whom it robs, when frames are
 * released, and which pops count as stolen from. All clocks are read here, all random numbers are made here (tests/test_source.py), so
 * what depends on time (how long a thief asks, searches, sleeps; what is coarse) follows the clock that a policy gives.
 * What remains is the order in which threads meet at locks and atomics. */
#ifndef CILK_RT_POLICY_H
#define CILK_RT_POLICY_H

#include "worker.h"

/* What is chosen by chance. A replay sees the question as well as the answer. */
enum cilk_choice {
  CILK_CHOOSE_VICTIM,              /* where a round over the workers begins */
  CILK_CHOOSE_FORCE                /* --force-steal=random: is this pop stolen from? 0: yes */
};

typedef struct cilk_policy {
  const char *name;
  /* Own work: a closure in hand off this worker's own deque, above floor, or NULL. */
  cilk_closure *(*next)(cilk_worker *w, cilk_closure **floor);
  /* Others' work: a closure in hand, or NULL once *flag has reached value. */
  cilk_closure *(*find)(cilk_worker *w, const uint32_t *flag, uint32_t value);
  /* A test of the lazy strategy that saw the flag (which is down again): shall it release? */
  bool (*release)(cilk_worker *w, int point);
  /* Testing: shall the pop that just raised be treated as stolen? NULL: never; else every pop raises. */
  bool (*force_pop)(cilk_worker *w);
  /* A number from 0 to n-1. */
  uint64_t (*choose)(cilk_worker *w, enum cilk_choice what, uint64_t n);
} cilk_policy;

const cilk_policy *cilk_policy_of(const cilk_worker *w);
static inline uint64_t cilk_choose(cilk_worker *w, enum cilk_choice what, uint64_t n) { return cilk_policy_of(w)->choose(w, what, n); }
uint64_t cilk_choose_at_random(cilk_worker *w, enum cilk_choice what, uint64_t n);   /* by the worker's own generator (--seed) */
void cilk_choose_seed(cilk_worker_ext *x, uint64_t seed, int worker);

/* Clocks, in ns. `cilk_clock` is what cilk_now_ns reads: one for the process, since contexts compare times; set before the first computation. */
extern uint64_t (*cilk_clock)(void);
uint64_t cilk_now_ns(void);               /* monotonic */
uint64_t cilk_wall_ns(void);              /* since 1970 */
uint64_t cilk_thread_ns(void);            /* processor time of the calling thread */

#endif
