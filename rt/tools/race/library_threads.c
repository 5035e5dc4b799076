/* library_threads.c - locks of other libraries. A serial program that waits for one would wait for ever. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include "library.h"

static void waits(const char *for_what) {
  site *at = cilk_race_called;
  if (at) fprintf(stderr, "%s:%u: ", at->file, at->line);
  race_die("%s", for_what);
}
static void would_wait(int result, const volatile void *lock) {
  if (result == EBUSY || result == ETIMEDOUT) race_waits_for_itself(lock, cilk_race_called);
}

/* A timed wait for a lock that the program itself holds would wait until the end of its time: the time is over at once.
 * The real function says what it would wait for. */
static const struct timespec past;

/* EDEADLK: one that finds out itself that its owner comes again */
static int mutex_at_once(pthread_mutex_t *lock) { return pthread_mutex_timedlock(lock, &past); }

#define LOCKS(kind, try_, unlock_, lock_, at_once) \
  int cilk_race_libc_##lock_(kind *lock) { \
    int r = at_once(lock); \
    would_wait(r, lock); \
    if (!r) race_acquire_owned(lock); \
    return r; \
  } \
  int cilk_race_libc_##try_(kind *lock) { \
    int r = try_(lock); \
    if (!r) race_acquire_tried(lock); \
    return r; \
  } \
  int cilk_race_libc_##unlock_(kind *lock) { \
    race_release(lock); \
    return unlock_(lock); \
  }
LOCKS(pthread_mutex_t, pthread_mutex_trylock, pthread_mutex_unlock, pthread_mutex_lock, mutex_at_once)
LOCKS(pthread_spinlock_t, pthread_spin_trylock, pthread_spin_unlock, pthread_spin_lock, pthread_spin_trylock)

#define TIMED(kind, timed, clocked, acquire) \
  int cilk_race_libc_##timed(kind *lock, const struct timespec *until) { \
    reads_object(until); \
    int r = timed(lock, &past); \
    if (!r) acquire(lock); \
    return r; \
  } \
  int cilk_race_libc_##clocked(kind *lock, clockid_t clock, const struct timespec *until) { \
    reads_object(until); \
    int r = clocked(lock, clock, &past); \
    if (!r) acquire(lock); \
    return r; \
  }
TIMED(pthread_mutex_t, pthread_mutex_timedlock, pthread_mutex_clocklock, race_acquire_tried)

/* Readers keep out writers only. */
LOCKS(pthread_rwlock_t, pthread_rwlock_trywrlock, pthread_rwlock_unlock, pthread_rwlock_wrlock,
    pthread_rwlock_trywrlock)
TIMED(pthread_rwlock_t, pthread_rwlock_timedwrlock, pthread_rwlock_clockwrlock, race_acquire_tried)
TIMED(pthread_rwlock_t, pthread_rwlock_timedrdlock, pthread_rwlock_clockrdlock, race_acquire_shared)
int cilk_race_libc_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int r = pthread_rwlock_tryrdlock(lock);
  if (!r) race_acquire_shared(lock);
  return r;
}
int cilk_race_libc_pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  int r = cilk_race_libc_pthread_rwlock_tryrdlock(lock);
  would_wait(r, lock);
  return r;
}

/* <threads.h> */
int cilk_race_libc_mtx_trylock(mtx_t *lock) {
  int r = mtx_trylock(lock);
  if (r == thrd_success) race_acquire_tried(lock);
  return r;
}
int cilk_race_libc_mtx_lock(mtx_t *lock) {
  int r = mtx_trylock(lock);
  if (r == thrd_busy) would_wait(EBUSY, lock);
  if (r == thrd_success) race_acquire_owned(lock);
  return r;
}
int cilk_race_libc_mtx_timedlock(mtx_t *lock, const struct timespec *until) {
  reads(until, sizeof *until);
  int r = cilk_race_libc_mtx_trylock(lock);
  return r == thrd_busy ? thrd_timedout : r;
}
int cilk_race_libc_mtx_unlock(mtx_t *lock) {
  race_release(lock);
  return mtx_unlock(lock);
}

/* ---- semaphores: one that begins with 1 is a lock, until a strand without it posts it: then it lets two in.
 * Others let several in, or are signals, whose order is not followed ---- */

/* a hash table without removals; a power of two, at most half full */
static struct semaphore {
  const sem_t *at;
  bool lock;
} *semaphores;
static size_t semaphore_count, semaphore_room;

static struct semaphore *semaphore_at(const sem_t *s) {
  size_t i = (uintptr_t)s * UINT64_C(0x9E3779B97F4A7C15) >> 32;
  for (;; i++) {
    struct semaphore *at = &semaphores[i & (semaphore_room - 1)];
    if (!at->at || at->at == s) return at;
  }
}

int cilk_race_libc_sem_init(sem_t *s, int of_processes, unsigned value) {
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
  race_forget_lock(s);
  return sem_init(s, of_processes, value);
}

int cilk_race_libc_sem_destroy(sem_t *s) {
  writes_object(s);
  if (semaphore_room) semaphore_at(s)->lock = false;
  race_forget_lock(s);
  return sem_destroy(s);
}

static bool is_lock(const sem_t *s) { return semaphore_room && semaphore_at(s)->lock; }
static void semaphore_taken(const sem_t *s) {
  if (is_lock(s)) race_acquire(s);
}

int cilk_race_libc_sem_trywait(sem_t *s) {
  int r = sem_trywait(s);
  if (!r) semaphore_taken(s);
  return r;
}
int cilk_race_libc_sem_wait(sem_t *s) {
  int r = cilk_race_libc_sem_trywait(s);
  if (!r || errno != EAGAIN) return r;
  if (is_lock(s)) would_wait(EBUSY, (void *)s);
  waits("the semaphore is 0, and what posts it comes later in the serial order: this deadlocks");
  return r;
}
TIMED(sem_t, sem_timedwait, sem_clockwait, semaphore_taken)
int cilk_race_libc_sem_post(sem_t *s) {
  if (!race_release(s) && semaphore_room) semaphore_at(s)->lock = false;
  return sem_post(s);
}
#undef TIMED
#undef LOCKS

/* ---- what is done once: by the first that asks for it ---- */

static void (*once_work)(void);
static const void *once_flag_of;
static void once(void) {
  const void *flag = once_flag_of; /* the work may ask for another one */
  race_once_begin();
  once_work();
  race_once_end(flag);
}

#define ONCE(result, name, kind, returns) \
  result cilk_race_libc_##name(kind *flag, void (*work)(void)) { \
    if (race_outside()) returns name(flag, work); \
    else { \
      once_work = work; \
      once_flag_of = flag; \
      name(flag, once); \
      race_once_again(flag); \
      returns 0; \
    } \
  }
#define NOTHING (void)
ONCE(void, call_once, once_flag, NOTHING)
ONCE(int, pthread_once, pthread_once_t, return)
#undef ONCE
#undef NOTHING

/* ---- threads of the program's own ---- */

static void thread_made(void) {
  race_threads = true;
  if (cilk_race_called) race_report_thread(cilk_race_called);
}
int cilk_race_libc_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
    void *argument) {
  thread_made();
  writes_object(thread);
  return pthread_create(thread, attributes, start, argument);
}
int cilk_race_libc_thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  thread_made();
  writes_object(thread);
  return thrd_create(thread, start, argument);
}
