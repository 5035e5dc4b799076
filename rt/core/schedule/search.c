/* search.c - all policies (policy.h): what a worker does when it has nothing to run.
 *
 * The default asks the scheduler again and again (cilk_look) for a short while, then sleeps (sleep.c). The testing
 * policies (--force-steal, CILK_FORCE) drive a program through its slow clones: `always` treats every pop as stolen
 * from, `random` about every fourth; what is taken goes to the context's orphans, for this worker or any other. `never`
 * lets worker 0 do all. `alone` is what the only worker of a forked child does (fork.c). */
#include "schedule/search.h"
#include "steal/halt.h"
#include "data/work_source.h"
#include "fibers/blocking.h"
#include "data/context.h"
#include "fibers/custody.h"
#include "protocol/exit.h"
#include "fibers/fiber.h"
#include "steal/lazy.h"
#include "steal/node.h"
#include "fibers/orphan.h"
#include "steal/sleep.h"
#include "steal/idle.h"
#include "steal/steal.h"
#include "protocol/stuck.h"

#include <sched.h>

/* When the thief may try again: now, or after a pause if what it stole the last times was not worth it (config.h). */
static uint64_t pause_after_small_pieces(cilk_worker_ext *x, uint64_t now) {
  if (x->search.found_at && now - x->search.found_at < CILK_SMALL_NS) {
    if (x->search.small < CILK_SMALL_MOST) x->search.small++;
  } else x->search.small = 0;
  return x->search.small < CILK_SMALL_FEW ? now : now + (1000ull << x->search.small);
}

static cilk_closure *idle_search(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  uint64_t began = cilk_idle_begin(w), period = 0;
  uint64_t from = pause_after_small_pieces(w->ext, began);
  if (ctx->nodes) cilk_node_update(w);
  /* no processor is free: one look is enough */
  uint64_t until = cilk_search_begin(w) ? began + CILK_IDLE_SPIN_NS : 0;
  while (!cilk_reached(flag, value)) {
    if ((ctx->spares && cilk_must_rest(w)) || cilk_seat_called_away(w) || cilk_must_halt(w)) break;
    if (from && cilk_now_ns() < from) {
      for (int i = 0; i < CILK_SEARCH_PAUSES; i++) cilk_pause();
      if ((c = cilk_orphan_take(w))) break;
      continue;
    }
    from = 0;
    if (until) {
      if ((c = cilk_look(w))) break;
      if (cilk_now_ns() >= until) until = 0;
      else if (ctx->opt.yield) sched_yield();
      else
        for (int i = 0; i < CILK_SEARCH_PAUSES; i++) cilk_pause();
    }
    if (ctx->lazy) cilk_hunger_arm(w);
    if (until) continue;
    cilk_stuck(w, flag, value);
    cilk_custody_look(w, flag, value);
    if (cilk_seat_pass(w)) break;
    cilk_park(w, !w->ext->wait.root);
    /* What was published until now, an answer to the arming among it, is seen here; what comes later wakes this
     * worker. */
    if (cilk_reached(flag, value) || cilk_seat_called_away(w) || cilk_must_halt(w) || (c = cilk_look(w))) {
      cilk_park_leave(w);
      break;
    }
    cilk_count(w, CILK_N_SLEEP);
    w->ext->nest.passed = 0;
    if (cilk_park_wait(w, cilk_watch(w, began, &period))) {
      period = 0;                         /* woken: something was published */
      until = cilk_now_ns() + CILK_IDLE_SPIN_NS / 2;
    }
  }
  /* to rest is to withdraw: what it was woken for, and watching, is for another one then */
  cilk_search_end(w, c != NULL);
  w->ext->search.found_at = c ? cilk_now_ns() : 0;
  cilk_idle_end(w, c != NULL);
  return c;
}

/* Worker 0 does everything, but what a scheduler sends or gives to another one. That worker may come to wait in C
 * code, or sit in a nest, for what no other worker can run. A scheduler with a `next` of its own gives something to
 * any worker, and worker 0 may be one that waits: so there all look. Else the others wait for the end. */
static bool must_look(const cilk_worker *w) {
  const cilk_worker_ext *x = w->ext;
  bool queue = x->team->sched->next && x->team->sched != &cilk_sched_steal;
  return w->id == 0 || x->wait.root || x->nest.seat || load_relaxed(&x->nest.due) || queue;
}

static cilk_closure *alone_look(cilk_worker *w) {
  const cilk_work_source *work_source = cilk_work_source_of(w);
  cilk_closure *c = NULL;
  if (w->id == 0 && work_source && work_source->came(w)) return &cilk_found_other_work;
  if (must_look(w)) c = cilk_orphan_take(w);
  if (!c && w->ext->wait.outside) c = cilk_take_below(w);
  if (!c) c = cilk_next(w);
  /* a seat that was set aside is due to it, perhaps inside of a nest whose seats sleep */
  return c || !load_relaxed(&w->ext->nest.due) ? c : cilk_seat_try(w);
}

static cilk_closure *idle_never(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_closure *c = NULL;
  cilk_idle_begin(w);
  cilk_search_begin(w);
  while (!cilk_reached(flag, value) && !cilk_seat_called_away(w) && !cilk_must_halt(w) && !(c = alone_look(w))) {
    cilk_stuck(w, flag, value);
    cilk_custody_look(w, flag, value);
    if (cilk_seat_pass(w)) break;
    w->ext->nest.passed = 0;
    cilk_park(w, false);
    if (cilk_reached(flag, value) || load_seq_cst(&w->ext->inbox) || load_seq_cst(&w->ext->nest.due) ||
        cilk_seat_called_away(w) || cilk_must_halt(w))
      cilk_park_leave(w);
    else cilk_park_wait(w, must_look(w) ? CILK_SLEEP_MAX_NS : 0);
  }
  cilk_search_end(w, false);
  cilk_idle_end(w, c != NULL);
  return c;
}

/* Forced steals: each pop and test is asked, and the flag stays up. */
static Cilk_answer forced(cilk_worker *w, Cilk_point at, bool yes) {
  if (at != CILK_POINT_POP) cilk_flag_raise(w);
  return !yes ? CILK_STAY : at == CILK_POINT_POP ? CILK_LEAVE : CILK_EXPOSE;
}

static Cilk_answer force_always(cilk_worker *w, Cilk_point at, int late) {
  (void)late;
  return forced(w, at, true);
}

static Cilk_answer force_random(cilk_worker *w, Cilk_point at, int late) {
  (void)late;
  return forced(w, at, cilk_choose(w, CILK_CHOOSE_FORCE, 4) == 0);
}

/* Workers that are not here have left their schedulers: a barrier does not wait for them. */
static void others_leave(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  for (int i = 0; i < ctx->nproc; i++) {
    cilk_worker *other = ctx->workers[i];
    if (other == w) continue;
    other->ext->wait.root = NULL;
    if (other->ext->nest.seat) cilk_seats_give_up(other);
    other->ext->team = &ctx->team;
    cilk_leave(other);
  }
  cilk_seats_of_others(w);
}

/* The only worker left has nothing to run. */
static cilk_closure *idle_alone(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_closure *c = cilk_orphan_take(w);
  if (c || cilk_reached(flag, value)) return c;
  others_leave(w);
  if (cilk_reached(flag, value) || (c = cilk_next(w)) || (c = cilk_orphan_take(w))) return c;
  if (load_relaxed(&w->ext->ctx->exiting)) cilk_exit_now(w->ext->ctx);
  cilk_fatal(
      "a forked process has only the worker that called fork: what is left to do here waits for procedures that other workers of its parent ran");
}

const cilk_policy cilk_policy_alone = {.name = "alone", .idle = idle_alone, .choose = cilk_choose_at_random};

static const cilk_policy policies[] = {
    [CILK_FORCE_OFF] = {.name = "random", .idle = idle_search, .choose = cilk_choose_at_random},
    [CILK_FORCE_NEVER] = {.name = "never", .idle = idle_never, .choose = cilk_choose_at_random},
    [CILK_FORCE_ALWAYS] =
        {.name = "always", .idle = idle_search, .choose = cilk_choose_at_random, .asked = force_always, .every = true},
    [CILK_FORCE_RANDOM] = {.name = "sometimes",
        .idle = idle_search,
        .choose = cilk_choose_at_random,
        .asked = force_random,
        .every = true},
};

const cilk_policy *cilk_policy_choose(const cilk_options *o) {
  bool file = o->record_file || o->replay_file;
  if (!o->replay.on && !file) return &policies[o->force];
  const cilk_policy *p = cilk_policy_of_order(o);
  if (!p) cilk_fatal("this runtime was built without --sched=replay, turns and record");
  return p;
}
