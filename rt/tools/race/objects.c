/* objects.c - what an address belongs to: a global, a local or a heap block. The globals are a table that codegen
 * makes. A local is reported when its function begins. A small heap block has a word in a map of all memory, larger
 * ones are in a hash table. Only reports ask, so only what the heap does is made for speed.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include "race.h"
#include "rt/core/base/array.h"

/* ---- globals: the linker puts the tables of all units side by side ---- */

extern const cilk_race_variable globals_begin[] __asm__("__start_cilk_race_globals") __attribute__((weak));
extern const cilk_race_variable globals_end[] __asm__("__stop_cilk_race_globals") __attribute__((weak));

/* ---- locals: those whose address is taken, of the functions that run ---- */

struct local {
  const char *begin;
  size_t size;
  const cilk_race_variable *variable;
};
static struct local *locals;
static uint32_t local_room;
uint32_t cilk_race_locals;

void race_local_made(const void *p, size_t n, const cilk_race_variable *v) {
  if (!CILK_ROOM_FOR(locals, cilk_race_locals, local_room, 1024)) race_die("out of memory");
  locals[cilk_race_locals++] = (struct local){p, n, v};
}

/* ---- small blocks of the heap: a word for each 16 bytes of memory, not 0 where a block begins. Blocks that are gone
 * stay until their place is needed, for reports of a use after free ---- */

enum { APART = 16, SMALL = (1 << 15) - 2 };
struct small {
  uint64_t gone : 1, size : 15, site : 48; /* the size is one more */
};
static struct small *smalls;

static struct small *small_at(const void *p) { return &smalls[((uintptr_t)p & CILK_RACE_MASK) / APART]; }

static bool small_enter(const void *p, size_t n, const site *at) {
  if ((uintptr_t)p % APART) return false;
  if (!smalls) smalls = race_reserve((CILK_RACE_MASK + 1) / APART * sizeof *smalls, 0, "the blocks of the heap");
  bool is_small = n <= SMALL;
  *small_at(p) = is_small ? (struct small){false, (n + 1) & (SMALL + 1), (uintptr_t)at} : (struct small){0};
  return is_small;
}

/* The block that p is in: one that is gone only if no other one is. */
static const struct small *small_around(const char *p, const char **begin) {
  const struct small *found = NULL;
  uintptr_t top = (uintptr_t)p / APART, least = top > SMALL / APART ? top - SMALL / APART : 0;
  for (uintptr_t i = top + 1; smalls && i-- > least;) {
    const char *b = (const char *)(i * APART);
    const struct small *e = small_at(b);
    if (!e->size || p >= b + e->size - 1 || (found && e->gone)) continue;
    found = e;
    *begin = b;
    if (!e->gone) break;
  }
  return found;
}

/* ---- larger ones, and memory of alloca, Cilk_alloca and arrays of variable size: open addressing ---- */

/* Automatic blocks end without a word: of blocks that overlap the one that was made last counts. */
struct block {
  const char *begin;
  size_t size;
  site *at;
  uint64_t made : 62, gone : 1, automatic : 1;
};
static struct block *blocks;
static size_t block_room, blocks_used;         /* used: those that are gone, too */

/* Blocks that are made one after the other lie side by side, also in the table: those of 256 bytes stay together. */
static struct block *find(const void *p) {
  uintptr_t line = (uintptr_t)p >> 8;
  for (size_t i = (line * UINT64_C(0x9e3779b97f4a7c15) >> 20) * 16 + ((uintptr_t)p >> 4) % 16;; i++) {
    struct block *b = &blocks[i & (block_room - 1)];
    if (!b->begin || b->begin == p) return b;
  }
}

static void make_room(void) {
  if (block_room && blocks_used < block_room - block_room / 4) return;
  struct block *old = blocks;
  size_t old_room = block_room, live = 0;
  for (size_t i = 0; i < old_room; i++) live += old[i].begin && !old[i].gone;
  block_room = 1024;
  while (block_room < 2 * live) block_room *= 2;
  blocks = calloc(block_room, sizeof *blocks);
  if (!blocks) race_die("out of memory");
  blocks_used = live;
  for (size_t i = 0; i < old_room; i++)
    if (old[i].begin && !old[i].gone) *find(old[i].begin) = old[i];
  free(old);
}

void race_block_enter(void *p, size_t n, site *at, bool automatic) {
  static uint64_t made;
  if (!automatic && small_enter(p, n, at)) return;
  make_room();
  struct block *b = find(p);
  if (!b->begin) blocks_used++;
  *b = (struct block){p, n, at, ++made & UINT64_MAX >> 2, false, automatic};
}

size_t race_block_gone(void *p) {
  if (!p) return 0;
  struct small *e = smalls && !((uintptr_t)p % APART) ? small_at(p) : NULL;
  if (e && e->size && !e->gone) {
    e->gone = true;
    return e->size - 1;
  }
  if (block_room) {
    struct block *b = find(p);
    if (b->begin && !b->gone) {
      b->gone = true;
      return b->size;
    }
  }
  return malloc_usable_size(p);
}

void race_object_of(const void *where, struct object *o) {
  const char *p = where;
  *o = (struct object){.kind = OBJECT_UNKNOWN, .begin = p, .size = 1};
  for (uint32_t i = cilk_race_locals; i--;)
    if (p >= locals[i].begin && p < locals[i].begin + locals[i].size) {
      *o = (struct object){OBJECT_LOCAL, locals[i].begin, locals[i].size, locals[i].variable, NULL};
      return;
    }
  for (const cilk_race_variable *v = globals_begin; v < globals_end; v++)
    if (p >= (const char *)v->address && p < (const char *)v->address + v->size) {
      *o = (struct object){OBJECT_GLOBAL, v->address, v->size, v, NULL};
      return;
    }
  const struct block *of = NULL;
  for (size_t i = 0; i < block_room; i++) {
    const struct block *b = &blocks[i];
    if (!b->begin || p < b->begin || p >= b->begin + b->size) continue;
    if (!of || b->gone < of->gone || (b->gone == of->gone && b->made > of->made)) of = b;
  }
  const char *begin = NULL;
  const struct small *s = small_around(p, &begin);
  if (s && (!of || (of->gone && !s->gone) || (of->automatic && !s->gone)))
    *o = (struct object){OBJECT_HEAP, begin, s->size - 1, NULL, (site *)(uintptr_t)s->site};
  else if (of) *o = (struct object){of->automatic ? OBJECT_AUTOMATIC : OBJECT_HEAP, of->begin, of->size, NULL, of->at};
}
