/* fib as in the paper's Figure 3, and with the tail call of section 4.   fib [n [times [spawn]]] */
#include "threads.h"
#include <time.h>

struct sum_args {
  cilk_cont k;
  int x, y;
};
static void sum_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(sum, c)->k;
  int x = ARGS(sum, c)->x, y = ARGS(sum, c)->y;
  SEND4(k, x + y);
}
static const cilk1_slot sum_slots[] = {CONT_ROW(sum, 0, k), ROW(sum, 1, x), ROW(sum, 2, y)};
THREAD(sum);

static int plain;                         /* both children are spawned */
struct fib_args {
  cilk_cont k;
  int n;
};
static void fib_run(cilk_worker *w, cilk1_closure *c);
static const cilk1_slot fib_slots[] = {CONT_ROW(fib, 0, k), ROW(fib, 1, n)};
THREAD(fib);

static void spawn_fib(cilk_worker *w, cilk_cont k, int n) {
  cilk1_closure *c = SPAWN(&fib, 0);
  ARGS(fib, c)->k = k;
  ARGS(fib, c)->n = n;
  READY(c);
}

static void fib_body(cilk_worker *w, cilk_cont k, int n) {
  if (n < 2) {
    SEND4(k, n);
    return;
  }
  cilk1_closure *s = SPAWN_NEXT(&sum, SLOT(sum, x) + SLOT(sum, y));
  ARGS(sum, s)->k = k;
  cilk_cont x = cilk1_cont(s, SLOT(sum, x)), y = cilk1_cont(s, SLOT(sum, y));
  spawn_fib(w, x, n - 1);
  if (plain) {
    spawn_fib(w, y, n - 2);
    return;
  }
  cilk1_tail(w);
  fib_body(w, y, n - 2);
}

static void fib_run(cilk_worker *w, cilk1_closure *c) { fib_body(w, ARGS(fib, c)->k, ARGS(fib, c)->n); }

static void thunk(void *args, void *result) {
  (void)result;
  cilk_worker *w = cilk1_worker();
  cilk_cont k = cilk1_root(w, sizeof(int));
  cilk1_closure *c = cilk1_first(w, &fib);
  ARGS(fib, c)->k = k;
  ARGS(fib, c)->n = *(int *)args;
  READY(c);
}
static const cilk_root root = {thunk, "fib", sizeof(int), sizeof(int)};

static int __attribute__((noinline)) serial(int n) { return n < 2 ? n : serial(n - 1) + serial(n - 2); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  int n = argc > 1 ? atoi(argv[1]) : 20, times = argc > 2 ? atoi(argv[2]) : 1;
  plain = argc > 3;
  double began = now();
  int right = n < 40 ? serial(n) : -1;
  double serial_time = now() - began;
  began = now();
  for (int i = 0; i < times; i++) {
    int r = 0;
    call_root(ctx, &root, &n, &r);
    EXPECT(right == -1 || r == right);
    right = r;
  }
  printf("serial: %f s\ntime: %f s\n", serial_time, (now() - began) / times);
  Cilk_terminate(ctx);
  printf("fib(%d) = %d\n", n, right);
  return 0;
}
