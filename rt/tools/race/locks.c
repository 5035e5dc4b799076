/* locks.c - sets of locks (ALL-SETS: Cheng, Feng, Leiserson, Randall and Stark, SPAA '98). Each different set is kept
 * once and has a number, 0 for the empty one; programs hold few locks at a time, and have few combinations. Locks that
 * a parent holds do not protect its children from each other: each instance and each delivery begins with none.
 *
 * A program with many locks has many sets: a hash table finds the number of one. Which locks are held is a list
 * (bags.c); its set is asked for only where an access has to be remembered.
 *
 * The run is serial, so the local locks of two children lie in one place one after the other; they are told apart by
 * their lives, which are counted.
 */
#include <stdlib.h>
#include <string.h>
#include "race.h"
#include "rt/core/base/array.h"

/* ordered; exclusive: one of them at least is not shared; spun: of spins.c */
struct lock_set {
  uint32_t count;
  bool exclusive, spun;
  race_hold *locks;
};
static struct lock_set *sets;
static uint32_t set_count = 1, set_room;
/* hash table of numbers, 0: free; a power of two, at most half full */
static uint32_t *places, place_count;

enum { STEPS = 4096 };
/* what two sets, neither of them empty, have in common */
static struct step {
  uint32_t a, b, becomes;
} steps[STEPS];

char race_atomic_lock;
unsigned race_off;

/* ---- lives: a hash table without removals; a power of two, at most half full ---- */

static struct life {
  uintptr_t lock;
  uint32_t number;
} *lives;
static size_t life_count, life_room;
static uintptr_t lives_low = UINTPTR_MAX, lives_high;

static struct life *life_at(uintptr_t lock) {
  for (size_t i = lock * UINT64_C(0x9E3779B97F4A7C15) >> 32;; i++) {
    struct life *at = &lives[i & (life_room - 1)];
    if (!at->lock || at->lock == lock) return at;
  }
}

race_hold race_life(uintptr_t lock) {
  if (lock < lives_low || lock > lives_high) return 0;
  return ((race_hold)life_at(lock)->number << RACE_LIFE_BIT) & ~((race_hold)1 << RACE_SPIN_BIT);
}

void race_lock_lives(const volatile void *p) {
  uintptr_t lock = (uintptr_t)p;
  if (2 * life_count >= life_room) {
    struct life *old = lives;
    size_t n = life_room;
    life_room = n ? 2 * n : 64;
    lives = calloc(life_room, sizeof *lives);
    if (!lives) race_die("out of memory");
    for (size_t i = 0; i < n; i++)
      if (old[i].lock) *life_at(old[i].lock) = old[i];
    free(old);
  }
  struct life *at = life_at(lock);
  if (at->lock) return;
  at->lock = lock;
  life_count++;
  if (lock < lives_low) lives_low = lock;
  if (lock > lives_high) lives_high = lock;
}

void race_lock_lives_again(const volatile void *lock) {
  race_lock_lives(lock);
  life_at((uintptr_t)lock)->number++;
}

void race_locks_cleared(const void *p, size_t n) {
  uintptr_t from = (uintptr_t)p, end = from + n;
  if (from > lives_high || end <= lives_low) return;
  if (n < life_room) {
    for (uintptr_t lock = from; lock < end; lock++)
      if (life_at(lock)->lock) life_at(lock)->number++;
    return;
  }
  for (size_t i = 0; i < life_room; i++)
    if (lives[i].lock >= from && lives[i].lock < end) lives[i].number++;
}

/* ---- sets ---- */

static const struct lock_set *get(uint32_t set) {
  static const struct lock_set none;
  return set ? &sets[set] : &none;
}

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ h >> 29;
}

/* Where in the table the set is, or belongs. */
static uint32_t *place_of(const race_hold *locks, uint32_t count) {
  uint64_t h = count;
  for (uint32_t i = 0; i < count; i++) h = mix(h, locks[i]);
  for (uint32_t i = (uint32_t)h;; i++) {
    uint32_t *at = &places[i & (place_count - 1)];
    if (!*at || (sets[*at].count == count && !memcmp(sets[*at].locks, locks, count * sizeof *locks))) return at;
  }
}

static void grow_places(void) {
  free(places);
  place_count = place_count ? 2 * place_count : 128;
  places = calloc(place_count, sizeof *places);
  if (!places) race_die("out of memory");
  for (uint32_t i = 1; i < set_count; i++) *place_of(sets[i].locks, sets[i].count) = i;
}

static uint32_t number_of(const race_hold *locks, uint32_t count) {
  if (!count) return 0;
  if (2 * set_count >= place_count) grow_places();
  uint32_t *at = place_of(locks, count);
  if (*at) return *at;
  race_hold *copy = malloc(count * sizeof *copy);
  if (!copy || !CILK_ROOM_FOR(sets, set_count, set_room, 64)) race_die("out of memory");
  memcpy(copy, locks, count * sizeof *copy);
  bool exclusive = false;
  for (uint32_t i = 0; i < count; i++) exclusive |= !(copy[i] & 1);
  sets[set_count] = (struct lock_set){count, exclusive, copy[count - 1] >> RACE_SPIN_BIT, copy};
  *at = set_count;
  return set_count++;
}

uint32_t race_locks_number(race_hold *locks, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t k = i; k && locks[k - 1] > locks[k]; k--) {
      race_hold l = locks[k];
      locks[k] = locks[k - 1];
      locks[k - 1] = l;
    }
  return number_of(locks, count);
}

race_hold race_locks_single(uint32_t set) {
  const struct lock_set *s = get(set);
  return s->count == 1 && s->exclusive ? s->locks[0] : 0;
}

static uint32_t both(uint32_t a, uint32_t b) {
  const struct lock_set *x = get(a), *y = get(b);
  race_hold all[x->count + 1];
  uint32_t n = 0;
  for (uint32_t i = 0, k = 0; i < x->count && k < y->count;) {
    if ((x->locks[i] ^ y->locks[k]) < 2) all[n++] = x->locks[i++] | y->locks[k++];
    else if (x->locks[i] < y->locks[k]) i++;
    else k++;
  }
  return number_of(all, n);
}
uint32_t race_locks_both(uint32_t a, uint32_t b) {
  if (!a || !b || a == b) return a == b ? a : 0;
  struct step *s = &steps[mix(a, b) >> 20 & (STEPS - 1)];
  if (s->a != a || s->b != b) *s = (struct step){a, b, both(a, b)};
  return s->becomes;
}

bool race_locks_meet(uint32_t a, uint32_t b) {
  if (!a || !b) return false;
  const struct lock_set *x = get(a), *y = get(b);
  race_spins_met |= x->spun & y->spun;
  if (a == b) return x->exclusive;
  for (uint32_t i = 0, k = 0; i < x->count && k < y->count;) {
    if (x->locks[i] >> 1 == y->locks[k] >> 1) {
      if (!(x->locks[i] & y->locks[k] & 1)) return true;
      i++, k++;
    } else if (x->locks[i] < y->locks[k]) i++;
    else k++;
  }
  return false;
}

bool race_locks_spun(uint32_t a) { return get(a)->spun; }

bool race_locks_within(uint32_t a, uint32_t b) {
  if (!a || a == b) return true;
  const struct lock_set *x = get(a), *y = get(b);
  uint32_t k = 0;
  for (uint32_t i = 0; i < x->count; i++) {
    while (k < y->count && y->locks[k] >> 1 < x->locks[i] >> 1) k++;
    if (k == y->count || (y->locks[k] | 1) != (x->locks[i] | 1) || y->locks[k] > x->locks[i]) return false;
  }
  return true;
}
