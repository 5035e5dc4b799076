/* ticker.c - a thread that watches the time: when a slice is over (<cilk-sched.h>), and when a computation must be
 * cancelled or has used up its fuel (<cilk-start.h>).
 *
 * There is none as long as no computation asks for either. At the end of a slice every worker that runs something is
 * made to come into the runtime, as for a signal. The worker comes at its next pop or test, and finds `late`. Workers
 * are not interrupted: a piece without spawns goes on until its end. */
#define _GNU_SOURCE
#include "nest/ticker.h"
#include "base/fault.h"
#include "data/computation.h"
#include "data/policy.h"
#include "steal/steal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct cilk_ticker {
  cilk_context *ctx;
  uint64_t slice;                  /* ns; 0: none; relaxed for readers without the mutex */
  int nests;                       /* nested schedulers with slices */
  uint64_t next;                   /* when the present slice is over */
  pthread_mutex_t mutex;           /* guards what follows, and the alarms of all computations */
  pthread_cond_t changed;
  /* those that are set, from place 1 on: each is due no later than those at twice its place and one more */
  cilk_alarm **heap;
  size_t set, room;
  bool stop, threaded;
  pthread_t thread;
};

/* ---- the alarms. The mutex is held ---- */

static void put(struct cilk_ticker *t, cilk_alarm *a, size_t place) {
  t->heap[place] = a;
  a->place = place;
}

/* a, which has no place, comes to `place`, which is free, or as far above or below as its time says. */
static void settle(struct cilk_ticker *t, cilk_alarm *a, size_t place) {
  for (; place > 1 && t->heap[place / 2]->when > a->when; place /= 2) put(t, t->heap[place / 2], place);
  for (size_t below; (below = 2 * place) <= t->set; place = below) {
    if (below < t->set && t->heap[below + 1]->when < t->heap[below]->when) below++;
    if (t->heap[below]->when >= a->when) break;
    put(t, t->heap[below], place);
  }
  put(t, a, place);
}

static void set(struct cilk_ticker *t, cilk_alarm *a) {
  if (t->set + 2 > t->room) {
    t->room = t->room ? 2 * t->room : 64;
    t->heap = realloc(t->heap, t->room * sizeof *t->heap);
    if (!t->heap) cilk_fatal("out of memory");
  }
  settle(t, a, ++t->set);
}

static void unset(struct cilk_ticker *t, cilk_alarm *a) {
  size_t place = a->place;
  if (!place) return;
  a->place = 0;
  cilk_alarm *last = t->heap[t->set--];
  if (last != a) settle(t, last, place);
}

/* Alarms that are due ring; says when the next one is. */
static uint64_t ring_due(struct cilk_ticker *t, uint64_t now) {
  while (t->set && t->heap[1]->when <= now) {
    cilk_alarm *a = t->heap[1];
    unset(t, a);
    a->ring(a->of);                       /* which does not end before cilk_forget_alarms has had the mutex */
  }
  return t->set ? t->heap[1]->when : UINT64_MAX;
}

/* A notified worker leaves its path at the next test or pop, and pays for it later: a processor that keeps no record of
 * branches that were never taken fetches code slower once its rare branches were. So no worker is notified in vain. */
static bool in_vain(const struct cilk_ticker *t) {
  const cilk_team *team = &t->ctx->team;
  return !load_relaxed(&t->nests) && team->sched->waits && !team->sched->waits(team->self);
}

static void slice_over(const struct cilk_ticker *t) {
  cilk_context *ctx = t->ctx;
  if (load_relaxed(&ctx->ended) == load_relaxed(&ctx->begun) || in_vain(t)) return;
  pthread_mutex_lock(&ctx->mutex); /* a caller that is worker 0 stays so (caller.c) */
  for (int i = 0; i < ctx->nproc; i++) {
    cilk_worker *w = ctx->workers[i];
    if (load_relaxed(&w->ext->stats.idle_since)) continue;
    cilk_hurry(w);
  }
  pthread_mutex_unlock(&ctx->mutex);
}

static void *watch(void *argument) {
  struct cilk_ticker *t = argument;
  pthread_mutex_lock(&t->mutex);
  t->next = t->slice ? cilk_now_ns() + t->slice : UINT64_MAX;
  while (!t->stop) {
    uint64_t now = cilk_now_ns(), soonest = ring_due(t, now);
    if (now >= t->next) {
      pthread_mutex_unlock(&t->mutex);
      slice_over(t);
      pthread_mutex_lock(&t->mutex);
      /* the system let it sleep longer */
      t->next = !t->slice ? UINT64_MAX : t->next + t->slice < now ? now + t->slice : t->next + t->slice;
      continue;
    }
    soonest = t->next < soonest ? t->next : soonest;
    if (soonest == UINT64_MAX) pthread_cond_wait(&t->changed, &t->mutex);
    else {
      struct timespec until = {(time_t)(soonest / 1000000000u), (long)(soonest % 1000000000u)};
      pthread_cond_timedwait(&t->changed, &t->mutex, &until);
    }
  }
  pthread_mutex_unlock(&t->mutex);
  return NULL;
}

/* mutex held. */
static void start_thread(struct cilk_ticker *t) {
  if (t->threaded || t->ctx->turns) return;
  t->threaded = true;
  sigset_t all, old; /* the program's signals are for its own threads */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int e = CILK_FAILS(THREAD) ? EAGAIN : pthread_create(&t->thread, NULL, watch, t);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (e) cilk_fatal("cannot create the thread that watches the time: %s", strerror(e));
}

void cilk_ticker_begin(cilk_context *ctx) {
  struct cilk_ticker *t = ctx->ticker = calloc(1, sizeof *t);
  if (!t) cilk_fatal("out of memory");
  t->ctx = ctx;
  t->slice = ctx->team.sched->slice ? ctx->team.sched->slice(ctx->team.self) : 0;
  pthread_mutex_init(&t->mutex, NULL);
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&t->changed, &attr);
  pthread_condattr_destroy(&attr);
  if (t->slice) start_thread(t);
}

void cilk_ticker_end(cilk_context *ctx) {
  struct cilk_ticker *t = ctx->ticker;
  pthread_mutex_lock(&t->mutex);
  t->stop = true;
  pthread_cond_signal(&t->changed);
  pthread_mutex_unlock(&t->mutex);
  if (t->threaded) pthread_join(t->thread, NULL);
  pthread_cond_destroy(&t->changed);
  pthread_mutex_destroy(&t->mutex);
  free(t->heap);
  free(t);
  ctx->ticker = NULL;
}

uint64_t cilk_ticker_slice(cilk_context *ctx) { return ctx->ticker ? load_relaxed(&ctx->ticker->slice) : 0; }

void cilk_ticker_nest(cilk_context *ctx, uint64_t slice, int change) {
  struct cilk_ticker *t = ctx->ticker;
  if (!t) /* a forked child */
    return;
  cilk_hold(1);
  pthread_mutex_lock(&t->mutex);
  store_relaxed(&t->nests, t->nests + change); /* read without the mutex, as a hint, by slice_over */
  uint64_t own = ctx->team.sched->slice ? ctx->team.sched->slice(ctx->team.self) : 0;
  if (!t->nests) slice = own;
  else if (change < 0 || (t->slice && t->slice < slice))
    /* the shortest of all that there were since the last time that there was none */
    slice = t->slice;
  if (slice != t->slice) {
    store_relaxed(&t->slice, slice);
    t->next = slice ? cilk_now_ns() + slice : UINT64_MAX;
    if (slice) start_thread(t);
    pthread_cond_signal(&t->changed);
  }
  pthread_mutex_unlock(&t->mutex);
  cilk_hold(-1);
}

bool cilk_ticker_waits(const cilk_context *ctx) { return ctx->ticker && (ctx->ticker->set || ctx->ticker->slice); }

void cilk_ticker_look(cilk_worker *w, uint64_t now) {
  struct cilk_ticker *t = w->ext->ctx->ticker;
  if (!t) return;
  if (t->slice && now >= t->next) {
    t->next = now + t->slice;
    for (int i = 0; i < t->ctx->nproc && !in_vain(t); i++)
      store_relaxed(&t->ctx->workers[i]->ext->late, 1u); /* all pops and tests look */
  }
  if (t->set) ring_due(t, now);
}

void cilk_alarm_set(cilk_computation *m, cilk_alarm *a, void (*ring)(cilk_computation *), long long ns) {
  struct cilk_ticker *t = m->run.ctx->ticker;
  if (!t) /* a forked child */
    return;
  cilk_hold(1);
  pthread_mutex_lock(&t->mutex);
  unset(t, a);
  a->when = cilk_now_ns() + (uint64_t)(ns < 0 ? 0 : ns);
  a->ring = ring;
  a->of = m;
  if (!m->silent) set(t, a);
  start_thread(t);
  pthread_cond_signal(&t->changed);
  pthread_mutex_unlock(&t->mutex);
  cilk_hold(-1);
}

void cilk_forget_alarms(cilk_computation *m) {
  struct cilk_ticker *t = m->run.ctx->ticker;
  if (!t) /* a forked child */
    return;
  pthread_mutex_lock(&t->mutex);
  m->silent = true;
  unset(t, &m->deadline);
  unset(t, &m->fuel);
  pthread_mutex_unlock(&t->mutex);
}
