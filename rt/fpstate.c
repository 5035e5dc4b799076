/* fpstate.c - what a computation takes over from the thread that calls it, and hands back: the floating-point environment (rounding mode, exception
 * masks, and on x86 the flags of SSE arithmetic) and errno.
 *
 * In C these belong to the thread, so a called function sees the caller's; a procedure's threads shall, too, though they run elsewhere. Every piece of a
 * computation therefore begins with its caller's environment: the root, and whatever was stolen or released, when a scheduler resumes it. What a
 * procedure changes itself holds in the elision until it changes it back; here it holds on its worker, in what was not stolen, and
 * when the root is done the caller gets what the worker that finished it had. So on one worker all is as in the elision. */
#include "internal.h"

void cilk_fp_save(cilk_fp_state *s)
{
#if defined(__x86_64__)
  __asm__ __volatile__("stmxcsr %0\n\tfnstcw %1" : "=m"(s->control), "=m"(s->x87));
#elif defined(__aarch64__)
  __asm__ __volatile__("mrs %0, fpcr" : "=r"(s->control));
#else
  (void)s;
#endif
}

void cilk_fp_load(const cilk_fp_state *s)
{
#if defined(__x86_64__)
  __asm__ __volatile__("ldmxcsr %0\n\tfldcw %1" : : "m"(s->control), "m"(s->x87));
#elif defined(__aarch64__)
  __asm__ __volatile__("msr fpcr, %0" : : "r"(s->control));
#else
  (void)s;
#endif
}
