/* cilk-sched.h: schedulers for Cilk programs, written in C.
 *
 * What a Cilk program leaves to a scheduler is which piece of it a worker runs next. A *vproc* (virtual processor) is a worker: a thread of the
 * runtime, which runs one fiber at a time. A *fiber* is a piece that could run but does not: a procedure instance that was stolen, released, or
 * resumed after a sync; it is a one-shot continuation, and its frame is on the heap. What runs has frames on its vproc's stack; they become fibers when
 * a thief takes them or when the vproc is asked to release them, at *safe points*: spawns and returns from them. (Fluet, Rainey, Reppy: A scheduling
 * framework for general-purpose parallel languages, ICFP'08, sections 2.2 and 3.1; what is called there how is in docs/schedulers.md.)
 *
 * A scheduler is a table of functions and, in each program that runs, one object that `create` makes. All functions but create and destroy are
 * called on a vproc's own thread, `vp`, several at once on several vprocs: what they share needs locks (Cilk_queue has one) or atomics. They must not
 * block, and must not call Cilk procedures. NULL stands for what `steal`, the scheduler of every program that asks for no other, does.
 *
 *     static Cilk_fiber *next(void *self, Cilk_vproc *vp) { ... }
 *     static const Cilk_scheduler mine = { .version = CILK_SCHED_VERSION, .name = "mine", .next = next };
 *     CILK_SCHEDULER(mine)
 *
 * `cilkc build prog.cilk mine.c` links it in, `./prog --sched=mine` chooses it.
 *
 * Whose is a fiber? It is handed to the scheduler by `ready` and back by what `next` and `find` return; in between it is the scheduler's alone, who
 * keeps it where it likes (Cilk_fiber_link is room for a list), must not lose it, and must not hand it out twice. Results of its children may
 * arrive, and an abort may hit it, meanwhile: the runtime sees to that. Memory: a scheduler's own pointers need no lifetime beyond this, as fibers
 * belong to the computation, which does not end while one is left.
 */
#ifndef CILK_SCHED_H
#define CILK_SCHED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CILK_SCHED_VERSION 4

typedef struct cilk_worker Cilk_vproc;
typedef struct cilk_closure Cilk_fiber;

/* Why a fiber became ready. */
typedef enum Cilk_why {
    CILK_WHY_RELEASED,           /* it was a frame below the running one; older ones come first. The youngest goes on where it was */
    CILK_WHY_RESUMED,            /* the last child that it waited for at a sync has returned, on this vproc, which has nothing else to run */
    CILK_WHY_ORPHANED,           /* a vproc had it and cannot go on with it: what it waited for is done, or the theft was a test's (--force-steal) */
    CILK_WHY_PREEMPTED,          /* it ran here until `asked` said CILK_LEAVE, or was a frame below what ran; older ones come first */
    CILK_WHY_REMOTE,             /* another vproc sent it here by Cilk_post */
    CILK_WHY_STARTED             /* a computation of its own begins with it (<cilk-start.h>) */
} Cilk_why;

/* Where a safe point stands in the program. */
typedef enum Cilk_point {
    CILK_POINT_SPAWN,            /* before a child is called (programs with lazy spawns) */
    CILK_POINT_RETURN,           /* after a child has returned (the same) */
    CILK_POINT_POP               /* after a child has returned, where spawns push their frame on the vproc's deque: eager ones, and those of fibers */
} Cilk_point;

typedef enum Cilk_answer {
    CILK_STAY,                   /* go on */
    CILK_EXPOSE,                 /* release the frames below (CILK_WHY_RELEASED), and go on. At a CILK_POINT_POP, where thieves can have them anyway: go on */
    CILK_LEAVE                   /* the vproc gives up all that it runs (CILK_WHY_PREEMPTED), and asks for the next fiber */
} Cilk_answer;

typedef struct Cilk_share Cilk_share;           /* what a scheduler keeps of a computation, below */

typedef struct Cilk_scheduler {
    uint32_t version;            /* CILK_SCHED_VERSION */
    const char *name;            /* letters, digits, - and _ */
    const char *help;            /* one line for --sched=list, or NULL */
    /* Makes the object that the other functions get as `self`, for that many vprocs. `options` is what follows the name in --sched=NAME:options, "" if
     * nothing does. Called before the first computation, by one thread. Sets *error, a string that stays, if the options are wrong.
     * NULL: self is NULL, and options are an error. */
    void *(*create)(int vprocs, const char *options, const char **error);
    /* No vproc runs any more. */
    void (*destroy)(void *self);
    /* Own work: what this vproc runs next, or NULL if it has nothing of its own. */
    Cilk_fiber *(*next)(void *self, Cilk_vproc *vp);
    /* Others' work: one attempt to find some. The vproc has nothing to run. After NULL it is called again, some time later: vprocs that find nothing
     * rest, and are woken when a fiber becomes ready anywhere, or sooner. */
    Cilk_fiber *(*find)(void *self, Cilk_vproc *vp);
    /* f has become ready, on this vproc; now it is the scheduler's. */
    void (*ready)(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why);
    /* The vproc is at a safe point: shall it go on? Asked when others look for work (programs with lazy spawns) and when a slice is over (`late`), not
     * at each safe point: those cost a test. */
    Cilk_answer (*asked)(void *self, Cilk_vproc *vp, Cilk_point at, int late);
    /* How long a vproc runs before it is asked, in ns; NULL, or 0: no limit. */
    uint64_t (*slice)(void *self);
    /* Does anything wait for a vproc? Called at the end of a slice, on a thread of its own: a hint. 0: nobody is asked this time. NULL: perhaps. */
    int (*waits)(void *self);
    /* vp goes away: it asks for nothing until it calls next again. (A computation is over, an outer scheduler wants the worker for something else,
     * or it waits in a system call: <cilk-blocking.h>.) */
    void (*leave)(void *self, Cilk_vproc *vp);
    /* The computation of this share is over: once for each, also if it was cancelled. No fiber of it is left with the scheduler, none will come, and the share
     * goes when this returns. A worker calls it that need not be a vproc of the scheduler's, so there is no vp. The
     * workers of a computation with a scheduler of its own (Cilk_with) leave one after the other: then it comes after the last, perhaps after Cilk_wait. */
    void (*ended)(void *self, Cilk_share *share);
} Cilk_scheduler;

/* At the top level of a source file: makes a scheduler known before main begins. Two of one name: the first one counts. */
#define CILK_SCHEDULER(object)                                                                     \
    __attribute__((__constructor__)) static void cilk_register_##object(void)                      \
    {                                                                                              \
        Cilk_scheduler_register(&object);                                                          \
    }
extern void Cilk_scheduler_register(const Cilk_scheduler *scheduler);

/* ---- vprocs. `vp` is always the one whose thread calls */

extern int Cilk_vproc_id(const Cilk_vproc *vp);                 /* 0 .. Cilk_vprocs - 1; of a nested scheduler's own, too (Cilk_with) */
extern int Cilk_vprocs(const Cilk_vproc *vp);
extern uint64_t Cilk_vproc_time(Cilk_vproc *vp);                /* processor time of its thread, in ns; in a replay the time that Cilk_now tells */
extern uint64_t Cilk_random(Cilk_vproc *vp, uint64_t n);       /* 0 .. n - 1; every choice by chance should be made here, as a replay governs it */
extern uint64_t Cilk_now(void);                                 /* ns, of a clock that a replay governs, too */

extern int Cilk_waits(const Cilk_vproc *vp);                    /* 1 while it waits for a call from C, or for a computation: then it runs parts of that only */
/* There is something that others may take now. (When a fiber becomes ready they are told anyway.) */
extern void Cilk_call_vprocs(Cilk_vproc *vp);

/* ---- where vprocs run. On machines with one memory node, and where the system says nothing, there is one node, 0 */

extern int Cilk_nodes(const Cilk_vproc *vp);                    /* memory nodes are numbered from 0 to this - 1; some may have no processor */
/* The node where the vproc with this number ran last: a hint, for threads that are not pinned are moved. -1: no worker has that place now (Cilk_with). */
extern int Cilk_node_of(const Cilk_vproc *vp, int vproc);
extern int Cilk_node_distance(const Cilk_vproc *vp, int from, int to);   /* as the system gives it: 10 on one node, 20 at twice the cost, and so on */

/* ---- fibers */

/* Room for one pointer, which is the scheduler's while it has the fiber. */
extern Cilk_fiber **Cilk_fiber_link(Cilk_fiber *f);
/* 0 while this vproc waits for a call from C into Cilk (EXPORT) of which f is no part: the C code may hold a lock that f wants. If next or find returns
 * such a fiber all the same it goes to the common pool, so this is for those who can choose. */
extern int Cilk_may_run(const Cilk_vproc *vp, const Cilk_fiber *f);
/* How many ancestors it has in its computation, procedures that wait for it; if there are more than `most` (0 or more), `most`. Takes so many steps: recursion may be deep. */
extern int Cilk_fiber_level(const Cilk_fiber *f, int most);
/* f becomes ready on another vproc (CILK_WHY_REMOTE), which sees it when it has nothing on its stack. */
extern void Cilk_post(Cilk_vproc *vp, int target, Cilk_fiber *f);

/* ---- a vproc's deque. The frames that a spawn pushed lie there, oldest first, and READY fibers between them. */

extern void Cilk_deque_put(Cilk_vproc *vp, Cilk_fiber *f);     /* at the end where the youngest lie; if that cannot be now, into the common pool */
extern Cilk_fiber *Cilk_deque_get(Cilk_vproc *vp);             /* the youngest fiber there, or NULL */
/* The oldest frame or fiber of another vproc; NULL: there is none, or none that vp may run, or another thief was faster. O(1). */
extern Cilk_fiber *Cilk_steal(Cilk_vproc *vp, int victim);
/* The same of any other vproc, each tried once, from `first` on; those of the own memory node first. Knows who sleeps. */
extern Cilk_fiber *Cilk_steal_any(Cilk_vproc *vp, int first);

/* ---- what `steal` does, as parts */

extern void Cilk_run_next(Cilk_vproc *vp, Cilk_fiber *f);      /* before `next` is asked; one at a time: another goes into the common pool */
/* Released and remote ones to the deque, resumed ones next, others to the common pool, where idle vprocs look before they call find. */
extern void Cilk_keep(Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why);
extern Cilk_answer Cilk_answer_hunger(Cilk_vproc *vp, Cilk_point at);   /* CILK_EXPOSE if thieves are hungry and the deque is empty */

/* ---- queues with a lock, first in, first out. Full of zeroes: empty */

typedef struct Cilk_queue {
    uint32_t lock;
    uint32_t count;              /* a hint where the lock is not held */
    Cilk_fiber *first, *last;
} Cilk_queue;
extern void Cilk_queue_put(Cilk_queue *q, Cilk_fiber *f);
extern void Cilk_queue_put_first(Cilk_queue *q, Cilk_fiber *f);
extern Cilk_fiber *Cilk_queue_get(Cilk_queue *q, Cilk_vproc *vp);   /* the first that vp may run, or NULL */

/* ---- computations of their own (<cilk-start.h>). What a scheduler keeps of each; main, and what a C program calls, is one, too */

struct Cilk_share {
    /* The program's words (Cilk_attributes of <cilk-start.h>). They are there before `ready` gets the first fiber: */
    uint32_t weight;             /* 1 to 1000; 0 counts as 1. Cilk_set_share may change it at any time */
    uint64_t deadline;           /* ns, of the clock Cilk_now; 0: none */
    void *user;
    /* The scheduler's own, all 0 at first: */
    uint32_t listed;
    uint64_t used;
    Cilk_share *next;
    Cilk_fiber *first;
};
/* Of the computation that f is a part of. It lives until `ended` has returned. */
extern Cilk_share *Cilk_share_of(const Cilk_fiber *f);

/* ---- locks for what vprocs share, as those of the runtime: not to be held for long. Full of zeroes: free */

typedef uint32_t Cilk_lock_word;
extern void Cilk_lock_take(Cilk_lock_word *lock);
extern void Cilk_lock_release(Cilk_lock_word *lock);
/* A number that is changed under a lock and looked at without one. */
static __inline__ uint32_t Cilk_load_hint(const uint32_t *place) { return __atomic_load_n(place, __ATOMIC_RELAXED); }
static __inline__ void Cilk_store_hint(uint32_t *place, uint32_t value) { __atomic_store_n(place, value, __ATOMIC_RELAXED); }
/* "250us", "10ms", "1s", "500000ns" of a scheduler's options, in ns; sets *error where it is none, or not from 10 us to 1000 s. */
extern uint64_t Cilk_parse_time(const char *text, const char **error);

#ifdef __cplusplus
}
#endif

#endif
