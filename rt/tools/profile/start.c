/* start.c - what this run is to do, by environment variables that only `cilkc profile` sets: without
 * CILK_PROFILE_REPORT the program runs as it is and reports nothing.
 *
 *   CILK_PROFILE_REPORT      the file of the report, written when the program exits.
 *   CILK_PROFILE_DECISIONS   the file of decisions (strands.c): read where CILK_PROFILE_KNOWS is set, else written.
 *   CILK_PROFILE_BURDEN      units that a steal costs.
 *   CILK_PROFILE_DAG         the file of the spawn dag (dag.c), which is recorded then.
 *   CILK_PROFILE_DAG_LOCKS   its strands end where locks are taken and released, too.
 *   CILK_PROFILE_CHANGES     what-if: lines "KEEPS LINE FILE", KEEPS in half units for each unit; KEEPS 3: syncs after
 *                            a spawn in the line are not there. Each loop that the program was compiled with is one
 *                            more.
 *
 * They are taken out of the environment, so that programs which the program starts do not write the same files. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "profile.h"
#include "rt/core/base/crash.h"

enum {
#define NUMBER(name, value) name = value,
#include "profile.def"
};
struct profile_settings profile_settings = {.burden = BURDEN};
static pid_t process;

void profile_fail(const char *what) {
  fprintf(stderr, "cilkc profile: %s\n", what);
  _exit(125);
}

static void at_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != process) return;
  profile_strands_finish();
  if (profile_settings.decisions && !profile_totals.knows) profile_decisions_write(profile_settings.decisions);
  if (profile_settings.dag) profile_dag_write(profile_settings.dag, profile_totals.work, profile_totals.span);
  profile_report(profile_settings.report, status);
}

/* The equal name in the table of lines, so that comparing is mostly comparing pointers. */
static const char *known(const char *file) {
  for (line *l = profile_lines_begin; l < profile_lines_end; l++)
    if (!strcmp(l->file, file)) return l->file;
  return file;
}

static size_t here(char *text, size_t room) {
  const frame *f = profile_top;
  int n = f && f->from ? snprintf(text, room, "runs a child that %s spawned at %s:%u", f->from->procedure,
                             f->from->file, f->from->line)
          : f && f->of ? snprintf(text, room, "runs %s", f->of->name)
                       : 0;
  return n > 0 ? (size_t)n : 0;
}

static void take_changes(char *text) {
  char *save = NULL;
  for (char *s = strtok_r(text, "\n", &save); s && profile_settings.nchanges < PROFILE_CHANGES;
      s = strtok_r(NULL, "\n", &save)) {
    change *c = &profile_settings.changes[profile_settings.nchanges];
    int at = 0;
    if (sscanf(s, "%u %u %n", &c->keeps, &c->line, &at) == 2 && at && s[at]) {
      c->file = known(s + at);
      profile_settings.nchanges++;
    }
  }
  for (cilk_profile_loop *l = profile_loops_begin; l < profile_loops_end && profile_settings.nchanges < PROFILE_CHANGES;
      l++)
    profile_settings.changes[profile_settings.nchanges++].loop = l;
}

__attribute__((constructor(101))) static void start(void) {
  static const char *const names[] = {"CILK_PROFILE_REPORT", "CILK_PROFILE_DECISIONS", "CILK_PROFILE_BURDEN",
      "CILK_PROFILE_CHANGES", "CILK_PROFILE_KNOWS", "CILK_PROFILE_DAG", "CILK_PROFILE_DAG_LOCKS"};
  enum { N = sizeof names / sizeof *names };
  char *value[N];
  for (int i = 0; i < N; i++) {
    const char *v = getenv(names[i]);
    value[i] = v ? strdup(v) : NULL;                     /* kept: file names and changes point into them */
    unsetenv(names[i]);
  }
  profile_settings.report = value[0];
  profile_settings.decisions = value[1];
  if (value[2]) profile_settings.burden = strtoull(value[2], NULL, 10);
  if (value[3]) take_changes(value[3]);
  if (value[4] && value[1] && !profile_decisions_read(value[1]))
    profile_fail("what the first run decided cannot be read");
  profile_strands_start();
  profile_settings.dag = value[5];
  profile_settings.dag_locks = value[5] && value[6];
  if (value[5]) profile_dag_start();
  process = getpid();
  cilk_crash_watch(here);
  if (value[0]) on_exit(at_exit, NULL);
}
