/* run.c - computations, and what a worker does with its pools: threads one after the other, the deepest level first;
 * stealing.
 *
 * A computation lives in the root that the caller made (root.h). Its thunk calls cilk1_root, which takes the base link
 * out of the segment: from then on the computation is over when nothing of it is ready, runs, or is under way
 * (`active`), not when the thunk returns. If no result was sent by then, the computation is *quiet*: a thread of
 * another computation may have the continuation, and send. When nothing can go on anywhere, the program ends with a
 * message (stuck.c).
 *
 * The scheduler's loop asks through work_source.h. While a worker waits for a nested root it runs that root's closures
 * only, from pools of their own; but messages to its other pools are answered, and their closures are shown to
 * thieves. */
#include "abroad.h"
#include "data/work_source.h"
#include "fibers/fiber.h"
#include "protocol/finish.h"
#include "data/policy.h"
#include "data/step.h"
#include "data/pool.h"
#include "record.h"
#include "schedule/schedule.h"
#include "steal/segment.h"
#include "steal/sleep.h"
#include "observe/span.h"
#include "simulate.h"
#include "stamps.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the life of a computation ---- */

static void end(cilk1_run *run);

/* seq_cst read-modify-writes: the worker that brings it to 0 sees everything that was done for the computation. */
void cilk1_activity(cilk1_run *run, int by) {
  if (__atomic_add_fetch(&run->active, (uint32_t)by, __ATOMIC_SEQ_CST) == 0) end(run);
}

/* This worker's own; or its first closure is on its way there, and another worker is active. */
void cilk1_busy(cilk1_home *h) {
  if (!h->busy) {
    h->busy = true;
    cilk1_activity(h->run, 1);
  }
}

static void not_busy(cilk1_home *h) {
  h->busy = false;
  cilk1_activity(h->run, -1);             /* h may be gone */
}

/* Into the worker's statistics; all is quiet in h. */
static void count(cilk1_home *h) {
  cilk_worker *w = h->worker;
  uint64_t most = h->pool.most > 0 ? (uint64_t)h->pool.most : 0, *space = &w->ext->stats.count[CILK_N_SPACE];
  __atomic_fetch_add(&w->threads, cilk1_threads(&h->pool), __ATOMIC_RELAXED);
  if (most > load_relaxed(space)) store_relaxed(space, most);
}

static void end(cilk1_run *run) {
  cilk_root_run *root = run->root;
  cilk_context *ctx = root->ctx;
  int64_t left = 0;
  uint64_t work = 0, span = 0;
  if (!run->sent) return;
  for (cilk1_home *h = run->homes; h; h = h->of_run) {
    work += h->work;
    span = h->span > span ? h->span : span;
  }
  if (run->simulation) cilk1_simulation_ends(run, work, span);
  cilk1_tally_computation(work, span);
  if (cilk1_watched) cilk1_watched->over();
  for (cilk1_home *h = run->homes; h; h = h->of_run) left += cilk1_alive(&h->pool) - (h->gone - h->seen_gone);
#ifdef CILK_DEBUG
  if (left) {
    char waiting[1500];
    cilk_fatal("%s has sent its result, but %lld calls of threads still wait for arguments that no thread can send%s",
        root->root->name, (long long)left, cilk1_waiting_threads(run, waiting, sizeof waiting));
  }
#endif
  if (left > 0) cilk_count_n(cilk_me(), CILK_N_UNSENT, cilk1_forget_waiting(run));
  for (cilk1_home *h = run->homes, *next; h; h = next) {
    next = h->of_run;
    count(h);
    cilk1_tally_home(h);
    cilk1_home_free(h);
  }
  free(run->large);
  void *result = run->result;
  size_t size = run->size;
  root->link.work = work;
  root->link.span = span;
  free(run);
  __atomic_fetch_sub(&ctx->nested, 1u, __ATOMIC_SEQ_CST);
  cilk_worker *w = cilk_me();
  struct cilk_views *views = w->views;
  w->views = root->link.views;
  cilk_root_finish(&root->link, result, size);
  w->views = views;
  free(result);
}

/* The thread that waits for the result of a computation. */
static void result_run(cilk_worker *w, cilk1_closure *c) {
  cilk1_run *run = cilk1_home_of(w->pool)->run;
  memcpy(run->result, (char *)c + CILK1_ARGS, run->size);
  run->sent = true;
  if (cilk1_abroad) cilk1_abroad->over(run);
}

static void cilk1_report(cilk_context *ctx) {
  if (ctx->opt.simulate) cilk1_simulation_report(ctx);
  cilk1_tally_report(ctx);
  cilk1_record_report(ctx);
}

static bool run_own(cilk_worker *w);
static bool came(cilk_worker *w);
static bool steal(cilk_worker *w);
static bool goes(cilk_context *ctx, cilk_root_run **procedures, void **lost);
static const char *lost(void *run, char *text, size_t room);
const cilk1_abroad_table *cilk1_abroad;
const cilk_work_source cilk1_work_source = {run_own, came, steal, cilk1_report, goes, lost};

cilk_cont cilk1_root(cilk_worker *w, size_t size) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  cilk1_run *run = malloc(sizeof *run);
  void *result = malloc(size ? size : 1);
  if (!run || !result) cilk_fatal("out of memory");
  *run = (cilk1_run){.size = size, .result = result};
  run->thread = (cilk1_thread){.run = result_run,
      .name = "the caller",
      .file = "",
      .size = CILK1_ARGS + (uint32_t)(size ? size : 1)};
  cilk_worker_lock(w);
  run->root = x->seg->link->root;
  run->root->elsewhere = true;
  x->seg->link = NULL;                    /* the thunk's return is not the end (schedule.c) */
  cilk_worker_unlock(w);
  run->root->link.views = w->views;       /* the caller gets back what it has */
  w->views = NULL;                        /* threads of Cilk-1 use the objects themselves */
  if (ctx->steps) {
    ctx->steps->give_up(ctx);
    cilk_fatal(
        "--sched=record:FILE and --sched=replay:FILE support only procedures of Cilk-5, and this program has threads of Cilk-1; --sched=replay:SEED and --sched=pct:SEED take both");
  }
  /* pairs with cilk_work_source_of */
  store_release(&ctx->work_source, cilk1_abroad ? cilk1_abroad->work_source : &cilk1_work_source);
  /* threads cannot be unwound: Cilk_exit ends the process at once */
  __atomic_fetch_add(&ctx->nested, 1u, __ATOMIC_SEQ_CST);
  cilk1_home *h = cilk1_home_get(w, run);
  cilk1_busy(h);
  w->pool = &h->pool;
  h->pool.level = 0;
  if (ctx->opt.simulate && !cilk1_simulates_procedure)
    cilk1_simulation_begins(run, h);      /* before the clock runs: that takes longer the more processors there are */
  cilk1_record_wanted(ctx);
  if (cilk1_watched) cilk1_watched->begins();
  cilk1_thread_begins(h, 0);              /* the thunk's spawn */
  cilk1_closure *c = cilk1_spawn_next(w, &run->thread, CILK1_ARGS);
  return cilk1_cont(c, CILK1_ARGS);
}

/* ---- running ---- */

/* Where it is measured, or thieves are pretended, or there is something to be done about the closure's memory. */
static CILK_COLD void run_slowly(cilk_worker *w, cilk1_home *h, cilk1_closure *c) {
  cilk1_pool *p = &h->pool;
  if (h->forced && cilk_policy_of(w)->asked(w, CILK_POINT_POP, 0) == CILK_LEAVE) {
    cilk1_share(h, c);
    c->flags |= CILK1_FOREIGN;
    cilk_count(w, CILK_N_THREAD_STEAL);
  }
  cilk1_count_gone(h);
  cilk1_most(p);
  p->begun++;
  const cilk1_thread *t = c->thread;
  if (cilk1_watched) cilk1_watched->runs(h, c->sender, c->stamp);
  if (p->flags & CILK1_SLOW)
    cilk1_thread_begins(h, c->stamp + (h->run->simulation ? h->run->root->ctx->opt.simulate_thread : 0));
#ifdef CILK_ASAN
  /* The original is gone before the thread runs: what it still reads there is reported. */
  char *copy = NULL;
  if (posix_memalign((void **)&copy, 64, t->size) != 0) cilk_fatal("out of memory");
  memcpy(copy, c, t->size);
  cilk1_release(c);
  t->run(w, (cilk1_closure *)(void *)copy);
  free(copy);
#else
  /* No worker takes it from this worker's own list before the thread has read its arguments; from the pool of all, one
   * might. */
  bool later = cilk1_goes_to_all(c);
  if (!later) cilk1_release(c);
  t->run(w, c);
  if (later) cilk1_release(c);
#endif
  if (p->flags & CILK1_SLOW) {
    cilk1_thread_ends(h);
    if (!(t->flags & CILK1_THREAD_PROCEDURE)) cilk1_tally(h, t);
    if (cilk1_watched) cilk1_watched->ends(h);
  }
}

void cilk1_run_thread(cilk_worker *w, cilk1_home *h, cilk1_closure *c) {
  cilk1_pool *p = &h->pool;
  const cilk1_thread *t = c->thread;
  uint32_t k = (t->size - 1) / CILK_FREE_UNIT;
  p->level = c->level;
#if !defined CILK_ASAN && !defined CILK_DEBUG
  if (__builtin_expect(!c->flags && k < CILK_FREE_CLASSES && !h->always, 1)) {
    /* Given back before its thread has read the arguments: no other worker takes it off this pool's list. */
    cilk1_most(p);
    p->begun++;
    c->next = p->free_list[k];
    p->free_list[k] = c;
    t->run(w, c);
    return;
  }
#endif
  (void)k;
  run_slowly(w, h, c);
}

/* How far threads may call threads: a part of what is left of the stack. */
static uintptr_t stack_low(const cilk_worker *w) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = (uintptr_t)w->ext->memory.stack_guard_end;
  size_t left = here > end && here - end < w->ext->memory.stack_map_bytes ? here - end : 0, most = (size_t)256 << 10;
  return here - (left ? (left / 4 < most ? left / 4 : most) : most / 8);
}

static void run_pool(cilk_worker *w, cilk1_home *h) {
  cilk_worker_ext *x = w->ext;
  cilk1_pool *p = &h->pool;
  cilk1_busy(h);
  cilk_fp_load(&h->run->root->fp);
  w->pool = p;
  w->views = NULL;                        /* threads use the objects themselves */
  store_relaxed(&h->running, h->running + 1);   /* read when a worker looks whether anything goes on */
  p->stack_low = stack_low(w);
  cilk1_want(h);                          /* and so to that, before the first thread */
  if (h->run->simulation) cilk1_simulate(w, h->run);
  while (!x->next) {
    if (__builtin_expect(load_relaxed(&p->attention) == CILK1_WANTED, 0)) {
      cilk1_count_gone(h);
      cilk1_answer(h, false);
    }
    cilk1_closure *c = cilk1_take_deepest(p);
    if (!c && (c = h->placed)) h->placed = c->next;
    if (!c) c = cilk1_take_public(h);
    if (!c) {
      w->pool = NULL;
      w->views = CILK_NO_VIEWS;
      store_relaxed(&h->running, h->running - 1);
      if (h->running == 0) not_busy(h);
      return;
    }
    cilk1_run_thread(w, h, c);
  }
  store_relaxed(&h->running, h->running - 1);
  w->pool = NULL;                         /* a closure of Cilk-5 comes first */
  w->views = CILK_NO_VIEWS;
}

/* ---- the scheduler's questions ---- */

/* A pool of the worker that is busy: it has something to run; or all of it was stolen, which it must report. */
static cilk1_home *pool_to_run(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk1_home *h;
  cilk_spin_lock(&x->cilk1.lock);
  for (h = x->cilk1.pools; h; h = h->of_worker)
    if (h->busy && !h->running && cilk_root_within(h->run->root, x->wait.root)) break;
  cilk_spin_unlock(&x->cilk1.lock);
  return h;
}

/* A pool of which this worker cannot run anything now, since it waits for a nested root of which that is no part. */
static bool out_of_reach(cilk_worker *w, const cilk1_home *h) {
  return h->busy && !h->closed && !cilk_root_within(h->run->root, w->ext->wait.root);
}

/* Messages to any pool; and what is out of reach is shown to thieves, even what was placed here: others may wait for
 * it, each on its own nested root. What is in a message, or ready, keeps its pool alive. */
static void look_after(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk1_home *h;
  do {
    cilk_spin_lock(&x->cilk1.lock);
    for (h = x->cilk1.pools; h; h = h->of_worker)
      if (load_seq_cst(&h->inbox) ||
          (out_of_reach(w, h) && (h->placed || (!h->first && (h->pool.deepest >= 0 || !h->running)))))
        break;
    cilk_spin_unlock(&x->cilk1.lock);
    cilk1_closure *c;
    while (h && out_of_reach(w, h) && (c = h->placed)) {
      h->placed = c->next;
      cilk1_publish(h, c);
    }
    if (h) cilk1_answer(h, true);
    /* All of it is gone. Its computation may be over, and others wait for that. */
    if (h && out_of_reach(w, h) && !h->running && !load_acquire(&h->first) && !h->placed && h->pool.deepest < 0)
      not_busy(h);
  } while (h);
}

static bool run_own(cilk_worker *w) {
  bool ran = false;
  if (load_relaxed(&w->ext->cilk1.pools) == NULL) return false;
  for (cilk1_home *h; !w->ext->next && (look_after(w), h = pool_to_run(w)); ran = true) run_pool(w, h);
  return ran;
}

static bool came(cilk_worker *w) {
  if (load_relaxed(&w->ext->cilk1.pools) == NULL) return false;
  look_after(w);
  return pool_to_run(w) != NULL;
}

/* ---- stealing ---- */

static bool steal_from(cilk_worker *w, cilk_worker *victim) {
  cilk_worker_ext *vx = victim->ext;
  cilk1_run *run = NULL;
  cilk1_closure *c = NULL;
  if (load_relaxed(&vx->cilk1.pools) == NULL) return false;
  cilk_count(w, CILK_N_REQUEST);
  if (!cilk_spin_trylock(&vx->cilk1.lock)) return false;
  for (cilk1_home *h = vx->cilk1.pools; h && !c; h = h->of_worker)
    if ((c = h->first) && cilk_root_within(h->run->root, w->ext->wait.root)) {
      /* The thief's activity first: an owner that finds nothing left may end the computation, and its pools, without
       * taking the lock. */
      run = h->run;
      __atomic_add_fetch(&run->active, 1u, __ATOMIC_SEQ_CST);
      cilk1_leave(h);
      bool last = !c->next;
      if (last) h->last = NULL;
      store_release(&h->first, c->next); /* pairs with the acquire in cilk1_take_public */
      /* not before: an owner that answers in between would see something there still, and show nothing */
      if (last) cilk1_want(h);
    } else c = NULL;
  cilk_spin_unlock(&vx->cilk1.lock);
  if (!c) return false;
  cilk_count(w, CILK_N_THREAD_STEAL);
  cilk1_home *mine = cilk1_home_get(w, run);
  cilk_check(!mine->busy); /* else `came` would have found it */
  mine->busy = true; /* and active, as the thief */
  cilk1_enter(mine, c);
  cilk1_level_room(&mine->pool, c->level + 1);
  cilk1_post(&mine->pool, c);
  return true;
}

/* Victims in turn, from a random one on (section 3: uniformly at random). */
static bool steal(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  int n = ctx->nproc, first = n > 1 ? (int)cilk_choose(w, CILK_CHOOSE_VICTIM, (uint64_t)n) : 0;
  for (int i = 0; i < n; i++) {
    cilk_worker *victim = ctx->workers[(first + i) % n];
    if (victim != w && steal_from(w, victim)) return true;
  }
  return false;
}

/* ---- Cilk-5 procedures called by threads ---- */

typedef struct cilk1_called {
  cilk_root_run run;
  cilk_cont k;
  cilk1_run *of;
  struct cilk1_called *next, *before; /* in of->called; its lock */
  uint32_t node; /* of the thread that calls, for record.c */
  uint64_t stamp; /* measured in units: where the call is on the longest path */
  char space[]; /* the result, the arguments */
} called;

static void enlist(called *call) {
  cilk1_run *of = call->of;
  cilk_spin_lock(&of->lock);
  call->next = of->called;
  if (call->next) call->next->before = call;
  of->called = call;
  cilk_spin_unlock(&of->lock);
}

static void strike_off(called *call) {
  cilk1_run *of = call->of;
  cilk_spin_lock(&of->lock);
  *(call->before ? &call->before->next : &of->called) = call->next;
  if (call->next) call->next->before = call->before;
  cilk_spin_unlock(&of->lock);
}

/* The procedure has returned, on this worker: its result goes to the thread's continuation. */
static void send_result(cilk_root_run *run, void *result, size_t size) {
  called *call = (called *)(void *)run;
  cilk_worker *w = cilk_me();
  cilk1_run *of = call->of;
  cilk1_home *h = cilk1_home_get(w, of);
  cilk1_busy(h);
  struct cilk1_pool *pool = w->pool;
  w->pool = &h->pool;
  uint64_t stamp = 0;
  if (of->simulation) {
    cilk1_simulated_procedure(h, result || !size ? call->k : (cilk_cont){NULL, 0, 0}, result, result ? size : 0,
        run->link.work, run->link.span);
    call->k.closure = NULL;
  } else if (cilk_span_counted()) {
    stamp = call->stamp + run->link.span;
    h->work += run->link.work;
    h->span = stamp > h->span ? stamp : h->span;
    cilk1_tally_procedure(run->link.work);
    cilk1_record_called(call->node, run->link.work, stamp);
  }
  if (cilk1_watched && call->k.closure) cilk1_watched->sent(h, call->k.closure->sender, call->k.slot, stamp);
  if (call->k.closure && (result || !size)) cilk1_send_through(h, call->k, result, size, stamp);
  w->pool = pool;
  strike_off(call);
  free(call);
  if (!h->running && !(h->pool.deepest >= 0 || h->placed || load_acquire(&h->first))) not_busy(h);
  cilk1_activity(of, -1);
}

void cilk1_call(cilk_worker *w, cilk_cont k, const cilk_root *procedure, void *args) {
  cilk_worker_ext *x = w->ext;
  struct cilk1_pool *pool = w->pool;
  size_t result = (procedure->result_size + 63u) / 64 * 64, room = sizeof(called) + result + procedure->args_size;
  void *at = NULL;
  if (posix_memalign(&at, 64, room) != 0) cilk_fatal("out of memory");
  /* The result, too: of a procedure that returns nothing a slow clone stores none, and 0 is sent. */
  called *call = memset(at, 0, sizeof(called) + result);
  bool simulated = cilk1_home_of(pool)->run->simulation != NULL;
  if (simulated && !cilk_span_counted())
    cilk_fatal(
        "%s is a procedure of Cilk-5 that a thread calls: simulate it with counted units (cilkc simulate --counted)",
        procedure->name);
  call->k = k;
  call->of = cilk1_home_of(pool)->run;
  call->node = cilk1_home_of(pool)->node;
  cilk_root_run *run = &call->run;
  run->link.root = run;
  run->link.worker = w;
  run->root = procedure;
  run->ctx = x->ctx;
  run->team = x->team;
  run->result = call->space;
  run->args = call->space + result;
  memcpy(run->args, args, procedure->args_size);
  run->outer = pool->root;
  run->team = pool->root->team;
  run->then = send_result;
  run->fp = pool->root->fp;
  if (x->next) {
    cilk_orphan(w, x->next);
    x->next = NULL;
  }
  cilk1_activity(call->of, 1);
  enlist(call);
  bool counted = cilk_span_counted();
  call->stamp = counted ? cilk1_pause(cilk1_home_of(pool)) : 0;
  if (counted) w->units = 0;
  w->pool = NULL;
  if (simulated) cilk1_simulates_procedure = true; /* and no other worker is there */
  cilk_root_start(w, run); /* its own clock counts it */
  if (simulated) cilk1_simulates_procedure = false;
  w->pool = pool;
  w->views = NULL;
  if (counted) cilk1_resume(cilk1_home_of(pool));
}

/* ---- when all workers are idle ---- */

/* A worker may run what is ready there: its own, or a thief, if it does not wait for something else. */
static bool in_reach(cilk_context *ctx, const cilk1_run *run) {
  for (int i = 0; i < ctx->nproc; i++)
    if (cilk_root_within(run->root, ctx->workers[i]->ext->wait.root)) return true;
  return false;
}

/* Is anything active besides threads that wait in C code, and procedures: something ready, or a message? Asked for the
 * first of the run's pools. */
static bool pending(const cilk1_home *h, cilk_root_run **procedures) {
  cilk1_run *run = h->run;
  uint32_t wait = 0;
  cilk_spin_lock(&run->lock);
  if (run->homes != h) {
    cilk_spin_unlock(&run->lock);
    return false;
  }
  for (; h; h = h->of_run) wait += load_relaxed(&h->running) != 0;
  for (called *call = run->called; call; call = call->next, wait++) {
    call->run.below = *procedures;
    *procedures = &call->run;
  }
  cilk_spin_unlock(&run->lock);
  return load_seq_cst(&run->active) > wait;
}

/* No thread runs now. But a worker that looks for work may be handling a message. What goes on then is active before
 * the message is gone, so two looks see it. */
static bool look(cilk_context *ctx, cilk_root_run **procedures, cilk1_run **quiet) {
  bool goes = false;
  *procedures = NULL;
  *quiet = NULL;
  for (int i = 0; i < ctx->nproc; i++) {
    cilk_worker_ext *x = ctx->workers[i]->ext;
    cilk_spin_lock(&x->cilk1.lock); /* the first pool of a run goes first */
    for (cilk1_home *h = x->cilk1.pools; h; h = h->of_worker) {
      cilk1_run *run = h->run;
      if (load_seq_cst(&run->active) == 0 && !run->sent) *quiet = run;
      goes |= load_seq_cst(&h->inbox) || (pending(h, procedures) && in_reach(ctx, run));
    }
    cilk_spin_unlock(&x->cilk1.lock);
  }
  return goes;
}

static bool goes(cilk_context *ctx, cilk_root_run **procedures, void **lost_run) {
  cilk1_run *quiet;
  bool goes = look(ctx, procedures, &quiet) || look(ctx, procedures, &quiet);
  *lost_run = quiet;
  return goes;
}

uint64_t cilk1_active(cilk_context *ctx) {
  uint64_t n = 0;
  bool message = false;
  for (int i = 0; i < ctx->nproc; i++) {
    cilk_worker_ext *x = ctx->workers[i]->ext;
    cilk_spin_lock(&x->cilk1.lock);
    for (cilk1_home *h = x->cilk1.pools; h; h = h->of_worker) {
      cilk_spin_lock(&h->run->lock); /* the first pool counts for the computation */
      n += h->run->homes == h ? load_seq_cst(&h->run->active) : 0;
      cilk_spin_unlock(&h->run->lock);
      message |= load_seq_cst(&h->inbox) != 0;
    }
    cilk_spin_unlock(&x->cilk1.lock);
  }
  return message ? UINT64_MAX : n;
}

static const char *lost(void *run, char *text, size_t room) {
  const cilk1_run *of = run;
  char waiting[1500];
  snprintf(text, room, "%s cannot go on: nothing is left to run, but its result was not sent%s", of->root->root->name,
      cilk1_waiting_threads(run, waiting, sizeof waiting));
  return text;
}
