/* vproc.c - what schedulers call (<cilk-sched.h>): vprocs, fibers, deques, queues. */
#include "data/closure.h"
#include "data/context.h"
#include "fibers/custody.h"
#include "fibers/fiber.h"
#include "steal/lazy.h"
#include "steal/node.h"
#include "fibers/orphan.h"
#include "data/policy.h"
#include "data/root.h"
#include "steal/segment.h"
#include "steal/sleep.h"
#include "steal/steal.h"

#include <stdlib.h>
#include <string.h>

CILK_SHARED int Cilk_vproc_id(const Cilk_vproc *vp) {
  return vp->ext->nest.seat ? cilk_seat_number(vp->ext->nest.seat) : vp->id;
}
CILK_SHARED int Cilk_vprocs(const Cilk_vproc *vp) { return vp->ext->team->vprocs; }
CILK_SHARED uint64_t Cilk_random(Cilk_vproc *vp, uint64_t n) { return cilk_choose(vp, CILK_CHOOSE_VICTIM, n); }
CILK_SHARED uint64_t Cilk_now(void) { return cilk_now_ns(); }
CILK_SHARED uint64_t Cilk_vproc_time(Cilk_vproc *vp) { return vp->ext->ctx->turns ? cilk_now_ns() : cilk_thread_ns(); }

CILK_SHARED int Cilk_nodes(const Cilk_vproc *vp) { return vp->ext->ctx->nodes ? vp->ext->ctx->nodes : 1; }
CILK_SHARED int Cilk_node_distance(const Cilk_vproc *vp, int from, int to) {
  return (void)vp, cilk_node_distance(from, to);
}

CILK_SHARED int Cilk_node_of(const Cilk_vproc *vp, int vproc) {
  const cilk_team *t = vp->ext->team;
  if (vproc < 0 || vproc >= t->vprocs) return -1;
  const cilk_worker *w = t->nest ? cilk_seat_worker(t->nest, vproc) : vp->ext->ctx->workers[vproc];
  return w ? (int)load_relaxed(&w->ext->node) : -1;
}

CILK_SHARED Cilk_fiber **Cilk_fiber_link(Cilk_fiber *f) { return &f->next; }

CILK_SHARED int Cilk_may_run(const Cilk_vproc *vp, const Cilk_fiber *f) {
  return cilk_may_take(vp->ext, cilk_closure_root(f));
}

CILK_SHARED int Cilk_fiber_level(const Cilk_fiber *f, int most) {
  int n = 0;
  /* links keep parents alive (PROTOCOLS.md, section 1) */
  for (const cilk_closure *c = f; n < most && (c = c->link->parent);) n++;
  return n;
}

/* A seat above the loop is one at which it sat down while it waited: what runs there does not wait. */
CILK_SHARED int Cilk_waits(const Cilk_vproc *vp) {
  return vp->ext->wait.root && vp->ext->nest.seat == vp->ext->nest.floor;
}

CILK_SHARED void Cilk_call_vprocs(Cilk_vproc *vp) {
  static const cilk_waiting nobody = {.n = -1};
  cilk_notify(vp, vp->ext->team, &nobody);
}

CILK_SHARED void Cilk_post(Cilk_vproc *vp, int target, Cilk_fiber *f) {
  cilk_nest *n = vp->ext->team->nest;
  cilk_worker *to = n ? NULL : vp->ext->ctx->workers[target];
  cilk_custody_out(f);
  cilk_closure **inbox = n ? cilk_nest_inbox(n, target) : &to->ext->inbox, *first = load_relaxed(inbox);
  do f->next = first;
  /* pairs with receive; and, as in PROTOCOLS.md section 9, with PARKED */
  while (!__atomic_compare_exchange_n(inbox, &first, f, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  if (!n) cilk_unpark(to);
  else cilk_nest_posted(vp, n, target);
}

/* No activation is above the end of the deque: the worker is between two segments of its innermost loop. */
static bool between_segments(const cilk_worker_ext *x) { return x->seg == x->loop && !x->closing; }

CILK_SHARED void Cilk_deque_put(Cilk_vproc *vp, Cilk_fiber *f) {
  cilk_custody_out(f);
  if (between_segments(vp->ext)) cilk_deque_push_ready(vp, &f, 1);
  else cilk_orphan_put(vp->ext->ctx, f);
}

/* Taken from a deque: it is in the scheduler's hand now, and next or find returns it. */
static Cilk_fiber *in_hand(Cilk_vproc *vp, Cilk_fiber *f) {
  if (f) cilk_custody_in(vp->ext->team, f, CILK_WHY_RELEASED);
  return f;
}

CILK_SHARED Cilk_fiber *Cilk_deque_get(Cilk_vproc *vp) { return in_hand(vp, cilk_deque_pop_ready(vp, vp->ext->floor)); }

CILK_SHARED Cilk_fiber *Cilk_steal(Cilk_vproc *vp, int victim) {
  cilk_worker *w = vp->ext->team->nest ? cilk_seat_worker(vp->ext->team->nest, victim) : vp->ext->ctx->workers[victim];
  return w && w != vp ? in_hand(vp, cilk_steal(vp, w)) : NULL;
}

CILK_SHARED Cilk_fiber *Cilk_steal_any(Cilk_vproc *vp, int first) {
  cilk_context *ctx = vp->ext->ctx;
  int n = vp->ext->team->vprocs;
  if (vp->ext->team->nest) {
    Cilk_fiber *f = NULL;
    for (int i = 0; i < n && !f; i++) f = Cilk_steal(vp, first + i < n ? first + i : first + i - n);
    return f;
  }
  uint32_t here = load_relaxed(&vp->ext->node);
  for (int far = 0; n > 1 && far <= (ctx->nodes != 0); far++)
    for (int i = 0; i < n; i++) {
      int id = first + i < n ? first + i : first + i - n;
      uint64_t parked = load_relaxed(&ctx->parked[id / 64]) >> id % 64;
      if (parked & 1) {                   /* they have nothing; nor has the rest of the word, often */
        if (parked == UINT64_MAX >> id % 64 && id / 64 * 64 + 63 < n) i += 63 - id % 64;
        continue;
      }
      cilk_worker *victim = ctx->workers[id];
      if (victim == vp || (ctx->nodes && (load_relaxed(&victim->ext->node) != here) != far)) continue;
      cilk_closure *c = cilk_steal(vp, victim);
      if (c) return in_hand(vp, c);
    }
  return NULL;
}

CILK_SHARED void Cilk_run_next(Cilk_vproc *vp, Cilk_fiber *f) {
  cilk_custody_out(f);
  if (vp->ext->next || vp->ext->closing) {
    cilk_orphan_put(vp->ext->ctx, f);
    return;
  }
  vp->ext->next = cilk_take_ready(vp, f);
}

CILK_SHARED void Cilk_keep(Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  switch (why) {
    case CILK_WHY_RESUMED: Cilk_run_next(vp, f); break;
    case CILK_WHY_RELEASED:
    case CILK_WHY_REMOTE: Cilk_deque_put(vp, f); break;
    case CILK_WHY_STARTED:
    case CILK_WHY_ORPHANED:
    case CILK_WHY_PREEMPTED:
      cilk_custody_out(f);
      cilk_orphan_put(vp->ext->ctx, f);
      break;
  }
}

CILK_SHARED Cilk_answer Cilk_answer_hunger(Cilk_vproc *vp, Cilk_point at) {
  return at != CILK_POINT_POP && cilk_hunger_answer(vp, (int)at) ? CILK_EXPOSE : CILK_STAY;
}

CILK_SHARED Cilk_share *Cilk_share_of(const Cilk_fiber *f) {
  cilk_root_run *run = cilk_closure_root(f);
  while (!run->shares && run->outer) run = run->outer;
  return &run->share;
}

/* ---- locks of schedulers ---- */

/* A worker notes that it holds one. It stores `scheduling`, then reads `cilk_spin_forking`; a thread that forks does
 * that the other way round. So a fork waits for the worker, or the worker waits for the fork: the child finds the lock
 * free, and what it guards whole. */
static void scheduler_lock(uint32_t *lock) {
  cilk_worker *w = cilk_me();
  if (w->id >= 0) {
    uint32_t holds = load_relaxed(&w->ext->scheduling);
    store_seq_cst(&w->ext->scheduling, holds + 1);
    while (!holds && load_seq_cst(&cilk_spin_forking)) {
      store_seq_cst(&w->ext->scheduling, 0u);
      cilk_spin_yield();
      store_seq_cst(&w->ext->scheduling, 1u);
    }
  }
  cilk_spin_lock(lock);
}

static void scheduler_unlock(uint32_t *lock) {
  cilk_worker *w = cilk_me();
  cilk_spin_unlock(lock);
  if (w->id >= 0) store_seq_cst(&w->ext->scheduling, load_relaxed(&w->ext->scheduling) - 1);
}

CILK_SHARED void Cilk_lock_take(Cilk_lock_word *lock) { scheduler_lock(lock); }
CILK_SHARED void Cilk_lock_release(Cilk_lock_word *lock) { scheduler_unlock(lock); }

CILK_SHARED uint64_t Cilk_parse_time(const char *text, const char **error) {
  static const struct {
    const char *name;
    uint64_t ns;
  } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
  char *end;
  unsigned long long v = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  for (unsigned i = 0; v && v <= 1000000000000 && i < sizeof units / sizeof *units; i++)
    if (strcmp(end, units[i].name) == 0 && v * units[i].ns >= 10000 && v <= 1000000000000 / units[i].ns)
      return v * units[i].ns;
  *error = "a time is a number and a unit, such as 500us, 10ms or 1s, from 10us to 1000s";
  return 0;
}

/* ---- queues ---- */

CILK_SHARED void Cilk_queue_put(Cilk_queue *q, Cilk_fiber *f) {
  scheduler_lock(&q->lock);
  cilk_custody_queued(f, true);
  f->next = NULL;
  if (q->last) q->last->next = f;
  else q->first = f;
  q->last = f;
  store_relaxed(&q->count, q->count + 1);
  scheduler_unlock(&q->lock);
}

CILK_SHARED Cilk_fiber *Cilk_queue_get(Cilk_queue *q, Cilk_vproc *vp) {
  if (!load_relaxed(&q->count))           /* a hint: a notified worker looks again */
    return NULL;
  scheduler_lock(&q->lock);
  cilk_closure *before = NULL, *c = q->first;
  while (c && !Cilk_may_run(vp, c)) {
    before = c;
    c = c->next;
  }
  if (c) {
    if (before) before->next = c->next;
    else q->first = c->next;
    if (q->last == c) q->last = before;
    store_relaxed(&q->count, q->count - 1);
    cilk_custody_queued(c, false);
  }
  scheduler_unlock(&q->lock);
  return c;
}
