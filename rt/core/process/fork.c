/* fork.c - what a forked child process does with the contexts that it inherits: it has their memory, but only the
 * thread that called fork.
 *
 *   - A context that the forking thread does not work for is *lost*: its workers are gone. The next call starts new
 *     ones (cilk_context_revive).
 *   - A worker that forks is *left alone* in the child's copy of its context. It goes on: what it runs, what is on
 *     its own deque, and what it spawns from now on. Pieces that other workers ran or held are gone; when it has
 *     nothing else to do than to wait for one, that is a fatal error (search.c). When the root is done, no thread is
 *     there to take the result: a Cilk main ends the child with main's value, as in C; a root called from C cannot be
 *     returned from, unless the worker is the thread that called (caller.c).
 *
 * The child's copy of the runtime must not be in the middle of something. Before a fork the forking thread therefore
 * acquires the locks that others may hold: every worker's, the orphans', the seats', the pools'. It also waits until
 * no worker holds a lock of a scheduler, and lets none acquire one until the fork is done (vproc.c). The forking
 * thread holds none itself, since user code runs without any, and a holder of one of them never waits for another of
 * the same kind, so this ends. Still no wait is too long: a signal handler that interrupted the runtime may call
 * fork. Each lock that was not to be had is noted, and is not released. Locks of closures are not acquired, because
 * they are many, and held for a few instructions. If one is lost with its holder, the child reports that when it
 * meets the lock (cilk_spin_wait). In the debug build the turn may pass while one is held, so there the fork waits
 * until none is.
 *
 * fork.def lists what becomes of each field of a context. */
#define _GNU_SOURCE
#include "process/fork.h"
#include "steal/barrier.h"
#include "data/closure.h"
#include "data/pool.h"
#include "data/root.h"
#include "schedule/caller.h"
#include "schedule/search.h"
#include "schedule/threads.h"
#include "data/slots.h"

#include <string.h>

/* False if it was not to be had. */
static bool take(uint32_t *lock) {
  for (int round = 0; round < CILK_FORK_ROUNDS; round++) {
    for (int i = 0; i < CILK_LOCK_SPINS; i++) {
      if (cilk_spin_trylock(lock)) return true;
      cilk_pause();
    }
    cilk_spin_yield();
  }
  return false;
}

/* Waits until the worker holds no lock of a scheduler; it takes none from now on. */
static void await_scheduler(const cilk_worker_ext *x) {
  /* pairs with scheduler_lock */
  for (int round = 0; round < CILK_FORK_ROUNDS && load_seq_cst(&x->scheduling); round++) cilk_spin_yield();
}

/* In the debug build, where the turn may pass while a closure's lock is held: waits until none is held. */
static void await_closures(void) {
#ifdef CILK_DEBUG
  /* pairs with cilk_closure_lock */
  for (int round = 0; round < CILK_FORK_ROUNDS && load_seq_cst(&cilk_locked_closures) > 0; round++) cilk_spin_yield();
#endif
}

static void before(void) {
  cilk_contexts_take();
  store_seq_cst(&cilk_spin_forking, 1u);
  for (cilk_context *ctx = cilk_contexts; ctx; ctx = ctx->other)
    for (int i = 0; i < ctx->nproc && !ctx->lost; i++)
      if (ctx->extensions[i] != cilk_me()->ext)   /* a scheduler of the program's that forks */
        await_scheduler(ctx->extensions[i]);
  for (cilk_context *ctx = cilk_contexts; ctx; ctx = ctx->other)
    for (int i = 0; i < ctx->nproc && !ctx->lost; i++) ctx->extensions[i]->held = take(&ctx->extensions[i]->lock);
  await_closures();                       /* before the leaves: a holder of a closure's lock may wait for one */
  for (cilk_context *ctx = cilk_contexts; ctx; ctx = ctx->other) {
    ctx->orphans_held = take(&ctx->orphan_lock);
    ctx->seats_held = take(&ctx->seats_lock);
  }
  cilk_pool_hold();
}

static void after_in_parent(void) {
  store_seq_cst(&cilk_spin_forking, 0u);
  cilk_pool_let_go();
  for (cilk_context *ctx = cilk_contexts; ctx; ctx = ctx->other) {
    if (ctx->seats_held) cilk_spin_unlock(&ctx->seats_lock);
    if (ctx->orphans_held) cilk_spin_unlock(&ctx->orphan_lock);
    for (int i = 0; i < ctx->nproc && !ctx->lost; i++)
      if (ctx->extensions[i]->held) cilk_spin_unlock(&ctx->extensions[i]->lock);
  }
  cilk_contexts_give();
}

static void after_in_child(void) {
  cilk_context *mine = cilk_self.id >= 0 ? cilk_self.ext->ctx : NULL;
  store_seq_cst(&cilk_spin_forking, 0u);
  cilk_pool_let_go();
  cilk_caller_forked();
  for (cilk_context *ctx = cilk_contexts; ctx; ctx = ctx->other) {
    cilk_spin_forked = true;
    pthread_mutex_init(&ctx->call, NULL);   /* their holders are not here */
    pthread_mutex_init(&ctx->mutex, NULL);
    pthread_cond_init(&ctx->changed, NULL);
    store_relaxed(&ctx->orphan_lock, 0u);
    store_relaxed(&ctx->seats_lock, 0u);
    store_relaxed(&ctx->frozen, 0u);        /* the worker that looked (stuck.c) is not here */
    ctx->ticker = NULL;                     /* its thread is not here */
    ctx->ever_ran = ctx == mine;            /* the parent reports what it did before */
    if (ctx == mine) {
      ctx->policy = &cilk_policy_alone;
      /* else its caller is here, too, in C code to which it can return: a Cilk main is over in the child as always */
      ctx->alone = !ctx->caller_is_worker || ctx->errand || load_relaxed(&ctx->running)->root == ctx->main_root;
      if (!ctx->alone) pthread_mutex_lock(&ctx->call); /* and has it */
      ctx->turns = NULL;
      ctx->steps = NULL;
      ctx->order = NULL;
    } else if (!ctx->lost) {
      ctx->lost = true;
      if (ctx->steps) { /* the file is the parent's */
        ctx->steps = NULL;
        ctx->order = NULL;
        ctx->opt.record_file = ctx->opt.replay_file = NULL;
        ctx->policy = cilk_policy_choose(&ctx->opt);
      }
    } else continue;
    for (int i = 0; i < ctx->nproc; i++) {
      cilk_worker_ext *x = ctx->extensions[i];
      store_relaxed(&x->lock, 0u);
      x->requester = NULL;
      store_relaxed(&x->wait.context, NULL); /* the thread that forks makes no call */
      if (x != cilk_me()->ext) store_relaxed(&x->scheduling, 0u);
    }
  }
#ifdef CILK_DEBUG
  store_relaxed(&cilk_locked_closures, 0L);
  if (!mine) store_relaxed(&cilk_full_closures, 0L);
#endif
  pthread_mutex_init(&cilk_contexts_lock, NULL);
  cilk_hold(-1); /* no turn passes until here: it would go to a worker of the parent's */
}

static void watch(void) {
  if (pthread_atfork(before, after_in_parent, after_in_child) != 0) cilk_fatal("out of memory");
}

void cilk_fork_init(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
}

/* No worker works for ctx, and the caller holds its `call`: new workers. What the old ones had under way is gone with
 * its callers. */
void cilk_context_revive(cilk_context *ctx) {
  cilk_workers_free(ctx);
#define KEPT(field)
#define CHILD(field)
#define MADE(field)
#define CLEAR(field) memset(&ctx->field, 0, sizeof ctx->field);
#define CILK_FORKED(how, field, why) how(field)
#include "process/fork.def"
#undef CILK_FORKED
  store_relaxed(&ctx->lost, false);
  store_relaxed(&ctx->ended, load_relaxed(&ctx->begun));
  cilk_team_again(&ctx->team, ctx->opt.sched);
  cilk_heavy_fence_init();
  if (ctx->policy->together && ctx->policy->together->reset) ctx->policy->together->reset(ctx);
  cilk_workers_start(ctx, false);
  cilk_ticker_begin(ctx);
}
