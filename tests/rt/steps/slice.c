/* The end of a slice, or of a wait, that comes while a pop or a test looks for something else: it is asked about there,
 * or at the next one. */
#include "stage.h"
#include "rt/extensions/calls/start.h"

static cilk_segment s0;
static uint32_t over; /* what worker 0 waits for below */

/* Worker 0 has a fast frame, whose pop raises, and whose test comes in: it was signalled. */
static void a_signalled_frame(void) {
  over = 0;
  cilk_segment_begin(workers[0], &s0, child_of(full(&run.link, 2, CILK_SUSPENDED), 0, 5), NULL);
  push(0, attached(1), 1);
  actors[0].x->late = 0;
  actors[0].x->wait.until = NULL;
  cilk_signal(workers[0]);
}
static void at_a_pop(void) {
  static int value;
  a_signalled_frame();
  first(pop_order, &value, NULL, 0);
}
static void at_a_test(void) {
  a_signalled_frame();
  first(test_order, NULL, NULL, CILK_AFTER_CALL);
}
static void at_a_pop_above_a_wait(void) {
  at_a_pop();
  actors[0].x->wait.until = &over;
}

static long hurry_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_hurry(workers[0]);
  return 0;
}
static void the_slice_ends(void) { meanwhile(other_worker = 1, hurry_order, NULL, NULL, 0); }
static void asked_or_raised(void) { EXPECT(!actors[0].x->late || (actors[0].x->signal && raised(0) && flagged(0))); }
SCENARIO(a_slice_ends_during_a_pop) { sweep(0, at_a_pop, the_slice_ends, asked_or_raised); }
SCENARIO(a_slice_ends_during_a_test) { sweep(0, at_a_test, the_slice_ends, asked_or_raised); }

static long over_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  store_seq_cst(&over, 1u);
  cilk_signal(workers[0]);
  return 0;
}
static void the_wait_is_over(void) { meanwhile(other_worker = 1, over_order, NULL, NULL, 0); }
/* Left: the frame is given up. */
static void left_or_raised(void) {
  EXPECT(first_result == CILK_UNWIND || (actors[0].x->signal && raised(0)));
  actors[0].x->wait.until = NULL;
}
SCENARIO(a_wait_is_over_during_a_pop) { sweep(0, at_a_pop_above_a_wait, the_wait_is_over, left_or_raised); }

/* A wait for a computation that is over: what runs next is there again afterwards, and a signal that was for what is
 * below is given again. */
static long wait_order(void *m, void *b, long n) {
  (void)b;
  (void)n;
  cilk_wait_loop(cilk_me(), m, &over);
  return 0;
}
SCENARIO(a_wait_leaves_a_signal_and_what_runs_next) {
  static cilk_computation computation;
  static cilk_group group;
  a_signalled_frame();
  static int value;
  EXPECT(on(0, pop_order, &value, NULL, 0) == CILK_CONTINUE && !actors[0].x->signal); /* it was consumed */
  over = 1;
  group.node.ctx = &ctx;
  group.node.outer = &run;
  computation.group = &group;
  frame *f = full(&run.link, 0, CILK_TAKEN);
  actors[0].x->next = &f->h;
  on(0, wait_order, &computation, NULL, 0);
  EXPECT(actors[0].x->next == &f->h && state(f) == CILK_TAKEN && !ctx.orphans && !actors[0].x->wait.root);
  EXPECT(signalled(0) && computation.waiter == workers[0] && !actors[0].x->wait.until);
}
