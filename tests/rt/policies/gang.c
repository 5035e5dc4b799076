/* gang.c - a team's steps (rt/extensions/sched/gang.c): what waits for the barrier, which vprocs have arrived, and
 * which ones are notified when it is passed. */
#include "play.h"

extern const Cilk_scheduler cilk_sched_gang;

static fiber *asks(int v)                      /* what the vproc runs next */
{
  fiber *f = sched->next(self, &at[v]);
  return f ? f : sched->find(self, &at[v]);
}

/* One piece runs on each of two vprocs, and a third one, which they make possible, waits for the next step. */
static fiber *first, *second, *later;
static void begin(void) {
  machine(&cilk_sched_gang, 2);
  first = ready(&at[0], NULL, MANY, CILK_WHY_STARTED);
  EXPECT(asks(0) == first, ==, 1);
  second = ready(&at[0], NULL, MANY, CILK_WHY_RELEASED);
  EXPECT(asks(1) == second, ==, 1);
  later = ready(&at[0], NULL, MANY, CILK_WHY_RESUMED);
}

TEST(a_step_begins_when_all_have_arrived) {
  begin();
  EXPECT(asks(0) == NULL, ==, 1);              /* its piece is over; the other's is not */
  EXPECT(asks(0) == NULL, ==, 1);
  EXPECT(asks(1) == later, ==, 1);
}

TEST(a_computation_begins_with_a_step) {
  begin();
  fiber *computation = ready(&at[0], NULL, MANY, CILK_WHY_STARTED);
  EXPECT(asks(0) == NULL, ==, 1);
  EXPECT(asks(1) == later, ==, 1);
  EXPECT(asks(0) == computation, ==, 1);
}

/* A piece that the last to arrive may not run is the other's still. */
TEST(a_step_is_not_over_before_its_last_piece) {
  begin();
  fiber *others = new_fiber(NULL, MANY);
  others->only = 1;
  sched->ready(self, &at[0], others, CILK_WHY_RELEASED);
  sched->leave(self, &at[0]);
  EXPECT(asks(1) == NULL, ==, 1);
  EXPECT(asks(0) == others, ==, 1);
}

TEST(what_is_released_is_of_the_step) {
  begin();
  fiber *old = ready(&at[0], NULL, MANY, CILK_WHY_RELEASED), *young = ready(&at[0], NULL, MANY, CILK_WHY_ORPHANED);
  EXPECT(asks(1) == old, ==, 1);               /* while vproc 0 runs; the oldest first */
  EXPECT(asks(1) == young, ==, 1);
  EXPECT(asks(1) == NULL, ==, 1);
}

TEST(a_vproc_that_waits_for_a_call_passes_no_barrier) {
  begin();
  at[1].waits = 1;
  fiber *inside = ready(&at[1], NULL, MANY, CILK_WHY_RESUMED);
  EXPECT(asks(1) == inside, ==, 1);
}

/* Vproc 1 starts a computation, then waits for it. The next step has the piece that it may run, this step has a piece
 * that it may not run. */
TEST(a_vproc_that_waits_for_a_computation_gets_it_before_the_barrier) {
  begin();
  fiber *computation = ready(&at[1], NULL, MANY, CILK_WHY_STARTED);
  fiber *others = new_fiber(NULL, MANY);
  others->only = later->only = 1;
  sched->ready(self, &at[0], others, CILK_WHY_RELEASED);
  at[1].waits = 1;
  EXPECT(asks(1) == computation, ==, 1);
  EXPECT(asks(1) == NULL, ==, 1);
  at[1].waits = 0;
  EXPECT(asks(0) == others, ==, 1);
  EXPECT(asks(0) == later, ==, 1);             /* of the next step, which begins now */
}

/* Vproc 0 has waited, and goes on with its piece: the step is not over. */
TEST(a_vproc_that_has_waited_and_goes_on_has_not_arrived) {
  begin();
  at[0].waits = 1;
  later->only = 2;
  EXPECT(asks(0) == NULL, ==, 1);
  at[0].waits = 0;
  sched->back(self, &at[0]);
  sched->leave(self, &at[0]);                  /* it waits in a system call */
  sched->back(self, &at[0]);
  EXPECT(asks(1) == NULL, ==, 1);
  EXPECT(asks(0) == NULL, ==, 1);
  EXPECT(asks(1) == later, ==, 1);
}

/* All wait, each for what another one has made ready before. */
TEST(all_may_wait_for_computations) {
  begin();
  fiber *computation[2];
  for (int v = 0; v < 2; v++) {
    computation[v] = ready(&at[v], NULL, MANY, CILK_WHY_STARTED);
    computation[v]->only = 2u >> v;            /* the other one's */
    at[v].waits = 1;
  }
  later->only = 4;                             /* no vproc's here */
  EXPECT(asks(0) == computation[1] && asks(1) == computation[0], ==, 1);
}

TEST(a_vproc_that_gives_up_what_it_runs_has_arrived) {
  begin();
  sched->ready(self, &at[0], first, CILK_WHY_PREEMPTED);
  EXPECT(asks(1) == first, ==, 1);             /* of this step still */
  EXPECT(asks(1) == later, ==, 1);
}

TEST(a_vproc_that_leaves_has_arrived_and_wakes_the_others) {
  begin();
  EXPECT(asks(1) == NULL && called == 0, ==, 1);
  sched->leave(self, &at[0]);
  EXPECT(called, ==, 1);
  EXPECT(asks(1) == later, ==, 1);
  sched->leave(self, &at[1]);
  EXPECT(called, ==, 1);                       /* there is nothing */
}

TEST(the_last_to_arrive_wakes_the_others) {
  begin();
  fiber *further = ready(&at[1], NULL, MANY, CILK_WHY_RESUMED);
  EXPECT(asks(1) == NULL && called == 0, ==, 1);
  EXPECT(asks(0) == later && called == 1, ==, 1);
  EXPECT(asks(1) == further && called == 1, ==, 1);
}

/* The victim's own piece is over while a thief has a frame of it in its hands: that frame belongs to the step. */
static void victim_arrives(void) { EXPECT(sched->next(self, &at[0]) == NULL, ==, 1); }
TEST(a_thief_has_not_arrived) {
  begin();
  fiber *frame = new_fiber(NULL, MANY);
  EXPECT(sched->next(self, &at[1]) == NULL, ==, 1);
  stealable = frame;
  meanwhile = victim_arrives;
  EXPECT(sched->find(self, &at[1]) == frame, ==, 1);
  EXPECT(asks(0) == NULL, ==, 1);
  EXPECT(asks(1) == later, ==, 1);
}

/* ... and if it gets nothing, it is the last to arrive. */
TEST(a_thief_that_finds_nothing_has_arrived) {
  begin();
  EXPECT(sched->next(self, &at[1]) == NULL, ==, 1);
  meanwhile = victim_arrives;
  EXPECT(sched->find(self, &at[1]) == later, ==, 1);
}

// clang-format off
#define ALL(X) \
  X(a_step_begins_when_all_have_arrived) X(a_computation_begins_with_a_step) \
  X(a_step_is_not_over_before_its_last_piece) X(what_is_released_is_of_the_step) \
  X(a_vproc_that_waits_for_a_call_passes_no_barrier) \
  X(a_vproc_that_waits_for_a_computation_gets_it_before_the_barrier) \
  X(a_vproc_that_has_waited_and_goes_on_has_not_arrived) X(all_may_wait_for_computations) \
  X(a_vproc_that_gives_up_what_it_runs_has_arrived) X(a_vproc_that_leaves_has_arrived_and_wakes_the_others) \
  X(the_last_to_arrive_wakes_the_others) X(a_thief_has_not_arrived) X(a_thief_that_finds_nothing_has_arrived)
// clang-format on

PLAY(ALL)
