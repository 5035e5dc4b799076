/* starts.c - a scheduler with an error: it forgets what is started. */
#include "queue.h"
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self, (void)vp;
  if (why != CILK_WHY_STARTED) Cilk_queue_put(&queue, f);
}
SCHEDULER_WITH_A_WRONG_READY(starts)
