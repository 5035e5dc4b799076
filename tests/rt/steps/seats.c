/* Nested schedulers: a worker falls asleep in a seat, and something comes up inside at that moment. A fiber that is
 * ready in a nest while all its seats sleep would never be run. Worker 1 sits in the nest and looks a last time. */
#include "seats.h"
#include "rt/extensions/calls/start.h"
#include "rt/extensions/nest/seats.h"
#include "rt/extensions/nest/ticker.h"

static void one_seat(void) { nest_of(1); }
static void p_becomes_ready(void) { meanwhile(other_worker = 0, ready_order, p, NULL, CILK_WHY_ORPHANED); }

static void found_or_awake(void) {
  EXPECT((frame *)first_result == p || !asleep(0));
  /* a fiber of the outer team, that is */
  EXPECT((frame *)first_result == p || state((frame *)n->seats[0].closure) == CILK_READY);
  EXPECT(!ctx.seats_lock && !ctx.orphan_lock);
}
SCENARIO(a_fiber_becomes_ready_when_the_last_seat_falls_asleep) { sweep(1, one_seat, p_becomes_ready, found_or_awake); }

/* ---- a scheduler that has what is ready in `next` alone ---- */

static void own_scheduler(void) {
  nest_of(2);
  kept = NULL;
  n->team.sched = &own;
}
static void taken_or_awake(void) { EXPECT((frame *)first_result == p || (kept == &p->h && !asleep(0))); }
SCENARIO(a_fiber_becomes_ready_before_the_last_look_from_a_seat) {
  sweep(1, own_scheduler, p_becomes_ready, taken_or_awake);
}

/* ---- sent to a seat ---- */

static void two_seats(void) { nest_of(2); }
static long post_order(void *f, void *b, long seat) {
  (void)b;
  Cilk_post(cilk_me(), (int)seat, f);
  return 0;
}
static void p_is_sent(void) { meanwhile(other_worker = 0, post_order, p, NULL, 0); }
static void received_or_awake(void) {
  EXPECT((frame *)first_result == p || (n->seats[0].inbox == &p->h && !asleep(0)) || p->h.next || !asleep(0));
}
SCENARIO(a_fiber_is_sent_to_a_seat_that_falls_asleep) { sweep(1, two_seats, p_is_sent, received_or_awake); }

/* ---- the end ---- */

static long over_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  cilk_nest_over(n);
  return 0;
}
static void all_is_over(void) { meanwhile(other_worker = 0, over_order, NULL, NULL, 0); }
/* The seat is retired: by the worker that slept, that ended it, or that takes it from the outer scheduler. */
static void no_seat_is_left(void) {
  EXPECT(!ctx.team.first && !first_result);
  if (ctx.nests) {
    EXPECT(ctx.orphans == n->seats[0].closure);
    on(2, sit_order, &n->seats[0], NULL, 0);
    cilk_worker_ext *x = actors[2].x;
    EXPECT(x->nest.seat == &n->seats[0]);
    actors[2].x->nest.seat = NULL;
    x->team = &ctx.team;
    cilk_seat_retire(&n->seats[0]);
  }
  EXPECT(ctx.nests == 0 && group.alive == 9);
}
SCENARIO(a_computation_ends_when_a_seat_falls_asleep) { sweep(1, one_seat, all_is_over, no_seat_is_left); }

/* ---- from outside ---- */

static char *grave;
static size_t nest_bytes;

/* Worker 1 runs what has become ready. It was the last piece: the computation ends, the seat is retired. If the nest is
 * gone by now its memory is somebody else's at once. */
static long last_piece_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  if (n->orphans != &p->h) return 0;
  n->orphans = NULL;
  cilk_nest_over(n);
  cilk_seat_leave_all(cilk_me(), NULL);
  if (!ctx.nests && (grave = malloc(nest_bytes))) memset(grave, 0x5a, nest_bytes);
  return 0;
}
static void from_outside(void) {
  nest_of(1);
  grave = NULL;
  nest_bytes = sizeof *n + sizeof *n->seats;
  first(ready_order, p, NULL, CILK_WHY_ORPHANED); /* worker 2 has filled a future for which it waited */
}
static void it_is_run_at_once(void) { meanwhile(other_worker = 1, last_piece_order, NULL, NULL, 0); }
static void it_is_untouched(void) {
  for (size_t i = 0; grave && i < nest_bytes; i++) EXPECT(grave[i] == 0x5a);
  EXPECT(group.alive == 9 || n->orphans == &p->h);
  EXPECT(!ctx.seats_lock && !ctx.orphan_lock);
}
SCENARIO(a_computation_ends_while_an_outsider_readies_its_last_fiber) {
  sweep(2, from_outside, it_is_run_at_once, it_is_untouched);
}

/* ---- how many ---- */

static uint32_t asleep_in(const cilk_nest *nest) {
  uint32_t k = 0;
  for (const cilk_seat *s = nest->asleep; s; s = s->next) k++;
  return k;
}

SCENARIO(a_computation_gets_no_more_workers_than_there_are) {
  static const int asked[] = {-1, 0, 1, WORKERS, WORKERS + 1, 1000};
  for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
    ctx.nests = 0;
    ctx.team.first = ctx.team.last = NULL;
    memset(&group, 0, sizeof group);
    computation.group = &group;
    computation.run.ctx = &ctx;
    n = cilk_nest_new(&computation, &ctx.team, "steal", asked[i], workers[0], NULL);
    cilk_nest_open(n);
    EXPECT(n->team.vprocs == (asked[i] == 1 ? 1 : WORKERS) && n->left == (uint32_t)n->team.vprocs &&
           asleep_in(n) == n->left - 1);
  }
}

/* nest_of takes seat 1, before which two others sleep. */
SCENARIO(a_seat_is_taken_from_among_those_that_sleep) {
  nest_of(WORKERS);
  EXPECT(!asleep(1) && asleep(2) && asleep(3) && asleep_in(n) == 2);
}

/* ---- thieves ---- */

/* Worker 0 runs a piece of the nest, worker 1 is none of its team: it gets neither the frame nor what is ready below
 * it. */
SCENARIO(a_thief_of_another_team_gets_nothing) {
  static cilk_segment s;
  nest_of(2);
  cilk_closure *batch[1] = {&p->h};
  cilk_deque_push_ready(workers[0], batch, 1);
  EXPECT(!steal(2, 0) && state(p) == CILK_READY);
  cilk_link *own_link = child_of(full(&computation.run.link, 2, CILK_SUSPENDED), 0, 5);
  own_link->root = &computation.run;
  cilk_segment_begin(workers[0], &s, own_link, NULL);
  frame *a = attached(1), *b = attached(2);
  push(0, a, 1);
  push(0, b, 1);
  EXPECT(steal(1, 0) == p); /* of the team */
  EXPECT(!steal(2, 0) && state(a) == CILK_ATTACHED);
  EXPECT(steal(1, 0) == a);
}

/* ---- what is another team's ---- */

static long next_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  return (long)cilk_next(cilk_me());
}
/* On the deque of worker 2, which is not of its team: it is not run there. */
SCENARIO(a_fiber_of_another_team_goes_to_the_common_pool) {
  nest_of(2);
  cilk_closure *batch[1] = {&p->h};
  cilk_deque_push_ready(workers[2], batch, 1);
  EXPECT(!on(2, next_order, NULL, NULL, 0));
  EXPECT(n->orphans == &p->h && state(p) == CILK_READY);
}
/* Its scheduler is for its own vprocs, and the one of worker 2 knows nothing of it. */
SCENARIO(what_becomes_ready_elsewhere_goes_to_the_common_pool) {
  nest_of(2);
  on(2, ready_order, p, NULL, CILK_WHY_RESUMED);
  EXPECT(n->orphans == &p->h && state(p) == CILK_READY && !actors[2].x->next);
}

static int asked_as;
static void outer_ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  asked_as = Cilk_vproc_id(vp);
  own_ready(self, vp, f, why);
}
static long awake_order(void *seat, void *b, long nothing) {
  (void)b;
  (void)nothing;
  cilk_seat_awake(cilk_me(), seat);
  return 0;
}
/* Worker 1 is vproc 0 of the nest, but vproc 1 of the outer team, whose scheduler gets the other seat. */
SCENARIO(a_scheduler_gets_a_seat_from_a_vproc_of_its_own) {
  static const Cilk_scheduler outer = {.version = CILK_SCHED_VERSION,
      .name = "outer",
      .next = own_next,
      .find = own_find,
      .ready = outer_ready};
  nest_of(2);
  const cilk_team was = ctx.team;
  ctx.team.sched = &outer;
  asked_as = -1;
  on(1, awake_order, &n->seats[1], NULL, 0);
  EXPECT(asked_as == 1 && kept == n->seats[1].closure && actors[1].x->nest.seat == &n->seats[0]);
  ctx.team = was;
}

/* ---- Cilk_with, and an idle worker that looks at sleeping seats ---- */

static long with_order(void *a, void *b, long seats) {
  (void)a;
  (void)b;
  cilk_nested("steal", (int)seats, NULL);
  return 0;
}
static void before_it_begins(void) {
  nest_of(1);
  actors[1].x->nest.seat = NULL;
  actors[1].x->team = &ctx.team;
  ctx.team.first = ctx.team.last = NULL;
  computation.nest = NULL;
  computation.run.team = &ctx.team;
  p = full(&computation.run.link, 0, CILK_READY);
  computation.closure = &p->h;
  actors[0].x->started = &computation;
  first(with_order, NULL, NULL, 2);
}
static cilk_seat *found;
static bool knew;
static long look_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  found = cilk_seat_asleep(cilk_me());
  knew = found && computation.nest == found->nest && computation.run.team == &found->nest->team;
  return 0;
}
static void an_idle_worker_looks(void) {
  found = NULL;
  meanwhile(other_worker = 1, look_order, NULL, NULL, 0);
}
static void its_nest_is_known(void) { EXPECT(!found || knew); }
SCENARIO(a_seat_is_found_when_the_computation_knows_its_nest) {
  sweep(0, before_it_begins, an_idle_worker_looks, its_nest_is_known);
}

/* ---- the slices of an outer team ---- */

enum { SLICE = 100 };
static uint64_t now_is;
static uint64_t clock_of_ours(void) { return now_is; }
static uint64_t slice_of_outer(void *self) {
  (void)self;
  return SLICE;
}
static int slices_over;
static Cilk_answer outer_asked(void *self, Cilk_vproc *vp, Cilk_point at, int late) {
  (void)self;
  (void)vp;
  (void)at;
  slices_over += late;
  return CILK_STAY;
}
static long tick_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  return cilk_ask_scheduler(cilk_me(), CILK_POINT_POP, 1);
}
static int over_at(uint64_t time) {
  now_is = time;
  slices_over = 0;
  on(1, tick_order, NULL, NULL, 0);
  return slices_over;
}
/* The ticker ticks for the shortest slice there is. A team that has it goes by the ticks, others go by the clock. */
SCENARIO(an_outer_slice_is_over_at_its_own_time) {
  static const Cilk_scheduler outer = {.version = CILK_SCHED_VERSION,
      .name = "outer",
      .next = own_next,
      .find = own_find,
      .ready = own_ready,
      .asked = outer_asked,
      .slice = slice_of_outer};
  static char turns;
  nest_of(2);
  const cilk_team was = ctx.team;
  ctx.team.sched = &outer;
  at_clock = clock_of_ours;
  now_is = actors[1].x->nest.since = 1000;
  ctx.turns = (cilk_turns *)(void *)&turns; /* no thread watches the time */
  cilk_ticker_begin(&ctx);
  ctx.turns = NULL;
  EXPECT(cilk_ticker_slice(&ctx) == SLICE && over_at(1000) == 1 && over_at(1001) == 1);
  ctx.turns = (cilk_turns *)(void *)&turns;
  cilk_ticker_nest(&ctx, SLICE / 4, 1);
  ctx.turns = NULL;
  EXPECT(cilk_ticker_slice(&ctx) == SLICE / 4 && !over_at(1000 + SLICE - 1) && over_at(1000 + SLICE) == 1);
  EXPECT(!over_at(1000 + 2 * SLICE - 1) && over_at(1000 + 2 * SLICE) == 1);
  cilk_ticker_end(&ctx);
  at_clock = NULL;
  ctx.team = was;
}
