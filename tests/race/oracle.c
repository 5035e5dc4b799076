// oracle.c - the race detector against brute force. Random programs run on the detector. They have deliveries, locks, atomic accesses, SYNCHED, futures and memory
// that is used again. Now and then the detector takes out what it needs no more. Beside it their dag is built, and all pairs of accesses are compared. A byte is reported exactly if two of its accesses race; or if they are of one
// instance, neither comes before the other in the dag, and they do not commute: as early where one of them is the instance's own, as unordered where both are deliveries'.
// Programs of spawns and syncs alone are a stricter case. There each instance that races with an earlier one at a byte is in a report of that byte, as the later one.
// Usage: oracle FIRST-SEED LAST-SEED [kept]; kept: locks are kept over spawns, and any strand may release them
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rt/core/abi.h"
#include "rt/tools/race/race.h"

enum { BYTES = 24, STRANDS = 512, ACCESSES = 2048, COMMON = 3, OTHERS = 9, LOCKS = COMMON + BYTES / 4 + OTHERS, WORDS = STRANDS / 64 };

static _Alignas(16) char memory[BYTES];
static volatile int locks[LOCKS];
static site sites[ACCESSES], spawn_site = {.line = 1, .file = "oracle", .procedure = "f", .text = "f()"};

// ---- the dag: which strands come before each ----

static uint64_t before[STRANDS][WORDS];
static int strands;
static int alone_as[STRANDS];       // of what a delivery does after a true SYNCHED: the parent's next strand, which takes its place for all that comes later

static int strand_after(int a)
{
  int s = strands++;
  if (s == STRANDS) abort();
  alone_as[s] = 0;
  memset(before[s], 0, sizeof before[s]);
  if (a >= 0) {
    memcpy(before[s], before[a], sizeof before[s]);
    before[s][a / 64] |= UINT64_C(1) << a % 64;
  }
  return s;
}
static void also_after(int s, int a)
{
  for (int w = 0; w < WORDS; w++) before[s][w] |= before[a][w];
  before[s][a / 64] |= UINT64_C(1) << a % 64;
}
static bool reaches(int a, int b) { return a == b || before[b][a / 64] >> a % 64 & 1; }
static bool precedes(int a, int b) { return reaches(a, b) || (alone_as[a] && reaches(alone_as[a], b)); }

struct access { int strand, owner, from, to, locks, shared, life; bool write, atomic; int delivery; bool aborts; const site *at; } accesses[ACCESSES];
static int count, life[BYTES], lives;
static bool reported[3][BYTES], expected[3][BYTES];            // by enum race_type
static const char *const types[] = {"races", "is early", "is unordered"};
static int running;                                            // the instance that makes an access
static bool reported_in[STRANDS][BYTES], expected_in[STRANDS][BYTES];

void race_found(enum race_type type, const void *where, size_t n, const struct record *a, const struct record *b)
{
  (void)a, (void)b;
  for (size_t i = 0; i < n; i++) {
    long byte = (const char *)where - memory + (long)i;
    reported[type][byte] = true;
    if (type == RACE_DATA) reported_in[running][byte] = true;
  }
}
const site *race_under[2];
void race_report_start(const char *path) { (void)path; }
void race_report_decision(const site *stored, const site *decides) { (void)stored; (void)decides; }
void race_report_end(void) {}
void cilk_rt_touch_empty(cilk_future *f) { (void)f, abort(); }

static uint64_t state;
static unsigned below(unsigned n)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(state >> 33) % n;
}

// ---- random programs ----

static int held, shared, flavour;   // shared: of those held, the ones that readers hold together. flavour: which of deliveries, locks, atomics, ... this program has
static unsigned writes, often;      // one of so many accesses is a write; how much code there is
enum { DELIVERIES = 1, LOCKED = 2, ATOMIC = 4, SYNCHED = 8, PARTS = 16, LIVES = 32, ACCOUNTS = 64, FUTURES = 128, PIPES = 256, READERS = 512 };   // PIPES: many futures of one instance

static bool settled(int from, int to, bool write, const site *at)      // the test in line
{
  bool known = true, harmless = !write && at->order == cilk_race_order;
  for (uintptr_t p = (uintptr_t)(memory + from) & ~(uintptr_t)3; p < (uintptr_t)(memory + to); p += 4) {
    const int32_t *cell = (const int32_t *)((p & CILK_RACE_MASK) << 1 | CILK_RACE_SHADOW);
    known &= cell[0] >= cilk_race_first || (!write && cell[1] >= cilk_race_first);
    harmless &= !memcmp(cell, &at->harmless, sizeof at->harmless);
  }
  return known || harmless;
}

// What a site does: most do not commute with anything.
static void purposes(void)
{
  for (int i = 0; i < ACCESSES; i++) {
    sites[i].update = i / 16 % 4 == 2 ? CILK_RACE_ADDS + (uint32_t)(i % 2) : 0;
    sites[i].use = i % 11 == 0 ? CILK_RACE_SPECULATES : i % 7 == 0 ? CILK_RACE_POLLS : 0;
  }
}

static int delivery, deliveries;       // the one that runs, 0: none
static bool aborts;                    // its inlet may

static void compare(int i, const struct access *e, const struct access *a)
{
  if (i < e->from || i >= e->to || e->life < life[i] || !(e->write | a->write) || precedes(e->strand, a->strand)) return;
  if (e->owner != a->owner) {
    if (!(e->locks & a->locks & ~(e->shared & a->shared)) && !(e->atomic && a->atomic)) expected[RACE_DATA][i] = expected_in[a->owner][i] = true;
    return;
  }
  if (((e->at->use | a->at->use) & CILK_RACE_SPECULATES) || (e->at->update && e->at->update == a->at->update)) return;
  if (!a->delivery) {
    if (!(e->aborts && (a->at->use & CILK_RACE_POLLS))) expected[RACE_EARLY][i] = true;
  } else if (!(e->aborts && a->aborts)) expected[RACE_UNORDERED][i] = true;
}

static void touch_at(int strand, int owner, int from, int n)
{
  if (count == ACCESSES) return;
  struct access a = {strand, owner, from, from + n, held, shared, 0, below(writes) == 0, (flavour & ATOMIC) && below(3) == 0, delivery, aborts, NULL};
  if ((flavour & LIVES) && below(12) == 0) {           // new memory at the old place
    lives++;
    for (int i = a.from; i < a.to; i++) life[i] = lives;
    cilk_race_fresh(memory + from, (size_t)n);
    // Different lives of a byte do not race; what was reported of the old life stays. Other accesses of that life are in `accesses`.
  }
  a.life = lives;
  site *at = &sites[below(8) * 16 + (unsigned)(strand & 15)];
  a.at = at;
  accesses[count++] = a;
  for (int i = a.from; i < a.to; i++)
    for (int k = 0; k < count - 1; k++) compare(i, &accesses[k], &a);
  const void *p = memory + from;
  running = owner;
  if (a.atomic) cilk_race_atomic(p, (size_t)n, at, a.write);
  else if (below(2) && settled(a.from, a.to, a.write, at)) return;
  else if (n == 4 && from % 4 == 0 && below(2)) a.write ? cilk_race_write4(p, at) : cilk_race_read4(p, at);
  else if (n == 8 && from % 4 == 0 && below(2)) a.write ? cilk_race_write8(p, at) : cilk_race_read8(p, at);
  else if (n == 8 && below(2)) {
    const char *last = (const char *)p + 4;
    a.write ? cilk_race_write_each(last, 4, -4, 2, at) : cilk_race_read_each(last, 4, -4, 2, at);
  } else a.write ? cilk_race_write(p, (size_t)n, at) : cilk_race_read(p, (size_t)n, at);
}

static void touch(int strand, int owner)
{
  int from, n;
  if (flavour & PARTS) from = (int)below(BYTES), n = 1 + (int)below(9);
  else from = 4 * (int)below(BYTES / 4), n = 4 << below(2);
  touch_at(strand, owner, from, from + n > BYTES ? BYTES - from : n);
}

static bool take(int l)
{
  if (held & 1 << l) return false;
  held |= 1 << l;
  if ((flavour & READERS) && below(3) == 0) {
    shared |= 1 << l;
    race_acquire_shared(&locks[l]);
  } else {
    shared &= ~(1 << l);
    race_acquire(&locks[l]);
  }
  return true;
}
static void leave(int l)
{
  race_release(&locks[l]);
  held &= ~(1 << l);
}

// What each instance around the running one holds. Another instance may release a lock than took it, and children may end with locks.
static bool kept;
static int around, held_by[16], shared_by[16];

static void enter(void)
{
  held_by[around] = held;
  shared_by[around++] = shared;
  held = 0;
}
static void go_back(void)
{
  held = held_by[--around];
  shared = shared_by[around];
}
static void hand_over(int l)
{
  if (held & 1 << l) {
    leave(l);
    return;
  }
  race_release(&locks[l]);
  for (int i = around; i--;)
    if (held_by[i] & 1 << l) {
      held_by[i] &= ~(1 << l);
      return;
    }
}

// Each word has a lock of its own, which all but a few accesses hold; most hold others besides.
static void account(int strand, int owner)
{
  int word = (int)below(BYTES / 4), own = COMMON + word, other = COMMON + BYTES / 4 + (int)below(OTHERS), third = COMMON + BYTES / 4 + (int)below(OTHERS);
  bool others = below(8), two = below(5) == 0, in_order = below(2), mine = false, first = false, second = false;
  if (in_order && below(100)) mine = take(own);
  if (others) first = take(other);
  if (two) second = take(third);
  if (!in_order && below(100)) mine = take(own);
  for (unsigned n = 1 + below(3); n--;) touch_at(strand, owner, 4 * word, 4);
  if (mine && below(2)) leave(own), mine = false;
  if (second) leave(third);
  if (first) leave(other);
  if (mine) leave(own);
}

static void code(int strand, int owner)
{
  if (below(20) == 0) race_collect();
  for (unsigned n = below((flavour & PIPES) && below(2) ? 2 : often); n--;) {
    if (kept && below(3) == 0) {
      int l = (int)below(below(4) ? COMMON : LOCKS);
      below(2) ? (void)take(l) : hand_over(l);
    }
    if ((flavour & ACCOUNTS) && below(8)) account(strand, owner);
    else if ((flavour & LOCKED) && below(3) == 0) {
      int l = (int)below(COMMON);
      if (!take(l)) continue;
      touch(strand, owner);
      touch(strand, owner);
      leave(l);
    } else touch(strand, owner);
  }
}

static int owners;

// ---- futures that may be touched: the running instance's and those of the ones around it ----

enum { MOST_FUTURES = 64 };
static struct { cilk_future object; int last; } futures[MOST_FUTURES];
static int future_count;

// Mostly near ones; the strand after it.
static int touch_future(int now)
{
  int k = future_count - 1 - (int)below(below(2) ? 3 : (unsigned)future_count);
  if (k < 0) k = 0;
  cilk_race_touch(&futures[k].object, NULL);
  now = strand_after(now);
  also_after(now, futures[k].last);
  return now;
}

// The strand in which the instance ends; its parent's children so far are in `siblings`.
static int instance(int first, int depth)
{
  int owner = owners++, now = first, children[64], out = 0, known = future_count;
  for (unsigned steps = 1 + below(!depth ? 3 : (flavour & PIPES) && (flavour & FUTURES) ? 24 : 6); steps--;) {
    code(now, owner);
    unsigned what = below(10);
    if ((flavour & FUTURES) && future_count && strands < STRANDS - 120)
      for (unsigned n = below(3); n--;) {
        now = touch_future(now);
        code(now, owner);
      }
    if (what < ((flavour & PIPES) ? 8u : 6u) && depth && out < 64 && strands < STRANDS - 120) {
      enter();
      cilk_race_spawn(&spawn_site);
      int last = instance(strand_after(now), depth - 1), alone = -1;
      bool future = (flavour & FUTURES) && below(2) && future_count < MOST_FUTURES;
      if (future) {
        memset(&futures[future_count].object, 0, sizeof futures->object);
        futures[future_count].last = last;
        cilk_race_filled(&futures[future_count++].object, NULL);
      } else if (flavour & DELIVERIES && below(3)) {
        aborts = below(4) == 0;
        cilk_race_deliver(aborts ? CILK_RACE_ABORTS : 0);
        held = 0;
        delivery = ++deliveries;
        int inlet = strand_after(last);
        code(inlet, owner);
        if ((flavour & SYNCHED) && below(3) == 0 && cilk_race_synched()) {
          alone = strand_after(inlet);
          for (int i = 0; i < out; i++) also_after(alone, children[i]);
          code(alone, owner);
          inlet = strand_after(inlet);
        }
        last = inlet;
        delivery = 0;
        aborts = false;
      }
      cilk_race_joined();
      go_back();
      children[out++] = last;
      now = strand_after(now);
      if (alone >= 0) alone_as[alone] = now;
    } else if (what < (flavour & PIPES ? 9u : 8u) || ((flavour & SYNCHED) && what < 9)) {
      if (what < (flavour & PIPES ? 9u : 8u)) cilk_race_sync();
      else cilk_race_synched();
      now = strand_after(now);
      for (int i = 0; i < out; i++) also_after(now, children[i]);
      out = 0;
    }
  }
  int end = strand_after(now);
  for (int i = 0; i < out; i++) also_after(end, children[i]);
  future_count = known;
  return end;
}

int main(int argc, char **argv)
{
  uint64_t from = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, to = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
  long found[3] = {0, 0, 0}, bytes = 0;
  kept = argc > 3;
  for (uint64_t seed = from; seed <= to; seed++) {
    state = seed * UINT64_C(0x9e3779b97f4a7c15);
    flavour = (int)below(1024);
    writes = 1 + below(6) + (flavour & (PIPES | FUTURES) ? 4 + below(below(2) ? 30 : 300) : 0);     // else all races, and what a touch orders is not seen
    often = 2 + below(3);
    if (flavour & ACCOUNTS) {
      often += 6;
      flavour &= ~(PARTS | (below(3) ? LIVES : 0));
    }
    strands = count = owners = lives = future_count = 0;
    held = around = deliveries = 0;
    purposes();
    race_any_future = false;    // of the programs before: there, less is remembered of locks
    memset(life, 0, sizeof life);
    memset(expected, 0, sizeof expected);
    memset(reported, 0, sizeof reported);
    memset(expected_in, 0, sizeof expected_in);
    memset(reported_in, 0, sizeof reported_in);
    race_clear(memory, BYTES);
    // Each program is a child, or a call, of its own: the frames of the last one do not matter.
    bool is_call = seed % 2;
    if (is_call) cilk_race_root(NULL);
    else cilk_race_spawn(&spawn_site);
    instance(strand_after(-1), 1 + (int)below((flavour & PIPES) && (flavour & FUTURES) ? 2 : 4));
    if (is_call) cilk_race_root_ended();
    else cilk_race_joined();
    cilk_race_sync();
    for (int i = 0; i < BYTES; i++) {
      bytes++;
      for (int type = 0; type < 3; type++) {
        found[type] += expected[type][i];
        if (expected[type][i] == reported[type][i]) continue;
        printf("seed %llu, flavour %d: byte %d %s%s\n", (unsigned long long)seed, flavour, i, types[type], expected[type][i] ? ", and is not reported" : ", is reported, and is not so");
        return 1;
      }
      for (int s = 0; s < owners && !kept && !(flavour & ~(PARTS | LIVES | READERS | SYNCHED)); s++)
        if (expected_in[s][i] != reported_in[s][i]) {
          printf("seed %llu, flavour %d: instance %d races with an earlier one at byte %d, and is not reported\n", (unsigned long long)seed, flavour, s, i);
          return 1;
        }
    }
  }
  printf("of %ld bytes %ld race, %ld are early, %ld unordered\n", bytes, found[RACE_DATA], found[RACE_EARLY], found[RACE_UNORDERED]);
  return 0;
}
