/* leaves - WRONG: it puts what becomes ready onto the deque of its worker, and no worker looks there. */
#include <cilk-sched.h>

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self, (void)why;
  Cilk_deque_put(vp, f);
}

static Cilk_fiber *none(void *self, Cilk_vproc *vp) {
  (void)self, (void)vp;
  return 0;
}

static const Cilk_scheduler leaves = {
    .version = CILK_SCHED_VERSION, .name = "leaves", .ready = ready, .next = none, .find = none};
CILK_SCHEDULER(leaves)
