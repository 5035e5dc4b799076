/* context.h - a context: a set of workers with their options, for one computation at a time. */
#ifndef CILK_RT_CONTEXT_H
#define CILK_RT_CONTEXT_H

#include "base/options.h"
#include "data/team.h"
#include "data/worker.h"

typedef struct CilkContext cilk_context;
typedef struct cilk_turns cilk_turns;
typedef struct cilk_order cilk_order;
/* its address distinguishes copies of the runtime in the same process */
extern const char cilk_this_runtime;

typedef void cilk_thaw_fn(cilk_worker *w, struct cilk_root_run *run);

struct CilkContext {
  const void *runtime;             /* which copy made it: &cilk_this_runtime. First, as another copy may read it */
  cilk_options opt;
  int nproc;                       /* with the spares, which are the last */
  int spares;                      /* blocking.c; constant */
  /* workers that do not rest: 0 .. active-1; written by one thread at a time (steal/halt.h); atomic */
  uint32_t active;
  /* how many stops there were; something has happened to the present one (futex); atomic */
  uint32_t stops, stop_events;
  /* a restart: gives the next computation the pieces that it has; NULL: it begins with its thunk */
  cilk_thaw_fn *thaw;
  uint32_t blocked;                /* workers in system calls; seq_cst, against `park` */
  cilk_worker **workers;           /* [nproc], the thread-local objects; constant once started */
  struct cilk_worker_ext **extensions;   /* [nproc]: they outlive the threads */
  /* The only worker is the thread that calls (caller.c): then workers[0] changes, under mutex, and between computations
   * it is this. */
  bool caller_is_worker; /* constant once started */
  bool errand; /* the present caller is a thread for this call only */
  cilk_worker resting;
  const struct cilk_policy *policy;
  struct cilk_ticker *ticker; /* slices and deadlines; NULL: in a forked child */
  struct cilk_turns *turns; /* NULL: no replay by a seed */
  const struct cilk_steps *steps; /* NULL: steps are neither recorded nor replayed from a file (step.h) */
  struct cilk_order *order; /* what their table keeps */
  cilk_team team; /* the scheduler; constant */
  const struct cilk_work_source *work_source; /* set with the first computation that needs it; atomic */
  bool lazy; /* the program's spawn strategy */
  bool nodes_pretended; /* by CILK_NODES */
  int nodes; /* 0: one memory node, or not known */
  /* computations */
  size_t addresses; /* address space for each worker's stack and deque, when they were started */
  /* in a forked child: no worker is left; only the one that forked is (fork.c) */
  bool lost, alone, orphans_held, seats_held;
  const cilk_root *main_root; /* the Cilk main that this context is for, or NULL */
  cilk_context *other; /* among cilk_contexts */
  struct cilk_private_copy *privates; /* worker 0's copies of the private variables; constant once started */
  /* A short call costs as much as the cache lines that it moves between its caller and worker 0. These are the caller's
   * ... */
  pthread_mutex_t call __attribute__((aligned(64))); /* one computation at a time */
  struct cilk_root_run *running; /* what was called last; alive while it runs; atomic */
  uint32_t begun; /* number of the last computation; it runs while `ended` differs; atomic */
  bool ever_ran;
  uint64_t start_ns; /* of the last computation */
  /* ... worker 0 looks at this line, and both write seldom, but for the job ... */
  struct cilk_root_run *job __attribute__((aligned(64))); /* for worker 0, which takes it away; atomic */
  /* worker 0 is awake and looks at job before it sleeps; seq_cst, against job (call.c) */
  uint32_t attentive;
  /* a caller sleeps until `changed`, or is about to; seq_cst, against run->done; written under call */
  uint32_t waited;
  uint32_t shutdown; /* atomic */
  uint32_t exiting; /* Cilk_exit was called; atomic */
  int exit_status;
  uint32_t nested; /* nested roots under way; seq_cst, against exiting (exit.c) */
  /* ... and these are for the worker that finishes. */
  uint32_t ended __attribute__((aligned(64))); /* number of the last computation that is over; atomic */
  uint64_t elapsed_ns; /* of the last computation */
  uint64_t work, span; /* its totals, -cilk-span */
  pthread_mutex_t mutex; /* guards done notification and start-up */
  pthread_cond_t changed;
  int started; /* workers that are up; mutex */
  /* closures that no deque holds (orphans of a finished nested root, forced steals), of the context's own team:
   * others' are in their nests */
  uint32_t orphan_lock __attribute__((aligned(64)));
  cilk_closure *orphans; /* by ->next */
  /* nested schedulers (nest.c) */
  uint32_t nests; /* how many there are; relaxed */
  cilk_nest *every_nest; /* all of them, by ->other; seats_lock */
  uint32_t seats_lock; /* sleeping seats, and the lists of nests that have some (team.h) */
  /* idle workers (sleep.c) */
  uint32_t processors __attribute__((aligned(64))); /* that the workers may run on; constant */
  uint32_t open; /* thieves were called to the present computation; atomic */
  uint32_t frozen; /* none begins to run something (stuck.c); seq_cst, against census and seating */
  uint32_t stuck_noted, withheld_noted; /* relaxed */
  uint32_t watcher; /* which parked worker wakes up by itself; seq_cst */
  /* All workers change these whenever they begin or end to run something. What workers mostly read is above. */
  uint32_t census __attribute__((aligned(64))); /* how many workers run something, how many search; seq_cst */
  uint32_t touching; /* procedures that are suspended at touches; relaxed */
  uint32_t seating; /* workers that try a seat while they search; seq_cst, against frozen */
  /* a bit for each worker that anybody may wake; its deque is empty */
  uint64_t parked[CILK_MAX_PROC / 64] __attribute__((aligned(64)));
};

extern cilk_context *cilk_contexts; /* all that are started, by ->other; under the lock, and in reports */
extern pthread_mutex_t cilk_contexts_lock;
/* In a controlled schedule a thread that waits for it passes its turn, and the thread that has it passes none at an
 * access. */
void cilk_contexts_take(void);
bool cilk_contexts_try(void); /* false: another thread has it */
void cilk_contexts_give(void);
void cilk_context_enlist(cilk_context *ctx);
void cilk_context_strike_off(cilk_context *ctx);

#endif
