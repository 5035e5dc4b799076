/* stamps.h - work and longest path by time stamps that closures carry (PPoPP'95, section 4). */
#ifndef CILK_RT_CILK1_STAMPS_H
#define CILK_RT_CILK1_STAMPS_H

#include "home.h"

/* --critical-path, the program counts its units, or its threads are followed */
bool cilk1_measures(const cilk_context *ctx);
void cilk1_thread_begins(cilk1_home *h, uint64_t stamp);
void cilk1_thread_ends(cilk1_home *h);
/* in a thread: where it is on the longest path; its clock stops until cilk1_resume */
uint64_t cilk1_pause(cilk1_home *h);
void cilk1_resume(cilk1_home *h);

/* c depends on something that was there at that time. Others may say so at the same moment. */
static inline void cilk1_stamp(cilk1_closure *c, uint64_t stamp) {
  uint64_t was = load_relaxed(&c->stamp);
  while (stamp > was && !__atomic_compare_exchange_n(&c->stamp, &was, stamp, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

#endif
