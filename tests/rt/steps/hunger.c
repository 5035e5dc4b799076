/* Hungry thieves and lazy frames: which thief asks, which worker answers, and when a worker exposes all that it has
 * (coarse) or waits for a request (fine). */
#include "stage.h"

static cilk_segment s0;
static frame *p;
static cilk_link *own;
static uint64_t now;
static uint64_t clock_of_ours(void) { return now; }

/* Worker 0 runs lazy frames of a child of p; three others have nothing to do. */
static void lazy_frames(void) {
  ctx.lazy = true;
  ctx.opt.force = CILK_FORCE_OFF;
  p = full(&run.link, 2, CILK_SUSPENDED);
  own = child_of(p, 0, 5);
  cilk_segment_begin(workers[0], &s0, own, NULL);
  stage_busy(1);
  now = 1000000000;
  at_clock = clock_of_ours;
}

static long arm_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_hunger_arm(cilk_me());
  return 0;
}
static long start_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_hunger_start(cilk_me(), now);
  return 0;
}
static int test_at(int point) { return (int)on(0, test_order, NULL, NULL, point); }

SCENARIO(a_hungry_thief_asks_the_workers_that_run_and_no_others) {
  lazy_frames();
  actors[2].x->stats.idle_since = 1;            /* looks for work, too */
  ctx.parked[0] = 1u << 3;                /* sleeps */
  on(1, arm_order, NULL, NULL, 0);
  EXPECT(flagged(0) && !flagged(1) && !flagged(2) && !flagged(3) && actors[0].x->hungry_since == now);
}

/* The first 64 of many workers sleep. Worker 65 looks, and asks worker 64, which runs: workers that sleep do not hide
 * those after them. */
enum { MANY = 66 };
static cilk_worker *many[MANY];
static void many_workers(void) {
  for (int i = 0; i < MANY; i++) many[i] = workers[3];
  many[MANY - 2] = workers[0];
  many[MANY - 1] = workers[1];
  ctx.workers = many;
  ctx.nproc = MANY;
  ctx.parked[0] = UINT64_MAX;
  ctx.parked[1] = 0;
}
static void few_workers(void) {
  ctx.workers = workers;
  ctx.nproc = WORKERS;
  ctx.parked[0] = 0;
}
SCENARIO(a_sleeper_hides_no_worker_from_a_hungry_thief) {
  lazy_frames();
  many_workers();
  on(1, arm_order, NULL, NULL, 0);
  EXPECT(flagged(0) && !flagged(1) && !flagged(3));
  few_workers();
  store_relaxed(&workers[0]->release, 0u);
  workers[2]->release = workers[3]->release = 0;
  ctx.parked[0] = 1u << 0;
  on(1, arm_order, NULL, NULL, 0);
  EXPECT(!flagged(0) && flagged(2) && flagged(3));
}

SCENARIO(a_computation_begins_coarse) {
  lazy_frames();
  on(0, start_order, NULL, NULL, 0);
  EXPECT(actors[0].x->coarse.level && flagged(0));
  EXPECT(test_at(CILK_AFTER_CALL) == CILK_INITIATE || flagged(0));
}

SCENARIO(a_late_answer_makes_coarse) {
  lazy_frames();
  on(1, arm_order, NULL, NULL, 0);
  now += CILK_LATE_NS / 2;
  EXPECT(test_at(CILK_AFTER_CALL) == CILK_INITIATE && !actors[0].x->coarse.level);
  cilk_segment_end(workers[0], &s0);
  stage_reset();
  lazy_frames();
  on(1, arm_order, NULL, NULL, 0);
  now += CILK_LATE_NS + 1;
  EXPECT(test_at(CILK_AFTER_CALL) == CILK_INITIATE && actors[0].x->coarse.level);
}

/* Thieves can help themselves, so nothing is released after a call. */
static void work_on_the_deque(void) {
  cilk_closure *batch[1] = {&full(&run.link, 0, CILK_READY)->h};
  cilk_deque_push_ready(workers[0], batch, 1);
  lazy_frames();
}

SCENARIO(many_tests_in_a_short_time_make_fine) {
  work_on_the_deque();
  on(0, start_order, NULL, NULL, 0);
  for (int i = 1; i < CILK_COARSE_TESTS; i++) {
    EXPECT(test_at(CILK_AFTER_CALL) == CILK_CONTINUE);
    EXPECT(actors[0].x->coarse.level && flagged(0)); /* the flag stays up, so the next test before a spawn exposes */
  }
  EXPECT(test_at(CILK_AFTER_CALL) == CILK_CONTINUE && !actors[0].x->coarse.level && !flagged(0));
}

/* The tests of the computation before do not count. */
SCENARIO(a_computation_begins_the_count_again) {
  work_on_the_deque();
  on(0, start_order, NULL, NULL, 0);
  for (int i = 1; i < CILK_COARSE_TESTS; i++) test_at(CILK_AFTER_CALL);
  on(0, start_order, NULL, NULL, 0);
  for (int i = 1; i < CILK_COARSE_TESTS; i++)
    EXPECT(test_at(CILK_AFTER_CALL) == CILK_CONTINUE && actors[0].x->coarse.level);
  EXPECT(test_at(CILK_AFTER_CALL) == CILK_CONTINUE && !actors[0].x->coarse.level);
}

SCENARIO(tests_that_come_slowly_stay_coarse) {
  work_on_the_deque();
  on(0, start_order, NULL, NULL, 0);
  for (int i = 0; i < 2 * CILK_COARSE_TESTS; i++) {
    now += CILK_COARSE_NS / CILK_COARSE_TESTS + 1;
    EXPECT(test_at(CILK_AFTER_CALL) == CILK_CONTINUE && actors[0].x->coarse.level);
  }
  EXPECT(test_at(CILK_AT_SPAWN) == CILK_INITIATE && flagged(0));
}

SCENARIO(a_sleeper_is_woken_for_what_is_on_the_deque) {
  work_on_the_deque();
  actors[2].x->park = 1;
  ctx.parked[0] = 1u << 2;
  on(1, arm_order, NULL, NULL, 0);
  EXPECT(flagged(0) && test_at(CILK_AFTER_CALL) == CILK_CONTINUE);
  EXPECT(!flagged(0) && actors[2].x->park == 2 && ctx.census >> 16 == 1); /* recruited */
}

SCENARIO(no_thief_is_hungry_any_more) {
  lazy_frames();
  on(1, arm_order, NULL, NULL, 0);
  stage_busy(WORKERS);
  EXPECT(test_at(CILK_AFTER_CALL) == CILK_CONTINUE && !flagged(0));
}

static long resume_order(void *a, void *b, long idle) {
  (void)a;
  (void)b;
  cilk_hunger_resume(cilk_me(), (uint64_t)idle);
  return 0;
}
/* It exposes what it has at its next test, though no thief has asked it since. */
SCENARIO(a_coarse_worker_that_finds_work_stays_coarse) {
  lazy_frames();
  on(0, start_order, NULL, NULL, 0);
  store_relaxed(&workers[0]->release, 0u);
  on(0, resume_order, NULL, NULL, 5);
  EXPECT(actors[0].x->coarse.level && flagged(0));
}

/* ---- places: where a slow clone goes on ---- */

static unsigned clock_reads;
static uint64_t counted_clock(void) {
  clock_reads++;
  return now;
}
static long place_order(void *f, void *b, long n) {
  (void)b;
  (void)n;
  cilk_hunger_place(cilk_me(), f);
  return 0;
}
/* The worker comes to this place of the closure, so many ns after what was before. True: it is coarse there, for a
 * short time. */
static bool coarse_at(uint32_t entry, uint64_t ns) {
  now += ns;
  p->h.entry = entry;
  on(0, place_order, p, NULL, 0);
  bool coarse = actors[0].x->coarse.level;
  EXPECT(coarse == flagged(0));
  for (int i = 0; coarse && i < CILK_COARSE_TESTS; i++) test_at(CILK_AFTER_CALL);
  EXPECT(!actors[0].x->coarse.level);
  return coarse;
}

/* The spawns after it may be long ones, whatever those before were. */
SCENARIO(a_worker_is_coarse_at_a_new_place) {
  const uint64_t some = CILK_COARSE_AGAIN_NS / 4 + 1;
  work_on_the_deque();
  now += 100 * CILK_COARSE_AGAIN_NS;
  EXPECT(coarse_at(1, 0) && coarse_at(2, 0));
  EXPECT(!coarse_at(1, some) && !coarse_at(2, 0) && !coarse_at(1, some) && !coarse_at(1, some));
  EXPECT(coarse_at(1, some) && coarse_at(2, 0) && !coarse_at(1, some));
}

SCENARIO(a_place_that_comes_all_the_time_costs_few_readings_of_the_clock) {
  int coarse = 0;
  work_on_the_deque();
  now += 200 * CILK_COARSE_AGAIN_NS;
  at_clock = counted_clock;
  coarse_at(1, 0);
  clock_reads = 0;
  for (int i = 0; i < 10000; i++) coarse += coarse_at(1, CILK_COARSE_AGAIN_NS / 1000);
  EXPECT(coarse >= 7 && coarse <= 10);
#ifdef CILK_DEBUG
  unsigned each = 2; /* rt/core/observe/inside.c notes when the scheduler was called */
#else
  unsigned each = 1;
#endif
  EXPECT(clock_reads < 200u + each * (unsigned)coarse * (CILK_COARSE_TESTS + 1));
}

SCENARIO(the_next_spawn_after_a_sync_is_at_a_new_place) {
  lazy_frames();
  now += 300 * CILK_COARSE_AGAIN_NS;
  cilk_segment_end(workers[0], &s0);
  p = full(&run.link, 0, CILK_RUNNING);
  p->h.entry = 2;
  cilk_segment_begin(workers[0], &s0, &run.link, &p->h);
  EXPECT(on(0, sync_order, p, NULL, 0) == CILK_CONTINUE && actors[0].x->coarse.level && flagged(0));
}

static uint32_t over;
static bool began_coarse;
static void note_mode(frame *f) {
  int value = 0;
  began_coarse = cilk_self.ext->coarse.level;
  store_seq_cst(&over, 1u);
  cilk_rt_return(&f->h, &value, sizeof value);
}
SCENARIO(what_a_thief_has_taken_goes_on_at_a_new_place) {
  lazy_frames();
  now += 400 * CILK_COARSE_AGAIN_NS;
  cilk_segment_end(workers[0], &s0);
  over = 0;
  p = full(&run.link, 1, CILK_TAKEN);
  p->thread = note_mode;
  actors[1].x->next = &p->h;
  on(1, schedule_order, &over, NULL, 0);
  EXPECT(began_coarse);
}
