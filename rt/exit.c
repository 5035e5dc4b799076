/* exit.c - how the process ends: once, by whoever comes first, with one message and one status.
 *
 * exit(3) from two threads at once is undefined in C libraries of before 2024, and a fatal message cut short by another thread's exit helps nobody. So
 * every way in which the runtime ends the process begins with cilk_exit_claim; those who come second wait for the end.
 *
 * Cilk_exit aborts the root of its computation, and the caller in C then exits. That does not do while C functions wait for the values of nested
 * roots: they cannot be unwound, and there is no value to give them. `nested` (how many wait) and `exiting` are a Dekker pair: whoever begins a
 * nested root counts it, then reads `exiting`; Cilk_exit stores `exiting`, then reads the count (all seq_cst). At least one of them sees the
 * other, and ends the process right there. */
#define _GNU_SOURCE
#include "internal.h"

#include <sys/syscall.h>
#include <unistd.h>

static uint32_t ending;                   /* thread id of who ends the process; 0: nobody; atomic */

static uint32_t thread_id(void) { return (uint32_t)syscall(SYS_gettid); }

/* Returns in the first thread that calls it, and again in the same one (false then). */
bool cilk_exit_claim(void)
{
  uint32_t me = thread_id(), who = 0;
  if (__atomic_compare_exchange_n(&ending, &who, me, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    return true;
  if (who == me)
    return false;
  for (;;)
    pause();
}

/* In a forked child: the thread that was ending the process is not in this one. */
void cilk_exit_forked(void) { store_relaxed(&ending, 0u); }

CILK_NORETURN void cilk_exit_process(int status)
{
  static bool under_way;                  /* only the thread that has the claim comes here */
  cilk_exit_claim();
  if (under_way)                          /* called by an atexit handler */
    _exit(status);
  under_way = true;
  exit(status);
}

/* The computation cannot end in an orderly way: the process does, from this worker. */
CILK_NORETURN void cilk_exit_now(cilk_context *ctx)
{
  if (cilk_exit_claim()) {
    ctx->elapsed_ns = cilk_now_ns() - ctx->start_ns;
    if (ctx->opt.stats)
      cilk_stats_print(ctx, stderr);
  }
  cilk_exit_process(ctx->exit_status);
}

/* Cilk_exit: ends the computation by aborting its root. Statements after it may run until the next pop, test or sync. */
CILK_SHARED void cilk_rt_exit(int status)
{
  cilk_worker *w = cilk_me();
  if (w->id < 0)
    cilk_exit_process(status);
  cilk_context *ctx = w->ext->ctx;
  pthread_mutex_lock(&ctx->mutex);
  bool first = !load_relaxed(&ctx->exiting);
  if (first) {
    ctx->exit_status = status;
    store_seq_cst(&ctx->exiting, 1u);     /* pairs with the load in cilk_rt_call_root */
  }
  pthread_mutex_unlock(&ctx->mutex);
  if (!first)
    return;
  if (load_seq_cst(&ctx->nested))
    cilk_exit_now(ctx);
  for (int i = 0; i < ctx->nproc; i++)
    cilk_signal(ctx->workers[i]);
}

/* ---- pthread_exit on a worker ---- */

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool made;

/* Runs when a worker's thread ends with the key still set: its scheduler loop was cut off. */
static void on_thread_end(void *ext)
{
  (void)ext;
  cilk_fatal("this worker's thread was ended by pthread_exit or pthread_cancel: its part of the computation cannot be completed");
}

static void make_key(void)
{
  if (pthread_key_create(&key, on_thread_end) != 0)
    cilk_fatal("out of thread-specific data");
  made = true;
}

void cilk_exit_watch(cilk_worker *w, bool on)
{
  pthread_once(&once, make_key);
  pthread_setspecific(key, on ? w->ext : NULL);
}

/* The code of the destructor may be unloaded with a shared library. */
__attribute__((destructor)) static void forget_key(void)
{
  if (made)
    pthread_key_delete(key);
}
