/* share.c - preemptive schedulers over computations (<cilk-start.h>): `roundrobin` and `proportional` share (ICFP'08,
 * sections 3.3.2, 4).
 *
 * Each computation with fibers that could run is in one list. A vproc takes a computation, and runs its youngest fibers
 * for a slice. Then, at the next safe point, the vproc gives up what it runs and takes another computation: the one
 * that has had least (stride scheduling), for its weight under proportional; those that have had the same in turn.
 * Within a computation work is last in, first out, as in work stealing. If no other computation has a ready fiber, the
 * vproc goes on.
 *
 * A slice is charged when it begins, so two vprocs do not both take the same computation for the poorest one. The
 * charge is made good when what the slice really took is known. That is at the slice's end, where a late safe point or
 * timer makes the slice longer. If the vproc ran out of that computation's fibers before, that is when the computation
 * has one again. Time is the vproc's processor time: what others do on a busy machine is not counted. */
#include <cilk-sched.h>

#include <stdlib.h>

typedef struct {                   /* of a vproc; the lock */
  /* whose slice it is, which has been charged; like `before` perhaps gone by now: compared only */
  _Alignas(64) Cilk_share *now;
  uint64_t since;                  /* when it began, by the vproc's own time */
  int alone;                       /* for a part of it no other computation wanted anything */
  Cilk_share *before;              /* whose fibers it ran out of: */
  uint64_t unused;                 /* what `before` has not had of its slice */
} place;

typedef struct {
  Cilk_lock_word lock;
  uint32_t ready;                  /* computations in the list; a hint without the lock */
  int weighted, vprocs;
  uint64_t slice, pass;            /* pass: what the last one that was chosen has had */
  Cilk_share *first, *last;
  place at[];
} list;

static void *make(int vprocs, const char *options, const char **error, int weighted) {
  uint64_t slice = Cilk_parse_time(*options ? options : "10ms", error);
  if (*error) return NULL;
  list *l = aligned_alloc(64, sizeof *l + (size_t)vprocs * sizeof *l->at + (64 - sizeof *l % 64) % 64);
  if (!l) {
    *error = "out of memory";
    return NULL;
  }
  *l = (list){.weighted = weighted, .vprocs = vprocs, .slice = slice};
  for (int i = 0; i < vprocs; i++) l->at[i] = (place){.now = NULL};
  return l;
}

static void *make_round(int vprocs, const char *options, const char **error) { return make(vprocs, options, error, 0); }
static void *make_weighted(int vprocs, const char *options, const char **error) {
  return make(vprocs, options, error, 1);
}
static uint64_t slice(void *self) { return ((list *)self)->slice; }

/* What so much time counts for s. The lock is held in all of these. */
static uint64_t price(const list *l, const Cilk_share *s, uint64_t time) {
  return time / (l->weighted && s->weight ? s->weight : 1);
}

static void give_back(const list *l, Cilk_share *s, uint64_t time) {
  uint64_t n = price(l, s, time);
  s->used -= n < s->used ? n : s->used;
}

/* vp runs a fiber of s from now on. */
static void begin(list *l, place *mine, Cilk_share *s, uint64_t now) {
  uint64_t had = now - mine->since;
  if (s == mine->now && had < l->slice)   /* its slice is not over */
    return;
  mine->before = mine->now;
  mine->unused = mine->now && had < l->slice ? l->slice - had : 0;
  mine->now = s;
  mine->since = now;
  mine->alone = 0;
  l->pass = s->used;
  s->used += price(l, s, l->slice);
}

/* The vproc gives up what it runs, and its slice with it. */
static void settle(list *l, place *mine, Cilk_share *s, uint64_t now) {
  uint64_t had = now - mine->since;
  if (mine->alone && had > l->slice) had = l->slice;
  if (had < l->slice) give_back(l, s, l->slice - had);
  else s->used += price(l, s, had - l->slice);
  mine->now = NULL;
}

/* The youngest fiber of s that vp may run. */
static Cilk_fiber *take(list *l, Cilk_share *before, Cilk_share *s, Cilk_vproc *vp) {
  Cilk_fiber **at = &s->first;
  while (*at && !Cilk_may_run(vp, *at)) at = Cilk_fiber_link(*at);
  Cilk_fiber *f = *at;
  if (!f) return NULL;
  *at = *Cilk_fiber_link(f);
  if (!s->first) {                        /* out of the list */
    *(before ? &before->next : &l->first) = s->next;
    if (l->last == s) l->last = before;
    Cilk_store_hint(&l->ready, l->ready - 1);
    s->listed = 0;
  } else if (s->next) {                   /* after those that have had the same */
    *(before ? &before->next : &l->first) = s->next;
    l->last->next = s;
    l->last = s;
    s->next = NULL;
  }
  return f;
}

static Cilk_fiber *next(void *self, Cilk_vproc *vp) {
  list *l = self;
  place *mine = &l->at[Cilk_vproc_id(vp)];
  if (!Cilk_load_hint(&l->ready)) return Cilk_deque_get(vp);
  uint64_t now = Cilk_vproc_time(vp);
  Cilk_fiber *f = NULL;
  Cilk_share *chosen = NULL, *chosen_before = NULL, *before = NULL;
  Cilk_lock_take(&l->lock);
  for (Cilk_share *s = l->first; s; before = s, s = s->next) {
    int runs = 0;
    for (Cilk_fiber *c = s->first; c && !runs; c = *Cilk_fiber_link(c)) runs = Cilk_may_run(vp, c);
    if (!runs) continue;
    int goes_on = s == mine->now && now - mine->since < l->slice;
    if (goes_on || !chosen || s->used < chosen->used) {
      chosen = s;
      chosen_before = before;
    }
    if (goes_on) break;
  }
  if (chosen) {
    begin(l, mine, chosen, now);
    f = take(l, chosen_before, chosen, vp);
  }
  Cilk_lock_release(&l->lock);
  return f ? f : Cilk_deque_get(vp);
}

static Cilk_fiber *find(void *self, Cilk_vproc *vp) {
  list *l = self;
  Cilk_fiber *f = next(self, vp);         /* others may have put something there since */
  if (!f && (f = Cilk_steal_any(vp, (int)Cilk_random(vp, (uint64_t)Cilk_vprocs(vp))))) {
    uint64_t now = Cilk_vproc_time(vp);
    Cilk_lock_take(&l->lock);
    begin(l, &l->at[Cilk_vproc_id(vp)], Cilk_share_of(f), now);
    Cilk_lock_release(&l->lock);
  }
  return f;
}

static void ready(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  list *l = self;
  Cilk_share *s = Cilk_share_of(f);
  place *mine = &l->at[Cilk_vproc_id(vp)];
  uint64_t now = why == CILK_WHY_PREEMPTED ? Cilk_vproc_time(vp) : 0;
  Cilk_lock_take(&l->lock);
  if (why == CILK_WHY_PREEMPTED && s == mine->now) settle(l, mine, s, now);
  *Cilk_fiber_link(f) = s->first;
  s->first = f;
  if (!s->listed) {
    s->listed = 1;
    s->next = NULL;
    for (int i = 0; i < l->vprocs; i++) {
      l->at[i].alone |= !l->first;
      if (l->at[i].before == s) {
        give_back(l, s, l->at[i].unused);
        l->at[i].before = NULL;
      }
    }
    if (s->used + l->slice < l->pass)     /* it has not saved up for the time that it did not want */
      s->used = l->pass - l->slice;
    if (l->last && l->first) l->last->next = s;
    else l->first = s;
    l->last = s;
    Cilk_store_hint(&l->ready, l->ready + 1);
  }
  Cilk_lock_release(&l->lock);
}

static Cilk_answer asked(void *self, Cilk_vproc *vp, Cilk_point at, int late) {
  list *l = self;
  return late && Cilk_load_hint(&l->ready) ? CILK_LEAVE : Cilk_answer_hunger(vp, at);
}

static int waits(void *self) { return Cilk_load_hint(&((list *)self)->ready) != 0; }

#define SHARES(id, make_list, what) \
  const Cilk_scheduler cilk_sched_##id = { \
      .version = CILK_SCHED_VERSION, \
      .name = #id, \
      .help = "[:SLICE]: " what, \
      .create = make_list, \
      .destroy = free, \
      .next = next, \
      .find = find, \
      .ready = ready, \
      .asked = asked, \
      .slice = slice, \
      .waits = waits, \
  }
SHARES(roundrobin, make_round, "computations in turn, preempted after a slice (default 10ms)");
SHARES(proportional, make_weighted, "the same, each gets time by its weight");
