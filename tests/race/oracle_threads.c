// oracle_threads.c - the race detector against brute force, for threads of Cilk-1.
//
// Random threads make closures, pass their continuations on, send values, hold locks, call procedures with children
// and computations of their own. They run in any order that the closures allow. Beside the detector their dag is built,
// and all pairs of accesses are compared. A byte is reported exactly if two of its accesses are parallel in the dag, one
// of them writes, and they hold no common lock.
// Usage: oracle_threads FIRST-SEED LAST-SEED
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rt/extensions/cilk1/cilk1.h"
#include "rt/tools/race/race.h"

enum { BYTES = 24, STRANDS = 768, ACCESSES = 4096, WORDS = STRANDS / 64, CLOSURES = 160, CONTS = 400, LOCKS = 3 };

static _Alignas(16) char memory[BYTES];
static volatile int locks[LOCKS];
static site sites[ACCESSES], post_site = {.line = 1, .file = "oracle", .procedure = "t", .text = "spawn t()"};
const cilk1_watch *cilk1_watched;

static bool reported[BYTES], expected[BYTES];
void race_found(enum race_type type, const void *where, size_t n, const struct record *a, const struct record *b)
{
  (void)a, (void)b;
  for (size_t i = 0; type == RACE_DATA && i < n; i++) reported[(const char *)where - memory + (long)i] = true;
}
const site *race_under[2];
void race_report_start(const char *path) { (void)path; }
void race_report_decision(const site *stored, const site *decides) { (void)stored; (void)decides; }
void race_report_end(void) {}
void cilk_rt_touch_empty(cilk_future *f) { (void)f, abort(); }

static uint64_t state;
static unsigned below(unsigned n)
{
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return n ? (unsigned)(state >> 33) % n : 0;
}

// ---- the dag ----

typedef struct set { uint64_t words[WORDS]; } set;
static set before[STRANDS];
static int strands;

static int begin(set all)
{
  if (strands == STRANDS) abort();
  before[strands] = all;
  return strands++;
}
static set with(int strand)
{
  set s = before[strand];
  s.words[strand / 64] |= UINT64_C(1) << strand % 64;
  return s;
}
static void add(set *to, set more)
{
  for (int w = 0; w < WORDS; w++) to->words[w] |= more.words[w];
}
static bool comes_before(int a, int b) { return a == b || before[b].words[a / 64] >> a % 64 & 1; }

static struct access { int strand, from, to, held; bool write; } accesses[ACCESSES];
static int count, writes, often, locking;
static int from, n;             // bytes of the last access

static void touch(int strand, int held)
{
  if (count == ACCESSES) return;
  if (!n || below(2)) {         // else that of the access before
    from = (int)below(BYTES);
    n = below(3) ? 4 : 1 + (int)below(8);
    if (n == 4) from &= ~3;
  }
  int to = from + n > BYTES ? BYTES : from + n;
  bool write = below((unsigned)writes) == 0;
  site *at = &sites[count];
  *at = (site){.line = 1, .file = "oracle", .procedure = "t", .text = "x"};
  for (int i = 0; i < count; i++) {
    struct access *a = &accesses[i];
    if (comes_before(a->strand, strand) || !(a->write || write) || (a->held & held)) continue;
    for (int b = from > a->from ? from : a->from; b < to && b < a->to; b++) expected[b] = true;
  }
  accesses[count++] = (struct access){strand, from, to, held, write};
  if (n == 4 && to - from == 4) (write ? cilk_race_write4 : cilk_race_read4)(memory + from, at);
  else (write ? cilk_race_write : cilk_race_read)(memory + from, (size_t)(to - from), at);
}

static void code(int strand)
{
  if (below((unsigned)often)) return;
  int lock = below((unsigned)locking) ? -1 : (int)below(LOCKS);
  if (lock >= 0) cilk_race_lock(&locks[lock]);
  for (unsigned n = below(4); n--;) touch(strand, lock >= 0 ? 1 << lock : 0);
  if (lock >= 0) cilk_race_unlock(&locks[lock]);
}

// An instance of a procedure that spawns and syncs; the strand in which it ends.
static int procedure(int now, int depth)
{
  code(now);
  set all = with(now);
  for (unsigned n = below(3); n--;) {
    cilk_race_spawn(&post_site);
    int child = depth ? procedure(begin(with(now)), depth - 1) : begin(with(now));
    code(child);
    cilk_race_joined();
    add(&all, with(child));
    now = begin(with(now));
    code(now);
  }
  cilk_race_sync();
  add(&all, with(now));
  return begin(all);
}

// ---- threads ----

typedef struct closure { cilk1_closure header; int missing; bool ran; uint32_t number; set before; int conts[8], nconts; } closure;
static closure closures[CLOSURES];
static int nclosures;
static cilk1_thread thread = {.size = sizeof(cilk1_closure)};

static closure *make(int missing)
{
  closure *c = &closures[nclosures++];
  *c = (closure){.missing = missing};
  c->header.thread = &thread;
  cilk_race_post(&post_site);
  c->number = cilk1_watched->made(NULL, &c->header);
  return c;
}

// The closure of each continuation that the thread has; `now` ends.
static int posted(closure *c, int now)
{
  add(&c->before, with(now));
  return begin(with(now));
}

static set computation(int now, int depth);

static void run(closure *c, int depth)
{
  int now = begin(c->before), conts[64], n = c->nconts;
  memcpy(conts, c->conts, sizeof c->conts);
  cilk1_watched->runs(NULL, c->number, 0);
  c->ran = true;
  for (unsigned steps = 1 + below(6); steps--;) {
    code(now);
    unsigned what = below(10);
    bool room = nclosures < CLOSURES - 2 && strands < STRANDS - 200;
    if (what < 5 && room) {
      closure *child = make((int)below(3));
      now = posted(child, now);
      while (n && child->nconts < 8 && below(2)) child->conts[child->nconts++] = conts[--n];
      for (int i = 0; i < child->missing; i++)
        if (n < 64) {
          conts[n] = conts[0];
          conts[0] = (int)(child - closures);
          n++;
        }
    } else if (what < 8 && n) {
      closure *to = &closures[conts[--n]];
      cilk_race_post(&post_site);
      cilk1_watched->sent(NULL, to->number, 0, 0);
      now = posted(to, now);
      to->missing--;
    } else if (what == 8 && room) now = procedure(now, 1);
    else if (what == 9 && room && depth) now = begin(computation(now, depth - 1));
  }
  code(now);
  while (n && below(8)) {                    // what is left is sent, as a rule
    closure *to = &closures[conts[--n]];
    cilk_race_post(&post_site);
    cilk1_watched->sent(NULL, to->number, 0, 0);
    now = posted(to, now);
    to->missing--;
    code(now);
  }
  cilk1_watched->ends(NULL);
}

// All strands of it and the caller's so far come before what the caller does next.
static set computation(int now, int depth)
{
  int from = nclosures, first_strand = strands, order = (int)below(3);
  cilk1_watched->begins();
  closure *first = make(0);
  first->before = with(now);
  for (;;) {
    int ready[CLOSURES], n = 0;
    for (int i = from; i < nclosures; i++)
      if (!closures[i].missing && !closures[i].ran) ready[n++] = i;
    if (!n) break;
    run(&closures[ready[order == 0 ? n - 1 : order == 1 ? 0 : (int)below((unsigned)n)]], depth);
  }
  cilk1_watched->over();
  set all = with(now);
  for (int s = first_strand; s < strands; s++) add(&all, with(s));
  return all;
}

int main(int argc, char **argv)
{
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, to = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
  long found = 0, bytes = 0;
  for (uint64_t seed = first; seed <= to; seed++) {
    state = seed * UINT64_C(0x9e3779b97f4a7c15);
    writes = 2 + (int)below(6) + (below(4) ? 20 + (int)below(200) : 0);
    often = 1 + (int)below(16);
    locking = 1 + (int)below(5);
    n = 0;
    strands = count = nclosures = 0;
    memset(expected, 0, sizeof expected);
    memset(reported, 0, sizeof reported);
    race_clear(memory, BYTES);
    cilk_race_spawn(&post_site);             // each program is a child of its own
    int now = begin((set){{0}});
    code(now);
    now = begin(computation(now, 2));
    code(now);
    cilk_race_joined();
    cilk_race_sync();
    race_collect_nodes_at = below(2) ? race_node_count + below(100) : UINT32_MAX;    // collections in between, too
    for (int i = 0; i < BYTES; i++) {
      bytes++;
      found += expected[i];
      if (expected[i] == reported[i]) continue;
      printf("seed %llu: byte %d races%s\n", (unsigned long long)seed, i, expected[i] ? ", and is not reported" : ": it is reported, and is not so");
      return 1;
    }
  }
  printf("of %ld bytes %ld race\n", bytes, found);
  return 0;
}
