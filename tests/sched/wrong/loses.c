/* loses.c - a scheduler with an error: it forgets every 20th fiber. */
#include "queue.h"
static unsigned n;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self, (void)vp, (void)why;
  if (__atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) % 20) Cilk_queue_put(&queue, f);
}
SCHEDULER_WITH_A_WRONG_READY(loses)
