/* fiber.c - where the runtime meets a scheduler (<cilk-sched.h>): its functions are called here, and what it may call is defined here.
 *
 * A fiber is a closure that is READY (PROTOCOLS.md, section 2). While the scheduler has it, deliveries and aborts reach it there as they would on a
 * deque; what `next` and `find` return is taken in hand, unless a worker runs deliveries for it at that moment: that one goes on with it (HANDED).
 * What comes off a deque is in hand already (TAKEN).
 *
 * The common pool (orphan.c) holds what a scheduler cannot keep where it would: fibers given back while frames lie above the deque's end, and
 * those that a worker was given though it waits for a nested root of which they are no part. Workers look there before they ask `find`. */
#include "fiber.h"
#include "beside.h"
#include "context.h"
#include "drain.h"
#include "lazy.h"
#include "orphan.h"
#include "policy.h"
#include "root.h"
#include "segment.h"
#include "sleep.h"
#include "steal.h"

#include <stdlib.h>
#include <string.h>

/* ---- to the scheduler ---- */

void cilk_ready_quietly(cilk_worker *w, cilk_closure *c, Cilk_why why)
{
  const cilk_team *t = &w->ext->ctx->team;
  if (t->sched->ready)
    t->sched->ready(t->self, w, c, why);
  else
    Cilk_keep(w, c, why);
}

void cilk_ready(cilk_worker *w, cilk_closure *c, Cilk_why why)
{
  cilk_context *ctx = w->ext->ctx;
  cilk_waiting waiting;
  cilk_waiting_for(&waiting, ctx, cilk_closure_root(c));   /* now: once c is taken its root may be over soon */
  cilk_ready_quietly(w, c, why);
  if (w->ext->next != c)                  /* else nobody can take it */
    cilk_announce(ctx, &waiting);
}

void cilk_give_up(cilk_worker *w, cilk_closure *c, Cilk_why why)
{
  cilk_closure_lock(c);
  cilk_assert_own(c, w, CILK_TAKEN);
  cilk_drain(w, c);
  store_relaxed(&c->state, CILK_READY);
  cilk_closure_unlock(c);
  cilk_ready(w, c, why);
}

/* ---- from the scheduler ---- */

/* c was READY in the scheduler's keeping, or has just been taken off a deque: in hand, or NULL. */
static cilk_closure *claim(cilk_worker *w, cilk_closure *c)
{
  cilk_worker_ext *x = w->ext;
  bool taken = load_relaxed(&c->state) == CILK_TAKEN;   /* nobody but the scheduler had it, so that is settled */
  if (x->waiting && !cilk_root_within(cilk_closure_root(c), x->waiting)) {
    cilk_closure_lock(c);
    if (taken) {
      cilk_drain(w, c);
      store_relaxed(&c->state, CILK_READY);
    }
    cilk_closure_unlock(c);
    cilk_orphan_put(x->ctx, c);
    return NULL;
  }
  if (!taken)
    return cilk_take_ready(w, c);
  if (c->worker != w) {                   /* kept since then, or another vproc's theft */
    cilk_closure_lock(c);
    c->worker = w;
    cilk_closure_unlock(c);
  }
  return c;
}

/* What others sent here. Oldest first. */
static void receive(cilk_worker *w)
{
  cilk_closure *list = NULL, *next;
  /* Pairs with the release in Cilk_post. */
  for (cilk_closure *c = __atomic_exchange_n(&w->ext->inbox, NULL, __ATOMIC_ACQUIRE); c; c = next) {
    next = c->next;
    c->next = list;
    list = c;
  }
  for (; list; list = next) {
    next = list->next;
    cilk_ready(w, list, CILK_WHY_REMOTE);
  }
}

cilk_closure *cilk_next(cilk_worker *w)
{
  cilk_worker_ext *x = w->ext;
  const cilk_team *t = &x->ctx->team;
  if (load_relaxed(&x->inbox))
    receive(w);
  cilk_closure *c = x->next;
  x->next = NULL;
  for (cilk_closure *f; !c && (f = t->sched->next ? t->sched->next(t->self, w) : Cilk_deque_get(w));)
    c = claim(w, f);
  return c;
}

cilk_closure *cilk_look(cilk_worker *w)
{
  cilk_worker_ext *x = w->ext;
  const cilk_team *t = &x->ctx->team;
  const cilk_beside *beside = cilk_beside_of(w);
  cilk_closure *c = beside && beside->came(w) ? &cilk_found_beside : cilk_orphan_take(w);
  if (c)
    return c;
  if (load_seq_cst(&x->inbox) && (c = cilk_next(w)))   /* seq_cst: against PARKED */
    return c;
  cilk_closure *f = t->sched->find ? t->sched->find(t->self, w) : cilk_sched_steal.find(NULL, w);
  if (f)
    return claim(w, f);
  return beside && beside->steal(w) ? &cilk_found_beside : NULL;
}

Cilk_answer cilk_ask_scheduler(cilk_worker *w, Cilk_point at, int late)
{
  const cilk_team *t = &w->ext->ctx->team;
  return t->sched->asked ? t->sched->asked(t->self, w, at, late) : Cilk_answer_hunger(w, at);
}

Cilk_answer cilk_asked(cilk_worker *w, Cilk_point at)
{
  cilk_worker_ext *x = w->ext;
  const cilk_policy *p = x->ctx->policy;
  int late = load_relaxed(&x->late) != 0;
  if (late)
    store_relaxed(&x->late, 0u);
  if (x->until && load_acquire(x->until))   /* pairs with the store of `done`; told by a signal */
    return CILK_LEAVE;
  return p->asked ? p->asked(w, at, late) : cilk_ask_scheduler(w, at, late);
}

/* ---- what schedulers call ---- */

CILK_SHARED int Cilk_vproc_id(const Cilk_vproc *vp) { return vp->id; }
CILK_SHARED int Cilk_vprocs(const Cilk_vproc *vp) { return vp->ext->ctx->nproc; }
CILK_SHARED uint64_t Cilk_random(Cilk_vproc *vp, uint64_t n) { return cilk_choose(vp, CILK_CHOOSE_VICTIM, n); }
CILK_SHARED uint64_t Cilk_now(void) { return cilk_now_ns(); }

CILK_SHARED Cilk_fiber **Cilk_fiber_link(Cilk_fiber *f) { return &f->next; }

CILK_SHARED int Cilk_may_run(const Cilk_vproc *vp, const Cilk_fiber *f) { return cilk_root_within(cilk_closure_root(f), vp->ext->waiting); }

CILK_SHARED void Cilk_post(Cilk_vproc *vp, int target, Cilk_fiber *f)
{
  cilk_worker *to = vp->ext->ctx->workers[target];
  cilk_closure *first = load_relaxed(&to->ext->inbox);
  do
    f->next = first;
  while (!__atomic_compare_exchange_n(&to->ext->inbox, &first, f, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));   /* pairs with receive; and, as in PROTOCOLS.md section 9, with PARKED */
  cilk_unpark(to);
}

/* No activation lies above the end of the deque: the worker is between two segments of its innermost loop. */
static bool between_segments(const cilk_worker_ext *x) { return x->seg == x->loop && !x->closing; }

CILK_SHARED void Cilk_deque_put(Cilk_vproc *vp, Cilk_fiber *f)
{
  if (between_segments(vp->ext))
    cilk_deque_push_ready(vp, &f, 1);
  else
    cilk_orphan_put(vp->ext->ctx, f);
}

CILK_SHARED Cilk_fiber *Cilk_deque_get(Cilk_vproc *vp) { return cilk_deque_pop_ready(vp, vp->ext->floor); }

CILK_SHARED Cilk_fiber *Cilk_steal(Cilk_vproc *vp, int victim)
{
  return victim == vp->id ? NULL : cilk_steal(vp, vp->ext->ctx->workers[victim]);
}

CILK_SHARED Cilk_fiber *Cilk_steal_any(Cilk_vproc *vp, int first)
{
  cilk_context *ctx = vp->ext->ctx;
  int n = ctx->nproc;
  uint32_t here = load_relaxed(&vp->ext->node);
  for (int far = 0; n > 1 && far <= (ctx->nodes != 0); far++)
    for (int i = 0; i < n; i++) {
      int id = first + i < n ? first + i : first + i - n;
      uint64_t parked = load_relaxed(&ctx->parked[id / 64]) >> id % 64;
      if (parked & 1) {                   /* they have nothing; nor has the rest of the word, often */
        if (parked == UINT64_MAX >> id % 64 && id / 64 * 64 + 63 < n)
          i += 63 - id % 64;
        continue;
      }
      cilk_worker *victim = ctx->workers[id];
      if (victim == vp || (ctx->nodes && (load_relaxed(&victim->ext->node) != here) != far))
        continue;
      cilk_closure *c = cilk_steal(vp, victim);
      if (c)
        return c;
    }
  return NULL;
}

CILK_SHARED void Cilk_run_next(Cilk_vproc *vp, Cilk_fiber *f)
{
  cilk_closure *c = vp->ext->next ? NULL : cilk_take_ready(vp, f);
  if (c)
    vp->ext->next = c;
  else if (vp->ext->next)
    cilk_orphan_put(vp->ext->ctx, f);
}

CILK_SHARED void Cilk_keep(Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why)
{
  switch (why) {
  case CILK_WHY_RESUMED: Cilk_run_next(vp, f); break;
  case CILK_WHY_RELEASED:
  case CILK_WHY_REMOTE: Cilk_deque_put(vp, f); break;
  case CILK_WHY_STARTED:
  case CILK_WHY_ORPHANED:
  case CILK_WHY_PREEMPTED: cilk_orphan_put(vp->ext->ctx, f); break;
  }
}

CILK_SHARED Cilk_answer Cilk_answer_hunger(Cilk_vproc *vp, Cilk_point at)
{
  return at != CILK_POINT_POP && cilk_hunger_answer(vp, (int)at) ? CILK_EXPOSE : CILK_STAY;
}

CILK_SHARED Cilk_share *Cilk_share_of(const Cilk_fiber *f)
{
  cilk_root_run *run = cilk_closure_root(f);
  while (!run->started && run->outer)
    run = run->outer;
  return &run->share;
}

CILK_SHARED void Cilk_lock_take(Cilk_lock_word *lock) { cilk_spin_lock(lock); }
CILK_SHARED void Cilk_lock_release(Cilk_lock_word *lock) { cilk_spin_unlock(lock); }

CILK_SHARED uint64_t Cilk_parse_time(const char *text, const char **error)
{
  static const struct { const char *name; uint64_t ns; } units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
  char *end;
  unsigned long long v = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  for (unsigned i = 0; v && v <= 1000000000000 && i < sizeof units / sizeof *units; i++)
    if (strcmp(end, units[i].name) == 0 && v * units[i].ns >= 10000 && v <= 1000000000000 / units[i].ns)
      return v * units[i].ns;
  *error = "a time is a number and a unit, such as 500us, 10ms or 1s, from 10us to 1000s";
  return 0;
}

/* ---- queues ---- */

CILK_SHARED void Cilk_queue_put(Cilk_queue *q, Cilk_fiber *f)
{
  f->next = NULL;
  cilk_spin_lock(&q->lock);
  if (q->last)
    q->last->next = f;
  else
    q->first = f;
  q->last = f;
  store_relaxed(&q->count, q->count + 1);
  cilk_spin_unlock(&q->lock);
}

CILK_SHARED void Cilk_queue_put_first(Cilk_queue *q, Cilk_fiber *f)
{
  cilk_spin_lock(&q->lock);
  f->next = q->first;
  q->first = f;
  if (!q->last)
    q->last = f;
  store_relaxed(&q->count, q->count + 1);
  cilk_spin_unlock(&q->lock);
}

CILK_SHARED Cilk_fiber *Cilk_queue_get(Cilk_queue *q, Cilk_vproc *vp)
{
  if (!load_relaxed(&q->count))           /* a hint: who is told that there is something looks again */
    return NULL;
  cilk_spin_lock(&q->lock);
  cilk_closure *before = NULL, *c = q->first;
  while (c && !Cilk_may_run(vp, c)) {
    before = c;
    c = c->next;
  }
  if (c) {
    if (before)
      before->next = c->next;
    else
      q->first = c->next;
    if (q->last == c)
      q->last = before;
    store_relaxed(&q->count, q->count - 1);
  }
  cilk_spin_unlock(&q->lock);
  return c;
}
