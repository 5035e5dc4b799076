/* blocks.c - the memory that a procedure attaches to its closure: Cilk_alloca, alloca, VLAs.
 *
 * A small block is a piece of the closures' pool, because a fast clone should pay only a few instructions for a VLA.
 * A large one comes from malloc. */
#include "data/blocks.h"
#include "base/arena.h"
#include "base/fault.h"
#include "data/closure.h"
#include "data/deque.h"
#include "data/pool.h"
#include "data/zones.h"

#include <stdlib.h>

struct block {
  struct block *next;
  void *start;
  size_t room;                            /* bytes from start on */
  /* 0: lives as long as the instance; else whose VLA it is, one more than cilk_rt_vla's number */
  unsigned vla;
  unsigned piece;                         /* bytes of the pool's piece; 0: from malloc */
};

_Static_assert(sizeof(struct block) == CILK_BLOCK_HEADER, "blocks.h");

#ifdef CILK_ASAN
enum { LARGEST_PIECE = 0, ZONE = CILK_ZONE_BYTES };   /* malloc's blocks have a red zone at their end */
#else
enum { ZONE = 0, LARGEST_PIECE = CILK_FREE_CLASSES * CILK_FREE_UNIT };
#endif

static __attribute__((noinline)) void *new_block(cilk_closure *c, size_t n, size_t align, unsigned vla) {
  if (align < 16) align = 16;
  size_t extra = sizeof(struct block) + ZONE + (align > 16 ? align : 0), bytes = n + extra;
  bool small = n <= LARGEST_PIECE && bytes <= LARGEST_PIECE;
  struct block *b;
  if (n > SIZE_MAX - extra || CILK_FAILS(MALLOC)) b = NULL;
  else b = small ? cilk_pool_alloc(bytes) : cilk_heap_alloc(bytes, 16);
  if (!b) cilk_fatal("out of memory (%s of %zu bytes)", vla ? "a variable-length array" : "Cilk_alloca", n);
  b->next = c->blocks;
  c->blocks = b;
  uintptr_t p = (uintptr_t)(b + 1) + ZONE;
  b->start = (void *)((p + align - 1) & ~(uintptr_t)(align - 1));
  b->room = n;
#ifdef CILK_ASAN
  cilk_zone_before_block((char *)b->start - ZONE);
#endif
  b->vla = vla;
  b->piece = small ? (unsigned)bytes : 0;
  return b->start;
}

/* A block of an instance that was never stolen goes back to where it came from, this worker's list. Another one goes to
 * all workers. */
static void free_block(const cilk_closure *c, struct block *b) {
  if (!b->piece) cilk_heap_free(b);
  else if (load_relaxed(&c->state) == CILK_ATTACHED) cilk_pool_free_own(b, b->piece);
  else cilk_pool_free(b, b->piece);
}

void *cilk_rt_alloca(cilk_closure *c, size_t n, size_t align) {
  return cilk_needs_no_block(n, align) ? c : new_block(c, n, align, 0);
}

/* The declaration of a VLA is executed again in a slow clone. An outstanding child may hold the address of the previous
 * array, so its block is used again, or freed, only when no child is outstanding. The walk is cut short for procedures
 * that have called Cilk_alloca thousands of times. */
static CILK_COLD void *block_again(cilk_closure *c, size_t n, size_t align, unsigned vla) {
  void *found = NULL;
  int looked = 0;
  for (struct block **at = (struct block **)&c->blocks, *b; (b = *at) && looked < CILK_VLA_LOOK_AT; looked++) {
    bool same = b->vla == vla;
    if (same && !found && b->room >= n && ((uintptr_t)b->start & (align - 1)) == 0) {
      found = b->start;
    } else if (same) {
      *at = b->next;
      free_block(c, b);
      continue;
    }
    at = &b->next;
  }
  return found ? found : new_block(c, n, align, vla);
}

void *cilk_closure_vla(cilk_closure *c, size_t n, size_t align, unsigned number, bool reuses) {
  if (cilk_needs_no_block(n, align)) return c;
  return reuses ? block_again(c, n, align, number + 1) : new_block(c, n, align, number + 1);
}

void cilk_rt_vla_reset(cilk_closure *c, void *mark) {
  for (struct block **at = (struct block **)&c->blocks, *b; (b = *at) && b != mark;)
    if (b->vla) {
      *at = b->next;
      free_block(c, b);
    } else {
      at = &b->next;
    }
}

const void *cilk_closure_block(const void *block, const void **start, size_t *bytes) {
  const struct block *b = block;
  *start = b->start;
  *bytes = b->room;
  return b->next;
}

bool cilk_closure_block_is_whole(const void *block) {
  const struct block *b = block;
  uintptr_t start = (uintptr_t)b->start, from = (uintptr_t)(b + 1);
  return start >= from && b->room <= UINTPTR_MAX - start && b->piece <= LARGEST_PIECE &&
         (!b->piece || start - (uintptr_t)b + b->room <= b->piece);
}

unsigned cilk_closure_block_piece(const void *block) { return ((const struct block *)block)->piece; }

void cilk_closure_release_blocks(cilk_closure *c) {
  for (struct block *b = c->blocks, *next; b; b = next) {
    next = b->next;
    free_block(c, b);
  }
  c->blocks = NULL;
}
