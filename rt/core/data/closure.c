/* closure.c - closures are made, become full, and are freed. */
#include "data/closure.h"
#include "data/pool.h"
#include "data/step.h"

_Static_assert(sizeof(cilk_closure) == CILK_CLOSURE_HEADER, "the slots follow the header");

cilk_closure *cilk_rt_closure_alloc(const cilk_sig *sig) {
  cilk_check(sig->abi_version == CILK_ABI_VERSION);
  cilk_closure *c = cilk_pool_alloc(sig->closure_size);
  c->sig = sig;
  return c;
}

long cilk_full_closures;
long cilk_locked_closures;

void cilk_closure_free(cilk_closure *c) {
#ifdef CILK_DEBUG
  if (load_relaxed(&c->state) != CILK_ATTACHED) {
    cilk_check(c->magic == CILK_MAGIC);
    c->magic = CILK_MAGIC_FREE;
    __atomic_fetch_sub(&cilk_full_closures, 1, __ATOMIC_RELAXED);
  }
#endif
  if (c->blocks) cilk_closure_release_blocks(c);
  cilk_pool_free(c, c->sig->closure_size);
}

#ifdef CILK_DEBUG
static const char *const state_names[] = {"ATTACHED", "READY", "TAKEN", "RUNNING", "SUSPENDED", "DELIVERING", "HANDED",
    "RETURNED"};
static const uint8_t transitions[][2] = {
#define CILK_TRANSITION(from, to, when) {CILK_##from, CILK_##to},
#include "data/states.def"
#undef CILK_TRANSITION
};

void cilk_closure_check_change(const cilk_closure *c, uint32_t from, uint32_t to) {
  uint32_t is = __atomic_load_n(&c->state, __ATOMIC_RELAXED);   /* no point of a schedule: it takes no part */
  if (is == from)
    for (size_t i = 0; i < sizeof transitions / sizeof *transitions; i++)
      if (transitions[i][0] == from && transitions[i][1] == to) return;
  cilk_fatal("the closure %p is %s: no change from %s to %s is permitted", (const void *)c,
      is <= CILK_RETURNED ? state_names[is] : "overwritten", state_names[from], state_names[to]);
}
#endif

/* A closure that only this worker knows gets its full fields. */
void cilk_closure_become_full(cilk_closure *c, cilk_link *links, cilk_worker *w, uint32_t state) {
  cilk_spin_init(&c->lock);
  c->join = 0;
  c->link = links;
  c->children = NULL;
  c->pending = NULL;
  c->aborts = 0;
  c->worker = w;
  c->number = cilk_ordered(w) ? cilk_steps_of(w)->number(w) : 0;
#ifdef CILK_DEBUG
  c->magic = CILK_MAGIC;
  __atomic_fetch_add(&cilk_full_closures, 1, __ATOMIC_RELAXED);
#endif
  cilk_closure_change(c, CILK_ATTACHED, state);
}
