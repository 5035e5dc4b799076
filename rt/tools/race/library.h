/* library.h - for the files that say what functions of the C library do to the program's memory. A function NAME of the
 * program's calls is cilk_race_libc_NAME here: it reports the accesses at the place of the call and calls the real
 * function. library.def lists them for the compiler.
 */
#ifndef CILK_RACE_LIBRARY_H
#define CILK_RACE_LIBRARY_H
#include <stdarg.h>
#include <string.h>
#include "race.h"

static inline void reads(const void *p, size_t n) {
  if (p) race_access(p, n, cilk_race_called, CILK_RACE_READ);
}
static inline void writes(const void *p, size_t n) {
  if (p) race_access(p, n, cilk_race_called, CILK_RACE_WRITE);
}
static inline void reads_text(const char *s) { reads(s, strlen(s) + 1); }
/* At most n bytes, up to the end of the text. */
static inline void reads_some(const char *s, size_t n) {
  size_t k = strnlen(s, n);
  reads(s, k < n ? k + 1 : n);
}
void race_block_made(void *p, size_t n, site *at); /* malloc and its like; nothing for null */
void race_printed(const char *format, va_list); /* what the conversions of a format read, and %n writes */
void race_scanned(const char *format, va_list, int count); /* what the first conversions of a format have written */
/* strtok_r and its like */
char *race_cut(char *s, const char *set, char **state, char *(*function)(char *, const char *, char **));
#define reads_object(p) reads((p), sizeof *(p))
#define writes_object(p) writes((p), sizeof *(p))

#endif
