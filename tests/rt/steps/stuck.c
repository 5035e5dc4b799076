/* Touches that wait for each other: an idle worker looks at all that is left. What it may say, and must not say, while
 * something can still go on. Its message is a note here, since a nest counts as open, whose computation might be
 * cancelled: `stuck_noted` says that it would have ended the program. */
#include "stage.h"
#include "rt/core/data/computation.h"
#include "rt/core/data/step.h"
#include "rt/extensions/nest/seat_stack.h"
#include "rt/core/process/fork.h"
#include "rt/core/protocol/abort.h"
#include "rt/core/protocol/future.h"
#include "rt/core/protocol/stuck.h"

#include <fcntl.h>
#include <sys/wait.h>

static const cilk_entry places[] = {
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver, offsetof(frame, record), sizeof(long), sizeof(int), CILK_ENTRY_INLET, 0, NULL, NULL},
    {NULL, 0, 0, 0, CILK_ENTRY_TOUCH, 7, NULL, NULL},
};
static const cilk_sig touching = {CILK_ABI_VERSION, CILK_SIG_BLOCKS, slow, "waits", "stuck.c",
    (sizeof(frame) + 15) / 16 * 16, 3, places, NULL, 0, 0};

static cilk_future future;
static cilk_segment s0;
static frame *grand, *p;
static cilk_link *own;
static uint32_t flag;

static long touch_order(void *c, void *b, long n) {
  (void)b;
  (void)n;
  return cilk_rt_touch(c, &future);
}

/* `grand`, at a sync, has a child p, which waits for a future that only what comes after p would fill. All workers are
 * idle. */
static void a_circle(void) {
  memset(&future, 0, sizeof future);
  future.state = CILK_FUTURE_PENDING;
  grand = full(&run.link, 0, CILK_SUSPENDED);
  run.link.child = &grand->h;
  own = child_of(grand, 0, 1);
  p = full(own, 0, CILK_RUNNING);
  p->h.sig = &touching;
  cilk_segment_begin(workers[0], &s0, own, &p->h);
  p->h.entry = 2;
  stage_busy(0);
  EXPECT(on(0, touch_order, p, NULL, 0) == CILK_UNWIND);
  cilk_segment_end(workers[0], &s0);
  ctx.running = &run;
  ctx.begun = 1;
  ctx.nests = 1;
  ctx.blocked = ctx.frozen = ctx.stuck_noted = flag = 0;
}

static long finish_root_order(void *link, void *b, long n) {
  (void)b;
  (void)n;
  cilk_root_finish(link, NULL, 0);
  return 0;
}
static long look_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_stuck(cilk_me(), &flag, 1);
  return 0;
}
/* Worker i looks, and says that nothing goes on. */
static bool stuck(int i) {
  int stderr_now = dup(2), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, 2);
  actors[i].x->wait.look = 1;            /* the time has come */
  on(i, look_order, NULL, NULL, 0);
  dup2(stderr_now, 2);
  close(stderr_now);
  close(nowhere);
  EXPECT(!ctx.frozen && !grand->h.lock && !p->h.lock);
  bool said = ctx.stuck_noted;
  ctx.stuck_noted = 0;
  return said;
}

SCENARIO(a_circle_is_reported) {
  a_circle();
  EXPECT(stuck(1));
  actors[1].x->wait.look = 0;            /* it has just become idle: not yet */
  on(1, look_order, NULL, NULL, 0);
  EXPECT(!ctx.stuck_noted && actors[1].x->wait.look);
}

/* What they keep are maps of reducers. */
SCENARIO(a_circle_is_reported_beside_children_that_have_returned) {
  a_circle();
  child_of(grand, 2, 2)->stage = CILK_LINK_KEPT;
  child_of(grand, 2, 3)->stage = CILK_LINK_KEPT;
  EXPECT(stuck(1));
}

SCENARIO(a_circle_is_not_reported_while_somebody_runs) {
  a_circle();
  ctx.census = 1;
  EXPECT(!stuck(1));
  ctx.census = 0;
  ctx.blocked = 1;                        /* in a system call, from which it comes back */
  EXPECT(!stuck(1));
  ctx.blocked = 0;
  EXPECT(stuck(1));
}

SCENARIO(a_circle_is_not_reported_while_something_is_ready) {
  a_circle();
  frame *other = full(child_of(grand, 2, 2), 2, CILK_READY);
  EXPECT(!stuck(1));
  store_relaxed(&other->h.state, CILK_SUSPENDED);
  EXPECT(stuck(1));
  frame *deep = full(child_of(other, 2, 3), 2, CILK_TAKEN);
  EXPECT(!stuck(1));
  store_relaxed(&deep->h.state, CILK_SUSPENDED);
  EXPECT(stuck(1));
}

/* A fast clone, without a closure; and a slow one. Where their worker is idle it waits in C code, below. */
SCENARIO(a_circle_is_not_reported_while_a_frame_runs) {
  a_circle();
  cilk_link *l = child_of(grand, 2, 2);
  EXPECT(!stuck(1));
  actors[2].x->wait.root = &run;
  EXPECT(stuck(1));
  actors[2].x->wait.root = NULL;
  full(l, 2, CILK_RUNNING);
  EXPECT(!stuck(1));
  actors[2].x->wait.root = &run;
  EXPECT(stuck(1));
}

/* What it waits for in C code is over, but it has not woken up. */
SCENARIO(a_circle_is_not_reported_while_somebody_is_about_to_go_back) {
  static cilk_root_run nested;
  static uint32_t waited;
  a_circle();
  nested = run;
  nested.link.child = NULL;
  nested.link.worker = workers[2];
  child_of(grand, 2, 2);
  actors[2].x->wait.root = actors[2].x->wait.called = &nested;
  EXPECT(stuck(1));
  nested.done = 1;
  EXPECT(!stuck(1));
  nested.done = waited = 0;
  actors[2].x->wait.until = &waited;           /* it waits for a computation that was started */
  EXPECT(stuck(1));
  waited = 1;
  EXPECT(!stuck(1));
}

/* A worker that waits for a nested root was released, took something of another root, and waits for a nested root that
 * this root called: the first is in no `outer`. */
SCENARIO(a_circle_is_not_reported_while_any_nested_root_goes_on) {
  static cilk_root_run first_called, second;
  a_circle();
  first_called = second = run;
  first_called.link.root = &first_called;
  second.link.child = NULL;
  second.link.worker = workers[2];
  second.outer = &run;
  second.below = &first_called;
  frame *part = full(&first_called.link, 3, CILK_READY);
  first_called.link.child = &part->h;
  actors[2].x->wait.root = actors[2].x->wait.called = &second;
  EXPECT(!stuck(1));
  store_relaxed(&part->h.state, CILK_SUSPENDED);
  EXPECT(stuck(1));
}

/* Below a call from C: its continuation is somebody's, though that worker waits. */
SCENARIO(a_circle_is_not_reported_while_something_can_be_stolen) {
  a_circle();
  actors[2].x->wait.root = &run;
  ctx.nests = 0;                          /* else entries are not looked at */
  push(2, attached(3), 1);
  EXPECT(!stuck(1));
}

/* The thief has it in hand before the link says so: then it must not look as if it were nowhere. */
static cilk_segment s2;
static void steal_below_set(void) {
  a_circle();
  ctx.nests = 0;
  actors[2].x->wait.root = &run;
  cilk_segment_begin(workers[2], &s2, child_of(grand, 2, 2), NULL);
  push(2, attached(3), 1);
  actors[1].x->wait.look = 1;
  first(steal_order, workers[2], NULL, 0);
}
static void somebody_looks(void) { meanwhile(other_worker = 1, look_order, NULL, NULL, 0); }
static void it_was_stolen(void) { EXPECT(first_result && state((frame *)first_result) == CILK_TAKEN); }
SCENARIO(a_circle_is_not_reported_during_a_steal) { sweep(3, steal_below_set, somebody_looks, it_was_stolen); }

/* An inlet has called C code that waits: what it delivers to does not go on. */
SCENARIO(a_circle_is_reported_though_a_delivery_waits_in_c) {
  a_circle();
  frame *other = full(child_of(grand, 2, 2), 2, CILK_DELIVERING);
  actors[2].x->wait.root = &run;
  EXPECT(stuck(1));
  store_relaxed(&other->h.state, CILK_HANDED);
  EXPECT(stuck(1));
}

/* The root has its result; two computations that it has started, and for which no worker waits, are a circle. */
SCENARIO(a_circle_is_reported_when_its_root_has_ended) {
  static cilk_group g;
  static cilk_computation m;
  a_circle();
  memset(&g, 0, sizeof g);
  memset(&m, 0, sizeof m);
  g.alive = 2;
  g.first = &m;
  m.closure = &grand->h;
  g.owner_ended = cilk_engines_end;
  run.group = &g;
  run.link.child = NULL;
  ctx.nests = 0;
  on(0, finish_root_order, &run.link, NULL, 0);
  EXPECT(g.alive == 1 && !run.done);
  EXPECT(stuck(1));
}

SCENARIO(a_circle_is_not_reported_when_all_is_over) {
  a_circle();
  ctx.exiting = 1;
  EXPECT(!stuck(1));
  ctx.exiting = 0;
  ctx.ended = 1;
  EXPECT(!stuck(1));
  ctx.ended = 0;
  flag = 1;
  EXPECT(!stuck(1));
}

SCENARIO(a_circle_is_not_reported_while_another_context_computes) {
  static cilk_context other;
  a_circle();
  other.begun = 1;
  other.other = cilk_contexts;
  cilk_contexts = &other;
  EXPECT(!stuck(1));
  other.ended = 1;
  EXPECT(stuck(1));
  cilk_contexts = other.other;
}

SCENARIO(a_circle_is_not_reported_while_a_context_begins_or_ends) {
  a_circle();
  cilk_contexts_take(); /* a thread that has this lock may wait for a worker, and those are frozen */
  EXPECT(!stuck(1));
  cilk_contexts_give();
  EXPECT(stuck(1));
}

/* Its worker fills the future while all others are stopped here, and that is the end of its computation. */
static cilk_context elsewhere;
static long fill_order(void *a, void *b, long n) {
  cilk_worker *w = cilk_me();
  (void)a;
  (void)b;
  (void)n;
  w->ext->ctx = &elsewhere;
  cilk_future_fill(w, &future);
  w->ext->ctx = &ctx;
  store_seq_cst(&elsewhere.ended, 1u);
  return 0;
}
static void circle_look_set(void) {
  a_circle();
  elsewhere.policy = ctx.policy;
  elsewhere.begun = 1;
  elsewhere.ended = 0;
  actors[1].x->wait.look = 1;
  first(look_order, NULL, NULL, 0);
}
static void another_context_fills(void) { meanwhile(other_worker = 2, fill_order, NULL, NULL, 0); }
static void nothing_is_reported(void) { EXPECT(!ctx.stuck_noted && state(p) == CILK_READY && ctx.orphans == &p->h); }
SCENARIO(a_circle_is_not_reported_when_another_context_has_just_ended_it) {
  elsewhere.other = cilk_contexts;
  cilk_contexts = &elsewhere;
  sweep(1, circle_look_set, another_context_fills, nothing_is_reported);
  cilk_contexts = elsewhere.other;
}

/* Cancelled by a thread that could not wake it. */
SCENARIO(a_cancelled_touch_in_a_circle_is_woken) {
  a_circle();
  store_seq_cst(&p->h.children->aborted, 1u);
  store_seq_cst(&own->aborted, 1u);
  EXPECT(!stuck(1));
  EXPECT(state(p) == CILK_READY && !future.waiters && p->h.join == 0 && ctx.orphans == &p->h);
}

/* ... and is about to be woken by that thread. */
SCENARIO(a_cancelled_touch_that_is_off_its_list_is_left_alone) {
  a_circle();
  store_seq_cst(&p->h.children->aborted, 1u);
  store_seq_cst(&own->aborted, 1u);
  future.waiters = NULL;
  EXPECT(!stuck(1));
  EXPECT(state(p) == CILK_SUSPENDED && p->h.join == 1);
}

/* A thread that is no worker cancels: it takes a touch off its list only where it may give the waiter to the common
 * pool. Else the waiter stays until a worker looks. */
SCENARIO(what_an_outsider_may_not_wake_stays_at_its_touch) {
  a_circle();
  cilk_abort_all(&ctx, &grand->h);
  EXPECT(state(p) == CILK_READY && !future.waiters && ctx.orphans == &p->h);
  for (int ordered = 0; ordered < 2; ordered++) {
    static const cilk_steps steps;
    cilk_team nests = ctx.team;
    a_circle();
    ctx.orphans = NULL;
    ctx.steps = ordered ? &steps : NULL;
    run.team = ordered ? &ctx.team : &nests;
    cilk_abort_all(&ctx, &grand->h);
    ctx.steps = NULL;
    run.team = &ctx.team;
    EXPECT(state(p) == CILK_SUSPENDED && future.waiters && !ctx.orphans);
    EXPECT(!stuck(1));
    EXPECT(state(p) == CILK_READY && !future.waiters && ctx.orphans == &p->h);
  }
}

/* A root inside of the circle's. */
static void within(cilk_root_run *nested) {
  *nested = run;
  nested->nested = true;
  nested->outer = &run;
}

/* A worker that waits for a nested root takes anything once all of that root waits for futures, and not before. */
SCENARIO(a_nested_root_that_only_touches_lets_its_worker_take_anything) {
  static cilk_root_run nested;
  a_circle();
  within(&nested);
  nested.link.root = &nested;
  nested.link.child = &grand->h;
  run.link.child = NULL;
  actors[1].x->wait.root = &nested;
  actors[1].x->wait.outside = false;
  frame *other = full(child_of(grand, 2, 2), 2, CILK_READY);
  EXPECT(!stuck(1) && !actors[1].x->wait.outside);
  store_relaxed(&other->h.state, CILK_SUSPENDED);
  EXPECT(!stuck(1) && actors[1].x->wait.outside);
  actors[1].x->wait.outside = false;
}

/* It waits for a group. In a part of that, C code on another worker waits for a nested root, and all of that root waits
 * for futures. The other worker sits in a nest perhaps, where it cannot take what fills them. */
SCENARIO(what_others_call_is_a_part_of_what_a_worker_waits_for) {
  static cilk_root_run awaited, nested;
  static cilk_seat_stack stack;
  a_circle();
  within(&nested);
  nested.link.root = &nested;
  nested.link.child = &grand->h;
  awaited.outer = &run; /* of which it is a group */
  nested.outer = &awaited;
  run.link.child = NULL;
  actors[1].x->wait.root = &awaited;
  actors[2].x->wait.root = &nested;
  EXPECT(!stuck(1) && !actors[1].x->wait.outside);
  for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
    actors[1].x->wait.outside = false;
    actors[2].x->wait.called = elsewhere ? NULL : &nested;
    actors[2].x->nest.stacks = elsewhere ? &stack : NULL; /* that of a seat, on which the worker is */
    stack.ground.called = &nested;
    frame *other = full(child_of(grand, 2, 2), 2, CILK_READY);
    EXPECT(!stuck(1) && !actors[1].x->wait.outside);
    store_relaxed(&other->h.state, CILK_SUSPENDED);
    nested.outer = &run; /* no part of it */
    EXPECT(!stuck(1) && !actors[1].x->wait.outside);
    nested.outer = &awaited;
    EXPECT(!stuck(1) && actors[1].x->wait.outside);
  }
  actors[1].x->wait.outside = false;
  actors[2].x->nest.stacks = NULL;
}

/* It calls again from there: that call's loop begins with its own root, and when it is over the worker may take
 * anything as before. */
static long call_order(void *worker, void *b, long n) {
  (void)b;
  (void)n;
  cilk_unpark(worker);
  return 0;
}
SCENARIO(a_released_waiter_that_calls_again_waits_for_that_call) {
  static cilk_root_run nested;
  a_circle();
  within(&nested);
  nested.link.root = &nested;
  nested.link.worker = workers[1];
  nested.link.child = NULL;
  frame *other = full(child_of(grand, 2, 2), 2, CILK_READY);
  other->h.next = NULL;
  cilk_orphan_put(&ctx, &other->h);
  stage_busy(1);
  actors[1].x->wait.root = &nested;
  actors[1].x->wait.outside = true;
  begin_order(1, schedule_order, &flag, NULL, 0);
  await_event(1);
  EXPECT(!actors[1].done && ctx.orphans == &other->h);
  flag = 1;
  on(0, call_order, workers[1], NULL, 0);
  finish_order(1);
  EXPECT(actors[1].x->wait.outside && ctx.orphans == &other->h);
}

/* ... also without a thief. */
static long never_order(void *a, void *b, long n) {
  static const cilk_options o = {.force = CILK_FORCE_NEVER};
  (void)a;
  (void)b;
  (void)n;
  return (long)cilk_policy_choose(&o)->idle(cilk_me(), &flag, 1);
}
SCENARIO(without_steals_too_the_entries_below_are_taken_in_the_end) {
  a_circle();
  actors[0].x->wait.root = &run;
  actors[0].x->wait.outside = true;
  frame *below = full(child_of(grand, 0, 2), 0, CILK_READY);
  push(0, below, 1);
  actors[0].x->floor = load_relaxed(&workers[0]->tail);
  begin_order(0, never_order, NULL, NULL, 0);
  await_event(0); /* it has something, or sleeps */
  EXPECT(actors[0].done && finish_order(0) == (long)below);
}

static long freeze_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  return n ? cilk_freeze(cilk_me()) : (cilk_thaw(cilk_me()), 0);
}
/* In the child of a fork no thread would let its workers go on. */
SCENARIO(a_forked_child_does_not_wait_for_a_freeze) {
  a_circle();
  cilk_fork_init();
  ctx.other = cilk_contexts;
  cilk_contexts = &ctx;
  EXPECT(on(1, freeze_order, NULL, NULL, 1));
  pid_t child = fork();
  if (!child) _exit(ctx.frozen ? 1 : 0);
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0 && ctx.frozen);
  on(1, freeze_order, NULL, NULL, 0);
  cilk_contexts = ctx.other;
}

static uint32_t began;
/* A worker begins to run something while another worker looks: it waits until the other worker is done. */
static long begin_work_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_work_begin(cilk_me());
  store_seq_cst(&began, 1u);
  return 0;
}
SCENARIO(a_worker_that_begins_to_run_waits_until_all_may) {
  a_circle();
  began = 0;
  EXPECT(on(1, freeze_order, NULL, NULL, 1));
  EXPECT(!on(2, freeze_order, NULL, NULL, 1)); /* one at a time */
  begin_order(3, begin_work_order, NULL, NULL, 0);
  while ((load_seq_cst(&ctx.census) & 0xffff) == 0);
  usleep(2000);
  EXPECT(!load_seq_cst(&began));
  on(1, freeze_order, NULL, NULL, 0);
  finish_order(3);
  EXPECT(load_seq_cst(&began));
  EXPECT(!on(1, freeze_order, NULL, NULL, 1) && !ctx.frozen);
}
