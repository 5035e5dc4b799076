/* coarse: a few leaves that take long, under a divide-and-conquer loop: each of P workers does 1/P of them. They sleep
 * rather than compute, so that the shares say something on a loaded machine.  coarse LEAVES MILLISECONDS [FINE]: with
 * FINE, a fine-grained recursion of that depth comes first, so that the workers have got used to frequent tests. Prints
 * the largest share over the ideal one. */
#define _GNU_SOURCE
#include <unistd.h>
#include "clones.h"

typedef struct {
  cilk_closure h;
  int lo, hi, x, y, value;
} frame;
static void slow(cilk_worker *w, cilk_closure *c);
static void deliver_x(cilk_closure *p, void *record, void *r) {
  (void)record;
  ((frame *)p)->x = *(int *)r;
}
static void deliver_y(cilk_closure *p, void *record, void *r) {
  (void)record;
  ((frame *)p)->y = *(int *)r;
}
static const cilk_entry entries[] = {
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver_x, 0, 0, sizeof(int), 0, 0, NULL, NULL},
    {deliver_y, 0, 0, sizeof(int), 0, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
};
enum { SIZE = (sizeof(frame) + 15) / 16 * 16 };
static const cilk_sig sig = {CILK_ABI_VERSION, 0, slow, "loop", "coarse.c", SIZE, 4, entries, NULL, 0, 0};
static int ms, fine_leaf;
static int done[64];                      /* long leaves by worker; each writes its own */

static int leaf(int lo) {
  if (lo >= fine_leaf) {
    usleep((unsigned)ms * 1000u);
    done[cilk_self.id]++;
  }
  return 1;
}

/* Leaves [0, fine_leaf) take no time, the others ms each. */
static int __attribute__((noinline)) fast(int lo, int hi) {
  frame *f;
  int x, y, mid = lo + (hi - lo) / 2;
  if (lo < fine_leaf && hi > fine_leaf) mid = fine_leaf;
  if (hi - lo == 1) return leaf(lo);
#ifdef LAZY
#define SAVE(ENTRY) \
  (f = (frame *)cilk_rt_release_frame(&sig, NULL, (ENTRY)), f->lo = lo, f->hi = hi, f->x = x, f->y = y)
  x = y = 0;
  if (flagged()) switch (cilk_rt_release(CILK_AT_SPAWN)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE: SAVE(0); return 0;
      default: return 0;
    }
  x = fast(lo, mid);
  if (flagged()) switch (cilk_rt_release(CILK_AFTER_CALL)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE:
      case CILK_PROPAGATE: SAVE(1); return 0; /* x is delivered later if it is a dummy */
      default: return 0;
    }
  y = fast(mid, hi);
  if (flagged()) switch (cilk_rt_release(CILK_AFTER_CALL)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE:
      case CILK_PROPAGATE: SAVE(2); return 0;
      default: return 0;
    }
#else
  f = (frame *)take_closure(&sig, SIZE);
  f->lo = lo;
  f->hi = hi;
  f->h.entry = 1;
  cilk_closure **t = push(&f->h);
  x = fast(lo, mid);
  FAST_POP(t, x, 0);
  f->h.entry = 2;
  f->x = x;
  t = push(&f->h);
  y = fast(mid, hi);
  FAST_POP(t, y, 0);
  give_closure(&f->h, SIZE);
#endif
  return x + y;
}

static void slow(cilk_worker *w, cilk_closure *c) {
  frame *f = (frame *)c;
  cilk_closure **t;
  int r, lo = f->lo, hi = f->hi, mid = lo + (hi - lo) / 2;
  if (lo < fine_leaf && hi > fine_leaf) mid = fine_leaf;
  (void)w;
  switch (c->entry) {
    case 0: break;
    case 1: goto e1;
    case 2: goto e2;
    case 3: goto e3;
  }
  c->entry = 1;
  t = push(c);
  r = fast(lo, mid);
  SLOW_POP(t, r);
  f->x = r;
e1:
  c->entry = 2;
  t = push(c);
  r = fast(mid, hi);
  SLOW_POP(t, r);
  f->y = r;
e2:
  c->entry = 3;
  if (cilk_rt_sync(c) != CILK_CONTINUE) return;
e3:
  f->value = f->x + f->y;
  cilk_rt_return(c, &f->value, sizeof f->value);
}

static void thunk(void *args, void *result) { *(int *)result = fast(0, *(int *)args); }
static const cilk_root root = {thunk, "loop", sizeof(int), sizeof(int)};

int main(int argc, char **argv) {
  int nproc = 1;
  for (int i = 1; i + 1 < argc; i++)
    if (!strcmp(argv[i], "--nproc")) nproc = atoi(argv[i + 1]);
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx && argc >= 3);
  int leaves = atoi(argv[1]), n, r;
  ms = atoi(argv[2]);
  fine_leaf = argc > 3 ? atoi(argv[3]) : 0;
  n = fine_leaf + leaves;
  cilk_rt_call_root(ctx, &root, &n, &r);
  EXPECT(r == n);
  int most = 0;
  for (int i = 0; i < nproc; i++) most = done[i] > most ? done[i] : most;
  printf("%f\n", (double)most * nproc / leaves);
  Cilk_terminate(ctx);
  return 0;
}
