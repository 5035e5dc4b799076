/* queue.h - what these schedulers share: one queue for all workers, and a find() that is right. */
#include <cilk-sched.h>
static Cilk_queue queue;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why);
static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f = Cilk_queue_get(&queue, vp);
  (void)self;
  return f ? f : Cilk_steal_any(vp, 0);
}
#define SCHEDULER_WITH_A_WRONG_READY(id) \
  static const Cilk_scheduler id = {.version = CILK_SCHED_VERSION, .name = #id, .find = find, .ready = ready}; \
  CILK_SCHEDULER(id)
