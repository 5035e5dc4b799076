/* dag.c - the spawn dag, recorded while the program runs (CILK_PROFILE_DAG): for `cilkc dag`.
 *
 * An instance of a procedure is a row of *steps*: a strand and what ends it, a spawn with its child, a call, a sync, or
 * the end. When an instance ends its steps become a *record*; an instance whose steps equal those of a known record,
 * children and all, is that record. So fib(40) is 40 records. Which child of a sync block is the longest is known at
 * its sync, and is part of the step: the critical path is found from the root down, with no second run. Where touches
 * let it jump (futures.c), a run that knows the path marks its strands. A touch names the child of its future by how
 * many levels up it was spawned, and how many spawns ago: equal instances remain equal.
 *
 * The dag of an irregular program has no end of different instances. So memory is bounded by KEPT records and
 * KEPT_STEPS steps: where there are more, those with less work than a threshold are forgotten, and so is whatever ends
 * with less from then on. A child is never kept without its parents, since they have more work; what is forgotten is
 * counted in the step that led to it. Equal steps and equal blocks beside each other are one with a count; a block of
 * more than FOLD different steps is folded by its spawns. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "profile.h"
#include "rt/core/base/json.h"

enum { KEPT = 20000, KEPT_STEPS = 100000, FOLD = 48, FOLD_ALL = 256, MANY = 1 << 16 };
enum kind {
#define KIND(name) name,
#include "profile.def"
};
enum {
#define MARK(name) BIT_OF_##name,
#include "profile.def"
};
enum mark {
#define MARK(name) name = 1 << BIT_OF_##name,
#include "profile.def"
  DELIVERY = BIT_OF_INLET_BACK - BIT_OF_INLET
};

/* All of it is compared as bytes: no padding. */
typedef struct step {
  uint64_t units;                      /* of the strand; of all, where several are one step */
  uint64_t count;                      /* steps like this; of a sync: blocks like this */
  uint32_t kind, mark;
  const site *from;
  const procedure *of;                 /* the child */
  int64_t child;                       /* its record, or -1 */
  /* of the child with all below it; of several: sums, and the longest span */
  uint64_t work, span, spans, instances, strands;
  uint64_t delivery;                   /* units */
  uint64_t up, ago;                    /* touches; up: of LOCK and UNLOCK, which lock */
  const char *inlet;                   /* whose name this is; null: none */
} step;

typedef struct record {
  const procedure *of;
  uint64_t work, span, instances, strands, hash;
  uint64_t steps, first;               /* into kept[] */
} record;

typedef struct building {              /* a running instance */
  uint64_t first, block;               /* steps[] of this instance; of the running block */
  uint64_t before;                     /* first step of the block before, where blocks may be equal */
  uint64_t instances, strands;
  uint64_t spawned;                    /* so far */
  uint32_t mark;                       /* of the running strand */
  bool passed;                         /* the critical path runs through it */
  bool ended, synced;                  /* what comes is the delivery; the block before was closed by a sync */
  /* the running block was folded before its end: which child is which is not known any more */
  bool rough;
  const char *inlet;
} building;

bool profile_dag;
uint64_t profile_dag_units;            /* of the running strand */
static building *stack;
static size_t depth, stack_limit;
static step *steps, *kept;
static size_t nsteps, steps_limit, nkept;
static record *records;
static size_t nrecords;
static uint32_t table[1 << 16];        /* of record numbers + 1 */
static uint64_t threshold;             /* what has less work is not kept */
static uint64_t forgotten;             /* records that were */
static uint64_t totals[4];             /* instances, strands, spawns, calls */

void profile_dag_start(void) {
  stack_limit = 1 << 26;
  stack = profile_reserve(&stack_limit, sizeof *stack);
  steps_limit = 1 << 30;
  steps = profile_reserve(&steps_limit, sizeof *steps);
  records = malloc((KEPT + 1) * sizeof *records);
  kept = malloc((KEPT_STEPS + 1) * sizeof *kept);
  if (!records || !kept) profile_fail("out of memory");
  profile_dag = true;
  profile_dag_enter();
}

static building *top(void) { return &stack[depth - 1]; }

void profile_dag_enter(void) {
  if (depth + 1 >= stack_limit) profile_fail("the recursion is too deep to be recorded");
  stack[depth++] = (building){.first = nsteps, .block = nsteps, .before = nsteps, .instances = 1};
}

void profile_dag_inlet(const char *name) {
  top()->inlet = name;
  top()->mark |= INLET;
}

/* What is out in this block of the procedure would be ended. */
void profile_dag_abort(void) {
  building *b = top();
  b->mark |= ABORTS;
  uint64_t end = nsteps;
  if (b->ended && depth > 1)            /* an inlet: the child that it belongs to is done */
    end = b->first - 1, b--;
  for (uint64_t i = b->block; i < end; i++)
    if (steps[i].kind == SPAWN) steps[i].mark |= ABORTED;
}

static bool alike(const step *a, const step *b) { return !memcmp(a, b, sizeof *a); }

static void times(step *s, uint64_t n) {
  s->units *= n;
  s->count *= n;
  s->work *= n;
  s->spans *= n;
  s->instances *= n;
  s->strands *= n;
  s->delivery *= n;
}

/* Steps of one block become one for each spawn in the text, before and after the critical one; or those of all
 * blocks. */
static uint64_t folded(uint64_t from, uint64_t to, bool all) {
  uint64_t out = from, group = from;
  for (uint64_t i = from, begin = from; all && i < to; i++)
    if (steps[i].kind == SYNC) {        /* of equal blocks only one is there */
      for (; begin < i && !(steps[i].mark & FOLDED); begin++) times(&steps[begin], steps[i].count);
      begin = i + 1;
    }
  for (uint64_t i = from; i < to; i++) {
    step s = steps[i];
    if (!all && s.mark & CRITICAL) {
      steps[out++] = s;
      group = out;
      continue;
    }
    step *into = NULL;
    for (uint64_t k = group; k < out && !into; k++)
      if (steps[k].kind == s.kind && steps[k].from == s.from && steps[k].of == s.of &&
          (s.kind < LOCK || steps[k].up == s.up))
        into = &steps[k];
    s.mark |= FOLDED;
    if (!into) {
      steps[out++] = s;
      continue;
    }
    into->units += s.units;
    into->count += s.count;
    into->mark |= s.mark;
    into->work += s.work;
    into->spans += s.spans;
    if (s.span > into->span) {          /* the longest stands for all */
      into->span = s.span;
      into->child = s.child;
    }
    into->instances += s.instances;
    into->strands += s.strands;
    into->delivery += s.delivery;
  }
  return out;
}

/* One step of several equal ones. */
static step one_of(const step *s) {
  step one = *s;
  if (s->count > 1 && !(s->mark & FOLDED)) {
    one.units /= s->count;
    one.work /= s->count;
    one.spans /= s->count;
    one.instances /= s->count;
    one.strands /= s->count;
    one.delivery /= s->count;
    one.count = 1;
  }
  return one;
}

/* Several equal ones are one, whose sums are those of all. */
static uint64_t compressed(uint64_t from, uint64_t to) {
  uint64_t out = from;
  step last = {0};
  for (uint64_t i = from; i < to; i++) {
    step s = steps[i], one = one_of(&s);
    if (out > from && alike(&last, &one)) {
      step *into = &steps[out - 1];
      into->units += s.units;
      into->count += s.count;
      into->work += s.work;
      into->spans += s.spans;
      into->instances += s.instances;
      into->strands += s.strands;
      into->delivery += s.delivery;
      continue;
    }
    last = one;
    steps[out++] = s;
  }
  return out;
}

/* A block that is too long to wait for its end. */
static void squeeze(building *b) {
  nsteps = compressed(b->block, nsteps);
  if (nsteps - b->block > MANY / 2) {
    nsteps = folded(b->block, nsteps, false);
    b->rough = true;
  }
}

/* The running strand is complete: a step that says what ended it. */
static step *add(enum kind kind) {
  building *b = top();
  if (nsteps - b->block >= MANY) squeeze(b);
  if (nsteps + 1 >= steps_limit) profile_fail("too many strands to be recorded");
  step *s = &steps[nsteps++];
  memset(s, 0, sizeof *s);
  s->units = profile_dag_units;
  s->count = 1;
  s->kind = kind;
  s->child = -1;
  bool on = profile_log && profile_top->now_on;
  s->mark = b->mark | (on ? ON : 0);
  b->passed |= on;
  s->inlet = b->inlet;
  b->mark = 0;
  b->inlet = NULL;
  profile_dag_units = 0;
  b->strands++;
  return s;
}

void profile_dag_call(const procedure *of) {
  totals[3]++;
  add(CALL)->of = of;
}

void profile_dag_spawn(const site *from) {
  totals[2]++;
  add(SPAWN)->from = from;
  top()->spawned++;
}

/* The child that runs fills a future; later: a touch of that. */
void profile_dag_future(uint64_t *owner, uint64_t *number) {
  *owner = depth - 2;
  *number = stack[depth - 2].spawned;
}
void profile_dag_touch(const site *from, const procedure *of, uint64_t owner, uint64_t number, bool waits) {
  step *s = add(TOUCH);
  s->from = from;
  s->of = of;
  s->up = depth - 1 - owner;
  s->ago = stack[owner].spawned - number;
  if (waits) s->mark |= WAITS;
}

/* What an inlet locks is not a step: deliveries have none. */
void profile_dag_lock(uint64_t lock, bool taken) {
  if (!top()->ended) add(taken ? LOCK : UNLOCK)->up = lock;
}

/* The step of the child with this number in its block. */
static step *critical(const building *b, uint32_t number) {
  step *longest = NULL;
  for (uint64_t i = b->block; i < nsteps; i++) {
    step *s = &steps[i];
    if (s->kind != SPAWN) continue;
    if (!b->rough) {
      if (number <= s->count) return s;
      number -= (uint32_t)s->count;
    }
    if (!longest || s->span > longest->span) longest = s;
  }
  return longest;
}

void profile_dag_sync(uint32_t children, uint32_t best, bool alone) {
  building *b = top();
  if (!children) return;                             /* nothing is out: the strand goes on */
  step *s = add(SYNC);
  if (!s->units && !s->mark) b->strands--; /* nothing between the last spawn and the sync: no strand */
  if (alone) s->mark |= ALONE;
  if (best) critical(b, best)->mark |= CRITICAL;
  step end = steps[nsteps - 1];
  nsteps = compressed(b->block, nsteps - 1);
  if (nsteps - b->block > FOLD) nsteps = folded(b->block, nsteps, false);
  steps[nsteps++] = end;
  uint64_t n = nsteps - b->block;
  b->rough = false;
  if (b->synced && b->block - b->before == n && !memcmp(&steps[b->before], &steps[b->block], (n - 1) * sizeof(step)) &&
      steps[b->block - 1].units == steps[b->block - 1].count * end.units && steps[b->block - 1].mark == end.mark) {
    steps[b->block - 1].count++;
    steps[b->block - 1].units += end.units;
    nsteps = b->block;
    return;
  }
  if (nsteps - b->first > FOLD_ALL) {
    nsteps = folded(b->first, nsteps, true);
    b->synced = false;
  } else {
    b->before = b->block;
    b->synced = true;
  }
  b->block = nsteps;
}

static uint64_t hash_of(const procedure *of, const step *s, size_t n) {
  uint64_t h = (uint64_t)(uintptr_t)of;
  const uint64_t *w = (const uint64_t *)(const void *)s;
  for (size_t i = 0; i < n * (sizeof *s / 8); i++) h = (h ^ w[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return h;
}

static uint32_t *place_of(uint64_t hash, const procedure *of, const step *s, size_t n) {
  for (size_t i = hash;; i++) {
    uint32_t *t = &table[i & (sizeof table / sizeof *table - 1)];
    if (!*t) return t;
    record *r = &records[*t - 1];
    if (r->hash == hash && r->of == of && r->steps == n && !memcmp(&kept[r->first], s, n * sizeof *s)) return t;
  }
}

static int by_work(const void *a, const void *b) {
  uint64_t x = ((const record *)a)->work, y = ((const record *)b)->work;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* The records with the most work stay: half of what there is room for. */
static void forget(void) {
  record *sorted = malloc(nrecords * sizeof *sorted);
  int64_t *now = malloc(nrecords * sizeof *now);
  if (!sorted || !now) profile_fail("out of memory");
  memcpy(sorted, records, nrecords * sizeof *sorted);
  qsort(sorted, nrecords, sizeof *sorted, by_work);
  size_t most = 0, used = 0;
  while (most < nrecords && most < KEPT / 2 && used + sorted[most].steps < KEPT_STEPS / 2) used += sorted[most++].steps;
  threshold = most < nrecords ? sorted[most].work + 1 : threshold;
  free(sorted);
  size_t n = 0, at = 0;
  for (size_t i = 0; i < nrecords; i++) {
    record r = records[i];
    now[i] = r.work < threshold ? -1 : (int64_t)n;
    if (now[i] < 0) {
      forgotten++;
      continue;
    }
    memmove(&kept[at], &kept[r.first], r.steps * sizeof *kept);
    r.first = at;
    at += r.steps;
    records[n++] = r;
  }
  nrecords = n;
  nkept = at;
  for (size_t i = 0; i < nkept; i++)
    if (kept[i].child >= 0) kept[i].child = now[kept[i].child];
  for (size_t i = 0; i < nsteps; i++)
    if (steps[i].child >= 0) steps[i].child = now[steps[i].child];
  free(now);
  memset(table, 0, sizeof table);
  for (size_t i = 0; i < nrecords; i++) {
    record *r = &records[i];
    r->hash = hash_of(r->of, &kept[r->first], r->steps);
    *place_of(r->hash, r->of, &kept[r->first], r->steps) = (uint32_t)i + 1;
  }
}

/* The instance is at its end; what still comes is its delivery. */
void profile_dag_end(void) {
  building *b = top();
  if (b->ended) return;
  step end = *add(END);
  nsteps = compressed(b->block, nsteps - 1);
  if (nsteps - b->block > FOLD) nsteps = folded(b->block, nsteps, false);
  steps[nsteps++] = end;
  b->ended = true;
}

/* work, span: without the delivery. `spawned`: else it was called. */
static int64_t record_of(const procedure *of, uint64_t work, uint64_t span, bool keep) {
  building *b = top();
  if (work < threshold && !keep) return -1;
  size_t n = nsteps - b->first;
  const step *s = &steps[b->first];
  uint64_t hash = hash_of(of, s, n);
  uint32_t *t = place_of(hash, of, s, n);
  if (*t) return *t - 1;
  if (nrecords >= KEPT || nkept + n >= KEPT_STEPS) {
    if (n > KEPT_STEPS / 4 && !keep) return -1;
    forget();
    if (work < threshold && !keep) return -1;
    s = &steps[b->first];
    hash = hash_of(of, s, n);
    t = place_of(hash, of, s, n);
  }
  *t = (uint32_t)nrecords + 1;
  memcpy(&kept[nkept], s, n * sizeof *s);
  records[nrecords] = (record){.of = of,
      .work = work,
      .span = span,
      .instances = b->instances,
      .strands = b->strands,
      .hash = hash,
      .steps = n,
      .first = nkept};
  nkept += n;
  return (int64_t)nrecords++;
}

void profile_dag_joined(const procedure *of, uint64_t work, uint64_t span, bool spawned) {
  building *b = top();
  uint64_t delivery = spawned ? profile_dag_units : 0;
  uint32_t mark = b->mark;
  const char *inlet = b->inlet;
  if (spawned) profile_dag_units = 0;
  int64_t r = record_of(of, work - delivery, span - delivery, false);
  totals[0]++;
  uint64_t instances = b->instances, strands = b->strands, first = b->first;
  bool passed = b->passed;
  depth--;
  nsteps = first;
  step *s = &steps[nsteps - 1];
  if (passed) s->mark |= PASSED, top()->passed = true;
  s->of = of;
  s->child = r;
  s->work = work - delivery;
  s->span = s->spans = span - delivery;
  s->instances = instances;
  s->strands = strands;
  s->delivery = delivery;
  s->mark |= (mark & (INLET | ABORTS)) << DELIVERY;
  if (inlet) s->inlet = inlet;
  top()->instances += instances;
  top()->strands += strands;
}

/* ---- the file ---- */

static FILE *out;

static void text(const char *s) { cilk_json_string(out, s); }

/* Rows: procedures [name, file, line]; spawns [file, line, column, procedure, alone]; records [procedure, work, span,
 * instances, strands, [steps]]; a step [kind, units, count, mark, spawn, procedure, record, work, span, instances,
 * strands, delivery, inlet, sum of the spans]. What comes after `mark` is missing from a sync and an end. Of a touch
 * it is spawn, procedure, levels up, spawns ago, inlet. Of a lock that is taken or released it is the number of the
 * lock. -1: none. */
void profile_dag_write(const char *file, uint64_t work, uint64_t span) {
  profile_dag_end();
  int64_t root = record_of(NULL, work, span, true);
  out = fopen(file, "we");
  if (!out) profile_fail("the dag cannot be written");
  fprintf(out,
      "{\"root\":%" PRId64 ",\"work\":%" PRIu64 ",\"span\":%" PRIu64 ",\"instances\":%" PRIu64 ",\"strands\":%" PRIu64
      ",\"spawns\":%" PRIu64 ",\"calls\":%" PRIu64 ",\"threshold\":%" PRIu64 ",\"forgotten\":%" PRIu64
      ",\n\"procedures\":[",
      root, work, span, totals[0], top()->strands, totals[2], totals[3], threshold, forgotten);
  for (procedure *p = profile_procedures_begin; p < profile_procedures_end; p++) {
    fputs(p > profile_procedures_begin ? ",\n[" : "\n[", out);
    text(p->name);
    putc(',', out);
    text(p->file);
    fprintf(out, ",%" PRIu64 "]", p->line);
  }
  fputs("],\n\"sites\":[", out);
  for (site *s = profile_sites_begin; s < profile_sites_end; s++) {
    fputs(s > profile_sites_begin ? ",\n[" : "\n[", out);
    text(s->file);
    fprintf(out, ",%" PRIu32 ",%" PRIu32 ",", s->line, s->column);
    text(s->procedure);
    fprintf(out, ",%" PRIu64 "]", s->alone);
  }
  fputs("],\n\"records\":[", out);
  for (size_t i = 0; i < nrecords; i++) {
    record *r = &records[i];
    fprintf(out, "%s[%td,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",[", i ? ",\n" : "\n",
        r->of ? r->of - profile_procedures_begin : (ptrdiff_t)-1, r->work, r->span, r->instances, r->strands);
    for (size_t k = 0; k < r->steps; k++) {
      step *s = &kept[r->first + k];
      fprintf(out, "%s[%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32, k ? "," : "", s->kind, s->units, s->count,
          s->mark);
      if (s->kind == SPAWN || s->kind == CALL) {
        fprintf(out, ",%td,%td,%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
            s->from ? s->from - profile_sites_begin : (ptrdiff_t)-1,
            s->of ? s->of - profile_procedures_begin : (ptrdiff_t)-1, s->child, s->work, s->span, s->instances,
            s->strands, s->delivery);
        text(s->inlet);
        fprintf(out, ",%" PRIu64, s->spans);
      } else if (s->kind == TOUCH) {
        fprintf(out, ",%td,%td,%" PRIu64 ",%" PRIu64 ",", s->from ? s->from - profile_sites_begin : (ptrdiff_t)-1,
            s->of ? s->of - profile_procedures_begin : (ptrdiff_t)-1, s->up, s->ago);
        text(s->inlet);
      } else if (s->kind >= LOCK) fprintf(out, ",%" PRIu64, s->up);
      else if (s->inlet) {
        putc(',', out);
        text(s->inlet);
      }
      putc(']', out);
    }
    fputs("]]", out);
  }
  fputs("]}\n", out);
  if (ferror(out) | fclose(out)) {
    remove(file);
    profile_fail("the dag cannot be written");
  }
}
