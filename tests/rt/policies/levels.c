/* levels.c - pools by level (rt/extensions/sched/levels.c): the owner runs the deepest, thieves get the shallowest. */
#include "play.h"

extern const Cilk_scheduler cilk_sched_levels;

static fiber *at_level(int v, int level, unsigned only) {
  fiber *f = new_fiber(NULL, MANY);
  f->level = level;
  f->only = only;
  sched->ready(self, &at[v], f, CILK_WHY_RELEASED);
  return f;
}

TEST(the_owner_runs_the_deepest) {
  machine(&cilk_sched_levels, 2);
  fiber *middle = at_level(0, 7, 0), *deep = at_level(0, 62, 0), *shallow = at_level(0, 0, 0);
  EXPECT(sched->next(self, &at[0]) == deep, ==, 1);
  EXPECT(sched->next(self, &at[0]) == middle, ==, 1);
  EXPECT(sched->next(self, &at[0]) == shallow, ==, 1);
  EXPECT(sched->next(self, &at[0]) == NULL, ==, 1);
}

TEST(thieves_get_the_shallowest) {
  machine(&cilk_sched_levels, 3);
  fiber *middle = at_level(0, 7, 0), *deep = at_level(0, 62, 0), *shallow = at_level(0, 0, 0),
        *frame = stealable = new_fiber(NULL, MANY);
  by_chance = 1;
  EXPECT(sched->next(self, &at[2]) == NULL, ==, 1);
  EXPECT(sched->find(self, &at[2]) == shallow, ==, 1);
  EXPECT(sched->find(self, &at[2]) == middle, ==, 1);
  EXPECT(sched->find(self, &at[2]) == deep, ==, 1);
  EXPECT(sched->find(self, &at[2]) == frame, ==, 1);
  EXPECT(sched->find(self, &at[2]) == NULL, ==, 1);
}

TEST(of_one_level_the_youngest_comes_first) {
  machine(&cilk_sched_levels, 1);
  fiber *old = at_level(0, 3, 0), *young = at_level(0, 3, 0);
  EXPECT(sched->next(self, &at[0]) == young, ==, 1);
  EXPECT(sched->next(self, &at[0]) == old, ==, 1);
}

TEST(levels_beyond_the_last_share_it) {
  machine(&cilk_sched_levels, 2);
  fiber *one = at_level(0, 63, 0), *other = at_level(0, 100000, 0);
  EXPECT(sched->next(self, &at[0]) == other, ==, 1);
  EXPECT(sched->find(self, &at[1]) == one, ==, 1);
}

TEST(what_a_vproc_may_not_run_stays) {
  machine(&cilk_sched_levels, 2);
  fiber *others = at_level(0, 1, 1), *mine = at_level(0, 2, 0), *hidden = at_level(0, 2, 1);
  EXPECT(sched->find(self, &at[1]) == mine, ==, 1);
  EXPECT(sched->find(self, &at[1]) == NULL, ==, 1);
  EXPECT(sched->next(self, &at[0]) == hidden, ==, 1);
  EXPECT(sched->next(self, &at[0]) == others, ==, 1);
}

TEST(the_deque_comes_last) {
  machine(&cilk_sched_levels, 1);
  fiber *frame = on_deque(&at[0]), *pooled = at_level(0, 0, 0);
  EXPECT(sched->next(self, &at[0]) == pooled, ==, 1);
  EXPECT(sched->next(self, &at[0]) == frame, ==, 1);
}

// clang-format off
#define ALL(X) \
  X(the_owner_runs_the_deepest) X(thieves_get_the_shallowest) X(of_one_level_the_youngest_comes_first) \
  X(levels_beyond_the_last_share_it) X(what_a_vproc_may_not_run_stays) X(the_deque_comes_last)
// clang-format on

PLAY(ALL)
