/* near.c - thieves ask the vprocs of the nearest memory node first, then those of the next one, and so on: a scheduler of the program's own (docs/schedulers.md). Its
 * option, for tests: how many nodes there are, where CILK_NODES pretends them; then the answers are checked. */
#include <cilk-sched.h>
#include <stdlib.h>

static void *create(int vprocs, const char *options, const char **error) {
  int *nodes = malloc(sizeof *nodes);
  (void)vprocs;
  if (!nodes) *error = "out of memory";
  else *nodes = atoi(options);
  return nodes;
}

static void check(const Cilk_vproc *vp, int nodes) {
  int id = Cilk_vproc_id(vp), here = Cilk_node_of(vp, id);
  if (Cilk_nodes(vp) != nodes || here != id % nodes || Cilk_node_of(vp, -1) != -1 ||
      Cilk_node_of(vp, Cilk_vprocs(vp)) != -1)
    abort();
  for (int node = 0; node < nodes; node++)
    if (Cilk_node_distance(vp, here, node) != (node == here ? 10 : 20)) abort();
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  int n = Cilk_vprocs(vp), here = Cilk_node_of(vp, Cilk_vproc_id(vp)), first = (int)Cilk_random(vp, (uint64_t)n);
  Cilk_fiber *f = NULL;
  if (*(int *)self) check(vp, *(int *)self);
  for (int within = 0, next = 0; next < 256 && !f;
      within = next) { /* the distance that is tried now, and the next longer one */
    next = 256;
    for (int i = 0; i < n && !f; i++) {
      int victim = (first + i) % n, node = Cilk_node_of(vp, victim),
          d = node < 0 ? 255 : Cilk_node_distance(vp, here, node);
      if (d == within) f = Cilk_steal(vp, victim);
      else if (d > within && d < next) next = d;
    }
  }
  return f;
}

static const Cilk_scheduler near = {.version = CILK_SCHED_VERSION,
    .name = "near",
    .help = "thieves ask near vprocs first",
    .create = create,
    .destroy = free,
    .find = find};
CILK_SCHEDULER(near)
