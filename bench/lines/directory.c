/* directory.c - which processor has which line of 64 bytes in its cache, as in a MESI protocol, with caches that never
 * run full.
 *
 * A read is *remote* if it finds the line written by another processor since this processor had it. A write is *remote*
 * if it finds the line with any other processor. The first touch of all counts as local. A line serves one remote touch
 * after the other: a processor that comes while it is on its way queues. */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SLOTS = 1 << 22, LINES = 1 << 20, PLACES = 1 << 14, NOBODY = -1, SHARED = -2 };

typedef struct line {
  uintptr_t number;
  int owner;                              /* the only one that has it, or one of the above */
  uint64_t free_at;
  uint64_t remote, queued_ns;
  uint64_t sharers[LINES_PROCESSORS / 64];   /* valid if SHARED */
} line;

typedef struct place {                    /* in the code */
  const void *where;
  uint64_t remote, queued_ns;
} place;

static uint32_t *slots;                   /* number of the line + 1 */
static line *lines;
static uint32_t used;
static place places[PLACES];
lines_counters lines_count;

static void *pages(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) abort();
  return p;
}

static line *find(uintptr_t number) {
  if (!slots) {
    slots = pages(SLOTS * sizeof *slots);
    lines = pages(LINES * sizeof *lines);
  }
  size_t at = (size_t)(number * 0x9E3779B97F4A7C15u >> 42);
  for (; slots[at]; at = (at + 1) % SLOTS)
    if (lines[slots[at] - 1].number == number) return &lines[slots[at] - 1];
  if (used == LINES) {
    fprintf(stderr, "lines: more than %d lines are touched\n", LINES);
    abort();
  }
  line *l = &lines[used++];
  slots[at] = used;
  l->number = number;
  l->owner = NOBODY;
  return l;
}

static place *place_of(const void *where) {
  size_t at = (size_t)((uintptr_t)where * 0x9E3779B97F4A7C15u >> 50);
  for (size_t tries = 0; places[at].where && places[at].where != where; at = (at + 1) % PLACES)
    if (++tries == PLACES) abort();
  places[at].where = where;
  return &places[at];
}

static bool is_sharer(const line *l, int id) { return l->sharers[id / 64] >> id % 64 & 1; }
static void add_sharer(line *l, int id) { l->sharers[id / 64] |= (uint64_t)1 << id % 64; }

/* Notes which processor has it from now on. */
static bool is_remote(line *l, int me, bool write) {
  if (l->owner == me) return false;
  if (l->owner == NOBODY || write) {
    bool others = l->owner != NOBODY;
    l->owner = me;
    return others;
  }
  if (l->owner != SHARED) {
    for (size_t i = 0; i < sizeof l->sharers / sizeof *l->sharers; i++) l->sharers[i] = 0;
    add_sharer(l, l->owner);
    l->owner = SHARED;
  } else if (is_sharer(l, me)) return false;
  add_sharer(l, me);
  return true;
}

static void touch(uintptr_t number, bool write, const void *where) {
  /* the processor with the least time comes first; from here to the access itself no other runs */
  lines_pass(0);
  processor *me = lines_me;
  line *l = find(number);
  lines_count.accesses++;
  if (!is_remote(l, me->id, write)) {
    me->clock += COST_LOCAL;
    return;
  }
  place *at = place_of(where);
  uint64_t begin = l->free_at > me->clock ? l->free_at : me->clock, queued = begin - me->clock;
  l->free_at = begin + COST_REMOTE;
  lines_count.remote++;
  lines_count.queued_ns += queued;
  me->remote++;
  l->remote++;
  l->queued_ns += queued;
  at->remote++;
  at->queued_ns += queued;
  me->clock += queued + COST_REMOTE;
}

void lines_touch(const volatile void *p, size_t bytes, bool write, const void *where) {
  uintptr_t first = (uintptr_t)p / LINE_BYTES, last = bytes ? ((uintptr_t)p + bytes - 1) / LINE_BYTES : first;
  for (uintptr_t number = first; number <= last; number++) touch(number, write, where);
}

void lines_directory_reset(void) {
  for (uint32_t i = 0; i < used; i++) lines[i].remote = lines[i].queued_ns = 0;
  for (int i = 0; i < PLACES; i++) places[i].remote = places[i].queued_ns = 0;
}

static int by_remote(const void *a, const void *b) {
  const line *x = *(line *const *)a, *y = *(line *const *)b;
  return x->remote < y->remote ? 1 : x->remote > y->remote ? -1 : x->number < y->number ? -1 : 1;
}

/* All places in the code, and the busiest lines. */
void lines_directory_report(void *file) {
  FILE *out = file;
  const char *comma = "";
  fprintf(out, "\"places\": [");
  for (int i = 0; i < PLACES; i++)
    if (places[i].remote) {
      fprintf(out, "%s[%llu, %llu, %llu]", comma, (unsigned long long)(uintptr_t)places[i].where,
          (unsigned long long)places[i].remote, (unsigned long long)places[i].queued_ns);
      comma = ", ";
    }
  fprintf(out, "], \"lines\": [");
  line **sorted = malloc((used + 1) * sizeof *sorted);
  if (!sorted) abort();
  for (uint32_t i = 0; i < used; i++) sorted[i] = &lines[i];
  qsort(sorted, used, sizeof *sorted, by_remote);
  for (uint32_t i = 0; i < used && i < 20 && sorted[i]->remote; i++)
    fprintf(out, "%s[%llu, %llu, %llu]", i ? ", " : "", (unsigned long long)(sorted[i]->number * LINE_BYTES),
        (unsigned long long)sorted[i]->remote, (unsigned long long)sorted[i]->queued_ns);
  fprintf(out, "]");
  free(sorted);
}
