/* scale.c - OpenCilk's Cilkscale (stdlib/cilk/cilkscale.h): work and span of the program up to a point, and a table of
 * them with commas between: a row for each wsp_dump, and the last one, without a tag, for the whole run. It goes to
 * standard output, or to the file CILKSCALE_OUT. The numbers are the profiler's. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "profile.h"

typedef struct wsp_t {
  int64_t work, span, bspan;
} wsp_t;
__attribute__((visibility("default"))) wsp_t wsp_getworkspan(void);
__attribute__((visibility("default"))) void wsp_dump(wsp_t w, const char *tag);

static FILE *out;
static pid_t process;

static void open_table(void) {
  const char *file = getenv("CILKSCALE_OUT"), *unit = profile_timed ? "seconds" : "instructions";
  out = file && *file ? fopen(file, "we") : stdout;
  if (!out) profile_fail("CILKSCALE_OUT cannot be written");
  fprintf(out, "tag,work (%s),span (%s),parallelism,burdened_span (%s),burdened_parallelism\n", unit, unit, unit);
}

static double ratio(int64_t work, int64_t span) { return span > 0 ? (double)work / (double)span : 1; }

static void row(wsp_t w, const char *tag) {
  double unit = profile_timed ? 1e9 : 1;
  if (!out) open_table();
  fprintf(out, profile_timed ? "%s,%g,%g,%g,%g,%g\n" : "%s,%.0f,%.0f,%g,%.0f,%g\n", tag, (double)w.work / unit,
      (double)w.span / unit, ratio(w.work, w.span), (double)w.bspan / unit, ratio(w.work, w.bspan));
  fflush(out);
}

/* The strand that calls has ended before: generated code sees to that (cilk_profile_strand). */
wsp_t wsp_getworkspan(void) {
  workspan here = profile_here();
  return (wsp_t){(int64_t)here.work, (int64_t)here.span, (int64_t)here.burdened};
}

void wsp_dump(wsp_t w, const char *tag) { row(w, tag ? tag : ""); }

static void at_exit(int status, void *unused) {
  (void)status;
  (void)unused;
  if (getpid() != process) return;
  profile_strands_finish();
  row((wsp_t){(int64_t)profile_totals.work, (int64_t)profile_totals.span, (int64_t)profile_totals.burdened_span}, "");
}

void profile_scale_start(bool timed) {
  profile_timed = timed;
  profile_strand_begins();           /* what runs outside of all instances: its time counts from here on */
  process = getpid();
  on_exit(at_exit, NULL);
}
