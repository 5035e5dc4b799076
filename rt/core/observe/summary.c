/* summary.c - the report of --stats in other forms than text: one line of JSON, one line for people; and the file that
 * it goes to. */
#define _GNU_SOURCE
#include "base/json.h"
#include "data/team.h"
#include "observe/span.h"
#include "observe/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* How many workers were at work on average: their time without that of their searches, by the time of the
 * computation. */
static double busy(cilk_context *ctx) {
  double work = 0, present, searching;
  for (int i = 0; i < ctx->nproc; i++) {
    cilk_stats_times(ctx, i, &present, &searching);
    work += present - searching;
  }
  return ctx->elapsed_ns ? work / ((double)ctx->elapsed_ns * 1e-9) : 0;
}

static uint64_t sum(const cilk_context *ctx, int counter) {
  uint64_t all = 0;
  for (int i = 0; i < ctx->nproc; i++) all += cilk_stats_counter(ctx, i, counter);
  return all;
}

static void print_line(cilk_context *ctx, FILE *out) {
  uint64_t steals = sum(ctx, CILK_N_STEAL);
  fprintf(out, "cilk: %d worker%s, %.3f s, %.2f busy on average, %llu steal%s", ctx->nproc, ctx->nproc == 1 ? "" : "s",
      (double)ctx->elapsed_ns * 1e-9, busy(ctx), (unsigned long long)steals, steals == 1 ? "" : "s");
  if (ctx->span) fprintf(out, ", parallelism %.1f", (double)ctx->work / (double)ctx->span);
  fputc('\n', out);
}

/* An object of counters; those that are zero everywhere are left out. Each has a number for each worker. */
static void print_counters(cilk_context *ctx, FILE *out) {
  const char *separator = "";
  fputs(", \"counters\": {", out);
  for (int k = 0; k < CILK_COUNTERS; k++) {
    if (!sum(ctx, k)) continue;
    fputs(separator, out);
    separator = ", ";
    cilk_json_string(out, cilk_stats_name(k));
    for (int i = 0; i < ctx->nproc; i++)
      fprintf(out, "%s%llu", i ? ", " : ": [", (unsigned long long)cilk_stats_counter(ctx, i, k));
    fputc(']', out);
  }
  fputc('}', out);
}

static void print_json(cilk_context *ctx, FILE *out) {
  fprintf(out, "{\"workers\": %d, \"scheduler\": ", ctx->nproc);
  cilk_json_string(out, ctx->team.sched->name);
  fprintf(out, ", \"wall\": %.9f, \"busy\": %.4f, \"steals\": %llu", (double)ctx->elapsed_ns * 1e-9, busy(ctx),
      (unsigned long long)sum(ctx, CILK_N_STEAL));
  if (ctx->span) {
    double unit = cilk_span_counted() ? 1 : 1e-9;
    fprintf(out, ", \"unit\": \"%s\", \"work\": %.9g, \"span\": %.9g, \"parallelism\": %.6f",
        cilk_span_counted() ? "instructions" : "seconds", (double)ctx->work * unit, (double)ctx->span * unit,
        (double)ctx->work / (double)ctx->span);
  }
  print_counters(ctx, out);
  for (int i = 0; i < ctx->nproc; i++) {
    double present, searching;
    cilk_stats_times(ctx, i, &present, &searching);
    fprintf(out, "%s{\"working\": %.9f, \"searching\": %.9f}", i ? ", " : ", \"times\": [", present - searching,
        searching);
  }
  fputs("]}\n", out);
}

static void print(cilk_context *ctx, FILE *out) {
  switch (ctx->opt.stats_form) {
    case CILK_STATS_TEXT: cilk_stats_print(ctx, out); return;
    case CILK_STATS_JSON: print_json(ctx, out); return;
    case CILK_STATS_LINE: print_line(ctx, out); return;
  }
}

/* NULL: errno says why. A pipe whose reader has gone is an error: none may come any more. */
static FILE *opened(const char *name) {
  int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666);
  return fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) == 0 ? fdopen(fd, "a") : NULL;
}

/* A process has a report for each of its contexts: they follow one another in the file, which --stats-file emptied. */
void cilk_stats_report(cilk_context *ctx) {
  const char *name = ctx->opt.stats_file;
  FILE *out = name ? opened(name) : stderr;
  fflush(stdout);
  if (out) {
    flockfile(out);
    print(ctx, out);
    funlockfile(out);
  }
  if (name && (!out || fclose(out) != 0))
    fprintf(stderr, "cilk: the statistics cannot be written to %s: %s\n", name, strerror(errno));
}
