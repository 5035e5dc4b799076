/* shadow.c - which strands have accessed each place in memory, and whether a new access is parallel to one of them.
 *
 * A cell of 4 bytes names the last writer and the leftmost and the rightmost of the readers that may still be parallel
 * to something. That is enough for dags of spawns and syncs, in whatever order the workers run them: what is parallel
 * to a reader between the two is parallel to one of them (Mellor-Crummey, Supercomputing '91). An access is looked at
 * under the lock of a stripe of memory: of two parallel ones the later one sees the earlier one. A read that lies
 * between two readers needs no lock, since nothing is kept of it.
 *
 * Where bytes of a cell differ, or results were stored whose order does not count, `more` is the number of a list, with
 * an entry for each strand, kind and set of bytes; the other words are 0 then. What one instance's children store may
 * be parallel: such entries have the strand that spawned first (`owner`) and the kind of update, and those that agree
 * in both do not conflict. Of several, and of readers, the leftmost and the rightmost stay, here, too.
 *
 * Memory of the heap counts as written by the strand that allocated it. So an access by a strand that did not get it
 * from there is found, though the block that it meant was freed and its place given to another one.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <sys/mman.h>
#include "strands.h"
#include "rt/tools/race/race.h"

#define OWN UINT32_MAX                   /* a worker's own: no races there */
typedef cilk_strands_cell cell;

/* ---- lists ---- */

struct entry {
  strand by, owner;             /* owner 0: of an access that conflicts with all others, or a read */
  uint32_t update;
  uint8_t bytes;                /* a bit for each */
  bool writes;
};
struct list {
  struct entry *entries;
  uint32_t count, room, next_free;
};
static struct list *lists;
static const uint32_t most_lists = 1u << 28;
enum { LISTS = 256 };
static uint32_t list_count = LISTS;      /* relaxed: lists are only numbered */
/* a thread's own: the next of its group that was never used, and those that are free */
static __thread uint32_t next_list, free_list;

static uint32_t new_list(void) {
  uint32_t n = free_list;
  if (n) free_list = lists[n].next_free;
  else {
    if (next_list % LISTS == 0) next_list = __atomic_fetch_add(&list_count, LISTS, __ATOMIC_RELAXED);
    if (next_list >= most_lists - LISTS) cilk_strands_cannot("so many accesses to single bytes");
    n = next_list++;
  }
  lists[n].count = 0;
  return n;
}
static void drop_list(cell *c) {
  lists[c->more].next_free = free_list;
  free_list = c->more;
  c->more = 0;
}
static void add_entry(struct list *l, struct entry e) {
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 4;
    l->entries = realloc(l->entries, l->room * sizeof *l->entries);
    if (!l->entries) cilk_strands_cannot("so much memory");
  }
  l->entries[l->count++] = e;
}

/* ---- blocks that are too large to be marked cell by cell ---- */

enum { GRANULE_BITS = 14 };             /* of the program's memory */
static strand *born;                    /* of each granule: the strand that allocated what lies there */

static inline cell *cell_of(uintptr_t p) {
  return (cell *)(((p & CILK_STRANDS_MASK & ~UINT64_C(3)) << 2) | CILK_STRANDS_SHADOW);
}
static inline strand *born_of(const cell *c) {
  return &born[((uintptr_t)c - CILK_STRANDS_SHADOW) >> (GRANULE_BITS + 2)];
}

void strands_shadow_start(void) {
  strands_reserve((CILK_STRANDS_MASK + 1) * 4, CILK_STRANDS_SHADOW, "the shadow of memory");
  born = strands_reserve(((CILK_STRANDS_MASK + 1) >> GRANULE_BITS) * sizeof *born, 0, "the blocks of the heap");
  lists = strands_reserve(most_lists * sizeof *lists, 0, "the accesses to bytes");
}

/* ---- what is parallel to the running strand, as far as this thread has asked ---- */

enum { VERDICTS = 1024 };
static __thread struct verdict {
  strand earlier, later;
  enum relation is;
} verdicts[VERDICTS];

static inline enum relation relation(strand earlier, strand later) {
  if (earlier == later) return STRAND_BEFORE;
  struct verdict *v = &verdicts[(earlier ^ later * 31u) & (VERDICTS - 1)];
  if (v->earlier != earlier || v->later != later)
    *v = (struct verdict){earlier, later, strands_relation(earlier, later)};
  return v->is;
}
static inline bool parallel(strand earlier, strand later) {
  return earlier && strands_parallel(relation(earlier, later));
}

/* ---- an access ---- */

struct access {
  const cilk_race_site *at;
  strand by, owner;
  uint32_t update;
  bool writes;
};

/* ---- locks: one for each stripe of memory, and for stripes far apart ---- */

enum { STRIPE_BITS = 10, STRIPE = 1 << STRIPE_BITS, LOCKS = 1 << 16 };
static uint8_t locks[LOCKS];

static inline uint8_t *take(uintptr_t a) {
  uint8_t *lock = &locks[(a >> STRIPE_BITS) % LOCKS];
  /* Pairs with the release in give(): the cells are as the last owner left them. */
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(lock, __ATOMIC_RELAXED)) {}
  return lock;
}
static inline void give(uint8_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

/* Read without the lock, too. The test in line asks for its own strand only, which only itself puts there. is_between()
 * pairs its acquires with these releases: the writer is stored before the readers that it leaves. */
static inline void set_writer(cell *c, strand s) { __atomic_store_n(&c->writer, s, __ATOMIC_RELEASE); }
static inline void set_readers(cell *c, strand left, strand right) {
  if (c->left != left) __atomic_store_n(&c->left, left, __ATOMIC_RELEASE);
  if (c->right != right) __atomic_store_n(&c->right, right, __ATOMIC_RELEASE);
}

/* Does a read by this strand lie between the readers? Then it follows their writer, as both of them do. If another
 * reader has taken the place of one of them meanwhile, it stands for the former one. The writer has not changed: it
 * precedes this strand, and is over. Verdicts on this strand are remembered, so its number may not come again. */
static inline bool is_between(const cell *c, strand by) {
  strands_noted();
  strand w = __atomic_load_n(&c->writer, __ATOMIC_ACQUIRE), left = __atomic_load_n(&c->left, __ATOMIC_ACQUIRE),
         right = __atomic_load_n(&c->right, __ATOMIC_ACQUIRE);
  return left && right && w != OWN && relation(left, by) == STRAND_LEFT && relation(right, by) == STRAND_RIGHT &&
         __atomic_load_n(&c->writer, __ATOMIC_RELAXED) == w;
}

/* A reader beside two others: whom does it replace? */
static inline void read_beside(strand *left, strand *right, strand by) {
  enum relation l = *left ? relation(*left, by) : STRAND_BEFORE, r = *right ? relation(*right, by) : STRAND_BEFORE;
  if (l != STRAND_LEFT) *left = by;
  if (r != STRAND_RIGHT) *right = by;
}

/* What conflicts with the one conflicts with the other. */
static bool alike(const struct entry *e, const struct access *x) {
  return e->writes == x->writes && e->owner == x->owner && e->update == x->update;
}
static bool compatible(const struct entry *e, const struct access *x) {
  return alike(e, x) && (!e->writes || e->owner);
}
/* It conflicts with all others, so it stands for what its own strand, or one before it, did. */
static bool is_plain_write(bool writes, strand owner) { return writes && !owner; }

/* Two entries of one kind that are parallel to the new one: is it between them? Else it takes the place of the one that
 * is between. */
static bool between(struct list *l, const struct access *x, uint8_t bytes) {
  struct entry *side[2] = {NULL, NULL}; /* to the left and to the right of the new one */
  for (uint32_t i = 0; i < l->count; i++) {
    struct entry *e = &l->entries[i];
    if (e->bytes != bytes || !alike(e, x)) continue;
    enum relation is = relation(e->by, x->by);
    struct entry **other = &side[is == STRAND_RIGHT];
    if (*other) {
      enum relation r = strands_relation((*other)->by, e->by);
      bool gives_way = r == STRAND_BEFORE || (strands_parallel(r) && r != is);
      (gives_way ? *other : e)->by = x->by;
      return true;
    }
    *other = e;
  }
  return side[0] && side[1];
}

static void access_list(struct list *l, const void *place, uint8_t bytes, const struct access *x) {
  uint32_t kept = 0;
  bool known = false;
  for (uint32_t i = 0; i < l->count; i++) {
    struct entry e = l->entries[i];
    uint8_t both = e.bytes & bytes;
    if (both) {
      bool before = !strands_parallel(relation(e.by, x->by));
      if (!before && !compatible(&e, x)) strands_found(place, x->at);
      if (e.by == x->by && both == bytes && (is_plain_write(e.writes, e.owner) || alike(&e, x))) known = true;
      else if (before && (is_plain_write(x->writes, x->owner) || alike(&e, x))) e.bytes &= (uint8_t)~bytes;
    }
    if (e.bytes) l->entries[kept++] = e;
  }
  l->count = kept;
  if (known) return;
  for (uint32_t i = 0; i < kept; i++) { /* the same of neighbours */
    struct entry *e = &l->entries[i];
    if (e->by != x->by || !alike(e, x)) continue;
    e->bytes |= bytes;
    return;
  }
  if (!between(l, x, bytes)) add_entry(l, (struct entry){x->by, x->owner, x->update, bytes, x->writes});
}

/* Back into the cell where all bytes are alike: a writer, and readers. */
static void fold(cell *c) {
  const struct list *l = &lists[c->more];
  strand writer = 0, left = 0, right = 0;
  if (l->count > 3) return;
  for (uint32_t i = 0; i < l->count; i++) {
    const struct entry *e = &l->entries[i];
    if (e->bytes != 15 || e->owner || (e->writes && writer)) return;
    if (e->writes) writer = e->by;
    else if (!left) left = right = e->by;
    else if (left != right) return;
    else {
      enum relation r = strands_relation(left, e->by);
      if (!strands_parallel(r)) return;
      *(r == STRAND_LEFT ? &right : &left) = e->by;
    }
  }
  drop_list(c);
  set_writer(c, writer);
  set_readers(c, left, right);
}

static void unfold(cell *c) {
  uint32_t n = new_list();
  if (c->writer) add_entry(&lists[n], (struct entry){c->writer, 0, 0, 15, true});
  if (c->left) add_entry(&lists[n], (struct entry){c->left, 0, 0, 15, false});
  if (c->right && c->right != c->left) add_entry(&lists[n], (struct entry){c->right, 0, 0, 15, false});
  c->more = n;
  set_writer(c, 0);
  set_readers(c, 0, 0);
}

static __attribute__((noinline)) void access_bytes(cell *c, const void *place, uint8_t bytes, const struct access *x) {
  if (!c->more) unfold(c);
  access_list(&lists[c->more], place, bytes, x);
  fold(c);
}

static inline void born_there(cell *c) {
  if (!c->writer && !c->left && !c->more && *born_of(c)) set_writer(c, *born_of(c));
}

/* True: the same happens at a cell that is the same. */
static bool access_cell(cell *c, const void *place, uint8_t bytes, const struct access *x) {
  if (c->writer == OWN) return false;
  born_there(c);
  if (bytes != 15 || x->owner || c->more) {
    access_bytes(c, place, bytes, x);
    return false;
  }
  strand w = c->writer, left = c->left, right = c->right;
  if (w == x->by || (!x->writes && (left == x->by || right == x->by))) return true;
  if (parallel(w, x->by) || (x->writes && (parallel(left, x->by) || parallel(right, x->by)))) {
    strands_found(place, x->at); /* where the run goes on, the earlier ones stay */
    return false;
  }
  if (x->writes) {
    set_writer(c, x->by);
    set_readers(c, 0, 0);
  } else {
    read_beside(&left, &right, x->by);
    set_readers(c, left, right);
  }
  return true;
}

/* Neighbours are often of one fate. In halves of a cell: the writer and the left reader, the right one and the list. */
typedef uint64_t half __attribute__((may_alias));
typedef struct {
  half first, second;
} halves;

static inline cell *over_same(cell *c, cell *end, halves was, halves is) {
  if (is.first == was.first && is.second == was.second) {
    for (; c < end && ((halves *)c)->first == was.first && ((halves *)c)->second == was.second; c++) {}
    return c;
  }
  for (; c < end; c++) {
    halves *h = (halves *)c;
    if (h->first != was.first || h->second != was.second) break;
    __atomic_store_n(&h->first, is.first, __ATOMIC_RELAXED); /* as set_writer() and set_readers() */
    __atomic_store_n(&h->second, is.second, __ATOMIC_RELEASE);
  }
  return c;
}

static void access_cells(uintptr_t a, size_t n, const struct access *x) {
  for (cell *from = cell_of(a), *c = from, *end = c + n; c < end;) {
    born_there(c);
    halves was = *(halves *)c;
    bool same = access_cell(c, (const void *)(a + 4 * (uintptr_t)(c - from)), 15, x);
    halves is = *(halves *)c++;
    if (same && was.first) c = over_same(c, end, was, is);
  }
}

static void access_range(const void *p, size_t n, const struct access *x) {
  uintptr_t a = (uintptr_t)p, end = a + n;
  strands_noted();
  while (a < end) {
    uintptr_t until = (a | (STRIPE - 1)) + 1 < end ? (a | (STRIPE - 1)) + 1 : end, whole = until & ~(uintptr_t)3;
    uint8_t *lock = take(a);
    if (a & 3) {
      unsigned from = a & 3, to = from + (until - a) < 4 ? from + (unsigned)(until - a) : 4;
      access_cell(cell_of(a), (const void *)a, (uint8_t)((1u << to) - (1u << from)), x);
      a += to - from;
    }
    if (a < whole) {
      access_cells(a, (whole - a) / 4, x);
      a = whole;
    }
    if (a < until) {
      access_cell(cell_of(a), (const void *)a, (uint8_t)((1u << (until - a)) - 1), x);
      a = until;
    }
    give(lock);
  }
}

/* ---- ranges that the running strand has looked at. What was freed, or begins a new life, is looked at anew, so all of
 * this thread's are forgotten then ---- */

enum { SEEN = 512, SEEN_LEAST = 16 };
static __thread struct seen {
  uintptr_t at;
  size_t bytes;
  strand by;
  uint32_t age : 31, writes : 1;
} seen[SEEN];
static __thread uint32_t seen_age;

static inline void forget_seen(void) { seen_age = (seen_age + 1) & INT32_MAX; }
static inline struct seen *seen_at(uintptr_t a) { return &seen[(a >> 4 ^ a >> 13) % SEEN]; }

static inline void accessed_range(const void *p, size_t n, const cilk_race_site *at, bool writes) {
  struct access x = {.at = at, .by = cilk_strands_now, .writes = writes};
  struct seen *s = seen_at((uintptr_t)p);
  if (!at || (s->at == (uintptr_t)p && s->bytes == n && s->by == x.by && s->age == seen_age && s->writes >= writes))
    return;
  access_range(p, n, &x);
  if (n >= SEEN_LEAST && !strands_all) *s = (struct seen){(uintptr_t)p, n, x.by, seen_age, writes};
}

static inline void accessed(const void *p, size_t n, const cilk_race_site *at, bool writes) {
  struct access x = {.at = at, .by = cilk_strands_now, .writes = writes};
  if (at) access_range(p, n, &x);
}

/* One cell, or two. */
static inline void small(const void *p, unsigned cells, const cilk_race_site *at, bool writes) {
  struct access x = {.at = at, .by = cilk_strands_now, .writes = writes};
  uintptr_t a = (uintptr_t)p;
  if (!at) return;
  if (a % STRIPE + 4 * cells > STRIPE) {
    access_range(p, 4 * cells, &x);
    return;
  }
  strands_noted();
  uint8_t *lock = take(a);
  for (unsigned i = 0; i < cells; i++) access_cell(cell_of(a) + i, (const char *)p + 4 * i, 15, &x);
  give(lock);
}

void race_access(const void *p, size_t n, site *at, int kind) {
  if (kind != CILK_RACE_READ) forget_seen(); /* it may free */
  accessed(p, n, at, kind != CILK_RACE_READ);
}

void cilk_race_read(const void *p, size_t n, site *at) { accessed_range(p, n, at, false); }
void cilk_race_write(const void *p, size_t n, site *at) { accessed_range(p, n, at, true); }
void cilk_race_read4(const void *p, site *at) {
  if (!is_between(cell_of((uintptr_t)p), cilk_strands_now)) small(p, 1, at, false);
}
void cilk_race_write4(const void *p, site *at) { small(p, 1, at, true); }
void cilk_race_read8(const void *p, site *at) {
  const cell *c = cell_of((uintptr_t)p);
  if (!is_between(c, cilk_strands_now) || !is_between(c + 1, cilk_strands_now)) small(p, 2, at, false);
}
void cilk_race_write8(const void *p, site *at) { small(p, 2, at, true); }
void cilk_race_read_each(const void *p, size_t n, ptrdiff_t step, size_t times, site *at) {
  for (const char *a = p; times--; a += step) accessed(a, n, at, false);
}
void cilk_race_write_each(const void *p, size_t n, ptrdiff_t step, size_t times, site *at) {
  for (const char *a = p; times--; a += step) accessed(a, n, at, true);
}
void cilk_race_atomic(const void *p, size_t n, site *at, int kind) {
  (void)p, (void)n, (void)at, (void)kind;
  cilk_strands_cannot("atomic accesses");
}

/* The child begins next, so no access of its own is parallel to this; all others see its result as an access of the
 * child. */
void cilk_strands_receive(cilk_strands_frame *f, const void *p, size_t n, site *at, uint32_t update) {
  struct access x = {at, cilk_strands_now, update && f->base ? f->base : 0, update, true};
  access_range(p, n, &x);
}

/* An update by the instance itself: it commutes with its children's of the same kind. */
void cilk_strands_update(cilk_strands_frame *f, const void *p, size_t n, site *at, uint32_t update) {
  struct access x = {at, cilk_strands_now, f->base, update, true};
  access_range(p, n, &x);
}

void cilk_strands_early(site *at) { strands_found(NULL, at); }

/* ---- memory that begins a new life ---- */

static void clear_bytes(uintptr_t a, uintptr_t end) {
  uint8_t *lock = take(a), bytes = (uint8_t)((1u << (((end - 1) & 3) + 1)) - (1u << (a & 3)));
  cell *c = cell_of(a);
  born_there(c);
  if (c->writer != OWN && (c->writer || c->left || c->more)) {
    if (!c->more) unfold(c);
    struct list *l = &lists[c->more];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
      struct entry e = l->entries[i];
      e.bytes &= (uint8_t)~bytes;
      if (e.bytes) l->entries[kept++] = e;
    }
    l->count = kept;
    fold(c);
  }
  give(lock);
}

/* No other strand accesses them now. writer: of all cells from now on; 0: none. */
static void set_cells(cell *c, cell *end, strand writer) {
  for (; c < end; c++) {
    if (c->more) drop_list(c);
    *c = (cell){.writer = writer};
  }
}

/* Whole pages of the shadow go back to the system where there are many. */
static void renew(const void *p, size_t n, strand writer) {
  forget_seen();
  const uintptr_t page = UINT64_C(1) << (GRANULE_BITS + 2), least = 16;
  uintptr_t a = (uintptr_t)p, end = a + n, first = (a + 3) & ~(uintptr_t)3, last = end & ~(uintptr_t)3;
  if (first > last) {
    clear_bytes(a, end);
    return;
  }
  if (a < first) clear_bytes(a, first);
  if (last < end) clear_bytes(last, end);
  if (first == last) return;
  cell *c = cell_of(first), *to = c + (last - first) / 4;
  uintptr_t from = ((uintptr_t)c + page - 1) & ~(page - 1), until = (uintptr_t)to & ~(page - 1);
  if (until <= from || until - from < least * page) {
    set_cells(c, to, writer);
    return;
  }
  set_cells(c, (cell *)from, writer);
  madvise((void *)from, until - from, MADV_DONTNEED);
  for (uintptr_t g = from; g < until; g += page) *born_of((cell *)g) = writer;
  set_cells((cell *)until, to, writer);
}

void race_clear(const void *p, size_t n) { renew(p, n, 0); }
size_t race_block_gone(void *p) { return malloc_usable_size(p); }
void race_block_enter(void *p, size_t n, site *at, bool automatic) {
  (void)at, (void)n;
  if (automatic) return;
  strands_noted();
  renew(p, malloc_usable_size(p), cilk_strands_now);
}
void cilk_race_iteration(long number) { (void)number; }
void cilk_race_fresh(const void *p, size_t n) { renew(p, n, 0); }
void cilk_race_automatic(void *p, size_t n, site *at) {
  (void)at;
  renew(p, n, 0);
}

void cilk_race_own(const void *p, size_t n) {
  uintptr_t a = ((uintptr_t)p + 3) & ~UINT64_C(3), end = (uintptr_t)p + n;
  for (; a + 4 <= end; a += 4) set_writer(cell_of(a), OWN);
}
