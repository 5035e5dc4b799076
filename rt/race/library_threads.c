/* library_threads.c - locks of other libraries. A serial program that waits for one would wait for ever. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include "library.h"

static void would_wait(int result)
{
  if (result != EBUSY) return;
  site *at = cilk_race_called;
  if (at) fprintf(stderr, "%s:%u: ", at->file, at->line);
  race_die("the lock is held already: the program waits for itself");
}

#define LOCKS(kind, try_, unlock_, lock_) \
  int cilk_race_libc_##lock_(kind *lock) \
  { \
    int r = try_(lock); \
    would_wait(r); \
    if (!r) race_acquire(lock); \
    return r; \
  } \
  int cilk_race_libc_##try_(kind *lock) \
  { \
    int r = try_(lock); \
    if (!r) race_acquire(lock); \
    return r; \
  } \
  int cilk_race_libc_##unlock_(kind *lock) \
  { \
    race_release(lock); \
    return unlock_(lock); \
  }
LOCKS(pthread_mutex_t, pthread_mutex_trylock, pthread_mutex_unlock, pthread_mutex_lock)
LOCKS(pthread_spinlock_t, pthread_spin_trylock, pthread_spin_unlock, pthread_spin_lock)
#undef LOCKS
