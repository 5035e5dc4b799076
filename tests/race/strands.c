// strands.c - the detector on several workers against brute force. Random programs of spawns, awaited calls and syncs run on
// simulated workers that steal the oldest frame of one another, in a random order. Their accesses are compared in pairs, by the
// dag that their text has. A cell of four bytes has to be found exactly if two accesses of one of its bytes race.
// Usage: strands FIRST-SEED LAST-SEED
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "rt/tools/strands/order.c"
#undef now
#include "rt/tools/strands/shadow.c"

enum { CELLS = 4, INSTANCES = 64, OPS = 12, STRANDS = 1024, ACCESSES = 1024, WORKERS = 4 };

static _Alignas(16) char memory[4 * CELLS];
static bool found[CELLS];
bool strands_all;
void strands_found(const void *p, const cilk_race_site *at) { (void)at; found[((const char *)p - memory) / 4] = true; }
void cilk_strands_cannot(const char *what) { fprintf(stderr, "%s\n", what); abort(); }
void *strands_reserve(uint64_t bytes, uint64_t at, const char *what)
{
  void *p = mmap((void *)at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (p == MAP_FAILED) cilk_strands_cannot(what);
  return p;
}

static uint64_t state;
static unsigned below(unsigned n) { state = state * 6364136223846793005u + 1442695040888963407u; return (unsigned)(state >> 33) % n; }

// ---- programs ----

enum kind { ACCESS, SPAWN, AWAIT, SYNC_HERE, END };
struct op { enum kind kind; int child, from, to, update, strand, block; bool write, receives; };
static struct instance {
  struct op ops[OPS + 1];
  int count, parent;
  // of the run
  cilk_strands_frame frame;
  int pc, out;
  bool suspended, ready, called, stolen;
} instances[INSTANCES];
static int most, instance_count, strand_count, block_count;
static unsigned writes, rare;           // one access of so many is a write; one of so many is made
static uint64_t before[STRANDS][STRANDS / 64];

static int strand_after(int a, int b)
{
  int s = strand_count++;
  if (s == STRANDS) abort();
  for (int w = 0; w < STRANDS / 64; w++) before[s][w] = (a >= 0 ? before[a][w] : 0) | (b >= 0 ? before[b][w] : 0);
  if (a >= 0) before[s][a / 64] |= UINT64_C(1) << a % 64;
  if (b >= 0) before[s][b / 64] |= UINT64_C(1) << b % 64;
  return s;
}
static bool precedes(int a, int b) { return a == b || before[b][a / 64] >> a % 64 & 1; }

static void place(struct op *o)
{
  static const int spans[][2] = {{0, 4}, {0, 4}, {0, 8}, {0, 1}, {1, 2}, {2, 4}, {3, 4}, {1, 6}, {0, 4 * CELLS}};
  const int *span = spans[below(9)];
  int cell = span[1] > 8 ? 0 : (int)below(CELLS - 1);
  o->from = 4 * cell + span[0];
  o->to = 4 * cell + span[1];
}

// Makes an instance that begins after strand `after`; the strand with which it ends.
static int make(int parent, int after, int depth)
{
  int me = instance_count++, s = after, joined = -1, block = 0;
  struct instance *f = &instances[me];
  memset(f, 0, sizeof *f);
  f->parent = parent;
  int n = 1 + (int)below(OPS - 1);
  for (int i = 0; i < n; i++) {
    struct op o = {.kind = ACCESS};
    unsigned what = below(12);
    if (what < 4 && depth < 6 && instance_count < most) {
      o.kind = what < 3 ? SPAWN : AWAIT;
      int child = strand_after(s, -1);
      o.strand = child;
      if (o.kind == SPAWN && !block) block = ++block_count;
      o.block = block;
      if (o.kind == SPAWN && below(4 * rare) < 3) {
        o.receives = true;
        place(&o);
        o.update = below(3) ? 1 + (below(4) == 0) : 0;
      }
      o.child = instance_count;
      int end = make(me, child, depth + 1);
      if (o.kind == SPAWN) {
        joined = joined < 0 ? end : strand_after(joined, end);
        s = strand_after(s, -1);
      } else s = strand_after(end, -1);
    } else if (what == 4) {
      o.kind = SYNC_HERE;
      s = strand_after(s, joined);
      joined = -1;
      block = 0;
    } else if (below(rare)) {
      continue;
    } else {
      place(&o);
      o.strand = s;
      o.write = below(writes) == 0;
      o.update = o.write && below(2) ? 1 + (below(4) == 0) : 0;
      o.block = block;
    }
    f->ops[f->count++] = o;
  }
  f->ops[f->count++] = (struct op){.kind = SYNC_HERE};
  f->ops[f->count] = (struct op){.kind = END};
  return strand_after(s, joined);
}

static bool race(const struct op *a, const struct op *b)
{
  bool commute = a->update && a->update == b->update && a->block && a->block == b->block;
  return (a->write || b->write) && !commute && !precedes(a->strand, b->strand) && !precedes(b->strand, a->strand);
}

static bool expected(int cell)
{
  const struct op *all[ACCESSES];
  int count = 0;
  for (int i = 0; i < instance_count; i++)
    for (int k = 0; k < instances[i].count; k++) {
      struct op *o = &instances[i].ops[k];
      if (o->to == o->from) continue;
      if (o->receives) o->write = true;
      all[count++] = o;
    }
  for (int byte = 4 * cell; byte < 4 * cell + 4; byte++)
    for (int i = 0; i < count; i++)
      for (int k = 0; k < i; k++)
        if (all[i]->from <= byte && byte < all[i]->to && all[k]->from <= byte && byte < all[k]->to && race(all[i], all[k])) return true;
  return false;
}

// ---- the run ----

static struct worker {
  int stack[INSTANCES], height;
  strand now;
  typeof(mine) pairs;
} workers[WORKERS];

static void begins(struct worker *w, int instance)
{
  w->stack[w->height++] = instance;
  cilk_strands_begin(&instances[instance].frame);
}

static bool step(struct worker *w)
{
  static cilk_race_site site;
  if (!w->height) {
    for (int i = 0; i < instance_count; i++)
      if (instances[i].ready) {
        instances[i].ready = false;
        w->stack[w->height++] = i;
        cilk_strands_resume(&instances[i].frame);
        return true;
      }
    struct worker *victim = &workers[below(WORKERS)];
    struct instance *f = victim->height > 1 ? &instances[victim->stack[0]] : NULL;
    if (!f || instances[victim->stack[1]].called) return false;
    w->stack[w->height++] = victim->stack[0];
    memmove(victim->stack, victim->stack + 1, sizeof *victim->stack * (size_t)--victim->height);
    f->out++;
    instances[victim->stack[0]].stolen = true;
    cilk_strands_resume(&f->frame);
    return true;
  }
  struct instance *f = &instances[w->stack[w->height - 1]];
  struct op *o = &f->ops[f->pc++];
  size_t size = (size_t)(o->to - o->from);
  switch (o->kind) {
  case ACCESS:
    if (o->update) cilk_strands_update(&f->frame, memory + o->from, size, &site, (uint32_t)o->update);
    else if (size == 4 && o->from % 4 == 0) (o->write ? cilk_race_write4 : cilk_race_read4)(memory + o->from, &site);
    else if (size == 8) (o->write ? cilk_race_write8 : cilk_race_read8)(memory + o->from, &site);
    else (o->write ? cilk_race_write : cilk_race_read)(memory + o->from, size, &site);
    break;
  case SPAWN:
  case AWAIT:
    (o->kind == SPAWN ? cilk_strands_spawn : cilk_strands_call)(&f->frame);
    if (o->receives) cilk_strands_receive(&f->frame, memory + o->from, size, &site, (uint32_t)o->update);
    instances[o->child].called = o->kind == AWAIT;
    begins(w, o->child);
    break;
  case SYNC_HERE:
    if (f->out) {
      f->pc--;
      cilk_strands_leave(&f->frame);
      f->suspended = true;
      w->height--;
    } else cilk_strands_sync(&f->frame);
    break;
  case END:
    w->height--;
    if (w->height) cilk_strands_returned(&instances[w->stack[w->height - 1]].frame);
    else if (f->parent >= 0) {
      struct instance *parent = &instances[f->parent];
      if (!--parent->out && parent->suspended) parent->suspended = false, parent->ready = true;
    } else return false;
    break;
  }
  return true;
}

static void run(void)
{
  memset(workers, 0, sizeof workers);
  memset(found, 0, sizeof found);
  memset(verdicts, 0, sizeof verdicts);
  memset(seen, 0, sizeof seen);
  race_clear(memory, sizeof memory);
  begins(&workers[0], 0);
  for (int i = 0; i < WORKERS; i++) workers[i].now = FIRST_STRAND;
  struct instance *root = &instances[0];
  while (root->pc <= root->count) {
    struct worker *w = &workers[below(WORKERS)];
    cilk_strands_now = w->now;
    mine = w->pairs;
    for (int turns = (int)below(6); turns-- && root->pc <= root->count;) step(w);
    w->now = cilk_strands_now;
    w->pairs = mine;
  }
}

int main(int argc, char **argv)
{
  strands_order_start();
  strands_shadow_start();
  int wrong = 0, racy = 0, cells = 0;
  for (long seed = atol(argv[1]); argc > 2 && seed <= atol(argv[2]); seed++) {
    state = (uint64_t)seed * UINT64_C(0x9E3779B97F4A7C15);
    instance_count = strand_count = block_count = 0;
    next_chunk = CHUNK;
    writes = 2 + below(12);
    rare = 1 + below(8);
    most = 3 + (int)below(1 + below(INSTANCES - 4));
    make(-1, strand_after(-1, -1), 0);
    run();
    for (int c = 0; c < CELLS; c++) {
      bool races = expected(c);
      racy += races;
      cells++;
      if (races == found[c]) continue;
      printf("seed %ld: cell %d %s\n", seed, c, races ? "races and is not found" : "is found and does not race");
      wrong++;
    }
  }
  printf("%d of %d cells race\n", racy, cells);
  return wrong != 0 || !racy || racy == cells;
}
