/* strands.c - work and span, strand by strand.
 *
 * The program runs serially, so the running instances are a stack. Each has two paths from its begin: `prefix`, to
 * where it is now, and `longest`, to the end of the longest child that it has spawned since the last sync. A child
 * begins at its parent's prefix; a sync goes on from the longer of the two. The burdened paths are the same with what a
 * steal costs: on the continuation of every spawn, and on the way from the child to the sync.
 *
 * The critical path is known only at the end, and going back would need the whole dag. Instead the first run keeps one
 * number for each sync block (what is between two syncs of an instance) that spawned: which child was the longest, 0
 * if none was longer than the parent's own strands. A second run is the same, since it is serial. With these numbers
 * the second run knows at every strand whether the path goes through it. The units of a strand on the path are counted
 * in the other place (cilk_profile_shift). Where touches let the path jump, futures.c does the same by other means.
 *
 * What-if: the same two paths for each changed program, side by side, where a strand is shorter by what a line's units
 * in it become. */
#if defined __GNUC__ && !defined __clang__
/* Two counters loaded as one vector wait until the last store to either is done: as long as all the rest. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#define _GNU_SOURCE
#include <time.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "profile.h"
#include "../report/threads.h"

uint64_t cilk_profile_pending, cilk_profile_shift;
struct profile_totals profile_totals;

#define top profile_top
frame *profile_top;
static frame *frames; /* frames[0] is what runs outside of all instances */
static path *paths; /* of frames[i] and change c: paths[i * nchanges + c] */
static frame *last_frame; /* that may have a child */
static site *spawning; /* the spawn whose child begins next */
static uint64_t so_far[2]; /* units of the program, off and on the critical path */
static uint32_t *decisions;
static size_t decisions_limit;
enum { GRANULE = 1 << 20 };

void *profile_reserve(size_t *count, size_t each) {
  for (;; *count /= 2) {
    void *p = mmap(NULL, *count * each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED) return p;
    if (*count < 1024) profile_fail("out of memory");
  }
}

static unsigned changes(void) { return profile_settings.nchanges; } /* 0 in the runs that must be quick */
#define RARELY(x) __builtin_expect(!!(x), 0)
path *profile_paths_of(frame *f) { return paths + (size_t)(f - frames) * changes(); }
#define paths_of profile_paths_of

/* The records of a changed line: one for each function that the line is part of, null at the end. */
static line **records_of(const change *c) {
  size_t n = 0;
  line **found = calloc((size_t)(profile_lines_end - profile_lines_begin) + 1, sizeof *found);
  if (!found) profile_fail("out of memory");
  for (line *l = profile_lines_begin; l < profile_lines_end && c->keeps != PROFILE_NO_SYNC; l++)
    if (l->line == c->line && !strcmp(l->file, c->file)) found[n++] = l;
  return found;
}

void profile_strands_start(void) {
  size_t depth_limit = 1 << 26;
  frames = profile_reserve(&depth_limit, sizeof *frames);
  if (changes()) paths = profile_reserve(&depth_limit, sizeof *paths * changes());
  for (unsigned i = 0; i < changes(); i++)
    if (profile_settings.changes[i].file)
      profile_settings.changes[i].records = records_of(&profile_settings.changes[i]);
  if (!decisions) {
    decisions_limit = (size_t)1 << 30;
    decisions = profile_reserve(&decisions_limit, sizeof *decisions);
  }
  last_frame = frames + depth_limit - 2;
  top = frames;
  top->where = profile_context(NULL, NULL, NULL);
  top->on = top->now_on = profile_totals.knows;
  if (profile_touches()) profile_futures_start();
  cilk_profile_shift = profile_totals.knows ? sizeof(uint64_t) : 0;
}

/* How much of this line there is more than when it was seen last. */
static uint64_t more_of(change *c) {
  uint64_t now = 0;
  for (line **l = c->records; *l; l++) now += (*l)->units[0] + (*l)->units[1];
  uint64_t more = now - c->seen;
  c->seen = now;
  return more;
}

static __attribute__((noinline)) void changed_strand_ends(uint64_t n) {
  path *p = paths_of(top);
  for (unsigned i = 0; i < changes(); i++) {
    change *c = &profile_settings.changes[i];
    uint64_t length = 2 * n;
    if (c->file && c->keeps != PROFILE_NO_SYNC) length -= (2 - c->keeps) * more_of(c);
    p[i].prefix += length;
    c->work += length;
  }
}

bool profile_timed;
static uint64_t strand_began; /* ns */

static uint64_t clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) uint64_t elapsed(void) {
  uint64_t now = clock_now(), n = now - strand_began;
  strand_began = now;
  return n;
}

/* The running strand ends here. This and the next are all that most strands cost: programs may have nothing but
 * spawns. */
static inline void strand_ends(uint64_t units) {
  frame *f = top;
  uint64_t n = RARELY(profile_timed) ? elapsed() : units + cilk_profile_pending;
  cilk_profile_pending = 0;
  profile_dag_units += n;
  f->prefix += n;
  f->burdened_prefix += n;
  f->own[f->now_on] += n;
  so_far[f->now_on] += n;
  if (RARELY(changes())) changed_strand_ends(n);
}
void profile_strand_ends(uint64_t units) { strand_ends(units); }

static inline void strand_begins(void) {
  if (RARELY(profile_log)) top->now_on = profile_on();
  if (RARELY(profile_timed)) strand_began = clock_now();
  cilk_profile_shift = top->now_on ? sizeof(uint64_t) : 0;
}
void profile_strand_begins(void) { strand_begins(); }

uint64_t profile_work(void) { return so_far[0] + so_far[1]; }

void cilk_profile_strand(uint64_t units) {
  strand_ends(units);
  strand_begins();
}

workspan profile_here(void) {
  return (workspan){profile_work(), top->start + top->prefix, top->burdened_start + top->burdened_prefix};
}

uint64_t profile_changed_here(unsigned change) { return paths_of(top)[change].start + paths_of(top)[change].prefix; }

static uint64_t work_of(const frame *f) { return so_far[0] + so_far[1] - f->before; }

static void enter(procedure *of, site *from) {
  if (top >= last_frame) profile_fail("the recursion is too deep to be profiled");
  if (RARELY(profile_dag)) profile_dag_enter();
  frame *up = top, *f = ++top;
  node *where = from && from->tally.from == up->where && ((node *)from->tally.to)->of == of
                    ? from->tally.to
                    : profile_context(up->where, from, of);
  /* Field by field, those that are read before they are set: clearing the whole took longer than all the rest. */
  f->start = up->start + up->prefix;
  f->burdened_start = up->burdened_start + up->burdened_prefix;
  f->prefix = f->longest = 0;
  f->burdened_prefix = f->burdened_longest = 0;
  f->own[0] = f->own[1] = 0;
  f->before = so_far[0] + so_far[1];
  f->where = where;
  f->from = from;
  f->of = of;
  f->number = ++profile_totals.instances;
  f->block = 0;
  f->alone = f->children = 0;
  f->last = NULL;
  f->in_turn = false;
  f->child = f->best = f->decided = f->futures = f->fills = 0;
  f->on = f->now_on = from ? up->now_on && (up->decided & ~PROFILE_ALONE) == up->child : up->now_on;
  f->where->instances++;
  if (of) {
    of->tally.instances++;
    if (!of->tally.depth++) f->on_before[0] = so_far[1];
  }
  if (from) {
    from->tally.instances++;
    if (!from->tally.depth++) f->on_before[1] = so_far[1];
  }
  for (unsigned i = 0; RARELY(i < changes()); i++)
    paths_of(f)[i] = (path){.start = paths_of(up)[i].start + paths_of(up)[i].prefix};
  if (RARELY(profile_log)) profile_log_begin(from != NULL);
  strand_begins();
}

void cilk_profile_begin(procedure *p) {
  if (!cilk_thread_enters()) profile_fail(CILK_TWO_THREADS);
  site *from = spawning;
  spawning = NULL;
  if (!from) {
    strand_ends(0); /* a call: what the caller's C code counted so far is the caller's */
    if (RARELY(profile_dag)) profile_dag_call(p);
  }
  enter(p, from);
}

void cilk_profile_spawn(site *s, uint64_t units) {
  strand_ends(units);
  frame *f = top;
  if (!f->child++) { /* a sync block that spawns gets its number */
    f->block = ++profile_totals.blocks;
    f->best = 0;
    if (profile_totals.knows && !profile_log) f->decided = f->block <= decisions_limit ? decisions[f->block - 1] : 0;
  }
  f->last = s;
  profile_totals.spawns++;
  if (RARELY(profile_dag)) profile_dag_spawn(s);
  spawning = s;
}

/* Deliveries of one instance that run alone exclude each other and the instance's own strands. So nothing gets past a
 * sync before the first of them could begin and all have run; nor before the own strands and all of them have. */
static bool alone_here(frame *f, bool *own) {
  *own = f->prefix >= f->first;
  uint64_t end = f->alone + (*own ? f->prefix : f->first);
  if (end <= f->prefix || end <= f->longest) return false;
  f->longest = end;
  return true;
}

/* A sync that is not there in a changed program. The one at the end of a procedure always is. */
static bool left_out(const change *c, const frame *f, bool at_end) {
  return c->keeps == PROFILE_NO_SYNC && c->file && !at_end && f->last && f->last->line == c->line &&
         !strcmp(f->last->file, c->file);
}

/* What a sync knows of the children that it waits for. */
static void note_children(frame *f, bool longer) {
  f->last->syncs++;
  site *s = f->best_from;
  if (longer && f->best && f->best_length > s->length) {
    s->number = f->best;
    s->of = f->child;
    s->length = f->best_length;
    s->all = f->children;
  }
}

static void sync_here(bool at_end) {
  frame *f = top;
  bool waits = f->child, own = false, alone = f->alone && alone_here(f, &own), longer = f->longest > f->prefix;
  if (alone) f->best = own ? 0 : f->first_child;
  if (RARELY(profile_dag)) profile_dag_sync(f->child, longer ? f->best : 0, alone);
  if (RARELY(profile_log) && f->child) {
    profile_log_sync(!longer  ? PROFILE_NOT
                     : !alone ? PROFILE_LONGEST
                     : own    ? PROFILE_INLETS
                              : PROFILE_FIRST,
        alone ? f->first_left : f->best_left);
    profile_futures_synched(f);
  }
  if (f->child) {
    if (!profile_totals.knows && !profile_log) {
      if (f->block <= decisions_limit) decisions[f->block - 1] = (longer ? f->best : 0) | (alone ? PROFILE_ALONE : 0);
      else profile_totals.lost = true;
    }
    profile_totals.syncs++;
    note_children(f, longer && !alone);
  }
  if (longer) f->prefix = f->longest;
  if (f->alone) {
    uint64_t end = f->alone + (f->burdened_prefix >= f->burdened_first ? f->burdened_prefix : f->burdened_first);
    if (end > f->burdened_longest) f->burdened_longest = end;
  }
  if (f->burdened_longest > f->burdened_prefix) f->burdened_prefix = f->burdened_longest;
  f->longest = f->burdened_longest = f->alone = f->children = 0;
  f->child = f->best = f->decided = 0;
  f->now_on = profile_log ? profile_on() : f->on;
  if (RARELY(changes())) {
    path *p = paths_of(f);
    for (unsigned i = 0; i < changes(); i++) {
      if (left_out(&profile_settings.changes[i], f, at_end || !waits)) continue;
      if (p[i].alone) {
        uint64_t end = p[i].alone + (p[i].prefix >= p[i].first ? p[i].prefix : p[i].first);
        p[i].longest = end > p[i].longest ? end : p[i].longest;
      }
      if (p[i].longest > p[i].prefix) p[i].prefix = p[i].longest;
      p[i].longest = p[i].alone = 0;
    }
  }
}

void cilk_profile_sync(uint64_t units) {
  strand_ends(units);
  sync_here(false);
  strand_begins();
}

/* A spawned child stays on the stack for its delivery, until it is joined; one that was called is done. */
void cilk_profile_end(uint64_t units) {
  strand_ends(units);
  if (top->child || RARELY(profile_dag || profile_log || changes())) sync_here(true);
  if (RARELY(profile_dag)) profile_dag_end();
  top->ended = top->prefix;
  top->burdened_ended = top->burdened_prefix;
  for (unsigned i = 0; RARELY(i < changes()); i++) paths_of(top)[i].ended = paths_of(top)[i].prefix;
  /* What follows is the delivery, which may be on the path though the child is not, or the other way round. */
  if (top->from && top->from->alone && profile_log) top->in_turn = profile_log_inlet();
  else if (top->from && top->from->alone && top[-1].decided & PROFILE_ALONE) top->now_on = top[-1].on;
  strand_begins();
  if (!top->from) cilk_profile_joined(0);
  cilk_thread_leaves();
}

/* ---- loops, for the changed programs where one of them is parallel: each iteration begins where the loop began, and
 * after the loop comes the end of the longest ---- */

typedef struct loop_run {
  const cilk_profile_loop *loop;
  frame *in;
  uint64_t start, longest, iterations; /* of the change that is about this loop */
} loop_run;
static loop_run *loops, *loop_top;
static size_t loops_limit;

static int change_of(const cilk_profile_loop *l) {
  for (unsigned i = 0; i < changes(); i++)
    if (profile_settings.changes[i].loop == l) return (int)i;
  return -1;
}

void cilk_profile_loop_begin(cilk_profile_loop *l, uint64_t units) {
  strand_ends(units);
  int c = change_of(l);
  if (c < 0) return;
  if (!loops) {
    loops_limit = 1 << 20;
    loops = loop_top = profile_reserve(&loops_limit, sizeof *loops);
  }
  if ((size_t)(loop_top - loops) + 1 >= loops_limit) profile_fail("too many nested loops");
  *++loop_top = (loop_run){.loop = l, .in = top, .start = paths_of(top)[c].prefix};
}

static loop_run *running(const cilk_profile_loop *l) {
  return loops && loop_top > loops && loop_top->loop == l && loop_top->in == top ? loop_top : NULL;
}

void cilk_profile_iteration(cilk_profile_loop *l, uint64_t units) {
  strand_ends(units);
  l->iterations++;
  loop_run *r = running(l);
  if (!r) return;
  path *p = &paths_of(top)[change_of(l)];
  if (r->iterations++ && p->prefix - r->start > r->longest) r->longest = p->prefix - r->start;
  p->prefix = r->start;
}

void cilk_profile_loop_end(cilk_profile_loop *l, uint64_t units) {
  cilk_profile_iteration(l, units);
  l->iterations--;
  loop_run *r = running(l);
  if (!r) return;
  uint64_t halvings = 0;
  for (uint64_t n = r->iterations - 1; n > 1; n = (n + 1) / 2) halvings++;
  paths_of(top)[change_of(l)].prefix += r->longest + 2 * PROFILE_HALVING * halvings;
  loop_top--;
}

/* ---- the timed section: a program asks for work and span at its begin, and again at its end (<timing.cilkh>) ---- */

static struct {
  bool open;
  size_t depth;
  uint64_t instance, work, span;
} section;

int64_t cilk_profile_work(uint64_t units) {
  strand_ends(units);
  if (section.open && section.depth == (size_t)(top - frames) && section.instance == top->number) {
    profile_totals.sections++;
    profile_totals.section_work += work_of(top) - section.work;
    profile_totals.section_span += top->prefix - section.span;
    section.open = false;
    section.instance = 0;
  } else {
    section.depth = (size_t)(top - frames);
    section.instance = top->number;
    section.open = false;
  }
  return (int64_t)work_of(top);
}

int64_t cilk_profile_span(uint64_t units) {
  strand_ends(units);
  if (section.instance == top->number && section.depth == (size_t)(top - frames)) {
    section.open = true;
    section.work = work_of(top);
    section.span = top->prefix;
  }
  return (int64_t)top->prefix;
}

void cilk_profile_inlet(const char *name) {
  if (RARELY(profile_dag)) profile_dag_inlet(name);
}

void cilk_profile_abort(void) {
  if (RARELY(profile_dag)) profile_dag_abort();
}

/* A child whose result an inlet or op= takes is about to be joined. What takes no time excludes nothing. */
static void delivers_alone(frame *f, frame *up, uint64_t left) {
  uint64_t length = f->prefix - f->ended, first = up->prefix + f->ended,
           burdened = up->burdened_prefix + f->burdened_ended;
  if (length && (!up->alone || first < up->first)) {
    up->first = first;
    up->first_child = up->child;
    up->first_left = left;
  }
  if (length && (!up->alone || burdened < up->burdened_first)) up->burdened_first = burdened;
  up->alone += length;
  if ((profile_log ? f->in_turn : up->decided & PROFILE_ALONE) && f->now_on) profile_totals.alone += length;
  for (unsigned i = 0; RARELY(i < changes()); i++) {
    path *p = &paths_of(up)[i];
    const path *c = &paths_of(f)[i];
    length = c->prefix - c->ended;
    if (length && (!p->alone || p->prefix + c->ended < p->first)) p->first = p->prefix + c->ended;
    p->alone += length;
  }
}

static inline void leave_tally(tally *t, const frame *f, int which) {
  t->units[0] += f->own[0];
  t->units[1] += f->own[1];
  if (--t->depth) return;
  t->work += work_of(f);
  t->span += f->prefix;
  t->on += so_far[1] - f->on_before[which];
}

void cilk_profile_joined(uint64_t units) {
  if (top == frames) return;
  strand_ends(units);
  frame *f = top, *up = --top;
  uint64_t left = RARELY(profile_log) ? profile_log_end(f->from != NULL, f->from && f->from->alone) : 0;
  if (f->fills) profile_futures_joined(f, up);
  if (f->of) leave_tally(&f->of->tally, f, 0);
  if (f->from) leave_tally(&f->from->tally, f, 1);
  f->where->units[0] += f->own[0];
  f->where->units[1] += f->own[1];
  if (RARELY(profile_dag)) profile_dag_joined(f->of, work_of(f), f->prefix, f->from != NULL);
  if (f->from && f->from->alone) delivers_alone(f, up, left);
  path *p = RARELY(changes()) ? paths_of(f) : NULL, *q = p ? paths_of(up) : NULL;
  if (f->from) {
    uint64_t end = up->prefix + f->prefix,
             burdened = up->burdened_prefix + f->burdened_prefix + profile_settings.burden;
    if (end > up->longest) {
      up->longest = end;
      up->best = up->child;
      up->best_from = f->from;
      up->best_length = f->prefix;
      up->best_left = left;
    }
    up->children += work_of(f);
    if (burdened > up->burdened_longest) up->burdened_longest = burdened;
    up->burdened_prefix += profile_settings.burden;
    if (up->decided && (up->decided & ~PROFILE_ALONE) == up->child)
      up->now_on = false; /* the path comes back at the sync */
    for (unsigned i = 0; i < changes(); i++)
      if (q[i].prefix + p[i].prefix > q[i].longest) q[i].longest = q[i].prefix + p[i].prefix;
  } else {
    up->prefix += f->prefix;
    up->burdened_prefix += f->burdened_prefix;
    for (unsigned i = 0; i < changes(); i++) q[i].prefix += p[i].prefix;
  }
  strand_begins();
}

void profile_strands_finish(void) {
  while (top > frames) {
    strand_ends(0);
    sync_here(true);
    if (profile_dag) profile_dag_end();
    top->ended = top->prefix;
    top->burdened_ended = top->burdened_prefix;
    cilk_profile_joined(0);
  }
  strand_ends(0);
  if (profile_log) profile_log_finish();
  top->where->units[0] += top->own[0];
  top->where->units[1] += top->own[1];
  profile_totals.work = work_of(top);
  profile_totals.span = top->prefix;
  profile_totals.burdened_span = top->burdened_prefix;
  for (unsigned i = 0; i < changes(); i++)
    profile_settings.changes[i].span =
        paths_of(top)[i].prefix > profile_locked(i) ? paths_of(top)[i].prefix : profile_locked(i);
}

/* ---- the decisions ---- */

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool profile_decisions_read(const char *file) {
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  struct stat s;
  if (fd < 0) return false;
  bool good = fstat(fd, &s) == 0;
  decisions_limit = good ? (size_t)s.st_size / sizeof *decisions : 0;
  if (decisions_limit) {
    void *p = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    good = p != MAP_FAILED;
    decisions = p;
  } else {
    static uint32_t none;
    decisions = &none;
  }
  close(fd);
  profile_totals.before = decisions_limit;
  if (good && profile_touches()) profile_log_know(decisions, decisions_limit);
  profile_totals.knows = good;
  return good;
}

void profile_decisions_write(const char *file) {
  int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  size_t left =
      profile_totals.lost ? 0 : (profile_log ? profile_log_words() : profile_totals.blocks) * sizeof *decisions;
  for (const char *p = (const char *)(profile_log ? profile_log_bits() : decisions); fd >= 0 && left;) {
    ssize_t n = write(fd, p, left < GRANULE ? left : GRANULE);
    if (n <= 0) break;
    p += n;
    left -= (size_t)n;
  }
  if (fd < 0 || close(fd) || left) unlink(file);
}
