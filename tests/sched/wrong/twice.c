/* twice.c - a scheduler with an error: it hands every 20th fiber out twice. */
#include <cilk-sched.h>
static Cilk_queue queue;
static Cilk_fiber *again;
static unsigned n;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self, (void)vp, (void)why;
  Cilk_queue_put(&queue, f);
}
static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f = __atomic_exchange_n(&again, 0, __ATOMIC_ACQ_REL);
  (void)self;
  if (!f && (f = Cilk_queue_get(&queue, vp)) && __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) % 20 == 0)
    __atomic_store_n(&again, f, __ATOMIC_RELEASE);
  return f ? f : Cilk_steal_any(vp, 0);
}
static const Cilk_scheduler twice = {.version = CILK_SCHED_VERSION, .name = "twice", .find = find, .ready = ready};
CILK_SCHEDULER(twice)
