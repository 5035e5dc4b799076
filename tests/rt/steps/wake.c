/* Sleeping and waking: a worker that has nothing to do goes to sleep, and something comes up. Sleeps have no timeout
 * here (stage.h): a wake-up that is lost is a worker that sleeps for ever. */
#include "stage.h"
#include "rt/core/steal/halt.h"

#include <cilk-blocking.h>

static frame *p;
static uint32_t flag;

/* Time flies for the worker that searches, so that it does so briefly. */
static uint64_t hasty_clock(void) {
  static uint64_t now = 1;
  return now += 1000000;
}

static void one_idle_worker(void) {
  ctx.nproc = 2;                          /* one victim is enough */
  stage_busy(2);
  at_clock = hasty_clock;
  flag = 0;
}

/* Worker 1 looks for work, until `flag`. */
static long find_order(void *until, void *b, long n) {
  (void)b;
  (void)n;
  return (long)ctx.policy->idle(cilk_me(), until, 1);
}

/* ---- work ---- */

static void search_set(void) {
  one_idle_worker();
  p = full(&run.link, 0, CILK_TAKEN);
  first(find_order, &flag, NULL, 0);
}
static long orphan_order(void *f, void *b, long n) {
  (void)b;
  (void)n;
  cilk_orphan(cilk_me(), f);
  return 0;
}
static void orphan_comes(void) { meanwhile(other_worker = 0, orphan_order, p, NULL, 0); }
static void it_has_p(void) {
  EXPECT((frame *)first_result == p && state(p) == CILK_TAKEN && p->h.worker == workers[1] && !ctx.orphans);
}
SCENARIO(an_orphan_comes_when_a_worker_goes_to_sleep) { sweep(1, search_set, orphan_comes, it_has_p); }

/* What a thief stole was small, often; then it ran something longer (in this clock anything takes a millisecond): it
 * does not pause any more. */
SCENARIO(the_first_longer_piece_ends_a_thiefs_pauses) {
  one_idle_worker();
  actors[1].x->search.small = CILK_SMALL_MOST;
  actors[1].x->search.found_at = 1;
  on(0, orphan_order, p = full(&run.link, 0, CILK_TAKEN), NULL, 0);
  EXPECT((frame *)on(1, find_order, &flag, NULL, 0) == p && actors[1].x->search.small == 0);
}

/* Released frames: the same for what is published on a deque. */
static cilk_segment s0;
static frame *old, *young;
static void released_set(void) {
  one_idle_worker();
  ctx.lazy = true;
  p = full(&run.link, 2, CILK_SUSPENDED);
  cilk_segment_begin(workers[0], &s0, child_of(p, 0, 5), NULL);
  on(0, release_frame_order, young = attached(0), NULL, 0);
  on(0, release_frame_order, old = attached(1), NULL, 0);
  cilk_segment_end(workers[0], &s0);
  first(find_order, &flag, NULL, 0);
}
static long publish_order(void *segment, void *b, long n) {
  (void)b;
  (void)n;
  cilk_publish_chain(cilk_me(), segment);
  return 0;
}
static void frames_come(void) { meanwhile(other_worker = 0, publish_order, &s0, NULL, 0); }
static void it_has_the_oldest(void) {
  EXPECT((frame *)first_result == old && state(old) == CILK_TAKEN && actors[0].x->next == &young->h);
}
SCENARIO(released_frames_come_when_a_worker_goes_to_sleep) { sweep(1, released_set, frames_come, it_has_the_oldest); }

/* ---- nested roots ---- */

static int value;
static long finish_root_order(void *link, void *b, long n) {
  (void)b;
  (void)n;
  value = 4;
  cilk_root_finish(link, &value, sizeof value);
  return 0;
}
/* Worker 1 waits for a nested root that has been stolen; worker 0 completes it. */
static cilk_root_run nested;
static int nested_value;
static void nested_set(void) {
  one_idle_worker();
  nested = run;
  nested.nested = true;
  nested.outer = &run;
  nested.result = &nested_value;
  nested.link.root = &nested;
  nested.link.worker = workers[1];
  actors[1].x->wait.root = &nested;
  nested_value = 0;
  first(find_order, &nested.done, NULL, 0);
}
static void nested_ends(void) { meanwhile(other_worker = 0, finish_root_order, &nested.link, NULL, 0); }
static void its_value_is_there(void) {
  EXPECT(first_result == 0 && nested.done && nested_value == 4 && ctx.ended == 0);
}
SCENARIO(a_nested_root_ends_when_its_worker_goes_to_sleep) { sweep(1, nested_set, nested_ends, its_value_is_there); }

/* A part of it becomes ready: only its own worker may look for nothing else, so its own worker is woken. */
static void part_set(void) {
  nested_set();
  p = full(&nested.link, 0, CILK_TAKEN);
}
static void it_has_the_part(void) { EXPECT((frame *)first_result == p && p->h.worker == workers[1]); }
SCENARIO(a_part_of_a_nested_root_comes_when_its_worker_goes_to_sleep) {
  sweep(1, part_set, orphan_comes, it_has_the_part);
}

/* ---- a chain: a worker that finds something wakes the next ---- */

enum { AWAKE, PARKED, RECRUITED };

/* Worker i sleeps, and anybody may wake it. */
static void sleeps(int i) {
  actors[i].x->park = PARKED;
  ctx.parked[0] |= 1u << i;
}
static bool recruited(int i) { return actors[i].x->park == RECRUITED; }

static long search_order(void *a, void *b, long found) {
  (void)a;
  (void)b;
  cilk_search_begin(cilk_me());
  cilk_search_end(cilk_me(), found != 0);
  return 0;
}
SCENARIO(a_worker_that_finds_something_wakes_the_next) {
  stage_busy(2);
  sleeps(2);
  sleeps(3);
  on(1, search_order, NULL, NULL, 0);
  EXPECT(!recruited(2) && !recruited(3));
  on(1, search_order, NULL, NULL, 1);
  EXPECT(recruited(2) && !recruited(3) && ctx.census >> 16 == 1);   /* one, which is counted already */
  on(1, search_order, NULL, NULL, 1);
  EXPECT(!recruited(3));                  /* it searches: that is enough */
}

/* It is the only one that wakes up by itself, so it sleeps on where another one can search. */
SCENARIO(the_watcher_is_woken_last) {
  stage_busy(2);
  sleeps(1);
  sleeps(2);
  sleeps(3);
  ctx.watcher = 1 + 1;
  on(0, search_order, NULL, NULL, 1);
  EXPECT(!recruited(1) && recruited(2) && !recruited(3));
  stage_busy(2);
  sleeps(1);
  ctx.watcher = 1 + 1;
  on(0, search_order, NULL, NULL, 1);
  EXPECT(recruited(1));
}

SCENARIO(a_watcher_that_finds_something_has_a_successor) {
  stage_busy(2);
  ctx.processors = 1;                     /* so no worker is woken for work alone */
  sleeps(2);
  on(1, search_order, NULL, NULL, 1);
  EXPECT(recruited(2));                   /* there was no watcher */
  stage_busy(2);
  ctx.processors = 1;
  sleeps(2);
  ctx.watcher = 3 + 1;
  on(1, search_order, NULL, NULL, 1);
  EXPECT(!recruited(2));
  ctx.watcher = 1 + 1;
  on(1, search_order, NULL, NULL, 1);
  EXPECT(recruited(2) && ctx.watcher == 0);
}

static long park_order(void *a, void *b, long listed) {
  (void)a;
  (void)b;
  cilk_park(cilk_me(), listed != 0);
  return 0;
}
SCENARIO(a_worker_woken_to_search_that_rests_sends_another) {
  stage_busy(1);
  ctx.census += 1u << 16;
  actors[1].x->search.counted = true;            /* worker 1 was recruited */
  sleeps(2);
  on(1, park_order, NULL, NULL, 0);
  EXPECT(recruited(2) && !actors[1].x->search.counted);
}

/* Worker 0 has counted a searcher, but finds no worker to wake; meanwhile worker 2 falls asleep and worker 3 publishes
 * something, relying on that searcher. */
static void stale_set(void) {
  stage_busy(2);
  ctx.parked[0] = 1u << 1;                /* worker 1 is awake again by itself */
  first(orphan_order, p = full(&run.link, 0, CILK_TAKEN), NULL, 0);
}
static long announce_order(void *a, void *b, long n) {
  static const cilk_waiting nobody = {.n = 0};
  (void)a;
  (void)b;
  (void)n;
  cilk_announce(&ctx, &nobody);
  return 0;
}
static void one_parks_one_publishes(void) {
  on(2, park_order, NULL, NULL, 1);
  on(3, announce_order, NULL, NULL, 0);
}
static void worker_2_comes(void) { EXPECT(recruited(2) && ctx.census >> 16 == 1); }
SCENARIO(a_worker_parks_while_no_other_was_found_to_wake) {
  sweep(0, stale_set, one_parks_one_publishes, worker_2_comes);
}

/* ---- halts ---- */

static long stop_end_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_stop_end(&ctx);
  return 0;
}
/* What worker 1 would run next, and its free closures, are where others find them while it is stopped. */
SCENARIO(a_worker_that_halts_has_nothing_at_hand) {
  stage_busy(2);
  flag = 0;
  cilk_worker_ext *x = actors[1].x;
  p = full(&run.link, 1, CILK_TAKEN);
  x->next = &p->h;
  x->floor = NULL;
  x->halt = CILK_HALT_STOP;
  ctx.stops = 7;
  cilk_closure *kept = cilk_pool_alloc(CILK_FREE_UNIT);
  kept->next = workers[1]->free_list[0];
  workers[1]->free_list[0] = kept;
  meanwhile(1, schedule_order, &flag, NULL, 0);
  EXPECT(!actors[1].done && actors[1].sleeps_on == &x->halt && x->halted == 7);
  EXPECT(!x->next && ctx.orphans == &p->h && state(p) == CILK_READY);
  for (int k = 0; k < CILK_FREE_CLASSES; k++) EXPECT(!workers[1]->free_list[k] && !x->freed.list[k]);
  ctx.orphans = NULL;
  flag = 1;
  on(0, stop_end_order, NULL, NULL, 0);
  finish_order(1);
}

/* ---- spares ---- */

static void one_spare(void) {
  stage_busy(2);
  ctx.spares = 1;                         /* worker 3 */
  ctx.blocked = 0;
  flag = 0;
  for (int i = 0; i < WORKERS; i++) actors[i].x->blocking = 0;
}
static long rest_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_rest(cilk_me(), &flag, 1);
  return 0;
}
static long block_order(void *a, void *b, long begins) {
  (void)a;
  (void)b;
  if (begins) Cilk_blocking_begin();
  else Cilk_blocking_end();
  return 0;
}
static void rest_set(void) {
  one_spare();
  first(rest_order, NULL, NULL, 0);
}
static void somebody_blocks(void) { on(0, block_order, NULL, NULL, 1); }
static void the_spare_has_a_place(void) {
  EXPECT(!cilk_must_rest(workers[3]) && ctx.blocked == 1 && (ctx.census & 0xffff) == 1);
}
SCENARIO(somebody_blocks_when_a_spare_goes_to_rest) { sweep(3, rest_set, somebody_blocks, the_spare_has_a_place); }

SCENARIO(a_spare_rests_when_no_worker_blocks) {
  one_spare();
  EXPECT(cilk_must_rest(workers[3]) && !cilk_must_rest(workers[2]));
  on(0, block_order, NULL, NULL, 1);
  on(1, block_order, NULL, NULL, 1);
  on(1, block_order, NULL, NULL, 0);
  EXPECT(!cilk_must_rest(workers[3]));
  on(0, block_order, NULL, NULL, 0);
  EXPECT(cilk_must_rest(workers[3]) && ctx.census == 2);
}

/* A worker that blocks, or comes back, is at every moment either blocked or busy: all that runs is counted (cilk_freeze). */
static long freeze_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  bool all_still = cilk_freeze(cilk_me());
  if (all_still) cilk_thaw(cilk_me());
  return all_still;
}
static void block_set(void) {
  one_spare();
  ctx.census = 1;
  first(block_order, NULL, NULL, 1);
}
static void come_back_set(void) {
  one_spare();
  ctx.census = 0;
  ctx.blocked = actors[0].x->blocking = 1;
  first(block_order, NULL, NULL, 0);
}
static void somebody_freezes(void) { EXPECT(!on(1, freeze_order, NULL, NULL, 0)); }
static void all_is_as_it_was(void) { EXPECT(!ctx.frozen); }
SCENARIO(a_worker_that_blocks_is_counted_all_the_time) { sweep(0, block_set, somebody_freezes, all_is_as_it_was); }
SCENARIO(a_worker_that_comes_back_is_counted_all_the_time) {
  sweep(0, come_back_set, somebody_freezes, all_is_as_it_was);
}

/* The spare goes to rest, and is given a place in the end, so that it comes back. */
static void rests(void) {
  meanwhile(3, rest_order, NULL, NULL, 0);
  bool others = recruited(1);
  on(0, block_order, NULL, NULL, 1);
  finish_order(3);
  EXPECT(others);
}

SCENARIO(a_spare_without_a_place_passes_on_what_it_was_woken_for) {
  one_spare();
  ctx.census = 1 + (1u << 16);
  actors[3].x->search.counted = true;
  sleeps(1);
  on(3, find_order, &flag, NULL, 0);
  rests();
}

/* All processors were busy when it published something, so that no worker was woken; or it was the watcher. */
static void busy_spare(void) {
  one_spare();
  ctx.processors = 1;
  ctx.watcher = 0;
  sleeps(1);
  on(3, announce_order, NULL, NULL, 0);
  EXPECT(!recruited(1));
}
SCENARIO(a_spare_that_rests_leaves_what_it_published_to_another) {
  busy_spare();
  rests();
}
SCENARIO(a_worker_that_blocks_leaves_what_it_published_to_another) {
  busy_spare();
  ctx.blocked = 9;
  ctx.spares = 1;
  on(3, block_order, NULL, NULL, 1);
  EXPECT(recruited(1));
}

/* ---- a worker is woken by name ---- */

static bool awake(int i) { return actors[i].x->park == AWAKE; }
static long open_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_open(&ctx);
  return 0;
}
SCENARIO(a_computation_that_takes_longer_calls_a_thief) {
  stage_busy(1);
  ctx.open = 0;
  sleeps(2);
  sleeps(3);
  on(0, open_order, NULL, NULL, 0);
  EXPECT(ctx.open && recruited(2) && !recruited(3) && ctx.census == 1 + (1u << 16));
}
SCENARIO(a_computation_that_takes_longer_wakes_the_watcher_of_before) {
  stage_busy(1);
  ctx.open = 0;
  sleeps(2);
  sleeps(3);
  ctx.watcher = 3 + 1;
  on(0, open_order, NULL, NULL, 0);
  EXPECT(ctx.open && awake(3) && !recruited(2));
}

SCENARIO(all_are_woken_where_too_many_wait_for_nested_roots) {
  static cilk_root_run nest[CILK_WAITING_NAMES + 1];
  cilk_waiting many;
  stage_busy(1);
  for (int i = 0; i <= CILK_WAITING_NAMES; i++) {
    nest[i].nested = true;
    nest[i].outer = i ? &nest[i - 1] : NULL;
    nest[i].link.worker = workers[0];
  }
  cilk_waiting_for(&many, &ctx, &nest[CILK_WAITING_NAMES]);
  actors[2].x->park = actors[3].x->park = PARKED; /* not listed: they wait for nested roots */
  cilk_announce(&ctx, &many);
  EXPECT(awake(2) && awake(3));
}

/* Its period is long; another one with a shorter one goes to sleep. */
static long watch_order(void *a, void *b, long n) {
  uint64_t period = 0;
  (void)a;
  (void)b;
  (void)n;
  return (long)cilk_watch(cilk_me(), cilk_now_ns(), &period);
}
SCENARIO(a_slow_watcher_is_replaced_and_a_quick_one_is_not) {
  stage_busy(1);
  ctx.watcher = 3 + 1;
  EXPECT(on(1, watch_order, NULL, NULL, 0) == 0 && ctx.watcher == 3 + 1);
  ctx.watcher = (1u << 31) | (3 + 1);
  EXPECT(on(1, watch_order, NULL, NULL, 0) > 0 && ctx.watcher == 1 + 1);
  EXPECT(on(1, watch_order, NULL, NULL, 0) > 0 && ctx.watcher == 1 + 1);
}

static uint64_t now, period;
static uint64_t clock_of_ours(void) { return now; }
static long period_order(void *a, void *b, long idle) {
  (void)a;
  (void)b;
  return (long)cilk_watch(cilk_me(), now - (uint64_t)idle, &period);
}
/* The period doubles up to the longest; after long idleness it is a part of that; where all processors are busy it is
 * the long one, and begins again afterwards. */
SCENARIO(a_watchers_period_follows_what_there_is_to_do) {
  stage_busy(1);
  ctx.processors = 2;
  ctx.watcher = 0;
  at_clock = clock_of_ours;
  now = 100000000000;
  period = 0;
  for (uint64_t ns = CILK_SLEEP_MIN_NS; ns <= CILK_SLEEP_MAX_NS; ns *= 2)
    EXPECT(on(1, period_order, NULL, NULL, 1000) == (long)ns);
  EXPECT(on(1, period_order, NULL, NULL, 1000) == CILK_SLEEP_MAX_NS);
  EXPECT(on(1, period_order, NULL, NULL, 5000000000) == 5000000000 / CILK_SLEEP_PART);
  EXPECT(on(1, period_order, NULL, NULL, 50000000000) == CILK_SLEEP_IDLE_NS);
  ctx.processors = 1;
  EXPECT(on(1, period_order, NULL, NULL, 1000) == CILK_SLEEP_LONG_NS);
  ctx.processors = 2;
  EXPECT(on(1, period_order, NULL, NULL, 1000) == CILK_SLEEP_MIN_NS);
}

static long begin_search_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return cilk_search_begin(cilk_me());
}
SCENARIO(a_worker_that_waits_for_a_nested_root_is_not_relied_on) {
  stage_busy(2);
  EXPECT(on(1, begin_search_order, NULL, NULL, 0) && ctx.census == 1 + (1u << 16));
  stage_busy(2);
  actors[1].x->wait.root = &run;
  EXPECT(on(1, begin_search_order, NULL, NULL, 0) && ctx.census == 1 && !actors[1].x->search.counted);
}

/* The next computation began after it had seen the end of the one before: the caller found this watcher, and woke no
 * other worker. */
static long give_up_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_search_end(cilk_me(), false);
  return 0;
}
SCENARIO(a_watcher_that_leaves_for_the_next_computation_has_a_successor) {
  stage_busy(1);
  sleeps(2);
  ctx.watcher = 1 + 1;
  ctx.begun = 7;
  ctx.ended = 6;
  on(1, give_up_order, NULL, NULL, 0);
  EXPECT(recruited(2) && ctx.watcher == 0);
  stage_busy(1);
  sleeps(2);
  ctx.watcher = 1 + 1;
  ctx.ended = 7;
  on(1, give_up_order, NULL, NULL, 0);
  EXPECT(!recruited(2) && ctx.watcher == 0);
}

/* Worker 0 searches still in the computation before, which ends, and a caller begins the next one. Worker 0 will run
 * the next one. So worker 2 is woken, whatever the caller found: worker 0 counted as a searcher, or on its last look, or
 * asleep as the watcher. */
static void end_of_a_computation(void) {
  one_idle_worker();
  ctx.nproc = WORKERS;
  stage_busy(1); /* worker 0, which begins to search */
  ctx.begun = 1;
  sleeps(2);
  first(find_order, &ctx.ended, NULL, 0);
}
static void the_next_one_begins(void) {
  store_seq_cst(&ctx.ended, 1u);
  store_seq_cst(&ctx.open, 0u);
  store_seq_cst(&ctx.begun, 2u);
  on(3, open_order, NULL, NULL, 0);
}
static void a_thief_comes_to_it(void) {
  EXPECT(first_result == 0 && recruited(2) && ctx.census == 1 + (1u << 16) && ctx.watcher == 0);
  actors[2].x->park = AWAKE;
}
SCENARIO(a_call_comes_when_worker_0_searches_still) {
  sweep_by(7, 0, end_of_a_computation, the_next_one_begins, a_thief_comes_to_it);
}

SCENARIO(other_workers_that_leave_for_the_next_computation_come_to_it) {
  stage_busy(1);
  sleeps(2);
  ctx.census += 1u << 16;
  actors[1].x->search.counted = true;
  ctx.begun = 7;
  ctx.ended = 6;
  on(1, give_up_order, NULL, NULL, 0);
  EXPECT(!recruited(2)); /* else each of many would wake the next */
}

/* A recruiter took worker 1's bit, and woke it when it waited for a nested root, which is over. */
SCENARIO(a_late_recruit_sends_another_though_it_found_nothing) {
  stage_busy(1);
  sleeps(2);
  ctx.census += 1u << 16;
  actors[1].x->search.counted = true;
  actors[1].x->search.waits = true;
  on(1, give_up_order, NULL, NULL, 0);
  EXPECT(recruited(2) && !actors[1].x->search.counted);
}

/* Recruited between two computations, it has something to run at once in the next one: it does not search. */
static void note_the_census(frame *f) {
  int value = 0;
  EXPECT(recruited(2) && !actors[1].x->search.counted && ctx.census == 1 + (1u << 16));
  store_seq_cst(&flag, 1u);
  cilk_rt_return(&f->h, &value, sizeof value);
}
SCENARIO(a_recruit_that_need_not_search_sends_another) {
  stage_busy(1);
  flag = 0;
  sleeps(2);
  ctx.census += 1u << 16;
  actors[1].x->search.counted = true;
  p = full(&run.link, 1, CILK_TAKEN);
  p->thread = note_the_census;
  actors[1].x->next = &p->h;
  on(1, schedule_order, &flag, NULL, 0);
  EXPECT(flag == 1);
}

/* Woken to search it finds nothing, and sleeps again: no worker relies on it any more. */
static void recruited_in_vain(void) {
  one_idle_worker();
  meanwhile(1, find_order, &flag, NULL, 0);
  EXPECT(ctx.census == 1); /* worker 0 runs something */
  sem_init(&actors[1].event, 0, 0);
  on(0, announce_order, NULL, NULL, 0);
  await_event(1);
}
static long unpark_order(void *w, void *b, long n) {
  (void)b;
  (void)n;
  cilk_unpark(w);
  return 0;
}
SCENARIO(a_worker_woken_to_search_is_counted_until_it_sleeps_again) {
  recruited_in_vain();
  EXPECT(ctx.census == 1 && actors[1].sleeps_on && actors[1].x->stats.count[CILK_N_WOKEN]);
  flag = 1;
  on(0, unpark_order, workers[1], NULL, 0);
  finish_order(1);
  EXPECT(ctx.census == 2 && !actors[1].x->search.counted && !ctx.parked[0]);
}
