/* knary(n, k, r): a tree of depth n; of a node's k children the first r run one after the other, the rest in parallel;
 * every node does some work.
 *   knary [n [k [r [iterations]]]]     prints the number of nodes, of threads by the formula, and the time */
#include "threads.h"
#include <time.h>

enum { MOST = 8 };
static int K = 4, R = 1, ITERATIONS = 400;

static void work(void) {
  for (int i = 0; i < ITERATIONS; i++) __asm__ volatile("" : "+r"(i));
}

struct sum_args {
  cilk_cont k;
  long before;
  long x[MOST];
};
static void sum_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(sum, c)->k;
  long s = ARGS(sum, c)->before;
  for (int i = 0; i < K - R; i++) s += ARGS(sum, c)->x[i];
  SEND8(k, s);
}
static const cilk1_slot sum_slots[] = {CONT_ROW(sum, 0, k), ROW(sum, 1, before), ROW(sum, 2, x)};
THREAD(sum);

struct node_args {
  cilk_cont k;
  int n;
};
static void node_run(cilk_worker *w, cilk1_closure *c);
static const cilk1_slot node_slots[] = {CONT_ROW(node, 0, k), ROW(node, 1, n)};
THREAD(node);

static void spawn_node(cilk_worker *w, cilk_cont k, int n) {
  cilk1_closure *c = SPAWN(&node, 0);
  ARGS(node, c)->k = k;
  ARGS(node, c)->n = n;
  READY(c);
}

/* Child number i is next, the results of those before it are in `before`. */
struct step_args {
  cilk_cont k;
  int n, i;
  long before, x;
};
static void step_run(cilk_worker *w, cilk1_closure *c);
static const cilk1_slot step_slots[] = {CONT_ROW(step, 0, k), ROW(step, 1, n), ROW(step, 2, i), ROW(step, 3, before),
    ROW(step, 4, x)};
THREAD(step);

static void children(cilk_worker *w, cilk_cont k, int n, int i, long before) {
  if (i < R) {
    cilk1_closure *s = SPAWN_NEXT(&step, SLOT(step, x));
    ARGS(step, s)->k = k;
    ARGS(step, s)->n = n;
    ARGS(step, s)->i = i + 1;
    ARGS(step, s)->before = before;
    spawn_node(w, cilk1_cont(s, SLOT(step, x)), n - 1);
    return;
  }
  cilk1_closure *s = SPAWN_NEXT(&sum, SLOTS(sum, x, K - R));
  ARGS(sum, s)->k = k;
  ARGS(sum, s)->before = before;
  for (int j = 0; j < K - R; j++) spawn_node(w, cilk1_cont(s, SLOT(sum, x) + 8 * (uint32_t)j), n - 1);
}

static void step_run(cilk_worker *w, cilk1_closure *c) {
  struct step_args a = *ARGS(step, c);
  children(w, a.k, a.n, a.i, a.before + a.x);
}

static void node_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(node, c)->k;
  int n = ARGS(node, c)->n;
  work();
  if (n == 1) SEND8(k, 1);
  else children(w, k, n, 0, 1);
}

static void thunk(void *args, void *result) {
  (void)result;
  cilk_worker *w = cilk1_worker();
  cilk_cont k = cilk1_root(w, sizeof(long));
  cilk1_closure *c = cilk1_first(w, &node);
  ARGS(node, c)->k = k;
  ARGS(node, c)->n = *(int *)args;
  READY(c);
}
static const cilk_root root = {thunk, "knary", sizeof(int), sizeof(long)};

static long __attribute__((noinline)) serial(int n) {
  long s = 1;
  work();
  for (int i = 0; n > 1 && i < K; i++) s += serial(n - 1);
  return s;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  int n = argc > 1 ? atoi(argv[1]) : 6;
  K = argc > 2 ? atoi(argv[2]) : K;
  R = argc > 3 ? atoi(argv[3]) : R;
  ITERATIONS = argc > 4 ? atoi(argv[4]) : ITERATIONS;
  EXPECT(K <= MOST && R < K);
  double a = now();
  long nodes = serial(n), got = 0;
  double b = now();
  call_root(ctx, &root, &n, &got);
  double c = now();
  EXPECT(got == nodes);
  long inner = (nodes - 1) / K;
  printf("nodes: %ld\nthreads: %ld\nserial: %f s\ntime: %f s\n", nodes, nodes + inner * (R + 1) + 1, b - a, c - b);
  Cilk_terminate(ctx);
  return 0;
}
