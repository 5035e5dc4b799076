/* root.h - one call of a Cilk procedure from C, and what the pieces of its computation know of it. It lives until
 * `done`: on the stack of the caller, in a computation that was started (computation.h), or in a call by a thread of
 * Cilk-1. */
#ifndef CILK_RT_ROOT_H
#define CILK_RT_ROOT_H

#include "arch/arch.h"
#include "data/link.h"
#include "data/team.h"
#include "data/worker.h"

typedef struct cilk_root_run {
  /* For the worker that runs it: as the caller has made it, but for the link. Where the link begins a cache line this
   * part ends one. */
  cilk_link link; /* parent NULL */
  const cilk_root *root;
  void *args, *result;
  struct CilkContext *ctx;
  cilk_team *team; /* whose fibers its pieces are; constant */
  /* takes the result, if no thread waits for it; NULL: the caller does */
  void (*then)(struct cilk_root_run *run, void *result, size_t size);
  struct cilk_computation *started; /* it was started (computation.h); NULL: called */
  struct cilk_group *group; /* what it has started; NULL: nothing yet; atomic */
  /* Cilk_local_set, youngest first; atomic: release by the adder, acquire by the reader */
  struct cilk_local *locals;
  uint64_t began; /* the context's start_ns; not of nested ones */
  cilk_fp_state fp; /* the caller's, constant; pieces of the computation begin with it */
  cilk_level *level; /* the caller's pedigree, constant */
  uint32_t number; /* of the context's computations; not of nested ones */
  bool nested;
  bool over; /* its result is there, but not yet all that it has started is over */
  bool elsewhere; /* its pieces are threads of Cilk-1 (cilk1/) */
  bool shares; /* `share` is in use: it is a computation of its own for its scheduler */
  /* For the waiter. What is unchanged is not written again, and a small result is written with `done`: a caller that
   * looks at it fetches this line once. */
  uint32_t done; /* atomic; release by the finisher, acquire by the waiter */
  uint32_t aborted; /* written before done */
  int error; /* errno: the caller's, then the finisher's */
  cilk_fp_state fp_after; /* of the finisher; written before done */
  char small[16] __attribute__((aligned(8))); /* *result, where that is enough */
  /* the computation of which the C function that called is a part; NULL: none, or not known */
  struct cilk_root_run *outer;
  struct cilk_root_run *below; /* nested: what the same worker had called before, and still waits for */
  Cilk_share share; /* what the scheduler keeps of it */
} cilk_root_run;

/* True if what belongs to `run` is a part of `all` (NULL: of anything). */
static inline bool cilk_root_within(const cilk_root_run *run, const cilk_root_run *all) {
  while (all && run && run != all) run = run->outer;
  return !all || run;
}

/* A worker may take what is a part of the nested root that its innermost loop waits for; and anything once all of that
 * waits for others (stuck.c). */
static inline bool cilk_may_take(const cilk_worker_ext *x, const cilk_root_run *run) {
  return x->wait.outside || cilk_root_within(run, x->wait.root);
}

#endif
