/* A worker in a seat waits, blocks, rests or searches: of which teams it has arrived then, and what it finds. */
#include "seats.h"

#include <cilk-blocking.h>
#include <sched.h>

/* ---- teams further out than the one that a worker asks ---- */

static int away, away_inside;             /* of the outer team and the nest: how often left, less how often back */
static void outer_leave(void *self, Cilk_vproc *vp) {
  *(int *)self += 1;
  EXPECT(self != &away || Cilk_vproc_id(vp) == worker_of(vp));
}
static void outer_back(void *self, Cilk_vproc *vp) {
  *(int *)self -= 1;
  EXPECT(self != &away || Cilk_vproc_id(vp) == worker_of(vp));
}
static int away_in_the_search, searches;
static Cilk_fiber *searched(void *self, Cilk_vproc *vp) {
  (void)self;
  (void)vp;
  away_in_the_search = away;
  searches++;
  store_seq_cst(&wait_over, 1u);
  return NULL;
}
static const Cilk_scheduler counts = {.version = CILK_SCHED_VERSION,
    .name = "counts",
    .next = own_next,
    .find = searched,
    .ready = own_ready,
    .leave = outer_leave,
    .back = outer_back};
static cilk_team team_was;

static void teams_that_count(void) {
  nest_of(2);
  team_was = ctx.team;
  ctx.team.sched = n->team.sched = &counts;
  ctx.team.self = &away;
  n->team.self = &away_inside;
  away = away_inside = searches = 0;
  wait_over = 0;
  kept = NULL;
}

/* C code in the seat of worker 1 waits: the worker runs nothing of the outer team until it has something again. The
 * nest hears of it by `next` and `find`. */
SCENARIO(a_worker_that_waits_in_a_seat_has_arrived_outside) {
  teams_that_count();
  on(1, schedule_order, &wait_over, NULL, 0);
  EXPECT(searches == 1 && away_in_the_search == 1 && away == 0 && away_inside == -1);
  ctx.team = team_was;
}

static long block_order(void *a, void *b, long ends) {
  (void)a;
  (void)b;
  if (ends) Cilk_blocking_end();
  else Cilk_blocking_begin();
  return 0;
}
/* A system call keeps it from both teams. */
SCENARIO(a_worker_that_blocks_in_a_seat_has_arrived_everywhere) {
  teams_that_count();
  ctx.spares = 1;
  ctx.blocked = 0;
  on(1, block_order, NULL, NULL, 0);
  EXPECT(away == 1 && away_inside == 1);
  on(1, block_order, NULL, NULL, 1);
  EXPECT(away == 0 && away_inside == 0);
  ctx.team = team_was;
}

static long sit_in_order(void *seat, void *b, long nothing) {
  cilk_worker_ext *x = cilk_me()->ext;
  sit_order(seat, b, 1);
  x->nest.floor = x->nest.seat;           /* C code waits there */
  return nothing;
}
static long rest_order(void *flag, void *b, long nothing) {
  (void)b;
  cilk_rest(cilk_me(), flag, 1);
  return nothing;
}
static long wake_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  cilk_unpark(workers[3]);
  return nothing;
}
/* Worker 3, a spare, rests in such a wait. */
SCENARIO(a_spare_that_rests_in_a_seat_has_arrived_everywhere) {
  teams_that_count();
  n = cilk_nest_new(&computation, &ctx.team, "steal", 2, workers[0], NULL);
  cilk_nest_open(n);
  n->team.sched = &counts;
  n->team.self = &away_inside;
  on(3, sit_in_order, &n->seats[1], NULL, 0);
  ctx.spares = 1;
  ctx.blocked = 0;
  meanwhile(3, rest_order, &wait_over, NULL, 0);
  EXPECT(actors[3].sleeps_on && away == 1 && away_inside == 1);
  store_seq_cst(&wait_over, 1u);
  on(0, wake_order, NULL, NULL, 0);
  finish_or_fail(3);
  EXPECT(away == 0);
  ctx.team = team_was;
}

/* ---- a worker that searches tries a seat, and another one looks for circles ---- */

static long try_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  return (long)cilk_seat_try(cilk_me());
}
static int stops;                         /* all stopped */
static bool in_a_seat;                    /* ... while worker 2 was in a seat */
static long stop_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  if (cilk_freeze(cilk_me())) {
    stops++;
    in_a_seat |= actors[2].x->team != &ctx.team;
    cilk_thaw(cilk_me());
  }
  return nothing;
}
static void all_search(void) {
  nest_of(3);
  stage_busy(0);
  p->h.state = CILK_SUSPENDED;            /* nothing is found in the seat, which sleeps again */
  first(try_order, NULL, NULL, 0);
}
static void another_looks(void) { meanwhile(other_worker = 3, stop_order, NULL, NULL, 0); }
static void not_in_a_seat(void) { EXPECT(!in_a_seat && !ctx.frozen && !ctx.seating && asleep(2)); }
SCENARIO(no_worker_looks_for_circles_while_another_tries_a_seat) {
  stops = 0;
  sweep(2, all_search, another_looks, not_in_a_seat);
  EXPECT(stops > 1);                      /* before it begins, and when it has left */
}

SCENARIO(a_seat_is_tried_when_all_may_go_on) {
  all_search();
  EXPECT(on(3, stop_order, NULL, NULL, 0) == 0 && stops == 1);
  ctx.frozen = 1;
  begin_order(2, try_order, NULL, NULL, 0);
  while (!load_seq_cst(&ctx.seating))     /* it has come as far as that, and does not go on */
    sched_yield();
  for (int i = 0; i < 1000; i++) {
    EXPECT(load_relaxed(&ctx.seating) && actors[2].x->team == &ctx.team);
    sched_yield();
  }
  store_seq_cst(&ctx.frozen, 0u);
  finish_order(2);
  EXPECT(!ctx.seating && asleep(2));
}

/* ---- --force-steal never: worker 0 does all, but what a scheduler has given to another worker ---- */

SCENARIO(a_worker_in_a_seat_finds_what_became_ready_outside) {
  nothing_is_stolen();
  on(3, ready_order, p, NULL, CILK_WHY_RESUMED);
  EXPECT(n->orphans == &p->h && finds(1, p));
}
SCENARIO(a_worker_in_a_seat_finds_what_its_scheduler_has) {
  nothing_is_stolen();
  n->team.sched = &own;
  on(0, ready_order, p, NULL, CILK_WHY_RESUMED);
  EXPECT(kept == &p->h && finds(1, p));
}
SCENARIO(a_worker_that_waits_finds_what_others_gave_up) {
  nothing_is_stolen();
  frame *f = full(&run.link, 0, CILK_READY);
  actors[2].x->wait.root = &run;
  on(3, ready_order, f, NULL, CILK_WHY_ORPHANED);
  EXPECT(ctx.orphans == &f->h && finds(2, f));
}
/* Worker 2 waits for nothing, and may take what worker 0 perhaps may not. Where deques are all there is, it leaves that
 * to worker 0. */
SCENARIO(a_worker_of_a_queue_finds_what_others_gave_up) {
  nothing_is_stolen();
  frame *f = full(&run.link, 0, CILK_READY);
  const cilk_team was = ctx.team;
  ctx.team.sched = &own;
  kept = NULL;
  cilk_orphan_put(&ctx, &f->h);
  EXPECT(finds(2, f));
  ctx.team = was;
  f->h.state = CILK_READY;
  cilk_orphan_put(&ctx, &f->h);
  begin_order(2, idle_order, &wait_over, NULL, 0);
  await_event(2);
  EXPECT(actors[2].sleeps_on && ctx.orphans == &f->h);
}
