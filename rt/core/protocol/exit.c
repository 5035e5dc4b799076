/* exit.c - computations that cannot end in an orderly way: the process does (message.c).
 *
 * Cilk_exit (abort.c) aborts the root of its computation, and the caller in C then exits. That fails while C
 * functions wait for the values of nested roots: they cannot be unwound, and there is no value to give them. `nested`
 * (how many wait) and `exiting` are a Dekker pair: the beginner of a nested root counts it, then reads `exiting`;
 * Cilk_exit stores `exiting`, then reads the count (all seq_cst). At least one of them sees the other, and ends the
 * process right there. */
#define _GNU_SOURCE
#include "protocol/exit.h"
#include "data/policy.h"
#include "observe/stats.h"

#include <pthread.h>

/* From this worker. */
CILK_NORETURN void cilk_exit_now(cilk_context *ctx) {
  if (cilk_exit_claim()) {
    ctx->elapsed_ns = cilk_now_ns() - ctx->start_ns;
    if (ctx->opt.stats) cilk_stats_report(ctx);
  }
  cilk_exit_process(ctx->exit_status);
}

/* The root of the present computation is done in a forked child whose calling thread is in the parent only. */
CILK_NORETURN void cilk_exit_alone(cilk_context *ctx, cilk_root_run *run, const void *result) {
  if (run->root != ctx->main_root)
    cilk_fatal(
        "%s returned in a forked process, where the C code that called it does not exist: end the process before that (exit, _exit)",
        run->root->name);
  ctx->exit_status = load_relaxed(&ctx->exiting) ? ctx->exit_status : result ? *(const int *)result : 0;
  cilk_exit_now(ctx);
}

/* ---- pthread_exit on a worker ---- */

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool made;

/* Runs when a worker's thread ends with the key still set: its scheduler loop was cut off. */
static void on_thread_end(void *ext) {
  (void)ext;
  cilk_fatal(
      "this worker's thread was ended by pthread_exit or pthread_cancel: its part of the computation cannot be completed; "
      "let its functions return instead");
}

static void make_key(void) {
  if (pthread_key_create(&key, on_thread_end) != 0) cilk_fatal("out of thread-specific data");
  made = true;
}

void cilk_exit_watch(cilk_worker *w, bool on) {
  pthread_once(&once, make_key);
  pthread_setspecific(key, on ? w->ext : NULL);
}

/* The code of the destructor may be unloaded with a shared library. */
__attribute__((destructor)) static void forget_key(void) {
  if (made) pthread_key_delete(key);
}
