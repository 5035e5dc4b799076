/* start.c - what this run is to do, by environment variables that only `cilkc memory` sets: without
 * CILK_MEMORY_REPORT the program runs as it is.
 *
 *   CILK_MEMORY_REPORT      the file of the report, written when the program exits
 *   CILK_MEMORY_WORKERS     marks of so many workers: numbers, apart by commas; in a parallel program: only the heap is
 *                           measured if it is 0
 *   CILK_MEMORY_THRESHOLD   bytes: the approximate question is asked, too
 *
 * They are taken out of the environment, so that programs which the program starts do not write the same file. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "memory.h"
#include "rt/core/base/crash.h"
#include "rt/core/base/json.h"

struct memory_settings memory_settings = {.parallel = true};      /* until the constructor has run */
static pid_t process;

void memory_fail(const char *what) {
  fprintf(stderr, "cilkc memory: %s\n", what);
  _exit(125);
}

static FILE *out;

static void text(const char *s) { cilk_json_string(out, s); }

static void shown(const row *r) {
  fprintf(out, "[%" PRId64, r->in[0]);
  for (unsigned i = 1; i <= memory_ngroups; i++) fprintf(out, ",%" PRId64, r->in[i]);
  putc(']', out);
}

/* A bound has one answer only. */
static int answer(unsigned i) {
  if (!memory_waiting) return memory_threshold_answer(i);
  unsigned q = memory_settings.asked[i];
  return memory_mark_holds(q) && memory_mark(q)->in[0] <= memory_settings.threshold ? -1 : 0;
}

/* {"marks": [[workers, [bytes, of each group]]], "open": [workers whose mark may be larger: only if procedures wait],
 * "serial": [..], "left": [..], "groups": [["site", file, line, column, procedure, what, blocks, bytes] or
 * ["procedure", file, line, name, bytes of one, instances] or ["others"]], "answers": [[workers, -1 never more than the
 * threshold, 1 more than half of it, 0 not known]]} */
static void report(int status) {
  out = fopen(memory_settings.report, "we");
  if (!out) memory_fail("the report cannot be written");
  fprintf(out,
      "{\"status\":%d,\"heap\":%" PRId64 ",\"instances\":%" PRIu64 ",\"spawns\":%" PRIu64 ",\"threshold\":%" PRId64
      ",\"waiting\":%" PRIu64,
      status & 255, memory_heap_most(), memory_instances, memory_spawns, memory_settings.threshold, memory_waiting);
  if (!memory_settings.parallel) {
    fputs(",\n\"marks\":[", out);
    for (unsigned i = 0; i < memory_settings.questions; i++) {
      fprintf(out, "%s[%u,", i ? ",\n" : "\n", memory_settings.asked[i]);
      shown(memory_mark(memory_settings.asked[i]));
      putc(']', out);
    }
    fputs("],\n\"open\":[", out);
    for (unsigned i = 0, n = 0; i < memory_settings.questions; i++)
      if (!memory_mark_holds(memory_settings.asked[i])) fprintf(out, "%s%u", n++ ? "," : "", memory_settings.asked[i]);
    fputs("],\n\"answers\":[", out);
    for (unsigned i = 0; memory_settings.threshold && i < memory_settings.questions; i++)
      fprintf(out, "%s[%u,%d]", i ? "," : "", memory_settings.asked[i], answer(i));
    fputs("],\n\"serial\":", out);
    shown(&memory_serial_most);
    fputs(",\n\"left\":", out);
    shown(&memory_serial_now);
    fputs(",\n\"groups\":[", out);
    for (unsigned i = 0; i < memory_ngroups; i++) {
      const group *g = &memory_groups[i];
      fputs(i ? ",\n[" : "\n[", out);
      text(g->kind);
      if (!strcmp(g->kind, "site")) {
        const site *s = g->record;
        putc(',', out);
        text(s->file);
        fprintf(out, ",%" PRIu32 ",%" PRIu32 ",", s->line, s->column);
        text(s->procedure);
        putc(',', out);
        text(s->what);
        fprintf(out, ",%" PRIu64 ",%" PRIu64, s->count, s->bytes);
      } else if (g->record) {
        const procedure *p = g->record;
        putc(',', out);
        text(p->file);
        fprintf(out, ",%" PRIu64 ",", p->line);
        text(p->name);
        fprintf(out, ",%" PRIu64 ",%" PRIu64, p->closure, p->count);
      }
      putc(']', out);
    }
    putc(']', out);
  }
  fputs("}\n", out);
  if (ferror(out) | fclose(out)) {
    remove(memory_settings.report);
    memory_fail("the report cannot be written");
  }
}

static void at_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != process) return;
  if (!memory_settings.parallel) memory_marks_finish();
  report(status);
}

static size_t here(char *text, size_t room) {
  const procedure *of = memory_running();
  int n = of ? snprintf(text, room, "runs %s (%s:%d)", of->name, of->file, (int)of->line) : 0;
  return n > 0 ? (size_t)n : 0;
}

__attribute__((constructor(101))) static void start(void) {
  static const char *const names[] = {"CILK_MEMORY_REPORT", "CILK_MEMORY_WORKERS", "CILK_MEMORY_THRESHOLD",
      "CILK_MEMORY_HEAP_ALONE"};
  enum { N = sizeof names / sizeof *names };
  char *value[N];
  for (int i = 0; i < N; i++) {
    const char *v = getenv(names[i]);
    value[i] = v ? strdup(v) : NULL;
    unsetenv(names[i]);
  }
  if (!value[0]) return;
  struct memory_settings *m = &memory_settings;
  m->report = value[0];
  char *save = NULL;
  for (char *s = value[1] ? strtok_r(value[1], ",", &save) : NULL; s && m->questions < MEMORY_QUESTIONS;
      s = strtok_r(NULL, ",", &save)) {
    unsigned p = (unsigned)strtoul(s, NULL, 10);
    if (!p || p > MOST_WORKERS) continue;
    m->asked[m->questions++] = p;
    m->workers = p > m->workers ? p : m->workers;
  }
  m->parallel = !m->questions;
  m->threshold = value[2] ? strtoll(value[2], NULL, 10) : 0;
  m->heap_alone = value[3];
  process = getpid();
  if (!m->parallel) {
    memory_marks_start();
    cilk_crash_watch(here);
  }
  on_exit(at_exit, NULL);
}
