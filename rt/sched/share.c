/* share.c - preemptive schedulers over computations (<cilk-start.h>): `roundrobin` and `proportional` share (ICFP'08, sections 3.3.2, 4).
 *
 * Each computation with fibers that could run is in one list. A vproc takes a computation, runs its youngest fibers for a slice, then, at the next safe point,
 * gives up what it runs and takes another one: roundrobin the next in turn, proportional the one that has had least for its weight (stride
 * scheduling). Within a computation work is last in, first out, as in work stealing. Nobody else's fibers are ready: the vproc goes on. */
#include <cilk-sched.h>

#include <stdlib.h>

typedef struct { _Alignas(64) Cilk_share *now; uint64_t since; } place;   /* [vproc]: whose slice it is, and when it began */

typedef struct {
  Cilk_lock_word lock;
  uint32_t ready;                  /* computations in the list; a hint without the lock */
  int weighted;
  uint64_t slice, pass;            /* pass: what the last one that was chosen has had */
  Cilk_share *first, *last;
  place at[];
} list;

static void *make(int vprocs, const char *options, const char **error, int weighted)
{
  uint64_t slice = Cilk_parse_time(*options ? options : "10ms", error);
  if (*error)
    return NULL;
  list *l = aligned_alloc(64, sizeof *l + (size_t)vprocs * sizeof *l->at + (64 - sizeof *l % 64) % 64);
  if (!l) {
    *error = "out of memory";
    return NULL;
  }
  *l = (list){ .weighted = weighted, .slice = slice };
  for (int i = 0; i < vprocs; i++)
    l->at[i] = (place){ NULL, 0 };
  return l;
}

static void *make_round(int vprocs, const char *options, const char **error) { return make(vprocs, options, error, 0); }
static void *make_weighted(int vprocs, const char *options, const char **error) { return make(vprocs, options, error, 1); }
static uint64_t slice(void *self) { return ((list *)self)->slice; }

/* The lock is held. The youngest fiber of s that vp may run. */
static Cilk_fiber *take(list *l, Cilk_share *before, Cilk_share *s, Cilk_vproc *vp)
{
  Cilk_fiber **at = &s->first;
  while (*at && !Cilk_may_run(vp, *at))
    at = Cilk_fiber_link(*at);
  Cilk_fiber *f = *at;
  if (!f)
    return NULL;
  *at = *Cilk_fiber_link(f);
  if (!s->first) {                        /* out of the list */
    *(before ? &before->next : &l->first) = s->next;
    if (l->last == s)
      l->last = before;
    Cilk_store_hint(&l->ready, l->ready - 1);
    s->listed = 0;
  } else if (!l->weighted && s->next) {   /* its turn comes again after all others */
    *(before ? &before->next : &l->first) = s->next;
    l->last->next = s;
    l->last = s;
    s->next = NULL;
  }
  return f;
}

static Cilk_fiber *next(void *self, Cilk_vproc *vp)
{
  list *l = self;
  place *mine = &l->at[Cilk_vproc_id(vp)];
  if (!Cilk_load_hint(&l->ready))
    return Cilk_deque_get(vp);
  uint64_t now = Cilk_now();
  Cilk_fiber *f = NULL;
  Cilk_share *chosen = NULL, *chosen_before = NULL, *before = NULL;
  Cilk_lock_take(&l->lock);
  for (Cilk_share *s = l->first; s; before = s, s = s->next) {
    int runs = 0;
    for (Cilk_fiber *c = s->first; c && !runs; c = *Cilk_fiber_link(c))
      runs = Cilk_may_run(vp, c);
    if (!runs)
      continue;
    if (s == mine->now && now - mine->since < l->slice) {   /* its slice is not over */
      chosen = s;
      chosen_before = before;
      break;
    }
    if (!chosen || (l->weighted && s->used < chosen->used)) {
      chosen = s;
      chosen_before = before;
    }
  }
  if (chosen) {
    if (chosen != mine->now || now - mine->since >= l->slice) {
      mine->since = now;
      l->pass = chosen->used;
      chosen->used += l->slice / (chosen->weight ? chosen->weight : 1);
    }
    mine->now = chosen;                   /* compared only: it may be gone by then */
    f = take(l, chosen_before, chosen, vp);
  }
  Cilk_lock_release(&l->lock);
  return f ? f : Cilk_deque_get(vp);
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp)
{
  Cilk_fiber *f = next(self, vp);         /* others may have put something there since */
  return f ? f : Cilk_steal_any(vp, (int)Cilk_random(vp, (uint64_t)Cilk_vprocs(vp)));
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
  list *l = self;
  Cilk_share *s = Cilk_share_of(f);
  (void)vp;
  (void)why;
  Cilk_lock_take(&l->lock);
  *Cilk_fiber_link(f) = s->first;
  s->first = f;
  if (!s->listed) {
    s->listed = 1;
    s->next = NULL;
    if (s->used < l->pass)                /* it has not saved up for the time that it did not want */
      s->used = l->pass;
    if (l->last && l->first)
      l->last->next = s;
    else
      l->first = s;
    l->last = s;
    Cilk_store_hint(&l->ready, l->ready + 1);
  }
  Cilk_lock_release(&l->lock);
}

static Cilk_answer asked(void *self, Cilk_vproc *vp, Cilk_point at, int late)
{
  list *l = self;
  if (!late || !Cilk_load_hint(&l->ready))
    return Cilk_answer_hunger(vp, at);
  l->at[Cilk_vproc_id(vp)].now = NULL;    /* whoever is chosen next begins a slice */
  return CILK_LEAVE;
}

const Cilk_scheduler cilk_sched_roundrobin = {
  .version = CILK_SCHED_VERSION, .name = "roundrobin", .help = "[:SLICE]: computations in turn, preempted after a slice (default 10ms)", .create = make_round,
  .destroy = free, .next = next, .find = find, .ready = ready, .asked = asked, .slice = slice,
};
const Cilk_scheduler cilk_sched_proportional = {
  .version = CILK_SCHED_VERSION, .name = "proportional", .help = "[:SLICE]: the same, each gets time by its weight", .create = make_weighted,
  .destroy = free, .next = next, .find = find, .ready = ready, .asked = asked, .slice = slice,
};
