/* lastvictim.c - work stealing that goes back to where it found something the last time: a victim that had work has
 * more, often. */
#include <cilk-sched.h>

#include <stdlib.h>

typedef struct {
  _Alignas(64) int victim;
} place;   /* [vproc]: a line of its own */

static void *create(int vprocs, const char *options, const char **error) {
  place *last = *options ? NULL : aligned_alloc(_Alignof(place), (size_t)vprocs * sizeof *last);
  if (!last) *error = *options ? "it takes no options" : "out of memory";
  for (int i = 0; last && i < vprocs; i++) last[i].victim = (i + 1) % vprocs;
  return last;
}

static void destroy(void *self) { free(self); }

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  place *mine = (place *)self + Cilk_vproc_id(vp);
  int n = Cilk_vprocs(vp), first = (int)Cilk_random(vp, (uint64_t)n);
  Cilk_fiber *f = Cilk_steal(vp, mine->victim);
  for (int i = 0; !f && i < n; i++) f = Cilk_steal(vp, mine->victim = (first + i) % n);
  return f;
}

const Cilk_scheduler cilk_sched_lastvictim = {
    .version = CILK_SCHED_VERSION,
    .name = "lastvictim",
    .help = "work stealing, the last victim that had something first",
    .create = create,
    .destroy = destroy,
    .find = find,
};
