/* call.c - calls of Cilk procedures from C.
 *
 * From a thread that is not a worker of the context: worker 0 runs the root, the caller waits. Where worker 0 is the
 * only one, the caller is worker 0 itself (schedule/caller.c). From inside a worker: a nested root, in a new segment on
 * that worker's stack; while it is not finished the worker schedules like any other. */
#include "base/arena.h"
#include "data/context.h"
#include "fibers/fiber.h"
#include "protocol/exit.h"
#include "process/fork.h"
#include "process/init.h"
#include "data/policy.h"
#include "schedule/caller.h"
#include "schedule/private.h"
#include "observe/hook.h"
#include "process/report.h"
#include "data/root.h"
#include "schedule/schedule.h"
#include "data/deque.h"
#include "steal/sleep.h"
#include "data/computation.h"
#include "steal/steal.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* The caller, ctx->mutex held, until something may have changed. */
static void wait_for_change(cilk_context *ctx) {
  int seconds = ctx->opt.watchdog ? ctx->opt.watchdog : cilk_report_period();
  if (!seconds) {
    pthread_cond_wait(&ctx->changed, &ctx->mutex);
    return;
  }
  uint64_t now = cilk_wall_ns();
  struct timespec until = {(time_t)(now / 1000000000u) + seconds, (long)(now % 1000000000u)};
  if (pthread_cond_timedwait(&ctx->changed, &ctx->mutex, &until) != ETIMEDOUT) return;
  if (ctx->opt.watchdog) cilk_report("--watchdog");
  else {
#ifdef CILK_DEBUG
    cilk_report_kept(ctx);
#endif
    cilk_report_standstill(ctx);
  }
}

/* Until then. The worker that finishes stores `done`, then reads `waited`; here it is the other way round, so one of
 * the two sees the other. */
static void wait_until_done(cilk_context *ctx, const cilk_root_run *run) {
  pthread_mutex_lock(&ctx->mutex);
  store_seq_cst(&ctx->waited, 1u);
  while (!load_seq_cst(&run->done)) wait_for_change(ctx);
  store_relaxed(&ctx->waited, 0u);
  pthread_mutex_unlock(&ctx->mutex);
}

static bool is_done(const void *run) { return load_acquire(&((const cilk_root_run *)run)->done) != 0; }

/* By the thread of worker 0. */
static void have_it_run(cilk_context *ctx, cilk_root_run *run, bool together) {
  store_seq_cst(&ctx->job, run);
  /* If worker 0 is awake it takes the job by itself, and what is over soon is no work for thieves: they are woken when
   * it takes longer. */
  bool attentive = load_seq_cst(&ctx->attentive);
  if (together) cilk_open_to_all(ctx);
  else if (!attentive) cilk_open(ctx);
  if (together || !cilk_spin(is_done, run)) {
    if (attentive && !together) cilk_open(ctx);
    wait_until_done(ctx, run);
  }
  if (together) ctx->policy->together->wait(ctx);
}

static void run_init(cilk_root_run *run, cilk_context *ctx, const cilk_root *root, void *args, void *result,
    bool nested) {
  memset(run, 0, sizeof *run);
  run->link.root = run;
  run->root = root;
  run->args = args;
  run->result = result;
  run->ctx = ctx;
  run->team = nested ? cilk_me()->ext->team : &ctx->team;
  run->nested = nested;
  cilk_fp_save(&run->fp); /* on the calling thread */
  run->fp_after = run->fp;
  run->error = errno;
  run->link.views = cilk_me()->views; /* NULL where the thread is not a worker */
  run->level = cilk_me()->level;
  /* a computation that travels leaves its thread: then the procedure's frame has the level */
  if (!run->level && cilk_me()->id < 0 && !cilk_arena_end) run->level = &cilk_me()->own_level;
}

/* The caller goes on with what the computation left. */
static void take_over(const cilk_root_run *run) {
  cilk_fp_load(&run->fp_after);
  errno = run->error;
  cilk_me()->views = run->link.views;
  cilk_me()->level = run->level;
}

/* A call on a worker of the context: the root runs on its stack, above what is there. */
static void call_nested(cilk_worker *w, cilk_context *ctx, const cilk_root *root, void *args, void *result) {
  cilk_root_run run;
  run_init(&run, ctx, root, args, result, true);
  run.link.worker = w;
  cilk_closure *next = w->ext->next; /* NULL but for a delivery that found its parent ready */
  w->ext->next = NULL;
  cilk_root_run *waiting = w->ext->wait.root;
  struct cilk1_pool *pool = w->pool; /* a thread of Cilk-1 called */
  w->pool = NULL;
  run.outer = pool ? cilk_root_of_pool(pool) : cilk_present_root(w->ext);
  run.below = w->ext->wait.called;
  w->ext->wait.called = w->ext->wait.root = &run;
  __atomic_fetch_add(&ctx->nested, 1u, __ATOMIC_SEQ_CST);
  if (load_seq_cst(&ctx->exiting)) /* pairs with cilk_rt_exit, which reads `nested` after it has stored this */
    cilk_exit_now(ctx);
  const uint32_t *until = w->ext->wait.until;
  w->ext->wait.until = NULL; /* what runs above is a part of the call */
  cilk_span_kept kept = {0};
  CILK_HOOK(wait_begins, w, &kept);
  cilk_schedule(w, &run, &run.done, 1);
  CILK_HOOK(wait_ends, w, &kept, run.link.work, run.link.span);
  w->ext->wait.until = until;
  if (run.aborted) /* only Cilk_exit aborts a root: there is no value to return */
    cilk_exit_now(ctx);
  __atomic_fetch_sub(&ctx->nested, 1u, __ATOMIC_SEQ_CST);
  w->ext->next = next;
  w->ext->wait.root = waiting;
  w->ext->wait.called = run.below;
  w->pool = pool;
  cilk_signal(w); /* a signal meant for an outer segment may have been consumed up here */
  take_over(&run);
}

/* Does some worker of `from` call `to`, or a context that waits for `to` in turn? cilk_contexts_lock is held. A call
 * that would close a circle is refused, so this ends. */
static bool waits_for(const cilk_context *from, const cilk_context *to) {
  for (int i = 0; i < from->nproc && !from->lost; i++) {
    const cilk_context *next = load_relaxed(&from->extensions[i]->wait.context);
    if (next && (next == to || waits_for(next, to))) return true;
  }
  return false;
}

/* A worker of one context may call another one, but not one that waits for it: that would wait for ever. Such a context
 * has a worker that calls the present context, or waits for its turn to do so. Its computation, and its `call`, do not
 * end before. All of them note here the context that they call, so of two that call each other the second sees the
 * first. */
static void refuse_circle(cilk_worker *w, cilk_context *to, const cilk_root *root) {
  cilk_contexts_take();
  bool circle = waits_for(to, w->ext->ctx);
  store_relaxed(&w->ext->wait.context, to);
  cilk_contexts_give();
  if (circle)
    cilk_fatal(
        "%s was called in a context whose computation waits for this call: a cycle of calls between contexts never ends",
        root->name);
}

/* Before the called context's `call` is given back: its next computation does not wait for this worker. */
static void call_is_over(cilk_worker *w) {
  cilk_contexts_take();
  store_relaxed(&w->ext->wait.context, NULL);
  cilk_contexts_give();
}

void cilk_rt_call_root(struct CilkContext *ctx, const cilk_root *root, void *args, void *result) {
  _Alignas(64) cilk_root_run run;
  cilk_worker *w = cilk_me();
  if (ctx == CILK_START_MARK || ctx == CILK_WITH_MARK) {
    cilk_start(w, root, args, ctx == CILK_START_MARK);
    if (root->result_size) memset(result, 0, root->result_size); /* not looked at */
    return;
  }
  if (!ctx && w->id < 0) cilk_fatal("%s was called from C without a context (see Cilk_init)", root->name);
  if (!ctx) ctx = w->ext->ctx;
  if (ctx->runtime != &cilk_this_runtime)
    cilk_fatal(
        "%s was called with a context of another copy of the runtime: call the Cilk_init of the library that it is in",
        root->name);
  cilk_context *from = w->id >= 0 ? w->ext->ctx : NULL;
  if (from == ctx) {
    call_nested(w, ctx, root, args, result);
    return;
  }
  /* Workers write to `run`, so this frame stays until they have done: the caller cannot be cancelled here. */
  int cancel;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  if (from) {
    refuse_circle(w, ctx, root);
    cilk_leave_all(w); /* what it calls may touch a future that a gang here fills in its next step */
  }
  pthread_mutex_lock(&ctx->call);
  if (ctx->lost) cilk_context_revive(ctx);
  bool small = root->result_size <= sizeof run.small;
  run_init(&run, ctx, root, args, small ? run.small : result, false);
  if (!ctx->caller_is_worker) run.link.worker = ctx->workers[0];
  cilk_private_copy(ctx, true);
  ctx->ever_ran = true;
  ctx->start_ns = run.began = cilk_now_ns();
  bool together = ctx->policy->together != NULL; /* all workers come into it */
  if (load_relaxed(&ctx->open) != together) /* only callers write it */
    store_seq_cst(&ctx->open, together ? 1u : 0u);
  run.number = load_relaxed(&ctx->begun) + 1;
  store_release(&ctx->running, &run);
  store_seq_cst(&ctx->begun, run.number);
  if (ctx->caller_is_worker) (from ? cilk_caller_run_elsewhere : cilk_caller_run)(ctx, &run);
  else have_it_run(ctx, &run, together);
  cilk_private_copy(ctx, false);
  if (load_acquire(&ctx->exiting)) {
    /* `call` stays locked and the context stays: other threads may wait for their turn, and must do so until the
     * process is gone. */
    cilk_exit_claim();
    cilk_context_stop(ctx);
    cilk_exit_process(ctx->exit_status);
  }
  if (small && root->result_size) memcpy(result, run.small, root->result_size);
  if (from) call_is_over(w);
  pthread_mutex_unlock(&ctx->call);
  if (from) cilk_back_all(w);
  pthread_setcancelstate(cancel, NULL);
  take_over(&run);
}

void cilk_rt_call_serial(const cilk_root *root, void *args, void *result) {
  static _Thread_local cilk_context *ctx;
  bool inside = cilk_me()->id >= 0;
  if (!inside && !ctx) {
    char *argv[] = {(char *)"cilk", (char *)"--nproc", (char *)"1", NULL};
    int argc = 3;
    if (cilk_context_create(&argc, argv, &ctx) != 0) cilk_fatal("%s: no worker could be created", root->name);
  }
  cilk_rt_call_root(inside ? NULL : ctx, root, args, result);
}
