/* Nested schedulers: a worker falls asleep in a seat, and something comes up inside at that moment. A fiber that is ready in a
 * nest while all its seats sleep would never be run. Worker 1 sits in the nest and looks a last time; worker 0 is
 * outside, or has the second seat. */
#include "stage.h"
#include "rt/calls/start.h"
#include "rt/nest/seat_stack.h"
#include "rt/nest/ticker.h"

#include <cilk-blocking.h>
#include <sched.h>
#include <sys/mman.h>

static cilk_nest *n;
static cilk_computation computation;      /* of the nest */
static cilk_group group;
static frame *p;                          /* a fiber of it */

static long sit_order(void *seat, void *b, long asleep)
{
  cilk_seat *s = seat;
  (void)b;
  if (asleep)
    cilk_seat_of_nest(n, s);
  s->closure->state = CILK_TAKEN;
  s->closure->worker = cilk_me();
  cilk_seat_sit(cilk_me(), s->closure);
  return 0;
}

/* The scheduler's loop, up to the point where the worker has something or has left. */
static long last_look_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  cilk_closure *c = cilk_next(cilk_me());
  return (long)(c ? c : cilk_seat_look(cilk_me()));
}

static void nest_of(int seats)
{
  memset(&computation, 0, sizeof computation);
  memset(&group, 0, sizeof group);
  group.node.ctx = computation.run.ctx = &ctx;
  group.node.outer = &run;
  group.alive = 9;
  computation.group = &group;
  ctx.nests = 0;
  ctx.team.first = ctx.team.last = NULL;
  ctx.seats_lock = 0;
  stage_busy(2);
  for (int i = 0; i < WORKERS; i++) {
    cilk_worker_ext *x = actors[i].x;
    x->team = &ctx.team;
    x->nest.seat = x->nest.floor = x->nest.leave = NULL;
    x->floor = x->own.deque;
    x->loop = NULL;
    x->closing = false;
    x->inbox = NULL;
  }
  n = cilk_nest_new(&computation, &ctx.team, "steal", seats, workers[0], NULL);
  cilk_nest_open(n);
  computation.run.link.root = &computation.run;
  computation.run.team = &n->team;
  computation.run.outer = &n->node;
  p = full(&computation.run.link, 0, CILK_READY);
  on(1, sit_order, &n->seats[0], NULL, 0);
  if (seats > 1)
    on(0, sit_order, &n->seats[1], NULL, 1);
  first(last_look_order, NULL, NULL, 0);
}

static void one_seat(void) { nest_of(1); }
static uint32_t asleep_in(const cilk_nest *nest)
{
  uint32_t k = 0;
  for (const cilk_seat *s = nest->asleep; s; s = s->next)
    k++;
  return k;
}

static bool asleep(int seat)
{
  for (cilk_seat *s = n->asleep; s; s = s->next)
    if (s == &n->seats[seat])
      return true;
  return false;
}

static long ready_order(void *f, void *b, long why)
{
  (void)b;
  cilk_ready(cilk_me(), f, (Cilk_why)why);
  return 0;
}
static void p_becomes_ready(void) { meanwhile(other_worker = 0, ready_order, p, NULL, CILK_WHY_ORPHANED); }

static void found_or_awake(void)
{
  EXPECT((frame *)first_result == p || !asleep(0));
  /* a fiber of the outer team, that is */
  EXPECT((frame *)first_result == p || state((frame *)n->seats[0].closure) == CILK_READY);
  EXPECT(!ctx.seats_lock && !ctx.orphan_lock);
}
SCENARIO(a_fiber_becomes_ready_when_the_last_seat_falls_asleep) { sweep(1, one_seat, p_becomes_ready, found_or_awake); }

/* ---- a scheduler that has what is ready in `next` alone ---- */

static Cilk_fiber *kept;
static Cilk_fiber *own_next(void *self, Cilk_vproc *vp)
{
  (void)self;
  (void)vp;
  return __atomic_exchange_n(&kept, NULL, __ATOMIC_SEQ_CST);
}
static Cilk_fiber *own_find(void *self, Cilk_vproc *vp)
{
  (void)self;
  (void)vp;
  return NULL;
}
static void own_ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
  (void)self;
  (void)vp;
  (void)why;
  __atomic_store_n(&kept, f, __ATOMIC_SEQ_CST);
}
static const Cilk_scheduler own = {
  .version = CILK_SCHED_VERSION, .name = "own", .next = own_next, .find = own_find, .ready = own_ready
};

static void own_scheduler(void)
{
  nest_of(2);
  kept = NULL;
  n->team.sched = &own;
}
static void taken_or_awake(void) { EXPECT((frame *)first_result == p || (kept == &p->h && !asleep(0))); }
SCENARIO(a_fiber_becomes_ready_before_the_last_look_from_a_seat)
{
  sweep(1, own_scheduler, p_becomes_ready, taken_or_awake);
}

/* ---- sent to a seat ---- */

static void two_seats(void) { nest_of(2); }
static long post_order(void *f, void *b, long seat)
{
  (void)b;
  Cilk_post(cilk_me(), (int)seat, f);
  return 0;
}
static void p_is_sent(void) { meanwhile(other_worker = 0, post_order, p, NULL, 0); }
static void received_or_awake(void)
{
  EXPECT((frame *)first_result == p || (n->seats[0].inbox == &p->h && !asleep(0)) || p->h.next || !asleep(0));
}
SCENARIO(a_fiber_is_sent_to_a_seat_that_falls_asleep) { sweep(1, two_seats, p_is_sent, received_or_awake); }

/* ---- the end ---- */

static long over_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  cilk_nest_over(n);
  return 0;
}
static void all_is_over(void) { meanwhile(other_worker = 0, over_order, NULL, NULL, 0); }
/* The seat is retired: by the worker that slept, that ended it, or that takes it from the outer scheduler. */
static void no_seat_is_left(void)
{
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
static long last_piece_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  if (n->orphans != &p->h)
    return 0;
  n->orphans = NULL;
  cilk_nest_over(n);
  cilk_seat_leave_all(cilk_me(), NULL);
  if (!ctx.nests && (grave = malloc(nest_bytes)))
    memset(grave, 0x5a, nest_bytes);
  return 0;
}
static void from_outside(void)
{
  nest_of(1);
  grave = NULL;
  nest_bytes = sizeof *n + sizeof *n->seats;
  first(ready_order, p, NULL, CILK_WHY_ORPHANED);   /* worker 2 has filled a future for which it waited */
}
static void it_is_run_at_once(void) { meanwhile(other_worker = 1, last_piece_order, NULL, NULL, 0); }
static void it_is_untouched(void)
{
  for (size_t i = 0; grave && i < nest_bytes; i++)
    EXPECT(grave[i] == 0x5a);
  EXPECT(group.alive == 9 || n->orphans == &p->h);
  EXPECT(!ctx.seats_lock && !ctx.orphan_lock);
}
SCENARIO(a_computation_ends_while_an_outsider_readies_its_last_fiber)
{
  sweep(2, from_outside, it_is_run_at_once, it_is_untouched);
}

/* ---- how many ---- */

SCENARIO(a_computation_gets_no_more_workers_than_there_are)
{
  static const int asked[] = { -1, 0, 1, WORKERS, WORKERS + 1, 1000 };
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
SCENARIO(a_seat_is_taken_from_among_those_that_sleep)
{
  nest_of(WORKERS);
  EXPECT(!asleep(1) && asleep(2) && asleep(3) && asleep_in(n) == 2);
}

/* ---- thieves ---- */

/* Worker 0 runs a piece of the nest, worker 1 is none of its team: it gets neither the frame nor what is ready below
 * it. */
SCENARIO(a_thief_of_another_team_gets_nothing)
{
  static cilk_segment s;
  nest_of(2);
  cilk_closure *batch[1] = { &p->h };
  cilk_deque_push_ready(workers[0], batch, 1);
  EXPECT(!steal(2, 0) && state(p) == CILK_READY);
  cilk_link *own_link = child_of(full(&computation.run.link, 2, CILK_SUSPENDED), 0, 5);
  own_link->root = &computation.run;
  cilk_segment_begin(workers[0], &s, own_link, NULL);
  frame *a = attached(1), *b = attached(2);
  push(0, a, 1);
  push(0, b, 1);
  EXPECT(steal(1, 0) == p);               /* of the team */
  EXPECT(!steal(2, 0) && state(a) == CILK_ATTACHED);
  EXPECT(steal(1, 0) == a);
}

/* ---- what is another team's ---- */

static long next_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  return (long)cilk_next(cilk_me());
}
/* On the deque of worker 2, which is not of its team: it is not run there. */
SCENARIO(a_fiber_of_another_team_goes_to_the_common_pool)
{
  nest_of(2);
  cilk_closure *batch[1] = { &p->h };
  cilk_deque_push_ready(workers[2], batch, 1);
  EXPECT(!on(2, next_order, NULL, NULL, 0));
  EXPECT(n->orphans == &p->h && state(p) == CILK_READY);
}
/* Its scheduler is for its own vprocs, and the one of worker 2 knows nothing of it. */
SCENARIO(what_becomes_ready_elsewhere_goes_to_the_common_pool)
{
  nest_of(2);
  on(2, ready_order, p, NULL, CILK_WHY_RESUMED);
  EXPECT(n->orphans == &p->h && state(p) == CILK_READY && !actors[2].x->next);
}

static int asked_as;
static void outer_ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
  asked_as = Cilk_vproc_id(vp);
  own_ready(self, vp, f, why);
}
static long awake_order(void *seat, void *b, long nothing)
{
  (void)b;
  (void)nothing;
  cilk_seat_awake(cilk_me(), seat);
  return 0;
}
/* Worker 1 is vproc 0 of the nest, but vproc 1 of the outer team, whose scheduler gets the other seat. */
SCENARIO(a_scheduler_gets_a_seat_from_a_vproc_of_its_own)
{
  static const Cilk_scheduler outer = {
    .version = CILK_SCHED_VERSION, .name = "outer", .next = own_next, .find = own_find, .ready = outer_ready
  };
  nest_of(2);
  const cilk_team was = ctx.team;
  ctx.team.sched = &outer;
  asked_as = -1;
  on(1, awake_order, &n->seats[1], NULL, 0);
  EXPECT(asked_as == 1 && kept == n->seats[1].closure && actors[1].x->nest.seat == &n->seats[0]);
  ctx.team = was;
}

/* ---- teams further out than the one that a worker asks ---- */

static int away, away_inside;             /* of the outer team and the nest: how often left, less how often back */
static void outer_leave(void *self, Cilk_vproc *vp)
{
  *(int *)self += 1;
  EXPECT(self != &away || Cilk_vproc_id(vp) == worker_of(vp));
}
static void outer_back(void *self, Cilk_vproc *vp)
{
  *(int *)self -= 1;
  EXPECT(self != &away || Cilk_vproc_id(vp) == worker_of(vp));
}
static uint32_t wait_over;
static int away_in_the_search, searches;
static Cilk_fiber *searched(void *self, Cilk_vproc *vp)
{
  (void)self;
  (void)vp;
  away_in_the_search = away;
  searches++;
  store_seq_cst(&wait_over, 1u);
  return NULL;
}
static const Cilk_scheduler counts = { .version = CILK_SCHED_VERSION, .name = "counts", .next = own_next,
  .find = searched, .ready = own_ready, .leave = outer_leave, .back = outer_back };
static cilk_team team_was;

static void teams_that_count(void)
{
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
SCENARIO(a_worker_that_waits_in_a_seat_has_arrived_outside)
{
  teams_that_count();
  on(1, schedule_order, &wait_over, NULL, 0);
  EXPECT(searches == 1 && away_in_the_search == 1 && away == 0 && away_inside == -1);
  ctx.team = team_was;
}

static long block_order(void *a, void *b, long ends)
{
  (void)a;
  (void)b;
  if (ends)
    Cilk_blocking_end();
  else
    Cilk_blocking_begin();
  return 0;
}
/* A system call keeps it from both teams. */
SCENARIO(a_worker_that_blocks_in_a_seat_has_arrived_everywhere)
{
  teams_that_count();
  ctx.spares = 1;
  ctx.blocked = 0;
  on(1, block_order, NULL, NULL, 0);
  EXPECT(away == 1 && away_inside == 1);
  on(1, block_order, NULL, NULL, 1);
  EXPECT(away == 0 && away_inside == 0);
  ctx.team = team_was;
}

static long sit_in_order(void *seat, void *b, long nothing)
{
  cilk_worker_ext *x = cilk_me()->ext;
  sit_order(seat, b, 1);
  x->nest.floor = x->nest.seat;           /* C code waits there */
  return nothing;
}
static long rest_order(void *flag, void *b, long nothing)
{
  (void)b;
  cilk_rest(cilk_me(), flag, 1);
  return nothing;
}
static long wake_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  cilk_unpark(workers[3]);
  return nothing;
}
/* Worker 3, a spare, rests in such a wait. */
SCENARIO(a_spare_that_rests_in_a_seat_has_arrived_everywhere)
{
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

static long try_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  return (long)cilk_seat_try(cilk_me());
}
static int stops;                         /* all stopped */
static bool in_a_seat;                    /* ... while worker 2 was in a seat */
static long stop_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  if (cilk_freeze(cilk_me())) {
    stops++;
    in_a_seat |= actors[2].x->team != &ctx.team;
    cilk_thaw(cilk_me());
  }
  return nothing;
}
static void all_search(void)
{
  nest_of(3);
  stage_busy(0);
  p->h.state = CILK_SUSPENDED;            /* nothing is found in the seat, which sleeps again */
  first(try_order, NULL, NULL, 0);
}
static void another_looks(void) { meanwhile(other_worker = 3, stop_order, NULL, NULL, 0); }
static void not_in_a_seat(void) { EXPECT(!in_a_seat && !ctx.frozen && !ctx.seating && asleep(2)); }
SCENARIO(no_worker_looks_for_circles_while_another_tries_a_seat)
{
  stops = 0;
  sweep(2, all_search, another_looks, not_in_a_seat);
  EXPECT(stops > 1);                      /* before it begins, and when it has left */
}

SCENARIO(a_seat_is_tried_when_all_may_go_on)
{
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

static long idle_order(void *flag, void *b, long nothing)
{
  (void)b;
  (void)nothing;
  return (long)ctx.policy->idle(cilk_me(), flag, 1);
}
static bool finds(int i, const frame *f)
{
  begin_order(i, idle_order, &wait_over, NULL, 0);
  finish_or_fail(i);
  return actors[i].result == (long)f;
}
static void nothing_is_stolen(void)
{
  const cilk_options never = { .nproc = WORKERS, .force = CILK_FORCE_NEVER };
  nest_of(3);
  wait_over = 0;
  ctx.policy = cilk_policy_choose(&never);
}
SCENARIO(a_worker_in_a_seat_finds_what_became_ready_outside)
{
  nothing_is_stolen();
  on(3, ready_order, p, NULL, CILK_WHY_RESUMED);
  EXPECT(n->orphans == &p->h && finds(1, p));
}
SCENARIO(a_worker_in_a_seat_finds_what_its_scheduler_has)
{
  nothing_is_stolen();
  n->team.sched = &own;
  on(0, ready_order, p, NULL, CILK_WHY_RESUMED);
  EXPECT(kept == &p->h && finds(1, p));
}
SCENARIO(a_worker_that_waits_finds_what_others_gave_up)
{
  nothing_is_stolen();
  frame *f = full(&run.link, 0, CILK_READY);
  actors[2].x->wait.root = &run;
  on(3, ready_order, f, NULL, CILK_WHY_ORPHANED);
  EXPECT(ctx.orphans == &f->h && finds(2, f));
}
/* Worker 2 waits for nothing, and may take what worker 0 perhaps may not. Where deques are all there is, it leaves that to
 * worker 0. */
SCENARIO(a_worker_of_a_queue_finds_what_others_gave_up)
{
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

/* ---- Cilk_with, and an idle worker that looks at sleeping seats ---- */

static long with_order(void *a, void *b, long seats)
{
  (void)a;
  (void)b;
  cilk_nested("steal", (int)seats, NULL);
  return 0;
}
static void before_it_begins(void)
{
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
static long look_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  found = cilk_seat_asleep(cilk_me());
  knew = found && computation.nest == found->nest && computation.run.team == &found->nest->team;
  return 0;
}
static void an_idle_worker_looks(void)
{
  found = NULL;
  meanwhile(other_worker = 1, look_order, NULL, NULL, 0);
}
static void its_nest_is_known(void) { EXPECT(!found || knew); }
SCENARIO(a_seat_is_found_when_the_computation_knows_its_nest)
{
  sweep(0, before_it_begins, an_idle_worker_looks, its_nest_is_known);
}

/* ---- the slices of an outer team ---- */

enum { SLICE = 100 };
static uint64_t now_is;
static uint64_t clock_of_ours(void) { return now_is; }
static uint64_t slice_of_outer(void *self)
{
  (void)self;
  return SLICE;
}
static int slices_over;
static Cilk_answer outer_asked(void *self, Cilk_vproc *vp, Cilk_point at, int late)
{
  (void)self;
  (void)vp;
  (void)at;
  slices_over += late;
  return CILK_STAY;
}
static long tick_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  return cilk_ask_scheduler(cilk_me(), CILK_POINT_POP, 1);
}
static int over_at(uint64_t time)
{
  now_is = time;
  slices_over = 0;
  on(1, tick_order, NULL, NULL, 0);
  return slices_over;
}
/* The ticker ticks for the shortest slice there is. A team that has it goes by the ticks, others go by the clock. */
SCENARIO(an_outer_slice_is_over_at_its_own_time)
{
  static const Cilk_scheduler outer = { .version = CILK_SCHED_VERSION, .name = "outer", .next = own_next,
    .find = own_find, .ready = own_ready, .asked = outer_asked, .slice = slice_of_outer };
  static char turns;
  nest_of(2);
  const cilk_team was = ctx.team;
  ctx.team.sched = &outer;
  at_clock = clock_of_ours;
  now_is = actors[1].x->nest.since = 1000;
  ctx.turns = (cilk_turns *)(void *)&turns;   /* no thread watches the time */
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

/* ---- stacks of engines' seats ---- */

static long take_stack_order(void *seat, void *b, long nothing)
{
  (void)b;
  (void)nothing;
  return (long)cilk_seat_stack_take(cilk_me(), seat);
}
static long pause_order(void *seat, void *b, long nothing)
{
  (void)b;
  (void)nothing;
  return cilk_seat_pause(seat);
}
static long due_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  return (long)cilk_seat_due(cilk_me());
}
static long wanted_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  return cilk_seat_wanted(cilk_me());
}

/* Worker 1 is in seat 0, on a stack of its own, and worker 0 in seat 1. The engine is paused. */
static void a_paused_engine(void)
{
  nest_of(2);
  n->engine = cilk_engine_new();
  n->seats[0].stack = (cilk_seat_stack *)on(1, take_stack_order, &n->seats[0], NULL, 0);
}

SCENARIO(a_seat_of_a_paused_engine_sleeps_or_is_set_aside)
{
  cilk_seat *with_stack, *without;
  a_paused_engine();
  with_stack = &n->seats[0];
  without = &n->seats[1];
  EXPECT(on(1, pause_order, with_stack, NULL, 0) && n->aside == with_stack && !with_stack->next && !n->asleep);
  EXPECT(!cilk_seat_of_aside(n) && n->aside == with_stack);   /* not before it has fuel */
  EXPECT(on(0, pause_order, without, NULL, 0) && n->asleep == without && n->aside == with_stack && !n->listed);
  n->engine->paused = 0;
  EXPECT(cilk_seat_of_aside(n) == workers[1] && !n->aside && actors[1].x->nest.due == with_stack);
  EXPECT(!cilk_seat_of_aside(n) && !actors[0].x->nest.due);
  n->asleep = NULL;
  EXPECT(!on(0, pause_order, without, NULL, 0) && !n->asleep && !n->aside && !ctx.seats_lock);
}

/* A seat that is due is entered from its outer team only, and is due once. */
SCENARIO(a_seat_is_due_where_its_worker_may_enter_it)
{
  cilk_seat *deep, *flat;
  a_paused_engine();
  flat = &n->seats[0];
  cilk_worker_ext *x = actors[1].x;
  cilk_nest *inner = cilk_nest_new(&computation, &n->team, "steal", 2, workers[1], NULL);
  deep = &inner->seats[0];
  deep->stack = (cilk_seat_stack *)on(1, take_stack_order, deep, NULL, 0);
  flat->next = deep;                      /* of a list in which it was */
  cilk_seat_owe(deep);
  cilk_seat_owe(flat);
  EXPECT(x->nest.due == deep && deep->next == flat && !flat->next);   /* in the order in which they became due */
  x->team = &ctx.team;
  x->nest.seat = NULL;
  EXPECT((cilk_seat *)on(1, due_order, NULL, NULL, 0) == flat && x->nest.due == deep && !deep->next);
  EXPECT(!on(1, due_order, NULL, NULL, 0) && x->nest.due == deep);
  EXPECT(!on(1, wanted_order, NULL, NULL, 0));
  x->team = &n->team;                     /* in seat 0 of n: from there it may */
  x->nest.seat = flat;
  EXPECT(on(1, wanted_order, NULL, NULL, 0) && !x->nest.leave);
  EXPECT((cilk_seat *)on(1, due_order, NULL, NULL, 0) == deep && !x->nest.due);
  /* seat 1 of n is due: the worker leaves seat 0 for that */
  n->seats[1].stack = (cilk_seat_stack *)on(1, take_stack_order, &n->seats[1], NULL, 0);
  cilk_seat_owe(&n->seats[1]);
  EXPECT(on(1, wanted_order, NULL, NULL, 0) && x->nest.leave == flat && !ctx.seats_lock);
  x->nest.floor = flat;                   /* C code waits in it: it is in the way, until all that is due had a turn in vain */
  flat->stack->ground.team = &ctx.team;
  x->nest.passed = 1;
  EXPECT(cilk_seat_in_the_way(workers[1]) == flat && !ctx.seats_lock);
  x->nest.passed = 2;
  EXPECT(!cilk_seat_in_the_way(workers[1]));
  x->nest.passed = 0;
  flat->stack->ground.team = &n->team;    /* the seat that is due has no place below it either */
  EXPECT(!cilk_seat_in_the_way(workers[1]));
}

/* Without steals, worker 2 is outside, and a seat of a nest in n is due to it. It comes there by the third seat of n. */
static uint64_t looks;
static uint64_t clock_that_ends_a_wait(void)
{
  if (looks++ == 100)
    store_seq_cst(&wait_over, 1u);
  return looks;
}
static cilk_closure *due_to_a_worker_outside(void)
{
  nothing_is_stolen();
  cilk_seat *deep = &cilk_nest_new(&computation, &n->team, "steal", 1, workers[2], NULL)->seats[0];
  deep->stack = (cilk_seat_stack *)on(2, take_stack_order, deep, NULL, 0);
  cilk_seat_owe(deep);
  EXPECT(actors[2].x->nest.due == deep && asleep(2));
  looks = 0;
  at_clock = clock_that_ends_a_wait;
  return deep->closure;
}
SCENARIO(a_worker_finds_its_way_to_what_is_due_by_a_seat_that_sleeps)
{
  const cilk_closure *deep = due_to_a_worker_outside();
  EXPECT(finds(2, (const frame *)deep) && actors[2].x->nest.seat == &n->seats[2]);
}
SCENARIO(a_worker_finds_its_way_to_what_is_due_by_a_seat_that_was_given_up)
{
  due_to_a_worker_outside();
  cilk_closure *c = cilk_seat_of_nest(n, &n->seats[2])->closure;
  c->state = CILK_READY;
  cilk_orphan_put(&ctx, c);
  EXPECT(finds(2, (frame *)c));
}

static bool mapped(const void *p)
{
  return msync((void *)((uintptr_t)p & ~(uintptr_t)4095), 1, MS_ASYNC) == 0;
}
SCENARIO(a_workers_stacks_are_used_again_and_go_with_it)
{
  nest_of(2);
  cilk_worker_ext *x = actors[0].x;
  cilk_seat_stack *one = (cilk_seat_stack *)on(0, take_stack_order, &n->seats[0], NULL, 0);
  cilk_seat_stack *two = (cilk_seat_stack *)on(0, take_stack_order, &n->seats[1], NULL, 0);
  EXPECT(one != two && x->nest.stacks == two && two->other == one && !one->other);
  one->runs = true;                       /* code is on it: it is dropped again when that is at its end */
  cilk_seat_stack_drop(one);
  EXPECT(!one->seat && !x->nest.free_stacks);
  one->runs = false;
  cilk_seat_stack_drop(one);
  cilk_seat_stack_drop(two);
  EXPECT((cilk_seat_stack *)on(0, take_stack_order, &n->seats[0], NULL, 0) == two && two->seat == &n->seats[0]);
  EXPECT((cilk_seat_stack *)on(0, take_stack_order, &n->seats[0], NULL, 0) == one && !x->nest.free_stacks);
  const void *of[] = { one->memory.deque, one->memory.stack_map, two->memory.deque, two->memory.stack_map };
  for (int i = 0; i < 4; i++)
    EXPECT(mapped(of[i]));
  cilk_seat_stacks_free(x);
  for (int i = 0; i < 4; i++)
    EXPECT(!mapped(of[i]));
  EXPECT(!x->nest.stacks && !x->nest.free_stacks);
}
static long lock_order(void *w, void *b, long take)
{
  (void)b;
  if (take)
    cilk_worker_lock(w);
  else
    cilk_worker_unlock(w);
  return 0;
}
static long exchange_order(void *stack, void *b, long nothing)
{
  (void)b;
  (void)nothing;
  cilk_seat_stack_exchange(stack);
  return 0;
}
static cilk_ground ground_of(int i)
{
  const cilk_worker_ext *x = actors[i].x;
  return (cilk_ground){ x->memory, x->head, workers[i]->tail, x->floor, x->seg, x->loop, x->team, x->nest.seat,
    x->nest.floor, x->wait.called, x->wait.root, x->wait.inlet, x->wait.inlet_above, x->wait.until, x->wait.outside,
    x->nest.stack };
}
static bool same_ground(const cilk_ground *a, const cilk_ground *b)
{
  return memcmp(&a->memory, &b->memory, sizeof a->memory) == 0 && a->head == b->head && a->tail == b->tail &&
      a->floor == b->floor && a->seg == b->seg && a->loop == b->loop && a->team == b->team && a->seat == b->seat &&
      a->seat_floor == b->seat_floor && a->called == b->called && a->waiting == b->waiting && a->inlet == b->inlet &&
      a->inlet_above == b->inlet_above && a->until == b->until && a->outside == b->outside && a->stack == b->stack;
}

/* An inlet of worker 0 has called C, which waits and sits down in an engine: there nothing of that is known. Back on
 * the first stack all is as it was. */
SCENARIO(each_stack_of_a_worker_has_its_own_fields)
{
  static cilk_segment s;
  static cilk_root_run inlets;
  static uint32_t until;
  nest_of(1);
  cilk_worker_ext *x = actors[0].x;
  frame *f = full(&run.link, 0, CILK_RUNNING);
  cilk_segment_begin(workers[0], &s, &run.link, &f->h);
  push(0, attached(1), 1);
  cilk_seat_stack *st = (cilk_seat_stack *)on(0, take_stack_order, &n->seats[0], NULL, 0);
  x->team = &n->team;
  x->loop = &s;
  x->wait.inlet = &inlets;
  x->wait.inlet_above = &s;
  x->wait.called = x->wait.root = &run;
  x->wait.until = &until;
  x->wait.outside = true;
  x->nest.seat = x->nest.floor = &n->seats[0];
  const cilk_ground below = ground_of(0);
  const cilk_ground above = { .memory = st->memory, .head = st->memory.deque, .tail = st->memory.deque,
    .floor = st->memory.deque, .team = &ctx.team, .waiting = &n->node, .until = &cilk_until_below, .stack = st };
  EXPECT(cilk_present_root(x) == &inlets);
  x->requester = workers[2];              /* a thief asks for what will be no longer there */
  on(1, lock_order, workers[0], NULL, 1);   /* another thief looks at the deque */
  meanwhile(0, exchange_order, st, NULL, 0);
  EXPECT(!actors[0].done && x->requester && x->team == &n->team);
  on(1, lock_order, workers[0], NULL, 0);
  finish_order(0);
  EXPECT(!x->requester);
  cilk_ground now = ground_of(0);
  EXPECT(same_ground(&now, &above) && same_ground(&st->ground, &below));
  EXPECT(cilk_present_root(x) == &n->node && signalled(0));
  x->nest.stack = st;
  until = 0;                              /* what the loop below waits for ends the loop above, too */
  EXPECT(!cilk_until_reached(x));
  until = 1;
  EXPECT(cilk_until_reached(x));
  x->signal = 0;
  on(0, exchange_order, st, NULL, 0);
  EXPECT(signalled(0));
  now = ground_of(0);
  EXPECT(same_ground(&now, &below) && same_ground(&st->ground, &above) && cilk_present_root(x) == &inlets);
}

/* Another loop is below now. The loops on these stacks have its floor, up to the first one that C code began, which
 * keeps it for its end. */
SCENARIO(loops_above_another_one_have_its_floor)
{
  static cilk_seat_stack st, top;
  static cilk_seat old_floor, floor;
  cilk_seat *kept = &old_floor, *kept_above = &old_floor;
  top.ground.stack = &st;
  top.first = &kept_above;
  st.first = &kept;
  st.ground.seat_floor = top.ground.seat_floor = &old_floor;
  cilk_seat_stack_rebase(&st, &top, &floor);
  EXPECT(kept == &floor && kept_above == &old_floor && top.ground.seat_floor == &old_floor);
  kept = &old_floor;
  st.first = NULL;
  cilk_seat_stack_rebase(&st, &top, &floor);
  EXPECT(kept == &old_floor && kept_above == &floor && top.ground.seat_floor == &floor);
  EXPECT(st.ground.seat_floor == &old_floor);
}

/* ---- engines: what a worker does for a seat that is due, at a pause, and for thieves ---- */

static long asked_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  (void)nothing;
  return cilk_asked(cilk_me(), CILK_POINT_POP);
}
/* What runs on worker 1 may be endless, and only this worker can go on with what it has set aside. */
SCENARIO(a_safe_point_leaves_what_runs_for_a_seat_that_is_due)
{
  a_paused_engine();
  n->engine->paused = 0;
  actors[1].x->team = &ctx.team;
  actors[1].x->nest.seat = NULL;
  EXPECT(on(1, asked_order, NULL, NULL, 0) == CILK_STAY);
  cilk_seat_owe(&n->seats[0]);
  EXPECT(on(1, asked_order, NULL, NULL, 0) == CILK_LEAVE);
}

/* The engine was paused while C code in it waited, and what ran above has taken the hurry. */
SCENARIO(the_end_of_a_wait_hurries_a_worker_whose_engine_is_paused)
{
  nest_of(2);
  wait_over = 1;
  actors[1].x->late = 0;
  on(1, schedule_order, &wait_over, NULL, 0);
  EXPECT(!actors[1].x->late);
  n->engine = cilk_engine_new();
  on(1, schedule_order, &wait_over, NULL, 0);
  EXPECT(actors[1].x->late && actors[1].x->signal && actors[1].x->nest.seat == &n->seats[0]);
}

static cilk_seat_stack *of_engine;
/* Worker 2 is about to sit down in seat 2 of an engine. */
static void before_an_engine(void)
{
  nest_of(3);
  n->engine = cilk_engine_new();
  n->engine->paused = 0;
  cilk_seat_of_nest(n, &n->seats[2]);
  n->seats[2].closure->state = CILK_TAKEN;
  n->seats[2].closure->worker = workers[2];
  of_engine = (cilk_seat_stack *)on(2, take_stack_order, &n->seats[2], NULL, 0);
  cilk_seat_stack_drop(of_engine);        /* made, and free */
  actors[2].x->late = 0;
}
static long enter_order(void *seat, void *b, long nothing)
{
  (void)b;
  (void)nothing;
  return cilk_seat_sit(cilk_me(), ((cilk_seat *)seat)->closure);
}
/* Thieves look at the deque that the worker is on. */
SCENARIO(what_is_below_an_engines_stack_is_for_others)
{
  before_an_engine();
  frame *f = full(&run.link, 2, CILK_READY);
  cilk_closure *batch[1] = { &f->h };
  cilk_deque_push_ready(workers[2], batch, 1);
  EXPECT(on(2, enter_order, &n->seats[2], NULL, 0) && actors[2].x->nest.stack == of_engine);
  EXPECT(ctx.orphans == &f->h && state(f) == CILK_READY);
}

static void about_to_enter(void)
{
  before_an_engine();
  first(enter_order, &n->seats[2], NULL, 0);
}
/* As pause_it of engine.c. */
static long fuel_is_up_order(void *a, void *b, long nothing)
{
  (void)a;
  (void)b;
  cilk_spin_lock(&ctx.seats_lock);
  store_seq_cst(&n->engine->paused, 1u);
  cilk_spin_unlock(&ctx.seats_lock);
  cilk_worker *w = load_seq_cst(&n->seats[2].worker);
  if (w)
    cilk_hurry(w);
  return nothing;
}
static void its_fuel_is_up(void) { meanwhile(other_worker = 3, fuel_is_up_order, NULL, NULL, 0); }
static void asleep_or_hurried(void)
{
  EXPECT(first_result ? actors[2].x->late && actors[2].x->signal : asleep(2) && !n->engine->inside);
  if (first_result) {
    on(2, exchange_order, of_engine, NULL, 0);
    cilk_seat_stack_drop(of_engine);
  }
}
SCENARIO(a_worker_that_sits_down_at_a_pause_is_hurried)
{
  sweep(2, about_to_enter, its_fuel_is_up, asleep_or_hurried);
}
