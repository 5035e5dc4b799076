/* edf.c - earliest deadline first, between computations: a scheduler of the program's own (docs/schedulers.md).
 *
 * Computations with fibers that could run are in a list by their deadlines (Cilk_attributes), those without a deadline
 * last. Computations of one deadline are in the order in which they came. A worker takes the youngest fiber of the
 * first computation that it may run. At the end of a slice the worker gives up what it runs if a computation of an
 * earlier deadline waits; Cilk_yield asks without a slice. `user`, where the program gives one, is an int: how often
 * its computation was in the list. */
#include <cilk-sched.h>
#include <stdlib.h>

typedef struct {
  Cilk_lock_word lock;
  uint32_t ready;                             /* computations in the list; a hint without the lock */
  uint64_t slice;
  Cilk_share *first;
  uint64_t *runs;                             /* by vproc: the deadline of what it runs; the lock */
} list;

static uint64_t deadline(const Cilk_share *s) { return s->deadline ? s->deadline : UINT64_MAX; }

static void *create(int vprocs, const char *options, const char **error) {
  uint64_t slice = Cilk_parse_time(*options ? options : "1ms", error);
  list *l = *error ? NULL : calloc(1, sizeof *l);
  if (!l) return NULL;
  l->slice = slice;
  l->runs = calloc((size_t)vprocs, sizeof *l->runs);
  if (!l->runs) *error = "out of memory";
  return l;
}

static void destroy(void *self) {
  free(((list *)self)->runs);
  free(self);
}

/* The youngest fiber of s that vp may run leaves it. The lock is held. */
static Cilk_fiber *take(Cilk_share *s, Cilk_vproc *vp) {
  Cilk_fiber **at = &s->first, *f;
  while ((f = *at) && !Cilk_may_run(vp, f)) at = Cilk_fiber_link(f);
  if (f) *at = *Cilk_fiber_link(f);
  return f;
}

static Cilk_fiber *next(void *self, Cilk_vproc *vp) {
  list *l = self;
  Cilk_fiber *f = NULL;
  if (!Cilk_load_hint(&l->ready)) return Cilk_deque_get(vp);
  Cilk_lock_take(&l->lock);
  for (Cilk_share **at = &l->first, *s; !f && (s = *at); at = &s->next)
    if ((f = take(s, vp))) {
      l->runs[Cilk_vproc_id(vp)] = deadline(s);
      if (!s->first) {
        *at = s->next;
        s->listed = 0;
        Cilk_store_hint(&l->ready, l->ready - 1);
      }
      break;
    }
  Cilk_lock_release(&l->lock);
  return f ? f : Cilk_deque_get(vp);
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  list *l = self;
  Cilk_fiber *f = next(self, vp);
  if (!f && (f = Cilk_steal_any(vp, (int)Cilk_random(vp, (uint64_t)Cilk_vprocs(vp))))) {
    Cilk_lock_take(&l->lock);
    l->runs[Cilk_vproc_id(vp)] = deadline(Cilk_share_of(f));
    Cilk_lock_release(&l->lock);
  }
  return f;
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  list *l = self;
  Cilk_share *s = Cilk_share_of(f), **at = &l->first;
  Cilk_lock_take(&l->lock);
  *Cilk_fiber_link(f) = s->first;
  s->first = f;
  if (!s->listed) {
    while (*at && deadline(*at) <= deadline(s)) at = &(*at)->next;
    s->next = *at;
    *at = s;
    s->listed = 1;
    Cilk_store_hint(&l->ready, l->ready + 1);
    if (s->user) ++*(int *)s->user;
  }
  Cilk_lock_release(&l->lock);
}

static Cilk_answer asked(void *self, Cilk_vproc *vp, Cilk_point at, int late) {
  list *l = self;
  int leave = 0;
  if (late && Cilk_load_hint(&l->ready)) {
    Cilk_lock_take(&l->lock);
    leave = l->first && deadline(l->first) < l->runs[Cilk_vproc_id(vp)];
    Cilk_lock_release(&l->lock);
  }
  return leave ? CILK_LEAVE : Cilk_answer_hunger(vp, at);
}

/* The words of a computation that is over: `user` is negative from now on. */
static void ended(void *self, Cilk_share *s) {
  if (s->user) *(int *)s->user *= -1;
}

static uint64_t slice(void *self) { return ((list *)self)->slice; }
static int waits(void *self) { return Cilk_load_hint(&((list *)self)->ready) != 0; }

static const Cilk_scheduler edf = {
    .version = CILK_SCHED_VERSION,
    .name = "edf",
    .help = "[:SLICE]: earliest deadline first between computations (default 1ms)",
    .create = create,
    .destroy = destroy,
    .next = next,
    .find = find,
    .ready = ready,
    .asked = asked,
    .slice = slice,
    .waits = waits,
    .ended = ended,
};
CILK_SCHEDULER(edf)
