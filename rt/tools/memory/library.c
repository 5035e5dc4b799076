/* library.c - the functions of library.def: the C library's own, and the blocks that come and go. Freeing comes before
 * reallocating: a block that moves is counted once. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "memory.h"

cilk_memory_site *cilk_memory_called;

static void *made(void *p, size_t n) {
  memory_block_made(p, n, cilk_memory_called);
  return p;
}

void *cilk_memory_libc_malloc(size_t n) { return made(malloc(n), n); }
void *cilk_memory_libc_calloc(size_t n, size_t size) { return made(calloc(n, size), n * size); }
void *cilk_memory_libc_aligned_alloc(size_t align, size_t n) { return made(aligned_alloc(align, n), n); }
void *cilk_memory_libc_memalign(size_t align, size_t n) { return made(memalign(align, n), n); }
void *cilk_memory_libc_valloc(size_t n) { return made(valloc(n), n); }
int cilk_memory_libc_posix_memalign(void **p, size_t align, size_t n) {
  int failed = posix_memalign(p, align, n);
  if (!failed) made(*p, n);
  return failed;
}

void cilk_memory_libc_free(void *p) {
  size_t bytes;
  site *from;
  if (p) memory_block_gone(p, &bytes, &from);        /* before another thread gets the same address */
  free(p);
}
void cilk_memory_libc_cfree(void *p) { cilk_memory_libc_free(p); }

void *cilk_memory_libc_realloc(void *p, size_t n) {
  size_t bytes = 0;
  site *from = NULL, *to = cilk_memory_called;
  bool known = p && memory_block_gone(p, &bytes, &from);
  void *q = realloc(p, n);
  if (q) memory_block_made(q, n, to);
  else if (known && n) {
    memory_block_made(p, bytes, from);          /* it is where it was, and no new one */
    if (from && !memory_settings.parallel) {
      from->count--;
      from->bytes -= bytes;
    }
  }
  return q;
}
void *cilk_memory_libc_reallocarray(void *p, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return cilk_memory_libc_realloc(p, bytes);
}

static char *text(char *s) { return made(s, s ? strlen(s) + 1 : 0); }
char *cilk_memory_libc_strdup(const char *s) { return text(strdup(s)); }
char *cilk_memory_libc_strndup(const char *s, size_t n) { return text(strndup(s, n)); }
int cilk_memory_libc_vasprintf(char **s, const char *format, va_list args) {
  int n = vasprintf(s, format, args);
  if (n >= 0) made(*s, (size_t)n + 1);
  return n;
}
int cilk_memory_libc_asprintf(char **s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = cilk_memory_libc_vasprintf(s, format, args);
  va_end(args);
  return n;
}

ssize_t cilk_memory_libc_getdelim(char **line, size_t *room, int end, FILE *in) {
  char *before = *line;
  size_t bytes = *room, old;
  site *from, *to = cilk_memory_called;
  ssize_t n = getdelim(line, room, end, in);
  if (*line != before || *room != bytes) {
    if (before) memory_block_gone(before, &old, &from);
    memory_block_made(*line, *room, to);
  }
  return n;
}
ssize_t cilk_memory_libc_getline(char **line, size_t *room, FILE *in) {
  return cilk_memory_libc_getdelim(line, room, '\n', in);
}

/* What inline functions of the headers call. */
ssize_t cilk_memory_libc___getdelim(char **line, size_t *room, int end, FILE *in) {
  return cilk_memory_libc_getdelim(line, room, end, in);
}
char *cilk_memory_libc___strdup(const char *s) { return cilk_memory_libc_strdup(s); }
char *cilk_memory_libc___strndup(const char *s, size_t n) { return cilk_memory_libc_strndup(s, n); }
