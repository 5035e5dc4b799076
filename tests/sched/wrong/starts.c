/* starts.c - a scheduler with an error: it forgets what is started. */
#include <cilk-sched.h>
static Cilk_queue queue;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
    (void)self, (void)vp;
    if (why != CILK_WHY_STARTED)
        Cilk_queue_put(&queue, f);
}
static Cilk_fiber *find(void *self, Cilk_vproc *vp)
{
    Cilk_fiber *f = Cilk_queue_get(&queue, vp);
    (void)self;
    return f ? f : Cilk_steal_any(vp, 0);
}
static const Cilk_scheduler starts = { .version = CILK_SCHED_VERSION, .name = "starts", .find = find, .ready = ready };
CILK_SCHEDULER(starts)
