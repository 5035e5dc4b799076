/* spin.c - waiting for the runtime's own locks. */
#include "base/spin.h"

#include <sched.h>
#include <time.h>

bool cilk_spin_forked;
uint32_t cilk_spin_forking;
void (*cilk_spin_turn)(void);

void cilk_spin_yield(void) {
  if (cilk_spin_turn) cilk_spin_turn();
  else sched_yield();
}

#ifdef CILK_DEBUG
uint32_t cilk_spin_me(void) {
  static uint32_t last;
  static __thread uint32_t mine;
  if (!mine) mine = __atomic_add_fetch(&last, 1u, __ATOMIC_RELAXED);
  return mine;
}
#endif

/* Returns when the lock looked free. Spins on a read, then gives the processor away: its holder may have been
 * preempted. */
CILK_COLD void cilk_spin_wait(uint32_t *lock) {
  int yields = 0;
  /* No point of fault injection (base.h): a stall drawn in here would hold up the holder, once in so many turns, for
   * ever. */
  for (int spins = 0; __atomic_load_n(lock, __ATOMIC_RELAXED) != 0; spins++)
    if (!cilk_spin_turn && spins < CILK_LOCK_SPINS) cilk_pause();
    else {
      cilk_spin_yield();
      spins = 0;
      if (cilk_spin_forked && ++yields > CILK_LOST_LOCK_YIELDS) {
        if (yields > CILK_LOST_LOCK_YIELDS + CILK_LOST_LOCK_SLEEPS)
          cilk_fatal("a lock of the scheduler was held by another worker when this process was forked");
        nanosleep(&(struct timespec){0, 1000000}, NULL);      /* a holder in this process may be preempted */
      }
    }
}
