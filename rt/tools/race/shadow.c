/* shadow.c - what the program's code asks of the shadow: which accesses need no look at all, and what is done for the
 * others.
 *
 * Most accesses repeat what is known, and are not even recorded: a record is made when it has to be put somewhere.
 * Each site remembers the last slot whose reader stands for its own (`harmless`), which the test in line asks, too; it
 * is valid as long as the order does not change, as verdicts are (cells.h). `seen` has the ranges that the same code
 * looked at without finding anything, for an *epoch*. And within a range, neighbours with the same slot have the same
 * fate.
 */
#include <string.h>
#include "cells.h"

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

void race_forget(void) {
  memset(race_verdicts, 0, sizeof race_verdicts);
  memset(seen, 0, sizeof seen);
}

/* The same for all bytes of some cells, before anything is made for the access. */
static inline bool settled_cells(uintptr_t a, size_t n, int kind) {
  if (!race_frame->held || race_frame->delivering || (a | n) & 3 || n > 16) return false;
  const struct slot *c = (const struct slot *)(((a & CILK_RACE_MASK) << 1) | CILK_RACE_SHADOW);
  for (size_t i = 0; i < n / 4; i++) {
    const struct extension *e = &race_extensions[c[i].reader < 0 ? -c[i].reader : 0];
    if (!e->whole || !race_settled_by_locks(e->bytes[0].history, kind)) return false;
  }
  return true;
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
  race_raced = false;
  struct access x = access_of(at, kind);
  struct slot *c = cell_of(a);
  touch_cells(c, cell_of(end - 1));
  if (a & 3 || n < 4) {
    unsigned from = a & 3, to = from + n < 4 ? from + (unsigned)n : 4;
    race_place = (const char *)a;
    if (!is_known(c, kind)) race_access_bytes(c, from, to, &x);
    a += to - from;
    c++;
  }
  race_access_cells(a, (end - a) / 4, &x);
  c += (end - a) / 4;
  a += (end - a) & ~UINT64_C(3);
  if (a < end) {
    race_place = (const char *)a;
    if (!is_known(c, kind)) race_access_bytes(c, 0, (unsigned)(end - a), &x);
  }
  if (!race_raced) note_seen((uintptr_t)p, n, kind);
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
  race_raced = false;
  race_place = p;
  race_access_cell(c, &x);
  if (n == 8) {
    race_place = (const char *)p + 4;
    race_access_cell(c + 1, &x);
  }
  if (!kind && !race_raced && c->reader < race_first() && c->writer < race_first()) note_seen(a, n, kind);
}
void cilk_race_read4(const void *p, site *at) { small(p, 4, at, CILK_RACE_READ); }
void cilk_race_write4(const void *p, site *at) { small(p, 4, at, CILK_RACE_WRITE); }
void cilk_race_read8(const void *p, site *at) { small(p, 8, at, CILK_RACE_READ); }
void cilk_race_write8(const void *p, site *at) { small(p, 8, at, CILK_RACE_WRITE); }

void cilk_race_confined(const void *p, size_t n, site *at, int kind) {
  if (!race_outside() && !race_off && race_watched()) race_results_access(p, n, at, kind);
}

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

/* The same of an atomic access: another atomic one of its kind is parallel, and so are only atomic ones. */
static inline bool is_atomic(int32_t earlier) {
  return known_parallel(earlier, UNDER_ATOMIC) && verdict_on(earlier)->under == UNDER_ATOMIC;
}
static inline bool is_stood_for_atomically(const struct slot *c, int kind) {
  if (c->reader < 0) return false;
  if (kind) return c->writer && is_atomic(c->writer) && (!c->reader || known_serial(c->reader) || is_atomic(c->reader));
  return c->reader && known_parallel(c->reader, UNDER_ATOMIC) &&
         (!c->writer || known_serial(c->writer) || is_atomic(c->writer));
}
static inline bool quick_atomic(uintptr_t a, size_t n, const site *at, int kind) {
  const struct slot *c = cell_of(a);
  return (n == 4 || n == 8) && !(a & 3) && !is_reduced(a, n) && at &&
         (at->use & (CILK_RACE_TAKES | CILK_RACE_NO_LOCK)) != CILK_RACE_TAKES &&
         !(race_spins_held | race_spin_pending) && is_stood_for_atomically(c, kind) &&
         (n == 4 || same(c, c + 1) || is_stood_for_atomically(c + 1, kind));
}

bool race_atomic(const void *p, size_t n, site *at, int kind) {
  if (quick_atomic((uintptr_t)p, n, at, kind) && !race_off) {
    if (kind) race_atomic_write(p, n, at);
    return kind;
  }
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

void race_clear(const void *p, size_t n) {
  if (race_outside()) return;
  race_results_cleared(p, n);
  race_atomics_cleared(p, n);
  race_locks_cleared(p, n);
  if (seen_base == race_base_epoch() && (uintptr_t)p < seen_high && (uintptr_t)p + n > seen_low) race_new_epoch();
  uintptr_t a = (uintptr_t)p, end = a + n, first = (a + 3) & ~(uintptr_t)3, last = end & ~(uintptr_t)3;
  if (first > last) {
    race_clear_bytes(a, end);
    return;
  }
  if (a < first) race_clear_bytes(a, first);
  if (first < last) race_clear_cells(cell_of(first), cell_of(first) + (last - first) / 4);
  if (last < end) race_clear_bytes(last, end);
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

void cilk_race_confined_local(const void *p, size_t n, const cilk_race_variable *v) {
  if (race_outside()) return;
  race_results_cleared(p, n);
  race_local_made(p, n, v);
}
