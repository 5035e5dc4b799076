/* startup: a program whose main is a Cilk procedure, linked with the runtime's start-up object. The first argument says
 * what to do. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include "clones.h"

void cilk_rt_exit(int status);
void cilk_rt_die(const char *message);
void cilk_rt_assert_failed(const char *expression, int line, const char *file);

typedef struct {
  cilk_closure h;
  int n, value;
} frame;
static void slow(cilk_worker *w, cilk_closure *c);
static void deliver(cilk_closure *p, void *record, void *r) {
  (void)record;
  ((frame *)p)->value = *(int *)r;
}
static const cilk_entry entries[] = {{NULL, 0, 0, 0, 0, 0, NULL, NULL}, {deliver, 0, 0, sizeof(int), 0, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL}};
enum { SIZE = (sizeof(frame) + 15) / 16 * 16 };
static const cilk_sig sig = {CILK_ABI_VERSION, 0, slow, "chain", "startup.c", SIZE, 3, entries, NULL, 0, 0};

static int leaf_exits;
/* chain(n) = spawn chain(n - 1), plus one; deep. At the bottom, perhaps Cilk_exit. */
static int __attribute__((noinline)) chain(int n) {
  int r;
  if (n == 0) {
    if (leaf_exits) cilk_rt_exit(leaf_exits);
    return 0;
  }
#ifdef LAZY
  frame *f;
  if (flagged()) switch (cilk_rt_release(CILK_AT_SPAWN)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE:
        f = (frame *)cilk_rt_release_frame(&sig, NULL, 0);
        f->n = n;
        return 0;
      default: return 0;
    }
  r = chain(n - 1);
  if (flagged()) switch (cilk_rt_release(CILK_AFTER_CALL)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE:
        f = (frame *)cilk_rt_release_frame(&sig, NULL, 1);
        f->value = r;
        return 0;
      case CILK_PROPAGATE: f = (frame *)cilk_rt_release_frame(&sig, NULL, 1); return 0;
      default: return 0;
    }
#else
  frame *f = (frame *)take_closure(&sig, SIZE);
  f->n = n;
  f->h.entry = 1;
  cilk_closure **t = push(&f->h);
  r = chain(n - 1);
  FAST_POP(t, r, 0);
  give_closure(&f->h, SIZE);
#endif
  return r + 1;
}

static void slow(cilk_worker *w, cilk_closure *c) {
  frame *f = (frame *)c;
  int r, n;
  (void)w;
  if (c->entry == 0) {
    c->entry = 1;
    n = f->n - 1;
    cilk_closure **t = push(c);
    r = chain(n);
    SLOW_POP(t, r);
    f->value = r;
  }
  if (c->entry <= 1) {
    c->entry = 2;
    if (cilk_rt_sync(c) != CILK_CONTINUE) return;
  }
  f->value++;
  cilk_rt_return(c, &f->value, sizeof f->value);
}

static void chain_thunk(void *args, void *result) { *(int *)result = chain(*(int *)args); }
static const cilk_root chain_root = {chain_thunk, "chain", sizeof(int), sizeof(int)};

static int __attribute__((noinline)) recurse(volatile int *p) {
  volatile int a[64] = {*p};
  return a[0] == -1 ? 0 : recurse(a) + a[3];
}

static int *volatile nowhere = (int *)8;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int cilk_main_procedure(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(what, "args")) {
    for (int i = 1; i < argc; i++) printf("%s\n", argv[i]);
    EXPECT(argv[argc] == NULL);
    return 7;
  }
  if (!strcmp(what, "self")) {
    EXPECT(cilk_rt_self() == 0);
    printf("%d\n", cilk_rt_active_size());
    return 0;
  }
  if (!strcmp(what, "chain")) {
    int r = -1;
    cilk_rt_call_root(NULL, &chain_root, &n, &r);
    EXPECT(r == n);
    return 0;
  }
  if (!strcmp(what, "exit")) { /* the bottom activation of this root: nothing may follow the call */
    leaf_exits = n;
    return chain(100);
  }
  if (!strcmp(what, "nested-exit")) {
    leaf_exits = n;
    n = 100;
    cilk_rt_call_root(NULL, &chain_root, &n, &n);
    return 0;
  }
  if (!strcmp(what, "libc-exit")) exit(n);
  if (!strcmp(what, "recurse")) return recurse(&n);
  if (!strcmp(what, "die")) cilk_rt_die("enough");
  if (!strcmp(what, "assert")) cilk_rt_assert_failed("1 == 2", 3, "f.cilk");
  if (!strcmp(what, "crash")) *nowhere = 1;
  if (!strcmp(what, "idle")) { /* one long serial piece; how often do the others look for work? */
    for (double t0 = seconds(); seconds() - t0 < 1.0;);
    return 0;
  }
  return 3;
}

static void thunk(void *args, void *result) {
  struct {
    int argc;
    char **argv, **envp;
  } *a = args;
  *(int *)result = cilk_main_procedure(a->argc, a->argv);
}

const cilk_root cilk_main_root = {thunk, "main", 24, sizeof(int)};
