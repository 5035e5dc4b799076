/* play.h - vprocs and fibers for a scheduler alone: all that it calls of <cilk-sched.h>, as simple as can be. The test,
 * which includes this, plays the vprocs.
 *
 *   PROGRAM NAME    plays that test: status 0, or 1 and what was otherwise;   without arguments: their names
 *
 * A fiber is a record on the heap, which a test frees or not; a vproc has a clock, which only the test moves. What a
 * thief finds, and what happens while it looks at all others, is set by `stealable` and `meanwhile`; the deque of one
 * victim is a list. */
#include <cilk-sched.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000ull
#define SLICE (10 * MS)
#define MANY (~0ull)

typedef struct cilk_closure {
  struct cilk_closure *next;
  Cilk_share *share;
  /* what it has still to run for; how long after the end of a slice it comes to a safe point */
  uint64_t left, late;
  unsigned only; /* vprocs that may run it, a bit for each; 0: all */
  int level;
} fiber;

typedef struct cilk_worker {
  int id, waits;
  fiber *deque; /* the fibers on it, youngest first */
  uint64_t clock;
  fiber *runs;
} vproc;

enum { VPROCS = 4 };
static vproc at[VPROCS];
static int vprocs, taken, called; /* taken: the lock; called: how often others were notified of work */
static fiber *stealable;
static uint64_t by_chance;
static void (*meanwhile)(void);
static int tried[VPROCS], n_tried; /* victims of Cilk_steal */
static const Cilk_scheduler *sched;
static void *self;

static void fail(const char *what, double is, double expected) {
  fprintf(stderr, "%s: %g, expected %g\n", what, is, expected);
  exit(1);
}
#define EXPECT(a, op, b) \
  do { \
    double is_ = (double)(a), other_ = (double)(b); \
    if (!(is_ op other_)) fail(#a " " #op " " #b, is_, other_); \
  } while (0)

/* ---- what schedulers call */
int Cilk_vproc_id(const Cilk_vproc *vp) { return vp->id; }
int Cilk_vprocs(const Cilk_vproc *vp) { return vprocs; }
uint64_t Cilk_vproc_time(Cilk_vproc *vp) { return vp->clock; }
uint64_t Cilk_random(Cilk_vproc *vp, uint64_t n) { return by_chance % n; }
int Cilk_waits(const Cilk_vproc *vp) { return vp->waits; }
void Cilk_call_vprocs(Cilk_vproc *vp) { called++; }
Cilk_fiber **Cilk_fiber_link(Cilk_fiber *f) { return &f->next; }
int Cilk_may_run(const Cilk_vproc *vp, const Cilk_fiber *f) { return !f->only || f->only >> vp->id & 1; }
Cilk_share *Cilk_share_of(const Cilk_fiber *f) { return f->share; }
int Cilk_fiber_level(const Cilk_fiber *f, int most) { return f->level < most ? f->level : most; }
Cilk_answer Cilk_answer_hunger(Cilk_vproc *vp, Cilk_point p) { return CILK_STAY; }
uint64_t Cilk_parse_time(const char *text, const char **error) { return SLICE; }

Cilk_fiber *Cilk_deque_get(Cilk_vproc *vp) {
  fiber *f = vp->deque;
  if (f) vp->deque = f->next;
  return f;
}

Cilk_fiber *Cilk_steal(Cilk_vproc *vp, int victim) {
  fiber **f = &at[victim].deque;
  tried[n_tried++ % VPROCS] = victim;
  if (victim == vp->id || !*f) return NULL;
  while ((*f)->next) f = &(*f)->next;
  fiber *oldest = *f;
  *f = NULL;
  return oldest;
}

Cilk_fiber *Cilk_steal_any(Cilk_vproc *vp, int first) {
  fiber *f = stealable;
  void (*then)(void) = meanwhile;
  stealable = NULL;
  meanwhile = NULL;
  if (then) then();
  return f;
}

void Cilk_lock_take(Cilk_lock_word *lock) {
  EXPECT(taken, ==, 0);
  taken = 1;
}

void Cilk_lock_release(Cilk_lock_word *lock) {
  EXPECT(taken, ==, 1);
  taken = 0;
}

void Cilk_queue_put(Cilk_queue *q, Cilk_fiber *f) {
  f->next = NULL;
  *(q->first ? &q->last->next : &q->first) = f;
  q->last = f;
  q->count++;
}

Cilk_fiber *Cilk_queue_get(Cilk_queue *q, Cilk_vproc *vp) {
  fiber *before = NULL, *f = q->first;
  while (f && !Cilk_may_run(vp, f)) before = f, f = f->next;
  if (f) {
    *(before ? &before->next : &q->first) = f->next;
    q->last = q->last == f ? before : q->last;
    q->count--;
  }
  return f;
}

/* ---- what tests call */
static void machine(const Cilk_scheduler *s, int n) {
  const char *error = NULL;
  for (int i = 0; i < n; i++) at[i].id = i;
  vprocs = n;
  sched = s;
  self = s->create(n, "", &error);
  EXPECT(self != NULL, ==, 1);
}

static fiber *new_fiber(Cilk_share *share, uint64_t left) {
  fiber *f = calloc(1, sizeof *f);
  f->share = share;
  f->left = left;
  return f;
}

static fiber *ready(vproc *vp, Cilk_share *share, uint64_t left, Cilk_why why) {
  fiber *f = new_fiber(share, left);
  sched->ready(self, vp, f, why);
  return f;
}

static fiber *on_deque(vproc *vp) {
  fiber *f = new_fiber(NULL, MANY);
  f->next = vp->deque;
  return vp->deque = f;
}

#define TEST(name) static void name(void)
typedef struct {
  const char *name;
  void (*play)(void);
} row;
#define ROW(name) {#name, name},
#define PLAY(ALL) \
  int main(int argc, char **argv) { \
    static const row all[] = {ALL(ROW)}; \
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) \
      if (argc < 2) puts(all[i].name); \
      else if (strcmp(argv[1], all[i].name) == 0) { \
        all[i].play(); \
        return 0; \
      } \
    return argc < 2 ? 0 : 2; \
  }
