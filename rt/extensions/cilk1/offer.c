/* offer.c - what generated code of a remote procedure asks at its begin (frontend/sema/cilk/remote.cpp): does another
 * machine want the call? In programs of one machine none does, and that costs the load of a word. */
#include "abroad.h"

CILK_SHARED uint32_t cilk_rt_offers_wanted;

/* NULL: the call goes on here. */
CILK_SHARED cilk_future *cilk_rt_offer(const cilk_root *root, const void *args) {
  return cilk1_abroad ? cilk1_abroad->offer(root, args) : NULL;
}

/* The value is there: n bytes to `to`. The future ends. */
CILK_SHARED void cilk_rt_taken(cilk_future *f, void *to, size_t n) { cilk1_abroad->taken(f, to, n); }
