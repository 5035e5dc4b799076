/* Threads that call a procedure of Cilk-5, which may be stolen and send its result from elsewhere; under the strategies
 * that fib.c has.   mixed [n [times]] */
#include "threads.h"

#define root fib_root
#define serial fib_serial
#define main fib_main
#define thunk fib_thunk
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "../fib.c"
#undef root
#undef serial
#undef main
#undef thunk

struct sum_args {
  cilk_cont k;
  int x, y;
};
static void sum_run(cilk_worker *w, cilk1_closure *c) {
  struct sum_args a = *ARGS(sum, c);
  SEND4(a.k, a.x + a.y);
}
static const cilk1_slot sum_slots[] = {CONT_ROW(sum, 0, k), ROW(sum, 1, x), ROW(sum, 2, y)};
THREAD(sum);

struct tree_args {
  cilk_cont k;
  int n;
};
static void tree_run(cilk_worker *w, cilk1_closure *c);
static const cilk1_slot tree_slots[] = {CONT_ROW(tree, 0, k), ROW(tree, 1, n)};
THREAD(tree);

static void spawn_tree(cilk_worker *w, cilk_cont k, int n) {
  cilk1_closure *c = SPAWN(&tree, 0);
  ARGS(tree, c)->k = k;
  ARGS(tree, c)->n = n;
  READY(c);
}

/* fib, the upper levels by threads, the lower ones by Cilk-5. */
static void tree_run(cilk_worker *w, cilk1_closure *c) {
  struct tree_args a = *ARGS(tree, c);
  if (a.n < 12) {
    cilk1_call(w, a.k, &fib_root, &a.n);
    return;
  }
  cilk1_closure *s = SPAWN_NEXT(&sum, SLOT(sum, x) + SLOT(sum, y));
  ARGS(sum, s)->k = a.k;
  cilk_cont x = cilk1_cont(s, SLOT(sum, x)), y = cilk1_cont(s, SLOT(sum, y));
  spawn_tree(w, x, a.n - 1);
  cilk1_call(w, y, &fib_root, &(int){a.n - 2}); /* and more of this thread after it */
}

static void thunk(void *args, void *result) {
  (void)result;
  cilk_worker *w = cilk1_worker();
  cilk_cont k = cilk1_root(w, sizeof(int));
  cilk1_closure *c = cilk1_first(w, &tree);
  ARGS(tree, c)->k = k;
  ARGS(tree, c)->n = *(int *)args;
  READY(c);
}
static const cilk_root tree_root = {thunk, "tree", sizeof(int), sizeof(int)};

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  int n = argc > 1 ? atoi(argv[1]) : 18, times = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = 0; i < times; i++) {
    int r = 0;
    call_root(ctx, &tree_root, &n, &r);
    EXPECT(r == fib_serial(n));
  }
  Cilk_terminate(ctx);
  puts("right");
  return 0;
}
