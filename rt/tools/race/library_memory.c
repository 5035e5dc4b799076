/* library_memory.c - the heap. Freeing writes the whole block: a parallel use of the block races with the write. A
 * new block has no past, at any address. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <wchar.h>
#include "library.h"

void race_block_made(void *p, size_t n, site *at) {
  if (!p) return;
  race_clear(p, n);
  race_block_enter(p, n, at, false);
}

static void *note_block(void *p, size_t n) {
  race_block_made(p, n, cilk_race_called);
  return p;
}

void *cilk_race_libc_malloc(size_t n) { return note_block(malloc(n), n); }
void *cilk_race_libc_calloc(size_t n, size_t size) { return note_block(calloc(n, size), n * size); }
void *cilk_race_libc_aligned_alloc(size_t align, size_t n) { return note_block(aligned_alloc(align, n), n); }
void *cilk_race_libc_memalign(size_t align, size_t n) { return note_block(memalign(align, n), n); }
void *cilk_race_libc_valloc(size_t n) { return note_block(valloc(n), n); }
int cilk_race_libc_posix_memalign(void **p, size_t align, size_t n) {
  writes_object(p);
  int failed = posix_memalign(p, align, n);
  if (!failed) note_block(*p, n);
  return failed;
}

void cilk_race_libc_free(void *p) {
  if (p) writes(p, race_block_gone(p));
  free(p);
}
void cilk_race_libc_cfree(void *p) { cilk_race_libc_free(p); }

void *cilk_race_libc_realloc(void *p, size_t n) {
  if (!p) return note_block(realloc(p, n), n);
  size_t old = race_block_gone(p);
  writes(p, old);
  void *q = realloc(p, n);
  if (!q) {
    if (n) race_block_made(p, old, cilk_race_called);
    return q;
  }
  note_block(q, n);
  writes(q, old < n ? old : n);
  return q;
}
void *cilk_race_libc_reallocarray(void *p, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return cilk_race_libc_realloc(p, bytes);
}

char *cilk_race_libc_strdup(const char *s) {
  reads_text(s);
  return note_block(strdup(s), strlen(s) + 1);
}
char *cilk_race_libc_strndup(const char *s, size_t n) {
  reads_some(s, n);
  return note_block(strndup(s, n), strnlen(s, n) + 1);
}

wchar_t *cilk_race_libc_wcsdup(const wchar_t *s) {
  size_t n = (wcslen(s) + 1) * sizeof *s;
  reads(s, n);
  return note_block(wcsdup(s), n);
}

void *cilk_race_libc_mmap(void *at, size_t n, int protection, int flags, int fd, off_t from) {
  void *p = mmap(at, n, protection, flags, fd, from);
  if (p != MAP_FAILED) race_clear(p, n);
  return p;
}
int cilk_race_libc_munmap(void *p, size_t n) {
  writes(p, n);
  return munmap(p, n);
}
