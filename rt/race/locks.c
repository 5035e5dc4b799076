/* locks.c - sets of locks (ALL-SETS: Cheng, Feng, Leiserson, Randall and Stark, SPAA '98). Each different set is kept once and has a number, 0 for the empty one;
 * programs hold few locks at a time, and have few combinations. Locks that a parent holds do not protect its children from each other: each instance
 * and each delivery begins with none.
 */
#include <stdlib.h>
#include <string.h>
#include "race.h"

struct lock_set { uint32_t count; const volatile void **locks; };    /* ordered */
static struct lock_set *sets;
static uint32_t set_count = 1, set_room;

char race_atomic_lock;

static const struct lock_set *get(uint32_t set)
{
  static const struct lock_set none;
  return set ? &sets[set] : &none;
}

static uint32_t number_of(const volatile void **locks, uint32_t count)
{
  if (!count) return 0;
  for (uint32_t i = 1; i < set_count; i++)
    if (sets[i].count == count && !memcmp(sets[i].locks, locks, count * sizeof *locks)) return i;
  if (set_count >= set_room) {
    set_room = set_room ? 2 * set_room : 64;
    sets = realloc(sets, set_room * sizeof *sets);
  }
  const volatile void **copy = malloc(count * sizeof *copy);
  if (!sets || !copy) race_die("out of memory");
  memcpy(copy, locks, count * sizeof *copy);
  sets[set_count] = (struct lock_set){count, copy};
  return set_count++;
}

uint32_t race_locks_with(uint32_t set, const volatile void *lock)
{
  const struct lock_set *s = get(set);
  const volatile void *all[s->count + 1];
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->locks[i] == lock) return set;
    if (s->locks[i] > lock && n == i) all[n++] = lock;
    all[n++] = s->locks[i];
  }
  if (n == s->count) all[n++] = lock;
  return number_of(all, n);
}

uint32_t race_locks_without(uint32_t set, const volatile void *lock)
{
  const struct lock_set *s = get(set);
  const volatile void *all[s->count + 1];
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->locks[i] != lock) all[n++] = s->locks[i];
  return number_of(all, n);
}

bool race_locks_meet(uint32_t a, uint32_t b)
{
  if (!a || !b) return false;
  if (a == b) return true;
  const struct lock_set *x = get(a), *y = get(b);
  for (uint32_t i = 0, k = 0; i < x->count && k < y->count;) {
    if (x->locks[i] == y->locks[k]) return true;
    if (x->locks[i] < y->locks[k]) i++;
    else k++;
  }
  return false;
}

bool race_locks_within(uint32_t a, uint32_t b)
{
  if (!a || a == b) return true;
  const struct lock_set *x = get(a), *y = get(b);
  uint32_t k = 0;
  for (uint32_t i = 0; i < x->count; i++) {
    while (k < y->count && y->locks[k] < x->locks[i]) k++;
    if (k == y->count || y->locks[k] != x->locks[i]) return false;
  }
  return true;
}

void race_acquire(const volatile void *lock) { race_set_locks(race_locks_with(race_frame->locks, lock)); }
void race_release(const volatile void *lock) { race_set_locks(race_locks_without(race_frame->locks, lock)); }

/* ---- <cilk.h>'s ---- */

void cilk_race_lock_init(volatile int *lock)
{
  race_access((const void *)lock, sizeof *lock, cilk_race_called, CILK_RACE_WRITE);
  *lock = 0;
}

void cilk_race_lock(volatile int *lock)
{
  site *at = cilk_race_called;
  cilk_race_atomic((const void *)lock, sizeof *lock, at, CILK_RACE_WRITE);
  if (*lock && at) {
    fprintf(stderr, "%s:%u: ", at->file, at->line);
    race_die("the lock is held already: the program waits for itself");
  }
  *lock = 1;
  race_acquire(lock);
}

void cilk_race_unlock(volatile int *lock)
{
  race_release(lock);
  cilk_race_atomic((const void *)lock, sizeof *lock, cilk_race_called, CILK_RACE_WRITE);
  *lock = 0;
}
