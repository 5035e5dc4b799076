/* What is wrong with continuations.   wrong twice | unsent | null | late */
#include "threads.h"

static const char *how;

struct join_args {
  cilk_cont k;
  long x, y;
};
static void join_run(cilk_worker *w, cilk1_closure *c) {
  struct join_args a = *ARGS(join, c);
  SEND8(a.k, a.x + a.y);
}
static const cilk1_slot join_slots[] = {CONT_ROW(join, 0, k), ROW(join, 1, x), ROW(join, 2, y)};
THREAD(join);

struct send_args {
  cilk_cont k;
};
static void send_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(send, c)->k;
  SEND8(k, 1);
}
static const cilk1_slot send_slots[] = {CONT_ROW(send, 0, k)};
THREAD(send);

struct first_args {
  cilk_cont k;
};
static void first_run(cilk_worker *w, cilk1_closure *c) {
  cilk_cont k = ARGS(first, c)->k;
  cilk1_closure *j = SPAWN_NEXT(&join, SLOT(join, x) + SLOT(join, y));
  ARGS(join, j)->k = k;
  cilk_cont x = cilk1_cont(j, SLOT(join, x)), y = cilk1_cont(j, SLOT(join, y)), none = {NULL, 0, 0};
  SEND8(x, 1);
  if (!strcmp(how, "null")) SEND8(none, 1);
  if (!strcmp(how, "unsent")) return;
  SEND8(y, 2);
  if (!strcmp(how, "twice")) SEND8(y, 3);
  if (!strcmp(how, "late")) {             /* by a thread that runs when join has: shallower ones come later */
    cilk1_closure *c2 = cilk1_first(w, &send);
    ARGS(send, c2)->k = y;
    READY(c2);
  }
}
static const cilk1_slot first_slots[] = {CONT_ROW(first, 0, k)};
THREAD(first);

static void thunk(void *args, void *result) {
  (void)args;
  (void)result;
  cilk_worker *w = cilk1_worker();
  cilk_cont k = cilk1_root(w, sizeof(long));
  cilk1_closure *c = cilk1_first(w, &first);
  ARGS(first, c)->k = k;
  READY(c);
}
static const cilk_root root = {thunk, "wrong", 0, sizeof(long)};

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx && argc > 1);
  how = argv[1];
  long r = 0;
  cilk_rt_call_root(ctx, &root, NULL, &r);
  Cilk_terminate(ctx);
  printf("%ld\n", r);
  return 0;
}
