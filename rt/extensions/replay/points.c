/* points.c - see points.h: lists of switches, and the file of what happened.
 *
 * The file has lines: `switch POINT WORKER` where the turn passed at a point; `point`, `step`, `deque` and `event` of
 * what is wanted in full; `end HOW` where the runtime ended the run; `points N`. The first 32 bytes are the last of
 * these, which is overwritten in place, so that it is right however the process ends. step.c adds lines on values. */
#define _GNU_SOURCE
#include "replay/points.h"
#include "base/message.h"
#include "observe/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- lists ---- */

/* The same words would be refused again: no command that repeats the run is printed. */
#define refuse(...) (cilk_repeat_note(0, NULL), cilk_fatal("Bad option argument for -sched=turns: " __VA_ARGS__))

static char *contents(const char *name) {
  int in = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);   /* a pipe has no writer, perhaps never */
  struct stat st;
  FILE *f = NULL;
  size_t room = 0;
  char *text = NULL;
  if (in >= 0 && fstat(in, &st) == 0) {
    if (!S_ISREG(st.st_mode)) errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    else if ((f = fdopen(in, "r")) && getdelim(&text, &room, 0, f) < 0) {
      free(text);
      text = feof(f) ? strdup("") : NULL;
    }
  }
  int e = errno;
  if (f) fclose(f);
  else if (in >= 0) close(in);
  errno = e;
  return text;
}

static bool read_number(const char **at, uint64_t most, uint64_t *v) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  errno = 0;
  *v = strtoull(*at, &end, 10);
  *at = end;
  return errno == 0 && *v <= most;
}

cilk_switches *cilk_switches_read(const char *text, int workers) {
  char *file = *text == '@' ? contents(text + 1) : NULL;
  cilk_switches *s = calloc(1, sizeof *s);
  if (*text == '@' && !file) refuse("cannot read %s: %s", text + 1, strerror(errno));
  const char *at = file ? file : text;
  if (!s || !(s->list = calloc(strlen(at) / 2 + 1, sizeof *s->list))) cilk_fatal("out of memory");
  while (*at && *at != '\n') {
    uint64_t point, worker, before = s->n ? s->list[s->n - 1].point : 0;
    if (!read_number(&at, UINT64_MAX / 2, &point) || *at++ != '=' ||
        !read_number(&at, (uint64_t)workers - 1, &worker) || point < before || (*at == ',' && !at[1]) ||
        (*at && *at != ',' && *at != '\n'))
      refuse("a list is POINT=WORKER,..., with rising points and workers below %d", workers);
    s->list[s->n++] = (struct cilk_switch){point, (int)worker};
    at += *at == ',';
  }
  free(file);
  return s;
}

int cilk_switches_at(cilk_switches *s, uint64_t point) {
  while (s->next < s->n && s->list[s->next].point < point) s->next++;
  return s->next < s->n && s->list[s->next].point == point ? s->list[s->next++].worker : -1;
}

/* ---- the file ---- */

enum { HEAD = 32 };
static int fd = -1;
static char *head;                        /* the first line, mapped */
static uint64_t limit = UINT64_MAX;
static const char *ranges;                /* what is left of CILK_EXPLORE_POINTS */
static uint64_t from = 1, to;             /* the present one of these; none: from > to */

bool cilk_points_kept(void) { return fd >= 0; }
uint64_t cilk_points_limit(void) { return limit; }

void cilk_points_put(const char *text, size_t size) {
  if (fd >= 0 && write(fd, text, size) != (ssize_t)size) fd = -1;
}

static void put(const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n >= (int)sizeof text) {
    n = sizeof text;
    text[n - 1] = '\n';
  }
  cilk_points_put(text, (size_t)n);
}

static void next_range(void) {
  from = 1;
  to = 0;
  if (ranges && *ranges && read_number(&ranges, UINT64_MAX, &from) && *ranges == '-') {
    ranges++;
    if (!read_number(&ranges, UINT64_MAX, &to)) to = 0;
    ranges += *ranges == ',';
  }
}

#ifdef CILK_TRACE
static void event(const cilk_worker *w, const char *name, const void *object, const void *other, const char *file,
    const char *procedure, uint32_t line) {
  if (strcmp(name, "search") != 0)
    put("event\t%d\t%s\t%p\t%p\t%s\t%s\t%u\n", w->id, name, object, other, file ? file : "", procedure ? procedure : "",
        line);
}
#endif

void cilk_points_begin(cilk_context *ctx) {
  const char *name = getenv("CILK_EXPLORE"), *most = getenv("CILK_EXPLORE_LIMIT");
  if (!name || !*name || fd >= 0) return;
  fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0666);
  if (fd < 0) {
    cilk_repeat_note(0, NULL);
    cilk_fatal("cannot write %s: %s", name, strerror(errno));
  }
  put("points %24d\n", 0);
  head = mmap(NULL, HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (head == MAP_FAILED) head = NULL;
  if (most && !read_number(&most, UINT64_MAX, &limit)) limit = UINT64_MAX;
  ranges = getenv("CILK_EXPLORE_POINTS");
  next_range();
#ifdef CILK_TRACE
  cilk_event_also = event;
#endif
  (void)ctx;
}

void cilk_points_count(uint64_t point) {
  for (int i = 30; head && (i > 30 - 20) && (point || i == 30); i--, point /= 10) head[i] = (char)('0' + point % 10);
}

void cilk_points_switch(uint64_t point, int worker) { put("switch %llu %d\n", (unsigned long long)point, worker); }

static void deque(const cilk_worker *w) {
  char text[900];
  size_t n = 0;
  cilk_closure **end = load_relaxed(&w->tail);
  text[0] = 0;
  for (cilk_closure **at = load_relaxed(&w->ext->head); at < end && n + 140 < sizeof text; at++)
    if (*at && (*at)->sig) {
      const cilk_closure *c = *at;
      n += (size_t)snprintf(text + n, sizeof text - n, "\t%p:%.80s:%u", (const void *)c, c->sig->name,
          c->sig->entries[c->entry].line);
    }
  put("deque\t%d%s\n", w->id, text);
}

void cilk_points_at(cilk_worker *w, uint64_t point, const cilk_place *place) {
  static const char *const names[] = {"read", "write", "atomic", "spawn", "call", "yield", "begin"};
  while (from <= to && point > to) next_range();
  if (from > to || point < from) return;
  if (place->kind < -2) {
    put("step\t%llu\t%d\n", (unsigned long long)point, w->id);
    return;
  }
  const cilk_point_site *s = place->site;
  const char *procedure = s ? s->procedure : "", *file = s ? s->file : "";
  uint32_t line = s ? s->line : 0;
  cilk_closure **end = load_relaxed(&w->tail);
  /* The frame that is popped. Elsewhere nothing is at T, or a closure that has been freed. */
  if (place->kind == -1 && end >= load_relaxed(&w->ext->head) && *end && (*end)->sig) {
    procedure = (*end)->sig->name;
    file = (*end)->sig->file;
    line = (*end)->sig->entries[(*end)->entry].line;
  }
  put("point\t%llu\t%d\t%s\t%s\t%s\t%u\t%u\t%p\t%s\n", (unsigned long long)point, w->id,
      place->kind < 0 ? "return" : names[place->kind], file, procedure, line, s ? s->column : 0, place->memory,
      s ? s->text : "");
  for (int i = 0; i < w->ext->ctx->nproc; i++) deque(w->ext->ctx->workers[i]);
  cilk_step_at(w, place);
}

void cilk_points_end(const char *how, const char *message) {
  put("end %s\n", how);
  cilk_fatal("%s", message);
}
