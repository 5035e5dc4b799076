/* abi.h - what code compiled with --cilk-count shares with the profiler. Only this file is known to codegen.
 *
 * Such a program runs serially, child first. Its code counts units (frontend/plan/weights.def) and reports to the
 * profiler where the strands of its instances begin and end. Every record below is in a section of its own, which the
 * linker joins; their names are those of the types. */
#ifndef CILK_PROFILE_ABI_H
#define CILK_PROFILE_ABI_H
#include <stdint.h>

/* A line of a function. Code adds to units[0] off the critical path, to units[1] on it: at the address of units[0] plus
 * cilk_profile_shift bytes. */
typedef struct cilk_profile_line {
  const char *file, *procedure;
  uint64_t line;
  uint64_t units[2];
} cilk_profile_line;

/* What the profiler keeps of a spawn, of a procedure. */
typedef struct cilk_profile_tally {
  uint64_t instances, depth;
  uint64_t units[2]; /* of their own strands, off and on the critical path */
  /* of its outermost instances, with all that they lead to; on: units on the critical path */
  uint64_t work, span, on;
  void *from, *to; /* the context that it led to last */
} cilk_profile_tally;

typedef struct cilk_profile_site {
  const char *file, *procedure;
  uint32_t line, column;
  /* an inlet or op= takes the result: no two of one instance run at the same time, nor beside its own strands */
  uint64_t alone;
  cilk_profile_tally tally;
  uint64_t syncs; /* how many syncs had this as the last spawn before them */
  /* the longest child that a sync waited for: its number in the block, from 1, and how many the block has */
  uint64_t number, of;
  uint64_t length, all; /* its span; the work of these children */
} cilk_profile_site;

typedef struct cilk_profile_procedure {
  const char *file, *name;
  uint64_t line;
  cilk_profile_tally tally;
} cilk_profile_procedure;

/* Units of the running strand that C functions have counted; each function adds its own when it ends. */
extern uint64_t cilk_profile_pending;
extern uint64_t cilk_profile_shift;

/* `units`: what the running function has counted in this strand. */
void cilk_profile_begin(cilk_profile_procedure *); /* an instance begins: spawned, or called */
/* it ends, after its implicit sync. A delivery may follow */
void cilk_profile_end(uint64_t units);
void cilk_profile_spawn(cilk_profile_site *, uint64_t units); /* a strand ends, a child begins */
/* the child is done, its delivery too, for which its parent counted `units`: the next strand begins */
void cilk_profile_joined(uint64_t units);
/* a strand ends, all children are joined, the next begins */
void cilk_profile_sync(uint64_t units);

/* a strand ends, the next begins: what was counted so far is known */
void cilk_profile_strand(uint64_t units);

/* Futures. The child that runs is done and its value is stored: the next is its cilk_profile_joined. */
void cilk_profile_filled(void *future);
/* A strand ends at a touch. Or (at is null) it ends where `size` bytes of futures are declared again. The next begins
 * when these futures are done. */
typedef struct cilk_profile_touched {
  const char *file, *procedure;
  uint32_t line, column;
  uint64_t count, waits; /* how often; how often it would have waited on any number of workers */
} cilk_profile_touched;
void cilk_profile_touch(const void *futures, uint64_t size, cilk_profile_touched *at, uint64_t units);

/* A place where a lock is taken. The running strand ends when it has the lock, and before it gives it back. */
typedef struct cilk_profile_locked {
  const char *file, *procedure;
  uint64_t line;
} cilk_profile_locked;
void cilk_profile_lock(const void *lock, const cilk_profile_locked *at, uint64_t units);
void cilk_profile_tried(const void *lock, const cilk_profile_locked *at, int failed, uint64_t units);
void cilk_profile_unlock(const void *lock, uint64_t units);

/* An inlet begins: its procedure calls it, or (after cilk_profile_end) the child that has ended is delivered. An abort.
 */
void cilk_profile_inlet(const char *name);
void cilk_profile_abort(void);

/* Cilk_user_work and Cilk_user_critical_path: of the running instance, what joined it at its last sync included. */
int64_t cilk_profile_work(uint64_t units);
int64_t cilk_profile_span(uint64_t units);

/* A loop for which the user asks: what if its iterations ran in parallel? (cilkc1 --cilk-loop=LINE) */
typedef struct cilk_profile_loop {
  const char *file, *procedure;
  uint64_t line;
  uint64_t iterations;
} cilk_profile_loop;
void cilk_profile_loop_begin(cilk_profile_loop *, uint64_t units);
void cilk_profile_iteration(cilk_profile_loop *, uint64_t units); /* one begins, and the one before ends */
void cilk_profile_loop_end(cilk_profile_loop *, uint64_t units);

#endif
