/* library_threads.c - locks of other libraries. A serial program that waits for one would wait for ever. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
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

int cilk_race_libc_pthread_mutex_timedlock(pthread_mutex_t *lock, const struct timespec *until)
{
  reads(until, sizeof *until);
  int r = pthread_mutex_trylock(lock);
  if (!r) race_acquire(lock);
  return r == EBUSY ? ETIMEDOUT : r;           /* it would wait for itself until then */
}

/* Readers keep out writers only. */
LOCKS(pthread_rwlock_t, pthread_rwlock_trywrlock, pthread_rwlock_unlock, pthread_rwlock_wrlock)
int cilk_race_libc_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
  int r = pthread_rwlock_tryrdlock(lock);
  if (!r) race_acquire_shared(lock);
  return r;
}
int cilk_race_libc_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
  int r = cilk_race_libc_pthread_rwlock_tryrdlock(lock);
  would_wait(r);
  return r;
}

/* <threads.h> */
int cilk_race_libc_mtx_trylock(mtx_t *lock)
{
  int r = mtx_trylock(lock);
  if (r == thrd_success) race_acquire(lock);
  return r;
}
int cilk_race_libc_mtx_lock(mtx_t *lock)
{
  int r = cilk_race_libc_mtx_trylock(lock);
  if (r == thrd_busy) would_wait(EBUSY);
  return r;
}
int cilk_race_libc_mtx_timedlock(mtx_t *lock, const struct timespec *until)
{
  reads(until, sizeof *until);
  int r = cilk_race_libc_mtx_trylock(lock);
  return r == thrd_busy ? thrd_timedout : r;
}
int cilk_race_libc_mtx_unlock(mtx_t *lock)
{
  race_release(lock);
  return mtx_unlock(lock);
}

/* ---- semaphores: one that begins with 1 is a lock. Others let several in, or are signals, whose order is not followed ---- */

static struct semaphore { const sem_t *at; bool lock; } *semaphores;  /* a hash table without removals; a power of two, at most half full */
static size_t semaphore_count, semaphore_room;

static struct semaphore *semaphore_at(const sem_t *s)
{
  size_t i = (uintptr_t)s * UINT64_C(0x9E3779B97F4A7C15) >> 32;
  for (;; i++) {
    struct semaphore *at = &semaphores[i & (semaphore_room - 1)];
    if (!at->at || at->at == s) return at;
  }
}

int cilk_race_libc_sem_init(sem_t *s, int of_processes, unsigned value)
{
  writes(s, sizeof *s);
  if (2 * semaphore_count >= semaphore_room) {
    struct semaphore *old = semaphores;
    size_t n = semaphore_room;
    semaphore_room = n ? 2 * n : 64;
    semaphores = calloc(semaphore_room, sizeof *semaphores);
    if (!semaphores) race_die("out of memory");
    for (size_t i = 0; i < n; i++)
      if (old[i].at) *semaphore_at(old[i].at) = old[i];
    free(old);
  }
  struct semaphore *at = semaphore_at(s);
  semaphore_count += !at->at;
  *at = (struct semaphore){s, value == 1};
  return sem_init(s, of_processes, value);
}

int cilk_race_libc_sem_trywait(sem_t *s)
{
  int r = sem_trywait(s);
  if (!r && semaphore_room && semaphore_at(s)->lock) race_acquire(s);
  return r;
}
int cilk_race_libc_sem_wait(sem_t *s)
{
  int r = cilk_race_libc_sem_trywait(s);
  if (r && errno == EAGAIN) would_wait(EBUSY);
  return r;
}
int cilk_race_libc_sem_timedwait(sem_t *s, const struct timespec *until)
{
  reads(until, sizeof *until);
  int r = cilk_race_libc_sem_trywait(s);
  if (r && errno == EAGAIN) errno = ETIMEDOUT;
  return r;
}
int cilk_race_libc_sem_post(sem_t *s)
{
  race_release(s);
  return sem_post(s);
}
#undef LOCKS
