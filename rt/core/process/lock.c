/* lock.c - the lock variables, fences and allocation names of <cilk.h> as real symbols (the header also has them
 * inline). */
#include "process/lock.h"
#include "arch/arch.h"
#include "base/crash.h"
#include "observe/events.h"
#include "data/step.h"
#include "data/worker.h"

#include <sched.h>

CILK_SHARED int cilk_rt_locks_ordered;

CILK_SHARED void Cilk_lock_init(volatile int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

/* The lock was taken when the caller tried. */
CILK_SHARED void cilk_rt_lock_wait(volatile int *lock) {
  cilk_worker_ext *x = cilk_me()->ext;
  if (!x) cilk_crash_waits(lock);
  if (x) store_relaxed(&x->wait.lock, (const volatile void *)lock);   /* for report.c */
  if (x) CILK_EVENT(LOCK_WAIT, cilk_me(), (const void *)(uintptr_t)lock, NULL);
  for (int spins = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0;)
    while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0)
      if (cilk_spin_turn) cilk_spin_turn();
      else if (++spins < CILK_LOCK_SPINS) cilk_pause();
      else {
        sched_yield();
        spins = 0;
      }
  if (x) CILK_EVENT(LOCK_TAKEN, cilk_me(), (const void *)(uintptr_t)lock, NULL);
  if (x) store_relaxed(&x->wait.lock, NULL);
}

/* For <cilk.h>, where cilk_rt_locks_ordered. False: the caller takes it. */
CILK_SHARED int cilk_rt_lock_ordered(volatile int *lock) { return cilk_lock_in_order(lock); }

CILK_SHARED void Cilk_lock(volatile int *lock) {
  if (cilk_lock_in_order(lock)) return;
  if (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) cilk_rt_lock_wait(lock);
}

CILK_SHARED void Cilk_unlock(volatile int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

#ifndef CILK_TSAN                         /* ThreadSanitizer does not model fences, and gcc says so */
CILK_SHARED void Cilk_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CILK_SHARED void Cilk_membar_StoreStore(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
CILK_SHARED void Cilk_membar_StoreLoad(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#else
static int fence_word;
CILK_SHARED void Cilk_fence(void) { __atomic_fetch_add(&fence_word, 1, __ATOMIC_SEQ_CST); }
CILK_SHARED void Cilk_membar_StoreStore(void) { Cilk_fence(); }
CILK_SHARED void Cilk_membar_StoreLoad(void) { Cilk_fence(); }
#endif

CILK_SHARED int Cilk_xchg(volatile int *place, int value) {
  return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST);
}
