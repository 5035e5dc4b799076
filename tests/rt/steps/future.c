/* Futures: a touch that has to wait, against the one that fills, deliveries of other children, and aborts. A touch ends
 * once, with the value there, as soon as it is there; nothing is lost between the state's lock and the closure's. */
#include "stage.h"
#include "rt/core/protocol/future.h"

static cilk_link *filling;
static bool known; /* an abort would have gone into the child that is over */

static void store(cilk_closure *parent, void *record, void *result) {
  known = filling && filling->child;
  (void)parent;
  **(int **)record = *(int *)result;
}

/* 1 a spawn with an inlet, 2 a sync, 3 a touch, 4 a spawn into a future. */
static const cilk_entry places[] = {
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver, offsetof(frame, record), sizeof(long), sizeof(int), CILK_ENTRY_INLET, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {NULL, 0, 0, 0, CILK_ENTRY_TOUCH, 0, NULL, NULL},
    {store, offsetof(frame, record), sizeof(long), sizeof(int), CILK_ENTRY_FUTURE | CILK_ENTRY_RECEIVER, 0, NULL, NULL},
};
static const cilk_sig futures = {CILK_ABI_VERSION, CILK_SIG_BLOCKS, slow, "frame", "future.c",
    (sizeof(frame) + 15) / 16 * 16, 5, places, NULL, 0, 0};

static struct {
  cilk_future f;
  int value;
} future;
static cilk_segment s0;
static frame *p, *owner;
static cilk_link *own, *other_child;

static long touch_order(void *c, void *b, long n) {
  (void)b;
  (void)n;
  return cilk_rt_touch(c, &future.f);
}
static long renew_order(void *c, void *b, long n) {
  (void)b;
  (void)n;
  return cilk_rt_renew(c, &future, sizeof future);
}
static long fill_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_future_fill(cilk_me(), &future.f);
  return 0;
}

static frame *full_here(cilk_link *link, int worker, uint32_t state) {
  frame *f = full(link, worker, state);
  f->h.sig = &futures;
  return f;
}
static cilk_link *future_child(frame *parent, int worker) {
  parent->h.entry = 4;
  parent->record = (long)&future.value;
  cilk_link *l = cilk_link_new(&parent->h, workers[worker], &run.link);
  cilk_children_add(&parent->h, l);
  return l;
}

/* `owner`, at a sync, has spawned into the future on worker 1, and p, whose slow clone worker 0 runs. */
static void running(void) {
  memset(&future, 0, sizeof future);
  future.f.state = CILK_FUTURE_PENDING;
  owner = full_here(&run.link, 2, CILK_SUSPENDED);
  filling = future_child(owner, 1);
  own = child_of(owner, 0, 7);
  owner->h.entry = 2;
  p = full_here(own, 0, CILK_RUNNING);
  cilk_segment_begin(workers[0], &s0, own, &p->h);
  stage_busy(WORKERS);
}
static void at_touch(void) { p->h.entry = 3; }
static void waiting(void) {
  running();
  at_touch();
  EXPECT(on(0, touch_order, p, NULL, 0) == CILK_UNWIND);
  cilk_segment_end(workers[0], &s0);
}
static bool ready(void) { return state(p) == CILK_READY && ctx.orphans == &p->h && !p->h.next; }
static bool full_now(void) { return future.f.state == CILK_FUTURE_FULL && !future.f.waiters; }

SCENARIO(a_touch_waits_for_its_one_link) {
  waiting();
  EXPECT(state(p) == CILK_SUSPENDED && p->h.join == 1 && p->h.children && p->h.children->future == &future.f &&
         future.f.waiters == p->h.children);
  EXPECT(!s0.full && !s0.link && !ctx.orphans && !cilk_touched(&p->h));
  on(1, deliver_order, filling, NULL, 42);
  EXPECT(ready() && full_now() && future.value == 42 && p->h.join == 0 && !p->h.children);
  EXPECT(owner->h.join == 1 && state(owner) == CILK_SUSPENDED);
}

SCENARIO(a_full_future_is_not_waited_for) {
  running();
  on(1, deliver_order, filling, NULL, 3);
  at_touch();
  EXPECT(on(0, touch_order, p, NULL, 0) == CILK_CONTINUE && state(p) == CILK_RUNNING && p->h.join == 0 &&
         s0.full == &p->h);
}

SCENARIO(a_child_that_fills_a_future_is_gone_before) {
  running();
  filling->child = &full(filling, 1, CILK_RETURNED)->h;
  on(1, deliver_order, filling, NULL, 3);
  EXPECT(full_now() && !known);
}

SCENARIO(the_last_child_fills_a_future_and_its_parent_goes_on) {
  running();
  cilk_children_remove(&owner->h, own); /* the other one is gone */
  owner->h.join--;
  on(1, deliver_order, filling, NULL, 3);
  EXPECT(full_now() && state(owner) == CILK_TAKEN && actors[1].x->next == &owner->h && owner->h.join == 0);
}

SCENARIO(several_wait_for_one_future) {
  waiting();
  frame *first_one = p;
  cilk_link *second = child_of(owner, 3, 8);
  owner->h.entry = 2;
  static cilk_segment s3;
  p = full_here(second, 3, CILK_RUNNING);
  cilk_segment_begin(workers[3], &s3, second, &p->h);
  at_touch();
  EXPECT(on(3, touch_order, p, NULL, 0) == CILK_UNWIND);
  on(1, deliver_order, filling, NULL, 1);
  EXPECT(state(p) == CILK_READY && state(first_one) == CILK_READY && full_now());
}

/* All workers of the context sleep; worker 1 is of another one, and cannot go on with p itself. */
SCENARIO(a_waiter_in_another_context_is_notified) {
  static cilk_context other;
  waiting();
  other = ctx;
  actors[1].x->ctx = &other;
  for (int i = 0; i < WORKERS; i++) actors[i].x->park = i != 1;
  on(1, fill_order, NULL, NULL, 0);
  actors[1].x->ctx = &ctx;
  EXPECT(full_now() && ready());
  for (int i = 0; i < WORKERS; i++) EXPECT(!actors[i].x->park); /* awake */
}

SCENARIO(a_delivery_into_a_future_does_not_wait) {
  running();
  /* its thread runs on worker 2: another result would be queued, and worker 2 signalled */
  store_relaxed(&owner->h.state, CILK_RUNNING);
  on(1, deliver_order, filling, NULL, 5);
  EXPECT(full_now() && future.value == 5 && owner->h.join == 1 && !owner->h.pending && !is_child(owner, filling));
  EXPECT(!actors[2].x->signal && state(owner) == CILK_RUNNING);
}

SCENARIO(an_aborted_child_fills_its_future_without_a_value) {
  waiting();
  future.value = 17;
  store_seq_cst(&filling->aborted, 1u);
  on(1, deliver_order, filling, NULL, 42);
  EXPECT(full_now() && future.value == 17 && ready());
}

SCENARIO(another_childs_delivery_does_not_end_a_touch) {
  waiting();
  store_relaxed(&p->h.state, CILK_RUNNING);
  cilk_link *touch = p->h.children;
  cilk_children_remove(&p->h, touch);
  p->h.join--;
  other_child = child_of(p, 3, 9);
  cilk_children_add(&p->h, touch); /* the touch came later */
  at_touch();
  store_relaxed(&p->h.state, CILK_SUSPENDED);
  on(3, deliver_order, other_child, NULL, 1);
  EXPECT(was_delivered(p, 9) && state(p) == CILK_SUSPENDED && p->h.join == 1 && !ctx.orphans);
  on(1, deliver_order, filling, NULL, 2);
  EXPECT(ready());
}

/* Two children of its own are out while it waits. */
static void waiting_with_children(void) {
  running();
  other_child = child_of(p, 3, 9);
  child_of(p, 2, 10);
  at_touch();
  EXPECT(on(0, touch_order, p, NULL, 0) == CILK_UNWIND);
  cilk_segment_end(workers[0], &s0);
}
SCENARIO(a_touch_ends_though_children_are_out) {
  waiting_with_children();
  on(1, deliver_order, filling, NULL, 2);
  EXPECT(ready() && p->h.join == 2);
}


SCENARIO(an_aborted_touch_with_children_is_ended_by_them) {
  waiting_with_children();
  on(2, abort_order, owner, NULL, 0);
  EXPECT(own->aborted && state(p) == CILK_SUSPENDED && p->h.join == 2 && !ctx.orphans && !future.f.waiters);
}

SCENARIO(a_touch_delivers_what_waits) {
  running();
  other_child = child_of(p, 3, 9);
  on(3, deliver_order, other_child, NULL, 1); /* p runs a thread: queued */
  EXPECT(deliveries == 0 && p->h.pending);
  at_touch();
  EXPECT(on(0, touch_order, p, NULL, 0) == CILK_UNWIND && was_delivered(p, 9) && !p->h.pending && p->h.join == 1);
}

SCENARIO(a_marked_procedure_unwinds_at_its_touch) {
  running();
  at_touch();
  on(2, abort_order, owner, NULL, 0);
  EXPECT(on(0, touch_order, p, NULL, 0) == CILK_UNWIND && s0.unwinding && s0.full == &p->h);
  EXPECT(state(p) == CILK_RUNNING && p->h.join == 0 && !future.f.waiters);
}

/* ---- interleavings ---- */

static void fill_now(void) { meanwhile(other_worker = 1, deliver_order, filling, NULL, 42); }

static void touch_set(void) {
  running();
  at_touch();
  first(touch_order, p, NULL, 0);
}
static void touched_once(void) {
  EXPECT(full_now() && future.value == 42);
  if (first_result == CILK_CONTINUE) EXPECT(state(p) == CILK_RUNNING && s0.full == &p->h && !ctx.orphans);
  else EXPECT(ready() && !s0.full);
  EXPECT(p->h.join == 0 && !p->h.children && !p->h.lock && owner->h.join == 1);
}
SCENARIO(the_value_comes_during_a_touch) { sweep(0, touch_set, fill_now, touched_once); }

static void touch_now(void) { meanwhile(other_worker = 0, touch_order, p, NULL, 0); }
static void fill_set(void) {
  running();
  at_touch();
  first(deliver_order, filling, NULL, 42);
}
static void touched_by_the_other(void) {
  EXPECT(full_now() && future.value == 42 && p->h.join == 0 && !p->h.children);
  EXPECT(state(p) == CILK_RUNNING ? !ctx.orphans : ready());
}
SCENARIO(a_touch_during_the_filling) { sweep(1, fill_set, touch_now, touched_by_the_other); }

static void other_delivery_set(void) {
  waiting_with_children();
  first(deliver_order, other_child, NULL, 1);
}
static void resumed_once(void) {
  EXPECT(was_delivered(p, 9) || p->h.pending);
  /* The filler handed it over, or the deliverer has it, to go on with. */
  EXPECT(full_now() && (ready() || (state(p) == CILK_TAKEN && actors[3].x->next == &p->h && !ctx.orphans)) &&
         p->h.join == (p->h.pending ? 2 : 1));
}
SCENARIO(the_value_comes_during_another_delivery) { sweep(3, other_delivery_set, fill_now, resumed_once); }

static void abort_owner(void) { meanwhile(other_worker = 2, abort_order, owner, NULL, 0); }
static void waiting_fill_set(void) {
  waiting();
  first(fill_order, NULL, NULL, 0); /* by a child that is none of the owner's */
}
static void aborted_and_awake(void) {
  EXPECT(own->aborted && full_now() && ready() && p->h.join == 0 && !p->h.children);
}
SCENARIO(an_abort_during_the_filling) { sweep(1, waiting_fill_set, abort_owner, aborted_and_awake); }

static void abort_set(void) {
  waiting();
  first(abort_order, owner, NULL, 0);
}
static void fill_alone(void) { meanwhile(other_worker = 1, fill_order, NULL, NULL, 0); }
SCENARIO(the_value_comes_during_an_abort) { sweep(2, abort_set, fill_alone, aborted_and_awake); }

SCENARIO(an_abort_takes_touches_off) {
  waiting();
  on(2, abort_order, owner, NULL, 0);
  EXPECT(own->aborted && filling->aborted && !future.f.waiters && future.f.state == CILK_FUTURE_PENDING && ready() &&
         p->h.join == 0);
}

/* The filler has the list of those that wait. Its owner has touched the future meanwhile, and has spawned into it
 * again: the state alone does not say that this touch is over. */
static long begin_again_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_rt_begin(&future.f);
  return 0;
}
static long wake_order(void *link, void *b, long n) {
  (void)b;
  (void)n;
  cilk_future_wake(cilk_me(), link);
  return 0;
}
SCENARIO(an_abort_leaves_a_touch_to_its_filler_though_the_future_waits_again) {
  waiting();
  cilk_link *touch = future.f.waiters;
  future.f.waiters = NULL;
  future.f.state = CILK_FUTURE_FULL;
  on(2, begin_again_order, NULL, NULL, 0);
  on(2, abort_order, owner, NULL, 0);
  EXPECT(own->aborted && state(p) == CILK_SUSPENDED && p->h.children == touch && p->h.join == 1 && !ctx.orphans);
  EXPECT(future.f.state == CILK_FUTURE_PENDING);
  on(1, wake_order, touch, NULL, 0);
  EXPECT(ready() && p->h.join == 0);
}

/* ---- declarations that come again ---- */

SCENARIO(a_declaration_that_comes_again_waits_for_the_child_of_before) {
  running();
  cilk_link *mine = future_child(p, 3);
  at_touch();
  EXPECT(on(0, renew_order, p, NULL, 0) == CILK_UNWIND && state(p) == CILK_SUSPENDED && p->h.join == 2);
  cilk_segment_end(workers[0], &s0);
  on(3, deliver_order, mine, NULL, 8);
  EXPECT(ready() && p->h.join == 0 && future.value == 8);
}

SCENARIO(a_declaration_that_comes_again_does_not_wait_for_others) {
  running();
  child_of(p, 3, 1);
  at_touch();
  EXPECT(on(0, renew_order, p, NULL, 0) == CILK_CONTINUE && state(p) == CILK_RUNNING && p->h.join == 1);
}

/* ... nor for a future of another variable. */
SCENARIO(a_declaration_that_comes_again_does_not_wait_for_another_future) {
  static struct {
    cilk_future f;
    int value;
  } other = {{.state = CILK_FUTURE_PENDING}, 0};
  running();
  p->h.entry = 4;
  p->record = (long)&other.value;
  cilk_children_add(&p->h, cilk_link_new(&p->h, workers[3], &run.link));
  at_touch();
  EXPECT(on(0, renew_order, p, NULL, 0) == CILK_CONTINUE && state(p) == CILK_RUNNING && p->h.join == 1);
}
