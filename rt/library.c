/* library.c - small functions behind <cilk.h>: who am I, and Cilk_exit. */
#include "internal.h"

#ifdef CILK_EVENTS
cilk_event_fn *cilk_event_hook;
#endif

int cilk_rt_self(void) { return cilk_self.id; }
int cilk_rt_active_size(void) { return cilk_self.id >= 0 ? cilk_self.nproc : 1; }

/* Cilk_exit: ends the computation by aborting its root. Statements after it may run until the next pop, test or sync. */
void cilk_rt_exit(int status)
{
  cilk_worker *w = cilk_me();
  if (w->id < 0)
    exit(status);
  cilk_context *ctx = w->ext->ctx;
  pthread_mutex_lock(&ctx->mutex);
  bool first = !load_relaxed(&ctx->exiting);
  if (first) {
    ctx->exit_status = status;
    store_seq_cst(&ctx->exiting, 1u);
  }
  pthread_mutex_unlock(&ctx->mutex);
  if (!first)
    return;
  if (load_relaxed(&ctx->nested)) {
    /* C functions wait for the values of nested roots: they cannot be unwound, so the process ends here. */
    ctx->elapsed_ns = cilk_now_ns() - ctx->start_ns;
    if (ctx->opt.stats)
      cilk_stats_print(ctx, stderr);
    exit(status);
  }
  for (int i = 0; i < ctx->nproc; i++)
    cilk_signal(ctx->workers[i]);
}
