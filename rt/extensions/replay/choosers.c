/* choosers.c - by chance, by priorities, by a list, as recorded.
 *
 * By chance (--sched=replay): a worker passes the turn on at one of so many points, to any worker.
 *
 * By priorities (--sched=pct), probabilistic concurrency testing (Burckhardt and others, ASPLOS 2010): workers have
 * random priorities, and the highest runs. At DEPTH-1 random steps among the first STEPS the running worker falls below
 * all others. So a bug that DEPTH ordered steps make is found with a probability of at least 1/(P * STEPS^(DEPTH-1)) in
 * each run. A worker that waits lets others go on until something has happened. After the first STEPS the turn passes
 * by chance: a program that needs another worker to end does, unless something is wrong.
 *
 * By a list (--sched=turns): a worker goes on until it waits, or until a point that is listed; then the next one has
 * the turn. A worker that waits for another one in a loop of its own (progress.h) passes the turn after a while. If a
 * run takes much longer than it should (points.h), no worker goes on for long, so a loop that waits and counts ends.
 *
 * Where steps have an order, an entry of a list says two more things. A worker that looks for work looks first at the
 * worker that had the turn before: `5=2,5=1` passes the turn to worker 2 and at once to worker 1. A worker to which the
 * turn passes from itself releases, if it is at a test.
 *
 * As recorded (--sched=turns:P with --sched=replay:FILE): the worker whose step is the next in the record goes on until
 * it has made the step. If the step needs another worker to have got so far, this other worker goes on until it has. So
 * no worker runs ahead of the record, and the log is a list of the same steps. */
#include "replay/choosers.h"

struct cilk_choosing {
  int (*first)(cilk_chooser *c);
  int (*after)(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, const cilk_place *here);
  int (*when_left)(cilk_chooser *c, int me);
};

/* ---- by chance ---- */

static const uint64_t one_of[] = {        /* of so many points one passes the turn */
    [CILK_TURN_POP] = 4,
    [CILK_TURN_TOUCH] = 4,
    [CILK_TURN_TEST] = 4,
    [CILK_TURN_STEP] = 8,
    [CILK_TURN_ACCESS] = 64,
    [CILK_TURN_WAIT] = 1,
    [CILK_TURN_USER] = 8,
    [CILK_TURN_ORDERED] = 2};

static uint64_t next_number(cilk_chooser *c, uint64_t n) {
  uint64_t z = c->random += 0x9E3779B97F4A7C15ull;    /* splitmix64 */
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return ((z ^ z >> 31) >> 32) * n >> 32;
}

static int any_present(cilk_chooser *c) {
  uint64_t bits = c->present;
  for (uint64_t k = next_number(c, (uint64_t)__builtin_popcountll(bits)); k; k--) bits &= bits - 1;
  return __builtin_ctzll(bits);
}

static int after_by_chance(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, const cilk_place *here) {
  (void)point;
  (void)here;
  return next_number(c, one_of[at]) == 0 ? any_present(c) : me;
}

static int any_but(cilk_chooser *c, int me) {
  (void)me;
  return any_present(c);
}

static const struct cilk_choosing by_chance = {any_present, after_by_chance, any_but};

/* ---- by priorities ---- */

static void shuffle(cilk_chooser *c) {
  for (int i = 0; i < c->n; i++) c->priority[i] = i;
  for (int i = c->n - 1; i > 0; i--) {
    int j = (int)next_number(c, (uint64_t)i + 1);
    int64_t p = c->priority[i];
    c->priority[i] = c->priority[j];
    c->priority[j] = p;
  }
  c->lowest = 0;
  c->resting = 0;
  c->fair = c->steps + c->length;
  for (int i = 0; i < c->depth - 1; i++) c->change[i] = c->steps + 1 + next_number(c, c->length);
}

static int highest(const cilk_chooser *c, uint64_t among) {
  int best = -1;
  for (uint64_t bits = among; bits; bits &= bits - 1) {
    int i = __builtin_ctzll(bits);
    if (best < 0 || c->priority[i] > c->priority[best]) best = i;
  }
  return best;
}

static int first_by_priority(cilk_chooser *c) { return highest(c, c->present); }

/* All wait, for the clock or for each other: each has its turn. */
static void rouse(cilk_chooser *c, int me) {
  if (!(c->present & ~c->resting)) c->resting = c->present & (c->present - 1) ? (uint64_t)1 << me : 0;
}

static int after_by_priority(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, const cilk_place *here) {
  if (c->steps > c->fair) return after_by_chance(c, me, at, point, here);
  bool falls = false;
  for (int i = 0; i < c->depth - 1; i++) falls |= c->change[i] == c->steps;
  if (falls) c->priority[me] = --c->lowest;
  if (at == CILK_TURN_WAIT) c->resting |= (uint64_t)1 << me;
  else if (falls || at != CILK_TURN_ACCESS)
    c->resting = 0;                       /* something happened: those that wait look again, by their priorities */
  rouse(c, me);
  return highest(c, c->present & ~c->resting);
}

static int highest_but(cilk_chooser *c, int me) {
  (void)me;
  return highest(c, c->present);
}

static const struct cilk_choosing by_priority = {first_by_priority, after_by_priority, highest_but};

/* ---- by a list ---- */

static bool is_present(const cilk_chooser *c, int i) { return i >= 0 && i < c->n && c->present >> i & 1; }

static int first_by_list(cilk_chooser *c) {
  (void)c;
  return 0;
}

/* It waits, or pretends to. The next one that has not looked in vain; if all have, each in its turn. */
static int next_one(cilk_chooser *c, int me) {
  c->resting |= (uint64_t)1 << me;
  rouse(c, me);
  uint64_t others = c->present & ~c->resting, above = others & ~(((uint64_t)2 << me) - 1);
  return others ? __builtin_ctzll(above ? above : others) : me;
}

static int after_by_list(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, const cilk_place *here) {
  /* thieves choose their victims at random: a few tries, so that it finds what is there */
  if (at == CILK_TURN_WAIT) {
    if (++c->tries < CILK_TURN_TRIES && !(c->resting >> me & 1)) return me;
    c->tries = 0;
    return next_one(c, me);
  }
  if (!cilk_is_numbered(at)) return me;
  c->resting = 0;
  c->tries = 0;
  int to = cilk_switches_at(c->listed, point);
  for (int next; to >= 0 && (next = cilk_switches_at(c->listed, point)) >= 0; to = next) c->before = to;
  c->releases = to == c->before;
  uint32_t without = cilk_progress_at(&c->progress, at, here, point > cilk_points_limit() / CILK_TURN_FAIR);
  if (!is_present(c, to)) {
    if (without < CILK_TURN_IN_VAIN) return me;
    to = next_one(c, me);
  }
  cilk_progress_reset(&c->progress);
  return to;
}

static const struct cilk_choosing by_list = {first_by_list, after_by_list, next_one};

/* ---- as recorded ---- */

/* Another one that is in user code goes on for one point: each in its turn. */
static int other_user(cilk_chooser *c, int me) {
  uint64_t others = c->present & ~c->waiting & ~((uint64_t)1 << me);
  if (!(others & ~c->resting)) c->resting = 0;
  others &= ~c->resting;
  return others ? __builtin_ctzll(others) : me;
}

static int after_recorded(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, const cilk_place *here) {
  (void)point;
  bool spins = cilk_is_numbered(at) && cilk_progress_at(&c->progress, at, here, false) >= CILK_TURN_SPINS;
  if (me != *c->recorded) c->resting |= (uint64_t)1 << me;
  if (at == CILK_TURN_WAIT) return is_present(c, c->needed) ? c->needed : next_one(c, me);
  if (spins) {
    cilk_progress_reset(&c->progress);
    return other_user(c, me);
  }
  return is_present(c, *c->recorded) ? *c->recorded : at == CILK_TURN_ORDERED ? next_one(c, me) : me;
}

static const struct cilk_choosing as_recorded = {first_by_list, after_recorded, next_one};

/* ---- all ---- */

void cilk_chooser_init(cilk_chooser *c, const cilk_replay *r, int workers) {
  c->n = workers;
  c->random = r->seed;
  c->depth = r->depth;
  c->length = r->steps;
  c->listed = r->list ? cilk_switches_read(r->list, workers) : NULL;
  c->by = r->list ? &by_list : r->depth ? &by_priority : &by_chance;
}

void cilk_chooser_of_record(cilk_chooser *c, const int *next, int workers) {
  c->n = workers;
  c->recorded = next;
  c->needed = -1;
  c->by = &as_recorded;
}

int cilk_chooser_begin(cilk_chooser *c) {
  c->present = c->n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << c->n) - 1;
  shuffle(c);                             /* all seeds have always begun with it */
  return c->by->first(c);
}

int cilk_chooser_after(cilk_chooser *c, int me, enum cilk_turn at, uint64_t point, const cilk_place *here) {
  __atomic_store_n(&c->steps, c->steps + 1, __ATOMIC_RELAXED);   /* await in controlled_schedule.c reads it */
  c->before = me;
  int to = c->by->after(c, me, at, point, here);
  if (to != me || c->before != me) c->from = c->before;
  if (to != me) cilk_progress_reset(&c->progress);
  return to;
}

int cilk_chooser_leave(cilk_chooser *c, int me) {
  c->present &= ~((uint64_t)1 << me);
  c->from = me;
  return c->present ? c->by->when_left(c, me) : -1;
}
