/* marks.c - the largest memory over all schedules on p workers (Kaler, Kuszmaul, Schardl, Vettorel: Cilkmem, APOCS
 * 2020, the exact algorithm).
 *
 * A schedule on p workers has at most p strands running. All that comes before one of these is done. What is beside
 * them, a child with all below it, is done, or it has not begun; else there would be a worker in it. So a state is a
 * choice of at most p strands, none before the other, and for each subtree beside them whether it is done. The largest
 * memory is that of the worst state, where each of the strands is at its own worst point.
 *
 * An instance has, while it runs:
 *   left[q]   the most that its past can have with q workers in children that are out, where its own strands are done
 *             up to here; q = 0: all children done, or not begun.
 *   mark[q]   the most that it can have had with q workers in it, q >= 1.
 *   total     what it has when all of it up to here is done.
 * A strand with a peak of m and a balance of t: mark[q + 1] may be left[q] + m; then left[q] += t. A child with its
 * mark and total: left[q] becomes the best of left[q] + max(0, total) and left[q - i] + mark[i] of the child. At a sync
 * all are done: left[0] = total. No worker is in a child that is done. So a subtree of n leaves needs n marks at most,
 * and all this takes O(p) for each instance.
 *
 * An instance that waits for another's future has no worker, but keeps its place like one that has. So with w of
 * them the mark of p + w workers holds for p: it is a bound then, since not all of these states are there.
 *
 * The heap has marks of its own, in a run that counts no closures: its largest state need not be that of all.
 *
 * Every number is a row: bytes, and what they are made up of (groups), so that a mark names its allocation sites. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "memory.h"
#include "../report/threads.h"

typedef int64_t cell;                   /* rows have memory_row_bytes only: they are in arrays of cells */

typedef struct frame {
  cell *left, *mark;                    /* rows 0 .. nleft, 0 .. nmark - 1 (of 1 .. nmark workers) */
  unsigned nleft, nmark, left_room, mark_room;
  row total, balance, peak;             /* balance, peak: of the running strand */
  bool touched;                         /* the strand allocated or freed */
  bool spawned;
  bool waits;                           /* it touched another's future */
  const procedure *of;
  int64_t *frames;                      /* bytes of Cilk_alloca by group, taken back at the end; null: none */
} frame;

static frame *frames, *top;
static size_t depth_limit;
static bool spawning;
static unsigned workers;
static size_t cells;                    /* of a row */
group memory_groups[GROUPS];
unsigned memory_ngroups;
size_t memory_row_bytes;
row memory_serial_now, memory_serial_most;
uint64_t memory_instances, memory_spawns, memory_waiting;
static cell *scratch;

static void *sure(void *p) {
  if (!p) memory_fail("out of memory");
  return p;
}

void *memory_reserve(size_t *limit, size_t each) {
  for (*limit = 1 << 22;; *limit /= 2) {
    void *p = mmap(NULL, *limit * each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED) return p;
    if (*limit < 1024) memory_fail("out of memory");
  }
}

void memory_marks_start(void) {
  size_t most =
      (size_t)(memory_sites_end - memory_sites_begin) + (size_t)(memory_procedures_end - memory_procedures_begin);
  cells = 1 + (most < GROUPS ? most : GROUPS);
  memory_row_bytes = cells * sizeof(cell);
  workers = &cilk_memory_touches ? MOST_WORKERS : memory_settings.workers;
  scratch = sure(malloc((workers + 1) * memory_row_bytes));
  top = frames = memory_reserve(&depth_limit, sizeof *frames);
  top->left = sure(calloc(1, memory_row_bytes));
  top->left_room = 1;
  if (memory_settings.threshold) memory_threshold_start();
}

unsigned memory_group(uint64_t *of, const char *kind, const void *record) {
  if (!*of) {
    unsigned n = memory_ngroups < GROUPS - 1 ? memory_ngroups : GROUPS - 1;
    memory_groups[n] = n < GROUPS - 1 ? (group){kind, record} : (group){"others", NULL};
    if (memory_ngroups <= n) memory_ngroups = n + 1;
    *of = n + 1;
  }
  return (unsigned)*of;
}

/* ---- rows ---- */

static cell *at(cell *rows, unsigned i) { return rows + i * cells; }
static void plus(cell *a, const cell *b) {
  for (size_t i = 0; i < cells; i++) a[i] += b[i];
}
static void sum(cell *to, const cell *a, const cell *b) {
  for (size_t i = 0; i < cells; i++) to[i] = a[i] + b[i];
}
static void copy(cell *to, const cell *from) { memcpy(to, from, memory_row_bytes); }
static void clear(row *r) { memset(r->in, 0, memory_row_bytes); }

static cell *room_for(cell **rows, unsigned *room, unsigned n) {
  if (n > *room) {
    unsigned more = *room ? *room : 1;
    while (more < n) more *= 2;
    *rows = sure(realloc(*rows, more * memory_row_bytes));
    *room = more;
  }
  return *rows;
}

static bool cut;                /* some state has more running strands than rows have places */

/* mark[q] may be a + b (b null: a). */
static void mark(frame *f, unsigned q, const cell *a, const cell *b) {
  int64_t bytes = a[0] + (b ? b[0] : 0);
  if (!q) return;
  if (q > f->nmark) {
    int64_t before = f->nmark ? at(f->mark, f->nmark - 1)[0] : 0;
    if (bytes <= before) return;                           /* fewer workers can have as much */
    if (q > workers) {
      cut = true;
      return;
    }
    room_for(&f->mark, &f->mark_room, q);
    for (unsigned i = f->nmark; i < q; i++)
      if (i) copy(at(f->mark, i), at(f->mark, i - 1));
      else memset(at(f->mark, 0), 0, memory_row_bytes);
    f->nmark = q;
  } else if (bytes <= at(f->mark, q - 1)[0]) return;
  if (b) sum(at(f->mark, q - 1), a, b);
  else copy(at(f->mark, q - 1), a);
  for (unsigned i = q; i < f->nmark && at(f->mark, i)[0] < bytes; i++) copy(at(f->mark, i), at(f->mark, q - 1));
}

/* ---- strands ---- */

void memory_changed(uint64_t group, int64_t bytes) {
  frame *f = top;
  f->touched = true;
  f->balance.in[0] += bytes;
  f->balance.in[group] += bytes;
  if (f->balance.in[0] > f->peak.in[0]) copy(f->peak.in, f->balance.in);
  memory_serial_now.in[0] += bytes;
  memory_serial_now.in[group] += bytes;
  if (memory_serial_now.in[0] > memory_serial_most.in[0]) copy(memory_serial_most.in, memory_serial_now.in);
  if (memory_settings.threshold) memory_threshold_changed(bytes);
}

/* The states in which the running strand is one of those that run, and those in which it waits to be run. */
static void look(frame *f) {
  for (unsigned q = 0; q <= f->nleft; q++) {
    mark(f, q + 1, at(f->left, q), f->peak.in);
    if (q) mark(f, q, at(f->left, q), NULL);
  }
}

static void strand_ends(frame *f) {
  if (memory_settings.threshold) memory_threshold_strand_ends();
  if (!f->touched) return;
  look(f);
  for (unsigned q = 0; q <= f->nleft; q++) plus(at(f->left, q), f->balance.in);
  plus(f->total.in, f->balance.in);
  clear(&f->balance);
  clear(&f->peak);
  f->touched = false;
}

void cilk_memory_begin(cilk_memory_procedure *of) {
  if (memory_settings.parallel || !frames) return;
  if (!cilk_thread_enters()) memory_fail(CILK_TWO_THREADS);
  bool spawned = spawning;
  spawning = false;
  strand_ends(top);
  if ((size_t)(top - frames) + 2 >= depth_limit) memory_fail("the recursion is too deep to be followed");
  frame *f = ++top;
  f->nleft = f->nmark = 0;
  room_for(&f->left, &f->left_room, 1);
  memset(f->left, 0, memory_row_bytes);
  clear(&f->total);
  clear(&f->balance);
  clear(&f->peak);
  f->touched = f->waits = false;
  f->spawned = spawned;
  f->of = of;
  memory_instances++;
  if (memory_settings.threshold) memory_threshold_enter();
  of->count++;
  if (of->closure && !memory_settings.heap_alone)
    memory_changed(memory_group(&of->group, "procedure", of), (int64_t)of->closure);
}

const procedure *memory_running(void) { return top ? top->of : NULL; }

void cilk_memory_spawn(void) {
  if (memory_settings.parallel || !frames) return;
  strand_ends(top);
  spawning = true;
  memory_spawns++;
}

void cilk_memory_touch(void) {
  if (memory_settings.parallel || !frames || top->waits) return;
  top->waits = true;
  memory_waiting++;
}

static void sync_here(frame *f) {
  strand_ends(f);
  if (f->nleft || memcmp(f->left, f->total.in, memory_row_bytes)) {
    look(f);
    f->nleft = 0;
    copy(f->left, f->total.in);
  }
  if (memory_settings.threshold) memory_threshold_sync();
}

void cilk_memory_sync(void) {
  if (!memory_settings.parallel && frames) sync_here(top);
}

/* A child ran beside what comes, or a call within the strand: its marks and its total become part of what is left of
 * the past. */
static void joined(frame *f, frame *child) {
  cell *total = child->total.in;
  bool spawned = child->spawned;
  if (!child->nmark && !total[0] && spawned) {
    plus(f->total.in, total);           /* it never has anything: as if it had not begun */
    return;
  }
  unsigned n = f->nleft + child->nmark;
  cut |= n > workers;
  if (n > workers) n = workers;
  for (unsigned q = 0; q <= n; q++) {
    cell *best = at(scratch, q);
    const cell *least = at(f->left, q < f->nleft ? q : f->nleft);
    unsigned with = 0;
    int64_t most = least[0] + (spawned && total[0] > 0 ? total[0] : 0);
    bool must = !spawned;               /* the call has begun and is not done: a worker is in it */
    for (unsigned i = q > f->nleft ? q - f->nleft : 1; i <= q && i <= child->nmark; i++) {
      int64_t bytes = at(f->left, q - i)[0] + at(child->mark, i - 1)[0];
      if (bytes > most || must) {
        most = bytes;
        with = i;
        must = false;
      }
    }
    if (with) sum(best, at(f->left, q - with), at(child->mark, with - 1));
    else if (spawned && total[0] > 0) sum(best, least, total);
    else copy(best, least);
    if (!spawned && with) mark(f, q, best, NULL);
  }
  if (spawned) {
    while (n > f->nleft && at(scratch, n)[0] <= at(scratch, n - 1)[0]) n--; /* more workers than that bring nothing */
    room_for(&f->left, &f->left_room, n + 1);
    memcpy(f->left, scratch, (n + 1) * memory_row_bytes);
    f->nleft = n;
  } else {
    for (unsigned q = 0; q <= f->nleft; q++) plus(at(f->left, q), total);
  }
  plus(f->total.in, total);
}

static void leave(void) {
  frame *child = top--, *f = top;
  strand_ends(child);
  look(child);
  joined(f, child);
  if (memory_settings.threshold) memory_threshold_joined(child->spawned);
}

void cilk_memory_frame(cilk_memory_site *from, uint64_t bytes) {
  if (memory_settings.parallel || !frames || top == frames) return;
  unsigned g = memory_group(&from->group, "site", from);
  from->count++;
  from->bytes += bytes;
  if (!top->frames) top->frames = sure(calloc(1 + GROUPS, sizeof *top->frames));
  top->frames[g] += (int64_t)bytes;
  memory_changed(g, (int64_t)bytes);
}

void cilk_memory_end(void) {
  if (memory_settings.parallel || !frames) return;
  frame *f = top;
  sync_here(f);
  if (f->of && f->of->closure && !memory_settings.heap_alone) memory_changed(f->of->group, -(int64_t)f->of->closure);
  if (f->frames) {
    for (unsigned g = 1; g <= GROUPS; g++)
      if (f->frames[g]) memory_changed(g, -f->frames[g]);
    free(f->frames);
    f->frames = NULL;
  }
  f->of = NULL;
  if (!f->spawned) leave();
  cilk_thread_leaves();
}

void cilk_memory_joined(void) {
  if (!memory_settings.parallel && frames && top > frames) leave();
}

void memory_marks_finish(void) {
  while (top > frames) {
    sync_here(top);
    leave();
  }
  sync_here(top);
  look(top);
}

bool memory_mark_holds(unsigned q) { return memory_waiting <= MOST_WORKERS - q || !cut; }

const row *memory_mark(unsigned q) {
  static row r;
  memset(&r, 0, sizeof r);
  q = memory_waiting < MOST_WORKERS - q ? q + (unsigned)memory_waiting : MOST_WORKERS;
  if (top->nmark) copy(r.in, at(top->mark, (q < top->nmark ? q : top->nmark) - 1));
  return &r;
}
