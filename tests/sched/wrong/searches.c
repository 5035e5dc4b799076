/* searches.c - a scheduler with an error: its find() returns only when it has found something. */
#include <cilk-sched.h>
static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f;
  (void)self;
  while (!(f = Cilk_steal_any(vp, 0)));
  return f;
}
static const Cilk_scheduler searches = {.version = CILK_SCHED_VERSION, .name = "searches", .find = find};
CILK_SCHEDULER(searches)
