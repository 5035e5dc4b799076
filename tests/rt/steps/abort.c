/* Abort: what is marked, which worker is signalled, what a marked piece does next. The mark must reach what becomes full while
 * the walk is on its way. */
#include "stage.h"
#include "rt/core/protocol/abort.h"

extern void cilk_rt_exit(int status); /* declared by <cilk.h> */

static cilk_segment s0, s1;
static frame *p, *a, *b, *c;
static cilk_link *own, *l1, *l2;

static void abort_p(void) { meanwhile(other_worker = 2, abort_order, p, NULL, 0); }

/* p, at a sync, has a child on worker 0, whose fast clones a and b have spawned. */
static void fast_frames(void) {
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
  a = attached(1);
  b = attached(2);
  push(0, a, 1);
  push(0, b, 1);
}

/* The same, but the child is a slow clone's, which has spawned. */
static void slow_frame(void) {
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  a = full(own, 0, CILK_RUNNING);
  cilk_segment_begin(workers[0], &s0, own, &a->h);
  push(0, a, 1);
}

/* ---- the walk ---- */

SCENARIO(all_workers_below_are_signalled_and_no_other) {
  fast_frames();
  l1 = child_of(p, 1, 6); /* runs a slow clone on worker 1 */
  c = full(l1, 1, CILK_RUNNING);
  cilk_segment_begin(workers[1], &s1, l1, &c->h);
  on(2, abort_order, p, NULL, 0);
  EXPECT(own->aborted && l1->aborted && !run.link.aborted);
  EXPECT(signalled(0) && signalled(1));
  EXPECT(!actors[2].x->signal && !actors[3].x->signal);
  EXPECT(p->h.join == 2 && state(p) == CILK_SUSPENDED && state(c) == CILK_RUNNING && p->h.aborts == 1);
}

SCENARIO(the_walk_goes_into_children_and_comes_back) {
  p = full(&run.link, 2, CILK_SUSPENDED);
  cilk_link *last = child_of(p, 3, 1); /* the lists begin with the youngest */
  l1 = child_of(p, 0, 2);
  a = full(l1, 0, CILK_SUSPENDED);
  cilk_link *deep_last = child_of(a, 1, 3);
  l2 = child_of(a, 0, 4);
  b = full(l2, 0, CILK_SUSPENDED);
  cilk_link *deepest = child_of(b, 0, 5);
  on(2, abort_order, p, NULL, 0);
  EXPECT(last->aborted && l1->aborted && deep_last->aborted && l2->aborted && deepest->aborted);
  EXPECT(signalled(0) && signalled(1) && signalled(3) && !actors[2].x->signal);
  EXPECT(!p->h.lock && !a->h.lock && !b->h.lock);
}

SCENARIO(an_abort_spares_relatives) {
  frame *grand = full(&run.link, 2, CILK_SUSPENDED);
  l1 = child_of(grand, 1, 1);
  l2 = child_of(grand, 0, 2);
  p = full(l2, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 3);
  on(2, abort_order, p, NULL, 0);
  EXPECT(own->aborted && !l1->aborted && !l2->aborted && signalled(0) && !actors[1].x->signal);
}

SCENARIO(results_that_wait_are_dropped_by_an_abort) {
  p = full(&run.link, 2, CILK_TAKEN);
  l1 = child_of(p, 0, 1);
  own = child_of(p, 0, 2);
  on(0, deliver_order, l1, NULL, 11); /* p is in somebody's hand: queued */
  EXPECT(deliveries == 0 && p->h.pending == l1 && !l1->child && p->h.join == 2);
  on(2, abort_order, p, NULL, 0);
  EXPECT(!p->h.pending && p->h.join == 1 && own->aborted);
  cilk_closure_lock(&p->h);
  cilk_drain(workers[2], &p->h);
  cilk_closure_unlock(&p->h);
  EXPECT(deliveries == 0);
}

/* ---- the mark and what becomes full ---- */

static void steal_set(void) {
  fast_frames();
  first(take_order, workers[0], NULL, 0);
}
static void slow_steal_set(void) {
  slow_frame();
  first(take_order, workers[0], NULL, 0);
}
static void stolen_child_is_marked(void) {
  EXPECT(
      (frame *)first_result == a && state(a) == CILK_TAKEN && a->h.link == own && own->child == &a->h && own->aborted);
  EXPECT(children(a) == 1 && a->h.children == s0.link && s0.link->aborted);
  EXPECT(signalled(0)); /* what is left on worker 0's stack has to unwind */
  EXPECT(!p->h.lock && !a->h.lock && !actors[0].x->lock);
}
SCENARIO(an_abort_during_the_steal_of_a_fast_frame) { sweep(1, steal_set, abort_p, stolen_child_is_marked); }
SCENARIO(an_abort_during_the_steal_of_a_slow_frame) { sweep(1, slow_steal_set, abort_p, stolen_child_is_marked); }

static long keep_order(void *segment, void *victim, long n) {
  (void)n;
  cilk_worker_lock(victim);
  cilk_keep_bottom(victim, segment);
  cilk_exc_update(victim);
  cilk_worker_unlock(victim);
  return 0;
}
static void keep_set(void) {
  slow_frame();
  first(keep_order, &s0, workers[0], 0);
}
static void kept_child_is_marked(void) {
  EXPECT(state(a) == CILK_DELIVERING && s0.kept && !s0.full && raised(0));
  EXPECT(children(a) == 1 && a->h.children == s0.link && s0.link->aborted && signalled(0));
}
SCENARIO(an_abort_during_parting_in_place) { sweep(1, keep_set, abort_p, kept_child_is_marked); }

/* Three released frames, a the oldest. */
static frame *chain[3];
static long publish_order(void *segment, void *b_, long n) {
  (void)b_;
  (void)n;
  cilk_publish_chain(cilk_me(), segment);
  return 0;
}
static void publish_set(void) {
  ctx.lazy = true;
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
  for (int i = 0; i < 3; i++) on(0, release_frame_order, chain[i] = attached(i), NULL, 0);
  cilk_segment_end(workers[0], &s0);
  first(publish_order, &s0, NULL, 0);
}
static void published_links_are_marked(void) {
  EXPECT(own->aborted && own->child == &chain[2]->h && chain[2]->h.link == own);
  for (int i = 0; i < 2; i++)
    EXPECT(chain[i]->h.link->aborted && chain[i]->h.link->parent == &chain[i + 1]->h &&
           chain[i]->h.link->child == &chain[i]->h);
  EXPECT(actors[0].x->next == &chain[0]->h && state(chain[0]) == CILK_TAKEN);
  EXPECT(state(chain[1]) == CILK_READY && state(chain[2]) == CILK_READY);
  EXPECT(s0.base[0] == &chain[2]->h && s0.base[1] == &chain[1]->h && workers[0]->tail == s0.base + 2);
}
SCENARIO(an_abort_during_the_publication_of_released_frames) {
  sweep(0, publish_set, abort_p, published_links_are_marked);
}

/* The same above a slow clone, whose own closure becomes the oldest of the chain. */
static void publish_slow_set(void) {
  ctx.lazy = true;
  slow_frame();
  s0.releasing = 1;
  for (int i = 0; i < 2; i++) on(0, release_frame_order, chain[i] = attached(i), NULL, 0);
  cilk_worker_lock(workers[0]);
  cilk_exc_update(workers[0]);
  cilk_worker_unlock(workers[0]);
  EXPECT(pop(0, 0) == CILK_UNWIND && s0.chain_full && s0.chain_old == &a->h);
  chain[2] = a;
  cilk_segment_end(workers[0], &s0);
  first(publish_order, &s0, NULL, 0);
}
SCENARIO(an_abort_during_the_release_above_a_slow_frame) {
  sweep(0, publish_slow_set, abort_p, published_links_are_marked);
}

/* ---- what marked pieces do ---- */

SCENARIO(a_marked_segment_unwinds_at_its_next_pop) {
  fast_frames();
  on(2, abort_order, p, NULL, 0);
  EXPECT(pop(0, 1) == CILK_UNWIND && s0.unwinding && flagged(0) && raised(0));
  EXPECT(!steal(1, 0) && state(a) == CILK_ATTACHED); /* nor is what is left stolen */
  EXPECT(pop(0, 1) == CILK_UNWIND);
  EXPECT(deliveries == 0 && p->h.join == 1); /* the scheduler drops the link when the segment has ended */
  EXPECT(!steal(1, 0));
}

SCENARIO(a_marked_segment_unwinds_at_its_next_test) {
  ctx.lazy = true;
  fast_frames();
  on(2, abort_order, p, NULL, 0);
  EXPECT(test(0) == CILK_UNWIND && s0.unwinding && raised(0));
  EXPECT(flagged(0) && test(0) == CILK_UNWIND);
}

SCENARIO(a_marked_procedure_unwinds_at_its_sync) {
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  a = full(own, 0, CILK_RUNNING);
  cilk_segment_begin(workers[0], &s0, own, &a->h);
  on(2, abort_order, p, NULL, 0);
  EXPECT(on(0, sync_order, a, NULL, 0) == CILK_UNWIND && s0.unwinding && state(a) == CILK_RUNNING && s0.full == &a->h);
}

/* The scheduler's loop on worker 0, with `a` in hand. p's other child is none, so p is resumed when a is gone, and ends
 * the loop. */
static uint32_t over;
static bool a_ran;
static void a_thread(frame *f) { EXPECT(f != a); } /* is not to be run */
static void p_thread(frame *f) {
  EXPECT(f == p && p->h.join == 0);
  store_release(&over, 1u);
  cilk_worker_lock(workers[0]); /* as if it had been suspended */
  actors[0].x->seg->full = NULL;
  actors[0].x->seg->link = NULL;
  cilk_worker_unlock(workers[0]);
}
static void in_hand(void) {
  over = 0;
  a_ran = false;
  p = full(&run.link, 2, CILK_SUSPENDED);
  p->thread = p_thread;
  own = child_of(p, 0, 5);
  a = full(own, 0, CILK_TAKEN);
  a->thread = a_thread;
  actors[0].x->next = &a->h;
}

SCENARIO(a_marked_closure_in_hand_is_completed_not_run) {
  in_hand();
  on(2, abort_order, p, NULL, 0);
  on(0, schedule_order, &over, NULL, 0);
  EXPECT(!a_ran && deliveries == 0 && p->h.join == 0);
}

/* An abort comes just before a runs: then a is completed, or the signal is there. */
static void run_thread(frame *f) {
  EXPECT(f == a);
  a_ran = true;
  cilk_worker_lock(workers[0]); /* what is left of it elsewhere */
  actors[0].x->seg->full = NULL;
  actors[0].x->seg->link = NULL;
  cilk_worker_unlock(workers[0]);
  store_release(&over, 1u);
}
static void run_set(void) {
  in_hand();
  a->thread = run_thread;
  first(schedule_order, &over, NULL, 0);
}
static void completed_or_signalled(void) {
  EXPECT(own->aborted || !a_ran);
  EXPECT(!a_ran || actors[0].x->signal);
  EXPECT(a_ran || p->h.join == 0);
}
SCENARIO(an_abort_when_a_closure_begins_to_run) { sweep(0, run_set, abort_p, completed_or_signalled); }

SCENARIO(an_aborted_suspended_closure_ends_with_its_last_child) {
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  a = full(own, 0, CILK_SUSPENDED);
  l1 = child_of(a, 0, 1);
  l2 = child_of(a, 0, 2);
  on(2, abort_order, p, NULL, 0);
  on(0, deliver_order, l1, NULL, 1);
  EXPECT(deliveries == 0 && state(a) == CILK_SUSPENDED && a->h.join == 1 && !actors[0].x->next);
  on(0, deliver_order, l2, NULL, 2);
  EXPECT(deliveries == 0 && actors[0].x->next == &a->h && state(a) == CILK_TAKEN && a->h.join == 0);
  EXPECT(p->h.join == 1);
}

/* Worker 1 ends the child of a while the walk is below: whatever is first, the links that the walk still needs are
 * there. */
static void walk_set(void) {
  p = full(&run.link, 2, CILK_SUSPENDED);
  l2 = child_of(p, 3, 1); /* comes last in the walk */
  own = child_of(p, 0, 5);
  a = full(own, 0, CILK_SUSPENDED);
  l1 = child_of(a, 1, 2);
  first(abort_order, p, NULL, 0);
}
static long end_order(void *link, void *f, long n) {
  deliver_order(link, NULL, n);
  cilk_worker_ext *x = cilk_me()->ext;
  cilk_closure *next = x->next;
  EXPECT(!next || next == f);
  x->next = NULL;
  if (next && load_seq_cst(&next->link->aborted)) cilk_complete_aborted(cilk_me(), next);
  /* What was freed is used again at once. */
  for (int i = 0; i < 3; i++) memset(cilk_pool_alloc(sizeof(frame)), 0xaa, sizeof(frame));
  return 0;
}
static void end_child(void) { meanwhile(other_worker = 1, end_order, l1, a, 1); }
static void the_walk_was_complete(void) { EXPECT(l2->aborted && actors[3].x->signal && p->h.children && !p->h.lock); }
SCENARIO(a_child_ends_while_the_walk_is_on_its_way) { sweep(2, walk_set, end_child, the_walk_was_complete); }

/* ---- from outside of the tree ---- */

SCENARIO(a_worker_that_runs_what_is_cancelled_is_notified) {
  p = full(&run.link, 1, CILK_RUNNING);
  l1 = child_of(p, 0, 1);
  cilk_abort_all(&ctx, &p->h);
  EXPECT(l1->aborted && signalled(0) && signalled(1) && !actors[2].x->signal && !p->h.lock);
}

static long exit_order(void *a_, void *b_, long status) {
  (void)a_;
  (void)b_;
  cilk_rt_exit((int)status);
  return 0;
}
SCENARIO(an_exit_reaches_all_and_the_first_one_counts) {
  fast_frames();
  on(1, exit_order, NULL, NULL, 3);
  EXPECT(ctx.exiting && ctx.exit_status == 3);
  for (int i = 0; i < WORKERS; i++) EXPECT(signalled(i));
  on(2, exit_order, NULL, NULL, 4);
  EXPECT(ctx.exit_status == 3);
  EXPECT(pop(0, 1) == CILK_UNWIND && deliveries == 0);
}
