/* mine - a scheduler. It is wrong: it never takes the frames that spawns have pushed on the deques. */
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
    return Cilk_queue_get(&waiting, vp);
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp)
{
    return Cilk_queue_get(&waiting, vp);
}

static const Cilk_scheduler mine = {.version = CILK_SCHED_VERSION, .name = "mine", .ready = ready, .next = next, .find = find};
CILK_SCHEDULER(mine)
