/* Deliveries: what happens to a result in each state of the parent, and which worker goes on with the parent. Nothing
 * is lost or done twice. */
#include "stage.h"
#include "rt/extensions/replay/order.h"

static cilk_segment s0;
static frame *grand, *p, *a;
static cilk_link *own, *l1, *l2;

static frame *parent_in(uint32_t st) {
  grand = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(grand, 0, 9);
  p = full(own, 0, st);
  l1 = child_of(p, 1, 1);
  l2 = child_of(p, 2, 2);
  return p;
}

/* ---- SUSPENDED ---- */

static int join_seen, synched_seen;
static uint32_t state_seen, lock_seen;
static void look_around(frame *f, int v) {
  (void)v;
  join_seen = f->h.join;
  state_seen = state(f);
  lock_seen = f->h.lock | actors[0].x->lock | actors[1].x->lock;
  synched_seen = cilk_rt_synched(&f->h);
}

SCENARIO(a_result_for_a_suspended_parent_is_delivered_at_once) {
  parent_in(CILK_SUSPENDED)->inlet = look_around;
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 1 && was_delivered(p, 1) && delivered[0].value == 10);
  EXPECT(state_seen == CILK_DELIVERING && lock_seen == 0);
  EXPECT(join_seen == 1 && !synched_seen);   /* its own child does not count, the other one does */
  EXPECT(state(p) == CILK_SUSPENDED && p->h.join == 1 && !actors[1].x->next);
  on(2, deliver_order, l2, NULL, 20);
  EXPECT(deliveries == 2 && join_seen == 0 && synched_seen && state_seen == CILK_DELIVERING);
  EXPECT(state(p) == CILK_TAKEN && actors[2].x->next == &p->h && p->h.worker == workers[2]);   /* provably good */
}

static void other_result_comes(frame *f, int v) {
  EXPECT(state(f) == CILK_DELIVERING);
  if (v == 10) {
    on(2, deliver_order, l2, NULL, 20);
    EXPECT(deliveries == 1 && f->h.pending && f->h.join == 1);   /* not while this worker runs */
  }
}
SCENARIO(a_result_during_a_delivery_waits_for_it) {
  parent_in(CILK_SUSPENDED)->inlet = other_result_comes;
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 2 && delivered[1].record == 2 && delivered[1].value == 20);
  EXPECT(state(p) == CILK_TAKEN && actors[1].x->next == &p->h && !actors[2].x->next && p->h.join == 0 && !p->h.pending);
}

SCENARIO(an_aborted_childs_result_is_dropped) {
  parent_in(CILK_SUSPENDED);
  on(3, abort_order, p, NULL, 0);
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 0 && p->h.join == 1 && children(p) == 1 && state(p) == CILK_SUSPENDED);
  on(2, deliver_order, l2, NULL, 20);
  /* goes on after its sync */
  EXPECT(deliveries == 0 && p->h.join == 0 && state(p) == CILK_TAKEN && actors[2].x->next == &p->h);
}

/* ---- READY, TAKEN ---- */

static void taken_meanwhile(frame *f, int v) {
  (void)v;
  EXPECT(state(f) == CILK_DELIVERING && !take(3, 0));
  EXPECT(state(f) == CILK_HANDED);
}
SCENARIO(a_ready_parent_that_is_taken_during_a_delivery_goes_to_the_deliverer) {
  cilk_closure *batch[1];
  parent_in(CILK_READY);
  batch[0] = &p->h;
  cilk_deque_push_ready(workers[0], batch, 1);
  on(1, deliver_order, l1, NULL, 10);     /* where it is */
  EXPECT(deliveries == 1 && state(p) == CILK_READY && !actors[1].x->next);
  p->inlet = taken_meanwhile;
  on(2, deliver_order, l2, NULL, 20);
  EXPECT(deliveries == 2 && state(p) == CILK_TAKEN && actors[2].x->next == &p->h && p->h.worker == workers[2]);
}

SCENARIO(a_result_for_a_parent_in_somebodys_hand_is_queued) {
  frame *child;
  parent_in(CILK_TAKEN);
  child = full(l1, 1, CILK_RETURNED);
  on(1, deliver_order, l1, NULL, 10);
  on(2, deliver_order, l2, NULL, 20);
  EXPECT(deliveries == 0 && p->h.join == 2 && children(p) == 0 && !actors[0].x->signal);
  EXPECT(!l1->child && child);            /* the child is gone: no worker may find it through the link */
  cilk_closure_lock(&p->h);
  cilk_drain(workers[0], &p->h);
  cilk_closure_unlock(&p->h);
  /* in the order in which they returned */
  EXPECT(deliveries == 2 && delivered[0].record == 1 && delivered[1].record == 2 && p->h.join == 0);
}

/* ---- RUNNING ---- */

static frame *running_parent(void) {
  parent_in(CILK_RUNNING);
  cilk_segment_begin(workers[0], &s0, own, &p->h);
  return p;
}

SCENARIO(a_parent_that_runs_a_thread_is_signalled) {
  running_parent();
  push(0, p, 1);
  EXPECT(pop(0, 30) == CILK_CONTINUE);    /* so its place on the deque still names it */
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 0 && p->h.pending == l1 && p->h.join == 2 && signalled(0) && state(p) == CILK_RUNNING);
  push(0, p, 1);
  EXPECT(pop(0, 30) == CILK_CONTINUE);    /* its next pop */
  EXPECT(deliveries == 1 && p->h.join == 1 && !p->h.pending && !actors[0].x->signal && !raised(0));
}

SCENARIO(a_parent_at_a_spawn_is_stolen_by_the_deliverer) {
  running_parent();
  push(0, p, 1);
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 1 && state(p) == CILK_TAKEN && actors[1].x->next == &p->h && p->h.worker == workers[1]);
  EXPECT(p->h.join == 2 && s0.link->parent == &p->h && !s0.full && actors[0].x->head == s0.base + 1);
  /* its present child: queued, p is in worker 1's hand */
  EXPECT(pop(0, 30) == CILK_UNWIND && p->h.pending && !s0.link && deliveries == 1);
}

/* Older entries lie below p: it stays at its place. */
static frame *older;
static void above_older_work(void) {
  cilk_closure *batch[1];
  older = full(&run.link, 0, CILK_READY);
  batch[0] = &older->h;
  cilk_deque_push_ready(workers[0], batch, 1);
  running_parent();
  push(0, p, 1);
}
SCENARIO(a_parent_at_a_spawn_below_older_work_is_parted_where_it_is) {
  above_older_work();
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 1 && state(p) == CILK_READY && !actors[1].x->next && s0.kept && raised(0) && p->h.join == 2);
  EXPECT(pop(0, 30) == CILK_UNWIND && was_delivered(p, 1) && deliveries == 2 && delivered[1].value == 30 &&
         state(p) == CILK_READY);
  cilk_segment_end(workers[0], &s0);
  EXPECT(cilk_deque_pop_ready(workers[0], older ? s0.base - 1 : NULL) == &p->h);
  EXPECT(state(older) == CILK_READY);
}

/* Meanwhile its child has called a procedure from C. */
SCENARIO(a_parent_that_is_parted_below_a_call_from_c_is_missed_by_its_pop) {
  static cilk_segment inner;
  above_older_work();
  cilk_segment_begin(workers[0], &inner, &run.link, NULL);
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 1 && state(p) == CILK_READY && s0.kept);
  cilk_segment_end(workers[0], &inner);
  EXPECT(raised(0) && pop(0, 30) == CILK_UNWIND && deliveries == 2 && state(p) == CILK_READY);
}

/* An abort comes while the deliverer looks for the parent: a link that it marked delivers nothing. */
static void stop_set(void) {
  running_parent();
  push(0, p, 1);
  first(deliver_order, l1, NULL, 10);
}
static bool marked;
static long abort_and_look_order(void *g, void *b, long n) {
  (void)b;
  (void)n;
  cilk_rt_abort(g);
  marked = is_child(p, l1) && l1->aborted;
  return 0;
}
static void abort_and_look(void) {
  marked = false;
  meanwhile(other_worker = 3, abort_and_look_order, grand, NULL, 0);
}
static void marked_or_delivered(void) {
  EXPECT(!marked || deliveries == 0);
  EXPECT(own->aborted && l2->aborted);
  EXPECT(!s0.link || s0.link == own || s0.link->aborted);
  EXPECT(!p->h.lock && !actors[0].x->lock);
}
SCENARIO(an_abort_while_the_deliverer_stops_the_parent) { sweep(1, stop_set, abort_and_look, marked_or_delivered); }

/* ---- at pops above ---- */

static void give_up(frame *f, int v) {
  (void)v;
  cilk_rt_abort(&f->h);
}

static void pending_above(void (*inlet)(frame *, int)) {
  running_parent();
  on(1, deliver_order, l1, NULL, 10);     /* queued and signalled: p runs a thread */
  p->inlet = inlet;
  push(0, p, 1);
  a = attached(7);                        /* which calls a procedure that spawns */
  push(0, a, 1);
}

SCENARIO(a_signalled_pop_delivers_to_a_parent_below) {
  pending_above(NULL);
  EXPECT(pop(0, 5) == CILK_CONTINUE);     /* a's */
  EXPECT(deliveries == 1 && was_delivered(p, 1) && state(p) == CILK_READY && s0.kept && s0.link->parent == &p->h &&
         raised(0));
  /* p's: its child came back like a stolen one's */
  EXPECT(pop(0, 6) == CILK_UNWIND && deliveries == 2 && delivered[1].value == 6);
}

SCENARIO(a_signalled_test_delivers_to_a_parent_below) {
  ctx.lazy = true;
  pending_above(NULL);
  EXPECT(test(0) == CILK_CONTINUE);
  EXPECT(deliveries == 1 && state(p) == CILK_READY && s0.kept && !actors[0].x->signal);
}

/* The thread above has called a computation of its own from C. */
SCENARIO(a_signalled_test_delivers_to_each_parent_below_the_innermost_first) {
  static cilk_segment inner;
  ctx.lazy = true;
  pending_above(NULL);
  frame *q = full(child_of(grand, 0, 8), 0, CILK_RUNNING);
  cilk_link *l3 = child_of(q, 3, 3);
  cilk_segment_begin(workers[0], &inner, q->h.link, &q->h);
  on(1, deliver_order, l3, NULL, 30);     /* queued and signalled, too: q runs a thread */
  push(0, q, 1);
  push(0, attached(7), 1);
  EXPECT(test(0) == CILK_CONTINUE);
  EXPECT(deliveries == 2 && delivered[0].value == 30 && delivered[1].value == 10);
  EXPECT(inner.kept && state(q) == CILK_READY && s0.kept && state(p) == CILK_READY && !actors[0].x->signal);
}

/* The parent runs a thread, which has called a computation from C that has nothing pushed at its test. */
SCENARIO(a_signalled_test_leaves_a_parent_below_that_runs_a_thread) {
  static cilk_segment inner;
  ctx.lazy = true;
  running_parent();
  push(0, p, 1);
  EXPECT(pop(0, 30) == CILK_CONTINUE);    /* so its place on the deque still names it */
  cilk_segment_begin(workers[0], &inner, &run.link, NULL);
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(deliveries == 0 && p->h.pending == l1 && signalled(0));
  EXPECT(test(0) == CILK_CONTINUE && !actors[0].x->signal);
  EXPECT(deliveries == 0 && p->h.pending == l1 && state(p) == CILK_RUNNING && s0.full == &p->h && !s0.kept);
}

SCENARIO(an_abort_in_such_a_delivery_unwinds_what_runs_here) {
  pending_above(give_up);
  EXPECT(pop(0, 5) == CILK_UNWIND && s0.unwinding && deliveries == 1);
}

SCENARIO(an_abort_in_such_a_delivery_unwinds_at_a_test) {
  ctx.lazy = true;
  pending_above(give_up);
  EXPECT(test(0) == CILK_UNWIND && s0.unwinding && deliveries == 1);
}

SCENARIO(a_result_is_skipped_when_a_delivery_before_it_aborted) {
  running_parent();
  on(1, deliver_order, l1, NULL, 10);
  p->inlet = give_up;
  push(0, p, 1);
  EXPECT(pop(0, 30) == CILK_SKIP);        /* the child that returned just now was one of those aborted */
  EXPECT(deliveries == 1 && l2->aborted);
  p->inlet = NULL;
  push(0, p, 1);
  EXPECT(pop(0, 31) == CILK_CONTINUE);
}

/* The parent's pop comes while the deliverer takes it: exactly one of them goes on with it. */
static int popped;
static void pop_meanwhile(void) {
  popped = 30;
  meanwhile(other_worker = 0, pop_order, &popped, NULL, 0);
}
static void one_has_the_parent(void) {
  bool here = actors[0].result == CILK_CONTINUE;
  EXPECT(here == (s0.full == &p->h) && here == (state(p) == CILK_RUNNING));
  /* There: with the deliverer; or with the worker that popped, whose delivery came when it was about to be handed over. */
  EXPECT(here || (state(p) == CILK_TAKEN && (actors[1].x->next == &p->h) != (actors[0].x->next == &p->h)));
  EXPECT(was_delivered(p, 1) || (here && p->h.pending && signalled(0)));
  EXPECT(!p->h.lock && !actors[0].x->lock);
}
SCENARIO(a_pop_while_the_deliverer_stops_the_parent) { sweep(1, stop_set, pop_meanwhile, one_has_the_parent); }

/* Another worker takes the parted parent off the deque while the signalled one still delivers to it. */
static void taken_from_here(frame *f, int v) {
  (void)v;
  EXPECT(state(f) == CILK_DELIVERING && !take(3, 0) && state(f) == CILK_HANDED);
}
SCENARIO(a_parent_below_that_is_taken_during_its_delivery_is_for_all) {
  pending_above(taken_from_here);
  EXPECT(pop(0, 5) == CILK_CONTINUE && deliveries == 1);
  EXPECT(state(p) == CILK_READY && ctx.orphans == &p->h);
}

/* ---- the end of what was aborted ---- */

static long complete_order(void *c, void *b, long n) {
  (void)b;
  (void)n;
  cilk_complete_aborted(cilk_me(), c);
  return 0;
}
SCENARIO(an_aborted_closure_ends_without_what_waits_and_with_its_last_child) {
  running_parent();
  on(1, deliver_order, l1, NULL, 10); /* queued: p runs a thread */
  on(3, abort_order, grand, NULL, 0);
  EXPECT(p->h.pending && p->h.join == 2);
  s0.full = NULL;
  s0.link = NULL;
  cilk_segment_end(workers[0], &s0);
  on(0, complete_order, p, NULL, 0);
  EXPECT(state(p) == CILK_SUSPENDED && !p->h.pending && p->h.join == 1 && grand->h.join == 1);
  on(2, deliver_order, l2, NULL, 20);
  EXPECT(deliveries == 0 && actors[2].x->next == &p->h);
  actors[2].x->next = NULL;
  on(2, complete_order, p, NULL, 0);
  EXPECT(grand->h.join == 0 && !grand->h.children && actors[2].x->next == &grand->h);
}

/* ---- sync ---- */

SCENARIO(a_sync_delivers_what_waits_and_counts_what_is_out) {
  running_parent();
  on(1, deliver_order, l1, NULL, 10);
  EXPECT(on(0, sync_order, p, NULL, 0) == CILK_UNWIND);
  EXPECT(deliveries == 1 && state(p) == CILK_SUSPENDED && p->h.join == 1 && !s0.full && !s0.link);
  on(2, deliver_order, l2, NULL, 20);
  EXPECT(deliveries == 2 && actors[2].x->next == &p->h);
}

/* The last child returns while its parent goes to sleep: one of the two goes on. */
static void sync_set(void) {
  running_parent();
  on(2, deliver_order, l2, NULL, 20);
  cilk_closure_lock(&p->h);
  cilk_drain(workers[0], &p->h);
  cilk_closure_unlock(&p->h);
  deliveries = 0;
  first(sync_order, p, NULL, 0);
}
static void last_child_returns(void) { meanwhile(other_worker = 1, deliver_order, l1, NULL, 10); }
static void one_goes_on(void) {
  bool here = first_result == CILK_CONTINUE, there = actors[1].x->next == &p->h;
  EXPECT(here != there && !actors[0].x->next);
  EXPECT(deliveries == 1 && p->h.join == 0 && !p->h.pending);
  EXPECT(state(p) == (here ? CILK_RUNNING : CILK_TAKEN));
}
SCENARIO(the_last_child_returns_during_a_sync) { sweep(0, sync_set, last_child_returns, one_goes_on); }

/* The same from the child's side: the parent goes to sleep while the deliverer tries to stop it. */
static void last_return_set(void) {
  sync_set();
  first(deliver_order, l1, NULL, 10);
}
static void parent_syncs(void) { meanwhile(other_worker = 0, sync_order, p, NULL, 0); }
static void nothing_waits(void) {
  bool there = actors[1].x->next == &p->h;
  EXPECT(deliveries == 1 && p->h.join == 0 && !p->h.pending && !actors[0].x->next);
  EXPECT(state(p) == (there ? CILK_TAKEN : CILK_RUNNING));
}
SCENARIO(a_parent_syncs_while_its_last_child_returns) { sweep(1, last_return_set, parent_syncs, nothing_waits); }

/* Two children return at once. */
static void two_set(void) {
  parent_in(CILK_SUSPENDED);
  first(deliver_order, l2, NULL, 20);
}
static void both_are_delivered(void) {
  EXPECT(deliveries == 2 && was_delivered(p, 1) && was_delivered(p, 2) && p->h.join == 0 && !p->h.pending);
  EXPECT((actors[1].x->next == &p->h) != (actors[2].x->next == &p->h) && state(p) == CILK_TAKEN);
}
SCENARIO(two_children_return_at_once) { sweep(2, two_set, last_child_returns, both_are_delivered); }

/* ---- VLAs ---- */

static long vla_order(void *closure, void *b, long n) {
  (void)b;
  return (long)cilk_rt_vla(closure, (size_t)n, 16, 1);
}
static long other_vla_order(void *closure, void *b, long n) {
  (void)b;
  return (long)cilk_rt_vla(closure, (size_t)n, 16, 2);
}
static long aligned_vla_order(void *closure, void *b, long align) {
  (void)b;
  return (long)cilk_rt_vla(closure, 100, (size_t)align, 1);
}

SCENARIO(the_vla_of_an_earlier_round_is_kept_while_children_are_out) {
  parent_in(CILK_RUNNING);
  char *first_round = (char *)on(0, vla_order, &p->h, NULL, 100),
       *second_round = (char *)on(0, vla_order, &p->h, NULL, 100);
  EXPECT(first_round + 100 <= second_round || second_round + 100 <= first_round);
  p->h.join = 0;
  char *third = (char *)on(0, vla_order, &p->h, NULL, 100);
  EXPECT(third == first_round || third == second_round); /* no worker can be looking at them */
}

SCENARIO(a_vlas_memory_is_used_again_for_the_same_one_where_it_fits) {
  parent_in(CILK_RUNNING);
  p->h.join = 0;
  char *mine = (char *)on(0, vla_order, &p->h, NULL, 100), *others = (char *)on(0, other_vla_order, &p->h, NULL, 100);
  EXPECT(mine != others && mine == (char *)on(0, vla_order, &p->h, NULL, 90));
  EXPECT(others == (char *)on(0, other_vla_order, &p->h, NULL, 100));
  char *larger = (char *)on(0, vla_order, &p->h, NULL, 5000);
  memset(larger, 1, 5000); /* the checks of the C library find it if there is less */
  for (long align = 64; align <= 4096; align *= 2) EXPECT(on(0, aligned_vla_order, &p->h, NULL, align) % align == 0);
}

/* A result in the closure of the returning procedure: that memory is not reused before the delivery. */
static frame *returns;
static cilk_segment returned;
static long return_own_order(void *f, void *b, long n) {
  (void)b;
  (void)n;
  cilk_rt_return(f, &((frame *)f)->record, sizeof(int));
  return 0;
}
static long reuse_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  if (n) attached(-1);
  else cilk_pool_drain(cilk_me()); /* what it makes next is made of what was given back last */
  return 0;
}
static void return_set(void) {
  on(3, reuse_order, NULL, NULL, 0);
  frame *parent = full(&run.link, 0, CILK_SUSPENDED);
  child_of(parent, 0, 2);
  cilk_link *l = child_of(parent, 0, 1);
  returns = full(l, 0, CILK_RUNNING);
  returns->record = 77;
  cilk_segment_begin(workers[0], &returned, l, &returns->h);
  first(return_own_order, returns, NULL, 0);
}
static void somebody_makes_a_closure(void) { meanwhile(other_worker = 3, reuse_order, NULL, NULL, 1); }
static void the_result_has_come(void) {
  EXPECT(deliveries == 1 && delivered[0].record == 1 && delivered[0].value == 77);
}
SCENARIO(a_result_in_its_closure_is_delivered_whole) {
  sweep(0, return_set, somebody_makes_a_closure, the_result_has_come);
}

/* ---- steps that have an order ---- */

/* The parent is not pushed. The pops that the victim has not counted see the signal, so it is there with the count. */
static long stopped_order(void *victim, void *b, long n) {
  (void)b;
  (void)n;
  return cilk_ordered_stopped(cilk_me(), victim, false);
}
SCENARIO(a_delivery_signals_where_it_counts_pops) {
  static const unsigned char noted[] = {RECORD_STOPPED, 0, 0, 0};
  static cilk_order order;
  order.replay = true;
  order.of[1].note = noted;
  ctx.order = &order;
  EXPECT(!on(1, stopped_order, workers[0], NULL, 0) && actors[0].x->signal);
  ctx.order = NULL;
}
