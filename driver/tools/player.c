/* player.c - a recorded dag of Cilk-5 (dag_model.py) played as threads of Cilk-1, for `cilkc simulate`: so it is
 * scheduled by the pools and the policy of the runtime, on virtual processors. Usage: player FILE; the file is what
 * simulate.py makes of the dag.
 *
 * A strand is a thread, which is as long as the units that were counted in it. Where it ends with a spawn it posts two
 * closures: the strand after the spawn, a successor, at its own level, and the child's first strand one level deeper.
 * The processor goes on with the deeper one and thieves take the shallower one, as Cilk-5 has it: work first, the
 * oldest frame is stolen. The children of a sync block and the strand before the sync each send to the closure of what
 * comes after it.
 *
 * What excludes each other has a `gate`, the time at which it is free again: a lock has one, and an instance whose
 * children's results are taken by inlets or op=. A section under a lock and such a delivery are threads of their own.
 * Threads begin in the order of virtual time, so each waits, on its processor, until its gate is free, and sets it to
 * its end. Where a second lock is taken, or anything spawned, under a lock, its end is not known: the gate is HELD
 * until then, and a processor that waits looks again and again. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "rt/extensions/cilk1/simulate.h"

struct CilkContext *Cilk_init(int *argc, char **argv);
void Cilk_terminate(struct CilkContext *);
const char cilk_units_build = 1; /* threads are as long as their units */

enum mark { FOLDED = 1, ALONE = 2 }; /* of different children; their results are taken one at a time */
enum kind {
#define KIND(name) name,
#include "rt/tools/profile/profile.def"
  LOCKED,
  TAKE,
  RELEASE
};
typedef struct step {
  uint64_t kind, units, count, marks;
  int64_t record;
  uint64_t work, span, delivery, up, ago, spans; /* span: the longest of several; spans: their sum */
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

/* What others may ask of an instance, where it is gated or the program touches futures. */
typedef struct instance {
  struct instance *up;
  uint64_t number, spawned; /* which child it is; children so far */
  gate gate;
  struct child {
    uint64_t over; /* at that time; 0: it is not */
    cilk_cont *waits;
    size_t nwaits;
  } *children;
} instance;
static uint64_t touches; /* does the program touch futures? */

/* What happens at the end of an instance. */
typedef struct ending {
  cilk_cont parent; /* gets an empty argument */
  instance *of; /* the parent; NULL: it is of no interest */
  uint64_t number, alone; /* in it; alone: its gate is for the delivery */
  uint64_t delivery; /* units of that */
} ending;

/* What is left of an instance. */
typedef struct place {
  ending end;
  instance *own;
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
  ending end;
  uint64_t work, parts, first; /* first: the length of one of the parts; 0: they are equal */
};
struct both {
  ending end;
};

static void strand_run(cilk_worker *w, cilk1_closure *c);
static void after_run(cilk_worker *w, cilk1_closure *c);
static void grain_run(cilk_worker *w, cilk1_closure *c);
static void both_run(cilk_worker *w, cilk1_closure *c);
static void section_run(cilk_worker *w, cilk1_closure *c);
static void deliver_run(cilk_worker *w, cilk1_closure *c);
#define ROW(T, field) {#field, CILK1_ARGS + (uint32_t)offsetof(struct T, field), sizeof(cilk_cont), CILK1_SLOT_CONT, 0}
#define THREAD(name, T, rows) \
  {name##_run, #name, __FILE__, __LINE__, CILK1_ARGS + sizeof(struct T), sizeof rows / sizeof *rows, 0, rows, NULL}
static const cilk1_slot strand_rows[] = {ROW(strand, p.end.parent), ROW(strand, join)},
                        grain_rows[] = {ROW(grain, end.parent)}, both_rows[] = {ROW(both, end.parent)},
                        section_rows[] = {ROW(section, then.p.end.parent), ROW(section, then.join)};
static const cilk1_thread strand = THREAD(strand, strand, strand_rows), after = THREAD(after, strand, strand_rows),
                          grain = THREAD(grain, grain, grain_rows), both = THREAD(both, both, both_rows),
                          section = THREAD(section, section, section_rows), deliver = THREAD(deliver, both, both_rows);
#define ARGS(T, c) ((struct T *)(void *)((char *)(c) + CILK1_ARGS))

static void *room(uint64_t n, size_t each) {
  void *p = calloc(n ? n : 1, each);
  if (!p) {
    fprintf(stderr, "play: out of memory\n");
    exit(1);
  }
  return p;
}

/* Its next child. */
static uint64_t new_child(instance *of) {
  if (!of) return 0;
  uint64_t n = of->spawned++;
  if (touches && (n & (n - 1)) == 0) {
    struct child *more = room(n ? 2 * n : 1, sizeof *more);
    for (uint64_t i = 0; i < n; i++) more[i] = of->children[i];
    free(of->children);
    of->children = more;
  }
  return n + 1;
}

static void over(cilk_worker *w, ending e) {
  w->units += e.delivery;
  if (e.of && e.alone) e.of->gate = cilk1_simulated_now(w);
  if (e.of && touches) {
    struct child *c = &e.of->children[e.number - 1];
    c->over = 1 + cilk1_simulated_now(w);
    for (size_t i = 0; i < c->nwaits; i++) cilk1_send(w, c->waits[i], "", 0);
    free(c->waits);
    c->waits = NULL, c->nwaits = 0;
  }
  cilk1_send(w, e.parent, "", 0);
}

static void deliver_end(cilk_worker *w, ending e) {
  if (!e.alone || !e.of || !e.delivery) {
    over(w, e);
    return;
  }
  cilk1_closure *c = cilk1_spawn_next(w, &deliver, 0);
  *ARGS(both, c) = (struct both){e};
  cilk1_ready(w, c);
}

static void deliver_run(cilk_worker *w, cilk1_closure *c) {
  ending e = ARGS(both, c)->end;
  w->pool->begun--;
  cilk1_simulated_wait(w, e.of->gate);
  over(w, e);
}

/* What was not recorded in full: a strand as long as its span, and beside it the rest of its work in strands that are
 * not longer. */
static void spawn_grain(cilk_worker *w, ending e, uint64_t work, uint64_t parts, uint64_t first) {
  cilk1_closure *c = cilk1_spawn(w, &grain, 0);
  *ARGS(grain, c) = (struct grain){e, work, parts, first};
  cilk1_ready(w, c);
}
static void spawn_unknown(cilk_worker *w, ending e, uint64_t work, uint64_t span) {
  bool several = span && span < work;
  spawn_grain(w, e, work, several ? 1 + (work - 1) / span : 1, several ? span : 0);
}

static void grain_run(cilk_worker *w, cilk1_closure *c) {
  struct grain g = *ARGS(grain, c);
  if (g.parts <= 1) {
    w->units += g.work;
    deliver_end(w, g.end);
    return;
  }
  cilk1_closure *s = cilk1_spawn_next(w, &both, 2 * CILK1_NOTHING);
  *ARGS(both, s) = (struct both){g.end};
  ending part = {.parent = cilk1_cont(s, CILK1_NOTHING)};
  uint64_t half = g.parts / 2, work = g.work / g.parts * half + g.work % g.parts * half / g.parts;
  if (g.first) half = 1, work = g.first;
  spawn_grain(w, part, g.work - work, g.parts - half, 0);
  spawn_grain(w, part, work, half, 0);
}

static void both_run(cilk_worker *w, cilk1_closure *c) { deliver_end(w, ARGS(both, c)->end); }

/* What one of a step's equal ones has of the sum. */
static uint64_t share(uint64_t sum, const step *s, uint32_t i) { return sum / s->count + (i < sum % s->count); }

static instance *new_instance(int64_t record, instance *up, uint64_t number) {
  if (!records[record].gated && !touches) return NULL;
  instance *n = room(1, sizeof *n);
  n->up = up, n->number = number;
  return n;
}

static void spawn_child(cilk_worker *w, const step *s, uint32_t i, instance *of, cilk_cont parent) {
  uint64_t work = share(s->work, s, i);
  bool spawned = s->kind == SPAWN;
  uint64_t number = spawned ? new_child(of) : of ? of->spawned : 0;
  ending e = {parent, spawned ? of : NULL, number, s->marks & ALONE, share(s->delivery, s, i)};
  if (s->marks & FOLDED && spawned && s->count > 1) {
    /* of children that are parallel the longest is the first */
    step rest = *s;
    uint64_t first = work > s->span ? work : s->span;
    rest.count--, rest.work -= first, rest.spans -= s->span;
    spawn_unknown(w, e, i ? share(rest.work, &rest, i - 1) : first, i ? share(rest.spans, &rest, i - 1) : s->span);
  } else if (s->record < 0 || s->marks & FOLDED) {
    spawn_unknown(w, e, work, s->marks & FOLDED ? share(s->spans, s, i) : s->span);
  } else {
    cilk1_closure *c = cilk1_spawn(w, &strand, 0);
    *ARGS(strand, c) =
        (struct strand){{e, new_instance(s->record, of, number), (uint32_t)s->record, 0, 0, 0}, {NULL, 0, 0}};
    cilk1_ready(w, c);
  }
}

/* The instance is over. */
static void end(cilk_worker *w, place p) {
  if (p.own) free(p.own->children);
  free(p.own);
  deliver_end(w, p.end);
}

/* The strand after a touch waits for a child of this instance or of one around it. */
static void touch(cilk_worker *w, const step *s, instance *here, place next, cilk_cont join) {
  cilk1_closure *c = cilk1_spawn_next(w, &strand, CILK1_NOTHING);
  *ARGS(strand, c) = (struct strand){next, join};
  cilk_cont k = cilk1_cont(c, CILK1_NOTHING);
  uint64_t latest = here->spawned;
  for (uint64_t up = s->up; up && here; up--) latest = here->number, here = here->up;
  uint64_t number = here && s->ago < latest && !(s->marks & FOLDED) ? latest - s->ago : 0;
  struct child *of = number ? &here->children[number - 1] : NULL;
  if (of && !of->over) {
    if ((of->nwaits & (of->nwaits - 1)) == 0) {
      cilk_cont *more = room(of->nwaits ? 2 * of->nwaits : 1, sizeof *more);
      for (size_t i = 0; i < of->nwaits; i++) more[i] = of->waits[i];
      free(of->waits);
      of->waits = more;
    }
    of->waits[of->nwaits++] = k;
    return;
  }
  if (of) c->when = of->over - 1;
  cilk1_send(w, k, "", 0);
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
      for (; r->first[end].kind != SYNC && r->first[end].kind != END; end++)
        spawns += r->first[end].kind == SPAWN ? r->first[end].count : 0;
      join = (cilk_cont){NULL, 0, 0};
      if (spawns) {
        cilk1_closure *s = cilk1_spawn_next(w, &after, ((uint32_t)spawns + 1) * CILK1_NOTHING);
        *ARGS(strand, s) = (struct strand){p, join};
        ARGS(strand, s)->p.at = end;
        join = cilk1_cont(s, CILK1_NOTHING);
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
      locks[s->record] = cilk1_simulated_now(w);
      p = next;
      begins = 0;
      continue;
    }
    if (s->kind == SPAWN || s->kind == CALL) {
      cilk1_closure *c = cilk1_spawn_next(w, &strand, s->kind == CALL ? CILK1_NOTHING : 0);
      *ARGS(strand, c) = (struct strand){next, join};
      if (s->kind == SPAWN) cilk1_ready(w, c);
      spawn_child(w, s, p.i, p.own, s->kind == SPAWN ? join : cilk1_cont(c, CILK1_NOTHING));
      return;
    }
    if (s->kind == TOUCH) {
      touch(w, s, p.own, next, join);
      return;
    }
    if (join.closure) {
      cilk1_send(w, join, "", 0);
      return;
    }
    if (s->kind == END) {
      end(w, p);
      return;
    }
    /* A sync that waits for no child. */
    if (++p.block < s->count)
      for (; p.at && r->first[p.at - 1].kind != SYNC; p.at--);
    else p.at++, p.block = 0;
    begins = 1;
  }
}

static void strand_run(cilk_worker *w, cilk1_closure *c) {
  struct strand a = *ARGS(strand, c);
  go(w, a.p, a.join,
      !a.join.closure && a.p.i == 0 && (a.p.at == 0 || records[a.p.record].first[a.p.at - 1].kind == SYNC));
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
  if (*g != HELD) cilk1_simulated_wait(w, *g);
  w->units += a.units;
  *g = a.held ? HELD : cilk1_simulated_now(w);
  go(w, a.then.p, a.then.join, 0);
}

/* After a sync that had children to wait for. */
static void after_run(cilk_worker *w, cilk1_closure *c) {
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
  *ARGS(strand, c) =
      (struct strand){{{.parent = k}, new_instance((int64_t)root, NULL, 0), (uint32_t)root, 0, 0, 0}, {NULL, 0, 0}};
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
  touches = number(in);
  root = number(in);
  uint64_t n = number(in);
  records = room(n, sizeof *records);
  for (uint64_t i = 0; i < n; i++) {
    records[i].steps = number(in), records[i].gated = number(in);
    records[i].first = room(records[i].steps, sizeof(step));
    for (uint64_t k = 0; k < records[i].steps; k++) {
      step *s = &records[i].first[k];
      s->kind = number(in), s->units = number(in), s->count = number(in), s->marks = number(in),
      s->record = (int64_t)number(in);
      s->work = number(in), s->span = number(in), s->delivery = number(in), s->up = number(in), s->ago = number(in),
      s->spans = number(in);
    }
  }
  fclose(in);
  char nothing;
  cilk_rt_call_root(ctx, &play, &nothing, &nothing);
  Cilk_terminate(ctx);
  return 0;
}
