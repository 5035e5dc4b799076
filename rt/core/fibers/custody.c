/* custody.c - a scheduler that loses a fiber, keeps one back, or hands one out twice is named.
 *
 * In the debug build a table has each fiber that a scheduler has. The fiber comes into the table when `ready` gets it,
 * or Cilk_steal or Cilk_deque_get returns it. It leaves the table when `next` or `find` returns it, or the scheduler
 * gives it back to the runtime (Cilk_deque_put, Cilk_post and so on). What is returned must be in the table, and on no
 * Cilk_queue: the queue would become a circle when the fiber comes back.
 *
 * When all workers have been idle for a second, nothing ran in that second. If the table has a fiber that the worker
 * that looks could run, its scheduler withholds the fiber. The same holds for what is on a deque. The fault is the
 * scheduler's whatever the program does. So there is no false alarm where workers wait in system calls, in C code or at
 * a gang's barrier.
 *
 * In other builds there is no table. There an idle worker reports after five seconds, once, that nothing runs, if the
 * program has a scheduler of its own. */
#include "fibers/custody.h"
#include "base/table.h"
#include "data/slots.h"
#include "data/policy.h"
#include "steal/sleep.h"
#include "steal/steal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool over(cilk_context *ctx, const uint32_t *flag, uint32_t value) {
  return cilk_reached(flag, value) || load_seq_cst(&ctx->begun) == load_seq_cst(&ctx->ended) ||
         load_relaxed(&ctx->exiting);
}

/* So long every worker has been idle; 0: one is not. No worker begins to run anything meanwhile. */
static uint64_t all_idle(cilk_context *ctx, uint64_t now) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < ctx->nproc; i++) {
    uint64_t since = load_relaxed(&ctx->workers[i]->ext->stats.idle_since);
    if (since < ctx->start_ns && ctx->workers[i]->id != 0) continue; /* it has not come into this computation */
    if (!since || now < since) return 0;
    least = now - since < least ? now - since : least;
  }
  return least == UINT64_MAX ? 0 : least;
}

#ifdef CILK_DEBUG

enum { IDLE_MS = 1000, IDLE_IN_TURNS_MS = 1 };
typedef struct kept {
  const cilk_closure *c;
  cilk_team *team;
  uint64_t since;
  Cilk_why why;
  bool queued;
} kept;

static uint32_t lock; /* a leaf; guards the table */
static kept *table;
static size_t size, used;

static void before_fork(void) { cilk_spin_lock(&lock); }
static void after_fork(void) { cilk_spin_unlock(&lock); }
static void in_child(void) { cilk_spin_init(&lock); } /* the thread that forked has held it, under another number */
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

static kept *find_place(const cilk_closure *c) { return CILK_TABLE_ROW(table, size, c, c); }

void cilk_custody_in(cilk_team *t, cilk_closure *c, Cilk_why why) {
  uint64_t now = cilk_now_ns();
  cilk_hold(1); /* no turn passes here: schedulers call with their own locks taken */
  cilk_spin_lock(&lock);
  if (!CILK_TABLE_ROOM(table, used, size, 256, c)) cilk_fatal("out of memory");
  kept *k = find_place(c);
  used += !k->c;
  *k = (kept){c, t, now, why, false};
  cilk_spin_unlock(&lock);
  cilk_hold(-1);
}

/* What the table had of c, which it no longer has; c is NULL if it had nothing. */
static kept take_out(const cilk_closure *c) {
  cilk_hold(1);
  cilk_spin_lock(&lock);
  kept *k = size ? find_place(c) : NULL, was = k ? *k : (kept){0};
  if (was.c) {
    used--;
    k->c = NULL;
    /* what went past this place may come nearer */
    for (size_t i = (size_t)(k - table + 1) & (size - 1); table[i].c; i = (i + 1) & (size - 1)) {
      kept moved = table[i];
      table[i].c = NULL;
      *find_place(moved.c) = moved;
    }
  }
  cilk_spin_unlock(&lock);
  cilk_hold(-1);
  return was;
}

bool cilk_custody_out(const cilk_closure *c) { return take_out(c).c != NULL; }

void cilk_custody_queued(const cilk_closure *c, bool on) {
  const cilk_team *twice = NULL;
  cilk_hold(1);
  cilk_spin_lock(&lock);
  kept *k = size ? find_place(c) : NULL;
  if (k && k->c) {
    twice = on && k->queued ? k->team : NULL;
    k->queued = on;
  }
  cilk_spin_unlock(&lock);
  cilk_hold(-1);
  if (twice) cilk_fatal("scheduler '%s' puts a fiber onto a queue although it is already on one", twice->sched->name);
}

void cilk_custody_returned(const cilk_team *t, const cilk_closure *c) {
  kept was = take_out(c);
  if (!was.c)
    cilk_fatal(
        "scheduler '%s' returned a fiber that it does not have: next or find has returned that fiber before, or the scheduler has put it onto a deque, "
        "posted it, or made the pointer up",
        t->sched->name);
  if (was.queued)
    cilk_fatal(
        "scheduler '%s' returned a fiber that is still on a Cilk_queue: next or find must return what Cilk_queue_get gives, and only once",
        t->sched->name);
  store_relaxed(&((cilk_team *)t)->vain, 0u);
}

void cilk_custody_vain(cilk_team *t) { __atomic_fetch_add(&t->vain, 1u, __ATOMIC_RELAXED); }

static bool could_run(const cilk_worker_ext *x, const kept *k) {
  if (k->since < x->ctx->start_ns) /* of the computation of a parent process, whose scheduler is not here */
    return false;
  const cilk_nest *n = k->team->nest;
  bool sits = k->team == x->team || (n && cilk_nest_can_wake(n, x->team));
  return sits && cilk_may_take(x, cilk_closure_root(k->c));
}

static const char *const why_names[] = {"CILK_WHY_RELEASED", "CILK_WHY_RESUMED", "CILK_WHY_ORPHANED",
    "CILK_WHY_PREEMPTED", "CILK_WHY_REMOTE", "CILK_WHY_STARTED"};

static void describe(char *text, size_t room, const kept *k, int runnable, int all, uint64_t now) {
  const cilk_sig *s = k->c->sig;
  char place[256] = "";
  if (k->c->entry < s->nentries && s->entries[k->c->entry].line)
    snprintf(place, sizeof place, " at %s:%u", s->file, s->entries[k->c->entry].line);
  snprintf(text, room,
      "scheduler '%s' has %d fiber%s, %d of which could run, but has returned none of them for %.3f s, in which next() and find() returned NULL %u times "
      "and no worker ran anything. One is %s%s (%s): Cilk_may_run is true for it on the worker that asks. "
      "Either the scheduler has lost it, or it stops its search at a fiber for which Cilk_may_run is false: it has to go on to the next",
      k->team->sched->name, all, all == 1 ? "" : "s", runnable, (double)(now - k->since) * 1e-9,
      load_relaxed(&k->team->vain), s->name, place, why_names[k->why]);
}

/* A text if a worker's deque has something that w could steal, and that no worker has taken. */
static bool left_on_a_deque(cilk_worker *w, uint64_t least, char *text, size_t room) {
  const cilk_context *ctx = w->ext->ctx;
  for (int i = 0; i < ctx->nproc; i++) {
    long n = cilk_left_on_deque(w, ctx->workers[i]);
    if (n <= 0) continue;
    snprintf(text, room,
        "the deque of worker %d has had %ld frame%s for %.3f s in which no worker ran anything. Scheduler '%s' must take them: "
        "next() of that worker by Cilk_deque_get, find() of the others by Cilk_steal or Cilk_steal_any",
        i, n, n == 1 ? "" : "s", (double)least * 1e-9, ctx->team.sched->name);
    return true;
  }
  return false;
}

/* A text if a fiber has been withheld from w. */
static bool withheld(cilk_worker *w, uint64_t now, uint64_t least, char *text, size_t room) {
  kept first = {0};
  int runnable = 0, all = 0;
  cilk_spin_lock(&lock);
  for (size_t i = 0; i < size; i++)
    if (table[i].c && now - table[i].since >= least && could_run(w->ext, &table[i]) &&
        (!first.c || table[i].since < first.since))
      first = table[i];
  for (size_t i = 0; first.c && i < size; i++)
    if (table[i].c && table[i].team == first.team) {
      all++;
      runnable += could_run(w->ext, &table[i]);
    }
  cilk_spin_unlock(&lock);
  if (first.c) describe(text, room, &first, runnable, all, now);
  return first.c || left_on_a_deque(w, least, text, room);
}

#else

enum { IDLE_MS = 5000, IDLE_IN_TURNS_MS = IDLE_MS };

static bool withheld(cilk_worker *w, uint64_t now, uint64_t least, char *text, size_t room) {
  const cilk_context *ctx = w->ext->ctx;
  /* futures in a circle, which stuck.c finds; engines that wait for fuel */
  if (load_relaxed(&ctx->touching) || load_relaxed(&ctx->nests)) return false;
  snprintf(text, room,
      "no worker has run anything for %.1f s, and the computation is not over: has scheduler '%s' lost a fiber? "
      "A build with -cilk-debug says which",
      (double)least * 1e-9, ctx->team.sched->name);
  (void)now;
  return true;
}

#endif

void cilk_custody_look(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  /* where one worker runs at a time the clock counts how often it is read, and the caller counts turns */
  const bool turns = ctx->policy->together;
  const uint64_t least = (uint64_t)(turns ? IDLE_IN_TURNS_MS : IDLE_MS) * 1000000;
  uint64_t since = load_relaxed(&x->stats.idle_since), now = cilk_now_ns();
#ifndef CILK_DEBUG
  if (turns || cilk_team_is_own(&ctx->team)) return;
#endif
  if (!since || now < since + least || load_relaxed(&ctx->withheld_noted) || !cilk_freeze(w)) return;
  char text[1024];
  bool is = !over(ctx, flag, value) && all_idle(ctx, now) >= least && withheld(w, now, least, text, sizeof text);
  cilk_thaw(w);
  if (is && !__atomic_exchange_n(&ctx->withheld_noted, 1u, __ATOMIC_RELAXED)) fprintf(stderr, "Cilk: %s\n", text);
}
