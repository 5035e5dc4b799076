/* What the runtime's schedulers do with fibers, asked as a worker's loop asks them: which worker gets which fiber (sched). */
#include "stage.h"

#include "rt/core/fibers/custody.h"

enum { DEPTH = 70 }; /* more than `levels` has lists */

static const Cilk_scheduler *sched;
static void *self_of;

static long ready_order(void *f, void *b, long why) {
  (void)b;
  sched->ready(self_of, cilk_me(), f, (Cilk_why)why);
  return 0;
}
static long next_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return (long)sched->next(self_of, cilk_me());
}
static long find_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return (long)sched->find(self_of, cilk_me());
}
static void begin(const Cilk_scheduler *s) {
  const char *error = NULL;
  sched = s;
  EXPECT((self_of = s->create(WORKERS, "", &error)) && !error);
}
static void ready(int i, frame *f, Cilk_why why) { on(i, ready_order, f, NULL, (long)why); }
static frame *next(int i) { return (frame *)on(i, next_order, NULL, NULL, 0); }
static frame *find(int i) { return (frame *)on(i, find_order, NULL, NULL, 0); }

extern const Cilk_scheduler cilk_sched_levels, cilk_sched_lastvictim;

/* Each is the child of the one before. */
static frame *below[DEPTH];
static void a_chain(void) {
  below[0] = full(&run.link, 1, CILK_READY);
  for (int i = 1; i < DEPTH; i++) below[i] = full(child_of(below[i - 1], 1, i), 1, CILK_READY);
}

SCENARIO(by_level_the_owner_runs_the_deepest_and_thieves_get_the_shallowest) {
  begin(&cilk_sched_levels);
  a_chain();
  ready(1, below[5], CILK_WHY_RELEASED);
  ready(1, below[2], CILK_WHY_RELEASED);
  ready(1, below[9], CILK_WHY_RELEASED);
  ready(1, below[7], CILK_WHY_RELEASED);
  EXPECT(next(1) == below[9]);
  EXPECT(find(2) == below[2]);
  EXPECT(next(1) == below[7] && next(1) == below[5] && !next(1) && !find(2));
  sched->destroy(self_of);
}

SCENARIO(levels_that_are_too_deep_share_the_last) {
  begin(&cilk_sched_levels);
  a_chain();
  ready(1, below[DEPTH - 1], CILK_WHY_RELEASED);
  ready(1, below[DEPTH - 2], CILK_WHY_RELEASED);
  ready(1, below[1], CILK_WHY_RELEASED);
  EXPECT(next(2) == NULL); /* the next list of the array is no part of this list */
  EXPECT(find(2) == below[1]);
  EXPECT(next(1) == below[DEPTH - 2] && next(1) == below[DEPTH - 1] && !next(1));
  EXPECT(Cilk_fiber_level(&below[DEPTH - 1]->h, 5) == 5 && Cilk_fiber_level(&below[3]->h, 5) == 3 &&
         Cilk_fiber_level(&below[3]->h, 0) == 0);
  sched->destroy(self_of);
}

/* Workers 2 and 3 have two entries each; the first theft finds nothing at the first victim. */
SCENARIO(a_thief_goes_back_to_its_last_victim) {
  frame *f[2][2];
  begin(&cilk_sched_lastvictim);
  for (int k = 0; k < 2; k++)
    push(3, f[1][k] = full(child_of(full(&run.link, 3, CILK_SUSPENDED), 3, k), 3, CILK_READY), 1);
  EXPECT(find(1) == f[1][0]);
  for (int k = 0; k < 2; k++)
    push(2, f[0][k] = full(child_of(full(&run.link, 2, CILK_SUSPENDED), 2, k), 2, CILK_READY), 1);
  EXPECT(find(1) == f[1][1]); /* not worker 2, where it looked first in the beginning */
  EXPECT(find(1) == f[0][0] && find(1) == f[0][1] && !find(1));
  sched->destroy(self_of);
}

/* ---- a queue of <cilk-sched.h> ---- */

static Cilk_queue queue;
static void put(frame *f) { Cilk_queue_put(&queue, &f->h); }
static long queue_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return (long)Cilk_queue_get(&queue, cilk_me());
}
static frame *get(int i) { return (frame *)on(i, queue_order, NULL, NULL, 0); }
/* Worker 1 waits for a nested root, and takes a fiber of that from the end of the queue. */
SCENARIO(what_comes_after_a_last_fiber_that_was_taken_first_is_not_lost) {
  static cilk_root_run nested;
  nested.ctx = &ctx;
  nested.team = &ctx.team;
  nested.outer = &run;
  nested.link.root = &nested;
  queue = (Cilk_queue){0};
  frame *oldest = full(&run.link, 0, CILK_READY), *of_the_nested = full(&nested.link, 0, CILK_READY);
  frame *youngest = full(&run.link, 0, CILK_READY);
  put(oldest);
  put(of_the_nested);
  actors[1].x->wait.root = &nested;
  EXPECT(get(1) == of_the_nested && !get(1));
  actors[1].x->wait.root = NULL;
  put(youngest);
  EXPECT(get(1) == oldest && get(1) == youngest && !get(1));
}

/* A thief asks all workers from some of them on. Those that sleep have nothing, and hide no other worker. */
static long steal_any_order(void *a, void *b, long from) {
  (void)a;
  (void)b;
  return (long)Cilk_steal_any(cilk_me(), (int)from);
}
SCENARIO(a_sleeper_hides_no_worker_from_a_thief) {
  enum { MANY = 66 };
  static cilk_worker *many[MANY];
  for (int i = 0; i < MANY; i++) many[i] = workers[3]; /* has nothing */
  many[MANY - 2] = workers[2];
  many[MANY - 1] = workers[1];
  static const struct {
    uint64_t parked;
    int vprocs, from;
  } cases[] = {{UINT64_MAX, MANY, 0}, {UINT64_MAX, MANY, 10}, {UINT64_MAX, MANY, MANY - 1}, {1u, WORKERS, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    ctx.workers = cases[i].vprocs == MANY ? many : workers;
    ctx.team.vprocs = ctx.nproc = cases[i].vprocs;
    ctx.parked[0] = cases[i].parked;
    frame *f = full(&run.link, 2, CILK_READY);
    push(2, f, 1);
    EXPECT((frame *)on(1, steal_any_order, NULL, NULL, cases[i].from) == f);
    cilk_custody_out(&f->h);
  }
  ctx.workers = workers;
  ctx.team.vprocs = ctx.nproc = WORKERS;
  ctx.parked[0] = 0;
}

/* ---- READY closures on a deque ---- */

static long push_ready_order(void *f, void *b, long n) {
  cilk_closure *one[] = {f};
  (void)b;
  (void)n;
  cilk_deque_push_ready(cilk_me(), one, 1);
  return 0;
}
static long pop_ready_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return (long)cilk_deque_pop_ready(cilk_me(), actors[1].x->own.deque);
}
/* H is above T when thieves have taken all. What comes next is there for its owner, and for thieves. */
SCENARIO(a_deque_that_was_stolen_empty_is_used_again) {
  frame *f[5];
  for (int i = 0; i < 5; i++) f[i] = full(&run.link, 1, CILK_READY);
  on(1, push_ready_order, f[0], NULL, 0);
  on(1, push_ready_order, f[1], NULL, 0);
  EXPECT(take(2, 1) == f[0] && take(2, 1) == f[1]);
  EXPECT(!on(1, pop_ready_order, NULL, NULL, 0) && !raised(1));
  on(1, push_ready_order, f[2], NULL, 0);
  on(1, push_ready_order, f[3], NULL, 0);
  on(1, push_ready_order, f[4], NULL, 0);
  EXPECT(steal(2, 1) == f[2]);
  EXPECT((frame *)on(1, pop_ready_order, NULL, NULL, 0) == f[4]);
  EXPECT((frame *)on(1, pop_ready_order, NULL, NULL, 0) == f[3]);
  EXPECT(!on(1, pop_ready_order, NULL, NULL, 0));
}

/* ---- pools ---- */

enum { PIECE = CILK_FREE_CLASSES * CILK_FREE_UNIT, SOME = 5 };
static long alloc_order(void *list, void *b, long n) {
  (void)b;
  for (long i = 0; i < n; i++) ((void **)list)[i] = cilk_pool_alloc(PIECE);
  return 0;
}
static long free_order(void *list, void *b, long n) {
  (void)b;
  for (long i = 0; i < n; i++) cilk_pool_free(((void **)list)[i], PIECE);
  return 0;
}
static long drain_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_pool_drain(cilk_me());
  return 0;
}
/* Worker 1 keeps what it frees until it is a bundle, then gives it away; what it keeps it uses again. A worker that
 * ends gives away all. */
SCENARIO(no_piece_of_a_pool_is_lost) {
  static void *a[2 * CILK_ALLOC_BATCH], *b[2 * CILK_ALLOC_BATCH];
  enum { CLASS = CILK_FREE_CLASSES - 1 };
  on(1, alloc_order, a, NULL, 2 * CILK_ALLOC_BATCH);
  on(1, drain_order, NULL, NULL, 0);
  size_t bytes = cilk_pool_bytes();
  const cilk_worker_ext *x = actors[1].x;
  on(1, free_order, a, NULL, CILK_ALLOC_BATCH - 1);
  EXPECT(x->freed.list[CLASS] && x->freed.count[CLASS] == CILK_ALLOC_BATCH - 1);
  on(1, free_order, a + CILK_ALLOC_BATCH - 1, NULL, 1);
  EXPECT(!x->freed.list[CLASS] && x->freed.count[CLASS] == 0);
  on(1, free_order, a + CILK_ALLOC_BATCH, NULL, SOME);
  EXPECT(x->freed.list[CLASS] && x->freed.count[CLASS] == SOME);
  on(2, alloc_order, b, NULL, CILK_ALLOC_BATCH);
  EXPECT(cilk_pool_bytes() == bytes); /* the bundle */
  on(1, alloc_order, b + CILK_ALLOC_BATCH, NULL, SOME);
  EXPECT(cilk_pool_bytes() == bytes && !x->freed.list[CLASS] && x->freed.count[CLASS] == 0);
  on(1, free_order, b + CILK_ALLOC_BATCH, NULL, SOME);
  on(1, drain_order, NULL, NULL, 0);
  EXPECT(!x->freed.list[CLASS] && x->freed.count[CLASS] == 0);
  on(2, alloc_order, b + CILK_ALLOC_BATCH, NULL, SOME);
  EXPECT(cilk_pool_bytes() == bytes);
}

/* ---- pools at a fork ---- */

/* A signal handler that forks has interrupted worker 1, which gives a bundle to its pool. Worker 2 gives one, too,
 * afterwards: it waits for the lock, if worker 1 has it. No bundle is lost. */
enum { CLASS_BYTES = CILK_FREE_CLASSES * CILK_FREE_UNIT, BUNDLE = CILK_ALLOC_BATCH };
static void *pieces[2][BUNDLE];
static size_t slabs_then;
static long get_order(void *list, void *b, long n) {
  (void)b;
  for (long i = 0; i < n; i++) ((void **)list)[i] = cilk_pool_alloc(CLASS_BYTES);
  return 0;
}
static long put_order(void *list, void *b, long n) {
  (void)b;
  for (long i = 0; i < n; i++) cilk_pool_free(((void **)list)[i], CLASS_BYTES);
  return 0;
}
static void bundles_set(void) {
  for (int i = 0; i < 2; i++) on(i + 1, get_order, pieces[i], NULL, BUNDLE);
  slabs_then = cilk_pool_bytes();
  for (int i = 0; i < 2; i++) on(i + 1, put_order, pieces[i], NULL, BUNDLE - 1);
  first(put_order, &pieces[0][BUNDLE - 1], NULL, 1);
}
static void a_handler_forks(void) {
  cilk_pool_hold();
  cilk_pool_let_go();
  meanwhile(other_worker = 2, put_order, &pieces[1][BUNDLE - 1], NULL, 1);
}
static void both_bundles_are_there(void) {
  static void *all[2 * BUNDLE];
  on(3, get_order, all, NULL, 2 * BUNDLE);
  EXPECT(cilk_pool_bytes() == slabs_then);
  on(3, put_order, all, NULL, 2 * BUNDLE);
}
SCENARIO(a_fork_leaves_a_pool_to_the_worker_interrupted_in_it) {
  sweep(1, bundles_set, a_handler_forks, both_bundles_are_there);
}

#ifdef CILK_DEBUG
enum { CHECKED = true };
#else
enum { CHECKED = false };
#endif

static long give_back_order(void *f, void *b, long how) {
  (void)b;
  switch (how) {
    case 0: Cilk_deque_put(cilk_me(), f); break;
    case 1: Cilk_run_next(cilk_me(), f); break;
    case 2: Cilk_post(cilk_me(), 1, f); break;
    default: Cilk_keep(cilk_me(), f, (Cilk_why)(how - 3));
  }
  return 0;
}
/* The checked build has a table of what schedulers keep. */
SCENARIO(what_is_given_back_is_not_in_a_schedulers_keeping) {
  for (long how = 0; how < 3 + CILK_WHY_STARTED + 1; how++) {
    frame *f = full(&run.link, 0, CILK_READY);
    cilk_custody_in(&ctx.team, &f->h, CILK_WHY_RELEASED);
    EXPECT(cilk_custody_out(&f->h)); /* it was */
    cilk_custody_in(&ctx.team, &f->h, CILK_WHY_RELEASED);
    on(0, give_back_order, f, NULL, how);
    EXPECT(cilk_custody_out(&f->h) != CHECKED);
    actors[0].x->next = NULL;
  }
}

static long arrived_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return (long)cilk_next(cilk_me());
}
SCENARIO(all_that_was_posted_since_the_last_look_arrives) {
  frame *posted[3];
  uint32_t seen = 0;
  for (int i = 0; i < 3; i++) {
    posted[i] = full(&run.link, 0, CILK_READY);
    cilk_custody_in(&ctx.team, &posted[i]->h, CILK_WHY_RELEASED);
    on(0, give_back_order, posted[i], NULL, 2);
  }
  for (int i = 0; i < 3; i++) {
    cilk_closure *c = (cilk_closure *)on(1, arrived_order, NULL, NULL, 0);
    for (int k = 0; k < 3; k++) seen |= (uint32_t)(c == &posted[k]->h) << k;
  }
  EXPECT(seen == 7);
}

/* What the gang gives to worker 1 is in a deliverer's hand at that moment. Worker 1 runs nothing then, so the step is
 * over. */
static long look_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return (long)cilk_look(cilk_me());
}
extern const Cilk_scheduler cilk_sched_gang;
/* The runtime gives it to the scheduler of ctx, and notes that in the checked build. */
static long given_order(void *f, void *b, long why) {
  (void)b;
  cilk_ready_quietly(cilk_me(), f, (Cilk_why)why);
  return 0;
}
SCENARIO(what_a_deliverer_has_is_no_last_look) {
  begin(&cilk_sched_gang);
  const cilk_team was = ctx.team;
  ctx.team.sched = sched;
  ctx.team.self = self_of;
  frame *in_hand = full(&run.link, 0, CILK_DELIVERING), *of_the_next_step = full(&run.link, 0, CILK_READY);
  on(0, given_order, in_hand, NULL, CILK_WHY_RELEASED);
  on(0, given_order, of_the_next_step, NULL, CILK_WHY_RESUMED);
  EXPECT((frame *)on(1, look_order, NULL, NULL, 0) == of_the_next_step);
  EXPECT(state(in_hand) == CILK_HANDED && state(of_the_next_step) == CILK_TAKEN);
  EXPECT(on(1, look_order, NULL, NULL, 0) == 0);
  ctx.team = was;
  sched->destroy(self_of);
}

static Cilk_fiber *handed_on;
static Cilk_fiber *find_handed_on(void *of, Cilk_vproc *vp) {
  (void)of;
  (void)vp;
  Cilk_fiber *f = handed_on;
  handed_on = NULL;
  return f;
}
SCENARIO(what_one_vproc_has_stolen_another_one_runs) {
  static const Cilk_scheduler hands_on = {.version = CILK_SCHED_VERSION, .name = "hands on", .find = find_handed_on};
  const cilk_team was = ctx.team;
  frame *f = full(&run.link, 1, CILK_READY);
  ctx.team.sched = &hands_on;
  push(1, f, 1);
  handed_on = (Cilk_fiber *)on(2, steal_any_order, NULL, NULL, 0);
  EXPECT(handed_on == &f->h && state(f) == CILK_TAKEN && f->h.worker == workers[2]);
  EXPECT((frame *)on(3, look_order, NULL, NULL, 0) == f);
  EXPECT(state(f) == CILK_TAKEN && f->h.worker == workers[3] && !f->h.lock);
  ctx.team = was;
}
