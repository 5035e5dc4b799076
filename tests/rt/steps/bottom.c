/* The bottom of a stack: a segment that begins inside one that unwinds, a thread that has called from C, a
 * computation's own segment; what an aborted procedure has queued, and a worker that hands on what it has when its loop
 * ends. */
#include "stage.h"
#include "rt/extensions/calls/start.h"
#include "rt/extensions/cilk1/cilk1.h"
#include "rt/core/data/link.h"

#include <fenv.h>

static cilk_segment s0, s1;
static frame *p;
static cilk_link *own;
static unsigned asked;

static long begin_segment(void *s, void *link, long n) {
  (void)n;
  cilk_segment_begin(cilk_me(), s, link, NULL);
  return 0;
}
static long end_segment(void *s, void *b, long n) {
  (void)b;
  (void)n;
  cilk_segment_end(cilk_me(), s);
  return 0;
}
static frame *suspended(void) { return full(&run.link, 3, CILK_SUSPENDED); }

/* ---- segments ---- */

/* Two frames of worker 1 were stolen and have been popped: H is above T. A delivery calls C there, and that spawns. */
SCENARIO(a_segment_inside_one_that_unwinds_owns_what_it_pushes) {
  stage_busy(2);
  on(1, begin_segment, &s0, child_of(suspended(), 1, 1), 0);
  push(1, attached(1), 1);
  push(1, attached(2), 1);
  EXPECT(take(2, 1) && take(2, 1) && pop(1, 5) == CILK_UNWIND && pop(1, 5) == CILK_UNWIND);
  EXPECT(load_relaxed(&actors[1].x->head) > load_relaxed(&workers[1]->tail));
  on(1, begin_segment, &s1, child_of(suspended(), 1, 3), 0);
  push(1, attached(3), 1);
  EXPECT(pop(1, 5) == CILK_CONTINUE);
  on(1, end_segment, &s1, NULL, 0);
  on(1, end_segment, &s0, NULL, 0);
}

/* ---- a thread that called from C ---- */

static long deliver_below_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_deliver_below(cilk_me());
  return 0;
}
/* p's slow clone has pushed and popped, and its thread calls a nested root. The place of that push still holds p. */
SCENARIO(what_waits_for_a_thread_that_called_from_c_waits_on) {
  stage_busy(2);
  frame *above = suspended();
  own = child_of(above, 1, 1);
  p = full(own, 1, CILK_RUNNING);
  cilk_segment_begin(workers[1], &s0, own, &p->h);
  push(1, p, 1);
  EXPECT(pop(1, 5) == CILK_CONTINUE);
  cilk_link *result = child_of(p, 2, 7);
  on(1, begin_segment, &s1, &run.link, 0);
  on(2, deliver_order, result, NULL, 8);
  EXPECT(p->h.pending && signalled(1));
  on(1, deliver_below_order, NULL, NULL, 0);
  EXPECT(state(p) == CILK_RUNNING && s0.full == &p->h && p->h.pending && deliveries == 0);
}

/* What a nested root finds, and what its caller finds again. */
static struct {
  const uint32_t *until;
  void *pool;
  cilk_closure *next;
  cilk_root_run *outer, *waiting, *called;
} inside;
static void look(void *args, void *result) {
  cilk_worker *w = cilk_me();
  (void)args;
  *(int *)result = 3;
  inside.until = w->ext->wait.until;
  inside.pool = w->pool;
  inside.next = w->ext->next;
  inside.outer = w->ext->wait.called->outer;
  inside.waiting = w->ext->wait.root;
  inside.called = w->ext->wait.called;
}
static const cilk_root looks = {look, "looks", 0, sizeof(int)};
static long call_order(void *a, void *pool, long n) {
  int result = 0;
  (void)n;
  cilk_me()->pool = pool;
  cilk_rt_call_root(NULL, &looks, a, &result);
  bool kept = cilk_me()->pool == pool;
  cilk_me()->pool = NULL;
  return kept ? result : -1;
}
static void calls_from_c(cilk1_pool *pool) {
  static uint32_t flag;
  stage_busy(1);
  frame *other = full(child_of(suspended(), 1, 1), 1, CILK_TAKEN);
  memset(&inside, 0xff, sizeof inside);
  on(1, begin_segment, &s0, child_of(suspended(), 1, 2), 0);
  actors[1].x->wait.until = &flag;
  actors[1].x->next = &other->h;
  actors[1].x->signal = 0;
  EXPECT(on(1, call_order, NULL, pool, 0) == 3);
  EXPECT(!inside.until && !inside.pool && !inside.next && inside.waiting == inside.called);
  EXPECT(actors[1].x->wait.until == &flag && actors[1].x->next == &other->h);
  EXPECT(!actors[1].x->wait.root && !actors[1].x->wait.called);
  EXPECT(actors[1].x->signal);            /* one that was for an outer segment may have been taken up there */
}
SCENARIO(a_call_from_c_is_a_world_of_its_own) {
  calls_from_c(NULL);
  EXPECT(inside.outer == &run);
}
static cilk_root_run of_threads;
SCENARIO(a_call_by_a_thread_of_cilk_1_is_within_its_computation) {
  static cilk1_pool pool;
  pool.root = &of_threads;
  calls_from_c(&pool);
  EXPECT(inside.outer == &of_threads);
}

/* The inlet of another computation's procedure runs on worker 1, and calls from C what calls from C again. */
static cilk_root_run *caller(void) {
  EXPECT(on(1, call_order, NULL, NULL, 0) == 3);
  return inside.outer;
}
SCENARIO(code_that_an_inlet_calls_has_its_own_root) {
  static cilk_root_run of_inlet, called;
  static cilk_link base = {.root = &called};
  cilk_worker_ext *x = actors[1].x;
  stage_busy(1);
  on(1, begin_segment, &s0, &run.link, 0);
  EXPECT(caller() == &run);
  x->wait.inlet = &of_inlet;
  x->wait.inlet_above = &s0;
  EXPECT(caller() == &of_inlet);
  on(1, begin_segment, &s1, &base, 0);
  EXPECT(caller() == &called);
  on(1, end_segment, &s1, NULL, 0);
  EXPECT(caller() == &of_inlet);
  on(1, end_segment, &s0, NULL, 0);
}

/* ---- a computation's bottom ---- */

/* Its closure is freed next: a worker that looks what is below the call must not find it. */
SCENARIO(a_procedure_that_has_ended_is_not_below_its_root) {
  stage_busy(1);
  run.nested = true;
  p = full(&run.link, 1, CILK_RETURNED);
  run.link.child = &p->h;
  on(1, deliver_order, &run.link, NULL, 8);
  EXPECT(run.done && root_value == 8 && !run.link.child);
}

static void unwinds(void *args, void *result) {
  (void)args;
  *(int *)result = 99;                    /* a dummy */
  store_seq_cst(&run.link.aborted, 1u);
  cilk_me()->ext->seg->unwinding = CILK_UNWIND_ABORT;
}
static long root_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_root_start(cilk_me(), &run);
  return 0;
}
SCENARIO(a_computation_that_unwinds_has_no_value) {
  static const cilk_root cancelled = {unwinds, "cancelled", 0, sizeof(int)};
  stage_busy(1);
  run.root = &cancelled;
  root_value = 0;
  on(0, root_order, NULL, NULL, 0);
  EXPECT(run.done && run.aborted && root_value == 0);
}

static void rounds_up(void *args, void *result) {
  (void)args;
  *(int *)result = fesetround(FE_UPWARD);
  errno = 77;
}
static long load_order(void *fp, void *b, long n) {
  (void)b;
  (void)n;
  cilk_fp_load(fp);
  return fegetround();
}
SCENARIO(a_computation_leaves_its_rounding_and_errno_to_its_caller) {
  static const cilk_root rounds = {rounds_up, "rounds", 0, sizeof(int)};
  stage_busy(1);
  run.root = &rounds;
  run.fp_after = run.fp;
  on(0, root_order, NULL, NULL, 0);
  EXPECT(run.done && run.error == 77 && on(1, load_order, &run.fp_after, NULL, 0) == FE_UPWARD);
}

static void note_end(void *n) { asked += *(unsigned *)n; }
static long on_end_order(void *m, void *n, long unused) {
  (void)unused;
  Cilk_on_end(m, note_end, n);
  return asked;
}
SCENARIO(a_note_of_an_end_that_has_come_is_called_at_once) {
  static cilk_computation m;
  static unsigned one = 1;
  stage_busy(1);
  m.run.ctx = &ctx;
  m.over = true;
  asked = 0;
  EXPECT(on(1, on_end_order, &m, &one, 0) == 1 && !m.ends);
  m.over = false;
  EXPECT(on(1, on_end_order, &m, &one, 0) == 1 && m.ends && m.ends->f == note_end && m.ends->argument == &one);
}

/* ---- what is queued for an aborted procedure ---- */

SCENARIO(an_aborted_procedure_drops_what_is_queued_for_it) {
  stage_busy(2);
  own = child_of(suspended(), 1, 1);
  p = full(own, 1, CILK_RUNNING);
  cilk_segment_begin(workers[1], &s0, own, &p->h);
  cilk_link *result = child_of(p, 2, 7);
  on(2, deliver_order, result, NULL, 8);
  EXPECT(p->h.pending);
  store_seq_cst(&own->aborted, 1u);
  EXPECT(on(1, sync_order, p, NULL, 0) == CILK_UNWIND && deliveries == 0 && !p->h.pending && p->h.join == 0);
}

/* ---- the end of a loop ---- */

/* A scheduler that keeps nothing: what is ready runs here, next. */
static void runs_next(void *self, Cilk_vproc *vp, Cilk_fiber *f, Cilk_why why) {
  (void)self;
  (void)why;
  EXPECT(++asked < 5);                    /* else it is handed on and comes back for ever */
  Cilk_run_next(vp, f);
}
SCENARIO(a_worker_whose_loop_ends_runs_nothing_next) {
  static uint32_t over = 1;
  static Cilk_scheduler scheduler;
  stage_busy(1);
  scheduler = cilk_sched_steal;
  scheduler.ready = runs_next;
  ctx.team.sched = &scheduler;
  frame *young = full(child_of(suspended(), 1, 1), 1, CILK_TAKEN);
  asked = 0;
  actors[1].x->next = &young->h;
  on(1, schedule_order, &over, NULL, 0);
  EXPECT(ctx.orphans == &young->h && state(young) == CILK_READY && !actors[1].x->next && !actors[1].x->closing);
}

/* Worker 1 waits, in a loop inside of another one. It may take what is below that loop, and none of its own frames. */
static long take_below_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  return (long)cilk_take_below(cilk_me());
}
SCENARIO(a_worker_takes_from_below_its_loop_and_no_more) {
  stage_busy(1);
  frame *below = attached(1), *inner = attached(2);
  on(1, begin_segment, &s0, child_of(suspended(), 1, 1), 0);
  push(1, below, 1);
  actors[1].x->floor = load_relaxed(&workers[1]->tail);
  on(1, begin_segment, &s1, child_of(suspended(), 1, 2), 0);
  push(1, inner, 1);
  EXPECT((frame *)on(1, take_below_order, NULL, NULL, 0) == below && state(below) == CILK_TAKEN);
  EXPECT(on(1, take_below_order, NULL, NULL, 0) == 0 && state(inner) == CILK_ATTACHED);
}
