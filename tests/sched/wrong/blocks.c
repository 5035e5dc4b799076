/* blocks.c - a scheduler with an error: its ready() keeps a lock that it takes again. */
#include "queue.h"
static Cilk_lock_word lock;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self, (void)vp, (void)why;
  Cilk_lock_take(&lock);
  Cilk_queue_put(&queue, f);
}
SCHEDULER_WITH_A_WRONG_READY(blocks)
