/* turn.c - replay: --sched=replay:SEED[:P], --sched=pct:SEED[:P[:DEPTH[:STEPS]]] and --sched=turns:P[:LIST].
 *
 * The workers are threads as ever, but exactly one of them runs: who has the *turn*. At scheduling points (cilk_point;
 * every pop and every test of generated code is one, and so are waits and steps of the protocols) the turn may go to
 * another one, as a generator with a seed says. Between two points a worker runs alone, so all that happens is a
 * function of the seed: who steals what from whom, the order of deliveries, what the clock shows (it counts how often
 * it is read). What comes from outside is not governed: input, the time of day, threads of the program's own,
 * addresses.
 *
 * --sched=turns:P:POINT=WORKER,... lists the points (points.h) at which the turn passes, each with its worker.
 * Otherwise a worker goes on until it waits; then the next one has the turn. So an empty list is the order of one
 * worker. What only reads and waits for another worker in a loop of its own passes the turn after a while.
 * `cilkc explore` makes such lists, and the file of a run under the other two says which list it was.
 *
 * Two ways to choose by a seed. `replay` passes the turn on at random. `pct` is probabilistic concurrency testing
 * (Burckhardt and others, ASPLOS 2010): workers have random priorities, the highest runs, and at DEPTH-1 random steps
 * among the first STEPS the running one falls behind all others: a bug that DEPTH ordered steps make is found with a
 * probability of at least 1/(P * STEPS^(DEPTH-1)) in each run. A worker that waits lets others go on until something
 * has happened. Behind the first STEPS the turn passes at random: a program that needs another worker to end does,
 * unless something is wrong.
 *
 * In the debug build each access to what workers share is a point, too, whatever locks are held: who waits for one
 * gives the turn away. So errors that lie between two accesses of one function are found.
 *
 * Who has the turn hands it over by a store to the other one's word and waits for its own, so all accesses of different
 * workers are ordered by it: in a replay no other atomic orders anything. */
#define _GNU_SOURCE
#include "replay/turn.h"
#include "base/fault.h"
#include "fibers/fiber.h"
#include "observe/rendezvous.h"
#include "replay/points.h"
#include "steal/lazy.h"
#include "steal/sleep.h"
#include "steal/stats.h"
#include "replay/stuck.h"
#include "nest/ticker.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t one_of[] = {        /* replay: of so many points one passes the turn */
  [CILK_TURN_POP] = 4,
  [CILK_TURN_TEST] = 4,
  [CILK_TURN_STEP] = 8,
  [CILK_TURN_ACCESS] = 64,
  [CILK_TURN_WAIT] = 1,
  [CILK_TURN_USER] = 8
};

struct cilk_turns {
  uint64_t present;                /* workers in the computation: bits; who has the turn */
  /* pct: those of them that wait, and looked in vain since something happened; who has the turn */
  uint64_t resting;
  uint64_t random, steps;          /* who has the turn */
  int64_t lowest, priority[CILK_MOST_TURNS];   /* pct; who has the turn */
  uint64_t change[CILK_PCT_MOST];     /* pct: at these steps */
  int depth;
  /* pct: the steps that have priorities, of each computation; behind which one they are over */
  uint64_t length, fair;
  bool noted;
  int n;
  cilk_switches *listed;           /* turns; NULL: by a seed */
  cilk_place here, before;         /* of the running worker, at a point; of the last point */
  uint32_t same;                   /* so many points before it were at the same place */
  uint64_t points, quiet;          /* points so far; steps since the last */
  int last;                        /* the worker of the last point; -1: none */
  bool waited;                     /* it waited since */
  uint32_t tries;                  /* turns: looks for work, or for what it waits for, one after the other */
  uint32_t reads;                  /* turns: so many of them since something was written, or a child returned */
  cilk_rendezvous rendezvous;
  struct {
    uint32_t go __attribute__((aligned(64)));
    /* it takes part in a computation; it looks for what it waits for, which is no step; its own */
    bool in, waits;
  } word[CILK_MOST_TURNS];
};

static bool is_numbered(enum cilk_turn at)
{
  return at == CILK_TURN_POP || at == CILK_TURN_TEST || at == CILK_TURN_USER;
}

/* ---- the clock ---- */

static uint64_t now_ns;                   /* moves with the turn; relaxed, as callers read it */

/* 50 ns for each look. Threads that are no workers see it stand still. */
static uint64_t look(const cilk_worker *w)
{
  const cilk_turns *t = w->id < 0 || !w->ext ? NULL : w->ext->ctx->turns;
  if (w->id >= 0 && w->ext && !t)
    return cilk_clock_monotonic();
  if (!t || !t->word[w->id].in)
    return load_relaxed(&now_ns);
  uint64_t now = load_relaxed(&now_ns) + 50;
  store_relaxed(&now_ns, now);
  return now;
}

static uint64_t turn_clock(void)
{
  cilk_hold(1);
  uint64_t now = look(cilk_me());
  cilk_hold(-1);
  return now;
}

/* ---- whose turn ---- */

static uint64_t next_number(cilk_turns *t, uint64_t n)
{
  uint64_t z = t->random += 0x9E3779B97F4A7C15ull;    /* splitmix64 */
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return ((z ^ z >> 31) >> 32) * n >> 32;
}

static int any_present(cilk_turns *t)
{
  uint64_t bits = t->present;
  for (uint64_t k = next_number(t, (uint64_t)__builtin_popcountll(bits)); k; k--)
    bits &= bits - 1;
  return __builtin_ctzll(bits);
}

static int highest(const cilk_turns *t, uint64_t among)
{
  int best = -1;
  for (uint64_t bits = among; bits; bits &= bits - 1) {
    int i = __builtin_ctzll(bits);
    if (best < 0 || t->priority[i] > t->priority[best])
      best = i;
  }
  return best;
}

static bool is_present(const cilk_turns *t, int i) { return i >= 0 && t->present >> i & 1; }

/* turns: it waits, or pretends to. The next one that has not looked in vain; if all have, each in its turn. */
static int next_one(cilk_turns *t, int me)
{
  t->resting |= (uint64_t)1 << me;
  if (!(t->present & ~t->resting))
    t->resting = t->present & (t->present - 1) ? (uint64_t)1 << me : 0;
  uint64_t others = t->present & ~t->resting, above = others & ~(((uint64_t)2 << me) - 1);
  return others ? __builtin_ctzll(above ? above : others) : me;
}

static int by_list(cilk_turns *t, int me, enum cilk_turn at)
{
  /* thieves choose their victims at random: a few tries, so that it finds what is there */
  if (at == CILK_TURN_WAIT) {
    if (++t->tries < CILK_TURN_TRIES && !(t->resting >> me & 1))
      return me;
    t->tries = 0;
    return next_one(t, me);
  }
  if (!is_numbered(at))
    return me;
  t->resting = 0;
  t->tries = 0;
  int to = cilk_switches_at(t->listed, t->points), kind = t->here.kind;
  t->reads = kind == CILK_PLACE_READ || kind == CILK_PLACE_ATOMIC || kind == CILK_PLACE_CALL || kind == CILK_PLACE_YIELD
      ? t->reads + 1
      : 0;
  if (is_present(t, to))
    return to;
  if (t->reads < CILK_TURN_READS)
    return me;
  t->reads = 0;
  return next_one(t, me);
}

/* A point has been reached, or nothing happens but waiting. */
static void count_point(cilk_turns *t, cilk_worker *w, enum cilk_turn at)
{
  t->quiet++;
  if (at == CILK_TURN_WAIT)
    t->waited = true;
  if (is_numbered(at)) {
    if (cilk_points_kept()) {
      if (t->last >= 0 && t->last != w->id && !t->waited)
        cilk_points_switch(t->points, w->id);
      cilk_points_count(t->points + 1);
    }
    t->points++;
    t->quiet = 0;
    t->same = t->here.site && t->here.site == t->before.site && t->here.memory && t->here.memory == t->before.memory
        ? t->same + 1
        : 0;
    t->before = t->here;
    t->last = w->id;
    t->waited = false;
    if (cilk_points_kept())
      cilk_points_at(w, t->points, &t->here);
  }
  if (!t->listed && !cilk_points_kept())
    return;
  if (t->points > cilk_points_limit())
    cilk_points_end("limit", "the program has not ended after the number of points that CILK_EXPLORE_LIMIT allows");
  if ((t->quiet > CILK_TURN_QUIET || t->same > CILK_TURN_SAME) && !cilk_ticker_waits(w->ext->ctx))
    cilk_points_end(
        "stuck", "no worker can go on: each waits for another one, in a loop or for a lock that is never given back");
}

/* After this step of worker `me`. */
static int whose(cilk_turns *t, int me, enum cilk_turn at)
{
  t->steps++;
  if (t->listed)
    return by_list(t, me, at);
  if (!t->depth || t->steps > t->fair)
    return next_number(t, one_of[at]) == 0 ? any_present(t) : me;
  bool falls = false;
  for (int i = 0; i < t->depth - 1; i++)
    falls |= t->change[i] == t->steps;
  if (falls)
    t->priority[me] = --t->lowest;
  if (at == CILK_TURN_WAIT)
    t->resting |= (uint64_t)1 << me;
  else if (falls || at != CILK_TURN_ACCESS)
    t->resting = 0;                       /* something happened: who waits looks again, in the order of priorities */
  if (!(t->present & ~t->resting))        /* all wait, for the clock or for each other: each in its turn */
    t->resting = t->present & (t->present - 1) ? (uint64_t)1 << me : 0;
  return highest(t, t->present & ~t->resting);
}

static void give(cilk_turns *t, int to)
{
  store_release(&t->word[to].go, 1u);     /* pairs with await; orders all that was done before */
  syscall(SYS_futex, &t->word[to].go, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* For tests and reports a note if nothing moves: the one that runs may wait for another worker in its own way. */
static void await(cilk_turns *t, int me)
{
  uint64_t seen = load_relaxed(&t->steps);
  while (!load_acquire(&t->word[me].go)) {
    struct timespec patience = { CILK_TURN_PATIENCE_S, 0 };
    syscall(SYS_futex, &t->word[me].go, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0);
    uint64_t steps = load_relaxed(&t->steps);
    if (steps != seen)
      seen = steps;
    else if (!load_acquire(&t->word[me].go) && !__atomic_exchange_n(&t->noted, true, __ATOMIC_RELAXED))
      fprintf(stderr,
          "replay: no pop, test or wait of the runtime's for some %d s: does the program wait for another worker by itself?\n",
          CILK_TURN_PATIENCE_S);
  }
  store_relaxed(&t->word[me].go, 0u);
}

/* What is done here passes no points itself. */
static void pass(cilk_worker *w, cilk_turns *t, enum cilk_turn at)
{
  cilk_hold(1);
  count_point(t, w, at);
  int to = whose(t, w->id, at);
  if (to != w->id) {
    give(t, to);
    await(t, w->id);
  }
  cilk_hold(-1);
}

static void turn(cilk_worker *w, enum cilk_turn at)
{
  cilk_turns *t = w->ext->ctx->turns;
  if (!t->word[w->id].in) {
    sched_yield();
    return;
  }
  if (at != CILK_TURN_STEP) {             /* no lock is held: what a deadline does takes some */
    cilk_hold(1);
    cilk_ticker_look(w, cilk_now_ns());
    cilk_hold(-1);
  }
  t->word[w->id].waits = at == CILK_TURN_WAIT;
  if (at != CILK_TURN_USER)
    t->here = (cilk_place){ -1, NULL, NULL };
  pass(w, t, at);
}

void cilk_turn_point(cilk_worker *w, const cilk_place *place)
{
  cilk_turns *t = w->ext->ctx->turns;
  if (!t->word[w->id].in)
    return;
  t->here = *place;
  turn(w, CILK_TURN_USER);
}

#ifdef CILK_DEBUG
static void turn_at_access(void)
{
  cilk_worker *w = cilk_me();
  if (cilk_held)
    return;
  if (cilk_fault_on)
    cilk_fault_happen();
  cilk_turns *t = w->id >= 0 && w->ext ? w->ext->ctx->turns : NULL;
  if (t && t->word[w->id].in && !t->word[w->id].waits)
    pass(w, t, CILK_TURN_ACCESS);
}
#endif

/* A lock of the runtime, or of the program, is taken by a worker that does not have the turn. */
static void wait_for_lock(void)
{
  cilk_worker *w = cilk_me();
  cilk_turns *t = w->id >= 0 && w->ext ? w->ext->ctx->turns : NULL;
  if (t && t->word[w->id].in)
    pass(w, t, CILK_TURN_WAIT);
  else
    sched_yield();                        /* of another context */
}

/* ---- computations ---- */

static void shuffle(cilk_turns *t)
{
  for (int i = 0; i < t->n; i++)
    t->priority[i] = i;
  for (int i = t->n - 1; i > 0; i--) {
    int j = (int)next_number(t, (uint64_t)i + 1);
    int64_t p = t->priority[i];
    t->priority[i] = t->priority[j];
    t->priority[j] = p;
  }
  t->lowest = 0;
  t->resting = 0;
  t->fair = t->steps + t->length;
  for (int i = 0; i < t->depth - 1; i++)
    t->change[i] = t->steps + 1 + next_number(t, t->length);
}

static void begin(void *turns)
{
  cilk_turns *t = turns;
  t->present = t->n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << t->n) - 1;
  shuffle(t);
  t->last = -1;
  give(t, t->listed ? 0 : t->depth ? highest(t, t->present) : any_present(t));
}

void cilk_turn_enter(cilk_worker *w)
{
  cilk_turns *t = w->ext->ctx->turns;
  if (!t)
    return;
  cilk_rendezvous_in(&t->rendezvous, begin, t);
  await(t, w->id);
  t->word[w->id].in = true;
  w->ext->calm = CILK_FLAG_CALM;          /* each test is a scheduling point; a flag that is up stays so */
  __atomic_fetch_or(&w->release, (uint32_t)CILK_FLAG_CALM, __ATOMIC_RELAXED);
}

void cilk_turn_leave(cilk_worker *w)
{
  cilk_turns *t = w->ext->ctx->turns;
  if (!t)
    return;
  t->word[w->id].in = t->word[w->id].waits = false;
  t->present &= ~((uint64_t)1 << w->id);
  if (t->present)
    give(t, t->listed ? next_one(t, w->id) : t->depth ? highest(t, t->present) : any_present(t));
  /* None goes on alone before all have left: those that look for work for the last time would see whether it sleeps. */
  cilk_rendezvous_out(&t->rendezvous);
}

void cilk_turns_wait(cilk_context *ctx)
{
  if (ctx->turns)
    cilk_rendezvous_wait(&ctx->turns->rendezvous);
}

void cilk_turns_begin(cilk_context *ctx)
{
  const cilk_replay *r = &ctx->opt.replay;
  void *p = NULL;
  if (posix_memalign(&p, 64, sizeof(cilk_turns)) != 0)
    cilk_fatal("out of memory");
  cilk_turns *t = ctx->turns = memset(p, 0, sizeof(cilk_turns));
  t->n = ctx->nproc;
  t->random = r->seed;
  t->depth = r->depth;
  t->length = r->steps;
  t->listed = r->list ? cilk_switches_read(r->list, t->n) : NULL;
  t->last = -1;
  cilk_points_begin(ctx);
  cilk_turns_reset(ctx);
  ctx->nodes = 0;                         /* nothing that differs between machines, or times */
  ctx->processors = (uint32_t)ctx->nproc;
  cilk_clock = turn_clock;
#ifdef CILK_DEBUG
  cilk_at_access = turn_at_access;
#endif
  cilk_spin_turn = wait_for_lock;
  cilk_repeat_on_signals();
}

void cilk_turns_reset(cilk_context *ctx)
{
  cilk_turns *t = ctx->turns;
  if (!t)
    return;
  t->present = 0;
  memset(t->word, 0, sizeof t->word);
  cilk_rendezvous_init(&t->rendezvous, t->n);
}

void cilk_turns_end(cilk_context *ctx)
{
  free(ctx->turns);
  ctx->turns = NULL;
}

/* ---- the policy ---- */

/* Nobody sleeps. */
static cilk_closure *idle_turns(cilk_worker *w, const uint32_t *flag, uint32_t value)
{
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  cilk_idle_begin(w);
  cilk_search_begin(w);
  while (!cilk_reached(flag, value) && !cilk_seat_called_away(w) && !(c = cilk_look(w))) {
    if (ctx->lazy)
      cilk_hunger_arm(w);
    cilk_stuck(w, flag, value);
    if (cilk_seat_pass(w))
      break;
    w->ext->nest.passed = 0;
    turn(w, CILK_TURN_WAIT);
  }
  cilk_search_end(w, c != NULL);
  cilk_idle_end(w, c != NULL);
  return c;
}

const cilk_policy cilk_policy_turns = { .name = "turns",
  .idle = idle_turns,
  .asked = cilk_ask_scheduler,
  .choose = cilk_choose_at_random,
  .every = true,
  .turn = turn };
