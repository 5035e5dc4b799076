/* pedigree.c - the names of strands, and random numbers that depend on nothing else (abi.h, pedigrees;
 * stdlib/cilk/cilk_api.h).
 *
 * This is a member of the archive of its own: only programs that ask for pedigrees have it. It refers to the symbol by
 * which such objects agree, so a program whose procedures were compiled without pedigrees does not link with it.
 *
 * A level is written by the strand that runs at it, one after the other, so it needs no lock. What a child keeps of its
 * parent is a copy of the rank and the parent's own place, which does not change.
 *
 * The random numbers are DotMix (Leiserson, Schardl, Sukha: Deterministic parallel random-number generation for
 * dynamic- multithreading platforms, PPoPP 2012): a pedigree's ranks, each with a factor of its own, are added up
 * modulo a prime. So two pedigrees have the same sum with a probability of one in the prime only. Then the sum is
 * mixed. The factors come from the seed and the depth, so there is no table, and no depth is too large. */
#include "pedigree/pedigree.h"
#include "base/base.h"
#include "data/worker.h"

#include "cilk/cilk_api.h"

const char *const cilk_pedigree_agrees __attribute__((visibility("hidden"))) = &cilk_pedigree_on;

_Static_assert(sizeof(cilk_pedigree_frame) == CILK_PEDIGREE_WORDS * sizeof(uint64_t), "the compiler reserves a frame");
_Static_assert(sizeof(cilk_level) == sizeof(__cilkrts_pedigree), "a level is a node that users see");

/* ---- generated code ---- */

void cilk_rt_pedigree_begin(cilk_pedigree_frame *f) {
  cilk_worker *w = &cilk_self;
  cilk_level *parent = w->spawner;
  f->at = w->level;
  if (parent) {
    f->up = (cilk_level){w->spawner_rank, parent->parent};
    f->own = (cilk_level){0, &f->up};
    f->at = &f->own;
    w->spawner = NULL;
  } else if (!f->at && w->id < 0) {
    f->at = &w->own_level;
  } else if (!f->at) {                     /* a computation that was started */
    f->own = (cilk_level){0, NULL};
    f->at = &f->own;
  }
  w->level = f->at;
}

void cilk_rt_pedigree_spawn(cilk_pedigree_frame *f) {
  cilk_worker *w = &cilk_self;
  w->spawner = f->at;
  w->spawner_rank = f->at->rank++;
}

void cilk_rt_pedigree_resume(cilk_pedigree_frame *f) { cilk_self.level = f->at; }

void cilk_rt_pedigree_iteration(cilk_pedigree_frame *f, uint64_t number) {
  if (f->at != &f->iteration) {            /* the first one of this grain: `at` is the loop's level */
    f->in_loop.parent = f->at->parent;
    f->at = &f->iteration;
    cilk_self.level = &f->iteration;
  }
  f->in_loop.rank = number;
  f->iteration = (cilk_level){0, &f->in_loop};
}

void cilk_rt_pedigree_join(cilk_pedigree_frame *f, uint32_t loop) {
  if (!loop || f->at == &f->iteration) f->at->rank++;
}

void cilk_rt_pedigree_end(cilk_pedigree_frame *f, uint32_t joins) {
  if (f->at == &f->own || f->at == &f->iteration) cilk_self.level = NULL;                /* it ends with the frame */
  else if (joins) f->at->rank++;
}

/* ---- OpenCilk's functions ---- */

static cilk_level *level(void) {
  cilk_worker *w = &cilk_self;
  if (!w->level) w->level = &w->own_level;
  return w->level;
}

CILK_SHARED __cilkrts_pedigree __cilkrts_get_pedigree(void) {
  const cilk_level *at = level();
  return (__cilkrts_pedigree){at->rank, (const __cilkrts_pedigree *)(const void *)at->parent};
}

CILK_SHARED void __cilkrts_bump_worker_rank(void) { level()->rank++; }

/* 2^64 - 59 */
#define PRIME UINT64_C(0xFFFFFFFFFFFFFFC5)

/* Not among the runtime's own objects (the Makefile links this file by itself), so it travels. */
static uint64_t seed = UINT64_C(0x8C679C168E6BF733);
static const char shape[] __attribute__((section("cilk_shapes"), aligned(8), used)) =
    "U pedigree.c\nT 1 s 8 uint64_t\nG 1 seed\n";

static uint64_t times(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b % PRIME); }
static uint64_t plus(uint64_t a, uint64_t b) {
  a += b;
  return a < b ? a + 59 : a;               /* congruent: 2^64 is 59 */
}

/* A bijection of 64 bits whose low bits come to the top, and the top ones down. */
static uint64_t mix(uint64_t x) {
  for (int round = 0; round < 4; round++) {
    x *= 2 * x + 1;
    x = x << 32 | x >> 32;
  }
  return x;
}

static uint64_t factor(uint64_t depth) { return mix(seed ^ mix(depth + 1)) % PRIME; }

CILK_SHARED uint64_t __cilkrts_get_dprand(void) {
  cilk_level *at = level();
  at->rank++;
  uint64_t depth = 0, sum = mix(seed) % PRIME;
  for (const cilk_level *l = at; l; l = l->parent) depth++;
  for (const cilk_level *l = at; l; l = l->parent) sum = plus(sum, times(plus(l->rank % PRIME, 1), factor(--depth)));
  return mix(sum);
}

CILK_SHARED void __cilkrts_dprand_set_seed(uint64_t s) { seed = mix(s + UINT64_C(0x9E3779B97F4A7C15)); }
CILK_SHARED void __cilkrts_init_dprng(void) {}
