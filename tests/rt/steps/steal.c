/* Stealing: what a thief gets, what its victim is left with, and which of them wins when both want the same entry. */
#include "stage.h"

static cilk_segment s0;
static frame *a, *b;
static cilk_link *own;
static frame *grand;

/* Worker 0 runs a child of `grand`; its fast clones a and b have spawned. */
static void two_fast_frames(void) {
  grand = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(grand, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
  a = attached(1);
  b = attached(2);
  push(0, a, 1);
  push(0, b, 1);
}

SCENARIO(a_stolen_fast_frame_is_full_and_its_child_has_a_link) {
  two_fast_frames();
  a->h.aborts = 7;                        /* what was left in its memory */
  EXPECT(take(1, 0) == a);
  EXPECT(state(a) == CILK_TAKEN && a->h.worker == workers[1] && a->h.link == own && own->child == &a->h &&
         a->h.aborts == 0);
  EXPECT(a->h.join == 1 && children(a) == 1 && s0.link == a->h.children && s0.link->parent == &a->h && !s0.link->child);
  EXPECT(*(long *)cilk_link_record(s0.link) == 1);
  EXPECT(take(1, 0) == b && b->h.link->parent == &a->h && a->h.children->child == &b->h && s0.link->parent == &b->h);
  EXPECT(workers[0]->exc == s0.base + 2);   /* both pops ask the runtime */
}

SCENARIO(the_result_of_a_stolen_frames_child_is_delivered_once) {
  two_fast_frames();
  take(1, 0);
  take(1, 0);
  b->h.state = CILK_SUSPENDED;            /* its thief has come to a sync */
  EXPECT(pop(0, 42) == CILK_UNWIND);
  EXPECT(deliveries == 1 && delivered[0].to == b && delivered[0].record == 2 && delivered[0].value == 42);
  EXPECT(actors[0].x->next == &b->h && state(b) == CILK_TAKEN);
  EXPECT(!s0.link);
  EXPECT(pop(0, 43) == CILK_UNWIND);      /* a's pop: the base link is used up */
  EXPECT(deliveries == 1 && a->h.join == 1);
}

SCENARIO(a_pop_of_the_entry_at_the_head_is_kept) {
  two_fast_frames();
  EXPECT(take(1, 0) == a);
  cilk_signal(workers[0]);
  EXPECT(pop(0, 1) == CILK_CONTINUE && deliveries == 0 && state(b) == CILK_ATTACHED);
}

/* ---- the claim ---- */

static int value;
static bool popped;

static void owner_pops(cilk_worker *victim) {
  EXPECT(victim == workers[0]);
  /* the claim: a pop of the head from here on asks the runtime */
  EXPECT(load_relaxed(&workers[0]->exc) > actors[0].x->head);
  if (popped) return;
  popped = true;
  value = 3;
  meanwhile(0, pop_order, &value, NULL, 0);
}

/* While a thief claims, E is what it would be without forced steals and turns (exc of the extension), too. */
static void also_noted(cilk_worker *victim) {
  EXPECT(actors[0].x->exc == load_relaxed(&victim->exc) && actors[0].x->exc == actors[0].x->head + 1);
}

/* A fast clone's only entry: only after the fence does the thief know whether it was popped. */
static void one_fast_frame(void) {
  popped = false;
  grand = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(grand, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
  a = attached(1);
  push(0, a, 1);
}

SCENARIO(a_fast_frame_is_claimed_before_the_fence_and_looked_at_after_it) {
  one_fast_frame();
  popped = true;
  at_fence = owner_pops;
  EXPECT(steal(1, 0) == a && fences == 1);
}

SCENARIO(a_claim_is_noted_beside_e) {
  one_fast_frame();
  at_fence = also_noted;
  EXPECT(steal(1, 0) == a && fences == 1 && actors[0].x->exc == workers[0]->exc);
}

SCENARIO(an_entry_popped_during_the_fence_stays_its_owners) {
  one_fast_frame();
  at_fence = owner_pops;
  EXPECT(!steal(1, 0) && fences == 1 && popped);
  EXPECT(finish_order(0) == CILK_CONTINUE);   /* it met the claim, waited for the lock, and found its entry */
  EXPECT(state(a) == CILK_ATTACHED && actors[0].x->head == s0.base && workers[0]->exc == s0.base);
}

SCENARIO(the_entry_of_a_slow_clone_needs_no_heavy_fence) {
  grand = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(grand, 0, 5);
  a = full(own, 0, CILK_RUNNING);
  cilk_segment_begin(workers[0], &s0, own, &a->h);
  push(0, a, 1);
  EXPECT(steal(1, 0) == a && fences == 0);
  EXPECT(state(a) == CILK_TAKEN && !s0.full && s0.link == a->h.children && a->h.worker == workers[1]);
}

/* Worker 1 steals what worker 0 may be popping: exactly one of them has it, after every instruction of the other. */
static frame *got;
static void steal_fenced(void) {
  grand = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(grand, 0, 5);
  a = full(own, 0, CILK_RUNNING);
  cilk_segment_begin(workers[0], &s0, own, &a->h);
  push(0, a, 1);
  first(steal_order, workers[0], NULL, 0);
}
static void pop_meanwhile(void) {
  value = 9;
  meanwhile(other_worker = 0, pop_order, &value, NULL, 0);
}
static void one_has_it(void) {
  got = (frame *)first_result;
  int verdict = (int)actors[0].result;
  EXPECT(!got || got == a);
  EXPECT((verdict == CILK_CONTINUE) == !got);
  EXPECT(state(a) == (got ? CILK_TAKEN : CILK_RUNNING));
  EXPECT(a->h.join == (got ? 1 : 0));     /* stolen: the result waits, queued */
  EXPECT(!got || (a->h.pending && children(a) == 0 && *(int *)cilk_link_result(a->h.pending) == 9));
  EXPECT(!actors[0].x->lock && !a->h.lock);
}
SCENARIO(a_pop_during_a_steal) { sweep(1, steal_fenced, pop_meanwhile, one_has_it); }

/* ---- asking ---- */

static int clock_calls, answer_at;

/* ask() reads the clock once before it waits and then after every eighth look. The victim's next pop comes at one of
 * these. */
static uint64_t clock_with_answer(void) {
  if (self != &actors[1]) return 1;
  if (++clock_calls == answer_at) {
    value = 7;
    meanwhile(0, pop_order, &value, NULL, 0);
  }
  return clock_calls <= 1 ? 1 : UINT64_MAX;   /* and then the time is over */
}

static void asked_and_answered(int at) {
  two_fast_frames();
  clock_calls = 0;
  answer_at = at;
  at_clock = clock_with_answer;
  frame *f = steal(1, 0);
  EXPECT(clock_calls >= at);
  EXPECT(finish_order(0) == CILK_CONTINUE);
  EXPECT(f == a && state(a) == CILK_TAKEN && a->h.worker == workers[1]);
  EXPECT(fences == 0 && !actors[0].x->requester && actors[0].x->head == s0.base + 1);
  EXPECT(s0.link && s0.link->parent == &a->h);
}

SCENARIO(an_answer_to_a_thief_is_taken) { asked_and_answered(1); }
SCENARIO(an_answer_that_comes_when_the_time_is_over_is_taken) { asked_and_answered(2); }

SCENARIO(a_frame_whose_child_is_done_is_not_given_away) {
  one_fast_frame();
  cilk_worker_lock(workers[0]);
  actors[0].x->requester = workers[1];
  cilk_exc_update(workers[0]);
  cilk_worker_unlock(workers[0]);
  EXPECT(pop(0, 1) == CILK_CONTINUE);
  EXPECT(state(a) == CILK_ATTACHED && !actors[0].x->requester && actors[1].x->gift);   /* refused */
}

SCENARIO(nothing_of_a_segment_that_unwinds_is_given_away) {
  two_fast_frames();
  push(0, attached(3), 1);
  on(3, abort_order, grand, NULL, 0);
  EXPECT(pop(0, 1) == CILK_UNWIND && s0.unwinding);
  actors[1].x->gift = NULL;
  cilk_worker_lock(workers[0]);
  actors[0].x->requester = workers[1];
  cilk_exc_update(workers[0]);
  cilk_worker_unlock(workers[0]);
  EXPECT(pop(0, 1) == CILK_UNWIND && state(a) == CILK_ATTACHED);   /* b's: a is below it */
  EXPECT(actors[1].x->gift && actors[1].x->gift != &a->h && !actors[0].x->requester);
}

/* What is below the segment is there for the taking. */
SCENARIO(the_end_of_a_segment_answers_a_thief) {
  frame *below = full(&run.link, 0, CILK_READY);
  cilk_closure *batch[1] = {&below->h};
  cilk_deque_push_ready(workers[0], batch, 1);
  cilk_segment_begin(workers[0], &s0, child_of(full(&run.link, 2, CILK_SUSPENDED), 0, 5), NULL);
  actors[1].x->gift = NULL;
  cilk_worker_lock(workers[0]);
  actors[0].x->requester = workers[1];
  cilk_exc_update(workers[0]);
  cilk_worker_unlock(workers[0]);
  cilk_segment_end(workers[0], &s0);
  EXPECT(actors[1].x->gift == &below->h && state(below) == CILK_TAKEN && below->h.worker == workers[1] &&
         !actors[0].x->requester);
}

SCENARIO(a_signal_and_a_request_raise_the_next_pop) {
  one_fast_frame();
  EXPECT(!raised(0) && !flagged(0));
  cilk_signal(workers[0]);
  EXPECT(raised(0) && flagged(0) && actors[0].x->signal);
  EXPECT(pop(0, 1) == CILK_CONTINUE && !actors[0].x->signal && !raised(0));
  cilk_worker_lock(workers[0]);
  actors[0].x->requester = workers[1];
  cilk_exc_update(workers[0]);
  cilk_worker_unlock(workers[0]);
  EXPECT(raised(0));
}

SCENARIO(a_test_answers_a_thief) {
  ctx.lazy = true;
  two_fast_frames();
  actors[1].x->gift = NULL;
  cilk_worker_lock(workers[0]);
  actors[0].x->requester = workers[1];
  cilk_exc_update(workers[0]);
  cilk_worker_unlock(workers[0]);
  cilk_flag_raise(workers[0]);
  test(0);
  EXPECT(actors[1].x->gift == &a->h && state(a) == CILK_TAKEN && !actors[0].x->requester);
}

SCENARIO(one_thief_at_a_time) {
  two_fast_frames();
  cilk_worker_lock(workers[0]);           /* somebody else works on this deque */
  EXPECT(!steal(1, 0) && actors[0].x->head == s0.base);
  actors[0].x->requester = workers[2];    /* ... and has asked */
  cilk_exc_update(workers[0]);
  cilk_worker_unlock(workers[0]);
  EXPECT(!steal(1, 0) && actors[0].x->requester == workers[2] && fences == 0 && raised(0));
}

/* The thief waits for a nested root of which the entry is no part. E is put back, so that the victim's pop goes on
 * unseen. */
SCENARIO(an_attempt_that_failed_leaves_no_trace) {
  static cilk_root_run nested;
  one_fast_frame();
  nested = run;
  nested.outer = &run;
  actors[1].x->wait.root = &nested;
  EXPECT(!steal(1, 0) && fences == 1);
  EXPECT(!raised(0) && !actors[0].x->requester && !actors[0].x->lock && actors[0].x->head == s0.base);
}

/* ---- between segments ---- */

SCENARIO(the_owner_pops_ready_closures_that_were_not_taken) {
  cilk_closure **floor = workers[0]->tail, *batch[2];
  a = full(&run.link, 0, CILK_READY);
  b = full(&run.link, 0, CILK_READY);
  batch[0] = &a->h;
  batch[1] = &b->h;
  cilk_deque_push_ready(workers[0], batch, 2);
  EXPECT(take(1, 0) == a && state(a) == CILK_TAKEN);
  EXPECT(cilk_deque_pop_ready(workers[0], floor) == &b->h && state(b) == CILK_TAKEN && b->h.worker == workers[0]);
  EXPECT(!cilk_deque_pop_ready(workers[0], floor));
  EXPECT(workers[0]->tail == floor && actors[0].x->head == floor);
}

SCENARIO(what_was_all_stolen_is_not_popped_again) {
  cilk_closure **floor = workers[0]->tail, *batch[2];
  a = full(&run.link, 0, CILK_READY);
  b = full(&run.link, 0, CILK_READY);
  batch[0] = &a->h;
  batch[1] = &b->h;
  cilk_deque_push_ready(workers[0], batch, 2);
  EXPECT(take(1, 0) == a && take(2, 0) == b);
  EXPECT(!cilk_deque_pop_ready(workers[0], floor));
  EXPECT(b->h.worker == workers[2] && state(b) == CILK_TAKEN);
  EXPECT(workers[0]->tail == floor && actors[0].x->head == floor && !raised(0));
}

SCENARIO(a_signal_before_a_segment_is_for_the_code_in_it) {
  cilk_signal(workers[0]);
  /* a test of the segment below has seen the flag; the signal is not consumed */
  workers[0]->release = 0;
  grand = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(grand, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
  EXPECT(signalled(0));
}

SCENARIO(the_end_of_an_aborted_segment_takes_the_flag_down) {
  two_fast_frames();
  on(2, abort_order, grand, NULL, 0);
  EXPECT(pop(0, 1) == CILK_UNWIND && flagged(0));   /* up: the tests of the older frames have to unwind */
  EXPECT(pop(0, 1) == CILK_UNWIND);
  actors[0].x->signal = 0;
  cilk_segment_end(workers[0], &s0);
  EXPECT(!flagged(0) && !raised(0));
}
