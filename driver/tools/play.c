/* play.c - a recorded dag of Cilk-5 (dag_model.py) played as threads of Cilk-1, for `cilkc simulate`: so it is scheduled by the pools and the policy of the runtime, on
 * virtual processors. Usage: play FILE; the file is what simulate.py makes of the dag.
 *
 * A strand is a thread, which is as long as the units that were counted in it. Where it ends with a spawn it posts two closures: the strand behind the spawn, a successor, at its own
 * level, and the child's first strand one level deeper. The processor goes on with the deeper one and thieves take the shallower one, as Cilk-5 has it: work first, the
 * oldest frame is stolen. The children of a sync block and the strand before the sync each send to the closure of what comes behind it.
 *
 * What excludes each other has a `gate`, the time at which it is free again: a lock has one, and an instance whose children's results are taken by inlets or op=. A section
 * under a lock and such a delivery are threads of their own. Threads begin in the order of virtual time, so each waits, on its processor, until its gate is free, and sets it
 * to its end. Where a second lock is taken, or anything spawned, under a lock, its end is not known: the gate is HELD until then, and a processor that waits looks again and again. */
#include <stdio.h>
#include <stdlib.h>
#include "rt/cilk1/simulate.h"

struct CilkContext *Cilk_init(int *argc, char **argv);
void Cilk_terminate(struct CilkContext *);
const char cilk_units_build = 1; /* threads are as long as their units */

enum mark { FOLDED = 1, ALONE = 2 }; /* of different children; their results are taken one at a time */
enum kind { SPAWN, CALL, SYNC, END, LOCKED = 7, TAKE, RELEASE };
typedef struct step {
  uint64_t kind, units, count, marks;
  int64_t record;
  uint64_t work, span, delivery;
} step;
typedef struct record {
  uint64_t steps, gated;
  step *first;
} record;
static record *records;
static uint64_t root;

typedef uint64_t gate;
static const gate HELD = UINT64_MAX;
static gate *locks;
static uint64_t look_again; /* after so many units */

/* What is left of an instance, and whom it tells. */
typedef struct place {
  cilk_cont parent; /* gets an empty argument when the instance is over */
  gate *of_parent, *own; /* NULL: nothing to exclude */
  uint64_t delivery; /* units of that */
  uint32_t record, at, i, block; /* step, which of its equal ones, which of the equal blocks */
} place;

struct strand {
  place p;
  cilk_cont join;
}; /* join: of the running block; where it has no spawns, nothing */
struct section {
  struct strand then;
  uint64_t lock, units, held; /* held: until a RELEASE */
};
struct grain {
  cilk_cont parent;
  gate *of_parent;
  uint64_t delivery, work, parts;
};
struct both {
  cilk_cont parent;
  gate *of_parent;
  uint64_t delivery;
};

static void strand_run(cilk_worker *w, cilk1_closure *c);
static void behind_run(cilk_worker *w, cilk1_closure *c);
static void grain_run(cilk_worker *w, cilk1_closure *c);
static void both_run(cilk_worker *w, cilk1_closure *c);
static void section_run(cilk_worker *w, cilk1_closure *c);
static void deliver_run(cilk_worker *w, cilk1_closure *c);
#define ROW(T, field) {#field, CILK1_ARGS + (uint32_t)offsetof(struct T, field), sizeof(cilk_cont), CILK1_SLOT_CONT, 0}
#define THREAD(name, T, rows) {name##_run, #name, __FILE__, __LINE__, CILK1_ARGS + sizeof(struct T), sizeof rows / sizeof *rows, 0, rows, NULL}
static const cilk1_slot strand_rows[] = {ROW(strand, p.parent), ROW(strand, join)}, grain_rows[] = {ROW(grain, parent)}, both_rows[] = {ROW(both, parent)},
                        section_rows[] = {ROW(section, then.p.parent), ROW(section, then.join)};
static const cilk1_thread strand = THREAD(strand, strand, strand_rows), behind = THREAD(behind, strand, strand_rows), grain = THREAD(grain, grain, grain_rows),
                          both = THREAD(both, both, both_rows), section = THREAD(section, section, section_rows), deliver = THREAD(deliver, both, both_rows);
#define ARGS(T, c) ((struct T *)(void *)((char *)(c) + CILK1_ARGS))

static void *room(uint64_t n, size_t each) {
  void *p = calloc(n ? n : 1, each);
  if (!p) {
    fprintf(stderr, "play: out of memory\n");
    exit(1);
  }
  return p;
}

/* Alone between the two. */
static void enter(cilk_worker *w, const gate *g) {
  if (g) cilk1_simulated_wait(w, *g);
}
static void leave(cilk_worker *w, gate *g) {
  if (g) *g = cilk1_simulated_now(w);
}

static void tell(cilk_worker *w, cilk_cont k, gate *of, uint64_t delivery) {
  if (of && delivery) {
    cilk1_closure *c = cilk1_spawn_next(w, &deliver, 0);
    *ARGS(both, c) = (struct both){k, of, delivery};
    cilk1_ready(w, c);
    return;
  }
  w->units += delivery;
  cilk1_send(w, k, "", 0);
}

static void deliver_run(cilk_worker *w, cilk1_closure *c) {
  struct both d = *ARGS(both, c);
  w->pool->begun--;
  enter(w, d.of_parent);
  w->units += d.delivery;
  leave(w, d.of_parent);
  cilk1_send(w, d.parent, "", 0);
}

/* What was not recorded in full: as many equal strands as its work holds its span. */
static void spawn_grain(cilk_worker *w, cilk_cont parent, gate *of, uint64_t delivery, uint64_t work, uint64_t parts) {
  cilk1_closure *c = cilk1_spawn(w, &grain, 0);
  *ARGS(grain, c) = (struct grain){parent, of, delivery, work, parts};
  cilk1_ready(w, c);
}

static void grain_run(cilk_worker *w, cilk1_closure *c) {
  struct grain g = *ARGS(grain, c);
  if (g.parts <= 1) {
    w->units += g.work;
    tell(w, g.parent, g.of_parent, g.delivery);
    return;
  }
  cilk1_closure *s = cilk1_spawn_next(w, &both, 2);
  *ARGS(both, s) = (struct both){g.parent, g.of_parent, g.delivery};
  cilk_cont k = cilk1_cont(s, CILK1_ARGS);
  uint64_t half = g.parts / 2, work = g.work / g.parts * half;
  spawn_grain(w, k, NULL, 0, g.work - work, g.parts - half);
  spawn_grain(w, k, NULL, 0, work, half);
}

static void both_run(cilk_worker *w, cilk1_closure *c) {
  struct both b = *ARGS(both, c);
  tell(w, b.parent, b.of_parent, b.delivery);
}

/* What one of a step's equal ones has of the sum. */
static uint64_t share(uint64_t sum, const step *s, uint32_t i) { return sum / s->count + (i < sum % s->count); }

static gate *new_gate(int64_t of) { return records[of].gated ? room(1, sizeof(gate)) : NULL; }

static void spawn_child(cilk_worker *w, const step *s, uint32_t i, gate *of, cilk_cont parent) {
  uint64_t work = share(s->work, s, i), delivery = share(s->delivery, s, i);
  if (s->record < 0 || s->marks & FOLDED) spawn_grain(w, parent, of, delivery, work, s->span && s->span < work ? work / s->span : 1);
  else {
    cilk1_closure *c = cilk1_spawn(w, &strand, 0);
    *ARGS(strand, c) = (struct strand){{parent, of, new_gate(s->record), delivery, (uint32_t)s->record, 0, 0, 0}, {NULL, 0, 0}};
    cilk1_ready(w, c);
  }
}

/* The instance is over. */
static void end(cilk_worker *w, place p) {
  free(p.own);
  tell(w, p.parent, p.of_parent, p.delivery);
}

static void under_lock(cilk_worker *w, struct section a, uint64_t when) {
  cilk1_closure *c = cilk1_spawn_next(w, &section, 0);
  *ARGS(section, c) = a;
  c->when = when;
  cilk1_ready(w, c);
}

/* From a place on; at the begin of a block there is no join yet. */
static void go(cilk_worker *w, place p, cilk_cont join, int begins) {
  const record *r = &records[p.record];
  for (;;) {
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
    place next = p;
    if (++next.i == s->count) next.at++, next.i = 0;
    if (s->kind == LOCKED || s->kind == TAKE) {
      under_lock(w, (struct section){{next, join}, (uint64_t)s->record, share(s->work, s, p.i), s->kind == TAKE}, 0);
      return;
    }
    if (s->kind == RELEASE) {
      leave(w, &locks[s->record]);
      p = next;
      begins = 0;
      continue;
    }
    if (s->kind == SPAWN || s->kind == CALL) {
      cilk1_closure *c = cilk1_spawn_next(w, &strand, s->kind == CALL);
      *ARGS(strand, c) = (struct strand){next, join};
      if (s->kind == SPAWN) cilk1_ready(w, c);
      spawn_child(w, s, p.i, s->marks & ALONE ? p.own : NULL, s->kind == SPAWN ? join : cilk1_cont(c, CILK1_ARGS));
      return;
    }
    if (join.closure) {
      tell(w, join, NULL, 0);
      return;
    }
    if (s->kind == END) {
      end(w, p);
      return;
    }
    /* A sync that waits for nobody. */
    if (++p.block < s->count)
      for (; p.at && r->first[p.at - 1].kind != SYNC; p.at--);
    else p.at++, p.block = 0;
    begins = 1;
  }
}

static void strand_run(cilk_worker *w, cilk1_closure *c) {
  struct strand a = *ARGS(strand, c);
  go(w, a.p, a.join, !a.join.closure && a.p.i == 0 && (a.p.at == 0 || records[a.p.record].first[a.p.at - 1].kind == SYNC));
}

static void section_run(cilk_worker *w, cilk1_closure *c) {
  enum { MOST_LOOKS = 1000000 }; /* a deadlock of the schedule that is played is none of the program */
  static uint64_t looks;
  struct section a = *ARGS(section, c);
  gate *g = &locks[a.lock];
  w->pool->begun--; /* no strand */
  if (*g == HELD && looks++ < MOST_LOOKS) {
    under_lock(w, a, cilk1_simulated_now(w) + look_again);
    return;
  }
  looks = 0;
  if (*g != HELD) enter(w, g);
  w->units += a.units;
  leave(w, g);
  if (a.held) *g = HELD;
  go(w, a.then.p, a.then.join, 0);
}

/* After a sync for which somebody was waited. */
static void behind_run(cilk_worker *w, cilk1_closure *c) {
  struct strand a = *ARGS(strand, c);
  place p = a.p;
  const record *r = &records[p.record];
  if (r->first[p.at].kind == END) {
    end(w, p);
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
  *ARGS(strand, c) = (struct strand){{k, NULL, new_gate((int64_t)root), 0, (uint32_t)root, 0, 0, 0}, {NULL, 0, 0}};
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

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  FILE *in = ctx && argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!in) return 2;
  locks = room(number(in), sizeof *locks);
  look_again = number(in);
  root = number(in);
  uint64_t n = number(in);
  records = room(n, sizeof *records);
  for (uint64_t i = 0; i < n; i++) {
    records[i].steps = number(in), records[i].gated = number(in);
    records[i].first = room(records[i].steps, sizeof(step));
    for (uint64_t k = 0; k < records[i].steps; k++) {
      step *s = &records[i].first[k];
      s->kind = number(in), s->units = number(in), s->count = number(in), s->marks = number(in), s->record = (int64_t)number(in);
      s->work = number(in), s->span = number(in), s->delivery = number(in);
    }
  }
  fclose(in);
  char nothing;
  cilk_rt_call_root(ctx, &play, &nothing, &nothing);
  Cilk_terminate(ctx);
  return 0;
}
