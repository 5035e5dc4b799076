/* central.c - one queue for all (rt/extensions/sched/central.c). */
#include "play.h"

extern const Cilk_scheduler cilk_sched_central;

TEST(the_oldest_of_all_runs_first) {
  machine(&cilk_sched_central, 2);
  fiber *a = ready(&at[0], NULL, MANY, CILK_WHY_RELEASED), *b = ready(&at[1], NULL, MANY, CILK_WHY_RESUMED),
        *c = ready(&at[0], NULL, MANY, CILK_WHY_ORPHANED);
  EXPECT(sched->next(self, &at[1]) == a, ==, 1);
  EXPECT(sched->find(self, &at[0]) == b, ==, 1);
  EXPECT(sched->next(self, &at[0]) == c, ==, 1);
  EXPECT(sched->next(self, &at[0]) == NULL, ==, 1);
}

TEST(what_is_on_the_deque_comes_when_the_queue_is_empty) {
  machine(&cilk_sched_central, 2);
  fiber *frame = on_deque(&at[0]), *queued = ready(&at[1], NULL, MANY, CILK_WHY_RELEASED);
  EXPECT(sched->next(self, &at[0]) == queued, ==, 1);
  EXPECT(sched->next(self, &at[0]) == frame, ==, 1);
}

TEST(a_vproc_that_finds_nothing_steals) {
  machine(&cilk_sched_central, 2);
  fiber *queued = ready(&at[1], NULL, MANY, CILK_WHY_RELEASED), *frame = stealable = new_fiber(NULL, MANY);
  EXPECT(sched->find(self, &at[0]) == queued, ==, 1);
  EXPECT(sched->find(self, &at[0]) == frame, ==, 1);
  EXPECT(sched->find(self, &at[0]) == NULL, ==, 1);
}

// clang-format off
#define ALL(X) \
  X(the_oldest_of_all_runs_first) X(what_is_on_the_deque_comes_when_the_queue_is_empty) \
  X(a_vproc_that_finds_nothing_steals)
// clang-format on

PLAY(ALL)
