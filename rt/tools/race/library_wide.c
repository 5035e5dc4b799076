/* library_wide.c - <wchar.h>: blocks and texts of wchar_t, and what turns them into texts of bytes and back. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include "library.h"

static const size_t wide = sizeof(wchar_t);
static void reads_wide(const wchar_t *s) { reads(s, (wcslen(s) + 1) * wide); }
static void reads_some_wide(const wchar_t *s, size_t n) {
  size_t k = wcsnlen(s, n);
  reads(s, (k < n ? k + 1 : n) * wide);
}

wchar_t *cilk_race_libc_wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
  reads(from, n * wide);
  writes(to, n * wide);
  return wmemcpy(to, from, n);
}
wchar_t *cilk_race_libc_wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  reads(from, n * wide);
  writes(to, n * wide);
  return wmemmove(to, from, n);
}
wchar_t *cilk_race_libc_wmemset(wchar_t *to, wchar_t c, size_t n) {
  writes(to, n * wide);
  return wmemset(to, c, n);
}
int cilk_race_libc_wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  reads(a, n * wide);
  reads(b, n * wide);
  return wmemcmp(a, b, n);
}

size_t cilk_race_libc_wcslen(const wchar_t *s) {
  reads_wide(s);
  return wcslen(s);
}
size_t cilk_race_libc_wcsnlen(const wchar_t *s, size_t n) {
  reads_some_wide(s, n);
  return wcsnlen(s, n);
}
wchar_t *cilk_race_libc_wcscpy(wchar_t *to, const wchar_t *from) {
  reads_wide(from);
  writes(to, (wcslen(from) + 1) * wide);
  return wcscpy(to, from);
}
wchar_t *cilk_race_libc_wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
  reads_some_wide(from, n);
  writes(to, n * wide);
  return wcsncpy(to, from, n);
}
wchar_t *cilk_race_libc_wcscat(wchar_t *to, const wchar_t *from) {
  reads_wide(from);
  reads_wide(to);
  writes(to + wcslen(to), (wcslen(from) + 1) * wide);
  return wcscat(to, from);
}
wchar_t *cilk_race_libc_wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
  reads_some_wide(from, n);
  reads_wide(to);
  writes(to + wcslen(to), (wcsnlen(from, n) + 1) * wide);
  return wcsncat(to, from, n);
}
int cilk_race_libc_wcscmp(const wchar_t *a, const wchar_t *b) {
  reads_wide(a);
  reads_wide(b);
  return wcscmp(a, b);
}
int cilk_race_libc_wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  reads_some_wide(a, n);
  reads_some_wide(b, n);
  return wcsncmp(a, b, n);
}
wchar_t *cilk_race_libc_wcschr(const wchar_t *s, wchar_t c) {
  wchar_t *hit = wcschr(s, c);
  reads(s, (hit ? (size_t)(hit - s) + 1 : wcslen(s) + 1) * wide);
  return hit;
}
wchar_t *cilk_race_libc_wcsrchr(const wchar_t *s, wchar_t c) {
  reads_wide(s);
  return wcsrchr(s, c);
}
wchar_t *cilk_race_libc_wcsstr(const wchar_t *s, const wchar_t *what) {
  reads_wide(s);
  reads_wide(what);
  return wcsstr(s, what);
}

wchar_t *cilk_race_libc_wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  wchar_t *hit = wmemchr(s, c, n);
  reads(s, (hit ? (size_t)(hit - s) + 1 : n) * wide);
  return hit;
}
size_t cilk_race_libc_wcsspn(const wchar_t *s, const wchar_t *set) {
  size_t n = wcsspn(s, set);
  reads_wide(set);
  reads(s, (n + 1) * wide);
  return n;
}
size_t cilk_race_libc_wcscspn(const wchar_t *s, const wchar_t *set) {
  size_t n = wcscspn(s, set);
  reads_wide(set);
  reads(s, (n + 1) * wide);
  return n;
}
wchar_t *cilk_race_libc_wcspbrk(const wchar_t *s, const wchar_t *set) {
  size_t n = cilk_race_libc_wcscspn(s, set);
  return s[n] ? (wchar_t *)s + n : NULL;
}
wchar_t *cilk_race_libc_wcstok(wchar_t *s, const wchar_t *set, wchar_t **state) {
  writes_object(state);
  reads_wide(set);
  wchar_t *from = s ? s : *state;
  if (from) reads_wide(from);
  wchar_t *token = wcstok(s, set, state);
  if (token && *state && *state > token) writes(*state - 1, wide);
  return token;
}

/* ---- from one to the other ---- */

size_t cilk_race_libc_mbstowcs(wchar_t *to, const char *from, size_t n) {
  reads_text(from);
  size_t k = mbstowcs(to, from, n);
  if (to && k != (size_t)-1) writes(to, (k < n ? k + 1 : n) * wide);
  return k;
}
size_t cilk_race_libc_wcstombs(char *to, const wchar_t *from, size_t n) {
  reads_wide(from);
  size_t k = wcstombs(to, from, n);
  if (to && k != (size_t)-1) writes(to, k < n ? k + 1 : n);
  return k;
}

/* ---- printing, reading: formats of bytes and of wide characters have the same conversions ---- */

static void to_bytes(char *to, const wchar_t *f) {
  reads_wide(f);
  do *to++ = *f < 128 ? (char)*f : '?';
  while (*f++);
}

static void print(const wchar_t *f, va_list a) {
  char narrow[wcslen(f) + 1];
  to_bytes(narrow, f);
  race_printed(narrow, a);
}
static int print_wide(wchar_t *to, size_t room, const wchar_t *f, va_list a) {
  print(f, a);
  int n = vswprintf(to, room, f, a);
  if (n >= 0) writes(to, ((size_t)n + 1) * wide);
  return n;
}
int cilk_race_libc_vswprintf(wchar_t *to, size_t room, const wchar_t *f, va_list a) {
  return print_wide(to, room, f, a);
}
int cilk_race_libc_swprintf(wchar_t *to, size_t room, const wchar_t *f, ...) {
  va_list a;
  va_start(a, f);
  int n = print_wide(to, room, f, a);
  va_end(a);
  return n;
}

#define WITH_LIST(call) \
  va_list a; \
  va_start(a, f); \
  int n = call; \
  va_end(a); \
  return n;
int cilk_race_libc_vwprintf(const wchar_t *f, va_list a) {
  print(f, a);
  return vwprintf(f, a);
}
int cilk_race_libc_vfwprintf(FILE *to, const wchar_t *f, va_list a) {
  print(f, a);
  return vfwprintf(to, f, a);
}
int cilk_race_libc_wprintf(const wchar_t *f, ...) { WITH_LIST(cilk_race_libc_vwprintf(f, a)) }
int cilk_race_libc_fwprintf(FILE *to, const wchar_t *f, ...) { WITH_LIST(cilk_race_libc_vfwprintf(to, f, a)) }

static int scan_wide(const wchar_t *s, const wchar_t *f, va_list a) {
  reads_wide(s);
  return vswscanf(s, f, a);
}
#define SCANS_LIST(name, parameters, call) \
  int cilk_race_libc_##name parameters { \
    va_list b; \
    va_copy(b, a); \
    char narrow[wcslen(f) + 1]; \
    to_bytes(narrow, f); \
    int n = call; \
    race_scanned(narrow, b, n); \
    va_end(b); \
    return n; \
  }
#define SCANNERS(prefix) \
  SCANS_LIST(prefix##vwscanf, (const wchar_t *f, va_list a), vwscanf(f, a)) \
  SCANS_LIST(prefix##vfwscanf, (FILE * from, const wchar_t *f, va_list a), vfwscanf(from, f, a)) \
  SCANS_LIST(prefix##vswscanf, (const wchar_t *s, const wchar_t *f, va_list a), scan_wide(s, f, a)) \
  int cilk_race_libc_##prefix##wscanf(const wchar_t *f, ...) { WITH_LIST(cilk_race_libc_vwscanf(f, a)) } \
  int cilk_race_libc_##prefix##fwscanf(FILE *from, const wchar_t *f, ...) { \
    WITH_LIST(cilk_race_libc_vfwscanf(from, f, a)) \
  } \
  int cilk_race_libc_##prefix##swscanf(const wchar_t *s, const wchar_t *f, ...) { \
    WITH_LIST(cilk_race_libc_vswscanf(s, f, a)) \
  }
SCANNERS()
SCANNERS(__isoc99_)
SCANNERS(__isoc23_)
#undef SCANNERS
#undef SCANS_LIST
#undef WITH_LIST

int cilk_race_libc_fputws(const wchar_t *s, FILE *to) {
  reads_wide(s);
  return fputws(s, to);
}
wchar_t *cilk_race_libc_fgetws(wchar_t *to, int n, FILE *from) {
  wchar_t *got = fgetws(to, n, from);
  if (got) writes(to, (wcslen(to) + 1) * wide);
  return got;
}

/* ---- numbers, words, single characters ---- */

#define NUMBER(name, type) \
  type cilk_race_libc_##name(const wchar_t *s, wchar_t **end) { \
    wchar_t *stop; \
    type x = name(s, &stop); \
    reads(s, (size_t)(stop - s + 1) * wide); \
    if (end) { \
      writes_object(end); \
      *end = stop; \
    } \
    return x; \
  }
#define INTEGER(name, type) \
  type cilk_race_libc_##name(const wchar_t *s, wchar_t **end, int base) { \
    wchar_t *stop; \
    type x = name(s, &stop, base); \
    reads(s, (size_t)(stop - s + 1) * wide); \
    if (end) { \
      writes_object(end); \
      *end = stop; \
    } \
    return x; \
  }
NUMBER(wcstod, double)
NUMBER(wcstof, float)
NUMBER(wcstold, long double)
/* clang-format off */
INTEGER(wcstol, long)
INTEGER(wcstoll, long long)
INTEGER(wcstoul, unsigned long)
INTEGER(wcstoull, unsigned long long)
/* clang-format on */
#undef NUMBER
#undef INTEGER

size_t cilk_race_libc_mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
  size_t k = mbrtowc(to, s, n, state);
  if (s && n) reads(s, k > 0 && k <= n ? k : 1);
  if (to && s && k <= n) writes_object(to);
  if (state) writes_object(state);
  return k;
}
size_t cilk_race_libc_wcrtomb(char *to, wchar_t c, mbstate_t *state) {
  size_t k = wcrtomb(to, c, state);
  if (to && k != (size_t)-1) writes(to, k);
  if (state) writes_object(state);
  return k;
}
