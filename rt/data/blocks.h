/* blocks.h - the memory of Cilk_alloca, alloca and VLAs that a closure has: a chain, `blocks`. */
#ifndef CILK_RT_BLOCKS_H
#define CILK_RT_BLOCKS_H

#include "base/base.h"

enum { CILK_BLOCK_HEADER = 32 };

bool cilk_closure_block_is_whole(const void *block);      /* what its header says fits together */
/* bytes of the pool's piece that it is; 0: a block of its own */
unsigned cilk_closure_block_piece(const void *block);

#endif
