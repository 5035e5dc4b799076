/* library_string.c - <string.h>, and what else takes texts and blocks. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "library.h"

/* ---- blocks ---- */

#define COPIES(name) \
  void *cilk_race_libc_##name(void *to, const void *from, size_t n) { \
    reads(from, n); \
    writes(to, n); \
    return name(to, from, n); \
  }
COPIES(memcpy)
COPIES(mempcpy)
COPIES(memmove)
void *cilk_race_libc_memset(void *to, int c, size_t n) {
  writes(to, n);
  return memset(to, c, n);
}
void cilk_race_libc_bzero(void *to, size_t n) {
  writes(to, n);
  memset(to, 0, n);
}
void cilk_race_libc_explicit_bzero(void *to, size_t n) {
  writes(to, n);
  memset(to, 0, n);
}
void cilk_race_libc_bcopy(const void *from, void *to, size_t n) {
  reads(from, n);
  writes(to, n);
  memmove(to, from, n);
}
int cilk_race_libc_memcmp(const void *a, const void *b, size_t n) {
  reads(a, n);
  reads(b, n);
  return memcmp(a, b, n);
}
int cilk_race_libc_bcmp(const void *a, const void *b, size_t n) {
  reads(a, n);
  reads(b, n);
  return memcmp(a, b, n);
}
static size_t up_to(const void *p, const void *hit, size_t n) {
  return hit ? (size_t)((const char *)hit - (const char *)p) + 1 : n;
}
void *cilk_race_libc_memchr(const void *p, int c, size_t n) {
  void *hit = memchr(p, c, n);
  reads(p, up_to(p, hit, n));
  return hit;
}
void *cilk_race_libc_memrchr(const void *p, int c, size_t n) {
  reads(p, n);
  return memrchr(p, c, n);
}
void *cilk_race_libc_rawmemchr(const void *p, int c) {
  void *hit = rawmemchr(p, c);
  reads(p, up_to(p, hit, 0));
  return hit;
}
void *cilk_race_libc_memmem(const void *p, size_t n, const void *what, size_t k) {
  reads(p, n);
  reads(what, k);
  return memmem(p, n, what, k);
}
void *cilk_race_libc_memccpy(void *to, const void *from, int c, size_t n) {
  size_t k = up_to(from, memchr(from, c, n), n);
  reads(from, k);
  writes(to, k);
  return memccpy(to, from, c, n);
}

/* ---- texts ---- */

size_t cilk_race_libc_strlen(const char *s) {
  reads_text(s);
  return strlen(s);
}
size_t cilk_race_libc_strnlen(const char *s, size_t n) {
  reads_some(s, n);
  return strnlen(s, n);
}
#define COPIES_TEXT(name, some) \
  char *cilk_race_libc_##name(char *to, const char *from) { \
    reads_text(from); \
    writes(to, strlen(from) + 1); \
    return name(to, from); \
  } \
  char *cilk_race_libc_##some(char *to, const char *from, size_t n) { \
    reads_some(from, n); \
    writes(to, n); \
    return some(to, from, n); \
  }
COPIES_TEXT(strcpy, strncpy)
COPIES_TEXT(stpcpy, stpncpy)
char *cilk_race_libc_strcat(char *to, const char *from) {
  reads_text(from);
  reads_text(to);
  writes(to + strlen(to), strlen(from) + 1);
  return strcat(to, from);
}
char *cilk_race_libc_strncat(char *to, const char *from, size_t n) {
  reads_some(from, n);
  reads_text(to);
  writes(to + strlen(to), strnlen(from, n) + 1);
  return strncat(to, from, n);
}

static int read_compared(const char *a, const char *b, size_t most, int result) {
  size_t n = 0;
  while (n < most && a[n] && a[n] == b[n]) n++;
  n += n < most;
  reads(a, n);
  reads(b, n);
  return result;
}
int cilk_race_libc_strcmp(const char *a, const char *b) { return read_compared(a, b, SIZE_MAX, strcmp(a, b)); }
int cilk_race_libc_strncmp(const char *a, const char *b, size_t n) { return read_compared(a, b, n, strncmp(a, b, n)); }
int cilk_race_libc_strcoll(const char *a, const char *b) {
  reads_text(a);
  reads_text(b);
  return strcoll(a, b);
}
int cilk_race_libc_strcasecmp(const char *a, const char *b) {
  reads_text(a);
  reads_text(b);
  return strcasecmp(a, b);
}
int cilk_race_libc_strncasecmp(const char *a, const char *b, size_t n) {
  reads_some(a, n);
  reads_some(b, n);
  return strncasecmp(a, b, n);
}

char *cilk_race_libc_strchr(const char *s, int c) {
  char *hit = strchr(s, c);
  reads(s, hit ? (size_t)(hit - s) + 1 : strlen(s) + 1);
  return hit;
}
char *cilk_race_libc_index(const char *s, int c) { return cilk_race_libc_strchr(s, c); }
char *cilk_race_libc_strchrnul(const char *s, int c) {
  char *hit = strchrnul(s, c);
  reads(s, (size_t)(hit - s) + 1);
  return hit;
}
char *cilk_race_libc_strrchr(const char *s, int c) {
  reads_text(s);
  return strrchr(s, c);
}
char *cilk_race_libc_rindex(const char *s, int c) {
  reads_text(s);
  return strrchr(s, c);
}
char *cilk_race_libc_strstr(const char *s, const char *what) {
  reads_text(s);
  reads_text(what);
  return strstr(s, what);
}
char *cilk_race_libc_strcasestr(const char *s, const char *what) {
  reads_text(s);
  reads_text(what);
  return strcasestr(s, what);
}
size_t cilk_race_libc_strspn(const char *s, const char *set) {
  size_t n = strspn(s, set);
  reads_text(set);
  reads(s, n + 1);
  return n;
}
size_t cilk_race_libc_strcspn(const char *s, const char *set) {
  size_t n = strcspn(s, set);
  reads_text(set);
  reads(s, n + 1);
  return n;
}
char *cilk_race_libc_strpbrk(const char *s, const char *set) {
  reads_text(set);
  reads(s, strcspn(s, set) + 1);
  return strpbrk(s, set);
}

/* The search ends where the text is cut, which is overwritten. */
char *race_cut(char *s, const char *set, char **state, char *(*function)(char *, const char *, char **)) {
  char *from = s ? s : *state;
  reads_text(set);
  char *end = from ? from + strspn(from, set) : NULL;
  if (end) {
    end += strcspn(end, set);
    reads(from, (size_t)(end - from) + 1);
    if (*end) writes(end, 1);
  }
  return function(s, set, state);
}
char *cilk_race_libc_strtok_r(char *s, const char *set, char **state) {
  writes_object(state);
  return race_cut(s, set, state, strtok_r);
}
char *cilk_race_libc_strsep(char **s, const char *set) {
  writes_object(s);
  reads_text(set);
  char *from = *s;
  if (from) reads(from, strcspn(from, set) + 1);
  char *token = strsep(s, set);
  if (from && *s) writes(*s - 1, 1);
  return token;
}
char *cilk_race_libc_strerror_r(int e, char *to, size_t n) {
  writes(to, n);
  return strerror_r(e, to, n);
}

int cilk_race_libc_strverscmp(const char *a, const char *b) {
  reads_text(a);
  reads_text(b);
  return strverscmp(a, b);
}
size_t cilk_race_libc_strxfrm(char *to, const char *from, size_t n) {
  reads_text(from);
  size_t k = strxfrm(to, from, n);
  if (n) writes(to, k < n ? k + 1 : n);
  return k;
}
void cilk_race_libc_swab(const void *from, void *to, ssize_t n) {
  if (n > 0) {
    reads(from, (size_t)n & ~(size_t)1);
    writes(to, (size_t)n & ~(size_t)1);
  }
  swab(from, to, n);
}

/* ---- numbers ---- */

#define NUMBER(type, name) \
  type cilk_race_libc_##name(const char *s, char **end) { \
    char *stop; \
    type v = name(s, &stop); \
    reads(s, (size_t)(stop - s) + 1); \
    if (end) { \
      writes_object(end); \
      *end = stop; \
    } \
    return v; \
  }
NUMBER(double, strtod)
NUMBER(float, strtof)
NUMBER(long double, strtold)
#undef NUMBER
#define NUMBER(type, name, real) \
  type cilk_race_libc_##name(const char *s, char **end, int base) { \
    char *stop; \
    type v = real(s, &stop, base); \
    reads(s, (size_t)(stop - s) + 1); \
    if (end) { \
      writes_object(end); \
      *end = stop; \
    } \
    return v; \
  }
NUMBER(long, strtol, strtol)
NUMBER(long long, strtoll, strtoll)
NUMBER(unsigned long, strtoul, strtoul)
NUMBER(unsigned long long, strtoull, strtoull)
NUMBER(long, __isoc23_strtol, strtol)
NUMBER(long long, __isoc23_strtoll, strtoll)
NUMBER(unsigned long, __isoc23_strtoul, strtoul)
NUMBER(unsigned long long, __isoc23_strtoull, strtoull)
NUMBER(intmax_t, strtoimax, strtoimax)
NUMBER(uintmax_t, strtoumax, strtoumax)
NUMBER(intmax_t, __isoc23_strtoimax, strtoimax)
NUMBER(uintmax_t, __isoc23_strtoumax, strtoumax)
#undef NUMBER
int cilk_race_libc_atoi(const char *s) { return (int)cilk_race_libc_strtol(s, NULL, 10); }
long cilk_race_libc_atol(const char *s) { return cilk_race_libc_strtol(s, NULL, 10); }
long long cilk_race_libc_atoll(const char *s) { return cilk_race_libc_strtoll(s, NULL, 10); }
double cilk_race_libc_atof(const char *s) { return cilk_race_libc_strtod(s, NULL); }

/* ---- sorting: the comparisons are the program's, the moves the library's ---- */

void cilk_race_libc_qsort(void *p, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  if (n > 1) {
    reads(p, n * size);
    writes(p, n * size);
  }
  qsort(p, n, size, compare);
}
void cilk_race_libc_qsort_r(void *p, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
    void *context) {
  if (n > 1) {
    reads(p, n * size);
    writes(p, n * size);
  }
  qsort_r(p, n, size, compare, context);
}
