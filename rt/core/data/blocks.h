/* blocks.h - the memory of Cilk_alloca, alloca and VLAs that a closure has: a chain, `blocks`. */
#ifndef CILK_RT_BLOCKS_H
#define CILK_RT_BLOCKS_H

#include "base/base.h"

enum { CILK_BLOCK_HEADER = 32 };

/* C gives an array of no bytes no element, so any address will do. Leaves of searches declare such arrays.
 * AddressSanitizer has to see an access to one. */
static inline bool cilk_needs_no_block(size_t n, size_t align) {
#ifdef CILK_ASAN
  n = 1;
#endif
  return n == 0 && align <= 64;
}
/* For a VLA with that number. `reuses`: the declaration is executed again, and no child is outstanding */
void *cilk_closure_vla(cilk_closure *c, size_t n, size_t align, unsigned number, bool reuses);
bool cilk_closure_block_is_whole(const void *block);      /* what its header says fits together */
/* bytes of the pool's piece that it is; 0: a block of its own */
unsigned cilk_closure_block_piece(const void *block);

#endif
