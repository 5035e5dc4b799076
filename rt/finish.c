/* finish.c - the end of a computation, or of a nested root: the result is handed over, who waits is told. */
#include "finish.h"
#include "closure.h"
#include "events.h"
#include "exit.h"
#include "policy.h"
#include "sleep.h"

#include <errno.h>
#include <string.h>

/* The root's result is there (or its computation was aborted): the caller may go on. The last access to *l's run is here. */
void cilk_root_finish(cilk_link *l, void *result, size_t size)
{
  cilk_root_run *run = l->root;
  cilk_context *ctx = run->ctx;
  size_t n = run->root->result_size;
  if (run->then) {
    run->then(run, result, size);
    return;
  }
  CILK_EVENT(DONE, cilk_me(), run, NULL);
  cilk_fp_save(&run->fp_after);
  run->error = errno;
  run->aborted = result == NULL && cilk_link_aborted(l, ctx);
  if (n && result)
    memcpy(run->result, result, n < size ? n : size);
  if (!run->nested) {
    ctx->work = l->work;
    ctx->span = l->span;
  }
  if (!run->nested && ctx->alone)
    cilk_exit_alone(ctx, run, result);
  if (run->nested) {
    cilk_worker *waits = run->link.worker;
    store_seq_cst(&run->done, 1u);        /* pairs with cilk_reached in cilk_schedule; the run may be gone from here on */
    cilk_unpark(waits);
    return;
  }
  ctx->elapsed_ns = cilk_now_ns() - ctx->start_ns;
  __atomic_fetch_add(&ctx->ended, 1u, __ATOMIC_SEQ_CST);   /* workers leave their loops; those asleep, when they are woken for the next one */
  pthread_mutex_lock(&ctx->mutex);
  store_release(&run->done, 1u);
  pthread_cond_broadcast(&ctx->changed);
  pthread_mutex_unlock(&ctx->mutex);
  cilk_dismiss(ctx);                      /* this worker is still there, so the context is */
}
