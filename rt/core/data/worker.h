/* worker.h - a worker: a thread with its hot part cilk_self (abi.h) and this.
 *
 * Its lock guards H (head), E (cilk_self.exc), signal, requester, the chain of segments, and what deque.h says of
 * segments. */
#ifndef CILK_RT_WORKER_H
#define CILK_RT_WORKER_H

#include <pthread.h>

#include "base/spin.h"
#include "data/team.h"

struct cilk_root_run;
struct cilk_segment;
struct CilkContext;

/* Statistics: written by the owner, relaxed, inside the runtime only. */
enum cilk_counter {
#define CILK_COUNTER(id, name, level) CILK_N_##id,
#include "observe/counters.def"
#undef CILK_COUNTER
  CILK_COUNTERS
};

/* The memory of a deque and of a C stack. */
typedef struct cilk_memory {
  cilk_closure **deque, **deque_end;
  void *deque_map, *stack_map;
  size_t deque_map_bytes, stack_map_bytes;
  char *stack_guard, *stack_guard_end;
} cilk_memory;

/* ---- what each subsystem keeps of a worker. Owner only, unless a comment names others ---- */

/* Schedulers inside of schedulers (nest/nest.h, nest/seat_stack.h). */
typedef struct cilk_worker_nest {
  struct cilk_seat *seat;          /* the seat that it has; NULL: it is a vproc of the context's own scheduler */
  struct cilk_seat *floor;         /* ... when the innermost scheduler loop began */
  struct cilk_seat *leave;         /* an outer team wants the worker back: it leaves this seat */
  uint64_t since;                  /* when the context's own scheduler was last asked because its slice was over */
  struct cilk_seat_stack *stack;   /* that of an engine's seat; NULL: its thread's */
  /* all that it has ever made, by ->other; those in no use, by ->next */
  struct cilk_seat_stack *stacks, *free_stacks;
  /* seats that were set aside on this worker, and whose engines run again, by ->next; ctx->seats_lock, and a hint
   * without it; seq_cst against park */
  struct cilk_seat *due;
  struct cilk_seat *passes;        /* the seat is set aside for one that is due; NULL: none is */
  uint32_t passed;                 /* passes since the worker last ran work or slept */
} cilk_worker_nest;

/* What C code on this worker waits for. */
typedef struct cilk_worker_wait {
  struct cilk_root_run *called;    /* the innermost nested root that it has called; others by ->below; for stuck.c */
  /* the nested root that the innermost scheduler loop waits for; NULL in the outermost loop */
  struct cilk_root_run *root;
  /* Cilk_wait: what the innermost loop waits for; once it is 1, what runs above is left */
  const uint32_t *until;
  bool outside;                    /* that loop takes closures of other roots, too (stuck.c) */
  uint64_t look;                   /* when stuck.c looks at that; 0: the worker has just become idle */
  /* the root of the procedure whose inlet runs, and the segment above which it runs: a delivery may come in any loop */
  struct cilk_root_run *inlet;
  const struct cilk_segment *inlet_above;
  const volatile void *lock; /* a Cilk_lockvar; relaxed, for reports */
  /* that it calls, or waits to call; written under cilk_contexts_lock; relaxed, for reports */
  struct CilkContext *context;
} cilk_worker_wait;

/* Work and span, in ns or units (observe/span.c). */
typedef struct cilk_worker_span {
  uint64_t began; /* the present thread of the program */
  uint64_t spawned; /* span of the parent where it spawned: where the child's begins */
  uint64_t return_work, return_span; /* totals of the child that returned last */
  uint64_t joined; /* span of the child whose delivery runs */
  uint64_t called_work, called_span; /* of what the running instance has called and waited for: threads of Cilk-1 */
} cilk_worker_span;

/* When the lazy strategy releases (steal/lazy.c). */
typedef struct cilk_worker_coarse {
  uint64_t since; /* ns */
  uint32_t level, tests;
} cilk_worker_coarse;

/* The search for work (schedule/search.c). */
typedef struct cilk_worker_search {
  bool counted; /* among the searching of the census */
  bool waits; /* it began to search while it waited for a nested root */
  uint32_t small; /* pieces of next to no work, stolen one after the other */
  uint64_t found_at; /* ns: when the last search ended with some work; 0: never */
} cilk_worker_search;

/* Statistics (observe/stats.c): written by the owner, and by the worker that ends a computation of Cilk-1 (run.c).
 * Others read them; relaxed. */
typedef struct cilk_worker_stats {
  uint32_t joined; /* the last computation that it joined: these statistics are of it */
  uint64_t joined_at; /* when it joined that computation, in ns */
  uint64_t idle_ns, idle_since; /* time spent searching for work */
  uint64_t count[CILK_COUNTERS];
  uint32_t searches[CILK_SEARCH_BUCKETS]; /* how many searches for work took how long */
} cilk_worker_stats;

/* What it has freed of each class, by ->next, until it is a bundle (pool.c). */
typedef struct cilk_worker_freed {
  cilk_closure *list[CILK_FREE_CLASSES];
  uint32_t count[CILK_FREE_CLASSES];
} cilk_worker_freed;

/* Threads of Cilk-1 (cilk1/home.h). */
typedef struct cilk_worker_cilk1 {
  struct cilk1_home *pools; /* of the computations that it has something of; written under lock */
  /* the list, and what thieves see of its pools; only a computation's lock is taken under it */
  uint32_t lock;
} cilk_worker_cilk1;

/* ---- the worker ---- */

typedef struct cilk_worker_ext {
  uint32_t lock __attribute__((aligned(64)));
  uint32_t held; /* lock: taken by a thread that is forking (fork.c); written under lock */
  /* locks of schedulers that it holds; written by the owner, seq_cst against cilk_spin_forking (vproc.c) */
  uint32_t scheduling;
  uint32_t signal; /* another thread wants an exception at the next pop; cleared by the owner; lock */
  cilk_closure **head; /* H; written under lock, read by thieves without it */
  struct cilk_segment *seg; /* innermost segment; lock */
  cilk_closure **exc; /* E; high if each pop enters the runtime (policy->every); written under lock */
  /* a thief that asks for the head; written under lock, read by the owner without it as a hint */
  cilk_worker *requester;

  /* Owner only, unless a comment names others. First what every segment needs. */
  cilk_worker *hot __attribute__((aligned(64))); /* the worker's cilk_self */
  struct CilkContext *ctx;
  /* whose scheduler it asks: that of its innermost seat, or the context's own; constant for others while it steals */
  cilk_team *team;
  cilk_closure *next; /* the scheduler runs it next; in hand */
  /* T when the innermost scheduler loop began: READY closures above it are that loop's */
  cilk_closure **floor;
  struct cilk_segment *loop; /* the innermost segment then: while there is no other, nothing runs above T */
  struct cilk_computation *started; /* the last that it has started (start.c) */
  uint32_t blocking; /* depth of Cilk_blocking_begin */
  bool yields; /* Cilk_yield: gives up what runs at the next safe point */
  bool leaving; /* the release under way gives up the youngest frame, too */
  bool closing; /* the innermost loop is done, and hands on what it has */
  /* the release flag that no thief has raised: 0, or CILK_FLAG_CALM where all tests come in to pass the turn
   * (controlled_schedule.c) */
  uint32_t calm;
  uint64_t random; /* policy.c */
  cilk_memory own, memory; /* of its thread, constant; of the stack that it is on */
  struct cilk_trace *trace; /* its events; NULL: none are kept (trace.c) */
  cilk_worker_nest nest;
  cilk_worker_wait wait;
  cilk_worker_span span;
  cilk_worker_coarse coarse;
  cilk_worker_search search;
  cilk_worker_stats stats;
  cilk_worker_freed freed;
  cilk_worker_cilk1 cilk1;
  pthread_t thread;
  int tid; /* of the thread, for tgkill; constant */
  void *signal_stack;
  uint32_t node; /* memory node where it ran last; relaxed (node.c) */

  /* a line of its own: written by thieves */
  /* the answer to this worker's own request: NULL while it waits */
  cilk_closure *gift __attribute__((aligned(64)));
  /* fences by signal: asked for by a thief that holds the lock, done by this worker (barrier.c); seq_cst */
  uint32_t fence_asked, fence_done;
  /* fibers that others sent, youngest first by ->next; taken as a whole by this worker (fiber.c); seq_cst against
   * park */
  cilk_closure *inbox;
  /* its slice is over; set by the timer (ticker.c), cleared by this worker where it is asked; relaxed */
  uint32_t late;
  uint64_t hungry_since; /* when the release flag was first set since the last answer; relaxed */
  uint32_t halt; /* CILK_HALT_*: futex; it is to stop, or rest (steal/halt.h); seq_cst against park */
  uint32_t halted; /* the last stop that it has come to; seq_cst */
  uint32_t park; /* futex: asleep, or about to be (sleep.c); seq_cst */
} cilk_worker_ext;

/* The calling thread's worker. The empty asm hides that this is the address of an object: gcc's null check under UBSan
 * looks at flags of an addition that the linker turns into an instruction that sets none. */
static inline cilk_worker *cilk_me(void) {
  cilk_worker *w = &cilk_self;
  __asm__("" : "+r"(w));
  return w;
}

static inline void cilk_count_n(cilk_worker *w, enum cilk_counter k, uint64_t n) {
  uint64_t *p = &w->ext->stats.count[k]; /* the worker's own: no point where anything happens */
  __atomic_store_n(p, __atomic_load_n(p, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}
static inline void cilk_count(cilk_worker *w, enum cilk_counter k) { cilk_count_n(w, k, 1); }

enum { CILK_FLAG_CALM = 2 };

/* The release flag is changed by read-modify-writes, so that the worker that clears it has seen what each raiser wrote
 * before: a plain store on top of another one would hide what came with that (model/weak/flag.weak). The end of a
 * segment that unwinds is the exception (segment.c). */
static inline void cilk_flag_raise(cilk_worker *w) {
  cilk_access_point();
  __atomic_fetch_or(&w->release, 1u, __ATOMIC_RELEASE);
}
static inline void cilk_flag_clear(cilk_worker *w) {
  cilk_access_point();
  __atomic_exchange_n(&w->release, w->ext->calm, __ATOMIC_ACQ_REL);
}

static inline void cilk_worker_lock(cilk_worker *w) { cilk_spin_lock(&w->ext->lock); }
static inline void cilk_worker_unlock(cilk_worker *w) { cilk_spin_unlock(&w->ext->lock); }

/* Debug build: the calling thread holds the worker's lock. */
static inline void cilk_assert_worker_locked(const cilk_worker *w) {
  cilk_spin_held(&w->ext->lock);
  (void)w;
}

/* Counters wrap: *flag has reached value. */
static inline bool cilk_reached(const uint32_t *flag, uint32_t value) {
  return (int32_t)(load_seq_cst(flag) - value) >= 0;
}

#endif
