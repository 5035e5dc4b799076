/* lastvictim.c - thieves that go back to where they found something (rt/extensions/sched/lastvictim.c). */
#include "play.h"

extern const Cilk_scheduler cilk_sched_lastvictim;

TEST(a_thief_goes_back) {
  machine(&cilk_sched_lastvictim, 4);
  fiber *old = on_deque(&at[2]), *young = on_deque(&at[2]), *first = on_deque(&at[0]);
  by_chance = 2;
  EXPECT(sched->find(self, &at[3]) == first, ==, 1);     /* it begins with its neighbour */
  EXPECT(sched->find(self, &at[3]) == old, ==, 1);       /* the neighbour has nothing any more */
  by_chance = 0;
  on_deque(&at[0]);
  n_tried = 0;
  EXPECT(sched->find(self, &at[3]) == young, ==, 1);
  EXPECT(n_tried == 1 && tried[0] == 2, ==, 1);
}

TEST(a_thief_that_finds_nothing_has_tried_all) {
  machine(&cilk_sched_lastvictim, 4);
  by_chance = 3;
  fiber *last = on_deque(&at[2]);
  EXPECT(sched->find(self, &at[1]) == last, ==, 1);
  EXPECT(sched->find(self, &at[1]) == NULL, ==, 1);
  EXPECT(n_tried, ==, 1 + 1 + 4);
  fiber *new = on_deque(&at[0]);
  EXPECT(sched->find(self, &at[1]) == new, ==, 1);
}

// clang-format off
#define ALL(X) X(a_thief_goes_back) X(a_thief_that_finds_nothing_has_tried_all)
// clang-format on

PLAY(ALL)
