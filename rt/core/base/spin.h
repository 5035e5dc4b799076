/* spin.h - the runtime's own locks: one word, 0 free; test-and-test-and-set, gives the processor away after a while.
 *
 * THE ORDER OF LOCKS
 *   0. computations' and groups' (computation.h), from the outer to the inner
 *   1. one worker's (cilk_worker_lock), never two of them
 *   2. closures' (cilk_closure_lock), from ancestor to descendant
 *   3. leaves, under which nothing is taken: the pools', the orphans' (which wakes workers), the slabs', tables. (A
 *      worker's cilk1.lock is one but for the lock of a computation of Cilk-1.)
 *   ctx->call and ctx->mutex (pthreads): with none of the above but leaves.
 * No lock is held while user code runs. worker.h and closure.h say what each guards.
 *
 * The debug build writes the holder into the word, and checks it (cilk_spin_held). */
#ifndef CILK_RT_SPIN_H
#define CILK_RT_SPIN_H

#include "arch/arch.h"
#include "base/message.h"

extern bool cilk_spin_forked;             /* this process is a forked child: a lock's holder may not be in it */
extern uint32_t cilk_spin_forking; /* a thread forks: no worker takes a lock of a scheduler (vproc.c); seq_cst */
extern void (*cilk_spin_turn)(void); /* replay: the lock's holder gets the turn; NULL: threads run by themselves */
void cilk_spin_yield(void); /* another thread gets the turn, or the processor */
void cilk_spin_wait(uint32_t *lock); /* returns when the lock looked free */

/* Takes the lock if it is free. */
#ifdef CILK_DEBUG
uint32_t cilk_spin_me(void); /* another number in each thread, not 0 */
static inline bool cilk_spin_grab(uint32_t *lock) {
  uint32_t is_free = 0;
  return __atomic_compare_exchange_n(lock, &is_free, cilk_spin_me(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
#define cilk_spin_held(lock) cilk_check(load_relaxed(lock) == cilk_spin_me())
#else
static inline bool cilk_spin_grab(uint32_t *lock) { return __atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) == 0; }
#define cilk_spin_held(lock) ((void)0)
#endif

/* ThreadSanitizer is informed that these are locks: it looks for two that are taken in both orders, whether or not a
 * run has stopped of it (tests/runtime/test_tsan.py). */
#ifdef CILK_TSAN
/* not "linker-initialised": such a lock keeps its order when it is a new one (cilk_spin_init) */
enum { CILK_TSAN_LOCK = 0, CILK_TSAN_TRIED = 16 };
void __tsan_mutex_destroy(void *lock, unsigned flags);
void __tsan_mutex_pre_lock(void *lock, unsigned flags);
void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
void __tsan_mutex_post_unlock(void *lock, unsigned flags);
#define CILK_TSAN_SAYS(what) what
#else
#define CILK_TSAN_SAYS(what) ((void)0)
#endif

/* Free; a new lock, whatever was here before. No other thread knows of it yet. */
static inline void cilk_spin_init(uint32_t *lock) {
  CILK_TSAN_SAYS(__tsan_mutex_destroy(lock, CILK_TSAN_LOCK));
  store_relaxed(lock, 0u);
}
static inline void cilk_spin_lock(uint32_t *lock) {
  cilk_access_point();
  CILK_TSAN_SAYS(__tsan_mutex_pre_lock(lock, CILK_TSAN_LOCK));
  while (!cilk_spin_grab(lock)) /* pairs with the release in cilk_spin_unlock */
    cilk_spin_wait(lock);
  CILK_TSAN_SAYS(__tsan_mutex_post_lock(lock, CILK_TSAN_LOCK, 0));
}
static inline bool cilk_spin_trylock(uint32_t *lock) {
  if (load_relaxed(lock) != 0 || !cilk_spin_grab(lock)) return false;
  CILK_TSAN_SAYS(__tsan_mutex_pre_lock(lock, CILK_TSAN_TRIED));
  CILK_TSAN_SAYS(__tsan_mutex_post_lock(lock, CILK_TSAN_TRIED, 0));
  return true;
}
static inline void cilk_spin_unlock(uint32_t *lock) {
  cilk_spin_held(lock); /* a lock that was not taken, or by another thread */
  CILK_TSAN_SAYS(__tsan_mutex_pre_unlock(lock, CILK_TSAN_LOCK));
  store_release(lock, 0u);
  CILK_TSAN_SAYS(__tsan_mutex_post_unlock(lock, CILK_TSAN_LOCK));
}

#endif
