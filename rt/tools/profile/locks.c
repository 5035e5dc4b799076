/* locks.c - how long each lock is held.
 *
 * Sections under one lock run one after the other, on any number of workers. So the sum of the largest lock's sections
 * is a lower bound of the time, as the span is. A lock is an address. A section lasts from the call that took the lock
 * to the one that gives it back, on the path of its instance: of children that it waits for, the longest counts.
 * Sections under several locks count for each of them. A section within one under the same lock, a recursive one, is a
 * part of that section. */
#include <stdlib.h>
#include "profile.h"
#include "rt/core/base/table.h"

typedef struct lock {
  const void *address;                 /* null: the entry is free */
  const cilk_profile_locked *at;       /* where it was taken first */
  uint64_t number, sections, work, longest;
  uint64_t *changed;                   /* its work in the changed programs, half units */
} lock;
static lock *locks;                    /* a table */
static size_t nlocks, room;

/* where it began on the path of its instance */
typedef struct section {
  const void *address;
  uint64_t began, *changed;
} section;
static section *held;                  /* the sections that run, the youngest last */
static size_t nheld, held_room;

static void *memory(void *old, size_t n, size_t each) {
  void *p = realloc(old, n * each);
  if (!p) profile_fail("out of memory");
  return p;
}

static lock *find(const void *address) { return CILK_TABLE_ROW(locks, room, address, address); }

/* Is the lock held by one of the first n sections? */
static bool is_held(const void *address, size_t n) {
  while (n && held[n - 1].address != address) n--;
  return n != 0;
}

void cilk_profile_lock(const void *address, const cilk_profile_locked *at, uint64_t units) {
  profile_strand_ends(units);
  if (!CILK_TABLE_ROOM(locks, nlocks, room, 64, address)) profile_fail("out of memory");
  lock *l = find(address);
  if (!l->address) { *l = (lock){.address = address, .at = at, .number = nlocks++}; }
  if (profile_settings.dag_locks && !is_held(address, nheld)) profile_dag_lock(l->number, true);
  if (nheld == held_room) {
    size_t more = held_room ? 2 * held_room : 16;
    held = memory(held, more, sizeof *held);
    for (size_t i = held_room; i < more; i++)
      held[i].changed =
          profile_settings.nchanges ? memory(NULL, profile_settings.nchanges, sizeof *held[i].changed) : NULL;
    held_room = more;
  }
  section *s = &held[nheld++];
  s->address = address;
  s->began = profile_here().span;
  for (unsigned i = 0; i < profile_settings.nchanges; i++) s->changed[i] = profile_changed_here(i);
}

/* A call that takes the lock if it can, and returns 0 then. */
void cilk_profile_tried(const void *address, const cilk_profile_locked *at, int failed, uint64_t units) {
  if (failed) profile_strand_ends(units);
  else cilk_profile_lock(address, at, units);
}

/* A child that releases its parent's lock may begin earlier. */
static uint64_t since(uint64_t now, uint64_t then) { return now > then ? now - then : 0; }

void cilk_profile_unlock(const void *address, uint64_t units) {
  profile_strand_ends(units);
  size_t i = nheld;
  while (i && held[i - 1].address != address) i--;
  if (!i) return;                            /* taken by code that is not measured */
  section s = held[i - 1];
  for (; i < nheld; i++) held[i - 1] = held[i];
  held[--nheld] = s;                   /* its memory stays in use */
  if (is_held(address, nheld)) return;
  lock *l = find(address);
  if (profile_settings.dag_locks) profile_dag_lock(l->number, false);
  uint64_t length = since(profile_here().span, s.began);
  l->sections++;
  l->work += length;
  l->longest = length > l->longest ? length : l->longest;
  if (profile_settings.nchanges && !l->changed && !(l->changed = calloc(profile_settings.nchanges, sizeof *l->changed)))
    profile_fail("out of memory");
  for (unsigned k = 0; k < profile_settings.nchanges; k++)
    l->changed[k] += since(profile_changed_here(k), s.changed[k]);
}

uint64_t profile_locked(unsigned change) {
  uint64_t most = 0;
  for (size_t i = 0; i < room; i++)
    if (locks[i].changed && locks[i].changed[change] > most) most = locks[i].changed[change];
  return most;
}

void profile_locks(void (*each)(const cilk_profile_locked *, uint64_t sections, uint64_t work, uint64_t longest)) {
  for (size_t i = 0; i < room; i++)
    if (locks[i].address && locks[i].sections) each(locks[i].at, locks[i].sections, locks[i].work, locks[i].longest);
}
