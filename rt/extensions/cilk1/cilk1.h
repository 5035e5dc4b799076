/* cilk1.h - the contract between code made of Cilk-1 and the runtime (Blumofe et al., "Cilk: An Efficient Multithreaded
 * Runtime System", PPoPP'95).
 *
 * codegen takes offsets from here, hand-written programs (tests/rt/cilk1) include it. Plain C17 and C++20, LP64
 * targets. Sections 2 to 4 are those of the paper; 5 and 6 are below.
 *
 *   thread    a C function that runs to its end without waiting (section 2). Constant data of the compiler describes
 *             it: cilk1_thread.
 *   closure   one call of a thread that is to come: the thread, a slot for each argument, the join sum of those that
 *             are missing, the level. *Waiting* while arguments are missing, *ready* from then on. Its memory is given
 *             back when its thread begins, or after the thread (large, or made by another worker).
 *   continuation   `cont T`: a reference to one empty slot of a waiting closure.
 *   pool      what one worker has of one computation: its ready closures, as an array of lists by level (section 3).
 *             cilk_worker.pool is the pool that the worker works on; NULL outside of threads.
 *   computation    everything that a call of a thread from C or Cilk-5 leads to. It is over when its result was sent
 *                  and nothing of it is ready or runs.
 *
 * OWNERSHIP. A closure belongs to the worker that made it, then to the worker that has it ready: the sender of the last
 * argument, or a thief. While it waits its owner touches join sum and slots by plain accesses. Other workers do so only
 * if the closure is `shared`: a continuation into it left its owner in a closure that could be stolen. Then all use
 * atomic accesses. Else they send the owner a message. All functions run on the calling worker's own thread, inside a
 * thread of Cilk-1 (cilk1_root: inside a root's thunk). None of them returns an error: what cannot be done ends the
 * process with a message. */
#ifndef CILK_RT_CILK1_H
#define CILK_RT_CILK1_H

/* As in base.h: what images share has default visibility, in any order of includes. */
#pragma GCC visibility push(default)
#include "rt/core/abi.h"
#pragma GCC visibility pop

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cilk1_closure cilk1_closure;
typedef struct cilk1_pool cilk1_pool;

/* `cont T`, 16 bytes, aligned to 8. {NULL, 0, 0} goes nowhere: sending through it is a fatal error. */
typedef struct cilk_cont {
  cilk1_closure *closure;
  uint32_t slot; /* bytes from the closure's start */
  /* the closure's when the continuation was made; the debug build finds dead ones by it */
  uint32_t serial;
} cilk_cont;

/* One row for each parameter of a thread, and one more for each `cont` inside a parameter of array or struct type. */
typedef struct cilk1_slot {
  const char *name; /* of the parameter, for messages */
  uint32_t offset, size; /* bytes; from the closure's start */
  uint32_t flags; /* CILK1_SLOT_* */
  uint32_t index; /* of the parameter, from 0 */
} cilk1_slot;
enum {
  /* holds a cilk_cont. A send through a cilk_cont without a row may cost a message, and works */
  CILK1_SLOT_CONT = 1u,
  CILK1_SLOT_PART = 2u /* inside of a parameter that has a row of its own */
};

/* Constant data, one per thread; internal linkage will do. */
typedef struct cilk1_thread {
  /* copies the arguments out, then runs the body. Nothing of *c may be read after the first spawn or send, if free
   * lists have its size */
  void (*run)(cilk_worker *w, cilk1_closure *c);
  const char *name, *file;
  uint32_t line;
  uint32_t size; /* of the closure, header included */
  uint32_t nslots;
  uint32_t flags; /* CILK1_THREAD_* */
  const cilk1_slot *slots;
  /* NULL; or `run` for generated code, which jumps there: it counts the thread and gives the closure back itself
   * (section 5) */
  const void *go;
} cilk1_thread;
enum {
  CILK1_THREAD_REMOTE = 1u, /* other machines may run it */
  CILK1_THREAD_PROCEDURE = 2u, /* calls a procedure of Cilk-5, and has no work of its own */
};

/* What other machines may run, in the section "cilk_remote" (8-byte aligned, no padding between): the same table in
 * each process of one program (dist/). */
typedef struct cilk_remote {
  const void *what; /* a cilk1_thread, or a cilk_root */
  uint64_t kind;
} cilk_remote;
enum { CILK_REMOTE_THREAD = 1, CILK_REMOTE_ROOT = 2 };

/* The header has the layout of cilk_closure's: both kinds come from the worker's free lists, in which `join` and
 * `flags` are 0 (cilk_closure.state and .blocks). On a pool's free list `pool` is that pool, too. */
struct cilk1_closure {
  const cilk1_thread *thread;
  /* spawns (not spawn_nexts) on the path from the computation's root (section 3) */
  uint32_t level;
  /* The join counter of the paper, weighted: the sum of the missing slots' offsets; 0: ready. Each send subtracts its
   * own. So a slot that is sent twice instead of another never completes the closure. Shared closures: atomic */
  uint32_t join;
  /* CILK1_SHARED, ... ; 0 on the fast path. Its owner writes it; SHARED by an atomic or, since senders read it */
  uint64_t flags;
  cilk1_closure *next; /* free list; list of a level, towards its tail; a list of messages */
  union {
    cilk1_closure *prev; /* ready: list of a level, towards its head; valid unless it is the head */
    /* waiting: its pool, if a send there only stores and counts; NULL if flags are set. The owner writes it */
    cilk1_pool *plain;
  };
  cilk1_pool *pool; /* its owner's; constant while it waits */
  /* the latest time of what it depends on: work on the longest path before it (section 4) */
  uint64_t stamp;
  uint64_t when; /* simulator: virtual time at which it became ready */
  uint32_t serial; /* debug build: its number; else 0 */
  uint32_t place; /* CILK1_PLACED: the worker */
  uint32_t sender; /* simulator: the worker that sent last */
};
#define CILK1_ARGS 80u /* the arguments follow, 16-byte aligned; what is between is reserved */
enum {
  CILK1_SHARED = 1u, /* join is atomic: others may send to it */
  CILK1_FOREIGN = 2u, /* taken from another worker: its memory goes to the process-wide pool */
  CILK1_PLACED = 4u, /* `@ p`: when it is ready it goes to worker `place` */
  CILK1_SLOW = 8u /* every send to it is a call: the debug build, time stamps */
};

/* One level's ready closures. Posted and taken at the head; thieves get the tail. */
typedef struct cilk1_level {
  cilk1_closure *head, *tail;
} cilk1_level;

struct cilk1_pool {
  /* Owner only. */
  cilk1_level *levels; /* [nlevels] */
  uint32_t nlevels;
  uint32_t level; /* of the thread that the scheduler began last */
  int32_t deepest; /* no nonempty level is below it; -1: none is nonempty */
  int32_t shallowest; /* no nonempty level is above it; INT32_MAX: none is nonempty */
  /* Counts; each is added to by one kind of event, and no two are neighbours. A chain of additions to one word would be
   * the longest path through short threads. An addition to two neighbours at once, in one vector, would wait for the
   * stores to each. */
  uint64_t begun; /* closures whose threads began here */
  cilk_worker *worker; /* constant */
  int64_t closures; /* made here or brought here, and not taken away; less `begun`: there now */
  int64_t most; /* of these at a time, seen where memory is asked for and between threads */
  /* threads that were called or jumped to at once, without a closure: one addition for all last spawns of a thread */
  uint64_t calls;
  uintptr_t spare;
  uint64_t jumps; /* the same, where a thread ends with one jump and no call */
  /* frames below the running thread's have still to start threads (section 5): the deepest level of these; 0: none */
  uint32_t waits;
  uintptr_t stack_low; /* from this stack pointer on no thread calls another: its closure is posted */
  uint64_t flags; /* of new closures: 0, or CILK1_SLOW: then the free lists stay empty */
  struct cilk_root_run *root; /* the computation; constant */
  cilk1_closure *free_list[CILK_FREE_CLASSES]; /* by ->next; memory that this pool had already */
  /* A line of its own: others raise it to CILK1_WANTED. The owner lowers the word, to stack_low, and answers in the
   * runtime at its next post, send or end of a thread. So one comparison with the stack pointer says whether a thread
   * may be called. */
  __attribute__((aligned(64))) uintptr_t attention;
};
#define CILK1_WANTED UINTPTR_MAX

/* ---- closures: spawn, spawn_next -------------------------------------------------------------------------------- *
 * `missing` is the sum of the offsets of the slots that are not there, at most INT32_MAX.
 *   spawn T(a, ?k)      c = cilk1_spawn(w, &T, slot); store a; k = cilk1_cont(c, slot), with the offset of k's slot;
 *   spawn T(a, b)       c = cilk1_spawn(w, &T, 0); store a, b; cilk1_ready(w, c);
 *   spawn_next          the same with cilk1_spawn_next: the level of the running thread, not the next one.
 * The slots that are there are stored before cilk1_ready, or (missing > 0) before any continuation of c is used. A
 * closure belongs to this worker. */

static inline int64_t cilk1_alive(const cilk1_pool *p) { return p->closures - (int64_t)p->begun; }
static inline uint64_t cilk1_threads(const cilk1_pool *p) { return p->begun + p->calls + p->jumps; }

/* the free list is empty, or the closure large; join is 0, pool and flags are the pool's */
void *cilk1_alloc(cilk_worker *w, const cilk1_thread *t);
void cilk1_ready_slow(cilk_worker *w, cilk1_closure *c);

static inline cilk1_closure *cilk1_make(cilk_worker *w, const cilk1_thread *t, uint32_t missing, uint32_t level) {
  cilk1_pool *p = w->pool;
  uint32_t k = (t->size - 1) / CILK_FREE_UNIT;
  cilk1_closure *c = k < CILK_FREE_CLASSES ? p->free_list[k] : NULL;
  p->closures++;
  if (__builtin_expect(c != NULL, 1)) {
    p->free_list[k] = c->next;
    c->plain = p; /* on a free list there are no flags */
  } else c = (cilk1_closure *)cilk1_alloc(w, t);
  c->thread = t;
  c->level = level;
  c->join = missing;
  return c;
}

/* What generated code calls; in the debug build they check more. */
cilk1_closure *cilk1_spawn(cilk_worker *w, const cilk1_thread *t, uint32_t missing);
cilk1_closure *cilk1_spawn_next(cilk_worker *w, const cilk1_thread *t, uint32_t missing);
/* the same at a given level, which generated code knows */
cilk1_closure *cilk1_spawn_at(cilk_worker *w, const cilk1_thread *t, uint32_t missing, uint32_t level);
/* all arguments are there: posts it at its level */
void cilk1_ready(cilk_worker *w, cilk1_closure *c);
/* `spawn T(..) @ p`: the same, on worker p modulo their number; thieves leave it alone */
void cilk1_ready_on(cilk_worker *w, cilk1_closure *c, int worker);
/* the same, below all others of its level: it was spawned before these */
void cilk1_ready_below(cilk_worker *w, cilk1_closure *c);
/* `@ p` with missing arguments: before any continuation of c is used */
void cilk1_place(cilk_worker *w, cilk1_closure *c, int worker);

/* The slot of continuations that bring no value. Several continuations may name it: each send subtracts 1. */
enum { CILK1_NOTHING = 1u };

static inline cilk_cont cilk1_cont(cilk1_closure *c, uint32_t slot) {
  cilk_cont k = {c, slot, c->serial};
  return k;
}

/* -cilk-debug: the argument in that slot is missing, and a continuation goes there. Returns the closure's serial */
uint32_t cilk1_hole(cilk1_closure *c, uint32_t slot);

/* ---- send_argument(k, value) ------------------------------------------------------------------------------------ *
 * Stores the value, counts the argument; the last one posts the closure to the sender's pool at the closure's own level
 * (section 3), or to the owner's (--post=owner). The size is that of the slot. */
void cilk1_send(cilk_worker *w, cilk_cont k, const void *value, size_t size);
void cilk1_send4(cilk_worker *w, cilk_cont k, uint32_t value);
void cilk1_send8(cilk_worker *w, cilk_cont k, uint64_t value);
/* k's closure has all its arguments already, or an argument came twice */
__attribute__((noreturn, cold)) void cilk1_send_dead(cilk_cont k);

/* ---- tail_call T(..), call T(..) -------------------------------------------------------------------------------- *
 * No closure: generated code calls cilk1_tail(w), then T's body as its last action, by an LLVM tail call. It counts as
 * a thread and as a spawned child. The body of a generated thread gets its level as an argument; pool->level is for
 * threads written by hand. */
void cilk1_tail(cilk_worker *w);

/* ---- computations ----------------------------------------------------------------------------------------------- *
 * `cont T k` as first parameter makes a thread a procedure that returns T. Its stub gives cilk_rt_call_root a cilk_root
 * with this thunk (ctx NULL: on this worker, as for an EXPORT). Cilk-5's `x = spawn fib(n)` calls it so. The thunk is
 *     w = the calling worker; k = cilk1_root(w, size of T); c = cilk1_spawn(w, &T, 0) at level 0; store k and args;
 *     cilk1_ready(w, c); return;
 * It leaves `result` alone: cilk_rt_call_root stores what was sent when the computation is over. (T void: size 0;
 * cilk1_send of 0 bytes.) */
cilk_cont cilk1_root(cilk_worker *w, size_t size);
cilk1_closure *cilk1_first(cilk_worker *w, const cilk1_thread *t); /* the spawn of a thunk: level 0 */

/* --serial, where there are no workers: a thread's procedure is called. The first caller gets a worker for this
 * and later calls. */
void cilk_rt_call_serial(const cilk_root *root, void *args, void *result);

/* A thread calls a Cilk-5 procedure, which sends its result to k: `spawn p(..)` with a continuation for the result, as
 * the body of a thread that generated code makes for it. args as for cilk_rt_call_root; copied. Returns when p has
 * returned, or when it goes on elsewhere. */
void cilk1_call(cilk_worker *w, cilk_cont k, const cilk_root *procedure, void *args);

/* The calling worker, for code that has no `w` at hand. */
cilk_worker *cilk1_worker(void);

/* ---- 5. what generated code does by itself (codegen/cilk1/thread_paths.cpp), from -O1 on, uninstrumented ----- *
 *   make     pops pool->free_list; if that is empty, cilk1_spawn_at.
 *   send     as cilk1_send8_fast. As a thread's last action, while no worker wants attention, a completed closure runs
 *            at once, by a jump to its `go`. This needs that the pool would take the closure next: nothing deeper is
 *            ready or to be started.
 *   spawn    Spawns with all arguments that end a thread are kept until the thread has done all else. Then, while
 *            no worker wants attention and nothing deeper is ready, no closures are made. The thread calls the bodies,
 *            the last spawn first, as the pool's order is. It jumps to the body of the first spawn. Until then the
 *            spawner waits in its frame, and the level of its spawns is pool->waits. A tail_call after such spawns
 *            counts as the last of them, and runs at once in any case. When a worker wants attention, what is left is
 *            posted (cilk1_ready_below). So all frames come to their ends, and then the shallowest closure is ready for
 *            thieves. `attention` stays up until then (cilk1_answer).
 * pool->calls and pool->jumps count such threads. None of it touches what other workers write, but for reading
 * `attention`. */

/* ---- 6. tools that follow a program's threads ------------------------------------------------------------------- *
 * The dag's recorder (record.c) and the race detector (race/threads.c). There is one worker, and every spawn and
 * send is a call. A closure has a number, which the tool chooses. `home` is what the worker has of the computation. */
struct cilk1_home;
typedef struct cilk1_watch {
  void (*begins)(void); /* a computation, in the code that calls it */
  void (*over)(void); /* its end: the calling code goes on */
  /* by the running thread: the closure's number */
  uint32_t (*made)(struct cilk1_home *home, const cilk1_closure *c);
  /* at: when, on the longest path */
  void (*sent)(struct cilk1_home *home, uint32_t to, uint32_t slot, uint64_t at);
  void (*runs)(struct cilk1_home *home, uint32_t number, uint64_t at);
  void (*ends)(struct cilk1_home *home); /* the thread that began last */
} cilk1_watch;
/* constant after the first computation began; NULL: no tool */
extern const cilk1_watch *cilk1_watched;

/* ---- the fast paths, for hand-written code --------------------------------------------------------------------- */

static inline void cilk1_post(cilk1_pool *p, cilk1_closure *c) {
  cilk1_level *at = &p->levels[c->level];
  cilk1_closure *head = at->head;
  c->next = head;
  if (head) head->prev = c;
  else {
    at->tail = c;
    if ((int32_t)c->level > p->deepest) p->deepest = (int32_t)c->level;
    if ((int32_t)c->level < p->shallowest) p->shallowest = (int32_t)c->level;
  }
  at->head = c;
}

static inline void cilk1_ready_fast(cilk_worker *w, cilk1_closure *c) {
  if (__builtin_expect(
          (__atomic_load_n(&w->pool->attention, __ATOMIC_RELAXED) == CILK1_WANTED) | (c->level >= w->pool->nlevels), 0))
    cilk1_ready_slow(w, c);
  else cilk1_post(w->pool, c);
}

static inline void cilk1_send4_fast(cilk_worker *w, cilk_cont k, uint32_t value) {
  cilk1_closure *c = k.closure;
  if (__builtin_expect(c && __atomic_load_n(&c->plain, __ATOMIC_RELAXED) == w->pool, 1)) {
    *(uint32_t *)((char *)c + k.slot) = value;
    uint32_t left = c->join -= k.slot;
    if (left == 0) cilk1_ready_fast(w, c);
    else if (__builtin_expect((int32_t)left < 0, 0)) cilk1_send_dead(k);
  } else cilk1_send(w, k, &value, sizeof value);
}

static inline void cilk1_send8_fast(cilk_worker *w, cilk_cont k, uint64_t value) {
  cilk1_closure *c = k.closure;
  if (__builtin_expect(c && __atomic_load_n(&c->plain, __ATOMIC_RELAXED) == w->pool, 1)) {
    *(uint64_t *)((char *)c + k.slot) = value;
    uint32_t left = c->join -= k.slot;
    if (left == 0) cilk1_ready_fast(w, c);
    else if (__builtin_expect((int32_t)left < 0, 0)) cilk1_send_dead(k);
  } else cilk1_send(w, k, &value, sizeof value);
}

#ifdef __cplusplus
}
#endif
#endif
