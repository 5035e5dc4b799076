/* library_stdio.c - <stdio.h> and what else reads or writes buffers for the system. Streams have locks of their own and
 * do not race; what is printed from and read into is the program's.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include "library.h"

/* ---- printf: what %s reads and %n writes ---- */

enum length { NORMAL, CHAR, SHORT, LONG, LONG_LONG, MAX, SIZE, DIFFERENCE, LONG_DOUBLE };

static enum length length_of(const char **f) {
  switch (*(*f)++) {
    case 'h':
      if (**f == 'h') {
        ++*f;
        return CHAR;
      }
      return SHORT;
    case 'l':
      if (**f == 'l') {
        ++*f;
        return LONG_LONG;
      }
      return LONG;
    case 'q': return LONG_LONG;
    case 'L': return LONG_DOUBLE;
    case 'j': return MAX;
    case 'z':
    case 'Z': return SIZE;
    case 't': return DIFFERENCE;
    default: --*f; return NORMAL;
  }
}

static size_t bytes_of(enum length l) {
  switch (l) {
    case CHAR: return 1;
    case SHORT: return sizeof(short);
    case NORMAL: return sizeof(int);
    case LONG_DOUBLE: return sizeof(long long);
    default: return sizeof(long);
  }
}

/* A conversion of a format, and the numbers of the arguments that it takes, from 0 on; -1: none. */
struct conversion {
  int width, precision, value;
  long most;
  enum length length;
  char kind;
};

/* The number of an argument that is given as N$; -1 for the next one. */
static int number(const char **f) {
  size_t digits = strspn(*f, "0123456789");
  if (!digits || (*f)[digits] != '$') return -1;
  int n = atoi(*f) - 1;
  *f += digits + 1;
  return n;
}
static int star(const char **f, int *next) {
  ++*f;
  int n = number(f);
  return n >= 0 ? n : (*next)++;
}

/* The conversion after a %, and what follows it; null if it is none that is known here. next: the argument that the
 * next conversion without a number takes. */
static const char *conversion_of(const char *f, int *next, struct conversion *c) {
  *c = (struct conversion){.width = -1, .precision = -1, .value = number(&f), .most = -1};
  f += strspn(f, "-+ #0'I");
  if (*f == '*') c->width = star(&f, next);
  else f += strspn(f, "0123456789");
  if (*f == '.') {
    f++;
    if (*f == '*') c->precision = star(&f, next);
    else c->most = strtol(f, (char **)&f, 10);
  }
  c->length = length_of(&f);
  c->kind = *f++;
  if (!c->kind || !strchr("diouxXbBcCaAeEfFgGsSpnm%", c->kind)) return NULL;
  if (c->value < 0 && c->kind != 'm' && c->kind != '%') c->value = (*next)++;
  return f;
}

/* Arguments with numbers are in the order of the numbers, so all types are found before the first one is fetched. */
enum type { INT, LONGER, DOUBLE, LONGER_DOUBLE, POINTER };
union argument {
  long number;
  const void *pointer;
};

static enum type type_of(const struct conversion *c) {
  if (strchr("sSpn", c->kind)) return POINTER;
  if (strchr("aAeEfFgG", c->kind)) return c->length == LONG_DOUBLE ? LONGER_DOUBLE : DOUBLE;
  return c->length >= LONG && c->kind != 'c' && c->kind != 'C' ? LONGER : INT;
}

static void fetch(const enum type *types, int count, va_list given, union argument *to) {
  va_list a;
  va_copy(a, given);
  for (int i = 0; i < count; i++) switch (types[i]) {
      case INT: to[i].number = va_arg(a, int); break;
      case LONGER: to[i].number = va_arg(a, long); break;
      case DOUBLE: va_arg(a, double); break;
      case LONGER_DOUBLE: va_arg(a, long double); break;
      case POINTER: to[i].pointer = va_arg(a, void *); break;
    }
  va_end(a);
}

static void converted(const struct conversion *c, const union argument *a) {
  const void *s = a[c->value].pointer;
  long most = c->precision >= 0 ? a[c->precision].number : c->most;
  if (c->kind == 'n') writes(s, bytes_of(c->length));
  else if (!s) return;
  else if (c->kind == 'S' || c->length == LONG) reads(s, (wcslen(s) + 1) * sizeof(wchar_t));
  else if (most >= 0) reads_some(s, (size_t)most);
  else reads_text(s);
}

void race_printed(const char *format, va_list given) {
  size_t room = 0; /* a conversion takes at most three arguments */
  for (const char *f = format; *f; f++) room += 3 * (*f == '%');
  if (!room) return;
  enum type types[room];
  union argument arguments[room];
  struct conversion texts[room], c;
  int next = 0, count = 0, found = 0;
  memset(types, INT, sizeof types);
  for (const char *f = format; (f = strchr(f, '%')) && (f = conversion_of(f + 1, &next, &c));) {
    for (int part = 0; part < 3; part++) {
      int i = part == 0 ? c.width : part == 1 ? c.precision : c.value;
      if (i >= (int)room) return; /* arguments are left out, which has no meaning */
      if (i >= count) count = i + 1;
    }
    if (c.value < 0) continue;
    types[c.value] = type_of(&c);
    if (strchr("sSn", c.kind)) texts[found++] = c;
  }
  fetch(types, count, given, arguments);
  for (int i = 0; i < found; i++) converted(&texts[i], arguments);
}

static void printed(const char *f, va_list a) {
  reads_text(f);
  race_printed(f, a);
}

#define PRINTS(name, before, call) \
  int cilk_race_libc_##name before { \
    va_list a; \
    va_start(a, f); \
    printed(f, a); \
    int n = call; \
    va_end(a); \
    return n; \
  }
PRINTS(printf, (const char *f, ...), vprintf(f, a))
PRINTS(fprintf, (FILE * to, const char *f, ...), vfprintf(to, f, a))
PRINTS(dprintf, (int to, const char *f, ...), vdprintf(to, f, a))
#undef PRINTS
int cilk_race_libc_vprintf(const char *f, va_list a) {
  printed(f, a);
  return vprintf(f, a);
}
int cilk_race_libc_vfprintf(FILE *to, const char *f, va_list a) {
  printed(f, a);
  return vfprintf(to, f, a);
}
int cilk_race_libc_vdprintf(int to, const char *f, va_list a) {
  printed(f, a);
  return vdprintf(to, f, a);
}

int cilk_race_libc_vsnprintf(char *to, size_t room, const char *f, va_list a) {
  printed(f, a);
  int n = vsnprintf(to, room, f, a);
  if (n >= 0 && room) writes(to, (size_t)n < room ? (size_t)n + 1 : room);
  return n;
}
int cilk_race_libc_snprintf(char *to, size_t room, const char *f, ...) {
  va_list a;
  va_start(a, f);
  int n = cilk_race_libc_vsnprintf(to, room, f, a);
  va_end(a);
  return n;
}
int cilk_race_libc_vsprintf(char *to, const char *f, va_list a) {
  printed(f, a);
  int n = vsprintf(to, f, a);
  if (n >= 0) writes(to, (size_t)n + 1);
  return n;
}
int cilk_race_libc_sprintf(char *to, const char *f, ...) {
  va_list a;
  va_start(a, f);
  int n = cilk_race_libc_vsprintf(to, f, a);
  va_end(a);
  return n;
}
int cilk_race_libc_vasprintf(char **to, const char *f, va_list a) {
  printed(f, a);
  writes_object(to);
  int n = vasprintf(to, f, a);
  if (n >= 0) race_block_made(*to, (size_t)n + 1, cilk_race_called);
  return n;
}
int cilk_race_libc_asprintf(char **to, const char *f, ...) {
  va_list a;
  va_start(a, f);
  int n = cilk_race_libc_vasprintf(to, f, a);
  va_end(a);
  return n;
}

/* ---- scanf: afterwards, for as many conversions as there were ---- */

static void scanned(char kind, enum length l, size_t width, bool allocated, void *p) {
  switch (kind) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'b':
    case 'n': writes(p, bytes_of(l)); break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': writes(p, l == LONG_DOUBLE ? sizeof(long double) : l == LONG ? sizeof(double) : sizeof(float)); break;
    case 'p': writes(p, sizeof(void *)); break;
    case 'c': writes(p, allocated ? sizeof(char *) : (width ? width : 1) * (l == LONG ? sizeof(wchar_t) : 1)); break;
    case 's':
    case '[':
    case 'S':
      if (allocated) writes(p, sizeof(char *));
      else if (l == LONG || kind == 'S') writes(p, (wcslen(p) + 1) * sizeof(wchar_t));
      else writes(p, strlen(p) + 1);
  }
}

/* All arguments are pointers. */
static void *pointer_number(int n, va_list given) {
  va_list a;
  va_copy(a, given);
  while (n-- > 0) va_arg(a, void *);
  void *p = va_arg(a, void *);
  va_end(a);
  return p;
}

void race_scanned(const char *f, va_list given, int count) {
  for (int next = 0; (f = strchr(f, '%')) != NULL;) {
    bool assigned = true, allocated = false;
    size_t width = 0;
    f++;
    int at = number(&f);
    if (*f == '*') {
      assigned = false;
      f++;
    }
    if (isdigit((unsigned char)*f)) width = strtoul(f, (char **)&f, 10);
    if (*f == 'm') {
      allocated = true;
      f++;
    }
    enum length l = length_of(&f);
    char c = *f++;
    if (c == '[') {
      if (*f == '^') f++;
      if (*f == ']') f++;
      while (*f && *f != ']') f++;
      if (*f) f++;
    }
    if (!c || !strchr("diouxXbnaAeEfFgGpcsS[%", c)) break;
    if (c == '%' || !assigned) continue;
    if (c != 'n' && count-- <= 0) break;
    scanned(c, l, width, allocated, pointer_number(at >= 0 ? at : next++, given));
  }
}

#define SCANS_LIST(name, parameters, call) \
  int cilk_race_libc_##name parameters { \
    va_list b; \
    va_copy(b, a); \
    reads_text(f); \
    int n = call; \
    race_scanned(f, b, n); \
    va_end(b); \
    return n; \
  }
#define SCANS(name, parameters, call) \
  int cilk_race_libc_##name parameters { \
    va_list a; \
    va_start(a, f); \
    int n = call; \
    va_end(a); \
    return n; \
  }
static int scan_text(const char *s, const char *f, va_list a) {
  reads_text(s);
  return vsscanf(s, f, a);
}
#define SCANNERS(prefix) \
  SCANS_LIST(prefix##vscanf, (const char *f, va_list a), vscanf(f, a)) \
  SCANS_LIST(prefix##vfscanf, (FILE * from, const char *f, va_list a), vfscanf(from, f, a)) \
  SCANS_LIST(prefix##vsscanf, (const char *s, const char *f, va_list a), scan_text(s, f, a)) \
  SCANS(prefix##scanf, (const char *f, ...), cilk_race_libc_vscanf(f, a)) \
  SCANS(prefix##fscanf, (FILE * from, const char *f, ...), cilk_race_libc_vfscanf(from, f, a)) \
  SCANS(prefix##sscanf, (const char *s, const char *f, ...), cilk_race_libc_vsscanf(s, f, a))
SCANNERS()
SCANNERS(__isoc99_)
SCANNERS(__isoc23_)
#undef SCANNERS
#undef SCANS
#undef SCANS_LIST

/* ---- streams into memory: what a flush and the end store is the program's ---- */

static struct memory_stream {
  struct memory_stream *next;
  FILE *stream;
  char **text;
  size_t *size;
  char *made; /* the block that the last flush has left */
} *memory_streams;

FILE *cilk_race_libc_open_memstream(char **text, size_t *size) {
  FILE *stream = open_memstream(text, size);
  struct memory_stream *m = stream ? malloc(sizeof *m) : NULL;
  if (m) {
    *m = (struct memory_stream){memory_streams, stream, text, size, NULL};
    memory_streams = m;
  }
  return stream;
}
static void stored(struct memory_stream *m) {
  writes_object(m->text);
  writes_object(m->size);
  if (m->made) race_block_gone(m->made);
  m->made = *m->text;
  race_block_made(m->made, *m->size + 1, cilk_race_called);
}
int cilk_race_libc_fflush(FILE *stream) {
  int failed = fflush(stream);
  for (struct memory_stream *m = memory_streams; m; m = m->next)
    if (!stream || m->stream == stream) stored(m);
  return failed;
}
int cilk_race_libc_fclose(FILE *stream) {
  int failed = fclose(stream);
  for (struct memory_stream **m = &memory_streams; *m; m = &(*m)->next)
    if ((*m)->stream == stream) {
      struct memory_stream *closed = *m;
      *m = closed->next;
      stored(closed);
      free(closed);
      break;
    }
  return failed;
}

/* fmemopen: a stream that reports what it copies, over the C library's own one, which copies. */
struct over {
  FILE *own;
  char *buffer;
  size_t size;
};

static ssize_t over_read(void *cookie, char *to, size_t n) {
  struct over *o = cookie;
  long at = ftell(o->own);
  size_t got = fread(to, 1, n, o->own);
  reads(o->buffer + at, got);
  return (ssize_t)got;
}
static ssize_t over_write(void *cookie, const char *from, size_t n) {
  struct over *o = cookie;
  size_t put = fwrite(from, 1, n, o->own), end = (size_t)ftell(o->own);
  bool ended = end < o->size && !o->buffer[end]; /* by a 0 after the text */
  writes(o->buffer + end - put, put + ended);
  return (ssize_t)put;
}
static int over_seek(void *cookie, off64_t *at, int from) {
  struct over *o = cookie;
  int failed = fseeko64(o->own, *at, from);
  *at = ftello64(o->own);
  return failed;
}
static int over_close(void *cookie) {
  struct over *o = cookie;
  int failed = fclose(o->own);
  free(o);
  return failed;
}
FILE *cilk_race_libc_fmemopen(void *buffer, size_t size, const char *how) {
  reads_text(how);
  FILE *own = fmemopen(buffer, size, how);
  struct over *o = own && buffer ? malloc(sizeof *o) : NULL;
  if (!o) return own;
  *o = (struct over){own, buffer, size};
  setvbuf(own, NULL, _IONBF, 0);
  if (*how == 'w') writes(buffer, 1);
  return fopencookie(o, how, (cookie_io_functions_t){over_read, over_write, over_seek, over_close});
}

/* They may copy, too, at the place of the call. */
#define PASSES(type, name, parameters, arguments) \
  type cilk_race_libc_##name parameters { return name arguments; }
PASSES(int, fputc, (int c, FILE *to), (c, to))
PASSES(int, putc, (int c, FILE *to), (c, to))
PASSES(int, fgetc, (FILE * from), (from))
PASSES(int, getc, (FILE * from), (from))
PASSES(int, fseek, (FILE * stream, long at, int from), (stream, at, from))
PASSES(int, fseeko, (FILE * stream, off_t at, int from), (stream, at, from))
PASSES(void, rewind, (FILE * stream), (stream))
#undef PASSES

/* ---- blocks and lines ---- */

size_t cilk_race_libc_fread(void *to, size_t size, size_t n, FILE *from) {
  size_t got = fread(to, size, n, from);
  writes(to, size * got);
  return got;
}
size_t cilk_race_libc_fwrite(const void *from, size_t size, size_t n, FILE *to) {
  reads(from, size * n);
  return fwrite(from, size, n, to);
}
int cilk_race_libc_puts(const char *s) {
  reads_text(s);
  return puts(s);
}
int cilk_race_libc_fputs(const char *s, FILE *to) {
  reads_text(s);
  return fputs(s, to);
}
char *cilk_race_libc_fgets(char *to, int n, FILE *from) {
  char *got = fgets(to, n, from);
  if (got) writes(to, strlen(to) + 1);
  return got;
}
ssize_t cilk_race_libc_getdelim(char **to, size_t *room, int end, FILE *from) {
  writes_object(to);
  writes_object(room);
  char *old = *to;
  size_t old_room = *room;
  ssize_t n = getdelim(to, room, end, from);
  if (*to != old || *room != old_room) {
    if (old) race_block_gone(old);
    race_block_made(*to, *room, cilk_race_called);
  }
  if (n >= 0) writes(*to, (size_t)n + 1);
  return n;
}
ssize_t cilk_race_libc_getline(char **to, size_t *room, FILE *from) {
  return cilk_race_libc_getdelim(to, room, '\n', from);
}
void cilk_race_libc_perror(const char *s) {
  if (s) reads_text(s);
  perror(s);
}
ssize_t cilk_race_libc_read(int from, void *to, size_t n) {
  ssize_t got = read(from, to, n);
  if (got > 0) writes(to, (size_t)got);
  return got;
}
ssize_t cilk_race_libc_write(int to, const void *from, size_t n) {
  reads(from, n);
  return write(to, from, n);
}
FILE *cilk_race_libc_fopen(const char *name, const char *how) {
  reads_text(name);
  reads_text(how);
  return fopen(name, how);
}
FILE *cilk_race_libc_fopen64(const char *name, const char *how) { return cilk_race_libc_fopen(name, how); }
ssize_t cilk_race_libc_pread(int from, void *to, size_t n, off_t at) {
  ssize_t got = pread(from, to, n, at);
  if (got > 0) writes(to, (size_t)got);
  return got;
}
ssize_t cilk_race_libc_pwrite(int to, const void *from, size_t n, off_t at) {
  reads(from, n);
  return pwrite(to, from, n, at);
}
int cilk_race_libc_remove(const char *name) {
  reads_text(name);
  return remove(name);
}
int cilk_race_libc_rename(const char *from, const char *to) {
  reads_text(from);
  reads_text(to);
  return rename(from, to);
}

/* ---- the system ---- */

char *cilk_race_libc_getcwd(char *to, size_t n) {
  char *got = getcwd(to, n);
  if (got && to) writes(to, strlen(to) + 1);
  else if (got) race_block_made(got, strlen(got) + 1, cilk_race_called);
  return got;
}
char *cilk_race_libc_realpath(const char *name, char *to) {
  reads_text(name);
  char *got = realpath(name, to);
  if (got && to) writes(to, strlen(to) + 1);
  else if (got) race_block_made(got, strlen(got) + 1, cilk_race_called);
  return got;
}
int cilk_race_libc_stat(const char *name, struct stat *to) {
  reads_text(name);
  writes_object(to);
  return stat(name, to);
}
int cilk_race_libc_lstat(const char *name, struct stat *to) {
  reads_text(name);
  writes_object(to);
  return lstat(name, to);
}
int cilk_race_libc_fstat(int file, struct stat *to) {
  writes_object(to);
  return fstat(file, to);
}
int cilk_race_libc_mkstemp(char *name) {
  reads_text(name);
  writes(name + strlen(name) - 6, 6);
  return mkstemp(name);
}
int cilk_race_libc_pipe(int ends[2]) {
  writes(ends, 2 * sizeof *ends);
  return pipe(ends);
}
int cilk_race_libc_getrusage(int who, struct rusage *to) {
  writes_object(to);
  return getrusage(who, to);
}
ssize_t cilk_race_libc_getrandom(void *to, size_t n, unsigned flags) {
  ssize_t got = getrandom(to, n, flags);
  if (got > 0) writes(to, (size_t)got);
  return got;
}

/* ---- time ---- */

time_t cilk_race_libc_time(time_t *to) {
  if (to) writes_object(to);
  return time(to);
}
int cilk_race_libc_gettimeofday(struct timeval *to, void *zone) {
  if (to) writes_object(to);
  return gettimeofday(to, zone);
}
int cilk_race_libc_clock_getres(clockid_t clock, struct timespec *to) {
  if (to) writes_object(to);
  return clock_getres(clock, to);
}
int cilk_race_libc_clock_gettime(clockid_t clock, struct timespec *to) {
  writes_object(to);
  return clock_gettime(clock, to);
}
int cilk_race_libc_nanosleep(const struct timespec *how_long, struct timespec *rest) {
  reads(how_long, sizeof *how_long);
  return nanosleep(how_long, rest);
}
int cilk_race_libc_timespec_get(struct timespec *to, int base) {
  writes_object(to);
  return timespec_get(to, base);
}
struct tm *cilk_race_libc_localtime_r(const time_t *t, struct tm *to) {
  reads(t, sizeof *t);
  writes_object(to);
  return localtime_r(t, to);
}
struct tm *cilk_race_libc_gmtime_r(const time_t *t, struct tm *to) {
  reads(t, sizeof *t);
  writes_object(to);
  return gmtime_r(t, to);
}
size_t cilk_race_libc_strftime(char *to, size_t room, const char *f, const struct tm *t) {
  reads_text(f);
  reads(t, sizeof *t);
  size_t n = strftime(to, room, f, t);
  if (n) writes(to, n + 1);
  return n;
}
char *cilk_race_libc_strptime(const char *s, const char *f, struct tm *to) {
  reads_text(f);
  char *end = strptime(s, f, to);
  reads(s, end ? (size_t)(end - s) + 1 : strlen(s) + 1);
  writes_object(to);
  return end;
}

/* ---- numbers that are made of the caller's state ---- */

int cilk_race_libc_rand_r(unsigned *state) {
  writes_object(state);
  return rand_r(state);
}
double cilk_race_libc_erand48(unsigned short x[3]) {
  writes(x, 6);
  return erand48(x);
}
long cilk_race_libc_nrand48(unsigned short x[3]) {
  writes(x, 6);
  return nrand48(x);
}
long cilk_race_libc_jrand48(unsigned short x[3]) {
  writes(x, 6);
  return jrand48(x);
}

/* ---- numbers that come apart ---- */

#define PARTS(f, type) \
  type cilk_race_libc_frexp##f(type x, int *e) { \
    writes_object(e); \
    return frexp##f(x, e); \
  } \
  type cilk_race_libc_modf##f(type x, type *whole) { \
    writes_object(whole); \
    return modf##f(x, whole); \
  } \
  type cilk_race_libc_remquo##f(type x, type y, int *q) { \
    writes_object(q); \
    return remquo##f(x, y, q); \
  } \
  void cilk_race_libc_sincos##f(type x, type *s, type *c) { \
    writes_object(s); \
    writes_object(c); \
    sincos##f(x, s, c); \
  }
PARTS(, double)
PARTS(f, float)
PARTS(l, long double)
#undef PARTS
