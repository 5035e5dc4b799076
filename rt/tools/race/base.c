/* base.c - what every file of the detector needs: fatal errors, address space, and the place of the library's call that
 * runs. It calls no other file of the detector. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "race.h"

site *cilk_race_called, *cilk_race_calling;

void race_die(const char *format, ...) {
  va_list more;
  fputs("race detector: fatal error: ", stderr);
  va_start(more, format);
  vfprintf(stderr, format, more);
  va_end(more);
  fputc('\n', stderr);
  _exit(125);
}

void *race_reserve(uint64_t bytes, uint64_t at, const char *what) {
  void *p = mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (p == MAP_FAILED || (at && p != (void *)at))
    race_die("cannot reserve address space for %s (%llu GB): %s; is it limited (ulimit -v)?", what,
        (unsigned long long)(bytes >> 30), strerror(errno));
  madvise(p, bytes, MADV_DONTDUMP);
  return p;
}
