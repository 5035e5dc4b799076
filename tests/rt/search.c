/* search: an inlet that aborts its siblings, at every level of a tree; after the sync the procedure spawns again.
 * Memory must stay flat. */
#include "clones.h"

enum { WIDTH = 5 };
size_t cilk_pool_bytes(void);

typedef struct {
  cilk_closure h;
  unsigned id;
  int d, i, found, again, value;
  char *block;
} frame;

static void slow(cilk_worker *w, cilk_closure *c);
static int modulus = 97;
static int is_target(unsigned id) { return id % (unsigned)modulus == 5; }
static unsigned child_id(unsigned id, int i) { return id * WIDTH + (unsigned)i + 1; }

static void inlet_hit(frame *f, int r, int out) {
  if (r >= 0 && f->found < 0) {
    f->found = r;
    if (out) cilk_rt_abort(&f->h);
  }
}
static void deliver_hit(cilk_closure *p, void *record, void *r) {
  (void)record;
  inlet_hit((frame *)p, *(int *)r, 1);
}
static void deliver_again(cilk_closure *p, void *record, void *r) {
  (void)record;
  ((frame *)p)->again += *(int *)r;
}
static const cilk_entry entries[] = {
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver_hit, 0, 0, sizeof(int), CILK_ENTRY_INLET, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver_again, 0, 0, sizeof(int), 0, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
};
enum { SIZE = (sizeof(frame) + 15) / 16 * 16 };
static const cilk_sig sig = {CILK_ABI_VERSION, CILK_SIG_BLOCKS, slow, "search", "search.c", SIZE, 5, entries, NULL, 0,
    0};

static int serial(unsigned id, int d) {
  if (d == 0) return is_target(id) ? (int)id : -1;
  for (int i = 0; i < WIDTH; i++) {
    int r = serial(child_id(id, i), d - 1);
    if (r >= 0) return r;
  }
  return -1;
}

static int fast(unsigned id, int d) {
  if (d == 0) return is_target(id) ? (int)id : -1;
  frame *f = (frame *)take_closure(&sig, SIZE);
  int r;
  f->id = id;
  f->d = d;
  f->found = -1;
  f->again = 0;
  f->block = cilk_rt_alloca(&f->h, 100, 16);
#ifdef LAZY
  if (flagged()) switch (cilk_rt_release(CILK_AT_SPAWN)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE: cilk_rt_release_frame(&sig, &f->h, 0); return -1;
      default: cilk_rt_closure_free(&f->h); return -1;
    }
#endif
  for (int i = 0; i <= WIDTH && (i == WIDTH || f->found < 0); i++) {
    unsigned entry = i < WIDTH ? 1 : 3;
    f->i = i;
#ifdef LAZY
    r = entry == 1 ? fast(child_id(id, i), d - 1) : 7;
    int verdict = flagged() ? cilk_rt_release(CILK_AFTER_CALL) : CILK_CONTINUE;
    if (verdict == CILK_PROPAGATE) {
      cilk_rt_release_frame(&sig, &f->h, entry);
      return -1;
    }
    if (verdict == CILK_UNWIND) {
      cilk_rt_closure_free(&f->h);
      return -1;
    }
#else
    f->h.entry = entry;
    cilk_closure **t = push(&f->h);
    r = entry == 1 ? fast(child_id(id, i), d - 1) : 7;
    FAST_POP(t, r, -1);
#endif
    if (entry == 1) inlet_hit(f, r, 0);
    else f->again += r;
#ifdef LAZY
    if (verdict == CILK_INITIATE) {
      cilk_rt_release_frame(&sig, &f->h, entry);
      return -1;
    }
#endif
    if (f->found >= 0 && i < WIDTH) i = WIDTH - 1;
  }
  EXPECT(f->again == 7);
  r = f->found;
  give_closure(&f->h, SIZE);
  return r;
}

static void slow(cilk_worker *w, cilk_closure *c) {
  frame *f = (frame *)c;
  int r;
  cilk_closure **t;
  (void)w;
  switch (c->entry) {
    case 0: f->i = 0; break;
    case 1: f->i++; break;
    case 2: goto synched;
    case 3: goto last;
    case 4: goto done;
  }
  for (; f->i < WIDTH && f->found < 0; f->i++) {
    c->entry = 1;
    unsigned child = child_id(f->id, f->i);
    int below = f->d - 1;                 /* before the push */
    t = push(c);
    r = fast(child, below);
    SLOW_POP(t, r);
    if (!dropped) inlet_hit(f, r, 1);
  }
  c->entry = 2;
  if (cilk_rt_sync(c) != CILK_CONTINUE) return;
synched:
  EXPECT(cilk_rt_synched(c));
  cilk_rt_abort(c);                       /* nothing is out: no effect */
  c->entry = 3;
  t = push(c);
  r = 7;
  SLOW_POP(t, r);
  f->again += r;
last:
  c->entry = 4;
  if (cilk_rt_sync(c) != CILK_CONTINUE) return;
done:
  EXPECT(f->again == 7);
  f->value = f->found;
  cilk_rt_return(c, &f->value, sizeof f->value);
}

static void thunk(void *args, void *result) {
  *(int *)result = fast(((unsigned *)args)[0], (int)((unsigned *)args)[1]);
}
static const cilk_root root = {thunk, "search", 2 * sizeof(unsigned), sizeof(int)};

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  int depth = argc > 1 ? atoi(argv[1]) : 4, times = argc > 2 ? atoi(argv[2]) : 10;
  size_t half = 0;
  for (int i = 0; i < times; i++) {
    unsigned args[2] = {(unsigned)i % 50, (unsigned)depth};
    int r = -2;
    modulus = i % 3 ? 97 : 5000;          /* many solutions, or hardly any */
    cilk_rt_call_root(ctx, &root, args, &r);
    EXPECT((r >= 0) == (serial(args[0], depth) >= 0));
    EXPECT(r == -1 || is_target((unsigned)r));
    if (i == times / 2) half = cilk_pool_bytes();
  }
  EXPECT(times < 200 || cilk_pool_bytes() <= half + half / 4 + 100000);
  Cilk_terminate(ctx);
  printf("ok\n");
  return 0;
}
