/* start.c - computations of their own (<cilk-start.h>): begun, waited for, cancelled.
 *
 * A started computation is a root. Its bottom is a closure of a procedure of the runtime's own. That procedure has one
 * child, the procedure that was called, and a sync. So from its first moment it is a fiber like any other, which the
 * scheduler gets (CILK_WHY_STARTED). It is stolen, released, preempted and resumed like any procedure. To cancel it is
 * to abort it: its link and all links below are marked (abort.c).
 *
 * A worker that waits runs a scheduler's loop above its own stack, as for a nested root. It takes what belongs to the
 * group, the computations that its root has started. The awaited computation may need a worker for any of them, and
 * none of them needs what is below on this stack. */
#include "calls/start.h"
#include "protocol/abort.h"
#include "protocol/deliver.h"
#include "protocol/exit.h"
#include "fibers/fiber.h"
#include "nest/nest.h"
#include "data/pool.h"
#include "schedule/schedule.h"
#include "steal/steal.h"
#include "data/step.h"
#include "observe/hook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the procedure at its bottom ---- */

enum { ENTRY_BEGIN, ENTRY_CHILD, ENTRY_SYNC };

static cilk_computation **slot(cilk_closure *c) {
  return (cilk_computation **)(void *)((char *)c + CILK_CLOSURE_HEADER);
}

static void deliver_result(cilk_closure *c, void *record, void *result) {
  const cilk_computation *m = *slot(c);
  (void)record;
  if (m->run.root->result_size) memcpy(m->run.result, result, m->run.root->result_size);
}

/* Calls the thunk as a slow clone calls a child; false: the closure is another worker's now. */
static bool call_child(cilk_worker *w, cilk_closure *c) {
  const cilk_computation *m = *slot(c);
  size_t n = m->run.root->result_size;
  _Alignas(64) char small[CILK_ROOT_RESULT];
  void *result = n <= sizeof small ? small : cilk_pool_alloc(n); /* a dummy, when the child was stolen or released */
  c->entry = ENTRY_CHILD;
  cilk_closure **t = load_relaxed(&w->tail);
  *t = c;
  store_release(&w->tail, t + 1); /* pairs with the thief's acquire: the entry */
  errno = m->run.error;
  m->run.root->thunk(m->run.args, result);
  /* the fenced pop of slow clones: against a thief's claim */
  (void)__atomic_exchange_n(&w->tail, t, __ATOMIC_SEQ_CST);
  int verdict = load_seq_cst(&w->exc) > t ? cilk_rt_pop_exception(result, n) : CILK_CONTINUE;
  if (verdict == CILK_CONTINUE && n) memcpy(m->run.result, result, n);
  if (result != small) cilk_pool_free(result, n);
  return verdict == CILK_CONTINUE || verdict == CILK_SKIP;
}

static void bottom(cilk_worker *w, cilk_closure *c) {
  if (c->entry == ENTRY_BEGIN && !call_child(w, c)) return;
  c->entry = ENTRY_SYNC;
  if (cilk_rt_sync(c) == CILK_CONTINUE) cilk_rt_return(c, NULL, 0); /* the result is in its place */
}

cilk_closure *cilk_bottom(cilk_computation *m, cilk_worker *w) {
  m->run.link.root = &m->run;
  m->entries[ENTRY_CHILD] = (cilk_entry){.deliver = deliver_result, .result_size = m->run.root->result_size};
  m->sig = (cilk_sig){CILK_ABI_VERSION, 0, bottom, m->run.root->name, "cilk-start.h", CILK_STARTED_BYTES, 3, m->entries,
      NULL, 0, 0};
  cilk_closure *c = m->closure = cilk_rt_closure_alloc(&m->sig);
  c->entry = ENTRY_BEGIN;
  *slot(c) = m;
  cilk_closure_become_full(c, &m->run.link, w, CILK_READY);
  return c;
}

/* ---- beginning ---- */

/* What the calling code belongs to. */
/* ---- storage of a computation's own, inherited by those that it starts ---- */

static struct cilk_local *local_of(const cilk_root_run *run, const void *key) {
  struct cilk_local *l = load_acquire(&run->locals);
  while (l && l->key != key) l = l->next;
  return l;
}

CILK_SHARED void *Cilk_local_get(const void *key) {
  cilk_worker *w = cilk_me();
  struct cilk_local *l = NULL;
  for (const cilk_root_run *run = w->id < 0 ? NULL : cilk_present_root(w->ext); run && !l; run = run->outer)
    l = local_of(run, key);
  return l ? load_acquire(&l->value) : NULL;
}

CILK_SHARED void Cilk_local_set(const void *key, void *value) {
  cilk_worker *w = cilk_me();
  cilk_root_run *run = w->id < 0 ? NULL : cilk_present_root(w->ext);
  if (!run) cilk_fatal("Cilk_local_set can be called only by Cilk procedures and by C functions that they call");
  struct cilk_local *l = local_of(run, key);
  if (l) {
    store_release(&l->value, value);
    return;
  }
  l = malloc(sizeof *l);
  if (!l) cilk_fatal("out of memory");
  *l = (struct cilk_local){key, value, load_relaxed(&run->locals)};
  /* pairs with local_of */
  while (!__atomic_compare_exchange_n(&run->locals, &l->next, l, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

CILK_SHARED void Cilk_yield(void) {
  cilk_worker *w = cilk_me();
  if (w->id < 0) return;
  w->ext->yields = true;
  cilk_hurry(w);
}

static cilk_group *group_of(cilk_root_run *owner) {
  /* then the caller looks at the owner's mark; cilk_cancel marks, then looks here: all seq_cst */
  cilk_group *g = load_seq_cst(&owner->group), *mine = NULL;
  if (g) return g;
  mine = calloc(1, sizeof *mine);
  if (!mine) cilk_fatal("out of memory");
  mine->node.ctx = owner->ctx;
  mine->node.nested = true; /* a worker that waits for one of them is woken by name */
  mine->node.link.worker = cilk_me();
  mine->node.outer = owner;
  mine->node.team = owner->team;
  mine->alive = 1;
  mine->owner_ended = cilk_engines_end;
  if (__atomic_compare_exchange_n(&owner->group, &g, mine, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return mine;
  free(mine);
  return g;
}

static void *copy(const void *from, size_t n) {
  void *p = NULL;
  if (n && posix_memalign(&p, 64, n) != 0) cilk_fatal("out of memory");
  return n && from ? memcpy(p, from, n) : p;
}

void cilk_start(cilk_worker *w, const cilk_root *root, const void *args, bool go) {
  if (w->id < 0)
    cilk_fatal("Cilk_start(%s, ...) can be called only by Cilk procedures and by C functions that they call",
        root->name);
  cilk_worker_ext *x = w->ext;
  cilk_context *ctx = x->ctx;
  cilk_root_run *owner = cilk_present_root(w->ext);
  if (!owner) cilk_fatal("Cilk_start(%s, ...) was called by code that is no longer part of a computation", root->name);
  cilk_step_begin(w, CILK_STEP_START);
  cilk_group *g = group_of(owner);
  cilk_computation *m = calloc(1, sizeof *m);
  if (!m) cilk_fatal("out of memory");
  m->group = g;
  m->run.root = root;
  m->run.args = copy(args, root->args_size);
  m->run.result = copy(NULL, root->result_size);
  m->run.ctx = ctx;
  m->run.outer = &g->node;
  m->run.started = m;
  m->run.team = x->team;
  m->run.shares = true;
  m->run.share.weight = 1;
  cilk_fp_save(&m->run.fp);
  m->run.error = errno;
  cilk_closure *c = cilk_bottom(m, w);
  __atomic_fetch_add(&g->alive, 1u, __ATOMIC_ACQ_REL);
  __atomic_fetch_add(&ctx->nested, 1u, __ATOMIC_SEQ_CST); /* against Cilk_exit, which cannot take it back */
  if (load_seq_cst(&ctx->exiting)) cilk_exit_now(ctx);
  cilk_spin_lock(&g->lock);
  m->next = g->first;
  if (m->next) m->next->before = m;
  g->first = m;
  /* A cancel of the owner marks it, then looks through this list: one of the two sees the other. */
  if (load_seq_cst(&owner->link.aborted)) store_seq_cst(&m->run.link.aborted, 1u);
  cilk_spin_unlock(&g->lock);
  x->started = m;
  if (ctx->steps) ctx->steps->started(w, m);
  if (go) cilk_ready(w, c, CILK_WHY_STARTED);
  cilk_step_end(w);
}

cilk_computation *cilk_nested(const char *scheduler, int vprocs, cilk_engine *(*engine)(void)) {
  cilk_computation *m = cilk_serial_started();
  if (m) return m;
  cilk_worker *w = cilk_me();
  m = w->ext->started;
  if (cilk_ordered(w)) {
    cilk_step_begin(w, CILK_STEP_START);
    cilk_ready(w, m->closure, CILK_WHY_STARTED);
    cilk_step_end(w);
    return m;
  }
  cilk_engine *e = engine ? engine() : NULL;
  cilk_nest *n = cilk_nest_new(m, w->ext->team, scheduler, vprocs, w, e);
  cilk_spin_lock(&m->lock); /* a cancel of its owner finds it in the group */
  m->nest = n;
  m->engine = e;
  m->run.team = &n->team;
  m->run.outer = &n->node;
  cilk_spin_unlock(&m->lock);
  cilk_closure *first = e ? NULL : n->seats[0].closure;
  /* m may be over from here on, but only its waiter frees it: the first seat is this worker's alone until READY */
  cilk_nest_open(n);
  if (first) cilk_ready(w, first, CILK_WHY_STARTED);
  return m;
}

CILK_SHARED cilk_computation *cilk_rt_with(const char *scheduler, int vprocs) {
  return cilk_nested(scheduler, vprocs, NULL);
}

CILK_SHARED cilk_computation *cilk_rt_started(void) {
  cilk_computation *m = cilk_serial_started();
  return m ? m : cilk_me()->ext->started;
}

/* ---- waiting ---- */

void cilk_wait_loop(cilk_worker *w, cilk_computation *m, const uint32_t *flag) {
  cilk_worker_ext *x = w->ext;
  cilk_group *g = m->group;
  cilk_closure *next = x->next;
  cilk_root_run *waiting = x->wait.root;
  struct cilk1_pool *pool = w->pool;
  cilk_fp_state fp;
  int error = errno;
  cilk_fp_save(&fp);
  x->next = NULL;
  w->pool = NULL;
  cilk_step_begin(w, CILK_STEP_WAIT);
  cilk_spin_lock(&m->lock);
  m->waiter = w;
  cilk_spin_unlock(&m->lock);
  cilk_step_end(w);
  store_relaxed(&g->node.link.worker, w);
  const uint32_t *until = x->wait.until;
  x->wait.root = &g->node;
  x->wait.until = flag;
  cilk_span_kept kept = {0};
  CILK_HOOK(wait_begins, w, &kept);
  cilk_schedule(w, NULL, flag, 1);
  CILK_HOOK(wait_ends, w, &kept, 0, 0); /* the computation has totals of its own */
  x->wait.until = until;
  x->wait.root = waiting;
  x->next = next;
  w->pool = pool;
  cilk_signal(w); /* a signal meant for an outer segment may have been consumed up here */
  cilk_fp_load(&fp);
  errno = error;
}

CILK_SHARED int Cilk_wait(cilk_computation *m, void *result) {
  if (!m->group) return cilk_serial_wait(m, result);
  cilk_worker *w = cilk_me();
  if (w->id < 0) cilk_fatal("Cilk_wait can be called only by Cilk procedures and by C functions that they call");
  cilk_engine_resume(w, m);
  cilk_wait_loop(w, m, &m->run.done);
  return cilk_wait_ended(m, result);
}

int cilk_wait_ended(cilk_computation *m, void *result) {
  cilk_group *g = m->group;
  cilk_spin_lock(&m->lock); /* the worker that set `done` still holds it */
  cilk_spin_unlock(&m->lock);
  cilk_spin_lock(&g->lock);
  *(m->before ? &m->before->next : &g->first) = m->next;
  if (m->next) m->next->before = m->before;
  cilk_spin_unlock(&g->lock);
  int whole = !m->run.aborted;
  if (whole && result && m->run.root->result_size) memcpy(result, m->run.result, m->run.root->result_size);
  cilk_computation_free(m);
  return whole;
}

/* ---- cancelling ---- */

void cilk_cancel(cilk_computation *m) {
  cilk_spin_lock(&m->lock);
  if (!load_seq_cst(&m->run.done)) { /* so its closure is there: its end waits for this lock */
    store_seq_cst(&m->run.link.aborted, 1u);
    cilk_group *g = load_seq_cst(&m->run.group); /* pairs with group_of */
    if (g) {
      cilk_spin_lock(&g->lock);
      for (cilk_computation *inner = g->first; inner; inner = inner->next) cilk_cancel(inner);
      cilk_spin_unlock(&g->lock);
    }
    if (m->closure) cilk_abort_all(m->run.ctx, m->closure);
    cilk_engine_open(m);
  }
  cilk_spin_unlock(&m->lock);
}

CILK_SHARED void Cilk_cancel(cilk_computation *m) {
  cilk_worker *w = cilk_me();
  cilk_context *ctx = m->run.ctx;
  if (w->id >= 0 && w->ext->ctx == ctx) {
    cilk_step_begin(w, CILK_STEP_CANCEL);
    cilk_cancel(m);
    cilk_step_end(w);
  } else if (!ctx || !ctx->steps || ctx->steps->outside(ctx, m)) {
    cilk_cancel(m);
    if (ctx && ctx->steps) ctx->steps->outside_done(ctx);
  }
}

CILK_SHARED void Cilk_cancel_after(cilk_computation *m, long long ns) {
  /* over, in the serial form; the file says when */
  if (m->group && !(m->run.ctx->steps && m->run.ctx->steps->replays)) cilk_alarm_set(m, &m->deadline, Cilk_cancel, ns);
}

CILK_SHARED void Cilk_on_end(cilk_computation *m, void (*f)(void *), void *argument) {
  struct cilk_end *e = malloc(sizeof *e);
  if (!e) cilk_fatal("out of memory");
  cilk_worker *w = cilk_me();
  bool step = w->id >= 0 && w->ext->ctx == m->run.ctx;
  if (step) cilk_step_begin(w, CILK_STEP_CLEANUP);
  cilk_spin_lock(&m->lock);
  bool over = m->over;
  *e = (struct cilk_end){f, argument, m->ends};
  if (!over) m->ends = e;
  cilk_spin_unlock(&m->lock);
  if (step) cilk_step_end(w);
  if (over) {
    free(e);
    f(argument);
  }
}
