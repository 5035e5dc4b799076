/* sleep.c - idle workers sleep on one futex per context, those that have no computation at all on another.
 *
 * A sleeper reads wake_word, looks for work once more, then counts itself in `sleepers` and waits for the word to change. A waker
 * makes its work visible, then reads `sleepers`. Both sides have a full fence between, so at least one sees the other; the sleeper's
 * timeout covers what is published silently (an eager push). */
#define _GNU_SOURCE
#include "internal.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Looks for a short while: calls from C that come one after the other, or end soon, need no system call on either side. */
bool cilk_spin(bool (*until)(const void *), const void *what)
{
  uint64_t began = cilk_now_ns();
  do {
    for (int i = 0; i < 50; i++) {
      if (until(what))
        return true;
      cilk_pause();
    }
    sched_yield();                        /* a busy machine has better things to do */
  } while (cilk_now_ns() - began < CILK_CALL_SPIN_NS);
  return false;
}

void cilk_wake(cilk_context *ctx, int n)
{
  __atomic_fetch_add(&ctx->wake_word, 1u, __ATOMIC_SEQ_CST);
  if (load_seq_cst(&ctx->sleepers))
    syscall(SYS_futex, &ctx->wake_word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

void cilk_sleep(cilk_context *ctx, uint32_t word, uint64_t ns)
{
  struct timespec t = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
  __atomic_fetch_add(&ctx->sleepers, 1u, __ATOMIC_SEQ_CST);
  if (load_seq_cst(&ctx->wake_word) == word)
    syscall(SYS_futex, &ctx->wake_word, FUTEX_WAIT_PRIVATE, word, ns ? &t : NULL, NULL, 0);
  __atomic_fetch_sub(&ctx->sleepers, 1u, __ATOMIC_SEQ_CST);
}

void cilk_rouse(cilk_context *ctx)
{
  __atomic_fetch_add(&ctx->call_word, 1u, __ATOMIC_SEQ_CST);
  if (load_seq_cst(&ctx->dormant))
    syscall(SYS_futex, &ctx->call_word, FUTEX_WAKE_PRIVATE, ctx->nproc, NULL, NULL, 0);
}

void cilk_rest(cilk_context *ctx, uint32_t word)
{
  __atomic_fetch_add(&ctx->dormant, 1u, __ATOMIC_SEQ_CST);
  if (load_seq_cst(&ctx->call_word) == word)
    syscall(SYS_futex, &ctx->call_word, FUTEX_WAIT_PRIVATE, word, NULL, NULL, 0);
  __atomic_fetch_sub(&ctx->dormant, 1u, __ATOMIC_SEQ_CST);
}
