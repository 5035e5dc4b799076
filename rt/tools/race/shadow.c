/* shadow.c - the writers and readers of each byte, and what is a race.
 *
 * A slot holds the number of the record of one writer and of one reader, 0 for none. Which ones may be forgotten:
 *
 *   An access e1 gives way to a later e2 of at least its kind if e1 precedes e2: what comes after and is parallel to e1
 *   is parallel to e2 as well. The later one must hold no lock that e1 did not hold; and what e1 would race with must
 *   not be atomic with e2. The latter only happens where e2 is a delivery, for other code of its owner. An instance's
 *   own code is never parallel to a later delivery into the instance. The code precedes the child of that delivery, or
 *   is atomic with the delivery. The same reasoning the other way round: an access e2 need not be kept beside an
 *   earlier, parallel e1 of at least its kind. Then e1 holds no lock that e2 does not hold, and is no delivery, or one
 *   into the same instance. What makes e1 precede something later must be a sync, which makes e2 precede that as well.
 *   That is not so for the child of a future, which a procedure may touch alone.
 *
 * Where neither holds, all accesses that still count are kept in a history. That needs deliveries, locks or atomics;
 * plain code lives in slots.
 *
 * Two accesses that race follow the same rules, so what races with one that is left out is found, too. But there may be
 * many accesses under locks, deliveries and futures that race with each other. Of two such, only the later one is kept.
 *
 * Most accesses repeat what is known, and are not even recorded: a record is made when it has to be put somewhere.
 * `verdicts` remembers which earlier records are parallel to the running code. Each site remembers the last slot whose
 * reader stands for its own (`harmless`), which the test in line asks, too. Both are valid as long as the *order* of
 * what was recorded does not change (bags.c), over spawns and returns. `seen` has the ranges that the same code looked
 * at without finding anything, for an *epoch*. And within a range, neighbours with the same slot have the same fate.
 *
 * A cell is one slot for 4 bytes. When the accesses to its bytes differ, or need a history, it becomes a negative
 * number: an extension with a slot for each byte, of which the first stands for all as long as they do not differ
 * (`whole`).
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "race.h"

struct slot {
  int32_t writer, reader;
};                          /* reader < 0, of a cell: -number of an extension */

struct event {
  int32_t record;
  uint32_t kind, locks;
};
/* The first `bare` events were made without locks; common: the locks under which all others were. closed: enough() says
 * so of this many events. */
struct history {
  uint32_t count, room, bare, common, closed;
  uint32_t settled; /* of this many events settled_by_locks() holds: 0 none */
  uint32_t settled_kind, parallel_in, serial_in;
  uint64_t parallel_since, serial_since;
  race_hold lock;
  struct event events[];
};
struct byte {
  struct slot slot;
  struct history *history;
}; /* history: then the slot is not used */
struct extension {
  struct byte bytes[4];
  int32_t next_free;
  bool whole;
};

struct record *race_records;
static struct extension *extensions;
static int32_t extension_count = 1, free_extension, extensions_in_use;

static const uint64_t most_records = UINT64_C(1) << 31, most_extensions = UINT64_C(1) << 30;

void race_shadow_start(void) {
  race_reserve((CILK_RACE_MASK + 1) * 2, CILK_RACE_SHADOW, "the shadow of memory");
  race_records = race_reserve(most_records * sizeof *race_records, 0, "the records");
  extensions = race_reserve(most_extensions * sizeof *extensions, 0, "the extensions of cells");
}

static inline struct slot *cell_of(uintptr_t p) {
  return (struct slot *)(((p & CILK_RACE_MASK & ~UINT64_C(3)) << 1) | CILK_RACE_SHADOW);
}

/* Code that takes and releases locks changes its node all the time, and comes back to the same ones. */
enum { KNOWN_RECORDS = 1 << 16 };
static int32_t known_records[KNOWN_RECORDS];

static int32_t *known_record(site *at, int kind, node by) {
  uint64_t h = ((uintptr_t)at ^ (uint64_t)by << 32 ^ (uint64_t)kind << 3) * UINT64_C(0x9E3779B97F4A7C15);
  return &known_records[h >> 40 & (KNOWN_RECORDS - 1)];
}

static __attribute__((noinline)) int32_t new_record(site *at, int kind) {
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

/* An access that is made now. by: its node, 0: not made yet, and `info` says what it would be. */
struct access {
  site *at;
  int kind;
  int32_t record;
  node by;
  const struct node_info *info;
};

static inline struct access access_of(site *at, int kind) {
  int32_t r = at->record[kind];
  struct access x = {.at = at, .kind = kind, .record = r >= race_first() ? r : 0};
  x.info = race_info_now(&x.by);
  return x;
}
static inline int32_t recorded(struct access *x) {
  if (!x->record) {
    x->record = new_record(x->at, x->kind);
    x->by = race_records[x->record].by;
    x->info = &race_nodes[x->by];
  }
  return x->record;
}

/* ---- rules ---- */

static inline bool own_code(const struct node_info *i) { return !i->delivery; }

/* May the earlier access be forgotten for the sake of the later one, which it precedes? */
static inline bool gives_way(const struct node_info *earlier, const struct node_info *later) {
  if (!later->locks && own_code(later)) return true;
  if (later->alone) return false; /* what precedes it here may be parallel to what it precedes */
  return (own_code(later) || earlier->owner == later->owner) && race_locks_within(later->locks, earlier->locks);
}
/* Is a later, parallel access of no higher kind of no interest beside the earlier one? */
static inline bool covers(int relation, const struct node_info *earlier, const struct node_info *later) {
  return relation == RACE_PARALLEL && (own_code(earlier) || earlier->owner == later->owner) &&
         race_locks_within(earlier->locks, later->locks);
}
static inline bool race_between(const struct node_info *earlier, const struct node_info *later) {
  return earlier->owner != later->owner && !race_locks_meet(earlier->locks, later->locks);
}

static const char *place; /* what is being looked at: a byte, or the bytes of a cell */
static size_t place_size = 4;

static bool raced; /* something was found since this was cleared */

static inline void report_pair(int32_t earlier, struct access *x) {
  raced = true;
  int32_t later = recorded(x);
  race_found(RACE_DATA, place, place_size, &race_records[earlier], &race_records[later]);
}

/* Is an earlier record parallel to the code that runs now? under: an instance's own code made it, with no locks, or
 * under that of atomic accesses alone. */
enum { VERDICTS = 4096 };
enum { UNDER_NONE = 1, UNDER_ATOMIC, UNDER_OTHERS };
static struct verdict {
  uint64_t order;
  int32_t record;
  uint16_t relation, under;
} verdicts[VERDICTS];

static inline struct verdict *verdict_on(int32_t earlier) { return &verdicts[earlier & (VERDICTS - 1)]; }

static __attribute__((noinline)) void judge(struct verdict *v, int32_t earlier) {
  const struct node_info *i = &race_nodes[race_records[earlier].by];
  unsigned under = i->delivery                                                        ? UNDER_OTHERS
                   : !i->locks                                                        ? UNDER_NONE
                   : race_locks_single(i->locks) == race_exclusive(&race_atomic_lock) ? UNDER_ATOMIC
                                                                                      : UNDER_OTHERS;
  *v = (struct verdict){race_order, earlier, (uint16_t)race_relation(race_records[earlier].by), (uint16_t)under};
  if (earlier > race_order_of) race_order_of = earlier;
}

static inline int relation_of(int32_t earlier) {
  struct verdict *v = verdict_on(earlier);
  if (v->record != earlier || v->order != race_order) judge(v, earlier);
  return v->relation;
}
static inline bool is_parallel(int32_t earlier) { return relation_of(earlier) != RACE_SERIAL; }
static inline const struct node_info *info_of(int32_t record) { return &race_nodes[race_records[record].by]; }

/* The same, of what is known already; false: it is not known, or not so. While all is looked at, nothing is known. */
static inline bool known_serial(int32_t earlier) {
  const struct verdict *v = verdict_on(earlier);
  return v->record == earlier && v->order == cilk_race_order && v->relation == RACE_SERIAL;
}
static inline bool known_parallel(int32_t earlier, unsigned under) {
  const struct verdict *v = verdict_on(earlier);
  return v->record == earlier && v->order == cilk_race_order && v->relation == RACE_PARALLEL && v->under <= under;
}

/* Ranges that this code has looked at, and nothing was found. */
enum { SEEN = 8192 };
static struct seen {
  uintptr_t at;
  uint32_t epoch, size_and_kind;
} seen[SEEN];
static uintptr_t seen_low, seen_high; /* where they lie, of all epochs with this base */
static uint32_t seen_base;

static inline struct seen *seen_at(uintptr_t a) { return &seen[(a ^ a >> 15) >> 2 & (SEEN - 1)]; }
static inline bool was_seen(uintptr_t a, size_t n, int kind) {
  const struct seen *s = seen_at(a);
  return s->at == a && s->epoch == race_epoch() && s->size_and_kind >> 1 == n && (int)(s->size_and_kind & 1) >= kind;
}
static inline void note_seen(uintptr_t a, size_t n, int kind) {
  if (n >> 31) return;
  if (seen_base != race_base_epoch()) {
    seen_base = race_base_epoch();
    seen_low = UINTPTR_MAX;
    seen_high = 0;
  }
  if (a < seen_low) seen_low = a;
  if (a + n > seen_high) seen_high = a + n;
  *seen_at(a) = (struct seen){a, race_epoch(), (uint32_t)n << 1 | (uint32_t)kind};
}

/* It precedes all that the program will still do, whatever its locks. */
static bool is_past(int32_t earlier) {
  node bag = race_root(race_records[earlier].by);
  uint32_t holder = race_nodes[bag].holder;
  return race_nodes[bag].parallel == RACE_SERIAL && holder <= race_state.calls &&
         race_root(race_frames[holder].s) == bag;
}

void race_forget(void) {
  memset(verdicts, 0, sizeof verdicts);
  memset(seen, 0, sizeof seen);
}

static inline void note_harmless(site *at, const struct slot *s) {
  memcpy(&at->harmless, s, sizeof *s);
  at->order = race_order;
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
  } else if (w && x->kind && !gives_way(info_of(w), x->info)) {
    if (!is_past(w)) return false;
    w = 0;
  }
  if (rd) {
    const struct node_info *i = info_of(rd);
    if (is_parallel(rd)) {
      if (!x->kind) {
        if (!covers(relation_of(rd), i, x->info)) return false;
        if (calm && own_code(i) && !i->locks) note_harmless(x->at, s);
        return true;
      }
      if (!race_between(i, x->info)) return false;
      report_pair(rd, x);
      if (relation_of(rd) == RACE_PARALLEL && own_code(i) && !i->locks) kept = rd;
    } else if (!gives_way(i, x->info) && !is_past(rd)) return false;
  }
  if (x->kind && !covered) *s = (struct slot){recorded(x), kept};
  else if (!kept) s->reader = recorded(x);
  return true;
}

/* ---- histories ---- */

static void push(struct byte *b, int32_t record, uint32_t kind) {
  struct history *h = b->history;
  if (!h || h->count == h->room) {
    uint32_t room = h ? 2 * h->room : 4;
    struct history *n = realloc(h, sizeof *h + room * sizeof *h->events);
    if (!n) race_die("out of memory");
    if (!h) n->count = n->bare = n->common = n->closed = 0;
    n->room = room;
    b->history = h = n;
  }
  h->settled = 0;
  uint32_t locks = race_nodes[race_records[record].by].locks;
  struct event e = {record, kind, locks};
  if (locks) {
    h->common = h->count > h->bare ? race_locks_both(h->common, locks) : locks;
    h->events[h->count++] = e;
    return;
  }
  h->events[h->count++] = h->events[h->bare];
  h->events[h->bare++] = e;
}

/* ENOUGH events after the bare ones had, but for the common locks, no lock with each other. Take a strand that holds
 * none of the common ones, and fewer than ENOUGH locks. Such a strand meets at least one of these events with no lock
 * in common. So if these events are parallel to a further access under all common locks, and of its kind, that need not
 * be kept. (What is parallel to it is parallel to them.) The same holds for a single event under the common locks
 * alone. It makes histories short where each account is locked together with each other one. */
enum { ENOUGH = 8 };
static bool is_witness(const struct event *e, int kind) {
  node by = race_records[e->record].by;
  return (int)e->kind >= kind && own_code(&race_nodes[by]) && race_relation(by) == RACE_PARALLEL;
}

/* How many events make it, from *first on; 0: it does not hold. */
static uint32_t enough(struct history *h, int kind, const struct event **first) {
  const struct event *e = h->events + h->bare, *end = h->events + h->count;
  *first = e;
  for (; e < end && e < h->events + h->bare + ENOUGH; e++)
    if (e->locks == h->common && is_witness(e, kind)) {
      *first = e;
      return 1;
    }
  e = *first;
  if (end - e < ENOUGH || race_locks_most >= ENOUGH) return 0;
  if (h->closed != h->count) {
    for (int i = 0; i < ENOUGH; i++)
      for (int k = 0; k < i; k++)
        if (race_locks_both(e[i].locks, e[k].locks) != h->common) return 0;
    h->closed = h->count;
  }
  for (int i = 0; i < ENOUGH; i++)
    if (!is_witness(&e[i], kind)) return 0;
  return ENOUGH;
}

/* An access under `lock` to a place where all but the bare events held it, too, the bare ones precede it, and enough()
 * holds: there is nothing to find and nothing to keep. Whether it does is remembered until one of these bags changes:
 * those that lie in the bags of deeper frames do so first, so one frame stands for all. */
static void note_settled(struct history *h, int kind, const struct event *witnesses, uint32_t count) {
  h->lock = race_locks_single(h->common);
  if (!h->lock || race_frame->delivering || race_any_started || race_any_future) return;
  h->parallel_in = h->serial_in = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t in = race_nodes[race_root(race_records[witnesses[i].record].by)].holder;
    if (in > h->parallel_in) h->parallel_in = in;
  }
  for (uint32_t i = 0; i < h->bare; i++) {
    uint32_t in = race_nodes[race_root(race_records[h->events[i].record].by)].holder;
    if (in > h->serial_in) h->serial_in = in;
  }
  h->parallel_since = race_stamped(&race_frames[h->parallel_in], &race_frames[h->parallel_in].poured);
  h->serial_since = race_stamped(&race_frames[h->serial_in], &race_frames[h->serial_in].began);
  h->settled_kind = (uint32_t)kind;
  h->settled = h->count;
}

static inline bool settled_by_locks(const struct history *h, int kind) {
  return h && h->settled && h->settled == h->count && (int)h->settled_kind >= kind &&
         race_frames[h->parallel_in].poured == h->parallel_since &&
         (!h->bare || race_frames[h->serial_in].began == h->serial_since) && race_locks_most < ENOUGH &&
         race_holds(h->lock);
}

/* The same for all bytes of some cells, before anything is made for the access. */
static inline bool settled_cells(uintptr_t a, size_t n, int kind) {
  if (!race_frame->held || race_frame->delivering || (a | n) & 3 || n > 16) return false;
  const struct slot *c = (const struct slot *)(((a & CILK_RACE_MASK) << 1) | CILK_RACE_SHADOW);
  for (size_t i = 0; i < n / 4; i++) {
    const struct extension *e = &extensions[c[i].reader < 0 ? -c[i].reader : 0];
    if (!e->whole || !settled_by_locks(e->bytes[0].history, kind)) return false;
  }
  return true;
}

/* Where a history has an event of a kind under certain locks, if it is known. */
enum { KNOWN_EVENTS = 1 << 15 };
static uint32_t known_events[KNOWN_EVENTS];

/* The same locks were held at an earlier access of this kind, and every other access that may be parallel held one of
 * them, too: nothing can be found, and nothing new is to be kept. */
static inline bool guarded(struct byte *b, struct access *x) {
  struct history *h = b->history;
  const struct node_info *now = x->info;
  int kind = x->kind;
  if (!h->common || !own_code(now) || h->bare > 4 || !race_locks_meet(h->common, now->locks)) return false;
  for (uint32_t i = 0; i < h->bare; i++)
    if (is_parallel(h->events[i].record)) return false;
  const struct event *witnesses;
  uint32_t n = race_locks_within(h->common, now->locks) ? enough(h, kind, &witnesses) : 0;
  if (n) {
    note_settled(h, kind, witnesses, n);
    return true;
  }
  uint32_t *known = &known_events[((uintptr_t)h >> 4 ^ (uint64_t)now->locks * UINT64_C(0x9E3779B1) ^ (uint32_t)kind) &
                                  (KNOWN_EVENTS - 1)],
           i = *known;
  if (i >= h->count || h->events[i].locks != now->locks || (int)h->events[i].kind < kind) {
    for (i = 0; i < h->count && (h->events[i].locks != now->locks || (int)h->events[i].kind < kind); i++);
    if (i == h->count) {
      push(b, recorded(x), (uint32_t)kind);
      *known = b->history->count - 1;
      return true;
    }
    *known = i;
  }
  struct event *e = &h->events[i];
  node by = race_records[e->record].by;
  int relation = race_relation(by);
  if (!own_code(&race_nodes[by]) || relation == RACE_FUTURE) return false;
  if (relation == RACE_SERIAL && (int)e->kind == kind) {
    e->record = recorded(x);
    h->settled = 0;
  }
  return (int)e->kind == kind || relation == RACE_PARALLEL;
}

/* Reads without locks that lie in one bag of a future or a thread have one fate from now on: one of them is enough. A
 * table of the bags of one look at a history. */
enum { ALIKE = 32 };

static bool is_alike(node *table, const struct event *e, const struct node_info *info, node by) {
  if (e->kind || e->locks || !own_code(info)) return false;
  node bag = race_root(by), *known = &table[bag % ALIKE];
  if (*known == bag) return true;
  *known = bag;
  return false;
}

static void add(struct byte *b, struct access *x) {
  if (!b->history) {
    struct slot s = b->slot;
    b->slot = (struct slot){0, 0};
    if (s.writer) push(b, s.writer, CILK_RACE_WRITE);
    if (s.reader) push(b, s.reader, CILK_RACE_READ);
  }
  if (guarded(b, x)) return;
  int kind = x->kind;
  struct history *h = b->history;
  uint32_t kept = 0, bare = h->bare;
  bool needed = true;
  node alike[ALIKE] = {0};
  for (uint32_t i = 0; i < h->count; i++) {
    struct event e = h->events[i];
    node by = race_records[e.record].by;
    const struct node_info *info = &race_nodes[by];
    int relation = race_relation(by);
    bool stays = true;
    if (by == x->by) { /* the same code under the same locks */
      if ((int)e.kind >= kind && relation == RACE_SERIAL) needed = false;
      else if ((int)e.kind <= kind) stays = false;
    } else if (relation != RACE_SERIAL) {
      bool race = (e.kind | (uint32_t)kind) && race_between(info, x->info);
      if (race) report_pair(e.record, x);
      if ((int)e.kind >= kind && covers(relation, info, x->info)) needed = false;
      /* this place is known to be racy: one of both will do */
      else if (race && (int)e.kind <= kind) stays = false;
      else if (relation == RACE_FUTURE && is_alike(alike, &e, info, by)) stays = false;
    } else if ((int)e.kind <= kind && gives_way(info, x->info)) stays = false;
    if (stays) h->events[kept++] = e;
    else if (i < bare) h->bare--;
  }
  h->count = kept;
  h->closed = h->settled = 0;
  if (needed) push(b, recorded(x), (uint32_t)kind);
  h = b->history;
  int32_t w = 0, rd = 0; /* back into a slot, where it fits */
  for (uint32_t i = 0; i < h->count; i++) {
    int32_t *to = h->events[i].kind ? &w : &rd;
    if (*to) return;
    *to = h->events[i].record;
  }
  free(h);
  b->history = NULL;
  b->slot = (struct slot){w, rd};
}

static inline bool is_known(const struct slot *s, int kind) {
  return s->writer >= race_first() || (!kind && s->reader >= race_first());
}

static inline void access_byte(struct byte *b, struct access *x) {
  if (b->history) {
    add(b, x);
    return;
  }
  if (is_known(&b->slot, x->kind)) return;
  if (!settle(&b->slot, x)) add(b, x);
}

/* ---- cells ---- */

static struct extension *extend(struct slot *c) {
  int32_t x = free_extension;
  if (x) free_extension = extensions[x].next_free;
  else {
    if ((uint64_t)extension_count == most_extensions) race_die("out of memory");
    x = extension_count++;
  }
  extensions_in_use++;
  struct extension *e = &extensions[x];
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
  struct extension *e = &extensions[-c->reader];
  for (int i = 0; i < (e->whole ? 1 : 4); i++) free(e->bytes[i].history);
  e->next_free = free_extension;
  free_extension = -c->reader;
  extensions_in_use--;
}

static __attribute__((noinline)) void access_bytes(struct slot *c, unsigned from, unsigned to, struct access *x) {
  struct extension *e = c->reader < 0 ? &extensions[-c->reader] : extend(c);
  const char *begin = place - from;
  if (e->whole && to - from == 4) {
    access_byte(&e->bytes[0], x);
    if (e->bytes[0].history) return;
    struct slot all = e->bytes[0].slot;
    drop(c);
    *c = all;
    return;
  }
  if (e->whole) split(e);
  place_size = 1;
  for (unsigned i = from; i < to; i++) {
    place = begin + i;
    access_byte(&e->bytes[i], x);
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
static inline void access_cell(struct slot *c, struct access *x) {
  if (!is_known(c, x->kind) && (c->reader < 0 || !settle(c, x))) access_bytes(c, 0, 4, x);
}

/* Need none of the cells from c to end be looked at? In vectors of two writers beside their readers. */
typedef int32_t two_cells __attribute__((vector_size(16), aligned(8), may_alias));
static inline two_cells known_cells(const struct slot *c, int kind, int32_t first) {
  two_cells known = *(const two_cells *)c >= first;
  if (!kind) known |= __builtin_shuffle(known, (two_cells){1, 0, 3, 2});
  return known;
}
static inline bool all_known(const struct slot *c, const struct slot *end, int kind, int32_t first) {
  for (; end - c >= 4; c += 4) {
    two_cells known = known_cells(c, kind, first) & known_cells(c + 2, kind, first);
    if (!(known[0] & known[2])) return false;
  }
  for (; c < end; c++)
    if (c->writer < first && (kind || c->reader < first)) return false;
  return true;
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
static inline void access_cells(uintptr_t a, size_t n, struct access *x) {
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
    place = (const char *)a + 4 * (c - (end - n));
    bool had = raced;
    raced = false;
    if (c->reader < 0 || !settle(c, x)) {
      access_bytes(c, 0, 4, x);
      known = false;
    } else if ((known = !raced)) {
      before = slot;
      memcpy(&after, c, sizeof after);
    }
    raced |= had;
    c++;
  }
}

/* Before an access no variable holds numbers of records. */
static inline void collect_if_due(void) {
  if (race_next >= race_collect_at || race_node_count >= race_collect_nodes_at) race_collect();
}

static inline void touch_cells(struct slot *from, struct slot *last) {
  for (uintptr_t g = ((uintptr_t)from - CILK_RACE_SHADOW) / RACE_GRANULE,
                 end = ((uintptr_t)last - CILK_RACE_SHADOW) / RACE_GRANULE;
      g <= end; g++)
    if (!race_touched[g]) race_touch_granule((const char *)CILK_RACE_SHADOW + g * RACE_GRANULE);
}

/* A lock of spins.c may have been taken or released, and a plain write may do it. */
static inline void spins(const void *p, size_t n, int kind) {
  race_spin_settled();
  if (__builtin_expect(kind && race_spins_held, 0)) race_spin_plain(p, n);
}

static void access_range(const void *p, size_t n, site *at, int kind) {
  collect_if_due();
  if (race_watched()) race_results_access(p, n, at, kind);
  uintptr_t a = (uintptr_t)p, end = a + n;
  if (was_seen(a, n, kind) || settled_cells(a, n, kind)) return;
  raced = false;
  struct access x = access_of(at, kind);
  struct slot *c = cell_of(a);
  touch_cells(c, cell_of(end - 1));
  if (a & 3 || n < 4) {
    unsigned from = a & 3, to = from + n < 4 ? from + (unsigned)n : 4;
    place = (const char *)a;
    if (!is_known(c, kind)) access_bytes(c, from, to, &x);
    a += to - from;
    c++;
  }
  access_cells(a, (end - a) / 4, &x);
  c += (end - a) / 4;
  a += (end - a) & ~UINT64_C(3);
  if (a < end) {
    place = (const char *)a;
    if (!is_known(c, kind)) access_bytes(c, 0, (unsigned)(end - a), &x);
  }
  if (!raced) note_seen((uintptr_t)p, n, kind);
}

static inline void check_reduced(const void *p, size_t n, site *at, int kind) {
  if (__builtin_expect((uintptr_t)p < race_reduced_high && (uintptr_t)p + n > race_reduced_low, 0))
    race_reduced_access(p, n, at, kind);
}

/* ---- what is settled by what is known of the records in the cells, without anything of the above ---- */

static inline bool is_reduced(uintptr_t a, size_t n) { return a < race_reduced_high && a + n > race_reduced_low; }

/* A read finds a reader that stands for it, and no parallel writer. */
static inline bool is_stood_for(const struct slot *c) {
  return c->reader > 0 && known_parallel(c->reader, UNDER_NONE) && (!c->writer || known_serial(c->writer));
}
static inline bool same(const struct slot *a, const struct slot *b) {
  return a->writer == b->writer && a->reader == b->reader;
}

/* All that the cell notes came before: an access without locks by an instance's own code may take its place. */
static inline bool follows(const struct slot *c) {
  return c->reader >= 0 && (!c->writer || known_serial(c->writer)) && (!c->reader || known_serial(c->reader));
}
static inline bool quick(uintptr_t a, unsigned n, site *at, int kind) {
  struct slot *c = cell_of(a);
  if (is_reduced(a, n)) return false;
  if (!kind && is_stood_for(c) && (n <= 4 || same(c, c + 1) || is_stood_for(c + 1))) {
    if (at) note_harmless(at, c);
    return true;
  }
  int32_t mine = at ? at->record[kind] : 0;
  if (n < 4 || mine < cilk_race_first || race_frame->held | race_spins_held | race_off || race_outside() ||
      !follows(c) || (n == 8 && !same(c, c + 1) && !follows(c + 1)) ||
      !race_touched[((uintptr_t)c - CILK_RACE_SHADOW) / RACE_GRANULE] ||
      !race_touched[((uintptr_t)(c + 1) - CILK_RACE_SHADOW) / RACE_GRANULE])
    return false;
  for (unsigned i = 0; i < n / 4; i++)
    if (!is_known(&c[i], kind)) c[i] = kind ? (struct slot){mine, 0} : (struct slot){c[i].writer, mine};
  return true;
}

void race_access(const void *p, size_t n, site *at, int kind) {
  if (!n || !at || race_outside() || race_off) return;
  spins(p, n, kind);
  check_reduced(p, n, at, kind);
  access_range(p, n, at, kind);
}

/* As the test in line does; long ranges that come again are remembered. */
static inline bool range_known(uintptr_t a, size_t n, int kind) {
  if (!n) return true;
  bool is_long = n >= 64 && cilk_race_first != INT32_MAX && !race_outside();
  if (is_long && was_seen(a, n, kind)) return true;
  if (!all_known(cell_of(a), cell_of(a + n - 1) + 1, kind, cilk_race_first)) return false;
  if (is_long) note_seen(a, n, kind);
  return true;
}

void cilk_race_read(const void *p, size_t n, site *at) {
  if (range_known((uintptr_t)p, n, CILK_RACE_READ)) return;
  if (((uintptr_t)p & 3) + n <= 4 && n && quick((uintptr_t)p, (unsigned)n, at, CILK_RACE_READ)) return;
  race_access(p, n, at, CILK_RACE_READ);
}
void cilk_race_write(const void *p, size_t n, site *at) {
  if (!range_known((uintptr_t)p, n, CILK_RACE_WRITE)) race_access(p, n, at, CILK_RACE_WRITE);
}

/* An access of 4 or 8 bytes. If the cell does not record that it was read here, `seen` does. */
static inline void small(const void *p, unsigned n, site *at, int kind) {
  if (quick((uintptr_t)p, n, at, kind)) return;
  if (!at || race_outside() || race_off) return;
  spins(p, n, kind);
  check_reduced(p, n, at, kind);
  collect_if_due();
  if (race_watched()) race_results_access(p, n, at, kind);
  uintptr_t a = (uintptr_t)p;
  if (was_seen(a, n, kind) || settled_cells(a, n, kind)) return;
  struct access x = access_of(at, kind);
  struct slot *c = cell_of(a);
  touch_cells(c, c + (n == 8));
  raced = false;
  place = p;
  access_cell(c, &x);
  if (n == 8) {
    place = (const char *)p + 4;
    access_cell(c + 1, &x);
  }
  if (!kind && !raced && c->reader < race_first() && c->writer < race_first()) note_seen(a, n, kind);
}
void cilk_race_read4(const void *p, site *at) { small(p, 4, at, CILK_RACE_READ); }
void cilk_race_write4(const void *p, site *at) { small(p, 4, at, CILK_RACE_WRITE); }
void cilk_race_read8(const void *p, site *at) { small(p, 8, at, CILK_RACE_READ); }
void cilk_race_write8(const void *p, site *at) { small(p, 8, at, CILK_RACE_WRITE); }

static inline void each(const char *p, size_t n, ptrdiff_t step, size_t times, site *at, int kind) {
  for (; times--; p += step) {
    if (range_known((uintptr_t)p, n, kind)) continue;
    if ((n == 4 || n == 8) && !((uintptr_t)p & 3)) small(p, (unsigned)n, at, kind);
    else race_access(p, n, at, kind);
  }
}
void cilk_race_read_each(const void *p, size_t n, ptrdiff_t step, size_t times, site *at) {
  each(p, n, step, times, at, CILK_RACE_READ);
}
void cilk_race_write_each(const void *p, size_t n, ptrdiff_t step, size_t times, site *at) {
  each(p, n, step, times, at, CILK_RACE_WRITE);
}

struct race_taken race_taken;

/* The same of an atomic read; writers may be parallel if they are atomic. */
static inline bool is_stood_for_atomically(const struct slot *c) {
  return c->reader > 0 && known_parallel(c->reader, UNDER_ATOMIC) &&
         (!c->writer || known_serial(c->writer) ||
             (known_parallel(c->writer, UNDER_ATOMIC) && verdict_on(c->writer)->under == UNDER_ATOMIC));
}
static inline bool quick_atomic(uintptr_t a, size_t n, const site *at) {
  const struct slot *c = cell_of(a);
  return (n == 4 || n == 8) && !(a & 3) && !is_reduced(a, n) && at && !(at->use & CILK_RACE_TAKES) &&
         !(race_spins_held | race_spin_pending) && is_stood_for_atomically(c) &&
         (n == 4 || same(c, c + 1) || is_stood_for_atomically(c + 1));
}

bool race_atomic(const void *p, size_t n, site *at, int kind) {
  if (!kind && quick_atomic((uintptr_t)p, n, at)) return false;
  if (!at || race_outside() || race_off) return false;
  race_spin_settled();
  race_acquire(&race_atomic_lock);
  if (n) access_range(p, n, at, kind);
  race_release(&race_atomic_lock);
  race_spin_atomic(p, n, at, kind);
  if (kind) race_atomic_write(p, n, at);
  return kind;
}

void cilk_race_atomic(const void *p, size_t n, site *at, int kind) {
  if (!race_atomic(p, n, at, kind)) return;
  if (race_frame->first) race_nodes[race_frame->first].atomics = true;
  if (at->use & CILK_RACE_TAKES) race_taken.at = at, race_taken.by = race_frame->first;
}

/* ---- memory that begins a new life ---- */

static void clear_cells(struct slot *c, struct slot *end) {
  if (extensions_in_use)
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

static void clear_bytes(uintptr_t a, uintptr_t end) {
  struct slot *c = cell_of(a);
  if (c->reader == 0 && c->writer == 0) return;
  struct extension *e = c->reader < 0 ? &extensions[-c->reader] : extend(c);
  if (e->whole) split(e);
  for (; a < end; a++) {
    struct byte *b = &e->bytes[a & 3];
    free(b->history);
    *b = (struct byte){{0, 0}, NULL};
  }
}

void race_clear(const void *p, size_t n) {
  if (race_outside()) return;
  race_results_cleared(p, n);
  race_atomics_cleared(p, n);
  if (seen_base == race_base_epoch() && (uintptr_t)p < seen_high && (uintptr_t)p + n > seen_low) race_new_epoch();
  uintptr_t a = (uintptr_t)p, end = a + n, first = (a + 3) & ~(uintptr_t)3, last = end & ~(uintptr_t)3;
  if (first > last) {
    clear_bytes(a, end);
    return;
  }
  if (a < first) clear_bytes(a, first);
  if (first < last) clear_cells(cell_of(first), cell_of(first) + (last - first) / 4);
  if (last < end) clear_bytes(last, end);
}

void cilk_race_fresh(const void *p, size_t n) { race_clear(p, n); }

void cilk_race_automatic(void *p, size_t n, site *at) {
  race_clear(p, n);
  if (!race_outside()) race_block_enter(p, n, at, true);
}

void cilk_race_local(const void *p, size_t n, const cilk_race_variable *v) {
  race_clear(p, n);
  race_local_made(p, n, v);
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
  return (uint64_t)race_next * sizeof *race_records + (uint64_t)extension_count * sizeof *extensions +
         race_bags_memory() + race_futures_memory();
}

/* ---- for collections (collect.c) ---- */

void race_extension_records(int32_t extension, void (*visit)(int32_t *)) {
  struct extension *e = &extensions[extension];
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
  memset(verdicts, 0, sizeof verdicts);
  memset(known_records, 0, sizeof known_records);
}
