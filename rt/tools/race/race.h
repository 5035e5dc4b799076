/* race.h - the detector's data, shared by the files of rt/tools/race.
 *
 *   bags.c      instances and which of them are parallel: SP-bags.
 *   futures.c   touches.
 *   threads.c   threads of Cilk-1.
 *   results.c   what deliveries did: accesses that come too early, and deliveries that do not commute.
 *   locks.c     sets of locks.
 *   cells.c     the writers and readers of each byte; the rules of what is a race and what may be forgotten (cells.h).
 *   history.c   bytes whose accesses do not fit into a cell.
 *   shadow.c    accesses as the program reports them, and which need no look at the cells.
 *   views.c     reducers' views.
 *   atomics.c   updates of atomic objects in two steps.
 *   spins.c     locks that the program makes of atomic operations.
 *   collect.c   records that are not needed any more are taken out.
 *   objects.c   names of memory: globals, locals, heap blocks.
 *   library_*.c what functions of the C library do to memory.
 *   report.c    the file of races.
 *   start.c     begin and end.
 */
#ifndef CILK_RACE_H
#define CILK_RACE_H
#include <stdbool.h>
#include <stdio.h>
#include "abi.h"

#pragma GCC visibility push(hidden)

typedef cilk_race_site site;
typedef uint32_t node;          /* 0: none */

/* ---- bags.c: a node stands for code of one instance with one set of locks, or for one delivery ---- */

/* Bags: what precedes the running code; a P-bag; what is parallel unless the running code knows the future. */
enum { RACE_SERIAL, RACE_PARALLEL, RACE_FUTURE };

struct node_info {
  node up;                      /* union-find: 0 at the root of a bag */
  /* the instance that this is atomic with: its first node. Deliveries belong to the parent */
  node owner;
  /* first nodes and deliveries: the parent's first node; others: the instance's first node */
  node home;
  uint32_t locks;               /* locks.c */
  site *spawn;                  /* first nodes and deliveries: what made the child */
  uint8_t rank;
  uint8_t parallel;             /* of roots */
  /* alone: after a true SYNCHED. Of first nodes: atomics: the instance did atomic writes; locking: it took a lock */
  bool delivery, alone, atomics, locking;
  /* of roots: which frame has the bag; of RACE_FUTURE, which future's it is, 0: of a computation that was started */
  uint32_t holder;
  uint32_t thread;              /* of first nodes: the thread of Cilk-1; 0: an instance of a procedure */
};
extern struct node_info *race_nodes;

typedef struct race_set race_set;   /* futures.c */

#define RACE_ITERATION(number) ((uint64_t)(number) ^ UINT64_C(1) << 63)

/* The order of the fields is that of how a spawn and a return use them. Up to `spawn` all is 0 when an instance
 * begins. */
struct frame {
  uint32_t out;                 /* children since the last sync (abi.h) */
  node p, s;                    /* bags, 0: empty */
  uint32_t fills;               /* a future: its number, from when it is filled */
  uint32_t futures, chains;     /* of this instance's own: those that have ended, not yet waited for */
  node first;                   /* of this instance, 0: none needed yet */
  node now;                     /* of accesses made now, 0: to be made */
  node other;                   /* the last one that is not `first` */
  uint32_t held;                /* locks that it holds: so many, from held_from on (bags.c) */
  uint32_t locks;               /* their set, or UNKNOWN_SET */
  bool delivering, aborts;      /* aborts: by an inlet that may abort */
  bool alone;                   /* a delivery after a true SYNCHED */
  bool stamped;                 /* `began` or `poured` was asked for */
  /* results.c: of what deliveries did since the last sync; 0: nothing. Each frame and sync has another one */
  uint64_t results;
  const race_set *known;        /* futures that were touched before what runs now; null: none */
  const race_set *gained;       /* what is known in addition after the next sync */
  uint64_t iteration;           /* RACE_ITERATION: of a loop of the library; 0: of none */
  /* race_stamp: different for each frame; poured: and each sync that had something to wait for. 0: not asked for yet,
   * or it is over */
  uint64_t began, poured;
  site *spawn;
  int32_t old_first, old_next; /* of the parent, when this child began */
  site *before; /* of a root: the last spawn of the frame below it */
  uint32_t held_from;
  uint32_t thread : 31; /* node_info.thread; of frames that do not run: 0 */
  uint32_t started : 1; /* of a root: by Cilk_start */
};
#define race_frame cilk_race_frame /* the running one */
extern struct frame *race_frames;
#define RACE_FRAMES (UINT64_C(1) << 28) /* there is room for so many */

/* What spawns and returns change, side by side. */
struct race_state {
  struct frame *last_frame;
  int32_t first; /* race_first, while all is looked at */
  int32_t next;
  uint32_t epoch, base_epoch, last_epoch;
  /* so many frames are of calls, below all others: what precedes them precedes all that is still to come */
  uint32_t calls;
  /* records below it precede all that is still to come; known_past: the same, 0 while all is looked at */
  int32_t past, known_past;
  uint8_t epoch_is_over; /* a new one begins when it is asked for; 2: the watch said so (start.c) */
};
extern struct race_state race_state;

/* An epoch: the same code under the same locks runs on, and what is parallel to it stays so. Epochs that differ by the
 * locks alone have one base. */
void race_begin_epoch(void);
static inline void race_new_epoch(void) { race_state.epoch_is_over = 1; }
static inline uint32_t race_epoch(void) {
  if (race_state.epoch_is_over) race_begin_epoch();
  return race_state.epoch;
}
static inline uint32_t race_base_epoch(void) {
  if (race_state.epoch_is_over) race_begin_epoch();
  return race_state.base_epoch;
}

/* What is parallel to the running code: as long as this does not change (cilk_race_order, abi.h), no record up to
 * race_order_of has become so, or ceased to be. */
extern int32_t race_order_of;
extern uint64_t race_order; /* cilk_race_order, but while all is looked at */
/* cilk_race_first, but while all is looked at. */
static inline int32_t race_first(void) { return cilk_race_first != INT32_MAX ? cilk_race_first : race_state.first; }
/* the running frame is another one, or it has results now, or none any more */
void race_watch(void);
void race_find_past(void);
uint64_t race_stamp(void); /* a new one */
static inline uint64_t race_stamped(struct frame *f, uint64_t *stamp) /* of its began, poured */
{
  f->stamped = true;
  return *stamp ? *stamp : (*stamp = race_stamp());
}

node race_node_now(void); /* of the access that is made now */
/* the same, where it need not be made (then 0 and what it would be: valid until the next call) */
const struct node_info *race_info_now(node *made);
node race_delivery_node(struct frame *into, site *spawn); /* for reports: of a delivery that may have ended */
node race_root(node);
/* of the computation that was started last, once; 0: nothing to be waited for */
node race_started_bag(void);
void race_waited_for(node bag);
bool race_iteration_of(node first, long *iteration); /* if it is known (bags.c) */
extern bool race_any_started;
void race_bags_start(void);
uint64_t race_bags_memory(void);
extern int race_synched_answer;
extern const char *race_without_file; /* syncs after a spawn in that line are not there; NULL: all are */
extern uint32_t race_without_line;
extern bool race_synched_asked;

/* ---- results.c ---- */

void race_results_access(const void *p, size_t n, site *at, int kind); /* by a frame with results, or a delivery */
void race_results_cleared(const void *p, size_t n);
void race_results_spawned(struct frame *), race_results_synched(struct frame *); /* which has results */
/* spins.c: whether the last operation took or released a lock is not known yet */
extern bool race_spin_pending;
static inline bool race_watched(void) { return race_frame->results || race_frame->delivering || race_spin_pending; }

void race_once_begin(void), race_once_end(const void *flag);

/* futures.c */
uint32_t race_new_future(const void *object);
void race_once_again(const void *flag);
extern bool race_any_future;
bool race_known(uint32_t future); /* by the running frame */
const race_set *race_set_share(const race_set *);
void race_set_drop(const race_set *);
void race_learned(struct frame *child, struct frame *of);
void race_future_ended(struct frame *child, struct frame *owner, node bag);
void race_futures_synched(struct frame *owner);
void race_futures_alone(struct frame *of, struct frame *delivery); /* null: it is over */
uint64_t race_futures_memory(void);
/* threads.c, if it is linked. Bags of threads are RACE_FUTURE, with this bit in the holder's number */
enum { RACE_OF_THREAD = INT32_MIN };
extern bool (*race_thread_precedes)(uint32_t strand);
extern void (*race_thread_bags)(void (*)(node *));
/* where it was spawned; the spawner's number in its place */
extern const site *(*race_thread_spawned)(uint32_t *thread);
void race_thread_frame(uint32_t thread, site *spawn); /* bags.c: it begins */
/* what it did since it began, or since it was asked, with that bag; it goes on */
node race_cut_strand(node bag, uint32_t holder);
void race_thread_frame_ended(void);
node race_join_bags(node a, node b, uint32_t holder);
/* bags.c, for futures.c */
void race_pour_bag(struct frame *, node bag);
void race_new_orders(void);
void race_look_again(void); /* at each access: what was seen of the running strand is not settled */

/* RACE_SERIAL: it precedes the running code. Of a node in parallel: RACE_PARALLEL where all that is parallel to it
 * stays so until its parent's sync. */
static inline int race_relation(node n) {
  const struct node_info *i = &race_nodes[race_root(n)];
  return i->parallel == RACE_FUTURE && race_known(i->holder) ? RACE_SERIAL : i->parallel;
}
static inline bool race_in_parallel(node n) { return race_relation(n) != RACE_SERIAL; }

/* ---- locks.c: set 0 is empty ---- */

/* A lock that is held: twice its address, + 1 where it is shared with other readers. Two such holds do not meet: each
 * excludes the exclusive holders of the lock. Above the address is the number of its life: a lock that is initialised
 * again, or that lies where another one was, is another lock. */
typedef uintptr_t race_hold;
enum { RACE_LIFE_BIT = 49, RACE_SPIN_BIT = 63 }; /* the latter: a lock that the program makes itself */
race_hold race_life(uintptr_t lock); /* in its place */
static inline race_hold race_exclusive(const volatile void *lock) {
  return (uintptr_t)lock << 1 | race_life((uintptr_t)lock);
}
static inline race_hold race_shared(const volatile void *lock) { return race_exclusive(lock) | 1; }
static inline const void *race_lock_of(race_hold h) {
  return (const void *)((h & (((race_hold)1 << RACE_LIFE_BIT) - 1)) >> 1);
}
static inline race_hold race_spun(uintptr_t lock) { return lock << 1 | (race_hold)1 << RACE_SPIN_BIT; }

enum { UNKNOWN_SET = UINT32_MAX };
uint32_t race_locks_number(race_hold *locks, uint32_t count); /* reorders them */
/* its lock, if it has exactly one, and that is not shared; else 0 */
race_hold race_locks_single(uint32_t set);
/* the locks that are in a and in b, shared where one of them is */
uint32_t race_locks_both(uint32_t a, uint32_t b);
bool race_locks_meet(uint32_t a, uint32_t b);
bool race_locks_spun(uint32_t); /* one of them at least is spins.c's */
bool race_locks_within(uint32_t a, uint32_t b); /* a is a subset of b: what meets a meets b */
extern char race_atomic_lock; /* held by atomic accesses */
void race_lock_lives(const volatile void *lock), race_lock_lives_again(const volatile void *lock);
void race_locks_cleared(const void *p, size_t n);

/* What the running instance holds (bags.c). */
/* Whose is a lock that is taken: must the thread give it back that took it? */
/* tried: the taker would not have waited */
enum race_lock_kind { RACE_LOCK_OF_ANY, RACE_LOCK_OF_A_WORKER, RACE_LOCK_TRIED };
void race_acquire(const volatile void *lock), race_acquire_shared(const volatile void *lock),
    race_forget_lock(const volatile void *lock);
/* of a worker, not shared */
void race_acquire_owned(const volatile void *lock), race_acquire_tried(const volatile void *lock);
/* Ends the program, which would wait for a lock that it holds. at: where; null: not known */
_Noreturn void race_waits_for_itself(const volatile void *lock, const site *at);
bool race_release(const volatile void *lock); /* false: no strand holds it */
bool race_holds(race_hold);
extern uint32_t race_locks_most; /* the most that were held at once so far */

/* ---- spins.c: locks that the program makes of atomic operations ---- */

/* free: what it held before it was taken, at `at`. turns: it was taken by waiting for a value, and is released by
 * another one */
struct race_spin {
  uintptr_t p;
  size_t size;
  uint64_t free;
  site *at;
  bool turns;
};
extern uint32_t race_spins_held;
extern bool race_spins_met; /* a race was none because of such locks */
void race_spin_atomic(const void *p, size_t n, site *at, int kind), race_spin_plain(const void *p, size_t n),
    race_spin_settle(void);
static inline void race_spin_settled(void) {
  if (__builtin_expect(race_spin_pending, 0)) race_spin_settle();
}
void race_spin_refuse(site *at); /* it takes no lock */
uint32_t race_spins_refused(site *const **);
/* bags.c: of the running instance and those around it */
void race_acquire_spin(const struct race_spin *);
const struct race_spin *race_spin_at(uintptr_t p); /* null: it is free */
void race_release_spin(uintptr_t p, struct race_spin *);

/* ---- cells.c, shadow.c ---- */

struct record {
  site *at;
  node by;
  uint32_t kind;
};
extern struct record *race_records; /* 1 .. race_next-1 */
#define race_next race_state.next
void race_shadow_start(void);
void race_forget(void); /* all that was remembered of an epoch */
void race_access(const void *p, size_t n, site *at, int kind);
void race_clear(const void *p, size_t n);
bool race_is_own(uintptr_t p); /* cilk_race_own said so */
uint64_t race_memory_used(void);

/* ---- collect.c ---- */

extern int32_t race_collect_at; /* at so many records, or nodes, those that are not needed are taken out */
extern node race_collect_nodes_at, race_node_count;
void race_collect_start(void);
void race_collect(void);
extern uint8_t *race_touched; /* of each granule of shadow: has it ever been written to? */
void race_touch_granule(const void *cell);
enum { RACE_GRANULE = 64 * 1024 };
/* What refers to records and nodes, for it. A bag is known by any node of it. */
void race_extension_records(int32_t extension, void (*)(int32_t *)), race_forget_records(void); /* cells.c */
/* bags.c */
void race_frame_nodes(void (*)(node *)), race_frame_bags(void (*)(node *)), race_renumber(int32_t (*number)(int32_t));
void race_move_node(node *); /* its new number, 0: it is not needed */
void race_future_bags(void (*)(node *));
extern void (*race_started_bags)(void (*)(node *)); /* library_start.c, if it is linked and has any */

/* ---- views.c: said by bags.c where race_any_views ---- */

extern bool race_any_views; /* the program has asked for a view */
void race_views_spawned(void); /* the running frame is new */
void race_views_returned(void); /* its child has returned */
void race_views_passed(void); /* ... and was a call */
void race_views_synched(void); /* the children's code precedes the running code */
extern uintptr_t race_reduced_low, race_reduced_high; /* all objects of which there are views are between these */
void race_reduced_access(const void *p, size_t n, site *at, int kind);
const void *race_view_object(const void *p); /* the place in the reducer, where p is in a view; else p */

/* An atomic access, also one that takes or gives back a lock of <cilk.h>. Was it a write that counts? */
bool race_atomic(const void *p, size_t n, site *at, int kind);

/* ---- atomics.c ---- */

void race_atomic_write(const void *p, size_t n, site *at);
/* The last operation that may have taken a lock, and its instance: a hint names it where the lock is not recognised. */
extern struct race_taken {
  site *at;
  node by;
} race_taken;
void race_atomics_cleared(const void *p, size_t n);
void race_atomic_nodes(void (*)(node *));

/* ---- objects.c ---- */

struct object {
  enum { OBJECT_UNKNOWN, OBJECT_GLOBAL, OBJECT_LOCAL, OBJECT_HEAP, OBJECT_AUTOMATIC } kind;
  const void *begin;
  size_t size;
  const cilk_race_variable *variable;
  site *allocated;
};
void race_object_of(const void *p, struct object *); /* p: not in a view; race_view_object gives its place */
void race_local_made(const void *p, size_t n, const cilk_race_variable *v);
void race_block_enter(void *p, size_t n, site *at, bool automatic); /* p is not NULL */
size_t race_block_gone(void *p); /* its size, if known, else what the allocator says */

/* ---- report.c ---- */

/* What is found: a race. Of one instance: an access that may come before the result that it needs; two deliveries whose
 * order matters; a lock that is held where the instance goes on elsewhere. Of two instances: locks in both orders;
 * updates of an atomic object in two steps. A reducer's view whose value depends on what was stolen; a reducer that is
 * used by its own address while there are views of it. Draws from one sequence of random numbers. */
enum race_type {
  RACE_DATA,
  RACE_EARLY,
  RACE_UNORDERED,
  RACE_HELD,
  RACE_INVERSION,
  RACE_SPLIT,
  RACE_VIEW,
  RACE_UNJOINED,
  RACE_SEQUENCE
};
/* What stands for the sequence of rand, once it was asked. Parallel draws are reported once, and are no race. */
extern const void *race_sequence;
/* RACE_INVERSION: where the locks were taken under which the two accesses take theirs */
extern const site *race_under[2];
void race_found(enum race_type, const void *where, size_t n, const struct record *earlier, const struct record *later);
void race_report_thread(const site *); /* the program makes one there */
/* what an inlet stored decided that no more is spawned */
void race_report_decision(const site *stored, const site *decides);
void race_report_start(const char *path);
void race_report_end(void);

/* ---- start.c ---- */

extern bool race_threads; /* the program has threads of its own: what they do is not seen */
extern __thread bool race_inside; /* of the thread that is followed */
/* cilksan.c: accesses are not looked at while this is not 0 */
extern unsigned race_off;
static inline bool race_outside(void) { return __builtin_expect(race_threads, 0) && !race_inside; }

/* ---- base.c ---- */

void race_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void *race_reserve(uint64_t bytes, uint64_t at, const char *what);

#pragma GCC visibility pop
#endif
