/* The scheduler's loop, and a computation's bottom segment: with what a closure begins, what becomes of what a worker
 * still has when its loop ends, and what the pools get back. */
#include "stage.h"
#include "rt/core/data/link.h"

#include <fenv.h>
#include <malloc.h>

static frame *p;
static uint32_t flag;

/* ---- the loop ---- */

static int rounding;
static void note_rounding(frame *f) {
  int value = 0;
  rounding = fegetround();
  store_seq_cst(&flag, 1u);
  cilk_rt_return(&f->h, &value, sizeof value);
}
static long round_order(void *a, void *b, long how) {
  (void)a;
  (void)b;
  return fesetround((int)how);
}
/* The last piece on this worker was of a computation with another one. */
SCENARIO(a_closure_begins_with_the_rounding_of_its_computation) {
  stage_busy(1);
  flag = 0;
  rounding = -1;
  EXPECT(on(1, round_order, NULL, NULL, FE_UPWARD) == 0);
  p = full(&run.link, 1, CILK_TAKEN);
  p->thread = note_rounding;
  actors[1].x->next = &p->h;
  on(1, schedule_order, &flag, NULL, 0);
  EXPECT(rounding == FE_TONEAREST);
}

/* Worker 1 waited for a nested root; below that other computations' pieces lie. */
SCENARIO(what_a_worker_has_when_its_loop_ends_is_for_others) {
  stage_busy(1);
  flag = 1;
  frame *young = full(child_of(full(&run.link, 2, CILK_SUSPENDED), 1, 1), 1, CILK_TAKEN);
  actors[1].x->next = &young->h;
  on(1, schedule_order, &flag, NULL, 0);
  EXPECT(ctx.orphans == &young->h && !young->h.next && state(young) == CILK_READY && !actors[1].x->next &&
         !actors[1].x->closing);
}

/* ---- the bottom ---- */

static void seven(void *args, void *result) {
  (void)args;
  *(int *)result = 7;
}
static long root_order(void *a, void *b, long n) {
  (void)a;
  (void)b;
  (void)n;
  cilk_root_start(cilk_me(), &run);
  return 0;
}
/* That its link is consumed once the checked build sees. */
SCENARIO(a_root_without_a_thief_ends_once) {
  static const cilk_root small = {seven, "seven", 0, sizeof(int)};
  stage_busy(1);
  run.root = &small;
  run.number = 5;
  root_value = 0;
  on(0, root_order, NULL, NULL, 0);
  EXPECT(root_value == 7 && run.done && ctx.ended == 5 && !actors[0].x->seg && !run.aborted);
}

/* ---- what is given back ---- */

enum { MANY = 20000 };

/* Results that came while the parent's thread ran, and are dropped. */
static long drop_order(void *f, void *link, long n) {
  frame *parent = f;
  for (long i = 0; i < n; i++) {
    cilk_link *l = cilk_link_new(&parent->h, cilk_me(), link);
    parent->h.join++;
    cilk_pending_add(&parent->h, l);
    cilk_rt_abort(&parent->h);
  }
  return parent->h.join;
}
SCENARIO(links_of_dropped_results_are_used_again) {
  p = full(&run.link, 1, CILK_RUNNING);
  size_t before = cilk_pool_bytes();
  EXPECT(on(1, drop_order, p, &run.link, MANY) == 0 && !p->h.pending);
  EXPECT(cilk_pool_bytes() == before);
}

static long blocks_order(void *a, void *b, long bytes) {
  (void)a;
  (void)b;
  frame *f = attached(0);
  memset(cilk_rt_alloca(&f->h, (size_t)bytes, 16), 1, 100);
  memset(cilk_rt_vla(&f->h, (size_t)bytes, 16, 1), 1, 100);
  cilk_rt_closure_free(&f->h);
  return 0;
}
static size_t used(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
SCENARIO(memory_that_a_procedure_attaches_to_its_closure_goes_with_it) {
  enum { BYTES = 1 << 20 };
  size_t before = used();
  for (int i = 0; i < 10; i++) on(1, blocks_order, NULL, NULL, BYTES);
  EXPECT(used() < before + BYTES);
}
