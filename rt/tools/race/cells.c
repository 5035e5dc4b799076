/* cells.c - the writers and readers of each byte: what an access finds in its cells, and what it leaves there.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cells.h"

struct record *race_records;
struct extension *race_extensions;
int32_t race_extensions_in_use;
static int32_t extension_count = 1, free_extension;

const char *race_place;
size_t race_place_size = 4;
bool race_raced;

static const uint64_t most_records = UINT64_C(1) << 31, most_extensions = UINT64_C(1) << 30;

void race_shadow_start(void) {
  race_reserve((CILK_RACE_MASK + 1) * 2, CILK_RACE_SHADOW, "the shadow of memory");
  race_records = race_reserve(most_records * sizeof *race_records, 0, "the records");
  race_extensions = race_reserve(most_extensions * sizeof *race_extensions, 0, "the extensions of cells");
}

/* Code that takes and releases locks changes its node all the time, and comes back to the same ones. */
enum { KNOWN_RECORDS = 1 << 16 };
static int32_t known_records[KNOWN_RECORDS];

static int32_t *known_record(site *at, int kind, node by) {
  uint64_t h = ((uintptr_t)at ^ (uint64_t)by << 32 ^ (uint64_t)kind << 3) * UINT64_C(0x9E3779B97F4A7C15);
  return &known_records[h >> 40 & (KNOWN_RECORDS - 1)];
}

int32_t race_new_record(site *at, int kind) {
  node by = race_node_now();
  int32_t *known = race_nodes[by].locks ? known_record(at, kind, by) : NULL;
  if (known && *known) {
    const struct record *k = &race_records[*known];
    if (k->at == at && k->by == by && k->kind == (uint32_t)kind) return *known;
  }
  if (race_next == INT32_MAX) race_die("the program makes too many accesses in too many strands (2^31 records)");
  int32_t r = race_next++;
  race_records[r] = (struct record){at, by, (uint32_t)kind};
  at->record[kind] = r;
  if (known) *known = r;
  return r;
}

struct verdict race_verdicts[VERDICTS];

void race_judge(struct verdict *v, int32_t earlier) {
  const struct node_info *i = &race_nodes[race_records[earlier].by];
  unsigned under = i->delivery                                                        ? UNDER_OTHERS
                   : !i->locks                                                        ? UNDER_NONE
                   : race_locks_single(i->locks) == race_exclusive(&race_atomic_lock) ? UNDER_ATOMIC
                                                                                      : UNDER_OTHERS;
  *v = (struct verdict){race_order, earlier, (uint16_t)race_relation(race_records[earlier].by), (uint16_t)under};
  if (earlier > race_order_of) race_order_of = earlier;
  if (v->relation == RACE_SERIAL) race_find_past();
}

bool race_is_past(int32_t earlier) {
  node bag = race_root(race_records[earlier].by);
  uint32_t holder = race_nodes[bag].holder;
  return race_nodes[bag].parallel == RACE_SERIAL && holder <= race_state.calls &&
         race_root(race_frames[holder].s) == bag;
}

/* The new access settles with a slot; false: both have to be kept, and nothing was changed. Of two writers that race
 * the earlier one is kept where it covers the later one. So what is parallel to the later one is found, too. The later
 * one takes a reader's place if that is free: it races with later writers, too. */
static inline bool settle(struct slot *s, struct access *x) {
  int32_t w = s->writer, rd = s->reader, kept = 0;
  bool calm = true; /* the writer, if there is one, came before */
  bool covered = false; /* the writer stands for the new access */
  if (w && is_parallel(w)) {
    calm = false;
    covered = x->kind && covers(relation_of(w), info_of(w), x->info);
    if (race_between(info_of(w), x->info)) report_pair(w, x);
    else if (x->kind) return covered && (!rd || !is_parallel(rd) || !race_between(info_of(rd), x->info));
  } else if (w && x->kind && !may_be_forgotten(w, x)) return false;
  if (rd) {
    if (is_parallel(rd)) {
      const struct node_info *i = info_of(rd);
      if (!x->kind) {
        if (!covers(relation_of(rd), i, x->info)) return false;
        if (calm && own_code(i) && !i->locks) note_harmless(x->at, s);
        return true;
      }
      bool race = race_between(i, x->info);
      if (race) report_pair(rd, x);
      if (!race || (relation_of(rd) == RACE_PARALLEL && own_code(i) && !i->locks)) kept = rd;
    } else if (!may_be_forgotten(rd, x)) return !x->kind && includes(info_of(rd), x->info);
  }
  if (x->kind && !covered) *s = (struct slot){recorded(x), kept};
  else if (!kept) s->reader = recorded(x);
  return true;
}

static inline void access_byte(struct byte *b, struct access *x) {
  if (b->history) {
    race_history_add(b, x);
    return;
  }
  if (is_known(&b->slot, x->kind)) return;
  if (!settle(&b->slot, x)) race_history_add(b, x);
}

/* ---- cells ---- */

static struct extension *extend(struct slot *c) {
  int32_t x = free_extension;
  if (x) free_extension = race_extensions[x].next_free;
  else {
    if ((uint64_t)extension_count == most_extensions) race_die("out of memory");
    x = extension_count++;
  }
  race_extensions_in_use++;
  struct extension *e = &race_extensions[x];
  e->bytes[0] = (struct byte){*c, NULL};
  e->whole = true;
  *c = (struct slot){0, -x};
  return e;
}

/* From here on the bytes differ. */
static void split(struct extension *e) {
  const struct byte *all = &e->bytes[0];
  const struct history *h = all->history;
  e->whole = false;
  for (int i = 1; i < 4; i++) {
    e->bytes[i] = (struct byte){all->slot, NULL};
    if (!h) continue;
    size_t n = sizeof *h + h->room * sizeof *h->events;
    if (!(e->bytes[i].history = malloc(n))) race_die("out of memory");
    memcpy(e->bytes[i].history, h, n);
  }
}

static void drop(struct slot *c) {
  struct extension *e = &race_extensions[-c->reader];
  for (int i = 0; i < (e->whole ? 1 : 4); i++) free(e->bytes[i].history);
  e->next_free = free_extension;
  free_extension = -c->reader;
  race_extensions_in_use--;
}

void race_access_bytes(struct slot *c, unsigned from, unsigned to, struct access *x) {
  struct extension *e = c->reader < 0 ? &race_extensions[-c->reader] : extend(c);
  const char *begin = race_place - from;
  if (e->whole && to - from == 4) {
    access_byte(&e->bytes[0], x);
    if (e->bytes[0].history) return;
    struct slot all = e->bytes[0].slot;
    drop(c);
    *c = all;
    return;
  }
  if (e->whole) split(e);
  race_place_size = 1;
  for (unsigned i = from; i < to; i++) {
    race_place = begin + i;
    access_byte(&e->bytes[i], x);
  }
  race_place_size = 4;
  struct byte *b = e->bytes;
  for (unsigned i = 0; i < 4; i++)
    if (b[i].history || b[i].slot.writer != b[0].slot.writer || b[i].slot.reader != b[0].slot.reader) return;
  struct slot all = b[0].slot;
  drop(c);
  *c = all;
}

/* All 4 bytes. */
void race_access_cell(struct slot *c, struct access *x) {
  if (!is_known(c, x->kind) && (c->reader < 0 || !settle(c, x))) race_access_bytes(c, 0, 4, x);
}

/* Where the next cells are, in fours or eights, that have to be looked at; or are not the same slot, which becomes
 * another one. */
static inline struct slot *over_known(struct slot *c, struct slot *end, int kind) {
  int64_t first = race_first();
  for (; end - c >= 4; c += 4) {
    int64_t old = 0; /* negative: one of them is */
    for (int i = 0; i < 4; i++) old |= kind ? c[i].writer - first : (c[i].writer - first) & (c[i].reader - first);
    if (old < 0) break;
  }
  return c;
}

static __attribute__((noinline)) struct slot *over_same(struct slot *c, struct slot *end, uint64_t before,
    uint64_t after) {
  typedef uint64_t two __attribute__((vector_size(16), aligned(8), may_alias));
  const two old = {before, before}, new = {after, after};
  for (; end - c >= 8; c += 8) {
    two *v = (two *)c, differ = (v[0] ^ old) | (v[1] ^ old) | (v[2] ^ old) | (v[3] ^ old);
    if (differ[0] | differ[1]) break;
    if (before != after) v[0] = v[1] = v[2] = v[3] = new;
  }
  return c;
}

/* So many whole cells from `a` on. Neighbours are often of one fate. */
void race_access_cells(uintptr_t a, size_t n, struct access *x) {
  struct slot *c = cell_of(a), *end = c + n;
  uint64_t before = 0, after = 0, slot; /* what a slot was, and became */
  bool known = false;
  while (c < end) {
    memcpy(&slot, c, sizeof slot);
    if (known && slot == before) {
      memcpy(c++, &after, sizeof after);
      if (end - c >= 8) c = over_same(c, end, before, after);
      continue;
    }
    if (is_known(c, x->kind)) {
      c = over_known(c + 1, end, x->kind);
      continue;
    }
    race_place = (const char *)a + 4 * (c - (end - n));
    bool had = race_raced;
    race_raced = false;
    if (c->reader < 0 || !settle(c, x)) {
      race_access_bytes(c, 0, 4, x);
      known = false;
    } else if ((known = !race_raced)) {
      before = slot;
      memcpy(&after, c, sizeof after);
    }
    race_raced |= had;
    c++;
  }
}

/* ---- memory that begins a new life ---- */

void race_clear_cells(struct slot *c, struct slot *end) {
  if (race_extensions_in_use)
    for (struct slot *x = c; x < end; x++)
      if (x->reader < 0) drop(x);
  /* Whole pages of shadow go back to the system where that is cheaper than writing zeroes, which would also fetch pages
   * that were never there. */
  const uintptr_t page = 4096, least = 64 * 1024;
  uintptr_t from = ((uintptr_t)c + page - 1) & ~(page - 1), to = (uintptr_t)end & ~(page - 1);
  if (to > from && to - from >= least) {
    memset(c, 0, from - (uintptr_t)c);
    madvise((void *)from, to - from, MADV_DONTNEED);
    memset((void *)to, 0, (uintptr_t)end - to);
  } else memset(c, 0, (size_t)((char *)end - (char *)c));
}

void race_clear_bytes(uintptr_t a, uintptr_t end) {
  struct slot *c = cell_of(a);
  if (c->reader == 0 && c->writer == 0) return;
  struct extension *e = c->reader < 0 ? &race_extensions[-c->reader] : extend(c);
  if (e->whole) split(e);
  for (; a < end; a++) {
    struct byte *b = &e->bytes[a & 3];
    free(b->history);
    *b = (struct byte){{0, 0}, NULL};
  }
}

/* A writer that is later than all strands settles every access. Whole cells: workers' elements are not that small. */
bool race_is_own(uintptr_t p) { return cell_of(p)->writer == INT32_MAX; }
void cilk_race_own(const void *p, size_t n) {
  uintptr_t a = ((uintptr_t)p + 3) & ~UINT64_C(3), end = (uintptr_t)p + n;
  for (struct slot *c = cell_of(a); a + 4 <= end; a += 4, c++) {
    if (c->reader < 0) drop(c);
    *c = (struct slot){INT32_MAX, 0};
  }
}

uint64_t race_memory_used(void) {
  return (uint64_t)race_next * sizeof *race_records + (uint64_t)extension_count * sizeof *race_extensions +
         race_bags_memory() + race_futures_memory();
}

/* ---- for collections (collect.c) ---- */

void race_extension_records(int32_t extension, void (*visit)(int32_t *)) {
  struct extension *e = &race_extensions[extension];
  for (int i = 0; i < (e->whole ? 1 : 4); i++) {
    struct byte *b = &e->bytes[i];
    if (b->history)
      for (uint32_t k = 0; k < b->history->count; k++) visit(&b->history->events[k].record);
    else {
      if (b->slot.writer) visit(&b->slot.writer);
      if (b->slot.reader) visit(&b->slot.reader);
    }
  }
}

void race_forget_records(void) {
  memset(race_verdicts, 0, sizeof race_verdicts);
  memset(known_records, 0, sizeof known_records);
}
