/* heap.c - the program's heap: of the arena where there is one (<cilk.h>, <cilk-malloc.h>). */
#include "base/arena.h"

#include <errno.h>
#include <string.h>

CILK_SHARED void *Cilk_malloc(size_t size) {
  void *p = cilk_heap_alloc(size ? size : 1, 16);
  if (!p) errno = ENOMEM;
  return p;
}

CILK_SHARED void *Cilk_malloc_fixed(size_t size) { return Cilk_malloc(size); }

CILK_SHARED void *Cilk_calloc(size_t count, size_t size) {
  size_t bytes;
  void *p = __builtin_mul_overflow(count, size, &bytes) ? NULL : cilk_heap_alloc(bytes ? bytes : 1, 16);
  if (p) memset(p, 0, bytes);
  else errno = ENOMEM;
  return p;
}

CILK_SHARED void *Cilk_realloc(void *block, size_t size) {
  void *p = cilk_heap_again(block, size ? size : 1);
  if (!p) errno = ENOMEM;
  return p;
}

CILK_SHARED void Cilk_free(void *block) { cilk_heap_free(block); }

/* posix_memalign and its like. NULL: no memory, or no such alignment. */
CILK_SHARED void *Cilk_memalign(size_t align, size_t size) {
  size_t least = align < 16 ? 16 : align == 64 ? 128 : align;   /* at 64 are the runtime's own blocks (arena.h) */
  void *p = align && !(align & (align - 1)) ? cilk_heap_alloc(size ? size : 1, least) : NULL;
  if (!p) errno = align & (align - 1) ? EINVAL : ENOMEM;
  return p;
}

CILK_SHARED char *Cilk_strdup(const char *text) {
  size_t n = strlen(text) + 1;
  char *copy = Cilk_malloc(n);
  return copy ? memcpy(copy, text, n) : NULL;
}
