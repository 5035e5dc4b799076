/* tree: a procedure with residents (array, accumulator), return records (receiver address, extra inlet argument),
 * `op=`, an inlet, a struct result; Cilk_alloca, syncs in the middle, and nested roots; against the same recursion
 * without Cilk. */
#include "clones.h"

typedef struct {
  long v, check;
  int depth;
} res;
typedef struct {
  cilk_closure h;
  unsigned s;
  int d, i, phase;
  long acc, a[4];
  char *block;
  res value;
  struct {
    long *to;
  } rec_a;             /* return record of the spawn in phase 0 */
  struct {
    int weight;
  } rec_in;          /* of the inlet call in phase 2 */
} frame;

static void slow(cilk_worker *w, cilk_closure *c);
static void check(const res *r, int d) { EXPECT(r->check == ~r->v && r->depth == d); }
static void inlet_add(frame *f, const res *r, int weight) {
  check(r, f->d - 1);
  f->acc += r->v * weight;
}
static void deliver_a(cilk_closure *p, void *record, void *r) {
  check(r, ((frame *)p)->d - 1);
  **(long **)record = ((res *)r)->v;
}
static void deliver_acc(cilk_closure *p, void *record, void *r) {
  (void)record;
  check(r, ((frame *)p)->d - 1);
  ((frame *)p)->acc += ((res *)r)->v;
}
static void deliver_in(cilk_closure *p, void *record, void *r) { inlet_add((frame *)p, r, *(int *)record); }
static const cilk_entry entries[] = {
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {deliver_a, offsetof(frame, rec_a), sizeof(long *), sizeof(res), 0, 0, NULL, NULL},
    {deliver_acc, 0, 0, sizeof(res), 0, 0, NULL, NULL},
    {deliver_in, offsetof(frame, rec_in), sizeof(int), sizeof(res), CILK_ENTRY_INLET, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {NULL, 0, 0, 0, 0, 0, NULL, NULL},
};
enum { SIZE = (sizeof(frame) + 15) / 16 * 16 };
static const cilk_sig sig = {CILK_ABI_VERSION, CILK_SIG_BLOCKS, slow, "node", "tree.c", SIZE, 6, entries, NULL, 0, 0};

static res fast(unsigned s, int d);
static void thunk(void *args, void *result) {
  *(res *)result = fast(((unsigned *)args)[0], (int)((unsigned *)args)[1]);
}
static const cilk_root root = {thunk, "node", 2 * sizeof(unsigned), sizeof(res)};

static unsigned hash(unsigned s, unsigned i) {
  s = (s ^ i * 2654435761u) * 2246822519u;
  return s ^ s >> 15;
}
static int children(unsigned s) { return 1 + (int)(s % 3); }
static const res none;

static res leaf(unsigned s, int d) { return (res){s % 1000, ~(long)(s % 1000), d}; }

static res serial(unsigned s, int d) {
  long acc = 0, a[4] = {0};
  if (d == 0) return leaf(s, d);
  int k = children(s);
  for (int i = 0; i < k; i++) a[i] = serial(hash(s, (unsigned)i), d - 1).v;
  for (int i = 0; i < k; i++) acc += serial(hash(s, (unsigned)i + 7), d - 1).v;
  for (int i = 0; i < k; i++) acc += serial(hash(s, (unsigned)i + 17), d - 1).v * (i + 1);
  for (int i = 0; i < k; i++) acc += a[i];
  if (s % 7 == 0 && d <= 2) acc += serial(s + 1, d - 1).v;
  acc &= 0xffffff;
  return (res){acc, ~acc, d};
}

/* What both clones do between the spawns. */
static void begin(frame *f, unsigned s, int d) {
  f->h.blocks = NULL;
  f->s = s;
  f->d = d;
  f->acc = 0;
  memset(f->a, 0, sizeof f->a);
  f->block = cilk_rt_alloca(&f->h, 40 + s % 60, s % 2 ? 64 : 16);
  memset(f->block, (int)(s & 127), 40);
  void *mark = f->h.blocks;               /* a VLA in an inner block */
  char *inner = cilk_rt_vla(&f->h, s % 3 * 8, 16, 0);
  EXPECT((((unsigned long)inner) & 15) == 0);
  cilk_rt_vla_reset(&f->h, mark);
}

static void end(frame *f) {
  for (int i = 0; i < 40; i++) EXPECT(f->block[i] == (char)(f->s & 127));
  for (int i = 0; i < children(f->s); i++) f->acc += f->a[i];
  if (f->s % 7 == 0 && f->d <= 2) {
    unsigned args[2] = {f->s + 1, (unsigned)f->d - 1};
    res r;
    cilk_rt_call_root(NULL, &root, args, &r);
    check(&r, f->d - 1);
    f->acc += r.v;
  }
  f->acc &= 0xffffff;
  f->value = (res){f->acc, ~f->acc, f->d};
}

#define SALT(phase) ((unsigned)((phase) == 0 ? 0 : (phase) == 1 ? 7 : 17))

static res fast(unsigned s, int d) {
  if (d == 0) return leaf(s, d);
  frame *f = (frame *)take_closure(&sig, SIZE);
  res r;
  begin(f, s, d);
  int k = children(s);
#ifdef LAZY
  if (flagged()) switch (cilk_rt_release(CILK_AT_SPAWN)) {
      case CILK_CONTINUE: break;
      case CILK_INITIATE: cilk_rt_release_frame(&sig, &f->h, 0); return none;
      default: cilk_rt_closure_free(&f->h); return none;
    }
#endif
  for (int phase = 0; phase < 3; phase++)
    for (int i = 0; i < k; i++) {
      f->rec_a.to = &f->a[i];
      f->rec_in.weight = i + 1;
      f->i = i;
      f->phase = phase;
#ifdef LAZY
      r = fast(hash(s, (unsigned)i + SALT(phase)), d - 1);
      int verdict = flagged() ? cilk_rt_release(CILK_AFTER_CALL) : CILK_CONTINUE;
      if (verdict == CILK_PROPAGATE) {
        cilk_rt_release_frame(&sig, &f->h, 1 + (unsigned)phase);
        return none;
      }
      if (verdict == CILK_UNWIND) {
        cilk_rt_closure_free(&f->h);
        return none;
      }
#else
      f->h.entry = 1 + (unsigned)phase;
      cilk_closure **t = push(&f->h);
      r = fast(hash(s, (unsigned)i + SALT(phase)), d - 1);
      FAST_POP(t, r, none);
#endif
      check(&r, d - 1);
      if (phase == 0) f->a[i] = r.v;
      else if (phase == 1) f->acc += r.v;
      else inlet_add(f, &r, i + 1);
#ifdef LAZY
      if (verdict == CILK_INITIATE) {
        cilk_rt_release_frame(&sig, &f->h, 1 + (unsigned)phase);
        return none;
      }
#endif
    }
  end(f);
#ifdef LAZY
  /* The nested root may have raised the flag; what it finds is for the next test of a caller. */
#endif
  r = f->value;
  give_closure(&f->h, SIZE);
  return r;
}

static void slow(cilk_worker *w, cilk_closure *c) {
  frame *f = (frame *)c;
  res r;
  (void)w;
  switch (c->entry) {
    case 0: f->i = f->phase = 0; break;
    case 1:
    case 2:
    case 3: f->i++; break;
    case 4: goto synched;
    case 5: goto done;
  }
  for (;;) {
    for (; f->i < children(f->s); f->i++) {
      f->rec_a.to = &f->a[f->i];
      f->rec_in.weight = f->i + 1;
      c->entry = 1 + (unsigned)f->phase;
      unsigned child = hash(f->s, (unsigned)f->i + SALT(f->phase));
      int below = f->d - 1; /* all arguments before the push: then the closure may be another worker's */
      cilk_closure **t = push(c);
      r = fast(child, below);
      SLOW_POP(t, r);
      check(&r, f->d - 1);
      if (f->phase == 0) f->a[f->i] = r.v;
      else if (f->phase == 1) f->acc += r.v;
      else inlet_add(f, &r, f->i + 1);
    }
    if (f->phase == 0) {
      c->entry = 4;
      if (cilk_rt_sync(c) != CILK_CONTINUE) return;
    synched:
      EXPECT(cilk_rt_synched(c) == 1);
    }
    f->i = 0;
    if (++f->phase == 3) break;
  }
  c->entry = 5;
  if (cilk_rt_sync(c) != CILK_CONTINUE) return;
done:
  end(f);
  cilk_rt_return(c, &f->value, sizeof f->value);
}

int main(int argc, char **argv) {
  struct CilkContext *ctx = Cilk_init(&argc, argv);
  EXPECT(ctx);
  int depth = argc > 1 ? atoi(argv[1]) : 4, times = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = 0; i < times; i++) {
    unsigned args[2] = {hash(17, (unsigned)i), (unsigned)depth};
    res r;
    cilk_rt_call_root(ctx, &root, args, &r);
    check(&r, depth);
    EXPECT(r.v == serial(args[0], depth).v);
  }
  Cilk_terminate(ctx);
  printf("ok\n");
  return 0;
}
