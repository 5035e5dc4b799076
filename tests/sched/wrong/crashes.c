/* crashes.c - a scheduler with an error: its find() writes to address 0. */
#include <cilk-sched.h>
static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  (void)vp;
  *(volatile int *)self = 1;
  return 0;
}
static const Cilk_scheduler crashes = {.version = CILK_SCHED_VERSION, .name = "crashes", .find = find};
CILK_SCHEDULER(crashes)
