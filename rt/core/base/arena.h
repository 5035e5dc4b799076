/* arena.h - memory at fixed addresses, for what outlives the process: closures, links, and the program's own heap
 * (travel/).
 *
 * There is none unless --checkpoint or --restart asks for it; otherwise cilk_heap_alloc is malloc. All that the
 * arena knows of itself is in its first page, so that its pages alone, at the same addresses in another process, are
 * the same arena there. */
#ifndef CILK_RT_ARENA_H
#define CILK_RT_ARENA_H

#include "base/base.h"

/* below what systems choose by themselves, above all that they place low */
#define CILK_ARENA_BASE ((uintptr_t)0x200000000000)
#define CILK_ARENA_PAGE 4096u

/* of the address range; NULL: there is no arena. Constant once a context is made */
extern char *cilk_arena_end;

static inline bool cilk_arena_has(const void *p) {
  return (const char *)p < cilk_arena_end && (uintptr_t)p >= CILK_ARENA_BASE;
}

const char *cilk_arena_begin(void);       /* once; NULL, or why there is none */
size_t cilk_arena_top(void);              /* bytes from its base on that were ever used; a multiple of a page */
/* a restart: so many bytes can be written from its base on; NULL, or why not */
const char *cilk_arena_grow(size_t top);
/* a restart: NULL, or what is wrong with its blocks and lists; so many bytes of it were ever used */
const char *cilk_arena_check(size_t top);

/* align: a power of two, at least 16; 64: the block is the runtime's own. NULL: there is no memory */
void *cilk_heap_alloc(size_t bytes, size_t align);
void *cilk_heap_again(void *block, size_t bytes);    /* realloc */
void cilk_heap_free(void *block);         /* of either kind */

/* A restart with the pages of a processor of the other byte order: turns what the arena knows of itself. To be checked
 * afterwards. */
void cilk_arena_turn(size_t top);

/* A block that is in use is the runtime's own: closures, links and their like are there. */
bool cilk_arena_own(const void *block);
/* Calls `see` for each block that is in use, with as many bytes as were asked for; of the runtime's own, with all. */
void cilk_arena_blocks(void (*see)(void *block, size_t bytes, void *argument), void *argument);

#endif
