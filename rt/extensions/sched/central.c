/* central.c - one queue for all vprocs: what becomes ready goes to its end, an idle vproc takes the oldest.
 * Frames that are not released stay where they are; when the queue is empty, the oldest of any vproc is taken. */
#include <cilk-sched.h>

#include <stdlib.h>

static void *create(int vprocs, const char *options, const char **error) {
  (void)vprocs;
  Cilk_queue *all = *options ? NULL : calloc(1, sizeof *all);
  if (!all) *error = *options ? "it takes no options" : "out of memory";
  return all;
}

static void destroy(void *self) { free(self); }

static Cilk_fiber *next(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f = Cilk_queue_get(self, vp);
  return f ? f : Cilk_deque_get(vp);      /* a frame that stayed there for a delivery */
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f = Cilk_queue_get(self, vp);
  return f ? f : Cilk_steal_any(vp, 0);
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)vp;
  (void)why;
  Cilk_queue_put(self, f);
}

const Cilk_scheduler cilk_sched_central = {
    .version = CILK_SCHED_VERSION,
    .name = "central",
    .help = "one queue for all vprocs",
    .create = create,
    .destroy = destroy,
    .next = next,
    .find = find,
    .ready = ready,
};
