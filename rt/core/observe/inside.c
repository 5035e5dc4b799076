/* inside.c - a scheduler that crashes, blocks or searches without end is named, with the function that does so.
 *
 * The debug build notes each call of a scheduler's function in a small table: the worker, the function, the time. The
 * report of a hung run and the handler of SIGSEGV read the table. A call that finds no free place is not noted. */
#include "observe/inside.h"

#ifdef CILK_DEBUG

#include "data/policy.h"

#include <stddef.h>

/* Plain atomics: those of base.h are points at which a seeded schedule may switch. */
enum { PLACES = 256 };
static cilk_inside places[PLACES];

cilk_inside *cilk_inside_enter(const void *worker, const char *scheduler, const char *function) {
  unsigned first = (unsigned)((uintptr_t)worker >> 12);   /* workers are thread-local: on pages of their own */
  for (unsigned i = 0; i < PLACES; i++) {
    cilk_inside *p = &places[(first + i) % PLACES];
    const void *none = NULL;
    if (!__atomic_compare_exchange_n(&p->worker, &none, worker, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
    p->scheduler = scheduler, p->since = cilk_now_ns();
    __atomic_store_n(&p->function, function, __ATOMIC_RELEASE);
    return p;
  }
  return NULL;
}

void cilk_inside_leave(cilk_inside *noted) {
  if (!noted) return;
  __atomic_store_n(&noted->function, NULL, __ATOMIC_RELAXED);
  __atomic_store_n(&noted->worker, NULL, __ATOMIC_RELEASE);
}

int cilk_inside_at(int place, cilk_inside *found) {
  if (place >= PLACES) return -1;
  const cilk_inside *p = &places[place];
  found->worker = __atomic_load_n(&p->worker, __ATOMIC_ACQUIRE);
  found->function = __atomic_load_n(&p->function, __ATOMIC_ACQUIRE);
  found->scheduler = p->scheduler, found->since = p->since;
  return found->worker && found->function;
}

bool cilk_inside_of(const void *worker, cilk_inside *found) {
  for (int i = 0, state; (state = cilk_inside_at(i, found)) >= 0; i++)
    if (state && found->worker == worker) return true;
  return false;
}

#endif
