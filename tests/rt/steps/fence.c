/* The heavy fence where membarrier is missing: a signal to the victim, and its answer. No answer is no fence: the thief
 * has to retreat. */
#include "stage.h"
#include "rt/core/steal/barrier.h"

static long fence_order(void *victim, void *b, long n) {
  (void)b;
  (void)n;
  return __real_cilk_heavy_fence(victim);
}
static bool fence(void) { return on(1, fence_order, workers[0], NULL, 0) != 0; }
static bool answered(void) { return load_seq_cst(&actors[0].x->fence_done) == load_seq_cst(&actors[0].x->fence_asked); }

/* As long as the clock does not move a thief waits for its answer; where it flies there is no time for one. */
static uint64_t still_clock(void) { return 1; }
static uint64_t flying_clock(void) {
  static uint64_t now = 1;
  return now += 1000000000;
}

static void no_membarrier(void) {
  at_clock = still_clock;
  setenv("CILK_NO_MEMBARRIER", "1", 1);
  cilk_heavy_fence_init();
  actors[0].x->fence_asked = actors[0].x->fence_done = 0;
}

/* Other targets' pops fence by themselves. */
static bool symmetric(void) { return cilk_rt_needs_fence != 0; }

SCENARIO(a_victim_that_is_asked_fences_and_says_so) {
  no_membarrier();
  for (uint32_t i = 1; i <= 100 && !symmetric(); i++) EXPECT(fence() && answered() && actors[0].x->fence_done == i);
}

static long block_signal_order(void *a, void *b, long how) {
  sigset_t s;
  (void)a;
  (void)b;
  sigemptyset(&s);
  sigaddset(&s, SIGURG);
  return pthread_sigmask((int)how, &s, NULL);
}
SCENARIO(no_answer_is_no_fence) {
  no_membarrier();
  on(0, block_signal_order, NULL, NULL, SIG_BLOCK);
  if (symmetric()) return;
  at_clock = flying_clock;
  EXPECT(!fence() && !answered());
  EXPECT(!fence() && actors[0].x->fence_asked == 2);
  at_clock = still_clock;
  on(0, block_signal_order, NULL, NULL, SIG_UNBLOCK); /* the handler runs now, late */
  EXPECT(answered() && fence() && answered());
}

/* A thief waits long for the first answer that does not come, and shortly for the next one. */
static unsigned readings;
static uint64_t slow_clock(void) { return ++readings * (CILK_ASK_MAX_NS / 2); }
static unsigned readings_of_a_fence(void) {
  readings = 0;
  EXPECT(!fence());
  return readings;
}
SCENARIO(a_victim_that_does_not_listen_costs_little_time) {
  no_membarrier();
  on(0, block_signal_order, NULL, NULL, SIG_BLOCK);
  if (symmetric()) return;
  at_clock = slow_clock;
  EXPECT(readings_of_a_fence() > 2 * CILK_FENCE_WAIT_NS / CILK_ASK_MAX_NS);
  EXPECT(readings_of_a_fence() < 8 && readings_of_a_fence() < 8);
}

SCENARIO(a_thread_that_is_gone_does_not_answer) {
  no_membarrier();
  int tid = actors[0].x->tid;
  actors[0].x->tid = 0x3fffffff;
  EXPECT(symmetric() || !fence());
  actors[0].x->tid = tid;
  EXPECT(fence());
}

static volatile sig_atomic_t theirs;
static void their_handler(int number) { theirs = number; }
SCENARIO(the_programs_own_handler_is_called_too) {
  signal(SIGURG, their_handler);
  no_membarrier();
  if (symmetric()) return;
  EXPECT(fence() && !theirs); /* a thief's signal is not for the program */
  kill(getpid(), SIGURG);
  for (int i = 0; i < 20000 && !theirs; i++) usleep(1000);
  EXPECT(theirs == SIGURG);
}
