/* context.c - the contexts that are alive. */
#include "data/context.h"
#include "base/spin.h"

const char cilk_this_runtime = 1;

cilk_context *cilk_contexts;
pthread_mutex_t cilk_contexts_lock = PTHREAD_MUTEX_INITIALIZER;

bool cilk_contexts_try(void) {
  if (pthread_mutex_trylock(&cilk_contexts_lock) != 0) return false;
  cilk_hold(1);
  return true;
}

void cilk_contexts_take(void) {
  if (!cilk_spin_turn) {
    pthread_mutex_lock(&cilk_contexts_lock);
    cilk_hold(1);
  } else
    while (!cilk_contexts_try()) cilk_spin_yield();
}

void cilk_contexts_give(void) {
  cilk_hold(-1);
  pthread_mutex_unlock(&cilk_contexts_lock);
}

void cilk_context_enlist(cilk_context *ctx) {
  cilk_contexts_take();
  ctx->other = cilk_contexts;
  cilk_contexts = ctx;
  cilk_contexts_give();
}

void cilk_context_strike_off(cilk_context *ctx) {
  cilk_contexts_take();
  cilk_context **at = &cilk_contexts;
  while (*at != ctx) at = &(*at)->other;
  *at = ctx->other;
  cilk_contexts_give();
}
