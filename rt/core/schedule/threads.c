/* threads.c - the workers' threads: what each does between computations, their memory. A context's only worker has no
 * thread, as a rule: it is the one that calls (caller.c). */
#define _GNU_SOURCE
#include "schedule/threads.h"
#include "data/deque.h"
#include "protocol/exit.h"
#include "base/fault.h"
#include "steal/lazy.h"
#include "base/limits.h"
#include "steal/node.h"
#include "data/policy.h"
#include "data/pool.h"
#include "data/slots.h"
#include "schedule/private.h"
#include "schedule/schedule.h"
#include "steal/sleep.h"
#include "schedule/stackguard.h"
#include "observe/stats.h"
#include "observe/trace.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct start {
  cilk_context *ctx;
  cilk_worker_ext *ext;
  int id;
} start;

/* Worker i has the i-th processor of the mask for its own; where there are more workers they share, in turn. The first
 * of those that share warns. */
static void pin(const cilk_context *ctx, int id) {
  cpu_set_t set;
  uint64_t mask = ctx->opt.pin_mask;
  int processors = __builtin_popcountll(mask);
  for (int i = id % processors; i > 0; i--) mask &= mask - 1;
  CPU_ZERO(&set);
  CPU_SET(__builtin_ctzll(mask), &set);
  if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0 && id < processors)
    fprintf(stderr, "%d: warning: --pin-proc: there is no processor %d\n", id, __builtin_ctzll(mask));
}

static bool job_is_there(const void *ctx) {
  const cilk_context *c = ctx;
  return __atomic_load_n(&c->job, __ATOMIC_SEQ_CST) || load_seq_cst(&c->shutdown);
}

static bool computation_is_there(const void *ctx) {
  const cilk_context *c = ctx;
  return load_seq_cst(&c->ended) != load_seq_cst(&c->begun);
}

static bool there_or_shutdown(const void *ctx) {
  return computation_is_there(ctx) || load_seq_cst(&((const cilk_context *)ctx)->shutdown);
}

/* The worker comes into a computation. What it did until now, asleep perhaps since an earlier one, does not count. */
static void take_part(cilk_worker *w, uint32_t number, uint64_t now) {
  const cilk_together *together = cilk_policy_of(w)->together;
  if (together) together->enter(w);
  cilk_work_begin(w);
  cilk_hunger_start(w, now);
  cilk_stats_begin(w, number, now);
}

static void take_leave(cilk_worker *w) {
  cilk_work_end(w);
  const cilk_together *together = cilk_policy_of(w)->together;
  if (together) together->leave(w);
}

void cilk_run_root(cilk_worker *w, cilk_root_run *run) {
  uint32_t number = run->number; /* now: the next one may begin as soon as it is done */
  take_part(w, number, run->began);
  cilk_schedule(w, run, &w->ext->ctx->ended, number);
  take_leave(w);
}

/* The fields of its hot part that are not 0. */
static void make_hot(cilk_worker *w, int id, cilk_context *ctx, cilk_worker_ext *x) {
  w->id = id;
  w->nproc = ctx->nproc;
  w->arrays = ctx->opt.checkpoint_file || ctx->opt.restart_file ? 0 : UINT64_MAX;
  w->ext = x;
  x->hot = w;
  cilk_deque_create(w);
}

static void *worker_main(void *argument) {
  start *st = argument;
  cilk_context *ctx = st->ctx;
  cilk_worker *w = cilk_me();
  cilk_worker_ext *x = st->ext;
  make_hot(w, st->id, ctx, x);
  x->tid = (int)syscall(SYS_gettid);
  free(st);
  cilk_fault_thread(true);
  prctl(PR_SET_TIMERSLACK, CILK_TIMER_SLACK_NS, 0, 0, 0);   /* short sleeps are meant to be short */
  if (ctx->opt.pin_mask) pin(ctx, w->id);
  cilk_guard_thread(w);
  if (w->id == 0) cilk_private_start(ctx);
  if (ctx->nodes) cilk_node_update(w);
  cilk_exit_watch(w, true);

  pthread_mutex_lock(&ctx->mutex);
  ctx->workers[w->id] = w;
  /* no computation begins before, so no worker looks for victims that are not there */
  if (++ctx->started == ctx->nproc) pthread_cond_broadcast(&ctx->changed);
  pthread_mutex_unlock(&ctx->mutex);

  /* The first call often comes at once. Then it finds workers that are awake, on processors of their own; of two that
   * are woken at the same time, the system may put both on one. Not where turns replace the clock, nor where workers
   * share processors. */
  bool fresh = !ctx->turns && !ctx->order && (uint32_t)ctx->nproc <= ctx->processors;
  while (!load_acquire(&ctx->shutdown)) {
    if (w->id == 0) {
      if (!load_relaxed(&ctx->attentive)) store_seq_cst(&ctx->attentive, 1u);
      cilk_root_run *run = load_acquire(&ctx->job);
      if (run) {
        store_relaxed(&ctx->job, NULL); /* the next root is stored when the present one is done */
        cilk_run_root(w, run);
      } else if (!cilk_spin(job_is_there, ctx)) {
        /* A caller that still reads 1 has stored its job before, and it is seen here. */
        store_seq_cst(&ctx->attentive, 0u);
        cilk_park(w, false);
        if (job_is_there(ctx)) cilk_park_leave(w);
        else cilk_park_wait(w, 0);
        /* a recruiter of the computation before: it took this worker's bit when there was one */
        cilk_search_decline(w);
      }
    } else if (computation_is_there(ctx)) {
      uint32_t number = load_acquire(&ctx->begun);
      take_part(w, number, cilk_now_ns());
      cilk_schedule(w, NULL, &ctx->ended, number);
      take_leave(w);
    } else if (!fresh || !cilk_spin(there_or_shutdown, ctx)) {
      fresh = false;
      cilk_park(w, true);
      if (there_or_shutdown(ctx)) cilk_park_leave(w);
      else cilk_park_wait(w, 0);
    }
  }
  cilk_exit_watch(w, false);
  cilk_guard_thread_end(w);
  cilk_pool_drain(w);
  cilk_fault_thread(false);
  return NULL;
}

/* A worker's memory. Where address space is limited, each of those that are still to come gets an equal part: the deque
 * up to a fifth of it. */
static cilk_worker_ext *reserve(cilk_context *ctx, int i) {
  void *p = NULL;
  if (CILK_FAILS(MALLOC) || posix_memalign(&p, 64, sizeof(cilk_worker_ext)) != 0) cilk_fatal("out of memory");
  cilk_worker_ext *x = memset(p, 0, sizeof(cilk_worker_ext));
  x->ctx = ctx;
  x->team = &ctx->team;
  cilk_choose_seed(x, ctx->opt.seed, i);
  size_t most = ctx->addresses;
  if (most < 2 * CILK_GUARD_BYTES + 2 * CILK_STACK_MIN)
    cilk_fatal(
        "the limit of the address space (ulimit -v) leaves %zu kilobytes for each of %d workers: too few; try a smaller --nproc",
        most >> 10, ctx->nproc);
  if (most != SIZE_MAX)
    most -= cilk_deque_reserve(&x->own, ctx->opt.stack_entries, (most - 2 * CILK_GUARD_BYTES) / 5) + CILK_GUARD_BYTES;
  else cilk_deque_reserve(&x->own, ctx->opt.stack_entries, most);
  cilk_stack_create(&x->own, ctx->opt.stack_bytes, most);
  cilk_trace_worker(x);
  return x;
}

/* The first n are there; they may still be on their way to where they wait. */
static void end_threads(cilk_context *ctx, int n) {
  store_seq_cst(&ctx->shutdown, 1u); /* pairs with their last look before they sleep */
  pthread_mutex_lock(&ctx->mutex);
  for (int i = 0; i < n; i++)
    if (ctx->workers[i]) /* else it sees `shutdown` when it is there */
      cilk_unpark(ctx->workers[i]);
  pthread_mutex_unlock(&ctx->mutex);
  for (int i = 0; i < n; i++) pthread_join(ctx->extensions[i]->thread, NULL); /* the hot parts go with their threads */
}

bool cilk_each_has_thread;

/* The only worker, where nothing needs a thread of its own for it: no other thread looks after it, nor must run beside
 * it. The debug build's callers watch their worker, and sanitizers follow threads. */
static bool caller_is_worker(const cilk_context *ctx) {
#if CILK_ARCH_STACKS && !defined CILK_DEBUG && !defined CILK_ASAN && !defined CILK_TSAN
  const cilk_options *o = &ctx->opt;
  return ctx->nproc == 1 && !cilk_each_has_thread && !ctx->policy->together && !ctx->steps && !o->watchdog &&
         !o->pin_mask && !o->elastic && !o->checkpoint_file && !o->restart_file;
#else
  (void)ctx;
  return false;
#endif
}

int cilk_workers_start(cilk_context *ctx, bool fewer) {
  ctx->addresses = cilk_limit_addresses(ctx->nproc);
  ctx->workers = CILK_FAILS(MALLOC) ? NULL : calloc((size_t)ctx->nproc, sizeof *ctx->workers);
  if (!ctx->workers) cilk_fatal("out of memory");
  /* All reservations before the first thread, which takes address space of its own as soon as it calls malloc. */
  cilk_worker_ext **ext = ctx->extensions = CILK_FAILS(MALLOC) ? NULL : calloc((size_t)ctx->nproc, sizeof *ext);
  if (!ext) cilk_fatal("out of memory");
  for (int i = 0; i < ctx->nproc; i++) ext[i] = reserve(ctx, i);
  ctx->caller_is_worker = caller_is_worker(ctx);
  if (ctx->caller_is_worker) {
    memset(&ctx->resting, 0, sizeof ctx->resting);
    make_hot(ctx->workers[0] = &ctx->resting, 0, ctx, ext[0]);
    return ctx->started = 1;
  }
  for (int i = 0; i < ctx->nproc; i++) {
    start *st = CILK_FAILS(MALLOC) ? NULL : malloc(sizeof *st);
    if (!st) cilk_fatal("out of memory");
    *st = (start){ctx, ext[i], i};
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    int e = pthread_attr_setstack(&attr, ext[i]->own.stack_guard_end, ext[i]->own.stack_map_bytes - CILK_GUARD_BYTES);
    if (!e) e = CILK_FAILS(THREAD) ? EAGAIN : pthread_create(&ext[i]->thread, &attr, worker_main, st);
    pthread_attr_destroy(&attr);
    if (e == EAGAIN && fewer && i > 0) {
      free(st);
      end_threads(ctx, i);
      cilk_workers_free(ctx);
      ctx->started = 0;
      store_relaxed(&ctx->shutdown, 0u);
      return i;
    }
    if (e) cilk_fatal("cannot create worker %d: %s", i, strerror(e));
  }
  pthread_mutex_lock(&ctx->mutex);
  while (ctx->started < ctx->nproc) pthread_cond_wait(&ctx->changed, &ctx->mutex);
  pthread_mutex_unlock(&ctx->mutex);
  return ctx->nproc;
}

void cilk_workers_free(cilk_context *ctx) {
  for (int i = 0; i < ctx->nproc; i++) {
    cilk_worker_ext *x = ctx->extensions[i];
    cilk_seat_stacks_free(x);
    cilk_deque_destroy(&x->own);
    cilk_stack_destroy(&x->own);
    cilk_trace_free(x);
    free(x->signal_stack);
    free(x);
  }
  cilk_private_end(ctx);
  free(ctx->workers);
  free(ctx->extensions);
  ctx->workers = NULL;
}

void cilk_workers_stop(cilk_context *ctx) {
  if (ctx->caller_is_worker && !ctx->lost) cilk_pool_drain(&ctx->resting);
  else if (!ctx->lost) end_threads(ctx, ctx->nproc);
  cilk_workers_free(ctx);
}
