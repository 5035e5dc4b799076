/* context.c - the contexts that are alive. */
#include "data/context.h"

const char cilk_this_runtime = 1;

cilk_context *cilk_contexts;
pthread_mutex_t cilk_contexts_lock = PTHREAD_MUTEX_INITIALIZER;

void cilk_context_enlist(cilk_context *ctx)
{
  pthread_mutex_lock(&cilk_contexts_lock);
  ctx->other = cilk_contexts;
  cilk_contexts = ctx;
  pthread_mutex_unlock(&cilk_contexts_lock);
}

void cilk_context_strike_off(cilk_context *ctx)
{
  pthread_mutex_lock(&cilk_contexts_lock);
  cilk_context **at = &cilk_contexts;
  while (*at != ctx)
    at = &(*at)->other;
  *at = ctx->other;
  pthread_mutex_unlock(&cilk_contexts_lock);
}
