/* library_state.c - functions of the C library that keep something between calls, without a lock: what one call leaves
 * there another one finds, so they race with each other as two assignments to a variable do. (Streams have locks. So
 * have rand and random: that parallel calls draw from one sequence is a note.) The state is a variable of ours that
 * stands for the library's, under the function's name. */
#define _GNU_SOURCE
#include <dirent.h>
#include <getopt.h>
#include <grp.h>
#include <libgen.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include "library.h"

#define STATE(variable, text) \
  static struct { \
    int word; \
  } variable; \
  static const cilk_race_variable variable##_is __attribute__((section("cilk_race_globals"), used, aligned(8))) = { \
      &variable, sizeof variable, text, NULL, "<libc>", 0}

/* ---- texts ---- */

STATE(strtok_state, "the text of strtok");
char *cilk_race_libc_strtok(char *s, const char *set) {
  static char *state;
  writes_object(&strtok_state);
  return race_cut(s, set, &state, strtok_r);
}

STATE(environment, "the environment");
char *cilk_race_libc_getenv(const char *name) {
  reads_text(name);
  reads(&environment, sizeof environment);
  return getenv(name);
}
char *cilk_race_libc_secure_getenv(const char *name) {
  reads_text(name);
  reads(&environment, sizeof environment);
  return secure_getenv(name);
}
int cilk_race_libc_setenv(const char *name, const char *value, int over) {
  reads_text(name);
  reads_text(value);
  writes_object(&environment);
  return setenv(name, value, over);
}
int cilk_race_libc_unsetenv(const char *name) {
  reads_text(name);
  writes_object(&environment);
  return unsetenv(name);
}
int cilk_race_libc_putenv(char *text) {
  reads_text(text);
  writes_object(&environment);
  return putenv(text);
}

/* ---- times that lie in the library's memory: what is returned there is written ---- */

STATE(broken_down, "the result of localtime, gmtime");
static struct tm *its(struct tm *t) {
  writes_object(&broken_down);
  if (t) writes_object(t);
  return t;
}
struct tm *cilk_race_libc_localtime(const time_t *t) {
  reads(t, sizeof *t);
  return its(localtime(t));
}
struct tm *cilk_race_libc_gmtime(const time_t *t) {
  reads(t, sizeof *t);
  return its(gmtime(t));
}
char *cilk_race_libc_asctime(const struct tm *t) {
  reads(t, sizeof *t);
  char *text = asctime(t);
  if (text) writes(text, strlen(text) + 1);
  return text;
}
char *cilk_race_libc_ctime(const time_t *t) {
  reads(t, sizeof *t);
  its(localtime(t));
  char *text = ctime(t);
  if (text) writes(text, strlen(text) + 1);
  return text;
}
char *cilk_race_libc_ctime_r(const time_t *t, char *to) {
  reads(t, sizeof *t);
  char *text = ctime_r(t, to);
  if (text) writes(to, strlen(to) + 1);
  return text;
}
char *cilk_race_libc_asctime_r(const struct tm *t, char *to) {
  reads(t, sizeof *t);
  char *text = asctime_r(t, to);
  if (text) writes(to, strlen(to) + 1);
  return text;
}
time_t cilk_race_libc_mktime(struct tm *t) {
  writes_object(t);
  return mktime(t);
}
time_t cilk_race_libc_timegm(struct tm *t) {
  writes_object(t);
  return timegm(t);
}

/* ---- options, folders, languages, tables ---- */

STATE(getopt_state, "the state of getopt");
int cilk_race_libc_getopt(int n, char *const words[], const char *letters) {
  reads_text(letters);
  writes_object(&getopt_state);
  return getopt(n, words, letters);
}
#define LONG_OPTIONS(name) \
  int cilk_race_libc_##name(int n, char *const words[], const char *letters, const struct option *longs, int *which) { \
    reads_text(letters); \
    writes_object(&getopt_state); \
    if (which) writes_object(which); \
    return name(n, words, letters, longs, which); \
  }
LONG_OPTIONS(getopt_long)
LONG_OPTIONS(getopt_long_only)
#undef LONG_OPTIONS
/* They may cut the name, and return a part of it. */
char *cilk_race_libc_dirname(char *name) {
  if (name) writes(name, strlen(name) + 1);
  return dirname(name);
}
char *cilk_race_libc___xpg_basename(char *name) {
  if (name) writes(name, strlen(name) + 1);
  return __xpg_basename(name);
}
STATE(locale, "the locale");
char *cilk_race_libc_setlocale(int category, const char *name) {
  if (name) {
    reads_text(name);
    writes_object(&locale);
  } else reads(&locale, sizeof locale);
  return setlocale(category, name);
}
struct lconv *cilk_race_libc_localeconv(void) {
  writes_object(&locale);
  return localeconv();
}

STATE(hash_table, "the table of hsearch");
int cilk_race_libc_hcreate(size_t n) {
  writes_object(&hash_table);
  return hcreate(n);
}
void cilk_race_libc_hdestroy(void) {
  writes_object(&hash_table);
  hdestroy();
}
ENTRY *cilk_race_libc_hsearch(ENTRY item, ACTION action) {
  reads_text(item.key);
  if (action == ENTER) writes_object(&hash_table);
  else reads(&hash_table, sizeof hash_table);
  return hsearch(item, action);
}

/* ---- entries of the files of users and groups ---- */

#define ENTRIES(kind, state, by_number, number, by_name) \
  static struct kind *its_##kind(struct kind *entry) { \
    writes_object(&state); \
    if (entry) writes_object(entry); \
    return entry; \
  } \
  struct kind *cilk_race_libc_##by_number(number n) { return its_##kind(by_number(n)); } \
  struct kind *cilk_race_libc_##by_name(const char *name) { \
    reads_text(name); \
    return its_##kind(by_name(name)); \
  }
STATE(passwd_state, "the result of getpwuid, getpwnam");
ENTRIES(passwd, passwd_state, getpwuid, uid_t, getpwnam)
STATE(group_state, "the result of getgrgid, getgrnam");
ENTRIES(group, group_state, getgrgid, gid_t, getgrnam)
#undef ENTRIES

/* ---- signgam, which is the program's to read ---- */

static const cilk_race_variable signgam_is __attribute__((section("cilk_race_globals"), used, aligned(8))) = {&signgam,
    sizeof signgam, "signgam", NULL, "<libm>", 0};
#define LGAMMA(f, type) \
  type cilk_race_libc_lgamma##f(type x) { \
    writes_object(&signgam); \
    return lgamma##f(x); \
  } \
  type cilk_race_libc_gamma##f(type x) { \
    writes_object(&signgam); \
    return lgamma##f(x); \
  } \
  type cilk_race_libc_lgamma##f##_r(type x, int *sign) { \
    writes_object(sign); \
    return lgamma##f##_r(x, sign); \
  }
LGAMMA(, double)
LGAMMA(f, float)
LGAMMA(l, long double)
#undef LGAMMA

/* ---- shift states of the characters of more than one byte: each function has its own ---- */

STATE(mblen_state, "the state of mblen");
int cilk_race_libc_mblen(const char *s, size_t n) {
  int k = mblen(s, n);
  writes_object(&mblen_state);
  if (s && k >= 0) reads(s, k ? (size_t)k : 1);
  return k;
}
STATE(mbtowc_state, "the state of mbtowc");
int cilk_race_libc_mbtowc(wchar_t *to, const char *from, size_t n) {
  int k = mbtowc(to, from, n);
  writes_object(&mbtowc_state);
  if (from && k >= 0) reads(from, k ? (size_t)k : 1);
  if (from && to && k >= 0) writes_object(to);
  return k;
}
STATE(wctomb_state, "the state of wctomb");
int cilk_race_libc_wctomb(char *to, wchar_t c) {
  int k = wctomb(to, c);
  writes_object(&wctomb_state);
  if (to && k > 0) writes(to, (size_t)k);
  return k;
}

/* ---- the entry that readdir returns is in its folder's memory until the next call ---- */

static DIR *folder(DIR *d) {
  if (d) race_block_made(d, malloc_usable_size(d), cilk_race_called);
  return d;
}
DIR *cilk_race_libc_opendir(const char *name) {
  reads_text(name);
  return folder(opendir(name));
}
DIR *cilk_race_libc_fdopendir(int file) { return folder(fdopendir(file)); }
int cilk_race_libc_closedir(DIR *d) {
  writes(d, race_block_gone(d));
  return closedir(d);
}
struct dirent *cilk_race_libc_readdir(DIR *d) {
  writes(d, sizeof(int));
  struct dirent *entry = readdir(d);
  if (entry) writes(entry, entry->d_reclen);
  return entry;
}
struct dirent64 *cilk_race_libc_readdir64(DIR *d) {
  writes(d, sizeof(int));
  struct dirent64 *entry = readdir64(d);
  if (entry) writes(entry, entry->d_reclen);
  return entry;
}
void cilk_race_libc_rewinddir(DIR *d) {
  writes(d, sizeof(int));
  rewinddir(d);
}
void cilk_race_libc_seekdir(DIR *d, long place) {
  writes(d, sizeof(int));
  seekdir(d, place);
}

/* ---- random numbers ---- */

STATE(sequence, "the sequence of rand");
static void draws(void) {
  race_sequence = &sequence;
  writes_object(&sequence);
}
int cilk_race_libc_rand(void) {
  draws();
  return rand();
}
long cilk_race_libc_random(void) {
  draws();
  return random();
}
void cilk_race_libc_srand(unsigned seed) {
  draws();
  srand(seed);
}
void cilk_race_libc_srandom(unsigned seed) {
  draws();
  srandom(seed);
}

STATE(drand48_state, "the state of drand48");
double cilk_race_libc_drand48(void) {
  writes_object(&drand48_state);
  return drand48();
}
long cilk_race_libc_lrand48(void) {
  writes_object(&drand48_state);
  return lrand48();
}
long cilk_race_libc_mrand48(void) {
  writes_object(&drand48_state);
  return mrand48();
}
void cilk_race_libc_srand48(long seed) {
  writes_object(&drand48_state);
  srand48(seed);
}
unsigned short *cilk_race_libc_seed48(unsigned short x[3]) {
  reads(x, 6);
  writes_object(&drand48_state);
  return seed48(x);
}
void cilk_race_libc_lcong48(unsigned short x[7]) {
  reads(x, 14);
  writes_object(&drand48_state);
  lcong48(x);
}
int cilk_race_libc_random_r(struct random_data *state, int32_t *to) {
  writes_object(state);
  writes_object(to);
  return random_r(state, to);
}
int cilk_race_libc_drand48_r(struct drand48_data *state, double *to) {
  writes_object(state);
  writes_object(to);
  return drand48_r(state, to);
}
int cilk_race_libc_lrand48_r(struct drand48_data *state, long *to) {
  writes_object(state);
  writes_object(to);
  return lrand48_r(state, to);
}
