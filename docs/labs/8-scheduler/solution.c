/* mine - a scheduler. What becomes ready goes to the end of one queue, where every worker looks before it steals. */
#include <cilk-sched.h>

static Cilk_queue waiting;      /* shared by all workers; it has a lock */

/* The fiber f can run. Here it becomes the scheduler's. */
static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
    Cilk_queue_put(&waiting, f);
}

/* This worker has nothing to run: something of its own, or NULL. */
static Cilk_fiber *next(void *self, Cilk_vproc *vp)
{
    Cilk_fiber *f = Cilk_deque_get(vp);
    return f ? f : Cilk_queue_get(&waiting, vp);
}

/* And nothing of its own: what others have queued or left on a deque, or NULL. The runtime asks again. */
static Cilk_fiber *find(void *self, Cilk_vproc *vp)
{
    Cilk_fiber *f = Cilk_queue_get(&waiting, vp);
    return f ? f : Cilk_steal_any(vp, 0);
}

static const Cilk_scheduler mine = {.version = CILK_SCHED_VERSION, .name = "mine", .ready = ready, .next = next, .find = find};
CILK_SCHEDULER(mine)
