/* count.c - what programs call: work, and the time in which things are counted. */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t began;

static void forget(processor *p) {
  p->remote_at_begin = p->remote;
  p->worked = 0;
}

void lines_begin(void) {
  memset(&lines_count, 0, sizeof lines_count);
  lines_directory_reset();
  lines_each(forget);
  began = lines_me->clock;
}

static uint64_t idle, idle_remote;        /* processors that did no work, and their remote touches */
static void add_idle(processor *p) {
  if (p->id && !p->worked) {              /* 0 is the program's first thread */
    idle++;
    idle_remote += p->remote - p->remote_at_begin;
  }
}

void lines_end(void) {
  const char *name = getenv("LINES_OUT");
  FILE *out = name ? fopen(name, "a") : stdout;
  if (!out) {
    perror(name);
    exit(1);
  }
  idle = idle_remote = 0;
  lines_each(add_idle);
  fprintf(out, "{\"ns\": %llu, \"idle\": %llu, \"idle_remote\": %llu, ", (unsigned long long)(lines_me->clock - began),
      (unsigned long long)idle, (unsigned long long)idle_remote);
#define X(name) fprintf(out, "\"" #name "\": %llu, ", (unsigned long long)lines_count.name);
  LINES_COUNTERS(X)
#undef X
  lines_directory_report(out);
  fprintf(out, "}\n");
  if (name) fclose(out);
  else fflush(out);
}

void lines_work(long ns) {
  lines_spawn();
  lines_me->worked += (uint64_t)ns;
  lines_count.work_ns += (uint64_t)ns;
  lines_pass((uint64_t)ns);
}
