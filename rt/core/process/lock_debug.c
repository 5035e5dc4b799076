/* lock_debug.c - Cilk_lock and Cilk_unlock of programs compiled with -cilk-debug: the holder of each lock, and what can
 * never end.
 *
 * A table has for every lock acquired by such code its holder and the place in the source. Three things are fatal: a
 * lock with a value that no lock has (it was never initialised), the release of a lock that is free, and a lock that
 * its own holder waits for. The last one needs care, since procedures move: the holder may have been stolen from
 * this worker, and will release the lock elsewhere. The holder is still on this stack if the segment in which it
 * acquired the lock is there, nothing in that segment was stolen, released or aborted, and H is not beyond what T
 * was then. */
#include "process/lock.h"
#include "base/fault.h"
#include "data/deque.h"
#include "data/link.h"
#include "data/step.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct held {
  struct held *next;
  const volatile void *lock;
  const char *name, *file;
  int line, id; /* id: the worker's, -1 for other threads */
  pthread_t thread;
  cilk_segment *seg; /* where T was `tail` */
  cilk_link *root; /* the segment's base link at that time: a stolen segment has another one */
  cilk_closure **tail;
} held;

static held *table[CILK_LOCK_BUCKETS];
static uint32_t table_lock;

static held **bucket(const volatile void *lock) { return &table[(uintptr_t)lock / sizeof(int) % CILK_LOCK_BUCKETS]; }

/* table_lock is held. NULL if no such code holds it. */
static held **find(const volatile void *lock) {
  held **at = bucket(lock);
  while (*at && (*at)->lock != lock) at = &(*at)->next;
  return at;
}

static bool still_here(const held *h) {
  cilk_worker *w = cilk_me();
  if (!pthread_equal(h->thread, pthread_self())) return false;
  if (w->id < 0 || !h->seg) return true;
  for (cilk_segment *s = w->ext->seg; s; s = s->outer)
    if (s == h->seg)
      return s->link == h->root && !s->chain_young && !s->unwinding && load_relaxed(&w->ext->head) <= h->tail;
  return false;
}

static void enter(volatile int *lock, const char *name, const char *file, int line) {
  cilk_worker *w = cilk_me();
  held *h = CILK_FAILS(MALLOC) ? NULL : malloc(sizeof *h);
  if (!h) cilk_fatal("out of memory");
  *h = (held){NULL, lock, name, file, line, w->id, pthread_self(), NULL, NULL, NULL};
  if (w->id >= 0 && w->ext->seg) {
    h->seg = w->ext->seg;
    h->root = load_acquire(&h->seg->link);
    h->tail = load_relaxed(&w->tail);
  }
  cilk_spin_lock(&table_lock);
  held **at = bucket(lock);
  h->next = *at;
  *at = h;
  cilk_spin_unlock(&table_lock);
}

static void check_value(int value, const char *name, const char *file, int line) {
  int most = cilk_rt_locks_ordered ? CILK_LOCK_HELD + cilk_rt_locks_ordered - 1 : 1;
  if (value < 0 || value > most)
    cilk_fatal("%s:%d: the lock %s was not initialised (Cilk_lock_init)", file, line, name);
}

CILK_SHARED void cilk_rt_lock_checked(volatile int *lock, const char *name, const char *file, int line) {
  int expected = 0;
  if (cilk_lock_in_order(lock)) {
    enter(lock, name, file, line);
    return;
  }
  if (!__atomic_compare_exchange_n(lock, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    check_value(expected, name, file, line);
    cilk_spin_lock(&table_lock);
    held *h = *find(lock), copy = h ? *h : (held){0};
    cilk_spin_unlock(&table_lock);
    if (h && still_here(&copy))
      cilk_fatal("%s:%d: the lock %s is acquired again by its own holder, which acquired it at %s:%d: this deadlocks",
          file, line, name, copy.file, copy.line);
    cilk_rt_lock_wait(lock);
  }
  enter(lock, name, file, line);
}

CILK_SHARED void cilk_rt_unlock_checked(volatile int *lock, const char *name, const char *file, int line) {
  int value = __atomic_load_n(lock, __ATOMIC_RELAXED);
  check_value(value, name, file, line);
  if (value == 0) cilk_fatal("%s:%d: the lock %s is released, but no worker holds it", file, line, name);
  cilk_spin_lock(&table_lock);
  held **at = find(lock), *h = *at;
  if (h) *at = h->next;
  cilk_spin_unlock(&table_lock);
  free(h);
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* For reports: appends the holder to the line. Without the lock of the table if that is not free: this may be a
 * signal handler. */
size_t cilk_lock_describe(char *line, size_t at, size_t room, const volatile void *lock) {
  if (!cilk_spin_trylock(&table_lock)) return at;
  held *h = *find(lock);
  if (h) {
    int n = snprintf(line + at, room - at,
        h->id >= 0 ? " (%s, taken at %s:%d by worker %d)" : " (%s, taken at %s:%d by a thread that is no worker)",
        h->name, h->file, h->line, h->id);
    at = n > 0 && at + (size_t)n < room ? at + (size_t)n : room - 1;
  }
  cilk_spin_unlock(&table_lock);
  return at;
}
