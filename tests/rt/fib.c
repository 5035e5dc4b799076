/* fib: the smallest procedure; two receivers, no records. */
#include "clones.h"

typedef struct {
  cilk_closure h;
  int n, x, y, value;
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
static const cilk_sig sig = {CILK_ABI_VERSION, 0, slow, "fib", "fib.c", SIZE, 4, entries, NULL, 0, 0};

#ifdef LAZY
static int __attribute__((noinline)) fast(int n) {
  int x, y;
  frame *f;
  if (n < 2) return n;
  if (flagged()) switch (cilk_rt_release(CILK_AT_SPAWN)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE:
        f = (frame *)cilk_rt_release_frame(&sig, NULL, 0);
        f->n = n;
        return 0;
      default: return 0;
    }
  x = fast(n - 1);
  if (flagged()) switch (cilk_rt_release(CILK_AFTER_CALL)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE:
        f = (frame *)cilk_rt_release_frame(&sig, NULL, 1);
        f->x = x;
        f->n = n;
        return 0;
      case CILK_PROPAGATE:
        f = (frame *)cilk_rt_release_frame(&sig, NULL, 1);
        f->n = n;
        return 0;
      default: return 0;
    }
  y = fast(n - 2);
  if (flagged()) switch (cilk_rt_release(CILK_AFTER_CALL)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE:
        f = (frame *)cilk_rt_release_frame(&sig, NULL, 2);
        f->x = x;
        f->y = y;
        return 0;
      case CILK_PROPAGATE:
        f = (frame *)cilk_rt_release_frame(&sig, NULL, 2);
        f->x = x;
        return 0;
      default: return 0;
    }
  return x + y;
}
#else
static int __attribute__((noinline)) fast(int n) {
  if (n < 2) return n;
  frame *f = (frame *)take_closure(&sig, SIZE);
  int x, y;
  f->h.entry = 1;
  f->n = n;
  cilk_closure **t = push(&f->h);
  x = fast(n - 1);
  FAST_POP(t, x, 0);
  f->h.entry = 2;
  f->x = x;
  t = push(&f->h);
  y = fast(n - 2);
  FAST_POP(t, y, 0);
  give_closure(&f->h, SIZE);
  return x + y;
}
#endif

static void slow(cilk_worker *w, cilk_closure *c) {
  frame *f = (frame *)c;
  cilk_closure **t;
  int r, n;
  (void)w;
  switch (c->entry) {
    case 0: break;
    case 1: goto e1;
    case 2: goto e2;
    case 3: goto e3;
  }
  c->entry = 1;
  n = f->n - 1;
  t = push(c);
  r = fast(n);
  SLOW_POP(t, r);
  f->x = r;
e1:
  c->entry = 2;
  n = f->n - 2;
  t = push(c);
  r = fast(n);
  SLOW_POP(t, r);
  f->y = r;
e2:
  c->entry = 3;
  if (cilk_rt_sync(c) != CILK_CONTINUE) return;
e3:
  f->value = f->x + f->y;
  cilk_rt_return(c, &f->value, sizeof f->value);
}

static void thunk(void *args, void *result) { *(int *)result = fast(*(int *)args); }
static const cilk_root root = {thunk, "fib", sizeof(int), sizeof(int)};

static int serial(int n) { return n < 2 ? n : serial(n - 1) + serial(n - 2); }

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  int n = argc > 1 ? atoi(argv[1]) : 20, times = argc > 2 ? atoi(argv[2]) : 1;
  int right = times > 1 || n < 30 ? serial(n) : -1;
  for (int i = 0; i < times; i++) {
    int r = 0;
    cilk_rt_call_root(ctx, &root, &n, &r);
    EXPECT(right == -1 || r == right);
    right = r;
  }
  Cilk_terminate(ctx);
  printf("fib(%d) = %d\n", n, right);
  return 0;
}
