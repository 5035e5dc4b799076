/* Seats of engines: they have stacks of their own, are set aside at a pause, and are due where their workers may enter
 * them. */
#include "seats.h"
#include "rt/extensions/calls/start.h"
#include "rt/extensions/nest/seat_stack.h"

#include <sys/mman.h>

/* ---- stacks of engines' seats ---- */

static long take_stack_order(void *seat, void *b, long nothing) {
  (void)b;
  (void)nothing;
  return (long)cilk_seat_stack_take(cilk_me(), seat);
}
static long pause_order(void *seat, void *b, long nothing) {
  (void)b;
  (void)nothing;
  return cilk_seat_pause(seat);
}
static long due_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  return (long)cilk_seat_due(cilk_me());
}
static long wanted_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  return cilk_seat_wanted(cilk_me());
}

/* Worker 1 is in seat 0, on a stack of its own, and worker 0 in seat 1. The engine is paused. */
static void a_paused_engine(void) {
  nest_of(2);
  n->engine = cilk_engine_new();
  n->seats[0].stack = (cilk_seat_stack *)on(1, take_stack_order, &n->seats[0], NULL, 0);
}

SCENARIO(a_seat_of_a_paused_engine_sleeps_or_is_set_aside) {
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
SCENARIO(a_seat_is_due_where_its_worker_may_enter_it) {
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
  /* C code waits in it: it is in the way, until all that is due had a turn in vain */
  x->nest.floor = flat;
  flat->stack->ground.team = &ctx.team;
  x->nest.passed = 1;
  EXPECT(cilk_seat_in_the_way(workers[1]) == flat && !ctx.seats_lock);
  x->nest.passed = 2;
  EXPECT(!cilk_seat_in_the_way(workers[1]));
  x->nest.passed = 0;
  flat->stack->ground.team = &n->team;    /* the seat that is due has no place below it either */
  EXPECT(!cilk_seat_in_the_way(workers[1]));
}

/* Without steals, worker 2 is outside, and a seat of a nest in n is due to it. It comes there by the third seat of
 * n. */
static uint64_t looks;
static uint64_t clock_that_ends_a_wait(void) {
  if (looks++ == 100) store_seq_cst(&wait_over, 1u);
  return looks;
}
static cilk_closure *due_to_a_worker_outside(void) {
  nothing_is_stolen();
  cilk_seat *deep = &cilk_nest_new(&computation, &n->team, "steal", 1, workers[2], NULL)->seats[0];
  deep->stack = (cilk_seat_stack *)on(2, take_stack_order, deep, NULL, 0);
  cilk_seat_owe(deep);
  EXPECT(actors[2].x->nest.due == deep && asleep(2));
  looks = 0;
  at_clock = clock_that_ends_a_wait;
  return deep->closure;
}
SCENARIO(a_worker_finds_its_way_to_what_is_due_by_a_seat_that_sleeps) {
  const cilk_closure *deep = due_to_a_worker_outside();
  EXPECT(finds(2, (const frame *)deep) && actors[2].x->nest.seat == &n->seats[2]);
}
SCENARIO(a_worker_finds_its_way_to_what_is_due_by_a_seat_that_was_given_up) {
  due_to_a_worker_outside();
  cilk_closure *c = cilk_seat_of_nest(n, &n->seats[2])->closure;
  c->state = CILK_READY;
  cilk_orphan_put(&ctx, c);
  EXPECT(finds(2, (frame *)c));
}

static bool mapped(const void *p) { return msync((void *)((uintptr_t)p & ~(uintptr_t)4095), 1, MS_ASYNC) == 0; }
SCENARIO(a_workers_stacks_are_used_again_and_go_with_it) {
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
  const void *of[] = {one->memory.deque, one->memory.stack_map, two->memory.deque, two->memory.stack_map};
  for (int i = 0; i < 4; i++) EXPECT(mapped(of[i]));
  cilk_seat_stacks_free(x);
  for (int i = 0; i < 4; i++) EXPECT(!mapped(of[i]));
  EXPECT(!x->nest.stacks && !x->nest.free_stacks);
}
static long lock_order(void *w, void *b, long take) {
  (void)b;
  if (take) cilk_worker_lock(w);
  else cilk_worker_unlock(w);
  return 0;
}
static long exchange_order(void *stack, void *b, long nothing) {
  (void)b;
  (void)nothing;
  cilk_seat_stack_exchange(stack);
  return 0;
}
static cilk_ground ground_of(int i) {
  const cilk_worker_ext *x = actors[i].x;
  return (cilk_ground){x->memory, x->head, workers[i]->tail, x->floor, x->seg, x->loop, x->team, x->nest.seat,
      x->nest.floor, x->wait.called, x->wait.root, x->wait.inlet, x->wait.inlet_above, x->wait.until, x->wait.outside,
      x->nest.stack};
}
static bool same_ground(const cilk_ground *a, const cilk_ground *b) {
  return memcmp(&a->memory, &b->memory, sizeof a->memory) == 0 && a->head == b->head && a->tail == b->tail &&
         a->floor == b->floor && a->seg == b->seg && a->loop == b->loop && a->team == b->team && a->seat == b->seat &&
         a->seat_floor == b->seat_floor && a->called == b->called && a->waiting == b->waiting && a->inlet == b->inlet &&
         a->inlet_above == b->inlet_above && a->until == b->until && a->outside == b->outside && a->stack == b->stack;
}

/* An inlet of worker 0 has called C, which waits and sits down in an engine: there nothing of that is known. Back on
 * the first stack all is as it was. */
SCENARIO(each_stack_of_a_worker_has_its_own_fields) {
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
  const cilk_ground above = {.memory = st->memory,
      .head = st->memory.deque,
      .tail = st->memory.deque,
      .floor = st->memory.deque,
      .team = &ctx.team,
      .waiting = &n->node,
      .until = &cilk_until_below,
      .stack = st};
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
SCENARIO(loops_above_another_one_have_its_floor) {
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

static long asked_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  return cilk_asked(cilk_me(), CILK_POINT_POP);
}
/* What runs on worker 1 may be endless, and only this worker can go on with what it has set aside. */
SCENARIO(a_safe_point_leaves_what_runs_for_a_seat_that_is_due) {
  a_paused_engine();
  n->engine->paused = 0;
  actors[1].x->team = &ctx.team;
  actors[1].x->nest.seat = NULL;
  EXPECT(on(1, asked_order, NULL, NULL, 0) == CILK_STAY);
  cilk_seat_owe(&n->seats[0]);
  EXPECT(on(1, asked_order, NULL, NULL, 0) == CILK_LEAVE);
}

/* The engine was paused while C code in it waited, and what ran above has taken the hurry. */
SCENARIO(the_end_of_a_wait_hurries_a_worker_whose_engine_is_paused) {
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
static void before_an_engine(void) {
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
static long enter_order(void *seat, void *b, long nothing) {
  (void)b;
  (void)nothing;
  return cilk_seat_sit(cilk_me(), ((cilk_seat *)seat)->closure);
}
/* Thieves look at the deque that the worker is on. */
SCENARIO(what_is_below_an_engines_stack_is_for_others) {
  before_an_engine();
  frame *f = full(&run.link, 2, CILK_READY);
  cilk_closure *batch[1] = {&f->h};
  cilk_deque_push_ready(workers[2], batch, 1);
  EXPECT(on(2, enter_order, &n->seats[2], NULL, 0) && actors[2].x->nest.stack == of_engine);
  EXPECT(ctx.orphans == &f->h && state(f) == CILK_READY);
}

static void about_to_enter(void) {
  before_an_engine();
  first(enter_order, &n->seats[2], NULL, 0);
}
/* As pause_it of engine.c. */
static long fuel_is_up_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  cilk_spin_lock(&ctx.seats_lock);
  store_seq_cst(&n->engine->paused, 1u);
  cilk_spin_unlock(&ctx.seats_lock);
  cilk_worker *w = load_seq_cst(&n->seats[2].worker);
  if (w) cilk_hurry(w);
  return nothing;
}
static void its_fuel_is_up(void) { meanwhile(other_worker = 3, fuel_is_up_order, NULL, NULL, 0); }
static void asleep_or_hurried(void) {
  EXPECT(first_result ? actors[2].x->late && actors[2].x->signal : asleep(2) && !n->engine->inside);
  if (first_result) {
    on(2, exchange_order, of_engine, NULL, 0);
    cilk_seat_stack_drop(of_engine);
  }
}
SCENARIO(a_worker_that_sits_down_at_a_pause_is_hurried) { sweep(2, about_to_enter, its_fuel_is_up, asleep_or_hurried); }
