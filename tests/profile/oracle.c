/* Plays a random series-parallel program to rt/tools/profile, as generated code would, and draws its dag beside it: a
 * vertex for each strand. At the end it prints, as JSON, what the dag says: work, span, burdened span, the work of each
 * line, the span for each line free or twice as fast. In a run that knows the critical path (CILK_PROFILE_KNOWS) it
 * also prints how long the strands on it are. Deliveries at sites with `alone` exclude each other and their instance's
 * strands: a sync is not before the first of them can begin and all have run. The seed is the argument. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "rt/tools/profile/abi.h"

enum { LINES = 6, SITES = 4, BURDEN = 100 };
#define SECTION(name) __attribute__((section(#name), used, aligned(8)))

static cilk_profile_line lines[LINES] SECTION(cilk_profile_line) = {
  { "p.cilk", "f", 1, { 0, 0 } }, { "p.cilk", "f", 2, { 0, 0 } }, { "p.cilk", "g", 3, { 0, 0 } },
  { "p.cilk", "g", 4, { 0, 0 } }, { "p.cilk", "main", 5, { 0, 0 } }, { "q.cilk", "h", 1, { 0, 0 } } };
static cilk_profile_site sites[SITES] SECTION(cilk_profile_site) = {
  { "p.cilk", "f", 1, 1, 0, { 0 } }, { "p.cilk", "g", 2, 2, 1, { 0 } }, { "p.cilk", "g", 4, 3, 0, { 0 } }, { "q.cilk", "h", 1, 4, 1, { 0 } } };
#ifdef TOUCHES      /* the program might touch: the path is found by other means */
static cilk_profile_touched touches[1] SECTION(cilk_profile_touched) = { { "p.cilk", "f", 1, 1, 0, 0 } };
#endif
static cilk_profile_procedure procedures[2] SECTION(cilk_profile_procedure) = { { "p.cilk", "f", 1, { 0 } }, { "p.cilk", "g", 3, { 0 } } };

void cilk_rt_touch_empty(struct cilk_future *f) { (void)f, abort(); }   /* of rt/core/protocol/future.c, which is not linked: no program here has futures */

static uint64_t state;
static unsigned chance(unsigned n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

/* ---- the dag ---- */

typedef struct vertex { uint64_t weight[LINES]; bool on; int preds[64], burdens[64], npreds, alone[64], nalone; } vertex;
static vertex *dag;
static int vertices, limit;

static int vertex_after(int pred, int burden)
{
  if (vertices == limit)
    dag = realloc(dag, (size_t)(limit = limit ? 2 * limit : 1024) * sizeof *dag);
  dag[vertices] = (vertex){ .on = cilk_profile_shift != 0 };
  if (pred >= 0) {
    dag[vertices].preds[0] = pred;
    dag[vertices].burdens[0] = burden;
    dag[vertices].npreds = 1;
  }
  return vertices++;
}

static void edge(int from, int to, int burden)
{
  vertex *v = &dag[to];
  v->preds[v->npreds] = from;
  v->burdens[v->npreds++] = burden;
}

static uint64_t length(const vertex *v, int changed, uint64_t keeps)
{
  uint64_t n = 0;
  for (int l = 0; l < LINES; l++)
    n += (l == changed ? keeps : 2) * v->weight[l];
  return n;
}

/* The units on the critical path. */
static uint64_t on_path(void)
{
  uint64_t sum = 0;
  for (int v = 0; v < vertices; v++)
    sum += dag[v].on ? length(&dag[v], -1, 2) : 0;
  return sum;
}

/* The longest path, where a unit of line `changed` counts `keeps` of 2. The first predecessor of a vertex with `alone` is the strand before the sync. */
static uint64_t longest(int changed, uint64_t keeps, uint64_t burden)
{
  uint64_t *end = calloc((size_t)vertices, sizeof *end), most = 0;
  for (int v = 0; v < vertices; v++) {
    for (int p = 0; p < dag[v].npreds; p++) {
      uint64_t e = end[dag[v].preds[p]] + 2 * burden * (uint64_t)dag[v].burdens[p];
      end[v] = e > end[v] ? e : end[v];
    }
    uint64_t all = 0, first = UINT64_MAX;
    for (int a = 0; a < dag[v].nalone; a++) {
      const vertex *d = &dag[dag[v].alone[a]];
      all += length(d, changed, keeps);
      if (length(d, changed, keeps) && end[d->preds[0]] < first)
        first = end[d->preds[0]];
    }
    if (all) {
      uint64_t own = end[dag[v].preds[0]];
      first = (own > first ? own : first) + all;
      end[v] = first > end[v] ? first : end[v];
    }
    end[v] += length(&dag[v], changed, keeps);
    most = end[v] > most ? end[v] : most;
  }
  free(end);
  return most;
}

/* ---- the program ---- */

static int now;                             /* the running strand */
static uint64_t counted;                    /* in it, by the procedure itself */

static void compute(void)
{
  for (unsigned times = chance(3); times > 0; times--) {
    unsigned l = chance(LINES), n = chance(200);
    *(uint64_t *)(void *)((char *)&lines[l].units[0] + cilk_profile_shift) += n;
    dag[now].weight[l] += n;
    if (chance(2))
      counted += n;
    else
      cilk_profile_pending += n;            /* a C function did it */
  }
}

static uint64_t taken(void)
{
  uint64_t n = counted;
  counted = 0;
  return n;
}

static void joins(const int *ends, int *nends, const int *alone, int *nalone)
{
  while (*nends)
    edge(ends[--*nends], now, 1);
  while (*nalone)
    dag[now].alone[dag[now].nalone++] = alone[--*nalone];
}

static void instance(int depth)
{
  int ends[60], nends = 0, alone[60], nalone = 0;
  uint64_t callers = taken();
  cilk_profile_pending += callers;          /* of a caller's strand, where this is a call */
  cilk_profile_begin(&procedures[chance(2)]);
  now = vertex_after(now, 0);
  for (unsigned steps = chance(7); steps > 0; steps--) {
    compute();
    unsigned what = depth > 0 ? chance(6) : 5;
    if (what < 3 && nends < 59) {
      int from = now;
      cilk_profile_site *site = &sites[chance(SITES)];
      cilk_profile_spawn(site, taken());
      instance(depth - 1);
      if (chance(2)) {                      /* a delivery */
        now = vertex_after(now, 0);
        compute();
        if (site->alone)
          alone[nalone++] = now;
      }
      ends[nends++] = now;
      cilk_profile_joined(taken());
      now = vertex_after(from, 1);
    } else if (what == 3) {
      instance(depth - 1);
      now = vertex_after(now, 0);
    } else if (what == 4) {
      cilk_profile_sync(taken());
      now = vertex_after(now, 0);
      joins(ends, &nends, alone, &nalone);
    }
  }
  compute();
  cilk_profile_end(taken());
  now = vertex_after(now, 0);
  joins(ends, &nends, alone, &nalone);
}

int main(int argc, char **argv)
{
  state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  now = vertex_after(-1, 0);
  compute();
  instance(6);
  now = vertex_after(now, 0);
  compute();
  cilk_profile_pending += taken();
  uint64_t work = 0;
  printf("{\"lines\":[");
  for (int l = 0; l < LINES; l++) {
    uint64_t sum = 0;
    for (int v = 0; v < vertices; v++)
      sum += dag[v].weight[l];
    work += sum;
    printf("%s%llu", l ? "," : "", (unsigned long long)sum);
  }
  printf("],\"work\":%llu,\"span\":%llu,\"burdened_span\":%llu,\"path\":%llu,\"changed\":[", (unsigned long long)work, (unsigned long long)longest(-1, 2, 0) / 2,
         (unsigned long long)longest(-1, 2, BURDEN) / 2, (unsigned long long)on_path() / 2);
  for (int l = 0; l < LINES; l++)
    printf("%s%llu,%llu", l ? "," : "", (unsigned long long)longest(l, 0, 0), (unsigned long long)longest(l, 1, 0));
  printf("]}\n");
  return 0;
}
