/* Releases of the lazy strategy: the flag, and what becomes of released frames. And the signal that a nested root
 * leaves. */
#include "stage.h"

static cilk_segment s0;
static frame *p, *a;
static cilk_link *own;

static void lazy_segment(void) {
  ctx.lazy = true;
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
}

/* ---- the flag ---- */

/* The flag is up for a thief that has gone; the abort comes while the test looks why. It is seen here, or by the next
 * test. */
static void test_set(void) {
  lazy_segment();
  workers[0]->release = 1;
  first(test_order, NULL, NULL, CILK_AFTER_CALL);
}
static void abort_p(void) { meanwhile(other_worker = 2, abort_order, p, NULL, 0); }
static void seen_now_or_next(void) {
  EXPECT(own->aborted);
  EXPECT(flagged(0));                     /* kept up by an unwinding segment, too */
  EXPECT(first_result == CILK_UNWIND || first_result == CILK_CONTINUE);
  EXPECT(test(0) == CILK_UNWIND && s0.unwinding);
}
SCENARIO(an_abort_during_a_test) { sweep(0, test_set, abort_p, seen_now_or_next); }

/* In a replay all tests come in to pass the turn, and a slice's end is the only thing to see: nothing but `late` is
 * set. */
SCENARIO(a_test_that_passes_the_turn_sees_the_end_of_a_slice) {
  lazy_segment();
  actors[0].x->calm = CILK_FLAG_CALM;
  workers[0]->release = CILK_FLAG_CALM;
  EXPECT(test(0) == CILK_CONTINUE && workers[0]->release == CILK_FLAG_CALM);
  actors[0].x->late = 1;
  EXPECT(test(0) == CILK_CONTINUE && !actors[0].x->late);
  EXPECT(workers[0]->release == CILK_FLAG_CALM);   /* the next one comes in, too */
  actors[0].x->calm = 0;
}

/* ---- publishing ---- */

static frame *chain[3];
static long publish_order(void *segment, void *b, long n) {
  (void)b;
  (void)n;
  cilk_publish_chain(cilk_me(), segment);
  return 0;
}
static void chain_of_three(void) {
  lazy_segment();
  for (int i = 0; i < 3; i++) on(0, release_frame_order, chain[i] = attached(i), NULL, 0);
  cilk_segment_end(workers[0], &s0);
}

SCENARIO(released_frames_are_there_for_thieves_and_the_youngest_goes_on) {
  chain_of_three();
  on(0, publish_order, &s0, NULL, 0);
  EXPECT(actors[0].x->next == &chain[0]->h && state(chain[0]) == CILK_TAKEN);
  EXPECT(chain[2]->h.link == own && own->child == &chain[2]->h && chain[2]->h.join == 1 && chain[1]->h.join == 1 &&
         chain[0]->h.join == 0);
  EXPECT(*(long *)cilk_link_record(chain[0]->h.link) == 1 && !chain[0]->h.link->aborted && !chain[1]->h.link->aborted);
  EXPECT(take(1, 0) == chain[2] && take(1, 0) == chain[1]);
}

/* A thief that finds nothing raises the flag: after the closures were pushed that is a new question, and stays. */
static void publish_set(void) {
  chain_of_three();
  first(publish_order, &s0, NULL, 0);
}
static bool pushed;
static long arm_order(void *a_, void *b, long n) {
  (void)a_;
  (void)b;
  (void)n;
  pushed = load_relaxed(&workers[0]->tail) > s0.base;
  cilk_hunger_arm(cilk_me());
  return 0;
}
static void thief_is_hungry(void) {
  pushed = false;
  meanwhile(other_worker = 1, arm_order, NULL, NULL, 0);
}
static void the_question_stays(void) { EXPECT(!pushed || flagged(0)); }
SCENARIO(a_thief_that_becomes_hungry_during_a_publication_is_heard) {
  sweep(0, publish_set, thief_is_hungry, the_question_stays);
}

/* What waits for the slow clone's own closure is delivered before thieves see it. */
SCENARIO(a_released_slow_clone_gets_what_waits_for_it) {
  ctx.lazy = true;
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  a = full(own, 0, CILK_RUNNING);
  cilk_link *l = child_of(a, 1, 77);
  cilk_segment_begin(workers[0], &s0, own, &a->h);
  on(1, deliver_order, l, NULL, 10);      /* it runs a thread: queued */
  push(0, a, 1);
  on(0, release_frame_order, attached(0), NULL, 0);
  EXPECT(pop(0, 0) == CILK_UNWIND);
  cilk_segment_end(workers[0], &s0);
  on(0, publish_order, &s0, NULL, 0);
  EXPECT(deliveries == 1 && was_delivered(a, 77) && state(a) == CILK_READY && a->h.join == 1);
  EXPECT(*s0.base == &a->h);
}

/* A signal for the code below a nested root may have been consumed in it. */
static void nested_thunk(void *args, void *result) {
  EXPECT(actors[0].x->wait.root && !actors[0].x->next);
  cilk_signal(workers[0]);
  *(int *)result = *(int *)args + 1;
  a = attached(1);
  cilk_closure **t = load_relaxed(&cilk_self.tail);
  *t = &a->h;
  store_release(&cilk_self.tail, t + 1);
  int r = 1;
  EXPECT(pop_order(&r, NULL, 0) == CILK_CONTINUE && !actors[0].x->signal);
}
static const cilk_root nested = {nested_thunk, "nested", sizeof(int), sizeof(int)};
static long call_order(void *args, void *result, long n) {
  (void)n;
  cilk_rt_call_root(NULL, &nested, args, result);
  return 0;
}
SCENARIO(a_nested_root_leaves_a_signal) {
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
  int args = 1, result = 0;
  on(0, call_order, &args, &result, 0);
  EXPECT(result == 2 && signalled(0) && actors[0].x->seg == &s0 && !actors[0].x->wait.root && ctx.nested == 0);
}

/* ---- when a release begins ---- */

static void a_hungry_thief(void) {
  stage_busy(1);
  on(1, arm_order, NULL, NULL, 0);
  EXPECT(flagged(0));
}
SCENARIO(the_tests_of_older_frames_come_in_during_a_release) {
  lazy_segment();
  a_hungry_thief();
  EXPECT(test(0) == CILK_INITIATE && flagged(0) && !s0.releasing);
  on(0, release_frame_order, attached(0), NULL, 0);
  EXPECT(test(0) == CILK_PROPAGATE);
}

SCENARIO(the_pop_of_a_slow_clone_comes_in_during_a_release) {
  ctx.lazy = true;
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  a = full(own, 0, CILK_RUNNING);
  cilk_segment_begin(workers[0], &s0, own, &a->h);
  workers[0]->release = 0;
  a_hungry_thief();
  push(0, a, 1);
  actors[0].x->head = workers[0]->tail;   /* as if thieves could not help themselves: the deque is empty */
  EXPECT(test(0) == CILK_INITIATE);
  actors[0].x->head = s0.base;
  EXPECT(s0.releasing && raised(0) && flagged(0));
}

/* Three frames: two are there for the taking, and a third worker searches. */
SCENARIO(a_thief_that_is_hungry_still_is_answered_again) {
  chain_of_three();
  stage_busy(1);
  ctx.census += 3u << 16;
  on(0, publish_order, &s0, NULL, 0);
  EXPECT(flagged(0));
  stage_reset();
  chain_of_three();
  stage_busy(1);
  ctx.census += 2u << 16;
  on(0, publish_order, &s0, NULL, 0);
  EXPECT(!flagged(0));                    /* that is enough for all searchers */
}
