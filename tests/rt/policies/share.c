/* share.c - roundrobin and proportional (rt/extensions/sched/share.c) alone: what each computation gets is exact, as
 * the clocks are numbers.
 *
 * A vproc runs what `next` or `find` gives it until that fiber ends or its slice is over (and its next safe point is
 * there); then it is asked, and gives the fiber back if the answer is to leave. It is always the turn of the vproc
 * whose clock shows least. What is fair is stride scheduling's own promise (Waldspurger and Weihl 1995, as ICFP'08,
 * section 3.3.2 uses it): of those that always want to run, none is more than about a slice from its part. */
#include "play.h"

extern const Cilk_scheduler cilk_sched_roundrobin, cilk_sched_proportional;

static Cilk_share *computation(uint32_t weight, int fibers, uint64_t each) {
  Cilk_share *s = calloc(1, sizeof *s);
  s->weight = weight;
  while (fibers--) ready(&at[0], s, each, CILK_WHY_STARTED);
  return s;
}

/* One turn of the vproc whose clock shows least: what it ran, and for how long; NULL: it found nothing, and waited a
 * tenth of a slice. An ended fiber is gone. */
typedef struct {
  Cilk_share *of;
  uint64_t time;
  int ended, left;
  vproc *on;
} turn;

static turn step(void) {
  vproc *vp = &at[0];
  for (int i = 1; i < vprocs; i++)
    if (at[i].clock < vp->clock) vp = &at[i];
  if (!vp->runs) {
    fiber *f = sched->next(self, vp);
    if (!f) f = sched->find(self, vp);
    if (!f) {
      vp->clock += SLICE / 10;
      return (turn){.on = vp};
    }
    EXPECT(Cilk_may_run(vp, f), ==, 1);
    vp->runs = f;
  }
  fiber *f = vp->runs;
  uint64_t n = SLICE + f->late;
  turn t = {.of = f->share, .on = vp};
  if (f->left <= n) {
    n = f->left;
    t.ended = 1;
    vp->runs = NULL;
  }
  vp->clock += n;
  t.time = n;
  if (t.ended) {
    free(f);
    return t;
  }
  if (f->left != MANY) f->left -= n;
  if (sched->asked(self, vp, CILK_POINT_POP, 1) == CILK_LEAVE) {
    t.left = 1;
    vp->runs = NULL;
    sched->ready(self, vp, f, CILK_WHY_PREEMPTED);
  }
  return t;
}

TEST(all_have_the_same_to_the_slice) {
  enum { N = 7 };
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *all[N];
  uint64_t had[N] = {0};
  for (int i = 0; i < N; i++) all[i] = computation(i, 1, MANY);      /* roundrobin does not look at weights */
  for (int i = 0; i < 70 * N; i++) {
    turn t = step();
    for (int k = 0; k < N; k++) had[k] += all[k] == t.of ? t.time : 0;
    uint64_t least = had[0], most = had[0];
    for (int k = 1; k < N; k++) {
      least = had[k] < least ? had[k] : least;
      most = had[k] > most ? had[k] : most;
    }
    EXPECT(most - least, <=, SLICE);
  }
}

TEST(each_has_its_weight_to_the_slice) {
  enum { N = 3, TURNS = 600 };
  static const unsigned weight[N] = {1, 2, 3};
  machine(&cilk_sched_proportional, 1);
  Cilk_share *all[N];
  uint64_t had[N] = {0};
  for (int i = 0; i < N; i++) all[i] = computation(weight[i], 1, MANY);
  for (int i = 0; i < TURNS; i++) {
    turn t = step();
    for (int k = 0; k < N; k++) had[k] += all[k] == t.of ? t.time : 0;
  }
  for (int k = 0; k < N; k++) {
    double part = (double)TURNS * SLICE * weight[k] / 6;
    EXPECT(had[k], >=, part - 2 * SLICE);
    EXPECT(had[k], <=, part + 2 * SLICE);
  }
}

/* A computation that comes late to its safe points pays for it: it has no more in the end. */
TEST(late_safe_points_are_paid_for) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *late = computation(1, 0, 0);
  computation(1, 1, MANY);
  ready(&at[0], late, MANY, CILK_WHY_STARTED)->late = 3 * SLICE;
  int64_t ahead = 0;
  for (int i = 0; i < 400; i++) {
    turn t = step();
    ahead += t.of == late ? (int64_t)t.time : -(int64_t)t.time;
    EXPECT(ahead, <=, 4.0 * SLICE);
    EXPECT(ahead, >=, -1.0 * SLICE);
  }
}

/* Fibers of a millisecond, ten of them ready at any time: its slice is its slice, however many fibers it takes. */
TEST(a_slice_is_used_up_before_it_is_anothers_turn) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *fine = computation(1, 10, MS), *other = computation(1, 1, MANY), *before = NULL;
  uint64_t had[2] = {0};
  int changes = 0;
  for (int i = 0; i < 1100; i++) {
    turn t = step();
    changes += t.of != before;
    before = t.of;
    had[t.of == other] += t.time;
    if (t.ended) ready(&at[0], fine, MS, CILK_WHY_RESUMED);
  }
  EXPECT(changes, <=, (double)(had[0] + had[1]) / SLICE + 2);
  EXPECT(changes, >=, (double)(had[0] + had[1]) / SLICE - 2);
  EXPECT(had[0], <=, had[1] + SLICE);
  EXPECT(had[1], <=, had[0] + SLICE);
}

/* One that runs out of fibers a millisecond after its slice began, and has one again at once, has had a millisecond: of
 * three it comes every other time. */
TEST(what_is_left_of_a_slice_is_made_good) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *brief = computation(1, 1, MS);
  computation(1, 1, MANY), computation(1, 1, MANY);
  int own = 0, turns = 600;
  for (int i = 0; i < turns; i++) {
    turn t = step();
    own += t.of == brief;
    if (t.ended) {
      at[0].runs = sched->next(self, &at[0]); /* another one's slice has begun */
      ready(&at[0], brief, MS, CILK_WHY_REMOTE);
    }
  }
  EXPECT(own, >=, turns / 2 - 5);
}

/* No other computation wanted anything for a hundred slices: they are no debt when one does. */
TEST(time_alone_costs_nothing) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *first = computation(1, 1, MANY);
  for (int i = 0; i < 100; i++) {
    turn t = step();
    EXPECT(t.of == first && !t.left, ==, 1);
  }
  Cilk_share *second = computation(1, 1, MANY);
  uint64_t had[2] = {0};
  for (int i = 0; i < 40; i++) {
    turn t = step();
    had[t.of == second] += t.time;
    EXPECT(had[1], <=, had[0] + 2 * SLICE);
  }
  EXPECT(had[0], <=, had[1] + 2 * SLICE);
}

/* A computation that wanted nothing for a hundred slices does not then run for a hundred. */
TEST(nothing_is_saved_up) {
  machine(&cilk_sched_roundrobin, 1);
  computation(1, 1, MANY), computation(1, 1, MANY);
  for (int i = 0; i < 100; i++) step();
  Cilk_share *third = computation(1, 1, MANY);
  int in_turn = 0;
  for (int i = 0; i < 100; i++) {
    in_turn = step().of == third ? in_turn + 1 : 0;
    EXPECT(in_turn, <=, 3);
  }
}

/* Two vprocs do not take the same computation for the poorest one: a slice is charged when it begins. */
TEST(two_vprocs_take_two_computations) {
  machine(&cilk_sched_roundrobin, 2);
  Cilk_share *poor = computation(1, 2, MANY), *other = computation(1, 2, MANY);
  other->used = MS;
  EXPECT(sched->next(self, &at[0])->share == poor, ==, 1);
  EXPECT(sched->next(self, &at[1])->share == other, ==, 1);
}

/* Three computations of two fibers each on two vprocs: a third of the time for each. */
TEST(two_vprocs_share_among_three) {
  enum { N = 3, TURNS = 600 };
  machine(&cilk_sched_roundrobin, 2);
  Cilk_share *all[N];
  uint64_t had[N] = {0};
  for (int i = 0; i < N; i++) all[i] = computation(1, 2, MANY);
  for (int i = 0; i < TURNS; i++) {
    turn t = step();
    for (int k = 0; k < N; k++) had[k] += all[k] == t.of ? t.time : 0;
  }
  for (int k = 0; k < N; k++) {
    EXPECT(had[k], >=, (double)TURNS * SLICE / N - 3 * SLICE);
    EXPECT(had[k], <=, (double)TURNS * SLICE / N + 3 * SLICE);
  }
}

/* A vproc gets only what it may run, anywhere in the list, and what it may not run stays. */
TEST(what_a_vproc_may_not_run_stays_for_others) {
  machine(&cilk_sched_roundrobin, 2);
  Cilk_share *s = computation(1, 0, 0), *other = computation(1, 0, 0);
  ready(&at[0], other, SLICE, CILK_WHY_STARTED)->only = 2;
  ready(&at[0], s, SLICE, CILK_WHY_STARTED);
  ready(&at[0], s, SLICE, CILK_WHY_STARTED)->only = 2;
  fiber *f = sched->next(self, &at[0]);
  EXPECT(f && f->share == s && !f->only, ==, 1);
  EXPECT(sched->next(self, &at[0]) == NULL, ==, 1);
  fiber *a = sched->next(self, &at[1]), *b = sched->next(self, &at[1]);
  EXPECT(a && b && a != b && a->only && b->only, ==, 1);
  EXPECT(sched->next(self, &at[1]) == NULL && !sched->waits(self), ==, 1);
}

/* Within a computation what became ready last runs first, as in work stealing. */
TEST(the_youngest_fiber_runs_first) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *s = computation(1, 0, 0);
  fiber *old = ready(&at[0], s, MS, CILK_WHY_RELEASED), *young = ready(&at[0], s, MS, CILK_WHY_RELEASED);
  EXPECT(sched->next(self, &at[0]) == young, ==, 1);
  EXPECT(sched->next(self, &at[0]) == old, ==, 1);
}

/* Computations that leave the list from its front, its middle and its end, and come again: none is lost. */
TEST(none_is_lost) {
  enum { N = 5 };
  machine(&cilk_sched_roundrobin, 2);
  Cilk_share *all[N];
  int out[N] = {0}, seen[N] = {0};
  for (int i = 0; i < N; i++) all[i] = computation(1, i + 1, (uint64_t)(i + 1) * 3 * MS);
  for (int i = 0; i < 2000; i++) {
    turn t = step();
    for (int k = 0; k < N; k++) {
      seen[k] += all[k] == t.of;
      out[k] += all[k] == t.of && t.ended;
      if (out[k] > k || (i % 7 == k && out[k])) {
        ready(t.on, all[k], (uint64_t)(k + 1) * 3 * MS, CILK_WHY_RESUMED);
        out[k]--;
      }
    }
  }
  for (int k = 0; k < N; k++) EXPECT(seen[k], >=, 2000 / N / 4);
  for (int n = 0; n < 200 && (at[0].runs || at[1].runs || sched->waits(self)); n++) step();
  EXPECT(sched->waits(self), ==, 0);
  for (int k = 0; k < N; k++) EXPECT(all[k]->first == NULL && !all[k]->listed, ==, 1);
}

/* What a thief finds is run on its computation's account, like what it is given. */
TEST(what_is_stolen_is_paid_for) {
  machine(&cilk_sched_roundrobin, 2);
  Cilk_share *s = calloc(1, sizeof *s);
  stealable = new_fiber(s, MANY);
  fiber *f = sched->find(self, &at[1]);
  EXPECT(f && f->share == s, ==, 1);
  EXPECT(s->used, ==, SLICE);
  /* preempted in the middle of it, for something else: the other half is given back */
  at[1].clock += SLICE / 2;
  sched->ready(self, &at[1], f, CILK_WHY_PREEMPTED);
  EXPECT(s->used, ==, SLICE / 2);
  EXPECT(sched->next(self, &at[1]) == f, ==, 1); /* and what comes then is a slice of its own */
  EXPECT(s->used, ==, SLICE / 2 + SLICE);
}

/* A vproc that looks for work sees what has become ready since it asked for its own. */
TEST(a_thief_looks_at_what_is_ready) {
  machine(&cilk_sched_roundrobin, 2);
  EXPECT(sched->next(self, &at[1]) == NULL, ==, 1);
  Cilk_share *s = computation(1, 0, 0);
  fiber *f = ready(&at[0], s, MS, CILK_WHY_STARTED);
  EXPECT(sched->find(self, &at[1]) == f, ==, 1);
}

/* Others that come, whatever they have had, do not cut a slice short. */
TEST(a_slice_is_not_cut_short) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *s = computation(1, 3, 3 * MS);
  EXPECT(step().of == s, ==, 1);
  computation(1, 1, MANY);
  EXPECT(step().of == s, ==, 1);
  computation(1, 1, MANY);
  EXPECT(step().of == s, ==, 1);
  EXPECT(step().of == s, ==, 0);
}

/* A fiber of another computation than that of the slice changes no account. */
TEST(only_its_own_slice_is_settled) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *s = computation(1, 1, MANY), *other = computation(1, 0, 0);
  EXPECT(sched->next(self, &at[0]) != NULL, ==, 1);
  at[0].clock += 4 * MS;
  other->used = 5 * SLICE;
  ready(&at[0], other, MANY, CILK_WHY_PREEMPTED);
  EXPECT(s->used, ==, SLICE);
  EXPECT(other->used, ==, 5 * SLICE);
}

/* The end of a slice that is four late is charged where somebody waited, though somebody else has come meanwhile. */
TEST(late_is_late_when_others_come) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *s = computation(1, 1, MANY);
  fiber *f = sched->next(self, &at[0]);
  computation(1, 1, MANY); /* from here on it is not alone */
  sched->ready(self, &at[0], f, CILK_WHY_PREEMPTED);
  while ((f = sched->next(self, &at[0]))->share != s)
    sched->ready(self, &at[0], f, CILK_WHY_PREEMPTED), at[0].clock += SLICE;
  uint64_t used = s->used;
  computation(1, 1, MANY);
  at[0].clock += 4 * SLICE;
  sched->ready(self, &at[0], f, CILK_WHY_PREEMPTED);
  EXPECT(s->used, ==, used + 3 * SLICE);
}

/* What was left of a slice is made good once. */
TEST(what_is_left_is_made_good_once) {
  machine(&cilk_sched_roundrobin, 2);
  Cilk_share *s = computation(1, 1, MANY), *other = computation(1, 1, MANY);
  fiber *f = sched->next(self, &at[0]);
  EXPECT(f->share == s, ==, 1);
  at[0].clock += 1 * MS; /* f is over, and another one's slice begins */
  EXPECT(sched->next(self, &at[0])->share == other, ==, 1);
  ready(&at[0], s, MANY, CILK_WHY_REMOTE);
  EXPECT(s->used, ==, 1 * MS);
  EXPECT(sched->next(self, &at[1])->share == s, ==, 1);
  at[1].clock += SLICE;
  ready(&at[0], s, MANY, CILK_WHY_REMOTE);
  EXPECT(s->used, ==, 1 * MS + SLICE);
}

/* At the end of a slice a vproc goes on if no computation waits; before its end the scheduler does not ask it. */
TEST(a_vproc_leaves_for_others_only) {
  machine(&cilk_sched_roundrobin, 1);
  Cilk_share *s = computation(1, 1, MANY);
  fiber *f = sched->next(self, &at[0]);
  EXPECT(f != NULL && !sched->waits(self), ==, 1);
  EXPECT(sched->asked(self, &at[0], CILK_POINT_POP, 1), ==, CILK_STAY);
  ready(&at[0], s, MS, CILK_WHY_RESUMED);
  EXPECT(sched->waits(self), ==, 1);
  EXPECT(sched->asked(self, &at[0], CILK_POINT_POP, 0), ==, CILK_STAY);
  EXPECT(sched->asked(self, &at[0], CILK_POINT_POP, 1), ==, CILK_LEAVE);
  EXPECT(sched->slice(self), ==, SLICE);
}

// clang-format off
#define ALL(X) \
  X(all_have_the_same_to_the_slice) X(each_has_its_weight_to_the_slice) X(late_safe_points_are_paid_for) \
  X(a_slice_is_used_up_before_it_is_anothers_turn) X(what_is_left_of_a_slice_is_made_good) \
  X(time_alone_costs_nothing) X(nothing_is_saved_up) X(two_vprocs_take_two_computations) \
  X(two_vprocs_share_among_three) X(what_a_vproc_may_not_run_stays_for_others) X(the_youngest_fiber_runs_first) \
  X(none_is_lost) X(what_is_stolen_is_paid_for) X(a_thief_looks_at_what_is_ready) X(a_slice_is_not_cut_short) \
  X(only_its_own_slice_is_settled) X(late_is_late_when_others_come) X(what_is_left_is_made_good_once) \
  X(a_vproc_leaves_for_others_only)
// clang-format on

PLAY(ALL)
