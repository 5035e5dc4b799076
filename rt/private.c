/* private.c - `private` variables. Each worker thread has its own copy by thread-local storage; only worker 0 is special: it shares the
 * copy of the thread that calls the computation. That thread is blocked meanwhile, so copying in before and out after is the same. */
#include "internal.h"

extern const cilk_private __start_cilk_private[] __attribute__((weak, visibility("hidden")));   /* by the linker */
extern const cilk_private __stop_cilk_private[] __attribute__((weak, visibility("hidden")));

static size_t number(void) { return __start_cilk_private ? (size_t)(__stop_cilk_private - __start_cilk_private) : 0; }

/* On worker 0, when it starts: its addresses. */
void cilk_private_start(cilk_context *ctx)
{
  size_t n = number();
  if (!n)
    return;
  ctx->privates = malloc(n * sizeof *ctx->privates);
  if (!ctx->privates)
    cilk_fatal("out of memory");
  for (size_t i = 0; i < n; i++)
    ctx->privates[i] = __start_cilk_private[i].address();
}

/* On the calling thread, worker 0 being between computations. */
void cilk_private_copy(cilk_context *ctx, bool in)
{
  if (!ctx->privates)
    return;
  for (size_t i = 0, n = number(); i < n; i++) {
    void *mine = __start_cilk_private[i].address(), *theirs = ctx->privates[i];
    memcpy(in ? theirs : mine, in ? mine : theirs, (size_t)__start_cilk_private[i].size);
  }
}
