/* fiber.c - where the runtime meets a scheduler (<cilk-sched.h>): its functions are called here; what it may call is
 * vproc.c.
 *
 * A fiber is a closure that is READY (PROTOCOLS.md, section 2). While the scheduler has it, deliveries and aborts reach
 * it there as they would on a deque; what `next` and `find` return is taken in hand, unless a worker runs deliveries
 * for it at that moment: the deliverer goes on with it (HANDED). What comes off a deque is in hand already (TAKEN).
 *
 * The common pool (orphan.c) holds what a scheduler cannot keep where it would. Some are fibers given back while frames
 * lie above the deque's end. The others are fibers that a worker was given though it waits for a nested root of which
 * they are no part. Workers look there before they ask `find`. */
#include "fibers/fiber.h"
#include "data/work_source.h"
#include "data/context.h"
#include "fibers/custody.h"
#include "steal/drain.h"
#include "steal/halt.h"
#include "steal/lazy.h"
#include "fibers/orphan.h"
#include "data/policy.h"
#include "data/root.h"
#include "steal/segment.h"
#include "steal/sleep.h"
#include "steal/steal.h"
#include "data/step.h"
#include "observe/inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- to the scheduler ---- */

static Cilk_fiber *ask(cilk_worker *w, const cilk_team *t, Cilk_fiber *(*which)(void *, Cilk_vproc *),
    const char *name) {
  cilk_inside *in = cilk_inside_enter(w, t->sched->name, name);
  Cilk_fiber *f = which(t->self, w);
  cilk_inside_leave(in);
  return f;
}

static void notify(cilk_worker *w, const cilk_team *t, void (*which)(void *, Cilk_vproc *), const char *name) {
  cilk_inside *in = cilk_inside_enter(w, t->sched->name, name);
  which(t->self, w);
  cilk_inside_leave(in);
}

Cilk_answer cilk_team_asked(cilk_worker *w, const cilk_team *t, Cilk_point at, int late) {
  cilk_inside *in = cilk_inside_enter(w, t->sched->name, "asked");
  Cilk_answer a = t->sched->asked(t->self, w, at, late);
  cilk_inside_leave(in);
  return a;
}

void cilk_ready_quietly(cilk_worker *w, cilk_closure *c, Cilk_why why) {
  cilk_team *t = cilk_closure_root(c)->team;
  if (cilk_ordered(w)) cilk_steps_of(w)->ready(w, c, why);
  else if (t != w->ext->team) /* its scheduler's functions are for its own vprocs */ cilk_orphan_put(w->ext->ctx, c);
  else if (t->sched->ready) {
    cilk_custody_in(t, c, why);
    cilk_inside *in = cilk_inside_enter(w, t->sched->name, "ready");
    t->sched->ready(t->self, w, c, why);
    cilk_inside_leave(in);
  } else Cilk_keep(w, c, why);
}

void cilk_ready(cilk_worker *w, cilk_closure *c, Cilk_why why) {
  cilk_context *ctx = w->ext->ctx;
  cilk_waiting waiting;
  cilk_team *t = cilk_closure_root(c)->team;
  cilk_waiting_for(&waiting, ctx, cilk_closure_root(c));   /* now: once c is taken its root may be over soon */
  cilk_nest *nest = t->nest;
  /* likewise. This worker may have no seat in the nest: it has filled a future for which c waited. */
  if (nest) cilk_nest_keep(nest);
  cilk_ready_quietly(w, c, why);
  if (w->ext->next != c)                  /* else no worker can take it */
    cilk_notify(w, t, &waiting);
  if (nest) cilk_nest_drop(nest);
}

void cilk_notify(cilk_worker *w, cilk_team *t, const cilk_waiting *waiting) {
  if (t->nest) cilk_seat_wake(w, t->nest);
  cilk_announce(w->ext->ctx, waiting);
}

void cilk_give_up(cilk_worker *w, cilk_closure *c, Cilk_why why) {
  cilk_closure_lock(c);
  cilk_assert_own(c, w, CILK_TAKEN);
  cilk_drain(w, c);
  cilk_closure_change(c, CILK_TAKEN, CILK_READY);
  cilk_closure_unlock(c);
  cilk_ready(w, c, why);
}

/* ---- from the scheduler ---- */

/* c was READY in the scheduler's keeping, or has just been taken off a deque: in hand, or NULL. */
static cilk_closure *claim(cilk_worker *w, cilk_closure *c) {
  cilk_worker_ext *x = w->ext;
  cilk_custody_returned(x->team, c);
  bool taken = load_relaxed(&c->state) == CILK_TAKEN;   /* only the scheduler had it, so that is settled */
  if (cilk_closure_root(c)->team != x->team || !cilk_may_take(x, cilk_closure_root(c))) {
    cilk_closure_lock(c);
    if (taken) {
      cilk_drain(w, c);
      cilk_closure_change(c, CILK_TAKEN, CILK_READY);
    }
    cilk_closure_unlock(c);
    cilk_orphan_put(x->ctx, c);
    return NULL;
  }
  if (!taken) return cilk_take_ready(w, c);
  if (c->worker != w) {                   /* kept since then, or another vproc's theft */
    cilk_closure_lock(c);
    c->worker = w;
    cilk_closure_unlock(c);
  }
  return c;
}

static cilk_closure **inbox_of(cilk_worker_ext *x) { return x->nest.seat ? cilk_seat_inbox(x->nest.seat) : &x->inbox; }

/* What others sent here. Oldest first. */
static void receive(cilk_worker *w) {
  cilk_closure *list = NULL, *next;
  /* Pairs with the release in Cilk_post. */
  for (cilk_closure *c = __atomic_exchange_n(inbox_of(w->ext), NULL, __ATOMIC_ACQUIRE); c; c = next) {
    next = c->next;
    c->next = list;
    list = c;
  }
  for (; list; list = next) {
    next = list->next;
    cilk_ready(w, list, CILK_WHY_REMOTE);
  }
}

cilk_closure *cilk_next(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  const cilk_team *t = x->team;
  if (cilk_ordered(w)) return cilk_steps_of(w)->next(w);
  if (load_relaxed(inbox_of(x))) receive(w);
  cilk_closure *c = x->next;
  x->next = NULL;
  if (!c && load_relaxed(&x->nest.due)) c = cilk_seat_due_here(w);
  for (cilk_closure *f; !c && (f = t->sched->next ? ask(w, t, t->sched->next, "next") : Cilk_deque_get(w));)
    c = claim(w, f);
  return c;
}

cilk_closure *cilk_look(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_team *t = x->team;
  const cilk_work_source *work_source = cilk_work_source_of(w);
  if (cilk_ordered(w)) return cilk_steps_of(w)->look(w);
  cilk_closure *c = work_source && work_source->came(w) ? &cilk_found_other_work : cilk_orphan_take(w);
  if (c) return c;
  if (x->wait.outside && (c = cilk_take_below(w))) return c;
  if ((load_seq_cst(inbox_of(x)) || load_seq_cst(&x->nest.due)) && (c = cilk_next(w)))   /* seq_cst: against PARKED */
    return c;
  /* As in cilk_next: a failed claim does not end the search. A scheduler that has given a fiber counts this
   * worker as one that runs. */
  for (cilk_closure *f;
      !c && (f = t->sched->find ? ask(w, t, t->sched->find, "find") : cilk_sched_steal.find(NULL, w));)
    c = claim(w, f);
  if (c) return c;
  cilk_custody_vain(t);
  if (work_source && work_source->steal(w)) return &cilk_found_other_work;
  return cilk_seat_try(w);
}

void cilk_leave(cilk_worker *w) {
  const cilk_team *t = w->ext->team;
  if (t->sched->leave) notify(w, t, t->sched->leave, "leave");
}

void cilk_back(cilk_worker *w) {
  const cilk_team *t = w->ext->team;
  if (t->sched->back && !cilk_ordered(w)) notify(w, t, t->sched->back, "back");
}

void cilk_leave_all(cilk_worker *w) {
  cilk_leave(w);
  cilk_leave_below(w, w->ext->nest.seat);
}

void cilk_back_all(cilk_worker *w) {
  cilk_back_below(w, w->ext->nest.seat);
  cilk_back(w);
}

/* ---- at safe points ---- */

/* Outer teams first: what runs here is theirs, too. */
Cilk_answer cilk_ask_scheduler(cilk_worker *w, Cilk_point at, int late) {
  const cilk_team *t = w->ext->team;
  if (late && (w->ext->nest.seat != w->ext->nest.floor || t->nest) && !cilk_seats_stay(w, at, &late)) return CILK_LEAVE;
  return t->sched->asked ? cilk_team_asked(w, t, at, late) : Cilk_answer_hunger(w, at);
}

Cilk_answer cilk_asked(cilk_worker *w, Cilk_point at) {
  cilk_worker_ext *x = w->ext;
  const cilk_policy *p = x->ctx->policy;
  int late = load_relaxed(&x->late) != 0;
  if (late) store_relaxed(&x->late, 0u);
  if (cilk_until_reached(x) || cilk_seat_called_away(w) || cilk_must_halt(w)) return CILK_LEAVE;
  if (x->yields) {
    x->yields = false;
    return CILK_LEAVE;
  }
  if ((x->nest.seat != x->nest.floor || load_relaxed(&x->nest.due)) && cilk_seat_must_leave(w)) return CILK_LEAVE;
  return p->asked ? p->asked(w, at, late) : cilk_ask_scheduler(w, at, late);
}
