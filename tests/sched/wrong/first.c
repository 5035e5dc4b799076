/* first.c - a scheduler with an error: it looks at its first fiber only, and has none where Cilk_may_run is false for it. */
#include <cilk-sched.h>
static Cilk_lock_word lock;
static Cilk_fiber *first;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  Cilk_fiber **at = &first;
  (void)self, (void)vp, (void)why;
  Cilk_lock_take(&lock);
  while (*at) at = Cilk_fiber_link(*at);
  *at = f;
  *Cilk_fiber_link(f) = 0;
  Cilk_lock_release(&lock);
}
static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f;
  (void)self;
  Cilk_lock_take(&lock);
  if ((f = first) && Cilk_may_run(vp, f)) first = *Cilk_fiber_link(f);
  else f = 0;
  Cilk_lock_release(&lock);
  return f ? f : Cilk_steal_any(vp, 0);
}
static const Cilk_scheduler only_first = {.version = CILK_SCHED_VERSION, .name = "first", .find = find, .ready = ready};
CILK_SCHEDULER(only_first)
