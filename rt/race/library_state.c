/* library_state.c - functions of the C library that keep something between calls, without a lock: what one call leaves
 * there another one finds, so they race with each other as two assignments to a variable do. (rand, random and the
 * streams have locks.) The state is a variable of ours that stands for the library's, under the function's name.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "library.h"

#define STATE(variable, text) \
  static struct { \
    int word; \
  } variable; \
  static const cilk_race_variable variable##_is __attribute__((section("cilk_race_globals"), used, aligned(8))) = { \
      &variable, sizeof variable, text, NULL, "<libc>", 0}

/* ---- texts ---- */

STATE(strtok_state, "the text of strtok");
char *cilk_race_libc_strtok(char *s, const char *set)
{
  static char *state;
  writes_object(&strtok_state);
  return race_cut(s, set, &state, strtok_r);
}

STATE(environment, "the environment");
char *cilk_race_libc_getenv(const char *name)
{
  reads_text(name);
  reads(&environment, sizeof environment);
  return getenv(name);
}
char *cilk_race_libc_secure_getenv(const char *name)
{
  reads_text(name);
  reads(&environment, sizeof environment);
  return secure_getenv(name);
}
int cilk_race_libc_setenv(const char *name, const char *value, int over)
{
  reads_text(name);
  reads_text(value);
  writes_object(&environment);
  return setenv(name, value, over);
}
int cilk_race_libc_unsetenv(const char *name) { reads_text(name); writes_object(&environment); return unsetenv(name); }
int cilk_race_libc_putenv(char *text) { reads_text(text); writes_object(&environment); return putenv(text); }

/* ---- times that lie in the library's memory: what is returned there is written ---- */

STATE(broken_down, "the result of localtime, gmtime");
static struct tm *its(struct tm *t)
{
  writes_object(&broken_down);
  if (t) writes_object(t);
  return t;
}
struct tm *cilk_race_libc_localtime(const time_t *t) { reads(t, sizeof *t); return its(localtime(t)); }
struct tm *cilk_race_libc_gmtime(const time_t *t) { reads(t, sizeof *t); return its(gmtime(t)); }
char *cilk_race_libc_asctime(const struct tm *t)
{
  reads(t, sizeof *t);
  char *text = asctime(t);
  if (text) writes(text, strlen(text) + 1);
  return text;
}
char *cilk_race_libc_ctime(const time_t *t)
{
  reads(t, sizeof *t);
  its(localtime(t));
  char *text = ctime(t);
  if (text) writes(text, strlen(text) + 1);
  return text;
}
char *cilk_race_libc_ctime_r(const time_t *t, char *to)
{
  reads(t, sizeof *t);
  char *text = ctime_r(t, to);
  if (text) writes(to, strlen(to) + 1);
  return text;
}
char *cilk_race_libc_asctime_r(const struct tm *t, char *to)
{
  reads(t, sizeof *t);
  char *text = asctime_r(t, to);
  if (text) writes(to, strlen(to) + 1);
  return text;
}
time_t cilk_race_libc_mktime(struct tm *t) { writes_object(t); return mktime(t); }
time_t cilk_race_libc_timegm(struct tm *t) { writes_object(t); return timegm(t); }

/* ---- options, folders, languages, tables ---- */

STATE(getopt_state, "the state of getopt");
int cilk_race_libc_getopt(int n, char *const words[], const char *letters)
{
  reads_text(letters);
  writes_object(&getopt_state);
  return getopt(n, words, letters);
}
int cilk_race_libc_getopt_long(int n, char *const words[], const char *letters, const struct option *longs, int *which)
{
  reads_text(letters);
  writes_object(&getopt_state);
  if (which) writes_object(which);
  return getopt_long(n, words, letters, longs, which);
}
/* They may cut the name, and return a part of it. */
char *cilk_race_libc_dirname(char *name)
{
  if (name) writes(name, strlen(name) + 1);
  return dirname(name);
}
STATE(locale, "the locale");
char *cilk_race_libc_setlocale(int category, const char *name)
{
  if (name) {
    reads_text(name);
    writes_object(&locale);
  } else reads(&locale, sizeof locale);
  return setlocale(category, name);
}
struct lconv *cilk_race_libc_localeconv(void) { writes_object(&locale); return localeconv(); }

STATE(hash_table, "the table of hsearch");
int cilk_race_libc_hcreate(size_t n) { writes_object(&hash_table); return hcreate(n); }
void cilk_race_libc_hdestroy(void) { writes_object(&hash_table); hdestroy(); }
ENTRY *cilk_race_libc_hsearch(ENTRY item, ACTION action)
{
  reads_text(item.key);
  if (action == ENTER) writes_object(&hash_table);
  else reads(&hash_table, sizeof hash_table);
  return hsearch(item, action);
}

#define LGAMMA(f, type) \
  type cilk_race_libc_lgamma##f##_r(type x, int *sign) { writes_object(sign); return lgamma##f##_r(x, sign); }
LGAMMA(, double) LGAMMA(f, float) LGAMMA(l, long double)
#undef LGAMMA

/* ---- random numbers ---- */

STATE(drand48_state, "the state of drand48");
double cilk_race_libc_drand48(void) { writes_object(&drand48_state); return drand48(); }
long cilk_race_libc_lrand48(void) { writes_object(&drand48_state); return lrand48(); }
long cilk_race_libc_mrand48(void) { writes_object(&drand48_state); return mrand48(); }
void cilk_race_libc_srand48(long seed) { writes_object(&drand48_state); srand48(seed); }
unsigned short *cilk_race_libc_seed48(unsigned short x[3]) {
  reads(x, 6);
  writes_object(&drand48_state);
  return seed48(x);
}
void cilk_race_libc_lcong48(unsigned short x[7]) { reads(x, 14); writes_object(&drand48_state); lcong48(x); }
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
