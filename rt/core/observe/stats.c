/* stats.c - the report of --stats. Counters are written by their workers with relaxed stores, inside the runtime only.
 * Each worker takes its own back to zero when it comes into a computation; they are read when that is over. */
#include "observe/stats.h"
#include "data/policy.h"
#include "data/pool.h"
#include "observe/span.h"

static const struct row {
  const char *name;
  int level;
} rows[CILK_COUNTERS] = {
#define CILK_COUNTER(id, name, level) [CILK_N_##id] = {name, level},
#include "observe/counters.def"
#undef CILK_COUNTER
};

void cilk_stats_begin(cilk_worker *w, uint32_t number, uint64_t now) {
  cilk_worker_ext *x = w->ext;
  if (load_relaxed(&x->stats.count[CILK_N_FOUND]))   /* as many as there are searches */
    for (int k = 0; k < CILK_SEARCH_BUCKETS; k++) store_relaxed(&x->stats.searches[k], 0u);
  for (int k = 0; k < CILK_COUNTERS; k++) store_relaxed(&x->stats.count[k], (uint64_t)0);
  if (x->search.counted)                         /* by the worker that woke it for this computation (sleep.c) */
    cilk_count(w, CILK_N_WOKEN);
  store_relaxed(&x->stats.idle_ns, (uint64_t)0);
  store_relaxed(&w->threads, (uint64_t)0);   /* written by generated code of profile builds */
  store_relaxed(&x->stats.joined_at, now);
  store_relaxed(&x->stats.joined, number);
}

/* Did the worker take part in the last computation? If it was woken too late, or not at all, its counts are of an
 * earlier one. */
static bool took_part(const cilk_context *ctx, int i) {
  return load_relaxed(&ctx->workers[i]->ext->stats.joined) == load_relaxed(&ctx->begun);
}
uint64_t cilk_stats_counter(const cilk_context *ctx, int i, int k) {
  return took_part(ctx, i) ? load_relaxed(&ctx->workers[i]->ext->stats.count[k]) : 0;
}

const char *cilk_stats_name(int k) { return rows[k].name; }

static uint64_t threads_of(const cilk_context *ctx, int i) {
  return took_part(ctx, i) ? load_relaxed(&ctx->workers[i]->threads) : 0;
}

/* A time in the unit that reads best. */
static void print_time(FILE *out, const char *what, double seconds) {
  if (seconds < 1e-3) fprintf(out, "%s = %f us\n", what, seconds * 1e6);
  else if (seconds < 1) fprintf(out, "%s = %f ms\n", what, seconds * 1e3);
  else fprintf(out, "%s = %f s\n", what, seconds);
}

/* A length of work or span, in the unit of span.c. */
static void print_length(FILE *out, const char *what, double n) {
  if (cilk_span_counted()) fprintf(out, "%s = %.0f instructions\n", what, n);
  else print_time(out, what, n * 1e-9);
}

/* Bucket b holds the times whose leading one is bit b / 8, and whose next three bits are b % 8: at most an eighth
 * apart. */
void cilk_stats_search(cilk_worker *w, uint64_t ns) {
  ns |= 8;                                /* three bits below the leading one */
  int bit = 63 - __builtin_clzll(ns), bucket = bit * 8 + (int)(ns >> (bit - 3) & 7);
  uint32_t *at = &w->ext->stats.searches[bucket < CILK_SEARCH_BUCKETS ? bucket : CILK_SEARCH_BUCKETS - 1];
  store_relaxed(at, load_relaxed(at) + 1u);
}

/* The middle of the bucket that has the median of all workers' searches, in seconds. */
static double median_search(cilk_context *ctx, uint64_t found) {
  uint64_t below = 0;
  for (int b = 0; b < CILK_SEARCH_BUCKETS; b++) {
    for (int i = 0; i < ctx->nproc; i++)
      below += took_part(ctx, i) ? load_relaxed(&ctx->workers[i]->ext->stats.searches[b]) : 0;
    if (2 * below >= found) return (8 + b % 8 + 0.5) * (double)((uint64_t)1 << b / 8) / 8 * 1e-9;
  }
  return 0;
}

static uint64_t sum_threads(cilk_context *ctx) {
  uint64_t sum = 0;
  for (int i = 0; i < ctx->nproc; i++) sum += threads_of(ctx, i);
  return sum;
}

static void table(cilk_context *ctx, FILE *out, int level) {
  for (int first = 0; first < ctx->nproc; first += CILK_STATS_BLOCK) {
    int last = first + CILK_STATS_BLOCK < ctx->nproc ? first + CILK_STATS_BLOCK : ctx->nproc;
    bool total = last == ctx->nproc;
    fprintf(out, "%13s", "PN");
    for (int i = first; i < last; i++) fprintf(out, "%9d", i);
    if (total) fprintf(out, "%10s", "Total");
    fputc('\n', out);
    if (sum_threads(ctx)) {
      fprintf(out, "%13s", "Threads");
      for (int i = first; i < last; i++) fprintf(out, "%9llu", (unsigned long long)threads_of(ctx, i));
      if (total) fprintf(out, "%10llu", (unsigned long long)sum_threads(ctx));
      fputc('\n', out);
    }
    for (int k = 0; k < CILK_COUNTERS; k++) {
      uint64_t sum = 0;
      for (int i = 0; i < ctx->nproc; i++) sum += cilk_stats_counter(ctx, i, k);
      if (rows[k].level > level || sum == 0) continue;
      fprintf(out, "%13s", rows[k].name);
      for (int i = first; i < last; i++) fprintf(out, "%9llu", (unsigned long long)cilk_stats_counter(ctx, i, k));
      if (total) fprintf(out, "%10llu", (unsigned long long)sum);
      fputc('\n', out);
    }
    fputc('\n', out);
  }
}

/* How long a worker took part in the computation, and how much of that it searched for work; a search that the end cut
 * short counts, too. */
void cilk_stats_times(cilk_context *ctx, int i, double *present, double *idle) {
  cilk_worker_ext *x = ctx->workers[i]->ext;
  uint64_t end = ctx->start_ns + ctx->elapsed_ns, from = took_part(ctx, i) ? load_relaxed(&x->stats.joined_at) : 0,
           since = load_relaxed(&x->stats.idle_since);
  uint64_t here = from && from < end ? end - from : 0, searched = load_relaxed(&x->stats.idle_ns);
  if (since && since < end) searched += end - since;
  *present = (double)here * 1e-9;
  *idle = (double)(searched < here ? searched : here) * 1e-9;
}

void cilk_stats_print(cilk_context *ctx, FILE *out) {
  int level = ctx->opt.stats, n = ctx->nproc;
  double wall = (double)ctx->elapsed_ns * 1e-9, work = 0, idle = 0, present, one;
  char what[80];
  for (int i = 0; i < n; i++) {
    cilk_stats_times(ctx, i, &present, &one);
    idle += one;
    work += present - one;
  }
  fflush(stdout);
  flockfile(out);
  fprintf(out, "\nRUNTIME SYSTEM STATISTICS:\n\n");
  snprintf(what, sizeof what, "Wall-clock running time on %d processor%s", n, n == 1 ? "" : "s");
  print_time(out, what, wall);
  if (ctx->work > 1000000 || cilk_span_counted()) print_length(out, "Total work", (double)ctx->work);
  if (ctx->span) {
    print_length(out, "Span", (double)ctx->span);
    fprintf(out, "Parallelism = %f\n", (double)ctx->work / (double)ctx->span);
  }
  if (level >= 2) {
    fputc('\n', out);
    table(ctx, out, level);
  }
  if (level >= 2 && ctx->span) {
    uint64_t threads = sum_threads(ctx), steals = 0;
    for (int i = 0; i < n; i++) steals += cilk_stats_counter(ctx, i, CILK_N_STEAL);
    if (threads) print_length(out, "AVERAGE THREAD LENGTH", (double)ctx->work / (double)threads);
    print_length(out, "AVERAGE SUBCOMPUTATION LENGTH", (double)ctx->work / (double)(steals + 1));
    fputc('\n', out);
  }
  if (level >= 3) {
    fprintf(out, "SCHEDULER MEMORY STATISTICS:\n");
    fprintf(out, "  closures and links, taken from the system: %zu bytes\n\n", cilk_pool_bytes());
  }
  if (level >= 4) {
    fprintf(out, "SUMMARY OF TIME SPENT BY EACH PROCESSOR:\n %3s %12s %12s %12s\n", "PN", "Working", "Stealing",
        "Total");
    for (int i = 0; i < n; i++) {
      cilk_stats_times(ctx, i, &present, &one);
      fprintf(out, " %3d %12.6f %12.6f %12.6f\n", i, present - one, one, present);
    }
    fprintf(out, " TOT %12.6f %12.6f %12.6f\n", work, idle, work + idle);
    uint64_t found = 0;
    for (int i = 0; i < n; i++) found += cilk_stats_counter(ctx, i, CILK_N_FOUND);
    if (found) {
      print_time(out, "AVERAGE SEARCH FOR WORK", idle / (double)found);
      print_time(out, "MEDIAN SEARCH FOR WORK", median_search(ctx, found));
    }
    fputc('\n', out);
  }
  if (level >= 5) {
    fprintf(out, "SUMMARY OF TIME STATISTICS:\n");
    fprintf(out, "Total execution time: %fs / wall %fs\n", work + idle, wall);
    fprintf(out, "Working time: %fs / wall %fs\n", work, wall);
    fprintf(out, "Stealing: %fs / wall %fs\n\n", idle, wall);
  }
  funlockfile(out);
}
