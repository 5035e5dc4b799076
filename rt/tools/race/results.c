/* results.c - what deliveries did since the last sync of their instance.
 *
 * A delivery and its instance's own code are atomic with each other: they do not race. But their order is that in which
 * children return, until a sync. Two accesses to a byte by one instance, one of which writes, are reported here:
 *
 *   early      a delivery did one. The instance's own code (or C code that it calls) does the other before the sync
 *              that waits for the child.
 *   unordered  two deliveries did them.
 *
 * Not reported are updates that commute, as `s += r` of integers (abi.h), and accesses that are meant to speculate:
 * marked so, or, where an inlet may abort, conditions that decide whether more is spawned, and the order of such
 * inlets. After a true SYNCHED of the instance all has arrived. What a delivery does after a true SYNCHED of its own
 * comes after all other deliveries, and before all that the instance does next.
 *
 * Each cell of 4 bytes that a delivery accessed has an entry in a hash table, with a list of uses. A list has, for each
 * instance, place in the text and kind, the first delivery that did it, and its bytes. If that speculates, the list has
 * the first that does not, too. A use ends with the sync: its frame has another number then. Uses that ended are taken
 * out where they are met, and all of them when there is no room.
 */
#include <stdlib.h>
#include <string.h>
#include "race.h"
#include "rt/core/base/array.h"

struct use {
  site *at;
  uint64_t results;             /* the frame's number when this was made (race.h) */
  uint64_t delivery;            /* of the first that did this: the number of the child's frame */
  uint32_t frame;               /* the instance's */
  site *spawn;                  /* of the child */
  uint32_t next;                /* in the list; of free ones */
  uint8_t kind, bytes;          /* a bit for each byte */
  bool aborts;                  /* by an inlet that may abort: the program speculates */
};
static struct use *uses;
static uint32_t use_count = 1, use_room, free_use;

/* cell: the address / 4; first: 0: of no more interest */
struct entry {
  uintptr_t cell;
  uint32_t first;
};
static struct entry *entries;
static size_t entry_count, entry_room;                             /* room: a power of two, at most half full */

/* The instances whose uses have not ended, from the outermost one on: all cells with uses of an instance and of those
 * around it lie between its `low` and `high`. */
static struct extent {
  uint64_t results;
  uint32_t frame;
  uintptr_t low, high;
} *extents;
static uint32_t extent_count, extent_room;

static bool ended(const struct use *u) {
  return race_frames + u->frame > race_frame || race_frames[u->frame].results != u->results;
}

static struct extent *innermost(void) {
  for (; extent_count; extent_count--) {
    struct extent *x = &extents[extent_count - 1];
    if (race_frames + x->frame <= race_frame && race_frames[x->frame].results == x->results) return x;
  }
  return NULL;
}

static void extend(const struct frame *f, uintptr_t cell) {
  struct extent *x = innermost();
  uint32_t frame = (uint32_t)(f - race_frames);
  if (!x || x->frame != frame) {
    struct extent around = x ? *x : (struct extent){.low = UINTPTR_MAX};
    if (!CILK_ROOM_FOR(extents, extent_count, extent_room, 64)) race_die("out of memory");
    x = &extents[extent_count++];
    *x = (struct extent){f->results, frame, around.low, around.high};
  }
  if (cell < x->low) x->low = cell;
  if (cell > x->high) x->high = cell;
}

static struct entry *entry_of(uintptr_t cell) {
  for (size_t i = cell * UINT64_C(0x9E3779B97F4A7C15) >> 24;; i++) {
    struct entry *e = &entries[i & (entry_room - 1)];
    if (!e->cell || e->cell == cell) return e;
  }
}

static void give_back(uint32_t *at) {
  uint32_t n = *at;
  *at = uses[n].next;
  uses[n].next = free_use;
  free_use = n;
}

/* Only what may still be of interest stays. */
static void make_room(void) {
  struct entry *old = entries;
  size_t room = entry_room, kept = 0;
  for (size_t i = 0; i < room; i++) {
    for (uint32_t *at = &old[i].first; *at;)
      if (ended(&uses[*at])) give_back(at);
      else at = &uses[*at].next;
    kept += old[i].first != 0;
  }
  for (entry_room = 256; entry_room < 4 * kept; entry_room *= 2);
  entries = calloc(entry_room, sizeof *entries);
  if (!entries) race_die("out of memory");
  entry_count = kept;
  for (size_t i = 0; i < room; i++)
    if (old[i].first) *entry_of(old[i].cell) = old[i];
  free(old);
}

static struct entry *new_entry(uintptr_t cell) {
  if (2 * (entry_count + 1) > entry_room) make_room();
  struct entry *e = entry_of(cell);
  if (!e->cell) {
    entry_count++;
    e->cell = cell;
  }
  return e;
}

static uint32_t new_use(void) {
  uint32_t n = free_use;
  if (n) {
    free_use = uses[n].next;
    return n;
  }
  if (!CILK_ROOM_FOR(uses, use_count, use_room, 256)) race_die("out of memory");
  return use_count++;
}

/* ---- what is reported ---- */

static bool commute(const site *a, const site *b) { return a->update && a->update == b->update; }
static bool speculate(const site *a, const site *b) { return (a->use | b->use) & CILK_RACE_SPECULATES; }

/* A decision by what an inlet with an abort has stored, after which its instance spawns nothing until the sync: on
 * other schedules the result comes later, and what this run leaves out runs. One for each instance that runs; of two
 * that meet in one place the later one is remembered. */
enum { DECISIONS = 256 };
static struct decision {
  uint64_t results;
  const site *stored, *decides;
} decisions[DECISIONS];
static struct decision *decision_of(const struct frame *f) { return &decisions[(f - race_frames) % DECISIONS]; }

void race_results_spawned(struct frame *f) {
  if (decision_of(f)->results == f->results) decision_of(f)->results = 0;
}
void race_results_synched(struct frame *f) {
  struct decision *d = decision_of(f);
  if (d->results != f->results) return;
  d->results = 0;
  race_report_decision(d->stored, d->decides);
}

static void check(uintptr_t cell, unsigned bytes, site *at, int kind) {
  struct frame *f = race_frame, *of = f->delivering ? f - 1 : f;
  struct entry *e = entry_of(cell);
  for (uint32_t *next = &e->first; *next;) {
    struct use *u = &uses[*next];
    if (ended(u)) {
      give_back(next);
      continue;
    }
    next = &u->next;
    if (u->frame != of - race_frames || !(u->bytes & bytes) || !(u->kind | kind) || commute(u->at, at) ||
        speculate(u->at, at))
      continue;
    if (!f->delivering && u->aborts && (at->use & CILK_RACE_POLLS)) {
      if (u->kind) *decision_of(f) = (struct decision){f->results, u->at, at};
      continue;
    }
    if (f->delivering && (u->delivery == f->began || (u->aborts && f->aborts))) continue;
    struct record earlier = {u->at, race_delivery_node(of, u->spawn), u->kind},
                  later = {at, race_node_now(), (uint32_t)kind};
    for (unsigned i = 0; i < 4; i++)
      if (u->bytes & bytes & 1u << i)
        race_found(f->delivering ? RACE_UNORDERED : RACE_EARLY, (const char *)(cell * 4 + i), 1, &earlier, &later);
  }
}

static void note(uintptr_t cell, unsigned bytes, site *at, int kind) {
  struct frame *of = race_frame - 1;
  struct entry *e = new_entry(cell);
  extend(of, cell);
  uint32_t frame = (uint32_t)(of - race_frames);
  for (uint32_t n = e->first; n && bytes; n = uses[n].next) {
    const struct use *u = &uses[n];
    if (u->at == at && u->kind == kind && u->frame == frame && u->results == of->results &&
        (!u->aborts || race_frame->aborts))
      bytes &= ~(unsigned)u->bytes;
  }
  if (!bytes) return;
  uint32_t n = new_use();
  uses[n] = (struct use){at, of->results, race_stamped(race_frame, &race_frame->began), frame, race_frame->spawn,
      e->first, (uint8_t)kind, (uint8_t)bytes, race_frame->aborts};
  e->first = n;
}

/* Which bytes of a cell lie in a range that it meets. */
static unsigned bytes_in(uintptr_t cell, uintptr_t a, uintptr_t end) {
  unsigned bytes = 15;
  if (cell == a / 4) bytes &= 15u << a % 4;
  if (cell == (end - 1) / 4) bytes &= 15u >> (3 - (end - 1) % 4);
  return bytes;
}

void race_results_access(const void *p, size_t n, site *at, int kind) {
  struct frame *f = race_frame;
  if (f->delivering && f->alone) return;
  uintptr_t a = (uintptr_t)p, end = a + n, cell = a / 4, last = (end - 1) / 4;
  if (f->delivering && !f[-1].results) f[-1].results = race_stamp();
  if (!f->delivering) {
    const struct extent *x = innermost();
    if (!x) return;
    if (cell < x->low) cell = x->low;
    if (last > x->high) last = x->high;
  }
  for (; cell <= last; cell++) {
    unsigned bytes = bytes_in(cell, a, end);
    if (race_is_own(cell * 4)) continue;
    if (entry_room) check(cell, bytes, at, kind);
    if (f->delivering) note(cell, bytes, at, kind);
  }
}

static void forget(struct entry *e, unsigned bytes) {
  for (uint32_t *next = &e->first; *next;) {
    struct use *u = &uses[*next];
    u->bytes &= (uint8_t)~bytes;
    if (u->bytes) next = &u->next;
    else give_back(next);
  }
}

/* New memory has no past. */
void race_results_cleared(const void *p, size_t n) {
  const struct extent *x = n ? innermost() : NULL;
  uintptr_t from = (uintptr_t)p / 4, to = ((uintptr_t)p + n - 1) / 4;
  if (!x || to < x->low || from > x->high) return;
  uintptr_t a = (uintptr_t)p, end = a + n;
  if (from < x->low) from = x->low;
  if (to > x->high) to = x->high;
  if (to - from < entry_room)
    for (uintptr_t cell = from; cell <= to; cell++) forget(entry_of(cell), bytes_in(cell, a, end));
  else
    for (size_t i = 0; i < entry_room; i++)
      if (entries[i].cell >= from && entries[i].cell <= to) forget(&entries[i], bytes_in(entries[i].cell, a, end));
}
