/* loses.c - a scheduler with an error: it forgets every 20th fiber. */
#include <cilk-sched.h>
static Cilk_queue queue;
static unsigned n;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
    (void)self, (void)vp, (void)why;
    if (__atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) % 20)
        Cilk_queue_put(&queue, f);
}
static Cilk_fiber *find(void *self, Cilk_vproc *vp)
{
    Cilk_fiber *f = Cilk_queue_get(&queue, vp);
    (void)self;
    return f ? f : Cilk_steal_any(vp, 0);
}
static const Cilk_scheduler loses = { .version = CILK_SCHED_VERSION, .name = "loses", .find = find, .ready = ready };
CILK_SCHEDULER(loses)
