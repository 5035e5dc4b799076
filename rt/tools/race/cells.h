/* cells.h - the cells of shadow memory and the rules by which accesses stay in them: shared by cells.c, history.c and
 * shadow.c.
 *
 * A slot holds the number of the record of one writer and of one reader, 0 for none. Which ones may be forgotten:
 *
 *   An access e1 gives way to a later e2 of at least its kind if e1 precedes e2: what comes after and is parallel to e1
 *   is parallel to e2 as well. The later one must hold no lock that e1 did not hold; and what e1 would race with must
 *   not be atomic with e2. The latter only happens where e2 is a delivery, for other code of its owner. An instance's
 *   own code is never parallel to a later delivery into the instance. The code precedes the child of that delivery, or
 *   is atomic with the delivery. The same reasoning the other way round: an access e2 need not be kept beside an
 *   earlier, parallel e1 of at least its kind. It holds no lock that e2 does not hold, and is no delivery, or one
 *   into the same instance. What makes e1 precede something later must be a sync, which makes e2 precede that as well.
 *   That is not so for the child of a future, which a procedure may touch alone.
 *
 * Where neither holds, all accesses that still count are kept in a history. That needs deliveries, locks or atomics;
 * plain code lives in slots.
 *
 * Two accesses that race follow the same rules, so what races with one that is left out is found, too. But there may be
 * many accesses under locks, deliveries and futures that race with each other. Of two such, only the later one is kept.
 *
 * `race_verdicts` remembers which earlier records are parallel to the running code. It is valid as long as the *order*
 * of what was recorded does not change (bags.c), over spawns and returns.
 *
 * A cell is one slot for 4 bytes. When the accesses to its bytes differ, or need a history, it becomes a negative
 * number: an extension with a slot for each byte, of which the first stands for all as long as they do not differ
 * (`whole`).
 */
#ifndef CILK_RACE_CELLS_H
#define CILK_RACE_CELLS_H
#include <string.h>
#include "race.h"

#pragma GCC visibility push(hidden)

struct slot {
  int32_t writer, reader;
};                          /* reader < 0, of a cell: -number of an extension */

struct event {
  int32_t record;
  uint32_t kind, locks;
};
/* The first `bare` events were made without locks; common: the locks under which all others were. closed: the next ones
 * were gathered when there were this many events; looked: for none, in the order looked_in. */
struct history {
  uint32_t count, room, bare, common, closed, looked, looked_in;
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

extern struct extension *race_extensions;
extern int32_t race_extensions_in_use;

static inline struct slot *cell_of(uintptr_t p) {
  return (struct slot *)(((p & CILK_RACE_MASK & ~UINT64_C(3)) << 1) | CILK_RACE_SHADOW);
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
int32_t race_new_record(site *at, int kind);
static inline int32_t recorded(struct access *x) {
  if (!x->record) {
    x->record = race_new_record(x->at, x->kind);
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
/* The same of an earlier one of the same instance: what is parallel to the one is parallel to the other. */
static inline bool includes(const struct node_info *earlier, const struct node_info *later) {
  return earlier->owner == later->owner && own_code(earlier) && own_code(later) &&
         race_locks_within(earlier->locks, later->locks);
}
static inline bool race_between(const struct node_info *earlier, const struct node_info *later) {
  return earlier->owner != later->owner && !race_locks_meet(earlier->locks, later->locks);
}

extern const char *race_place; /* what is being looked at: a byte, or the bytes of a cell */
extern size_t race_place_size;

extern bool race_raced; /* something was found since this was cleared */

static inline void report_pair(int32_t earlier, struct access *x) {
  race_raced = true;
  int32_t later = recorded(x);
  race_found(RACE_DATA, race_place, race_place_size, &race_records[earlier], &race_records[later]);
}

/* Is an earlier record parallel to the code that runs now? under: an instance's own code made it, with no locks, or
 * under that of atomic accesses alone. */
enum { VERDICTS = 4096 };
enum { UNDER_NONE = 1, UNDER_ATOMIC, UNDER_OTHERS };
extern struct verdict {
  uint64_t order;
  int32_t record;
  uint16_t relation, under;
} race_verdicts[VERDICTS];

static inline struct verdict *verdict_on(int32_t earlier) { return &race_verdicts[earlier & (VERDICTS - 1)]; }

void race_judge(struct verdict *v, int32_t earlier);

static inline int relation_of(int32_t earlier) {
  if (earlier < race_state.past) return RACE_SERIAL;
  struct verdict *v = verdict_on(earlier);
  if (v->record != earlier || v->order != race_order) race_judge(v, earlier);
  return v->relation;
}
static inline bool is_parallel(int32_t earlier) { return relation_of(earlier) != RACE_SERIAL; }
static inline const struct node_info *info_of(int32_t record) { return &race_nodes[race_records[record].by]; }

/* The same, of what is known already; false: it is not known, or not so. While all is looked at, nothing is known. */
static inline bool known_serial(int32_t earlier) {
  if (earlier < race_state.known_past) return true;
  const struct verdict *v = verdict_on(earlier);
  return v->record == earlier && v->order == cilk_race_order && v->relation == RACE_SERIAL;
}
static inline bool known_parallel(int32_t earlier, unsigned under) {
  const struct verdict *v = verdict_on(earlier);
  return v->record == earlier && v->order == cilk_race_order && v->relation == RACE_PARALLEL && v->under <= under;
}

bool race_is_past(int32_t earlier); /* it precedes all that the program will still do, whatever its locks */
static inline bool may_be_forgotten(int32_t earlier, const struct access *later) {
  return earlier < race_state.past || gives_way(info_of(earlier), later->info) || race_is_past(earlier);
}

static inline void note_harmless(site *at, const struct slot *s) {
  memcpy(&at->harmless, s, sizeof *s);
  at->order = race_order;
}

/* Is there nothing to be found or kept, since the same strand made such an access before? */
static inline bool is_known(const struct slot *s, int kind) {
  return s->writer >= race_first() || (!kind && s->reader >= race_first());
}

/* history.c */
void race_history_add(struct byte *b, struct access *x);
bool race_settled_by_locks(const struct history *h, int kind);

/* cells.c: some bytes of a cell, or all of it, at race_place; so many whole cells from `a` on */
void race_access_bytes(struct slot *c, unsigned from, unsigned to, struct access *x);
void race_clear_bytes(uintptr_t a, uintptr_t end), race_clear_cells(struct slot *c, struct slot *end);
void race_access_cell(struct slot *c, struct access *x), race_access_cells(uintptr_t a, size_t n, struct access *x);

#pragma GCC visibility pop
#endif
