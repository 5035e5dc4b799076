/* play.c - a recorded dag of Cilk-5 (dag_model.py) played as threads of Cilk-1, for `cilkc simulate`: so it is scheduled by the pools and the policy of the runtime, on
 * virtual processors. Usage: play FILE; the file is what simulate.py makes of the dag.
 *
 * A strand is a thread, which is as long as the units that were counted in it. Where it ends with a spawn it posts two closures: the strand behind the spawn, a successor, at its own
 * level, and the child's first strand one level deeper. The processor goes on with the deeper one and thieves take the shallower one, as Cilk-5 has it: work first, the
 * oldest frame is stolen. The children of a sync block and the strand before the sync each send to the closure of what comes behind it. */
#include <stdio.h>
#include <stdlib.h>
#include "rt/cilk1/cilk1.h"

struct CilkContext *Cilk_init(int *argc, char **argv);
void Cilk_terminate(struct CilkContext *);
const char cilk_units_build = 1; /* threads are as long as their units */

enum kind { SPAWN, CALL, SYNC, END };
typedef struct step {
  uint64_t kind, units, count, folded;
  int64_t record;
  uint64_t work, span, delivery;
} step;
typedef struct record {
  uint64_t steps;
  step *first;
} record;
static record *records;
static uint64_t root;

/* What is left of an instance, and whom it tells. */
typedef struct place {
  cilk_cont parent; /* gets an empty argument when the instance is over */
  uint64_t delivery; /* units of that */
  uint32_t record, at, i, block; /* step, which of its equal ones, which of the equal blocks */
} place;

struct strand {
  place p;
  cilk_cont join;
}; /* join: of the running block; where it has no spawns, nothing */
struct grain {
  cilk_cont parent;
  uint64_t delivery, work, parts;
};
struct both {
  cilk_cont parent;
  uint64_t delivery;
};

static void strand_run(cilk_worker *w, cilk1_closure *c);
static void behind_run(cilk_worker *w, cilk1_closure *c);
static void grain_run(cilk_worker *w, cilk1_closure *c);
static void both_run(cilk_worker *w, cilk1_closure *c);
#define ROW(T, field) {#field, CILK1_ARGS + (uint32_t)offsetof(struct T, field), sizeof(cilk_cont), CILK1_SLOT_CONT, 0}
#define THREAD(name, T, rows) {name##_run, #name, __FILE__, __LINE__, CILK1_ARGS + sizeof(struct T), sizeof rows / sizeof *rows, 0, rows, NULL}
static const cilk1_slot strand_rows[] = {ROW(strand, p.parent), ROW(strand, join)}, grain_rows[] = {ROW(grain, parent)}, both_rows[] = {ROW(both, parent)};
static const cilk1_thread strand = THREAD(strand, strand, strand_rows), behind = THREAD(behind, strand, strand_rows), grain = THREAD(grain, grain, grain_rows),
                          both = THREAD(both, both, both_rows);
#define ARGS(T, c) ((struct T *)(void *)((char *)(c) + CILK1_ARGS))

static void tell(cilk_worker *w, cilk_cont k, uint64_t delivery) {
  w->units += delivery;
  cilk1_send(w, k, "", 0);
}

/* What was not recorded in full: as many equal strands as its work holds its span. */
static void spawn_grain(cilk_worker *w, cilk_cont parent, uint64_t delivery, uint64_t work, uint64_t parts) {
  cilk1_closure *c = cilk1_spawn(w, &grain, 0);
  *ARGS(grain, c) = (struct grain){parent, delivery, work, parts};
  cilk1_ready(w, c);
}

static void grain_run(cilk_worker *w, cilk1_closure *c) {
  struct grain g = *ARGS(grain, c);
  if (g.parts <= 1) {
    w->units += g.work;
    tell(w, g.parent, g.delivery);
    return;
  }
  cilk1_closure *s = cilk1_spawn_next(w, &both, 2);
  *ARGS(both, s) = (struct both){g.parent, g.delivery};
  cilk_cont k = cilk1_cont(s, CILK1_ARGS);
  uint64_t half = g.parts / 2, work = g.work / g.parts * half;
  spawn_grain(w, k, 0, g.work - work, g.parts - half);
  spawn_grain(w, k, 0, work, half);
}

static void both_run(cilk_worker *w, cilk1_closure *c) {
  struct both b = *ARGS(both, c);
  tell(w, b.parent, b.delivery);
}

/* What one of a step's equal ones has of the sum. */
static uint64_t share(uint64_t sum, const step *s, uint32_t i) { return sum / s->count + (i < sum % s->count); }

static void spawn_child(cilk_worker *w, const step *s, uint32_t i, cilk_cont parent) {
  uint64_t work = share(s->work, s, i), delivery = share(s->delivery, s, i);
  if (s->record < 0 || s->folded) spawn_grain(w, parent, delivery, work, s->span && s->span < work ? work / s->span : 1);
  else {
    cilk1_closure *c = cilk1_spawn(w, &strand, 0);
    *ARGS(strand, c) = (struct strand){{parent, delivery, (uint32_t)s->record, 0, 0, 0}, {NULL, 0, 0}};
    cilk1_ready(w, c);
  }
}

/* From a place on; at the begin of a block there is no join yet. */
static void go(cilk_worker *w, place p, cilk_cont join, int begins) {
  const record *r = &records[p.record];
  for (;; begins = 1) {
    if (begins) {
      uint32_t end = p.at;
      uint64_t spawns = 0;
      for (; r->first[end].kind != SYNC && r->first[end].kind != END; end++) spawns += r->first[end].kind == SPAWN ? r->first[end].count : 0;
      join = (cilk_cont){NULL, 0, 0};
      if (spawns) {
        cilk1_closure *s = cilk1_spawn_next(w, &behind, (uint32_t)spawns + 1);
        *ARGS(strand, s) = (struct strand){p, join};
        ARGS(strand, s)->p.at = end;
        join = cilk1_cont(s, CILK1_ARGS);
      }
    }
    const step *s = &r->first[p.at];
    w->units += share(s->units, s, s->kind == SYNC ? p.block : p.i);
    if (s->kind == SPAWN || s->kind == CALL) {
      place next = p;
      if (++next.i == s->count) next.at++, next.i = 0;
      cilk1_closure *c = cilk1_spawn_next(w, &strand, s->kind == CALL);
      *ARGS(strand, c) = (struct strand){next, join};
      if (s->kind == SPAWN) cilk1_ready(w, c);
      spawn_child(w, s, p.i, s->kind == SPAWN ? join : cilk1_cont(c, CILK1_ARGS));
      return;
    }
    if (join.closure) {
      tell(w, join, 0);
      return;
    }
    if (s->kind == END) {
      tell(w, p.parent, p.delivery);
      return;
    }
    /* A sync that waits for nobody. */
    if (++p.block < s->count)
      for (; p.at && r->first[p.at - 1].kind != SYNC; p.at--);
    else p.at++, p.block = 0;
  }
}

static void strand_run(cilk_worker *w, cilk1_closure *c) {
  struct strand a = *ARGS(strand, c);
  go(w, a.p, a.join, !a.join.closure && a.p.i == 0 && (a.p.at == 0 || records[a.p.record].first[a.p.at - 1].kind == SYNC));
}

/* Behind a sync for which somebody was waited. */
static void behind_run(cilk_worker *w, cilk1_closure *c) {
  struct strand a = *ARGS(strand, c);
  place p = a.p;
  const record *r = &records[p.record];
  if (r->first[p.at].kind == END) {
    tell(w, p.parent, p.delivery);
    return;
  }
  if (++p.block < r->first[p.at].count)
    for (; p.at && r->first[p.at - 1].kind != SYNC; p.at--);
  else p.at++, p.block = 0;
  go(w, p, a.join, 1);
}

static void thunk(void *args, void *result) {
  (void)args, (void)result;
  cilk_worker *w = cilk1_worker();
  cilk_cont k = cilk1_root(w, 0);
  cilk1_closure *c = cilk1_first(w, &strand);
  *ARGS(strand, c) = (struct strand){{k, 0, (uint32_t)root, 0, 0, 0}, {NULL, 0, 0}};
  cilk1_ready(w, c);
}
static const cilk_root play = {thunk, "play", 0, 0};

static uint64_t number(FILE *in) {
  long long n = 0;
  if (fscanf(in, "%lld", &n) != 1) {
    fprintf(stderr, "play: the dag is not complete\n");
    exit(1);
  }
  return (uint64_t)n;
}

static void *room(uint64_t n, size_t each) {
  void *p = calloc(n ? n : 1, each);
  if (!p) {
    fprintf(stderr, "play: out of memory\n");
    exit(1);
  }
  return p;
}

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  FILE *in = ctx && argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!in) return 2;
  root = number(in);
  uint64_t n = number(in);
  records = room(n, sizeof *records);
  for (uint64_t i = 0; i < n; i++) {
    records[i].steps = number(in);
    records[i].first = room(records[i].steps, sizeof(step));
    for (uint64_t k = 0; k < records[i].steps; k++) {
      step *s = &records[i].first[k];
      s->kind = number(in), s->units = number(in), s->count = number(in), s->folded = number(in), s->record = (int64_t)number(in);
      s->work = number(in), s->span = number(in), s->delivery = number(in);
    }
  }
  fclose(in);
  char nothing;
  cilk_rt_call_root(ctx, &play, &nothing, &nothing);
  Cilk_terminate(ctx);
  return 0;
}
