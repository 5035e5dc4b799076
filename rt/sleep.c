/* sleep.c - idle workers sleep on one futex per context.
 *
 * A sleeper reads wake_word, looks for work once more, then counts itself in `sleepers` and waits for the word to change. A waker
 * makes its work visible, then reads `sleepers`. Both sides have a full fence between, so at least one sees the other; the sleeper's
 * timeout covers what is published silently (an eager push). */
#define _GNU_SOURCE
#include "internal.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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
