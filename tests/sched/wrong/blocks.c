/* blocks.c - a scheduler with an error: its ready() keeps a lock that it takes again. */
#include <cilk-sched.h>
static Cilk_lock_word lock;
static Cilk_queue queue;
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
    (void)self, (void)vp, (void)why;
    Cilk_lock_take(&lock);
    Cilk_queue_put(&queue, f);
}
static Cilk_fiber *find(void *self, Cilk_vproc *vp)
{
    Cilk_fiber *f = Cilk_queue_get(&queue, vp);
    (void)self;
    return f ? f : Cilk_steal_any(vp, 0);
}
static const Cilk_scheduler blocks = { .version = CILK_SCHED_VERSION, .name = "blocks", .find = find, .ready = ready };
CILK_SCHEDULER(blocks)
