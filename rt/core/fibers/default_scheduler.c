/* steal.c - randomised work stealing (PLDI'98; ICFP'08, section 5): own work from the young end of the own deque,
 * others' from the old end of a victim's. */
#include <cilk-sched.h>

static Cilk_fiber *next(void *self, Cilk_vproc *vp) {
  (void)self;
  return Cilk_deque_get(vp);
}

/* Victims in turn, from a random one on. */
static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  (void)self;
  return Cilk_steal_any(vp, (int)Cilk_random(vp, (uint64_t)Cilk_vprocs(vp)));
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self;
  Cilk_keep(vp, f, why);
}

static Cilk_answer asked(void *self, Cilk_vproc *vp, Cilk_point at, int late) {
  (void)self;
  (void)late;
  return Cilk_answer_hunger(vp, at);
}

const Cilk_scheduler cilk_sched_steal = {
    .version = CILK_SCHED_VERSION,
    .name = "steal",
    .help = "randomised work stealing (the default)",
    .next = next,
    .find = find,
    .ready = ready,
    .asked = asked,
};
