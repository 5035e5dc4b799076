/* stuck.c - touches that wait for each other, and computations of Cilk-1 whose results no thread can send.
 *
 * A program that touches only what its elision has computed by then never comes here. Of others some end with a
 * message (future.c), and some make circles: procedures that wait for futures whose procedures wait for them, so
 * that every worker is idle, and stays so. If anything is suspended at a touch, an idle worker looks for circles now
 * and then. It stops all workers (cilk_freeze), and goes through the trees of links of the computations. If nothing
 * there runs, is ready, or is in a worker's hand, nothing ever will be, and the program ends with a message that
 * names touches. Where computations were started (Cilk_start), which any thread may cancel, the message is a note,
 * and the program goes on to wait. There is no message in three cases: other contexts compute, and may fill futures;
 * what a worker waits for is over, and the worker has not woken up yet; something can be stolen from below a worker
 * that waits in C code.
 *
 * The same look helps a worker that waits for a nested root and takes only what is that root's (PROTOCOLS.md, section
 * 10): where all of that root waits for futures from outside of it, this worker may be the only one that can run what
 * fills them. From then on its loop takes closures of other roots, too. Nested roots that other workers have called in
 * parts of it count as parts of it.
 *
 * A computation of Cilk-1 has no tree of links. Its functions (work_source.h) answer whether something of it can go on,
 * and which of Cilk-5's procedures its threads have called. If such a computation is without a result when nothing can
 * go on anywhere, no thread will send the result.
 *
 * The worker that looks also wakes procedures whose wait was cancelled by a thread that could not wake them (abort.c).
 */
#include "protocol/stuck.h"
#include "protocol/below.h"
#include "data/work_source.h"
#include "data/computation.h"
#include "protocol/future.h"
#include "data/slots.h"
#include "data/policy.h"
#include "steal/sleep.h"

#include <stdio.h>

enum { NAMED = 4 };                       /* a message names so many touches */

typedef struct view {
  bool goes;                              /* something can go on */
  bool uncertain;                         /* ... perhaps */
  int waiters;
  const cilk_closure *waiter[NAMED];      /* the first of them */
  cilk_link *cancelled;                   /* their links, by ->next_waiting */
  void *lost;                             /* a computation of Cilk-1 without a result */
} view;

static void see(view *v, const cilk_closure *c) {
  switch (load_relaxed(&c->state)) {
    case CILK_SUSPENDED: return;
    case CILK_RUNNING:
      v->goes |= !c->worker->ext->wait.root;  /* a worker that is idle, and waits: in C code below */
      return;
    case CILK_DELIVERING:
    case CILK_HANDED: /* the deliverer is not idle: so its inlet has called C code that waits */ return;
    default: v->goes = true;
  }
}

/* What it waits for in C code is over: it goes back there when it has woken up. */
static bool goes_back(const cilk_worker_ext *x) {
  return x->wait.root && cilk_reached(x->wait.until ? x->wait.until : &x->wait.root->done, 1);
}

/* It is idle: so what is on its deque is below a call from C. Under its lock: a thief may have taken something which no
 * link shows yet. */
static bool has_entries(cilk_worker *w) {
  cilk_worker_lock(w);
  bool has = load_relaxed(&w->ext->head) < load_relaxed(&w->tail);
  cilk_worker_unlock(w);
  return has;
}

static void see_touch(view *v, cilk_link *l) {
  for (int i = 0; i < v->waiters && i < NAMED; i++)
    if (v->waiter[i] == l->parent) return;
  if (load_relaxed(&l->aborted)) {
    v->goes = true;
    if (cilk_future_leave(l)) {
      l->next_waiting = v->cancelled;
      v->cancelled = l;
    }
    return;
  }
  if (v->waiters < NAMED) v->waiter[v->waiters] = l->parent;
  v->waiters++;
}

static void look_below(view *v, cilk_closure *c) {
  cilk_closure_lock(c); /* threads that are not workers may be on an abort's walk */
  see(v, c);
  cilk_below below = cilk_below_of(c);
  for (cilk_link *l; (l = cilk_below_next(&below));) {
    cilk_closure *child = l->child;
    if (l->future) see_touch(v, l);
    else if (!child) v->goes |= !l->worker->ext->wait.root;
    else {
      cilk_closure_lock(child);
      see(v, child);
      cilk_below_enter(&below, l);
    }
  }
  cilk_closure_unlock(c);
}

static void look_at_group(view *v, cilk_group *g) {
  cilk_spin_lock(&g->lock);
  for (cilk_computation *m = g->first; m; m = m->next) {
    cilk_group *inner = load_acquire(&m->run.group);
    if (m->closure) {
      v->uncertain = true;
      look_below(v, m->closure);
    }
    if (inner) look_at_group(v, inner);
  }
  cilk_spin_unlock(&g->lock);
}

/* Called from C; or the group that a worker waits for. */
static void look_at(view *v, cilk_root_run *run) {
  cilk_root_run *owner = run->root ? run : run->outer;
  cilk_group *g = load_acquire(&owner->group);
  if (run->root && !run->started && !run->over && !(run->elsewhere && !run->nested)) {
    if (run->link.child) look_below(v, run->link.child);
    else v->goes |= !run->link.worker->ext->wait.root;
  }
  if (g) look_at_group(v, g);
}

static void look_at_list(view *v, cilk_root_run *called, const cilk_root_run *all) {
  for (; called; called = called->below)
    if (cilk_root_within(called, all)) look_at(v, called);
}

/* The nested roots that workers have called: all, or those that are a part of `all`. A worker has a list for each of
 * its stacks. */
static void look_at_calls(view *v, cilk_context *ctx, const cilk_root_run *all) {
  for (int i = 0; i < ctx->nproc; i++) {
    const cilk_worker_ext *x = ctx->workers[i]->ext;
    look_at_list(v, x->wait.called, all);
    cilk_root_run *called;
    for (const struct cilk_seat_stack *at = NULL; x->nest.stacks && cilk_seat_stack_called(x, &at, &called);)
      look_at_list(v, called, all);
  }
}

/* First what may become something that the trees show: the filler of a future of another context has put its waiter
 * into the pool before its own computation is over. */
static void look_at_all(view *v, cilk_context *ctx) {
  /* Under the lock, since another context may be freed. A thread that has the lock may wait for what is frozen. */
  if (!cilk_contexts_try()) {
    v->goes = true;
    return;
  }
  for (cilk_context *other = cilk_contexts; other; other = other->other)
    v->goes |= other != ctx && load_seq_cst(&other->begun) != load_seq_cst(&other->ended);
  cilk_contexts_give();
  /* entries of nests are for their own workers, which may be paused */
  v->uncertain |= load_relaxed(&ctx->nests) != 0;
  for (int i = 0; i < ctx->nproc && !v->uncertain; i++) v->goes |= has_entries(ctx->workers[i]);
  look_at(v, load_acquire(&ctx->running));
  look_at_calls(v, ctx, NULL);
}

static void look_at_other_work(view *v, cilk_worker *w) {
  const cilk_work_source *work_source = cilk_work_source_of(w);
  cilk_root_run *procedures = NULL;
  if (work_source) v->goes |= work_source->goes(w->ext->ctx, &procedures, &v->lost);
  for (; procedures && !v->goes; procedures = procedures->below) look_at(v, procedures);
}

static void describe(const view *v, char *text, size_t room) {
  size_t n = 0;
  for (int i = 0; i < v->waiters && i < NAMED; i++) {
    const cilk_closure *c = v->waiter[i];
    int more = snprintf(text + n, room - n, "%s%s at the touch in %s:%u", i ? ", " : "", c->sig->name, c->sig->file,
        c->sig->entries[c->entry].line);
    n = more < 0 || n + (size_t)more >= room ? room - 1 : n + (size_t)more;
  }
  if (v->waiters > NAMED) snprintf(text + n, room - n, ", and %d more", v->waiters - NAMED);
}

static void report(cilk_worker *w, const view *v, const char *text) {
  char lost[2000];
  if (v->lost) text = cilk_work_source_of(w)->lost(v->lost, lost, sizeof lost);
  if (!v->uncertain && v->lost) cilk_fatal("%s", text);
  if (!v->uncertain)
    cilk_fatal(
        "nothing can go on: all that is left waits for futures, in a cycle (touch what is spawned before, in the order of the text): %s",
        text);
  if (!__atomic_exchange_n(&w->ext->ctx->stuck_noted, 1u, __ATOMIC_RELAXED))
    fprintf(stderr, "Cilk: nothing goes on here, unless something is cancelled from outside: %s%s\n",
        v->lost ? "" : "all that is left waits for futures: ", text);
}

void cilk_stuck_look(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  uint64_t now = cilk_now_ns(), since = load_relaxed(&x->stats.idle_since);
  if (!x->wait.look) x->wait.look = now + CILK_STUCK_NS;
  if (now < x->wait.look) return;
  x->wait.look = now + (now - since);
  if (!cilk_freeze(w)) return;
  view v = {0};
  for (int i = 0; i < ctx->nproc; i++) v.goes |= goes_back(ctx->workers[i]->ext);
  look_at_other_work(&v, w);
  bool over = cilk_reached(flag, value) || load_seq_cst(&ctx->begun) == load_seq_cst(&ctx->ended) ||
              load_relaxed(&ctx->exiting);
  if (!over && x->wait.root && !x->wait.outside) {
    look_at(&v, x->wait.root);
    look_at_calls(&v, ctx, x->wait.root);
    x->wait.outside = !v.goes && (v.waiters || v.lost);
    v.goes = true;
  } else if (!over) look_at_all(&v, ctx);
  bool stuck = !over && !v.goes && (v.waiters || v.lost);
  char text[1024];
  if (stuck) describe(&v, text, sizeof text);
  cilk_thaw(w);
  for (cilk_link *l = v.cancelled, *next; l; l = next) {
    next = l->next_waiting;
    cilk_future_wake(w, l);
  }
  if (stuck) report(w, &v, text);
}
