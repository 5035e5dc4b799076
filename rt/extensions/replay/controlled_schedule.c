/* controlled_schedule.c - one worker at a time: --sched=replay:SEED[:P], --sched=pct:SEED[:P[:DEPTH[:STEPS]]] and
 * --sched=turns:P[:LIST].
 *
 * The workers are threads as always, but exactly one of them runs: it has the *turn*. At scheduling points (cilk_point)
 * a *chooser* (choosers.h) says which worker goes on: by chance, by priorities, or by a list. Every pop and every test
 * of generated code is a scheduling point. So are waits and steps of the protocols. Between two points a worker runs
 * alone. So all that happens is a function of the seed or list: which worker steals what, the order of deliveries, what
 * the clock shows (it counts how often it is read). What comes from outside is not governed: input, the time of day,
 * threads of the program's own, addresses.
 *
 * The *log* (points.h) is of all choosers: it has the points at which the turn passed. So the log of a run by a seed is
 * a list that repeats it, and `cilkc explore` makes such lists.
 *
 * In the debug build each access to what workers share is a point, too, whatever locks are held: a worker that waits
 * for a lock gives the turn away. So errors between two accesses of one function are found.
 *
 * The worker with the turn hands it over by a store to the other one's word, and waits for its own. So all accesses of
 * different workers are ordered by it: in a replay no other atomic orders anything. */
#define _GNU_SOURCE
#include "replay/controlled_schedule.h"
#include "base/fault.h"
#include "fibers/custody.h"
#include "fibers/fiber.h"
#include "replay/rendezvous.h"
#include "replay/choosers.h"
#include "replay/order.h"
#include "replay/points.h"
#include "steal/lazy.h"
#include "steal/sleep.h"
#include "steal/idle.h"
#include "protocol/stuck.h"
#include "nest/ticker.h"

#include <linux/futex.h>
#include <sched.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct cilk_turns {
  cilk_chooser chooser;            /* of the worker that has the turn */
  bool noted;
  int n;
  cilk_place here, before;         /* of the running worker, at a point; of the last point */
  uint32_t same;                   /* so many points before it were at the same place */
  uint64_t points, quiet;          /* points so far; waits since the last */
  int last;                        /* the worker of the last point; -1: none */
  bool waited;                     /* it waited since */
  cilk_rendezvous rendezvous;
  struct {
    uint32_t go __attribute__((aligned(64)));
    /* it takes part in a computation; it looks for what it waits for, which is not a step; its own */
    bool in, waits;
  } word[CILK_MOST_TURNS];
};

/* ---- the clock ---- */

static uint64_t now_ns;                   /* moves with the turn; relaxed, as callers read it */

/* 50 ns for each look. Threads that are not workers see it stopped. */
static uint64_t look(const cilk_worker *w) {
  const cilk_turns *t = w->id < 0 || !w->ext ? NULL : w->ext->ctx->turns;
  if (w->id >= 0 && w->ext && !t) return cilk_clock_monotonic();
  if (!t || !t->word[w->id].in) return load_relaxed(&now_ns);
  uint64_t now = load_relaxed(&now_ns) + 50;
  store_relaxed(&now_ns, now);
  return now;
}

static uint64_t turn_clock(void) {
  cilk_hold(1);
  uint64_t now = look(cilk_me());
  cilk_hold(-1);
  return now;
}

/* ---- whose turn ---- */

/* A loop that is long, and reads one variable all the time, is none that waits: the run on one worker has it, too. Its
 * number of points is in the limit of the others (explore.py). */
static bool spins_for_ever(const cilk_turns *t) {
  uint64_t most = cilk_points_limit() / 20;
  most = most < CILK_TURN_SAME ? CILK_TURN_SAME : most;
  return t->same > (most < CILK_TURN_SAME_AT_FIRST ? most : CILK_TURN_SAME_AT_FIRST);
}

/* A point has been reached, or nothing happens but waiting. */
static void count_point(cilk_turns *t, cilk_worker *w, enum cilk_turn at) {
  if (at == CILK_TURN_WAIT) {
    t->quiet++;                           /* a worker that takes steps of the runtime does go on */
    t->waited = true;
  }
  if (cilk_is_numbered(at)) {
    if (cilk_points_kept()) {
      /* where steps have an order nothing else passes the turn */
      if (t->last >= 0 && t->last != w->id && (!t->waited || cilk_ordered(w))) cilk_points_switch(t->points, w->id);
      cilk_points_count(t->points + 1);
    }
    t->points++;
    t->quiet = 0;
    t->same = t->here.site && t->here.site == t->before.site && t->here.memory && t->here.memory == t->before.memory &&
                      t->here.kind != CILK_PLACE_WRITE
                  ? t->same + 1
                  : 0;
    t->before = t->here;
    t->last = w->id;
    t->waited = false;
    if (cilk_points_kept()) cilk_points_at(w, t->points, &t->here);
  }
  if (!t->chooser.listed && !cilk_points_kept()) return;
  if (t->points > cilk_points_limit())
    cilk_points_end("limit", "the program has not ended after the number of points that CILK_EXPLORE_LIMIT allows");
  if ((t->quiet > CILK_TURN_QUIET || spins_for_ever(t)) && !cilk_ticker_waits(w->ext->ctx))
    cilk_points_end("stuck",
        "no worker can go on: each waits for another one, in a loop or for a lock that is never released");
}

static void give(cilk_turns *t, int to) {
  store_release(&t->word[to].go, 1u);     /* pairs with await; orders all that was done before */
  syscall(SYS_futex, &t->word[to].go, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* For tests and reports a note if nothing moves: the one that runs may wait for another worker in its own way. */
static void await(cilk_turns *t, int me) {
  uint64_t seen = load_relaxed(&t->chooser.steps);
  while (!load_acquire(&t->word[me].go)) {
    struct timespec patience = {CILK_TURN_PATIENCE_S, 0};
    /* it also returns early: at a signal, or for a wake-up of the turn before */
    if (syscall(SYS_futex, &t->word[me].go, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0) == 0 || errno != ETIMEDOUT)
      continue;
    uint64_t steps = load_relaxed(&t->chooser.steps);
    if (steps != seen) seen = steps;
    else if (!load_acquire(&t->word[me].go) && !__atomic_exchange_n(&t->noted, true, __ATOMIC_RELAXED))
      fprintf(stderr,
          "replay: no pop, test or wait of the runtime's for some %d s: does the program wait for another worker by itself?\n",
          CILK_TURN_PATIENCE_S);
  }
  store_relaxed(&t->word[me].go, 0u);
}

/* What is done here passes no points itself. */
static void pass(cilk_worker *w, cilk_turns *t, enum cilk_turn at) {
  int e = errno; /* the program's: system calls of the log and of the turn change it */
  cilk_hold(1);
  count_point(t, w, at);
  int to = cilk_chooser_after(&t->chooser, w->id, at, t->points, &t->here);
  if (to != w->id) {
    give(t, to);
    await(t, w->id);
  }
  cilk_hold(-1);
  errno = e;
}

void cilk_turn_offer(cilk_worker *w, enum cilk_turn at) {
  cilk_turns *t = w->ext->ctx->turns;
  if (!t->word[w->id].in) {
    sched_yield();
    return;
  }
  if (cilk_ordered(w) && at == CILK_TURN_STEP) return;
  if (at != CILK_TURN_STEP) {             /* no lock is held: what a deadline does takes some */
    cilk_hold(1);
    cilk_ticker_look(w, cilk_now_ns());
    cilk_hold(-1);
  }
  t->word[w->id].waits = at == CILK_TURN_WAIT;
  if (at != CILK_TURN_USER)
    t->here = (cilk_place){at == CILK_TURN_POP ? -1 : at == CILK_TURN_TOUCH ? -2 : -3, NULL, NULL};
  pass(w, t, at);
}

void cilk_turn_point(cilk_worker *w, const cilk_place *place) {
  cilk_turns *t = w->ext->ctx->turns;
  if (!t->word[w->id].in) return;
  t->here = *place;
  cilk_turn_offer(w, CILK_TURN_USER);
}

#ifdef CILK_DEBUG
static void turn_at_access(void) {
  cilk_worker *w = cilk_me();
  if (cilk_held) return;
  if (cilk_fault_on) cilk_fault_happen();
  cilk_turns *t = w->id >= 0 && w->ext ? w->ext->ctx->turns : NULL;
  if (t && t->word[w->id].in && !t->word[w->id].waits && !cilk_ordered(w)) pass(w, t, CILK_TURN_ACCESS);
}
#endif

/* A lock of the runtime, or of the program, is taken by a worker that does not have the turn. */
static void wait_for_lock(void) {
  cilk_worker *w = cilk_me();
  cilk_turns *t = w->id >= 0 && w->ext ? w->ext->ctx->turns : NULL;
  if (t && t->word[w->id].in) pass(w, t, CILK_TURN_WAIT);
  else sched_yield();                        /* of another context */
}

/* ---- computations ---- */

static void begin(void *turns) {
  cilk_turns *t = turns;
  int to = cilk_chooser_begin(&t->chooser);
  t->last = -1;
  give(t, to);
}

static void enter(cilk_worker *w) {
  cilk_turns *t = w->ext->ctx->turns;
  cilk_rendezvous_in(&t->rendezvous, begin, t);
  await(t, w->id);
  t->word[w->id].in = true;
  w->ext->calm = CILK_FLAG_CALM;          /* each test is a scheduling point; a flag that is up stays so */
  __atomic_fetch_or(&w->release, (uint32_t)CILK_FLAG_CALM, __ATOMIC_RELAXED);
}

static void leave(cilk_worker *w) {
  cilk_turns *t = w->ext->ctx->turns;
  t->word[w->id].in = t->word[w->id].waits = false;
  if (cilk_ordered(w)) t->last = -1;                         /* it passes the turn at no point */
  int to = cilk_chooser_leave(&t->chooser, w->id);
  if (to >= 0) give(t, to);
  /* None goes on alone before all have left: those that look for work for the last time would see whether it sleeps. */
  cilk_rendezvous_out(&t->rendezvous);
}

static void wait_for_all(cilk_context *ctx) { cilk_rendezvous_wait(&ctx->turns->rendezvous); }

static void reset(cilk_context *ctx) {
  cilk_turns *t = ctx->turns;
  t->chooser.present = 0;
  memset(t->word, 0, sizeof t->word);
  cilk_rendezvous_init(&t->rendezvous, t->n);
}

static void make(cilk_context *ctx) {
  const cilk_replay *r = &ctx->opt.replay;
  void *p = NULL;
  if (posix_memalign(&p, 64, sizeof(cilk_turns)) != 0) cilk_fatal("out of memory");
  cilk_turns *t = ctx->turns = memset(p, 0, sizeof(cilk_turns));
  t->n = ctx->nproc;
  if (ctx->order && ctx->order->replay) cilk_chooser_of_record(&t->chooser, &ctx->order->turn, t->n);
  else cilk_chooser_init(&t->chooser, r, t->n);
  t->last = -1;
  cilk_points_begin(ctx);
  reset(ctx);
  ctx->nodes = 0; /* nothing that differs between machines, or times */
  ctx->processors = (uint32_t)ctx->nproc;
  cilk_clock = turn_clock;
#ifdef CILK_DEBUG
  cilk_at_access = turn_at_access;
#endif
  cilk_spin_turn = wait_for_lock;
  cilk_repeat_on_signals();
}

static void end(cilk_context *ctx) {
  free(ctx->turns);
  ctx->turns = NULL;
}

/* ---- the policy ---- */

enum { IDLE_TURNS = 1 << 14 }; /* so often a worker looks in vain before a scheduler is suspected */

/* No worker sleeps. */
static cilk_closure *idle_turns(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  unsigned in_vain = 0;
  cilk_idle_begin(w);
  cilk_search_begin(w);
  while (!cilk_reached(flag, value) && !cilk_seat_called_away(w) && !(c = cilk_look(w))) {
    if (ctx->lazy) cilk_hunger_arm(w);
    cilk_stuck(w, flag, value);
    if (++in_vain % IDLE_TURNS == 0) cilk_custody_look(w, flag, value);
    if (cilk_seat_pass(w)) break;
    w->ext->nest.passed = 0;
    cilk_turn_offer(w, CILK_TURN_WAIT);
  }
  cilk_search_end(w, c != NULL);
  cilk_idle_end(w, c != NULL);
  return c;
}

/* ---- with an order of steps ---- */

void cilk_turn_waits(cilk_worker *w, bool waits) {
  cilk_chooser *c = &w->ext->ctx->turns->chooser;
  c->waiting = waits ? c->waiting | (uint64_t)1 << w->id : c->waiting & ~((uint64_t)1 << w->id);
}

void cilk_turn_wait_for(cilk_worker *w, int worker) {
  w->ext->ctx->turns->chooser.needed = worker;
  cilk_turn_offer(w, CILK_TURN_WAIT);
  w->ext->ctx->turns->chooser.needed = -1;
}

int cilk_turn_victim(cilk_worker *w) {
  const cilk_chooser *c = &w->ext->ctx->turns->chooser;
  return c->listed ? c->from : -1;
}

int cilk_turn_releases(const cilk_worker *w) {
  const cilk_chooser *c = &w->ext->ctx->turns->chooser;
  return c->listed ? c->releases : -1;
}

/* An entry of the log by itself: the turn would pass to that worker, and back. */
static void log_entry(cilk_turns *t, int worker) {
  if (cilk_points_kept()) cilk_points_switch(t->points, worker);
  t->chooser.from = t->last = worker;
}

void cilk_turn_takes(cilk_worker *w, int victim) {
  cilk_turns *t = w->ext->ctx->turns;
  if (t->chooser.from != victim) log_entry(t, victim);
}

void cilk_turn_released(cilk_worker *w) {
  cilk_turns *t = w->ext->ctx->turns;
  bool mine = t->last == w->id;
  int from = t->chooser.from;
  log_entry(t, w->id);
  if (mine) t->chooser.from = from;
  else log_entry(t, w->id);
}

static const cilk_together together = {make, reset, end, enter, leave, wait_for_all};

const cilk_policy cilk_policy_turns = {.name = "turns",
    .idle = idle_turns,
    .asked = cilk_ask_scheduler,
    .choose = cilk_choose_at_random,
    .every = true,
    .turn = cilk_turn_offer,
    .together = &together};
