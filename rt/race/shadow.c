/* shadow.c - who wrote and who read each byte, and what is a race.
 *
 * A slot holds the number of the record of the last writer and of one reader, 0 for none. Which ones may be forgotten:
 *
 *   An access e1 gives way to a later e2 of at least its kind if e1 precedes e2: what comes after and is parallel to e1 is parallel to e2 as well. The later one
 *   must hold no lock that e1 did not hold; and what e1 would race with must not be atomic with e2. The latter only happens where e2 is a delivery, for other code of
 *   its owner; an instance's own code is never parallel to a later delivery into the instance (the child of which it precedes, or it is atomic with it).
 *   An access e2 need not be kept beside an earlier, parallel e1 of at least its kind, by the same reasoning the other way round (e1 holds no lock that e2 does not
 *   hold, and is no delivery, or into the same instance).
 *
 * Where neither holds, all accesses that still count are kept in a history. That needs deliveries, locks or atomics; plain code lives in slots.
 *
 * A cell is one slot for 4 bytes. When the accesses to its bytes differ, it becomes a negative number: an extension with a slot for each byte.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "race.h"

struct slot { int32_t writer, reader; };                          /* reader < 0, of a cell: -number of an extension */

struct event { int32_t record; uint32_t kind; };
struct history { uint32_t count, room; struct event events[]; };
struct byte { struct slot slot; struct history *history; };      /* history: then the slot is not used */
struct extension { struct byte bytes[4]; int32_t next_free; };

int32_t cilk_race_first = 1;
int32_t race_next = 1;
struct record *race_records;
static struct extension *extensions;
static int32_t extension_count = 1, free_extension, extensions_in_use;

static const uint64_t most_records = UINT64_C(1) << 31, most_extensions = UINT64_C(1) << 30;

void race_shadow_start(void)
{
  race_reserve((CILK_RACE_MASK + 1) * 2, CILK_RACE_SHADOW, "the shadow of memory");
  race_records = race_reserve(most_records * sizeof *race_records, 0, "the records");
  extensions = race_reserve(most_extensions * sizeof *extensions, 0, "the extensions of cells");
}

static inline struct slot *cell_of(uintptr_t p) { return (struct slot *)(((p & CILK_RACE_MASK & ~UINT64_C(3)) << 1) | CILK_RACE_SHADOW); }

static __attribute__((noinline)) int32_t new_record(site *at, int kind)
{
  if (race_next == INT32_MAX) race_die("the program makes too many accesses in too many strands (2^31 records)");
  int32_t r = race_next++;
  race_records[r] = (struct record){at, race_node_now(), (uint32_t)kind};
  at->record[kind] = r;
  return r;
}
static inline int32_t record_of(site *at, int kind)
{
  int32_t r = at->record[kind];
  return r >= cilk_race_first ? r : new_record(at, kind);
}

/* ---- rules ---- */

struct now { node who; const struct node_info *info; };

static inline struct now this_access(int32_t r)
{
  node n = race_records[r].who;
  return (struct now){n, &race_nodes[n]};
}

static inline bool own_code(const struct node_info *i) { return !i->delivery; }

/* May the earlier access be forgotten for the sake of this one, which it precedes? */
static inline bool gives_way(const struct node_info *earlier, const struct node_info *later)
{
  if (!later->locks && own_code(later)) return true;
  if (later->alone) return false;              /* what precedes it here may be parallel to what it precedes */
  return (own_code(later) || earlier->owner == later->owner) && race_locks_within(later->locks, earlier->locks);
}
/* Is a later, parallel access of no higher kind of no interest beside the earlier one? */
static inline bool covers(const struct node_info *earlier, const struct node_info *later)
{
  return (own_code(earlier) || earlier->owner == later->owner) && race_locks_within(earlier->locks, later->locks);
}
static inline bool race_between(const struct node_info *earlier, const struct node_info *later)
{
  return earlier->owner != later->owner && !race_locks_meet(earlier->locks, later->locks);
}

static const char *place;       /* what is being looked at: a byte, or the bytes of a cell */
static size_t place_size = 4;

static inline void found(int32_t earlier, int32_t later) { race_found(place, place_size, &race_records[earlier], &race_records[later]); }

/* The new access settles with a slot; false: both have to be kept, and nothing was changed. */
static inline bool settle(struct slot *s, int32_t r, int kind)
{
  int32_t w = s->writer, rd = s->reader;
  if (!(w | rd)) {
    if (kind) s->writer = r; else s->reader = r;
    return true;
  }
  struct now now = this_access(r);
  if (w) {
    node e = race_records[w].who;
    const struct node_info *i = &race_nodes[e];
    if (race_in_parallel(e)) {
      if (race_between(i, now.info)) found(w, r);
      else if (kind) return false;
    } else if (kind && !gives_way(i, now.info)) return false;
  }
  if (rd) {
    node e = race_records[rd].who;
    const struct node_info *i = &race_nodes[e];
    if (race_in_parallel(e)) {
      if (!kind) return covers(i, now.info);
      if (!race_between(i, now.info)) return false;
      found(rd, r);
    } else if (!gives_way(i, now.info)) return false;
  }
  if (kind) *s = (struct slot){r, 0};
  else s->reader = r;
  return true;
}

/* ---- histories ---- */

static void push(struct byte *b, int32_t record, uint32_t kind)
{
  struct history *h = b->history;
  if (!h || h->count == h->room) {
    uint32_t room = h ? 2 * h->room : 4;
    struct history *n = realloc(h, sizeof *h + room * sizeof *h->events);
    if (!n) race_die("out of memory");
    if (!h) n->count = 0;
    n->room = room;
    b->history = h = n;
  }
  h->events[h->count++] = (struct event){record, kind};
}

static void add(struct byte *b, int32_t r, int kind)
{
  if (!b->history) {
    struct slot s = b->slot;
    b->slot = (struct slot){0, 0};
    if (s.writer) push(b, s.writer, CILK_RACE_WRITE);
    if (s.reader) push(b, s.reader, CILK_RACE_READ);
  }
  struct now now = this_access(r);
  struct history *h = b->history;
  uint32_t kept = 0;
  bool needed = true;
  for (uint32_t i = 0; i < h->count; i++) {
    struct event e = h->events[i];
    node who = race_records[e.record].who;
    const struct node_info *info = &race_nodes[who];
    bool stays = true;
    if (who == now.who) {                     /* the same code under the same locks */
      if ((int)e.kind >= kind && !race_in_parallel(who)) needed = false;
      else if ((int)e.kind <= kind) stays = false;
    } else if (race_in_parallel(who)) {
      bool race = (e.kind | (uint32_t)kind) && race_between(info, now.info);
      if (race) found(e.record, r);
      if ((int)e.kind >= kind && covers(info, now.info)) needed = false;
      else if (race && (int)e.kind <= kind) stays = false;      /* this place is known to be racy: one of both will do */
    } else if ((int)e.kind <= kind && gives_way(info, now.info)) stays = false;
    if (stays) h->events[kept++] = e;
  }
  h->count = kept;
  if (needed) push(b, r, (uint32_t)kind);
  h = b->history;
  int32_t w = 0, rd = 0;                       /* back into a slot, where it fits */
  for (uint32_t i = 0; i < h->count; i++) {
    int32_t *to = h->events[i].kind ? &w : &rd;
    if (*to) return;
    *to = h->events[i].record;
  }
  free(h);
  b->history = NULL;
  b->slot = (struct slot){w, rd};
}

static inline void access_byte(struct byte *b, int32_t r, int kind)
{
  if (b->history) { add(b, r, kind); return; }
  if (b->slot.writer >= cilk_race_first || (!kind && b->slot.reader >= cilk_race_first)) return;
  if (!settle(&b->slot, r, kind)) add(b, r, kind);
}

/* ---- cells ---- */

static struct extension *extend(struct slot *c)
{
  int32_t x = free_extension;
  if (x) free_extension = extensions[x].next_free;
  else {
    if ((uint64_t)extension_count == most_extensions) race_die("out of memory");
    x = extension_count++;
  }
  extensions_in_use++;
  struct extension *e = &extensions[x];
  for (int i = 0; i < 4; i++) e->bytes[i] = (struct byte){*c, NULL};
  *c = (struct slot){0, -x};
  return e;
}

static void drop(struct slot *c)
{
  struct extension *e = &extensions[-c->reader];
  for (int i = 0; i < 4; i++) { free(e->bytes[i].history); e->bytes[i].history = NULL; }
  e->next_free = free_extension;
  free_extension = -c->reader;
  extensions_in_use--;
}

static __attribute__((noinline)) void access_bytes(struct slot *c, unsigned from, unsigned to, int32_t r, int kind)
{
  struct extension *e = c->reader < 0 ? &extensions[-c->reader] : extend(c);
  const char *begin = place - from;
  place_size = 1;
  for (unsigned i = from; i < to; i++) {
    place = begin + i;
    access_byte(&e->bytes[i], r, kind);
  }
  place_size = 4;
  struct byte *b = e->bytes;
  for (unsigned i = 0; i < 4; i++)
    if (b[i].history || b[i].slot.writer != b[0].slot.writer || b[i].slot.reader != b[0].slot.reader) return;
  struct slot all = b[0].slot;
  drop(c);
  *c = all;
}

/* All 4 bytes. */
static inline void access_cell(struct slot *c, int32_t r, int kind)
{
  if (c->writer >= cilk_race_first || (!kind && c->reader >= cilk_race_first)) return;
  if (c->reader < 0 || !settle(c, r, kind)) access_bytes(c, 0, 4, r, kind);
}

void race_access(const void *p, size_t n, site *at, int kind)
{
  if (!n || !at) return;
  int32_t r = record_of(at, kind);
  uintptr_t a = (uintptr_t)p, end = a + n;
  struct slot *c = cell_of(a);
  if (a & 3 || n < 4) {
    unsigned from = a & 3, to = from + n < 4 ? from + (unsigned)n : 4;
    place = (const char *)a;
    if (!(c->writer >= cilk_race_first || (!kind && c->reader >= cilk_race_first))) access_bytes(c, from, to, r, kind);
    a += to - from;
    c++;
  }
  for (; end - a >= 4; a += 4, c++) {
    place = (const char *)a;
    access_cell(c, r, kind);
  }
  if (a < end) {
    place = (const char *)a;
    if (!(c->writer >= cilk_race_first || (!kind && c->reader >= cilk_race_first))) access_bytes(c, 0, (unsigned)(end - a), r, kind);
  }
}

void cilk_race_read(const void *p, size_t n, site *at) { race_access(p, n, at, CILK_RACE_READ); }
void cilk_race_write(const void *p, size_t n, site *at) { race_access(p, n, at, CILK_RACE_WRITE); }

void cilk_race_read4(const void *p, site *at)
{
  place = p;
  access_cell(cell_of((uintptr_t)p), record_of(at, CILK_RACE_READ), CILK_RACE_READ);
}
void cilk_race_write4(const void *p, site *at)
{
  place = p;
  access_cell(cell_of((uintptr_t)p), record_of(at, CILK_RACE_WRITE), CILK_RACE_WRITE);
}
void cilk_race_read8(const void *p, site *at)
{
  int32_t r = record_of(at, CILK_RACE_READ);
  struct slot *c = cell_of((uintptr_t)p);
  place = p;
  access_cell(c, r, CILK_RACE_READ);
  place = (const char *)p + 4;
  access_cell(c + 1, r, CILK_RACE_READ);
}
void cilk_race_write8(const void *p, site *at)
{
  int32_t r = record_of(at, CILK_RACE_WRITE);
  struct slot *c = cell_of((uintptr_t)p);
  place = p;
  access_cell(c, r, CILK_RACE_WRITE);
  place = (const char *)p + 4;
  access_cell(c + 1, r, CILK_RACE_WRITE);
}

void cilk_race_atomic(const void *p, size_t n, site *at, int kind)
{
  if (!at) return;
  race_acquire(&race_atomic_lock);
  race_access(p, n, at, kind);
  race_release(&race_atomic_lock);
}

/* ---- memory that begins a new life ---- */

static void clear_cells(struct slot *c, struct slot *end)
{
  if (extensions_in_use)
    for (struct slot *x = c; x < end; x++)
      if (x->reader < 0) drop(x);
  /* Whole pages of shadow go back to the system where that is cheaper than writing zeroes, which would also fetch pages that were never there. */
  const uintptr_t page = 4096, least = 64 * 1024;
  uintptr_t from = ((uintptr_t)c + page - 1) & ~(page - 1), to = (uintptr_t)end & ~(page - 1);
  if (to > from && to - from >= least) {
    memset(c, 0, from - (uintptr_t)c);
    madvise((void *)from, to - from, MADV_DONTNEED);
    memset((void *)to, 0, (uintptr_t)end - to);
  } else memset(c, 0, (size_t)((char *)end - (char *)c));
}

static void clear_bytes(uintptr_t a, uintptr_t end)
{
  struct slot *c = cell_of(a);
  if (c->reader == 0 && c->writer == 0) return;
  struct extension *e = c->reader < 0 ? &extensions[-c->reader] : extend(c);
  for (; a < end; a++) {
    struct byte *b = &e->bytes[a & 3];
    free(b->history);
    *b = (struct byte){{0, 0}, NULL};
  }
}

void race_clear(const void *p, size_t n)
{
  uintptr_t a = (uintptr_t)p, end = a + n, first = (a + 3) & ~(uintptr_t)3, last = end & ~(uintptr_t)3;
  if (first > last) { clear_bytes(a, end); return; }
  if (a < first) clear_bytes(a, first);
  if (first < last) clear_cells(cell_of(first), cell_of(first) + (last - first) / 4);
  if (last < end) clear_bytes(last, end);
}

void cilk_race_fresh(const void *p, size_t n) { race_clear(p, n); }

/* A writer that is later than all strands settles every access. Whole cells: workers' elements are not that small. */
void cilk_race_own(const void *p, size_t n)
{
  uintptr_t a = ((uintptr_t)p + 3) & ~UINT64_C(3), end = (uintptr_t)p + n;
  for (struct slot *c = cell_of(a); a + 4 <= end; a += 4, c++) {
    if (c->reader < 0) drop(c);
    *c = (struct slot){INT32_MAX, 0};
  }
}

uint64_t race_memory_used(void)
{
  return (uint64_t)race_next * sizeof *race_records + (uint64_t)extension_count * sizeof *extensions;
}
