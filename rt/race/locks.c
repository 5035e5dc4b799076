/* locks.c - sets of locks (ALL-SETS: Cheng, Feng, Leiserson, Randall and Stark, SPAA '98). Each different set is kept once and has a number, 0 for the empty one;
 * programs hold few locks at a time, and have few combinations. Locks that a parent holds do not protect its children from each other: each instance
 * and each delivery begins with none.
 *
 * A program with many locks has many sets: a hash table finds the number of one, and another one remembers what a set becomes when a lock is taken or released.
 */
#include <stdlib.h>
#include <string.h>
#include "race.h"

struct lock_set { uint32_t count; const volatile void **locks; };    /* ordered */
static struct lock_set *sets;
static uint32_t set_count = 1, set_room;
static uint32_t *places, place_count;                                /* hash table of numbers, 0: free; a power of two, at most half full */

enum { STEPS = 4096 };
static struct step { const volatile void *lock; uint32_t set, taken, becomes; } steps[STEPS];      /* becomes UINT32_MAX: not known */

char race_atomic_lock;
uint32_t race_locks_most;

static const struct lock_set *get(uint32_t set)
{
  static const struct lock_set none;
  return set ? &sets[set] : &none;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
  h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ h >> 29;
}

/* Where in the table the set is, or belongs. */
static uint32_t *place_of(const volatile void **locks, uint32_t count)
{
  uint64_t h = count;
  for (uint32_t i = 0; i < count; i++) h = mix(h, (uintptr_t)locks[i]);
  for (uint32_t i = (uint32_t)h;; i++) {
    uint32_t *at = &places[i & (place_count - 1)];
    if (!*at || (sets[*at].count == count && !memcmp(sets[*at].locks, locks, count * sizeof *locks))) return at;
  }
}

static void grow_places(void)
{
  free(places);
  place_count = place_count ? 2 * place_count : 128;
  places = calloc(place_count, sizeof *places);
  if (!places) race_die("out of memory");
  for (uint32_t i = 1; i < set_count; i++) *place_of(sets[i].locks, sets[i].count) = i;
}

static uint32_t number_of(const volatile void **locks, uint32_t count)
{
  if (!count) return 0;
  if (2 * set_count >= place_count) grow_places();
  uint32_t *at = place_of(locks, count);
  if (*at) return *at;
  if (set_count >= set_room) {
    set_room = set_room ? 2 * set_room : 64;
    sets = realloc(sets, set_room * sizeof *sets);
  }
  const volatile void **copy = malloc(count * sizeof *copy);
  if (!sets || !copy) race_die("out of memory");
  memcpy(copy, locks, count * sizeof *copy);
  sets[set_count] = (struct lock_set){count, copy};
  if (count > race_locks_most) race_locks_most = count;
  *at = set_count;
  return set_count++;
}

static struct step *step_of(uint32_t set, const volatile void *lock, uint32_t taken)
{
  struct step *s = &steps[mix(mix(set, taken), (uintptr_t)lock) >> 20 & (STEPS - 1)];
  if (s->lock != lock || s->set != set || s->taken != taken) *s = (struct step){lock, set, taken, UINT32_MAX};
  return s;
}

static uint32_t with(uint32_t set, const volatile void *lock)
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

static uint32_t without(uint32_t set, const volatile void *lock)
{
  const struct lock_set *s = get(set);
  const volatile void *all[s->count + 1];
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->locks[i] != lock) all[n++] = s->locks[i];
  return number_of(all, n);
}

uint32_t race_locks_with(uint32_t set, const volatile void *lock)
{
  struct step *s = step_of(set, lock, 1);
  return s->becomes != UINT32_MAX ? s->becomes : (s->becomes = with(set, lock));
}
uint32_t race_locks_without(uint32_t set, const volatile void *lock)
{
  struct step *s = step_of(set, lock, 0);
  return s->becomes != UINT32_MAX ? s->becomes : (s->becomes = without(set, lock));
}

static uint32_t both(uint32_t a, uint32_t b)
{
  const struct lock_set *x = get(a), *y = get(b);
  const volatile void *all[x->count + 1];
  uint32_t n = 0;
  for (uint32_t i = 0, k = 0; i < x->count && k < y->count;) {
    if (x->locks[i] == y->locks[k]) all[n++] = x->locks[i++], k++;
    else if (x->locks[i] < y->locks[k]) i++;
    else k++;
  }
  return number_of(all, n);
}
uint32_t race_locks_both(uint32_t a, uint32_t b)
{
  if (!a || !b || a == b) return a == b ? a : 0;
  struct step *s = step_of(a, (void *)(uintptr_t)b, 2);
  return s->becomes != UINT32_MAX ? s->becomes : (s->becomes = both(a, b));
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
