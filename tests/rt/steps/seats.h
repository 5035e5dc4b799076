/* seats.h - a nest for the scenarios of seats: worker 1 sits in it; worker 0 is outside, or has the second seat. */
#ifndef TESTS_RT_STEPS_SEATS_H
#define TESTS_RT_STEPS_SEATS_H

#include "stage.h"

static cilk_nest *n;
static cilk_computation computation;      /* of the nest */
static cilk_group group;
static frame *p;                          /* a fiber of it */

static long sit_order(void *seat, void *b, long asleep) {
  cilk_seat *s = seat;
  (void)b;
  if (asleep) cilk_seat_of_nest(n, s);
  s->closure->state = CILK_TAKEN;
  s->closure->worker = cilk_me();
  cilk_seat_sit(cilk_me(), s->closure);
  return 0;
}

/* The scheduler's loop, up to the point where the worker has something or has left. */
static long last_look_order(void *a, void *b, long nothing) {
  (void)a;
  (void)b;
  (void)nothing;
  cilk_closure *c = cilk_next(cilk_me());
  return (long)(c ? c : cilk_seat_look(cilk_me()));
}

static void nest_of(int seats) {
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
  if (seats > 1) on(0, sit_order, &n->seats[1], NULL, 1);
  first(last_look_order, NULL, NULL, 0);
}

static bool asleep(int seat) {
  for (cilk_seat *s = n->asleep; s; s = s->next)
    if (s == &n->seats[seat]) return true;
  return false;
}

static long ready_order(void *f, void *b, long why) {
  (void)b;
  cilk_ready(cilk_me(), f, (Cilk_why)why);
  return 0;
}

/* A scheduler that has what is ready in `next` alone. */
static Cilk_fiber *kept;
static Cilk_fiber *own_next(void *self, Cilk_vproc *vp) {
  (void)self;
  (void)vp;
  return __atomic_exchange_n(&kept, NULL, __ATOMIC_SEQ_CST);
}
static Cilk_fiber *own_find(void *self, Cilk_vproc *vp) {
  (void)self;
  (void)vp;
  return NULL;
}
static void own_ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self;
  (void)vp;
  (void)why;
  __atomic_store_n(&kept, f, __ATOMIC_SEQ_CST);
}
static const Cilk_scheduler own = {
    .version = CILK_SCHED_VERSION, .name = "own", .next = own_next, .find = own_find, .ready = own_ready};

/* ---- --force-steal never: worker 0 does all, but what a scheduler has given to another worker ---- */

static uint32_t wait_over;
static long idle_order(void *flag, void *b, long nothing) {
  (void)b;
  (void)nothing;
  return (long)ctx.policy->idle(cilk_me(), flag, 1);
}
static bool finds(int i, const frame *f) {
  begin_order(i, idle_order, &wait_over, NULL, 0);
  finish_or_fail(i);
  return actors[i].result == (long)f;
}
static void nothing_is_stolen(void) {
  const cilk_options never = {.nproc = WORKERS, .force = CILK_FORCE_NEVER};
  nest_of(3);
  wait_over = 0;
  ctx.policy = cilk_policy_choose(&never);
}

#endif
