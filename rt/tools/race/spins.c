/* spins.c - locks that a program makes of atomic operations: `while (atomic_exchange(&l, 1));`, test_and_set, loops of
 * compare_exchange.
 *
 * The compiler marks the operations that may take a lock (CILK_RACE_TAKES). Such an operation takes one if it changes
 * the place. The next atomic or plain write of the place releases the lock, if the place holds then what it held
 * before. So does a read that waits for a ticket's turn: the next other value releases it. A hold that ends otherwise
 * (with its instance, or by another value: a counter, a list, a flag that is set once) shows that this operation takes
 * no lock: it is none from then on. Races may have been missed until then if two strands held such a lock both: then
 * `cilkc race` runs the program again, with the operations that take no lock by name.
 *
 * An operation is reported before it is done. What it did is looked at when the next one that matters is reported
 * (`settle`).
 */
#include <stdlib.h>
#include <string.h>
#include "race.h"
#include "rt/core/base/array.h"

uint32_t race_spins_held;
bool race_spins_met, race_spin_pending;

/* The last operation that may have changed a lock. TAKES: was free before. MAY_RELEASE: may have been a try to take it
 * again. RELEASED: already, by a write. */
static struct {
  enum { TAKES, MAY_RELEASE, RELEASED } what;
  struct race_spin lock;
  uint64_t before;
  struct frame *frame;
} last;

static uint64_t value_at(uintptr_t p, size_t n) {
  uint64_t v = 0;
  memcpy(&v, (const void *)p, n);
  return v;
}

/* ---- operations that take no lock ---- */

static site **refused;
static uint32_t refused_count, refused_room;

void race_spin_refuse(site *at) {
  if (at->use & CILK_RACE_NO_LOCK) return;
  at->use |= CILK_RACE_NO_LOCK;
  if (!CILK_ROOM_FOR(refused, refused_count, refused_room, 16)) race_die("out of memory");
  refused[refused_count++] = at;
}
uint32_t race_spins_refused(site *const **list) {
  *list = refused;
  return race_spins_met ? refused_count : 0;
}

/* Named by the command: "LINE COLUMN FILE" in each line. */
static bool named(const site *at) {
  static const char *names;
  if (!names && !(names = getenv("CILK_RACE_NO_LOCKS"))) names = "";
  for (const char *s = names; *s;) {
    char *after;
    unsigned long line = strtoul(s, &after, 10), column = strtoul(after, &after, 10);
    const char *end = strchr(after, '\n');
    size_t n = end ? (size_t)(end - after) : strlen(after);
    if (line == at->line && column == at->column && n == strlen(at->file) + 1 && !memcmp(after + 1, at->file, n - 1))
      return true;
    s = end ? end + 1 : after + n;
  }
  return false;
}

/* ---- what happens to a place ---- */

void race_spin_settle(void) {
  race_spin_pending = false;
  const struct race_spin *l = &last.lock;
  uint64_t now = value_at(l->p, l->size);
  bool changed = now != last.before;
  if (last.what == TAKES && (changed || l->turns)) {
    if (last.frame == race_frame) race_acquire_spin(l);
    else race_spin_refuse(l->at);
  }
  if (last.what == MAY_RELEASE && changed) race_release_spin(l->p, &last.lock);
  if (last.what != TAKES && changed && now != l->free && !l->turns) race_spin_refuse(l->at);
  race_watch();
}

static void pending(int what, uint64_t before) {
  last.what = what;
  last.before = before;
  last.frame = race_frame;
  race_spin_pending = true;
  race_frame->stamped = true;   /* its next spawn looks here (bags.c) */
  race_watch();
}

/* An atomic operation, before it is done. */
void race_spin_atomic(const void *where, size_t n, site *at, int kind) {
  uintptr_t p = (uintptr_t)where;
  if (n > sizeof(uint64_t) || !(race_spins_held | (at->use & CILK_RACE_TAKES))) return;
  uint64_t before = value_at(p, n);
  const struct race_spin *held = race_spins_held ? race_spin_at(p) : NULL;
  if (held && kind) {
    last.lock = *held;
    bool may = at->use & CILK_RACE_TAKES;
    if (!may) race_release_spin(p, &last.lock);
    pending(may ? MAY_RELEASE : RELEASED, before);
  } else if (!held && at->use & CILK_RACE_TAKES && !(at->use & CILK_RACE_NO_LOCK)) {
    if (!(at->use & CILK_RACE_ASKED) && named(at)) at->use |= CILK_RACE_NO_LOCK;
    at->use |= CILK_RACE_ASKED;
    if (at->use & CILK_RACE_NO_LOCK) return;
    last.lock = (struct race_spin){p, n, before, at, !kind};
    pending(TAKES, before);
  }
}

/* A plain write of a place that is held, as `l = 0`. */
void race_spin_plain(const void *where, size_t n) {
  const struct race_spin *held = n <= sizeof(uint64_t) ? race_spin_at((uintptr_t)where) : NULL;
  if (!held) return;
  last.lock = *held;
  race_release_spin(held->p, &last.lock);
  pending(RELEASED, value_at((uintptr_t)where, n));
}
