/* tangle: random threads. Results go through continuations as arguments, through memory (so that their owner needs a
 * message), by tail calls; calls are placed on workers, with all their arguments or without; computations of their own are
 * called from threads.   tangle [depth [seeds]] */
#include "threads.h"

typedef unsigned long long u64;
static u64 mix(u64 x) {
  x ^= x >> 31;
  x *= 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9ull;
  return x ^ x >> 32;
}
enum { MOST = 4 };
static int children_of(u64 seed, int depth) { return depth == 0 ? 0 : (int)(mix(seed ^ 1) % (MOST + 1)); }
static u64 child_seed(u64 seed, int i) { return mix(seed + 77 * (u64)i + 5); }
static u64 leaf_value(u64 seed) { return mix(seed ^ 0xABCD); }
static u64 combined(u64 seed, const u64 *x, int n) {
  u64 r = mix(seed ^ 99);
  for (int i = 0; i < n; i++) r = mix(r ^ x[i] * (u64)(2 * i + 1));
  return r;
}

static u64 serial(u64 seed, int depth) {
  int n = children_of(seed, depth);
  u64 x[MOST];
  if (n == 0) return leaf_value(seed);
  for (int i = 0; i < n; i++) x[i] = serial(child_seed(seed, i), depth - 1);
  return combined(seed, x, n);
}

struct join_args {
  cilk_cont k;
  u64 seed;
  int n;
  u64 x[MOST];
};
static void join_run(cilk_worker *w, cilk1_closure *c) {
  struct join_args a = *ARGS(join, c);
  SEND8(a.k, combined(a.seed, a.x, a.n));
}
static const cilk1_slot join_slots[] = {CONT_ROW(join, 0, k), ROW(join, 1, seed), ROW(join, 2, n), ROW(join, 3, x)};
THREAD(join);

struct node_args {
  cilk_cont k;
  u64 seed;
  int depth;
};
static void node_run(cilk_worker *w, cilk1_closure *c);
static const cilk1_slot node_slots[] = {CONT_ROW(node, 0, k), ROW(node, 1, seed), ROW(node, 2, depth)};
THREAD(node);

/* The same, its continuation in memory. */
struct hidden_args {
  cilk_cont *k;
  u64 seed;
  int depth;
};
static void hidden_run(cilk_worker *w, cilk1_closure *c);
static const cilk1_slot hidden_slots[] = {ROW(hidden, 0, k), ROW(hidden, 1, seed), ROW(hidden, 2, depth)};
THREAD(hidden);

static u64 whole(u64 seed, int depth);

static void node_body(cilk_worker *w, cilk_cont k, u64 seed, int depth) {
  int n = children_of(seed, depth);
  if (n == 0) {
    SEND8(k, leaf_value(seed));
    return;
  }
  if (depth == 2 && mix(seed ^ 3) % 16 == 0) {   /* a computation of its own, waited for */
    SEND8(k, whole(seed, depth));
    return;
  }
  cilk1_closure *j = mix(seed ^ 4) % 2 ? SPAWN(&join, SLOTS(join, x, n)) : SPAWN_NEXT(&join, SLOTS(join, x, n));
  ARGS(join, j)->k = k;
  ARGS(join, j)->seed = seed;
  ARGS(join, j)->n = n;
  if (mix(seed ^ 5) % 8 == 0) cilk1_place(w, j, (int)(seed % 7));
  for (int i = 0; i < n; i++) {
    cilk_cont x = cilk1_cont(j, SLOT(join, x) + 8 * (uint32_t)i);
    u64 s = child_seed(seed, i), how = mix(s ^ 6) % 8;
    if (i == n - 1 && how < 4) {
      cilk1_tail(w);
      node_body(w, x, s, depth - 1);
      return;
    }
    if (how == 7) {
      cilk1_closure *c = SPAWN(&hidden, 0);
      ARGS(hidden, c)->k = malloc(sizeof x);
      *ARGS(hidden, c)->k = x;
      ARGS(hidden, c)->seed = s;
      ARGS(hidden, c)->depth = depth - 1;
      READY(c);
      continue;
    }
    cilk1_closure *c = SPAWN(&node, 0);
    ARGS(node, c)->k = x;
    ARGS(node, c)->seed = s;
    ARGS(node, c)->depth = depth - 1;
    if (how == 6) cilk1_ready_on(w, c, (int)(s % 5));
    else READY(c);
  }
}

static void node_run(cilk_worker *w, cilk1_closure *c) {
  struct node_args a = *ARGS(node, c);
  node_body(w, a.k, a.seed, a.depth);
}

static void hidden_run(cilk_worker *w, cilk1_closure *c) {
  struct hidden_args a = *ARGS(hidden, c);
  cilk_cont k = *a.k;
  free(a.k);
  node_body(w, k, a.seed, a.depth);
}

struct call {
  u64 seed;
  int depth;
};
static void thunk(void *args, void *result) {
  (void)result;
  struct call call = *(struct call *)args;
  cilk_worker *w = cilk1_worker();
  cilk_cont k = cilk1_root(w, sizeof(u64));
  cilk1_closure *c = cilk1_first(w, &node);
  ARGS(node, c)->k = k;
  ARGS(node, c)->seed = call.seed;
  ARGS(node, c)->depth = call.depth;
  READY(c);
}
static const cilk_root root = {thunk, "tangle", sizeof(struct call), sizeof(u64)};

static u64 whole(u64 seed, int depth) {
  struct call call = {mix(seed), depth};
  u64 r = 0;
  cilk_rt_call_root(NULL, &root, &call, &r);
  EXPECT(r == serial(mix(seed), depth));
  return serial(seed, depth);
}

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  int depth = argc > 1 ? atoi(argv[1]) : 8, seeds = argc > 2 ? atoi(argv[2]) : 10;
  for (int i = 0; i < seeds; i++) {
    struct call call = {mix((u64)i + 1000), depth};
    u64 r = 0;
    call_root(ctx, &root, &call, &r);
    EXPECT(r == serial(call.seed, depth));
  }
  Cilk_terminate(ctx);
  puts("right");
  return 0;
}
