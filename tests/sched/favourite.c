/* favourite.c - last in, first out, with a favourite victim: a scheduler of the program's own (docs/schedulers.md). */
#include <cilk-sched.h>
#include <stdlib.h>

static void *create(int vprocs, const char *options, const char **error) {
  int *favourite = calloc((size_t)vprocs, sizeof *favourite);
  for (int i = 0; favourite && i < vprocs; i++) favourite[i] = *options ? atoi(options) % vprocs : 0;
  if (!favourite) *error = "out of memory";
  return favourite;
}

static Cilk_fiber *next(void *self, Cilk_vproc *vp) { return Cilk_deque_get(vp); /* what came last is at the end */ }

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  int *favourite = (int *)self + Cilk_vproc_id(vp), n = Cilk_vprocs(vp);
  Cilk_fiber *f = Cilk_steal(vp, *favourite);
  for (int i = 0; !f && i < n; i++)           /* a victim with something is the favourite from now on */
    f = Cilk_steal(vp, *favourite = i);
  return f;
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  if (why == CILK_WHY_RESUMED) Cilk_run_next(vp, f);
  else Cilk_deque_put(vp, f);
}

static const Cilk_scheduler favourite = {CILK_SCHED_VERSION, "favourite", "last in, first out", create, free, next,
    find, ready};
CILK_SCHEDULER(favourite)
