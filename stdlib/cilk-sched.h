/* cilk-sched.h: schedulers for Cilk programs, written in C.
 *
 * A scheduler decides which piece of a Cilk program a worker runs next. A *vproc* (virtual processor) is a worker: a
 * thread of the runtime that runs one fiber at a time. A *fiber* is a piece that can run but does not. It is a
 * procedure instance that was stolen, released, or resumed after a sync. Its frame is on the heap, and it runs once.
 * What runs has frames on the stack of its vproc. They become fibers when a thief takes them, or when the vproc
 * releases them at a *safe point*: a spawn, or a return from one. (Fluet, Rainey, Reppy: A scheduling framework for
 * general-purpose parallel languages, ICFP'08, sections 2.2 and 3.1. docs/schedulers.md translates the paper's
 * words.)
 *
 *     static Cilk_fiber *next(void *self, Cilk_vproc *vp) { ... }
 *     static const Cilk_scheduler mine = { .version = CILK_SCHED_VERSION, .name = "mine", .next = next };
 *     CILK_SCHEDULER(mine)
 *
 * `cilkc build prog.cilk mine.c` links it in, `./prog --sched=mine` chooses it.
 *
 * A scheduler is a table of functions, and objects that `create` makes: one for each context of a program, and one for
 * each computation of Cilk_with (<cilk-start.h>). A forked child makes new ones. A function that is NULL does what
 * `steal` does, the default scheduler.
 *
 * Threads: all functions but create, destroy, slice, waits and ended run on the own thread of a vproc, `vp`, on
 * several vprocs at once. Any thread may call slice, waits and ended. Shared data needs locks (Cilk_queue has one) or
 * atomics. The functions must not block and must not call Cilk procedures.
 *
 * Ownership: `ready` gives a fiber to the scheduler, `next` and `find` return it. In between the scheduler owns it
 * and keeps it where it likes (Cilk_fiber_link is room for a list). It must not lose the fiber, and must not hand it
 * out twice. In that time results of the fiber's children may arrive, and an abort may reach it: the runtime handles
 * both. A scheduler never frees a fiber. A computation does not end while one of its fibers is left.
 */
#ifndef CILK_SCHED_H
#define CILK_SCHED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CILK_SCHED_VERSION 5

typedef struct cilk_worker Cilk_vproc;
typedef struct cilk_closure Cilk_fiber;

/* Why a fiber became ready. */
typedef enum Cilk_why {
    /* it was a frame below the running one, and was released. Of several frames the oldest becomes ready first. The
     * youngest runs next on the same vproc, without the scheduler */
    CILK_WHY_RELEASED,
    /* the last child that it waited for at a sync has returned, on this vproc, which has nothing else to run */
    CILK_WHY_RESUMED,
    /* its vproc cannot go on with it: what it waited for is done, or a test forced the steal (--force-steal) */
    CILK_WHY_ORPHANED,
    /* it ran here until `asked` said CILK_LEAVE, or was a frame below what ran; older ones come first */
    CILK_WHY_PREEMPTED,
    CILK_WHY_REMOTE,             /* another vproc sent it here by Cilk_post */
    CILK_WHY_STARTED             /* a computation of its own begins with it (<cilk-start.h>) */
} Cilk_why;

/* Where in the program a safe point is. */
typedef enum Cilk_point {
    CILK_POINT_SPAWN,            /* before a child is called (programs with lazy spawns) */
    CILK_POINT_RETURN,           /* after a child has returned (the same) */
    /* after a child has returned to a frame that its spawn had pushed on the vproc's deque: in programs with eager
     * spawns, and in fibers */
    CILK_POINT_POP
} Cilk_point;

typedef enum Cilk_answer {
    CILK_STAY,                   /* go on */
    /* release the frames below (CILK_WHY_RELEASED), and go on. At a CILK_POINT_POP it is CILK_STAY: those frames are on
     * the deque, where thieves can take them */
    CILK_EXPOSE,
    /* the vproc gives up all that it runs (CILK_WHY_PREEMPTED), and asks for the next fiber */
    CILK_LEAVE
} Cilk_answer;

typedef struct Cilk_share Cilk_share;           /* what a scheduler keeps of a computation, below */

typedef struct Cilk_scheduler {
    uint32_t version;            /* CILK_SCHED_VERSION */
    const char *name;            /* letters, digits, - and _ */
    const char *help;            /* one line for --sched=list, or NULL */
    /* Makes the object that the other functions get as `self`, for that many vprocs (1 or more). `options` is what
     * follows the name in --sched=NAME:options, "" if nothing does. One thread calls it, before the object is used. On
     * an error it sets *error to a string that is never freed. NULL: self is NULL, and options are an error. */
    void *(*create)(int vprocs, const char *options, const char **error);
    /* Frees self. No vproc runs any more. */
    void (*destroy)(void *self);
    /* Own work: what this vproc runs next, or NULL. Call Cilk_deque_get before NULL: the deque may have fibers. */
    Cilk_fiber *(*next)(void *self, Cilk_vproc *vp);
    /* Others' work: one attempt to find some. The vproc has nothing to run. After NULL the vproc rests, and calls
     * again when a fiber becomes ready anywhere, or sooner. */
    Cilk_fiber *(*find)(void *self, Cilk_vproc *vp);
    /* f has become ready, on this vproc. From now on the scheduler owns it. */
    void (*ready)(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why);
    /* The vproc is at a safe point: does it go on? Called when others look for work (programs with lazy spawns), and
     * when a slice is over (then `late` is not 0). Other safe points cost a test and do not call it. */
    Cilk_answer (*asked)(void *self, Cilk_vproc *vp, Cilk_point at, int late);
    /* How long a vproc runs before `asked` is called, in ns. NULL, or 0: no limit. The answer must not change. */
    uint64_t (*slice)(void *self);
    /* Does anything wait for a vproc? A hint, called at the end of a slice on a thread of its own. 0: `asked` is not
     * called this time. NULL: perhaps. */
    int (*waits)(void *self);
    /* vp goes away, and asks for nothing until it calls next again, or until `back`. (A computation is over, an outer
     * scheduler wants the worker, or the worker waits: in a system call (<cilk-blocking.h>), in a call of another
     * context, or in C code of a computation inside, whose seat it has taken from this scheduler.) */
    void (*leave)(void *self, Cilk_vproc *vp);
    /* The computation of this share is over, cancelled or not. Called once for each. No fiber of it is left with the
     * scheduler, and none will come. The share is freed when this returns. The calling worker need not be a vproc of
     * the scheduler, so there is no vp. The workers of a computation with its own scheduler (Cilk_with) leave one
     * after the other: there the call comes after the last of them, perhaps after Cilk_wait. */
    void (*ended)(void *self, Cilk_share *share);
    /* vp goes on with what it ran before. It has waited for a call from C or for a computation, and perhaps ran other
     * fibers while it waited; or it comes back after `leave`: the wait is over, or there is something to run. */
    void (*back)(void *self, Cilk_vproc *vp);
} Cilk_scheduler;

/* At the top level of a source file: registers a scheduler before main begins. Of two with one name the first counts.
 * One may have the name of a scheduler of the runtime, and replaces it. The object must live as long as the process. An
 * object of another CILK_SCHED_VERSION ends the process with a message. */
#define CILK_SCHEDULER(object)                                                                     \
    __attribute__((__constructor__)) static void cilk_register_##object(void)                      \
    {                                                                                              \
        Cilk_scheduler_register(&object);                                                          \
    }
extern void Cilk_scheduler_register(const Cilk_scheduler *scheduler);

/* ---- vprocs. `vp` is always the vproc whose thread calls */

/* 0 .. Cilk_vprocs - 1; in a nested scheduler (Cilk_with) the seat */
extern int Cilk_vproc_id(const Cilk_vproc *vp);
extern int Cilk_vprocs(const Cilk_vproc *vp);
/* processor time of its thread, in ns; in a replay the time of Cilk_now */
extern uint64_t Cilk_vproc_time(Cilk_vproc *vp);
/* 0 .. n - 1, for n from 1 to 2^32. Make every choice by chance here: a replay governs it */
extern uint64_t Cilk_random(Cilk_vproc *vp, uint64_t n);
extern uint64_t Cilk_now(void);       /* ns, of CLOCK_MONOTONIC; in a replay of a clock that the replay governs */

/* 1 while it waits for a call from C or a computation, and runs only parts of that; else 0 */
extern int Cilk_waits(const Cilk_vproc *vp);
/* Wakes resting vprocs: they can find something now. (A fiber that becomes ready wakes them without this call.) */
extern void Cilk_call_vprocs(Cilk_vproc *vp);

/* ---- where vprocs run. With one memory node, or where the system reports none, there is one node, 0 */

/* memory nodes are numbered from 0 to this - 1; some may have no processor */
extern int Cilk_nodes(const Cilk_vproc *vp);
/* The node where the vproc with this number ran last. A hint: threads that are not pinned move. -1: no worker has the
 * place now (Cilk_with). */
extern int Cilk_node_of(const Cilk_vproc *vp, int vproc);
/* as the system reports it: 10 on one node, 20 at twice the cost */
extern int Cilk_node_distance(const Cilk_vproc *vp, int from, int to);

/* ---- fibers */

/* Room for one pointer. The scheduler may use it while it owns the fiber. */
extern Cilk_fiber **Cilk_fiber_link(Cilk_fiber *f);
/* 0 or 1. 0: this vproc waits for a call from C into Cilk (EXPORT) or for a computation, and f is no part of that. The
 * waiting code may hold a lock that f wants. If next or find returns such a fiber, it goes to the common pool and is
 * not lost. */
extern int Cilk_may_run(const Cilk_vproc *vp, const Cilk_fiber *f);
/* The number of its ancestors in its computation (procedures that wait for it), or `most` (0 or more) if it has more.
 * Takes as many steps as the result: recursion may be deep. */
extern int Cilk_fiber_level(const Cilk_fiber *f, int most);
/* f becomes ready on vproc `target`, 0 .. Cilk_vprocs - 1 (CILK_WHY_REMOTE). The target sees it when it has nothing on
 * its stack. */
extern void Cilk_post(Cilk_vproc *vp, int target, Cilk_fiber *f);

/* ---- a vproc's deque. It has the frames that spawns pushed, oldest first, and READY fibers between them. */

/* at the young end; if that is impossible now, into the common pool */
extern void Cilk_deque_put(Cilk_vproc *vp, Cilk_fiber *f);
extern Cilk_fiber *Cilk_deque_get(Cilk_vproc *vp);             /* the youngest fiber there, or NULL */
/* The oldest frame or fiber of another vproc, 0 .. Cilk_vprocs - 1. NULL: there is none, or none that vp may run, or
 * another thief was faster. O(1). */
extern Cilk_fiber *Cilk_steal(Cilk_vproc *vp, int victim);
/* The same of any other vproc. Tries each once, from `first` (0 .. Cilk_vprocs - 1) on, those of the own memory node
 * first, and skips sleeping ones. In a nested scheduler it tries all in turn. */
extern Cilk_fiber *Cilk_steal_any(Cilk_vproc *vp, int first);

/* ---- what `steal` does, as parts */

/* f runs before `next` is called. One at a time: another goes into the common pool */
extern void Cilk_run_next(Cilk_vproc *vp, Cilk_fiber *f);
/* Released and remote fibers go to the deque, resumed ones run next, others go to the common pool. Idle vprocs look
 * there before they call find. */
extern void Cilk_keep(Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why);
/* CILK_EXPOSE if thieves are hungry and the deque is empty */
extern Cilk_answer Cilk_answer_hunger(Cilk_vproc *vp, Cilk_point at);

/* ---- queues with a lock, first in, first out. All zero: empty */

typedef struct Cilk_queue {
    uint32_t lock;
    uint32_t count;              /* a hint where the lock is not held */
    Cilk_fiber *first, *last;
} Cilk_queue;
extern void Cilk_queue_put(Cilk_queue *q, Cilk_fiber *f);
extern Cilk_fiber *Cilk_queue_get(Cilk_queue *q, Cilk_vproc *vp);   /* the first that vp may run, or NULL */

/* ---- computations (<cilk-start.h>): what a scheduler keeps of each. main is a computation, and so is each call from
 * C */

struct Cilk_share {
    /* The program's attributes (Cilk_attributes of <cilk-start.h>), set before `ready` gets the first fiber: */
    /* 1 to 1000; 0 counts as 1. Cilk_set_share may change it at any time, so read it by Cilk_load_hint */
    uint32_t weight;
    uint64_t deadline;           /* ns, of the clock Cilk_now. 0: none */
    void *user;
    /* The scheduler's own, all 0 at first: */
    uint32_t listed;
    uint64_t used;
    Cilk_share *next;
    Cilk_fiber *first;
};
/* The share of the computation that f is a part of. It lives until `ended` has returned. */
extern Cilk_share *Cilk_share_of(const Cilk_fiber *f);

/* ---- locks for what vprocs share, as those of the runtime. Hold them briefly. All zero: free */

typedef uint32_t Cilk_lock_word;
extern void Cilk_lock_take(Cilk_lock_word *lock);
extern void Cilk_lock_release(Cilk_lock_word *lock);
/* A number that is changed under a lock and read without one. */
static __inline__ uint32_t Cilk_load_hint(const uint32_t *place) { return __atomic_load_n(place, __ATOMIC_RELAXED); }
static __inline__ void Cilk_store_hint(uint32_t *place, uint32_t value)
{
  __atomic_store_n(place, value, __ATOMIC_RELAXED);
}
/* "250us", "10ms", "1s", "500000ns" of a scheduler's options, in ns. Returns 0 and sets *error if the text is no time
 * from 10 us to 1000 s. */
extern uint64_t Cilk_parse_time(const char *text, const char **error);

#ifdef __cplusplus
}
#endif

#endif
