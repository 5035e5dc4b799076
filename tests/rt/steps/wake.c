/* Sleeping and waking: a worker that has nothing to do goes to sleep, and something comes up. Sleeps have no timeout here (stage.h): a wake-up
 * that is lost is a worker that sleeps for ever. */
#include "stage.h"

static frame *p;
static uint32_t flag;

/* Time flies for the worker that searches, so that it does so briefly. */
static uint64_t hasty_clock(void)
{
  static uint64_t now = 1;
  return now += 1000000;
}

static void one_idle_worker(void)
{
  ctx.nproc = 2;                          /* one victim is enough */
  stage_busy(2);
  at_clock = hasty_clock;
  flag = 0;
}

/* Worker 1 looks for work, until `flag`. */
static long find_order(void *until, void *b, long n)
{
  (void)b;
  (void)n;
  return (long)ctx.policy->idle(cilk_me(), until, 1);
}

/* ---- work ---- */

static void search_set(void)
{
  one_idle_worker();
  p = full(&run.link, 0, CILK_TAKEN);
  first(find_order, &flag, NULL, 0);
}
static long orphan_order(void *f, void *b, long n)
{
  (void)b;
  (void)n;
  cilk_orphan(cilk_me(), f);
  return 0;
}
static void orphan_comes(void) { meanwhile(other_worker = 0, orphan_order, p, NULL, 0); }
static void it_has_p(void) { EXPECT((frame *)first_result == p && state(p) == CILK_TAKEN && p->h.worker == workers[1] && !ctx.orphans); }
SCENARIO(an_orphan_comes_when_a_worker_goes_to_sleep) { sweep(1, search_set, orphan_comes, it_has_p); }

/* Released frames: the same for what is published on a deque. */
static cilk_segment s0;
static frame *old, *young;
static void released_set(void)
{
  one_idle_worker();
  ctx.lazy = true;
  p = full(&run.link, 2, CILK_SUSPENDED);
  cilk_segment_begin(workers[0], &s0, child_of(p, 0, 5), NULL);
  on(0, release_frame_order, young = attached(0), NULL, 0);
  on(0, release_frame_order, old = attached(1), NULL, 0);
  cilk_segment_end(workers[0], &s0);
  first(find_order, &flag, NULL, 0);
}
static long publish_order(void *segment, void *b, long n)
{
  (void)b;
  (void)n;
  cilk_publish_chain(cilk_me(), segment);
  return 0;
}
static void frames_come(void) { meanwhile(other_worker = 0, publish_order, &s0, NULL, 0); }
static void it_has_the_oldest(void) { EXPECT((frame *)first_result == old && state(old) == CILK_TAKEN && actors[0].x->next == &young->h); }
SCENARIO(released_frames_come_when_a_worker_goes_to_sleep) { sweep(1, released_set, frames_come, it_has_the_oldest); }

/* ---- nested roots ---- */

static int value;
static long finish_root_order(void *link, void *b, long n)
{
  (void)b;
  (void)n;
  value = 4;
  cilk_root_finish(link, &value, sizeof value);
  return 0;
}
/* Worker 1 waits for a nested root that has been stolen; worker 0 completes it. */
static cilk_root_run nested;
static int nested_value;
static void nested_set(void)
{
  one_idle_worker();
  nested = run;
  nested.nested = true;
  nested.outer = &run;
  nested.result = &nested_value;
  nested.link.root = &nested;
  nested.link.worker = workers[1];
  actors[1].x->waiting = &nested;
  nested_value = 0;
  first(find_order, &nested.done, NULL, 0);
}
static void nested_ends(void) { meanwhile(other_worker = 0, finish_root_order, &nested.link, NULL, 0); }
static void its_value_is_there(void) { EXPECT(first_result == 0 && nested.done && nested_value == 4 && ctx.ended == 0); }
SCENARIO(a_nested_root_ends_when_its_worker_goes_to_sleep) { sweep(1, nested_set, nested_ends, its_value_is_there); }

/* A part of it becomes ready: only its own worker may look for nothing else, so that one is woken. */
static void part_set(void)
{
  nested_set();
  p = full(&nested.link, 0, CILK_TAKEN);
}
static void it_has_the_part(void) { EXPECT((frame *)first_result == p && p->h.worker == workers[1]); }
SCENARIO(a_part_of_a_nested_root_comes_when_its_worker_goes_to_sleep) { sweep(1, part_set, orphan_comes, it_has_the_part); }
