/* levels.c - pools by level (Cilk-1's; PPoPP'95, section 3): each vproc runs the deepest of its own fibers, and takes
 * the shallowest of a victim's, which stand for the most work. A fiber's level is the number of its ancestors. Frames
 * that are not released are on the deques, oldest and so shallowest first; they are stolen when the pools are
 * empty. */
#include <cilk-sched.h>

#include <stdlib.h>

enum { LEVELS = 64 };              /* deeper ones share the last */

typedef struct {
  _Alignas(64) Cilk_lock_word lock;
  uint32_t count;                  /* a hint without the lock */
  Cilk_fiber *first[LEVELS];       /* youngest first */
} pool;

static void *create(int vprocs, const char *options, const char **error) {
  pool *p = *options ? NULL : aligned_alloc(_Alignof(pool), (size_t)vprocs * sizeof *p);
  if (!p) *error = *options ? "it takes no options" : "out of memory";
  for (int i = 0; p && i < vprocs; i++) p[i] = (pool){.count = 0};
  return p;
}

/* The first that vp may run of the levels from..to. */
static Cilk_fiber *take(pool *p, Cilk_vproc *vp, int from, int to) {
  Cilk_fiber *f = NULL;
  if (!Cilk_load_hint(&p->count)) return NULL;
  Cilk_lock_take(&p->lock);
  for (int step = from < to ? 1 : -1, i = from; !f && i != to + step; i += step) {
    Cilk_fiber **at = &p->first[i];
    while (*at && !Cilk_may_run(vp, *at)) at = Cilk_fiber_link(*at);
    if ((f = *at)) {
      *at = *Cilk_fiber_link(f);
      Cilk_store_hint(&p->count, p->count - 1);
    }
  }
  Cilk_lock_release(&p->lock);
  return f;
}

static Cilk_fiber *next(void *self, Cilk_vproc *vp) {
  Cilk_fiber *f = take((pool *)self + Cilk_vproc_id(vp), vp, LEVELS - 1, 0);
  return f ? f : Cilk_deque_get(vp);
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  int n = Cilk_vprocs(vp), first = (int)Cilk_random(vp, (uint64_t)n);
  Cilk_fiber *f = NULL;
  for (int i = 0; !f && i < n; i++) f = take((pool *)self + (first + i) % n, vp, 0, LEVELS - 1);
  return f ? f : Cilk_steal_any(vp, first);
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  pool *p = (pool *)self + Cilk_vproc_id(vp);
  int level = Cilk_fiber_level(f, LEVELS - 1);
  (void)why;
  Cilk_lock_take(&p->lock);
  *Cilk_fiber_link(f) = p->first[level];
  p->first[level] = f;
  Cilk_store_hint(&p->count, p->count + 1);
  Cilk_lock_release(&p->lock);
}

const Cilk_scheduler cilk_sched_levels = {
    .version = CILK_SCHED_VERSION,
    .name = "levels",
    .help = "pools by level, deepest first for the owner, shallowest for thieves",
    .create = create,
    .destroy = free,
    .next = next,
    .find = find,
    .ready = ready,
};
