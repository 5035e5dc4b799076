/* internal.h - what the files of the runtime share; generated code sees only abi.h.
 *
 * Read PROTOCOLS.md first: it explains the states, the lock order and the pairing of every atomic. In short:
 *   - a worker's lock guards head (H), exc (E), signal, the segment chain and the links in it;
 *   - a closure's lock guards its state, join, children, pending and worker, and the `child` of the links in `children`;
 *   - order: worker lock, then closure locks from ancestor to descendant; never two worker locks; no lock while user code runs.
 */
#ifndef CILK_RT_INTERNAL_H
#define CILK_RT_INTERNAL_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The runtime is compiled with -fvisibility=hidden: what images share is abi.h and what <cilk.h> declares. */
#pragma GCC visibility push(default)
#include "abi.h"
#pragma GCC visibility pop
#include "config.h"
#include "events.h"

#define CILK_COLD __attribute__((cold, noinline))
#define CILK_NORETURN __attribute__((noreturn))
#define CILK_SHARED __attribute__((visibility("default")))   /* at the definitions behind <cilk.h> */
#define CILK_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* ---- atomics ----------------------------------------------------------------------------------------------------------------
 * abi.h is shared with C++ and with generated code, so its fields have plain types; every access that another thread can see goes
 * through these. The comment at each use, or PROTOCOLS.md, says what it pairs with. */
#define load_relaxed(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define load_seq_cst(p) __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define store_relaxed(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define store_seq_cst(p, v) __atomic_store_n((p), (v), __ATOMIC_SEQ_CST)

static inline void cilk_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/* ---- spin locks: one word, 0 free; test-and-test-and-set, gives the processor away after a while ------------------------------ */

void cilk_spin_wait(uint32_t *lock);

static inline void cilk_spin_lock(uint32_t *lock)
{
  while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) != 0)   /* pairs with the release in cilk_spin_unlock */
    cilk_spin_wait(lock);
}
static inline bool cilk_spin_trylock(uint32_t *lock)
{
  return load_relaxed(lock) == 0 && __atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) == 0;
}
static inline void cilk_spin_unlock(uint32_t *lock) { store_release(lock, 0u); }

/* ---- links ------------------------------------------------------------------------------------------------------------------ */

struct cilk_root_run;

struct cilk_link {
  cilk_closure *parent;            /* NULL for a root; constant */
  const cilk_entry *entry;         /* of the spawn; NULL for a root; constant */
  struct cilk_root_run *root;      /* the computation that this child belongs to; it is the child itself when parent is NULL; constant */
  cilk_worker *worker;             /* on whose stack the child's bottom activation lies while child is NULL; constant */
  cilk_closure *child;             /* the child's closure once it is full; guarded by parent's lock */
  cilk_link *next, *prev;          /* among parent's children (ring-free, NULL ended) or pending (ring); parent's lock */
  uint32_t aborted;                /* atomic; only ever set; written under parent's lock */
  uint32_t bytes;                  /* of this allocation */
  uint32_t result_offset;          /* of the place for the result, from the start of the link */
  uint32_t reserved;
  uint64_t work, span;             /* -cilk-span: the child's totals, once it has returned */
};
enum { CILK_LINK_HEADER = 128 };   /* the record follows here, then the result, both 64-byte aligned */

static inline void *cilk_link_record(cilk_link *l) { return (char *)l + CILK_LINK_HEADER; }
static inline void *cilk_link_result(cilk_link *l) { return (char *)l + l->result_offset; }

/* A link from a child running on `worker` to `parent`, its record copied out of the parent's slots; in the computation of `base`. */
cilk_link *cilk_link_new(cilk_closure *parent, cilk_worker *worker, const cilk_link *base);
void cilk_link_free(cilk_link *l);

/* Lists of a closure; its lock is held. */
void cilk_children_add(cilk_closure *parent, cilk_link *l);      /* join++ */
void cilk_children_remove(cilk_closure *parent, cilk_link *l);   /* join unchanged */
void cilk_pending_add(cilk_closure *parent, cilk_link *l);
cilk_link *cilk_pending_take(cilk_closure *parent);              /* oldest first; NULL if none; join-- */
unsigned cilk_pending_drop(cilk_closure *parent);                /* frees all; join -= their number, which it returns */

/* ---- segments: on the C stack of the scheduler's frame ------------------------------------------------------------------------ */

enum { CILK_NOT_UNWINDING = 0, CILK_UNWIND_ABORT = 1 };

typedef struct cilk_segment {
  cilk_closure **base;             /* T when it began; constant */
  cilk_link *link;                 /* where its bottom activation delivers; NULL once that is done; written under worker's lock */
  cilk_closure *full;              /* the closure whose slow clone is at the bottom, while it is this worker's; written by the owner, or under its lock */
  struct cilk_segment *outer;      /* the segment below a nested root */
  cilk_closure *chain_young;       /* released frames, youngest first, by ->next; owner only */
  cilk_closure *chain_old;
  uint8_t slow;                    /* the bottom activation is a slow clone; constant */
  uint8_t unwinding;               /* CILK_UNWIND_ABORT: every frame returns a dummy; thieves keep off; worker's lock */
  uint8_t kept;                    /* `full` stopped being this segment's, but stays at its place below it; worker's lock */
  uint8_t releasing;               /* a release of its frames began: the slow clone's pop must raise; worker's lock */
  uint8_t chain_full;              /* the oldest of the chain was full already: the slow clone's own */
} cilk_segment;

/* ---- statistics: written by the owner, relaxed, on steal paths only ------------------------------------------------------------ */

enum cilk_counter {
#define CILK_COUNTER(id, name, level) CILK_N_##id,
#include "counters.def"
#undef CILK_COUNTER
  CILK_COUNTERS
};

/* ---- workers ------------------------------------------------------------------------------------------------------------------ */

struct CilkContext;
typedef struct CilkContext cilk_context;
extern const char cilk_this_runtime;      /* its address tells one copy of the runtime from another in the same process */

typedef struct cilk_worker_ext {
  uint32_t lock __attribute__((aligned(64)));
  uint32_t held;                   /* lock: taken by a thread that is forking (fork.c); written under lock */
  uint32_t signal;                 /* somebody wants an exception at the next pop; cleared by the owner; lock */
  cilk_closure **head;             /* H; written under lock, read by thieves without it */
  cilk_segment *seg;               /* innermost segment; lock */
  cilk_worker *requester;          /* a thief that asks for the head; written under lock, read by the owner without it as a hint */
  /* owner only from here on */
  cilk_worker *hot __attribute__((aligned(64)));   /* the worker's cilk_self */
  cilk_context *ctx;
  const volatile void *lock_waited;   /* the Cilk_lockvar that this worker waits for; relaxed, for reports */
  cilk_context *call_waited;       /* the context that it has called; relaxed, for reports */
  struct cilk_root_run *waiting;   /* the nested root that the innermost scheduler loop waits for; NULL in the outermost loop */
  cilk_closure *next;              /* to be run next by the scheduler; in hand */
  uint64_t random;
  uint64_t coarse_since;           /* lazy.c */
  uint32_t coarse, coarse_tests;
  bool counted;                    /* among the searching of the census */
  uint32_t small;                  /* policy.c: pieces of next to no work, stolen one after the other */
  uint64_t found_at;               /* when the last search for work ended with some; 0: never */
  cilk_closure **deque, **deque_end;
  void *deque_map, *stack_map;
  size_t deque_map_bytes, stack_map_bytes;
  char *stack_guard, *stack_guard_end;
  void *signal_stack;
  pthread_t thread;
  int tid;                         /* of the thread, for tgkill; constant */
  uint64_t thread_began;           /* span.c */
  uint64_t spawn_span;             /* span of the parent where it spawned: where the child's begins */
  uint64_t return_work, return_span;   /* totals of the child that returned last */
  uint64_t joined_at;              /* when it came into the present computation; 0: not yet; relaxed, for the statistics */
  uint64_t idle_ns, idle_since;    /* time spent searching for work; relaxed atomics */
  uint64_t count[CILK_COUNTERS];
  uint32_t searches[CILK_SEARCH_BUCKETS];   /* how many searches for work took how long (stats.c); relaxed, written by this worker */
  uint32_t node;                   /* memory node where it ran last; relaxed (node.c) */
  /* a line of its own: written by thieves */
  cilk_closure *gift __attribute__((aligned(64)));     /* the answer to this worker's own request: NULL while it waits */
  uint32_t fence_asked, fence_done;   /* fences by signal: asked for by a thief that holds the lock, done by this worker (barrier.c); seq_cst */
  uint64_t hungry_since;           /* when the release flag was first set since the last answer; relaxed */
  uint32_t park;                   /* futex: asleep, or about to be (sleep.c); seq_cst */
} cilk_worker_ext;

/* The calling thread's worker. The empty asm hides that this is the address of an object: gcc's null check under UBSan looks at flags of
 * an addition that the linker turns into an instruction that sets none. */
static inline cilk_worker *cilk_me(void)
{
  cilk_worker *w = &cilk_self;
  __asm__("" : "+r"(w));
  return w;
}

static inline void cilk_count_n(cilk_worker *w, enum cilk_counter k, uint64_t n)
{
  uint64_t *p = &w->ext->count[k];
  store_relaxed(p, load_relaxed(p) + n);
}
static inline void cilk_count(cilk_worker *w, enum cilk_counter k) { cilk_count_n(w, k, 1); }

static inline void cilk_worker_lock(cilk_worker *w) { cilk_spin_lock(&w->ext->lock); }
static inline void cilk_worker_unlock(cilk_worker *w) { cilk_spin_unlock(&w->ext->lock); }
static inline void cilk_closure_lock(cilk_closure *c) { cilk_spin_lock(&c->lock); }
static inline void cilk_closure_unlock(cilk_closure *c) { cilk_spin_unlock(&c->lock); }

/* ---- options and contexts ------------------------------------------------------------------------------------------------------- */

enum cilk_force { CILK_FORCE_OFF = 0, CILK_FORCE_NEVER, CILK_FORCE_ALWAYS, CILK_FORCE_RANDOM };

typedef struct cilk_options {
  int nproc;
  int stats;
  int alloc_batch;
  int yield;
  int watchdog;                    /* seconds; 0: none */
  int dump_core;
  enum cilk_force force;
  size_t stack_entries;            /* --stack */
  size_t stack_bytes;              /* --pthread-stacksize */
  uint64_t seed;
  uint64_t pin_mask;               /* 0: inherit */
} cilk_options;

/* Takes the Cilk options out of argc/argv. 0: go on; 1: --help or --version was printed; 2: wrong options, said so on stderr. */
int cilk_options_parse(cilk_options *o, int *argc, char **argv);

/* fpstate.c */
typedef struct cilk_fp_state {
#if defined(__aarch64__)
  uint64_t control;
#else
  uint32_t control;
  uint16_t x87;
#endif
} cilk_fp_state;

/* One call of a Cilk procedure from C. Lives on the caller's stack. */
typedef struct cilk_root_run {
  cilk_link link;                  /* parent NULL */
  const cilk_root *root;
  void *args, *result;
  cilk_context *ctx;
  uint32_t done;                   /* atomic; release by who finishes, acquire by who waits */
  uint32_t aborted;                /* written before done */
  bool nested;
  cilk_fp_state fp;                /* the caller's, constant; pieces of the computation begin with it */
  int error;                       /* errno: the caller's, then that of who finished */
  cilk_fp_state fp_after;          /* of who finished; written before done */
  struct cilk_root_run *outer;     /* the computation of which the C function that called is a part; NULL: none, or not known */
} cilk_root_run;

/* True if what belongs to `run` is a part of `all` (NULL: of anything). */
static inline bool cilk_root_within(const cilk_root_run *run, const cilk_root_run *all)
{
  while (all && run && run != all)
    run = run->outer;
  return !all || run;
}

struct CilkContext {
  const void *runtime;             /* which copy made it: &cilk_this_runtime; first, for another copy may look at it */
  cilk_options opt;
  int nproc;
  cilk_worker **workers;           /* [nproc], the thread-local objects; constant once started */
  struct cilk_worker_ext **extensions;   /* [nproc]: they outlive the threads */
  const struct cilk_policy *policy;
  bool lazy;                       /* the program's spawn strategy */
  bool nodes_pretended;            /* by CILK_NODES */
  int nodes;                       /* 0: one memory node, or not known */
  /* computations */
  pthread_mutex_t call;            /* one computation at a time */
  pthread_mutex_t mutex;           /* guards done notification and start-up */
  pthread_cond_t changed;
  cilk_root_run *job;              /* for worker 0; atomic */
  uint32_t attentive;              /* worker 0 is awake and looks at job before it sleeps; seq_cst, against job (root.c) */
  uint32_t begun, ended;           /* numbers of computations so far; one runs while they differ; atomic */
  uint32_t shutdown;               /* atomic */
  uint32_t exiting;                /* Cilk_exit was called; atomic */
  int exit_status;
  uint32_t nested;                 /* nested roots under way; seq_cst, against exiting (exit.c) */
  cilk_context *caller;            /* the context whose worker made the present call; NULL: none did; atomic, written under call */
  int started;                     /* workers that are up; mutex */
  size_t addresses;                /* address space for each worker's stack and deque, when they were started */
  uint64_t start_ns, elapsed_ns;   /* of the last computation */
  uint64_t work, span;             /* its totals, -cilk-span */
  bool ever_ran;
  bool lost, alone, orphans_held;  /* in a forked child: no worker is left; only the one that forked is (fork.c) */
  const cilk_root *main_root;      /* the Cilk main that this context is for, or NULL */
  cilk_context *other;             /* among cilk_contexts */
  struct cilk_private_copy *privates;   /* worker 0's copies of the private variables; constant once started */
  /* closures that nobody's deque holds (orphans of a finished nested root, forced steals) */
  uint32_t orphan_lock __attribute__((aligned(64)));
  cilk_closure *orphans;           /* by ->next */
  /* idle workers (sleep.c) */
  uint32_t processors __attribute__((aligned(64)));   /* that the workers may run on; constant */
  uint32_t open;                   /* thieves were called to the present computation; atomic */
  uint32_t census __attribute__((aligned(64)));   /* how many workers run something, how many search; seq_cst */
  uint32_t watcher;                /* who of the parked wakes up by itself; seq_cst */
  uint64_t parked[CILK_MAX_PROC / 64] __attribute__((aligned(64)));   /* a bit for each worker that anybody may wake; its deque is empty */
};

/* True when results through this link are not wanted any more. */
static inline bool cilk_link_aborted(cilk_link *l, cilk_context *ctx)
{
  return load_seq_cst(&l->aborted) != 0 || load_relaxed(&ctx->exiting) != 0;
}

/* ---- functions by file ------------------------------------------------------------------------------------------------------------ */

/* barrier.c: orders this thread's earlier stores before its later loads, as seen against the victim's plain store-load; its lock is held.
 * False: that could not be had now. */
bool cilk_heavy_fence(cilk_worker *victim);
void cilk_heavy_fence_init(void);

/* limits.c: what the process may use */
int cilk_limit_processors(void);
size_t cilk_limit_memory(void);
size_t cilk_limit_addresses(int nworkers);                                  /* for each worker's stack and deque; SIZE_MAX: no limit */

/* deque.c */
size_t cilk_deque_reserve(cilk_worker_ext *x, size_t entries, size_t most); /* returns the bytes reserved; at most `most` where that is known */
void cilk_deque_create(cilk_worker *w);
void cilk_deque_destroy(cilk_worker_ext *x);
cilk_segment *cilk_segment_at(cilk_worker_ext *x, cilk_closure **place);    /* lock held */
void cilk_segment_begin(cilk_worker *w, cilk_segment *s, cilk_link *link, cilk_closure *full);
void cilk_segment_end(cilk_worker *w, cilk_segment *s);                     /* T, H, E as they were before it */
void cilk_exc_update(cilk_worker *w);                                       /* lock held: E from what the owner has to see, and H */
void cilk_deque_push_ready(cilk_worker *w, cilk_closure *oldest_first[], size_t n);
cilk_closure *cilk_deque_pop_ready(cilk_worker *w, cilk_closure **floor);   /* NULL if there is none above floor */

/* closure.c */
void cilk_pool_hold(void);                                                  /* around a fork */
void cilk_pool_let_go(void);
void cilk_pool_limit(void);                                                 /* reads how much memory there is */
void *cilk_pool_alloc(size_t bytes);                                        /* 64-byte aligned; never NULL */
void cilk_pool_free(void *p, size_t bytes);
void cilk_pool_drain(cilk_worker *w);                                       /* gives the worker's free lists back */
size_t cilk_pool_bytes(void);                                               /* taken from the system so far */
void cilk_closure_become_full(cilk_closure *c, cilk_link *link, cilk_worker *w, uint32_t state);
void cilk_closure_release_blocks(cilk_closure *c);

/* steal.c */
cilk_closure *cilk_steal(cilk_worker *thief, cilk_worker *victim);
bool cilk_stop_parent(cilk_worker *w, cilk_worker *victim, cilk_closure *p);   /* so that w can deliver, wherever p is pushed */
cilk_closure *cilk_take_head(cilk_worker *thief, cilk_worker *victim);      /* victim's lock held, head claimed; NULL: a deliverer has it */
void cilk_keep_bottom(cilk_worker *victim, cilk_segment *s);                /* s->full is pushed; lock held, claimed: DELIVERING, in its place */
cilk_closure *cilk_take_ready(cilk_worker *w, cilk_closure *c);             /* off its deque; no other closure's lock held. NULL: a deliverer has it */
void cilk_serve(cilk_worker *w, cilk_closure **limit);                      /* owner, lock held: answers the requester */
void cilk_signal(cilk_worker *w);                                           /* no lock held */

/* deliver.c */
void cilk_deliver(cilk_worker *w, cilk_link *l, void *result, size_t size);
void cilk_drain(cilk_worker *w, cilk_closure *c);                           /* c's lock held, c to itself: runs what is queued */
void cilk_deliver_below(cilk_worker *w);                                    /* owner, at a pop or test that was signalled */
void cilk_complete_aborted(cilk_worker *w, cilk_closure *c);

/* release.c */
void cilk_publish_chain(cilk_worker *w, cilk_segment *s);

/* lazy.c: when the lazy strategy releases */
void cilk_hunger_arm(cilk_worker *thief);                                   /* thief: found nothing */
bool cilk_hunger_answer(cilk_worker *w, int point);                         /* victim: shall this test release? */
void cilk_hunger_start(cilk_worker *w);                                     /* the worker enters a computation */
void cilk_hunger_resume(cilk_worker *w, uint64_t idle_ns);                  /* the worker found work */

/* worker.c */
void cilk_workers_start(cilk_context *ctx);
void cilk_workers_stop(cilk_context *ctx);
/* Counters wrap: *flag has reached value. */
static inline bool cilk_reached(const uint32_t *flag, uint32_t value) { return (int32_t)(load_seq_cst(flag) - value) >= 0; }

/* Starts the root, if one is given, then runs closures until *flag reaches value. */
void cilk_schedule(cilk_worker *w, cilk_root_run *run, const uint32_t *flag, uint32_t value);
void cilk_orphan(cilk_worker *w, cilk_closure *c);
cilk_closure *cilk_orphan_take(cilk_worker *w);
void cilk_workers_free(cilk_context *ctx);                                  /* their memory; the threads are gone */

/* context.c */
void Cilk_terminate(struct CilkContext *ctx);
void cilk_context_stop(cilk_context *ctx);                                  /* what it does before it frees */

extern cilk_context *cilk_contexts;                                         /* all that are started, by ->other */
extern pthread_mutex_t cilk_contexts_lock;

/* fork.c */
void cilk_fork_init(void);
extern bool cilk_forked;
void cilk_context_revive(cilk_context *ctx);
void cilk_fork_root_done(cilk_context *ctx, cilk_root_run *run, const void *result) CILK_NORETURN;

/* root.c */
void cilk_root_finish(cilk_worker *w, cilk_link *l, void *result, size_t size);

/* sleep.c */
void cilk_announce(cilk_context *ctx, const cilk_root_run *run);            /* a part of that computation can be taken */
void cilk_unpark(cilk_worker *w);
bool cilk_spin(bool (*until)(const void *), const void *what);              /* false: not within CILK_CALL_SPIN_NS */
void cilk_rouse(cilk_context *ctx);                                         /* worker 0, and a thief for the present computation */
void cilk_dismiss(cilk_context *ctx);                                       /* the computation is over: the watcher need not watch */
void cilk_work_begin(cilk_worker *w);
void cilk_work_end(cilk_worker *w);
bool cilk_search_begin(cilk_worker *w);
void cilk_search_end(cilk_worker *w, bool found);
unsigned cilk_searching(cilk_context *ctx);
unsigned cilk_idle(cilk_context *ctx);
void cilk_park(cilk_worker *w, bool listed);
bool cilk_park_wait(cilk_worker *w, uint64_t ns);
bool cilk_park_leave(cilk_worker *w);
uint64_t cilk_watch(cilk_worker *w, uint64_t since, uint64_t *period);

/* node.c */
int cilk_nodes(bool *pretend);
void cilk_node_update(cilk_worker *w);

/* policy.c: what a worker does when it has nothing to run. Every nondeterministic choice of the scheduler is made here. */
typedef struct cilk_policy {
  const char *name;
  /* A closure in hand, or NULL once *flag has reached value. */
  cilk_closure *(*find)(cilk_worker *w, const uint32_t *flag, uint32_t value);
  /* Testing: shall the pop that just raised be treated as stolen? NULL: never. */
  bool (*force_pop)(cilk_worker *w);
} cilk_policy;
const cilk_policy *cilk_policy_choose(const cilk_options *o);
uint64_t cilk_random(cilk_worker *w);

/* stackguard.c */
void cilk_stack_create(cilk_worker_ext *x, size_t bytes, size_t most);      /* as cilk_deque_reserve */
void cilk_stack_destroy(cilk_worker_ext *x);
void cilk_guard_init(void);
void cilk_guard_end(void);
void cilk_guard_thread(cilk_worker *w);
void cilk_guard_thread_end(cilk_worker *w);

/* stats.c */
void cilk_stats_searched(cilk_worker *w, uint64_t ns);   /* a search that found work is over: one count more */
void cilk_stats_reset(cilk_context *ctx);
void cilk_stats_print(cilk_context *ctx, FILE *out);

/* fpstate.c: floating-point environment and errno of a computation */
void cilk_fp_save(cilk_fp_state *s);
void cilk_fp_load(const cilk_fp_state *s);

/* lock.c, lock_debug.c */
void cilk_rt_lock_wait(volatile int *lock);
size_t cilk_lock_describe(char *line, size_t at, size_t room, const volatile void *lock);   /* its holder, where that is known; the new `at` */

/* report.c: what the workers do, on stderr */
void cilk_report_init(void);
void cilk_report(const char *why);

/* exit.c: the process ends once */
bool cilk_exit_claim(void);                                                 /* true: the calling thread is the first; waits in all others */
void cilk_exit_forked(void);
void cilk_exit_process(int status) CILK_NORETURN;
void cilk_exit_now(cilk_context *ctx) CILK_NORETURN;                        /* with the context's statistics and status */
void cilk_exit_watch(cilk_worker *w, bool on);                              /* on this worker: the end of its thread is a fatal error */

/* message.c: prints `<worker>: fatal error: ...`, or `global: ...` outside workers, and ends the process */
void cilk_fatal(const char *format, ...) CILK_PRINTF(1, 2) CILK_NORETURN;
extern int cilk_dump_core;

/* private.c */
bool cilk_lazy(void);                     /* are the images that share this runtime compiled with --spawn=lazy? */
bool cilk_next_privates(const cilk_module **at);   /* the next image with private variables, from NULL on; false after the last */
void cilk_private_start(cilk_context *ctx);
void cilk_private_end(cilk_context *ctx);
void cilk_private_copy(cilk_context *ctx, bool in);

/* span.c */
extern bool cilk_span_used;
void cilk_span_carry(cilk_worker *w, cilk_link *l);              /* the child that just returned here: its totals go into the link */
void cilk_span_deliver(cilk_closure *parent, cilk_link *l);      /* and from there to the parent */
void cilk_span_resume(cilk_worker *w);                           /* a slow clone is entered */

/* time.c */
uint64_t cilk_now_ns(void);

/* Debug build: a full closure carries this; what does not was overwritten, or freed. */
#define CILK_MAGIC UINT64_C(0xC11C5C105E000001)
#define CILK_MAGIC_FREE UINT64_C(0xC11C5DEAD0000001)
extern long cilk_full_closures;          /* alive now; counted in the debug build only */

/* debug build: the condition must hold */
#ifdef CILK_DEBUG
#define cilk_check(e) ((e) ? (void)0 : cilk_fatal("runtime check failed: %s (%s:%d)", #e, __FILE__, __LINE__))
#else
#define cilk_check(e) ((void)0)
#endif

#endif
