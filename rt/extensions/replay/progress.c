/* progress.c - see progress.h. */
#include "replay/progress.h"

/* The word that an access begins in. It is read where the worker has used it before, and is about to write to it. */
static uint64_t content(uintptr_t word) {
  /* of user's memory, which has no partner: others that write to it do not have the turn */
  return __atomic_load_n((const uint64_t *)word, __ATOMIC_RELAXED);
}

static bool is_new(cilk_progress *p, const cilk_place *here) {
  uintptr_t word = (uintptr_t)here->memory & ~(sizeof(uint64_t) - 1);
  struct cilk_used *u = &p->used[word * 0x9E3779B97F4A7C15ull >> 32 & (CILK_PROGRESS_WORDS - 1)];
  if (u->turn != p->turn || u->word != word) {
    u->word = word;
    u->turn = p->turn;
    u->found = 0;
    return true;
  }
  if (here->kind == CILK_PLACE_READ) return false;
  uint64_t value = content(word);
  for (uint32_t i = 0; i < u->found && i < CILK_PROGRESS_VALUES; i++)
    if (u->values[i] == value) return false;
  u->values[u->found++ % CILK_PROGRESS_VALUES] = value;
  return true;
}

uint32_t cilk_progress_at(cilk_progress *p, enum cilk_turn at, const cilk_place *here, bool fair) {
  bool on = at == CILK_TURN_POP || at == CILK_TURN_TOUCH || at == CILK_TURN_ORDERED;
  if (at == CILK_TURN_USER)               /* a test, or a call of a C function, may be in a loop that waits */
    on = here->memory ? is_new(p, here) : here->kind == CILK_PLACE_SPAWN || here->kind == CILK_PLACE_BEGIN;
  return p->without = on && !fair ? 0 : p->without + 1;
}

void cilk_progress_reset(cilk_progress *p) {
  p->without = 0;
  p->turn++;
}
