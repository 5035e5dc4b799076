/* schedule.c - the scheduler's loop.
 *
 * Each turn runs the scheduler's own work for this worker, or else others' (fiber.h, policy.h), through its slow
 * clone in a segment of its own. The same loop, with a floor, serves a worker that waits for a nested root. */
#include "schedule/schedule.h"
#include "data/work_source.h"
#include "fibers/blocking.h"
#include "protocol/deliver.h"
#include "steal/drain.h"
#include "steal/halt.h"
#include "steal/lazy.h"
#include "observe/hook.h"
#include "fibers/fiber.h"
#include "protocol/finish.h"
#include "data/policy.h"
#include "data/pool.h"
#include "protocol/release.h"
#include "steal/segment.h"
#include "steal/sleep.h"
#include "data/places.h"

#include <errno.h>

/* ---- running one closure ---- */

/* A segment is over: its bottom activation has returned to the scheduler. */
static void finish_segment(cilk_worker *w, cilk_segment *s) {
  cilk_segment_end(w, s);
  if (s->chain_young) cilk_publish_chain(w, s);
  else if (s->unwinding) {
    const char *here = __builtin_frame_address(0), *end = w->ext->memory.stack_guard_end;
    if (end && here > end)                /* the frames that unwound */
      cilk_views_forget(w->views, end, (size_t)(here - end));
    if (s->full) cilk_complete_aborted(w, s->full);
    else if (s->link) cilk_deliver(w, s->link, NULL, 0);
  } else cilk_check(!s->full && !s->link);
}

/* c is in hand. First what waits for it, then its slow clone. */
static void run_closure(cilk_worker *w, cilk_closure *c) {
  cilk_context *ctx = w->ext->ctx;
  cilk_segment s;
  CILK_HOOK(between, w);
  cilk_closure_lock(c);
  cilk_assert_own(c, w, CILK_TAKEN);
  cilk_fp_load(&cilk_closure_root(c)->fp);   /* not what the last piece on this worker left (root.h) */
  cilk_drain(w, c);
  cilk_views_enter(w, c);
  w->level = NULL;
  if (cilk_closure_aborted(c, ctx)) {
    cilk_closure_unlock(c);
    cilk_complete_aborted(w, c);
    return;
  }
  /* an abort from now on signals this worker, and the signal stays until a pop */
  cilk_closure_change(c, CILK_TAKEN, CILK_RUNNING);
  cilk_closure_unlock(c);
  cilk_segment_begin(w, &s, c->link, c);
  cilk_hunger_place(w, c);
  CILK_HOOK(run, w, c);
  c->sig->slow(w, c);
  CILK_HOOK(segment_ends, w);
  finish_segment(w, &s);
}

/* ---- a computation's or nested root's bottom segment ---- */

void cilk_root_start(cilk_worker *w, cilk_root_run *run) {
  if (run->ctx->thaw && !run->nested) {
    run->ctx->thaw(w, run);
    return;
  }
  cilk_segment s;
  size_t n = run->root->result_size;
  /* The thunk stores a dummy when the root was stolen or released, while the true result may be arriving: so not
   * there. */
  _Alignas(64) char small[CILK_ROOT_RESULT];
  void *result = n <= sizeof small ? small : cilk_pool_alloc(n);
  w->views = run->link.views;
  w->level = run->level;
  run->link.views = CILK_NO_VIEWS;
  cilk_segment_begin(w, &s, &run->link, NULL);
  CILK_HOOK(root_begins, w, run);
  cilk_fp_load(&run->fp);
  errno = run->error;
  run->root->thunk(run->args, result);
  CILK_HOOK(segment_ends, w);
  cilk_worker_lock(w);
  bool whole = s.link == &run->link && !s.chain_young && !s.unwinding;
  if (whole) s.link = NULL;
  cilk_worker_unlock(w);
  finish_segment(w, &s);
  if (whole) {
    CILK_HOOK(child_ends, w, &run->link);
    cilk_root_finish(&run->link, result, n);
  }
  w->views = CILK_NO_VIEWS;
  CILK_HOOK(step_ends, w);
  if (result != small) cilk_pool_free(result, n);
}

/* ---- the loop ---- */

/* Something is run, or looked for; or a seat is taken or left, and with it a stack, perhaps. */
void cilk_schedule_round(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_worker_ext *x = w->ext;
  const struct cilk_seat_stack *here = x->nest.stack;
  cilk_closure *c;
  if ((x->ctx->spares || load_relaxed(&x->halt)) && !x->next && cilk_must_rest(w) && !cilk_other_work_came(w)) {
    if (x->nest.seat != x->nest.floor) cilk_seat_leave_all(w, x->nest.floor);
    else cilk_rest(w, flag, value);
    return;
  }
  if (x->nest.leave || x->nest.seat != x->nest.floor) cilk_seat_leave(w);
  if (x->nest.stack != here) return;
  const cilk_work_source *work_source = cilk_work_source_of(w);
  if (work_source && x->search.counted && work_source->came(w)) cilk_search_decline(w);
  if (work_source && !x->next && work_source->run(w)) return;
  c = cilk_next(w);
  if (c) cilk_search_decline(w);               /* recruited before it came into this computation */
  if (!c && x->nest.seat != x->nest.floor && !(c = cilk_seat_look(w))) return; /* one team further out */
  if (!c) {
    struct cilk_seat *floor = x->nest.floor;
    CILK_HOOK(search, w);
    /* C code in these seats waits: what it waits for may be what another team keeps until this worker has arrived */
    cilk_leave_below(w, floor);
    c = cilk_policy_of(w)->idle(w, flag, value);
    cilk_back_below(w, floor);
  }
  if (!c || c == &cilk_found_other_work) return;
  if (cilk_is_seat(c)) cilk_seat_sit(w, c);
  /* the worker has sat down in an engine by now: c runs on the stack of that seat */
  else if (x->nest.stack != here || cilk_must_halt(w)) x->next = c;
  else {
    x->nest.passed = 0;
    run_closure(w, c);
  }
  CILK_HOOK(step_ends, w);
}

/* All that the worker has is where others find it. */
static void halt(cilk_worker *w) {
  cilk_closure *c = w->ext->next;
  if (c) {
    w->ext->next = NULL;
    cilk_orphan(w, c);
  }
  if (cilk_must_stop(w)) {
    cilk_pool_drain(w);
    cilk_stop_here(w);
  }
}

void cilk_schedule(cilk_worker *w, cilk_root_run *run, const uint32_t *flag, uint32_t value) {
  cilk_worker_ext *x = w->ext;
  struct cilk_seat_stack *here = x->nest.stack;
  cilk_closure **outer_floor = x->floor, **floor = x->floor = load_relaxed(&w->tail);
  cilk_segment *outer_loop = x->loop;
  x->loop = x->seg;
  struct cilk_seat *outer_seat = x->nest.floor;
  x->nest.floor = x->nest.seat;
  bool first = here && cilk_seat_stack_loop(here, &outer_seat);
  bool outer_outside = x->wait.outside;
  x->wait.outside = false;
  struct cilk_views *outer_views = w->views; /* of the strand that waits here */
  w->views = CILK_NO_VIEWS;
  if (run) cilk_root_start(w, run);
  for (;;) {
    cilk_closure *c;
    if (x->nest.stack != here) { /* first: the worker's fields are those of that stack */
      cilk_seat_stack_run(w, here, flag, value);
      continue;
    }
    if (!outer_floor && cilk_must_halt(w)) halt(w);
    CILK_HOOK(loop, w);
    if (cilk_reached(flag, value)) {
      cilk_seat_leave_all(w, x->nest.floor);
      /* Done. What this worker still holds belongs to other computations on its stack's outer segments: others may have
       * it. */
      while ((c = x->next) || (c = cilk_deque_pop_ready(w, floor))) {
        x->next = NULL;
        x->closing = true; /* nothing is put on this deque any more */
        cilk_orphan(w, c);
      }
      x->closing = false;
      bool outermost = !outer_floor;
      if (outermost) cilk_leave(w);
      x->floor = outer_floor;
      x->loop = outer_loop;
      x->nest.floor = outer_seat;
      if (first) cilk_seat_stack_loop(here, NULL);
      x->wait.outside = outer_outside;
      w->views = outer_views;
      if (!outermost) cilk_back(w);
      cilk_seat_recall(w);
      CILK_HOOK(loop_ends, w, run);
      return;
    }
    if (!cilk_seat_go_away(w)) cilk_schedule_round(w, flag, value);
  }
}
