/* finish.c - the end of a computation, or of a nested root: the result is handed over, waiters are notified.
 *
 * A root that has started computations of their own (computation.h) is over when they are, too: the last to end, the
 * root or one of them, does what is to be done at the end. */
#include "protocol/finish.h"
#include "data/computation.h"
#include "observe/hook.h"
#include "protocol/exit.h"
#include "data/policy.h"
#include "steal/sleep.h"
#include "steal/steal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void cilk_locals_free(cilk_root_run *run) {
  for (struct cilk_local *l = run->locals, *next; l; l = next) {
    next = l->next;
    free(l);
  }
  run->locals = NULL;
}

void cilk_computation_free(cilk_computation *m) {
  if (m->run.ctx && m->run.ctx->steps)    /* in the serial form there is no context */
    m->run.ctx->steps->forget(m->run.ctx, m);
  if (m->engine) cilk_engine_release(m->engine);
  cilk_locals_free(&m->run);
  free(m->run.args);
  free(m->run.result);
  free(m);
}

static void report_to_scheduler(const cilk_team *t, Cilk_share *share) {
  if (t->sched->ended) t->sched->ended(t->self, share);
}

/* The last access to *run is here, except of a started computation: there the last access is its waiter's. */
static void report_end(cilk_root_run *run) {
  if (run->then) {
    run->then(run, run->aborted ? NULL : run->result, run->root->result_size);
    return;
  }
  cilk_context *ctx = run->ctx;
  if (!run->outer) report_to_scheduler(run->team, &run->share);
  if (!run->nested) {
    ctx->work = run->link.work;
    ctx->span = run->link.span;
  }
  if (!run->nested && ctx->alone)
    cilk_exit_alone(ctx, run, run->aborted || !run->root->result_size ? NULL : run->result);
  if (run->nested) {
    cilk_worker *waits = run->link.worker;
    /* pairs with cilk_reached in cilk_schedule; the run may be gone from here on */
    store_seq_cst(&run->done, 1u);
    cilk_unpark(waits);
    return;
  }
  if (ctx->opt.stats) ctx->elapsed_ns = cilk_now_ns() - ctx->start_ns;
  uint32_t number = run->number;
  store_seq_cst(&run->done, 1u);
  /* Workers leave their loops; those asleep, when they are woken for the next one. Worker 0, which runs the next one,
   * is among them: so the numbers come in their order. And while this worker is there the context is. */
  store_seq_cst(&ctx->ended, number);
  /* pairs with wait_until_done: it has looked at `done` under the lock, or finds it set */
  if (load_seq_cst(&ctx->waited)) {
    pthread_mutex_lock(&ctx->mutex);
    pthread_cond_broadcast(&ctx->changed);
    pthread_mutex_unlock(&ctx->mutex);
  }
  cilk_dismiss(ctx);
}

/* A computation that was started is over: its handle stays for the waiter. */
static void end_started(cilk_computation *m) {
  cilk_context *ctx = m->run.ctx;
  CILK_HOOK(step_ends, cilk_me());
  cilk_forget_alarms(m); /* waits for one that rings, which waits for the end of the present step */
  cilk_worker *w = cilk_me();
  struct cilk_views *views = w->views;
  w->views = NULL;
  for (struct cilk_end *e = m->ends, *next; e; e = next) { /* user code: none is added any more */
    next = e->next;
    e->f(e->argument);
    free(e);
  }
  w->views = views;
  report_to_scheduler(m->run.team, &m->run.share);
  CILK_HOOK(user_code_ends, cilk_me());
  __atomic_fetch_sub(&ctx->nested, 1u, __ATOMIC_SEQ_CST);
  cilk_nest *nest = m->nest;
  cilk_spin_lock(&m->lock);
  cilk_worker *waits = m->waiter;
  store_seq_cst(&m->run.done, 1u);
  if (m->engine) cilk_engine_notify(m->engine);
  cilk_spin_unlock(&m->lock); /* the waiter takes this lock before it frees m */
  if (nest) cilk_nest_over(nest);
  if (waits) {
    cilk_unpark(waits);
    /* it may be running something else: it leaves that at its next pop or test (cilk_asked) */
    cilk_signal(waits);
  }
}

static void complete(cilk_root_run *run) {
  for (;;) {
    cilk_computation *m = run->started;
    if (m) cilk_spin_lock(&m->lock); /* a cancel may be going through the group */
    cilk_group *g = load_acquire(&run->group);
    store_relaxed(&run->group, NULL);
    if (m) cilk_spin_unlock(&m->lock);
    if (g) {
      for (cilk_computation *inner = g->first, *next; inner; inner = next) { /* no thread waited for them */
        next = inner->next;
        cilk_computation_free(inner);
      }
      free(g);
    }
    if (!m) {
      cilk_locals_free(run);
      report_end(run);
      return;
    }
    g = m->group;
    end_started(m);
    if (__atomic_sub_fetch(&g->alive, 1u, __ATOMIC_ACQ_REL) != 0) return;
    run = g->node.outer; /* it had ended before */
  }
}

void cilk_group_leave(cilk_group *g) {
  if (__atomic_sub_fetch(&g->alive, 1u, __ATOMIC_ACQ_REL) == 0) complete(g->node.outer);
}

const cilk_sig cilk_ended = {CILK_ABI_VERSION, 0, NULL, "Cilk_start", "cilk-start.h", CILK_STARTED_BYTES, 0, NULL, NULL,
    0, 0};

/* The root's result is there (or its computation was aborted). */
void cilk_root_finish(cilk_link *l, void *result, size_t size) {
  cilk_worker *w = cilk_me();
  cilk_root_run *run = l->root;
  size_t n = run->root->result_size;
  CILK_HOOK(root_ends, w, run);
  cilk_fp_state fp = {0};
  cilk_fp_save(&fp);
  if (memcmp(&fp, &run->fp_after, sizeof fp) != 0) run->fp_after = fp;
  if (run->error != errno) run->error = errno;
  if (result == NULL && cilk_link_aborted(l, run->ctx)) run->aborted = 1;
  l->views = w->views; /* for the caller; what runs at the end uses the objects themselves */
  w->views = NULL;
  if (n && result) memcpy(run->result, result, n < size ? n : size);
  cilk_computation *m = run->started;
  if (m) {
    cilk_spin_lock(&m->lock);
    m->closure->sig = &cilk_ended; /* it is freed later than m, perhaps */
    m->closure = NULL; /* no thread cancels it any more */
    m->over = true;
    cilk_spin_unlock(&m->lock);
  }
  cilk_group *g = load_acquire(&run->group);
  if (g) {
    run->over = true;
    g->owner_ended(w, g);
  }
  if (!g || __atomic_sub_fetch(&g->alive, 1u, __ATOMIC_ACQ_REL) == 0) complete(run);
  w->views = CILK_NO_VIEWS;
}
