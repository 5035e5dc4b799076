/* tally.c - a table in each pool, by the thread's address, for its owner alone; at the end of a computation they are
 * added up, by name and place. */
#include "tally.h"
#include "protocol/exit.h"
#include "base/array.h"
#include "base/fault.h"
#include "base/table.h"
#include "observe/span.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cilk1_row {
  const cilk1_thread *thread;
  uint64_t calls, length, longest;
} row;

/* The sum. Names are constants of an image that may go: they are copied. */
static struct {
  uint32_t lock;
  struct place {
    char *name, *file;
    uint32_t line;
    row of;
  } *places;
  size_t n, room;
  uint64_t work, span, computations;
  uint64_t procedures, procedure_work;    /* of Cilk-5, called by threads */
} all;

static _Noreturn void fail(void) { cilk_fatal("out of memory (the table of threads)"); }

static bool wanted(void) {
  static int known = -1;                  /* relaxed: all first callers write the same */
  int is = load_relaxed(&known);
  if (is < 0) {
    const char *file = getenv("CILK_THREADS");
    store_relaxed(&known, is = file && *file);
  }
  return is;
}

void cilk1_tally(cilk1_home *h, const cilk1_thread *t) {
  if (!wanted() || t == &h->run->thread) return;
  if (!CILK_TABLE_ROOM(h->tally, h->tallied, h->tally_room, 32, thread)) fail();
  row *r = CILK_TABLE_ROW(h->tally, h->tally_room, thread, t);
  h->tallied += !r->thread;
  r->thread = t;
  r->calls++;
  r->length += h->so_far;
  r->longest = h->so_far > r->longest ? h->so_far : r->longest;
}

static char *copy(const char *text) {
  char *p = strdup(text);
  if (!p) fail();
  return p;
}

static row *place_of(const cilk1_thread *t) {
  struct place *p = all.places;
  for (; p < all.places + all.n; p++)
    if (p->line == t->line && strcmp(p->name, t->name) == 0 && strcmp(p->file, t->file) == 0) return &p->of;
  if (!CILK_ROOM_FOR(all.places, all.n, all.room, 16)) fail();
  p = &all.places[all.n++];
  *p = (struct place){copy(t->name), copy(t->file), t->line, {NULL, 0, 0, 0}};
  return &p->of;
}

void cilk1_tally_home(cilk1_home *h) {
  if (!h->tally) return;
  cilk_spin_lock(&all.lock);
  for (uint32_t i = 0; i < h->tally_room; i++) {
    row *r = &h->tally[i];
    if (!r->thread) continue;
    row *to = place_of(r->thread);
    to->calls += r->calls;
    to->length += r->length;
    to->longest = r->longest > to->longest ? r->longest : to->longest;
  }
  cilk_spin_unlock(&all.lock);
  free(h->tally);
  h->tally = NULL;
}

void cilk1_tally_computation(uint64_t work, uint64_t span) {
  if (!wanted()) return;
  cilk_spin_lock(&all.lock);
  all.work += work;
  all.span += span;
  all.computations++;
  cilk_spin_unlock(&all.lock);
}

void cilk1_tally_procedure(uint64_t work) {
  if (!wanted()) return;
  __atomic_fetch_add(&all.procedures, 1u, __ATOMIC_RELAXED);
  __atomic_fetch_add(&all.procedure_work, work, __ATOMIC_RELAXED);
}

void cilk1_tally_report(cilk_context *ctx) {
  FILE *out = wanted() ? fopen(getenv("CILK_THREADS"), "w") : NULL;
  if (!out) return;
  fprintf(out,
      "{\"unit\": \"%s\", \"computations\": %llu, \"work\": %llu, \"span\": %llu, \"procedures\": %llu, \"all_work\": %llu, \"all_span\": %llu, \"threads\": [",
      cilk_span_counted() ? "units" : "ns", (unsigned long long)all.computations, (unsigned long long)all.work,
      (unsigned long long)all.span, (unsigned long long)all.procedures, (unsigned long long)ctx->work,
      (unsigned long long)ctx->span);
  for (size_t i = 0; i < all.n; i++) {
    const struct place *p = &all.places[i];
    fprintf(out, "%s\n{\"name\": ", i ? "," : "");
    cilk_json_string(out, p->name);
    fprintf(out, ", \"file\": ");
    cilk_json_string(out, p->file);
    fprintf(out, ", \"line\": %u, \"calls\": %llu, \"work\": %llu, \"longest\": %llu}", p->line,
        (unsigned long long)p->of.calls, (unsigned long long)p->of.length, (unsigned long long)p->of.longest);
  }
  fprintf(out, "]}\n");
  fclose(out);
}
