/* record_replay.c - the order of steps: --sched=record:FILE writes it down on a real run, --sched=replay:FILE[:P]
 * repeats it.
 *
 * Where there is an order, all pops and tests come into the runtime. What the runtime does between two pieces of user
 * code is a *step*: from `begin` to `end` no other worker makes one. User code runs in parallel, and so do pops and
 * tests at which nothing happens; those are only counted. What comes out of a run is then a function of the order of
 * the steps; of what pops and tests each was preceded by on its own worker; and of the little that a step sees of
 * another worker's user code: that its head can be stolen, that a parent is pushed. These are what a file has
 * (record.h). Random numbers and clocks decide what is recorded, but are not needed to repeat it.
 *
 * Recording: a mutex is held in a step, and the step is written into a log (replay/record.h). Polls that find nothing
 * are no steps. Replay has as many workers as the record, each with the steps that it made then; places.c lets the
 * workers wait for the earlier ones. The scheduler is that of ordered_fibers.c.
 *
 * In turns (controlled_schedule.c) one worker runs at a time. Then the turn passes before a step, and not within one.
 * So a log of points holds the order of all steps (choosers.c). */
#define _GNU_SOURCE
#include "replay/record_replay.h"
#include "base/message.h"
#include "data/policy.h"
#include "fibers/fiber.h"
#include "replay/outcome.h"
#include "replay/controlled_schedule.h"
#include "replay/order.h"
#include "protocol/stuck.h"
#include "steal/lazy.h"
#include "steal/segment.h"
#include "steal/sleep.h"
#include "steal/idle.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>


static uint64_t closure_number(cilk_worker *w) { return ++w->ext->ctx->order->closures; }

/* ---- steps ---- */

void cilk_order_touch(cilk_worker *w, int answer) {
  cilk_order *o = w->ext->ctx->order;
  cilk_participant *p = cilk_order_mine(w);
  if (p->dirty) return;
  cilk_recording_step(&o->file, p->kind, answer, w->id, p->pops - p->last);
  p->last = p->pops;
  p->dirty = true;
}

void cilk_order_note(cilk_worker *w, int tag, const uint64_t *numbers, int n) {
  cilk_order_touch(w, 0);
  cilk_recording_note(&w->ext->ctx->order->file, tag, numbers, n);
}

/* first: in turns, another worker may go on before it; else it polls again */
static void begin(cilk_worker *w, enum cilk_step kind, int answer, bool first) {
  cilk_order *o = w->ext->ctx->order;
  cilk_participant *p = cilk_order_mine(w);
  bool turns = cilk_order_in_turns(w);
  if (turns && first && !o->replay) cilk_point(w, CILK_TURN_ORDERED);
  pthread_mutex_lock(&o->mutex);
  p->dirty = false;
  p->kind = kind;
  if (!o->replay) {
    p->open = true;
    if (kind != CILK_STEP_LOOP && kind != CILK_STEP_LOCK) cilk_order_touch(w, answer);
    return;
  }
  const cilk_replay_step *s = cilk_order_step(o, w->id);
  if (s && (s->kind != kind || s->pops != p->pops)) cilk_order_diverged(o, w->id, cilk_order_names[kind]);
  /* for ever, when it made no further one: the process ended then */
  if (turns) {
    pthread_mutex_unlock(&o->mutex);
    cilk_order_in_turn(w);
    pthread_mutex_lock(&o->mutex);
  } else cilk_order_await(o, p, w->id, CILK_GOING_WAITS);
  p->open = true;
  p->note = cilk_order_step(o, w->id)->notes;
  pthread_mutex_unlock(&o->mutex);
}

static void step_begins(cilk_worker *w, enum cilk_step kind) {
  if (!cilk_order_mine(w)->open) begin(w, kind, 0, true);
}

/* Whether what others run is aborted, they see at their pops and tests: which of these came before? */
static void note_counts(cilk_worker *w) {
  cilk_context *ctx = w->ext->ctx;
  for (int i = 0; i < ctx->nproc; i++)
    if (i != w->id)
      cilk_order_note(w, RECORD_COUNT, (uint64_t[]){(uint64_t)i, load_acquire(&ctx->order->of[i].pops)}, 2);
}

static void step_ends(cilk_worker *w) {
  cilk_order *o = w->ext->ctx->order;
  cilk_participant *p = cilk_order_mine(w);
  if (!p->open) return;
  p->open = false;
  if (!o->replay) {
    cilk_order_touch(w, 0);
    if (p->kind == CILK_STEP_ABORT || p->kind == CILK_STEP_CANCEL) note_counts(w);
    cilk_recording_commit(&o->file);
    pthread_mutex_unlock(&o->mutex);
    return;
  }
  while (cilk_order_counted(p, (uint64_t[2]){0}));
  pthread_mutex_lock(&o->mutex);
  cilk_order_passed(o, p, w->id);
  pthread_mutex_unlock(&o->mutex);
}

/* Recording: a poll that did nothing. */
static void forget_step(cilk_worker *w) {
  cilk_order_mine(w)->open = false;
  pthread_mutex_unlock(&w->ext->ctx->order->mutex);
}

/* ---- pops and tests ---- */

static void count_pop(cilk_worker *w) {
  cilk_participant *p = cilk_order_mine(w);
  store_release(&p->pops, p->pops + 1);   /* pairs with has_come, let_come and the notes of counts */
}

/* Replay: did something happen at this step in the record? */
static bool recorded(cilk_worker *w, enum cilk_step kind, int *answer) {
  const cilk_order *o = w->ext->ctx->order;
  const cilk_replay_step *s = cilk_order_step(o, w->id);
  count_pop(w);
  if (s && (s->kind != kind || s->pops != cilk_order_mine(w)->pops)) s = NULL;
  if (s) *answer = s->answer;
  return s != NULL;
}

/* Its lock is held. Is there something for the pop? */
static bool pop_happens(const cilk_worker *w) {
  const cilk_worker_ext *x = w->ext;
  cilk_closure **t = load_relaxed(&w->tail);
  const cilk_segment *s = x->seg;
  return x->signal || t < load_relaxed(&x->head) || s->kept || s->unwinding || s->chain_old || !s->link ||
         cilk_link_aborted(s->link, x->ctx) ||
      /* without the closure's lock: what comes at the same time comes later */
         (*t == s->full && s->full->pending);
}

static bool test_happens(const cilk_worker *w) {
  const cilk_link *l = load_acquire(&w->ext->seg->link);   /* as in cilk_rt_release */
  return load_relaxed(&w->ext->signal) || (l && cilk_link_aborted(l, w->ext->ctx));
}

/* In turns: others may do something after all that this worker has done, and before the pop. So T is up again. Both
 * stores pair with a thief's load of T in its own turn (is_pushed, claim). give and await (controlled_schedule.c) order
 * them, so there is no fence. */
static void before_pop(cilk_worker *w) {
  if (!cilk_order_in_turns(w)) return;
  cilk_closure **t = load_relaxed(&w->tail);
  store_relaxed(&w->tail, t + 1);
  cilk_point(w, CILK_TURN_ORDERED);
  store_relaxed(&w->tail, t);
}

static bool at_pop(cilk_worker *w, bool *leave) {
  int answer = 0;
  if (w->ext->ctx->order->replay) {
    if (!recorded(w, CILK_STEP_POP, &answer) && !cilk_order_at_its_end(w, pop_happens)) return false;
    *leave = answer == CILK_LEAVE;
  } else {
    cilk_worker_lock(w);
    count_pop(w);
    bool happens = *leave || pop_happens(w);
    cilk_worker_unlock(w);
    if (!happens) return false;
    answer = *leave ? CILK_LEAVE : CILK_STAY;
  }
  begin(w, CILK_STEP_POP, answer, true);
  return true;
}

static bool at_test(cilk_worker *w, Cilk_point at, Cilk_answer *answer) {
  int what = CILK_STAY;
  if (w->ext->ctx->order->replay) {
    if (!recorded(w, CILK_STEP_TEST, &what) && !cilk_order_at_its_end(w, test_happens)) return false;
    if (what == CILK_EXPOSE && cilk_order_in_turns(w)) cilk_turn_released(w);
  } else {
    what = (int)cilk_asked(w, at);
    cilk_worker_lock(w);
    count_pop(w);
    bool happens = what != CILK_STAY || test_happens(w);
    cilk_worker_unlock(w);
    if (!happens) return false;
  }
  *answer = (Cilk_answer)what;
  begin(w, CILK_STEP_TEST, what, true);
  return true;
}

static cilk_closure *idle(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  int rounds = 0;
  cilk_idle_begin(w);
  cilk_search_begin(w);
  while (!cilk_reached(flag, value)) {    /* a step is open */
    if (!ctx->order->replay && (c = cilk_look(w))) break;
    bool first = cilk_order_mine(w)->dirty || ctx->order->replay;
    if (first) step_ends(w);
    else forget_step(w);
    if (ctx->lazy && !ctx->order->replay) cilk_hunger_arm(w);
    if (!ctx->order->replay) cilk_stuck(w, flag, value);
    if (ctx->turns) {
      if (!first) cilk_turn_offer(w, CILK_TURN_WAIT);
    } else if (++rounds % CILK_ORDER_POLLS) sched_yield();
    else if (!ctx->order->replay) nanosleep(&(struct timespec){0, CILK_ORDER_SLEEP_NS}, NULL);
    begin(w, CILK_STEP_LOOP, 0, first);
    if (!cilk_reached(flag, value) && (c = cilk_next(w))) break;
  }
  cilk_search_end(w, c != NULL);
  cilk_idle_end(w, c != NULL);
  return c;
}

static Cilk_answer asked(cilk_worker *w, Cilk_point at, int late) {
  (void)late;
  int listed = cilk_order_in_turns(w) ? cilk_turn_releases(w) : -1;
  return listed < 0 || at == CILK_POINT_POP ? Cilk_answer_hunger(w, at) : listed ? CILK_EXPOSE : CILK_STAY;
}

/* ---- Cilk_lock ---- */

static bool lock_is_free(cilk_worker *w, void *lock) {
  (void)w;
  return __atomic_load_n((volatile int *)lock, __ATOMIC_ACQUIRE) == 0;
}

/* The holder of the lock; -1: unknown. Its last step may have taken another lock. */
static int holder(const cilk_worker *w, const volatile int *lock) {
  /* pairs with the exchange in take_lock; only the worker that goes on depends on it, and no order of memory */
  int held = __atomic_load_n(lock, __ATOMIC_RELAXED) - CILK_LOCK_HELD;
  return held >= 0 && held < w->ext->ctx->nproc ? held : -1;
}

static bool take_lock(cilk_worker *w, volatile int *lock) {
  if (cilk_order_mine(w)->open) return false;
  cilk_order *o = w->ext->ctx->order;
  begin(w, CILK_STEP_LOCK, 0, true);
  for (int first = 1; first || __atomic_exchange_n(lock, CILK_LOCK_HELD + w->id, __ATOMIC_ACQUIRE) != 0; first = 0)
    if (o->replay)      /* its holder has no step before it gives it back */
      cilk_order_until(w, lock_is_free, (void *)(uintptr_t)lock, holder(w, lock));
    else if (!first) {
      forget_step(w);
      if (o->ctx->turns) cilk_turn_offer(w, CILK_TURN_WAIT);
      else sched_yield();
      begin(w, CILK_STEP_LOCK, 0, false);
    }
  step_ends(w);
  return true;
}

/* ---- computations that were started ---- */

static void name_computation(cilk_worker *w, cilk_computation *m) {
  cilk_order *o = w->ext->ctx->order;
  struct name *n = malloc(sizeof *n);
  if (!n) cilk_fatal("out of memory");
  pthread_mutex_lock(&o->names);
  *n = (struct name){++o->computations, m, o->started};
  o->started = n;
  pthread_mutex_unlock(&o->names);
}

static void forget_computation(cilk_context *ctx, cilk_computation *m) {
  cilk_order *o = ctx->order;
  pthread_mutex_lock(&o->names);
  for (struct name **at = &o->started, *n; (n = *at); at = &n->next)
    if (n->m == m) {
      *at = n->next;
      free(n);
      break;
    }
  pthread_mutex_unlock(&o->names);
}

static bool cancel_outside(cilk_context *ctx, cilk_computation *m) {
  cilk_order *o = ctx->order;
  if (o->replay) return false;
  uint64_t number = 0;
  pthread_mutex_lock(&o->names);
  for (const struct name *n = o->started; n; n = n->next)
    if (n->m == m) number = n->number;
  pthread_mutex_unlock(&o->names);
  pthread_mutex_lock(&o->mutex);
  cilk_recording_step(&o->file, CILK_STEP_OUTSIDE, 0, CILK_MOST_TURNS, 0);
  cilk_recording_note(&o->file, RECORD_COMPUTATION, &number, 1);
  return true;
}

static void cancelled_outside(cilk_context *ctx) {
  cilk_recording_commit(&ctx->order->file);
  pthread_mutex_unlock(&ctx->order->mutex);
}

/* ---- computations, contexts ---- */

static void nothing(void *order) { (void)order; }

static void enter(cilk_worker *w) {
  cilk_order *o = w->ext->ctx->order;
  cilk_rendezvous_in(&o->rendezvous, o->replay ? cilk_order_begin : nothing, o);
  if (!o->replay) return;
  pthread_mutex_lock(&o->mutex);
  while (cilk_order_mine(w)->state == CILK_GOING_WANTS) pthread_cond_wait(&cilk_order_mine(w)->go, &o->mutex);
  pthread_mutex_unlock(&o->mutex);
}

static void leave(cilk_worker *w) {
  cilk_order *o = w->ext->ctx->order;
  if (o->replay) {
    pthread_mutex_lock(&o->mutex);
    cilk_order_mine(w)->state = CILK_GOING_OUT;
    o->places++;
    cilk_order_dispatch(o);
    for (int i = 0; i < w->ext->ctx->nproc; i++)
      if (o->of[i].state == CILK_GOING_WAITS)
        pthread_cond_signal(&o->of[i].go);  /* if this was the last worker that moved, the record is cut short */
    pthread_mutex_unlock(&o->mutex);
  }
  cilk_rendezvous_out(&o->rendezvous);
}

static void wait_for_all(cilk_context *ctx) { cilk_rendezvous_wait(&ctx->order->rendezvous); }

static cilk_order *recording;             /* whose file has to be closed when the process ends */

static void give_up(cilk_context *ctx) {
  cilk_repeat_note(0, NULL);
  if (recording == ctx->order) unlink(recording->file.name);
  recording = NULL;
}

#define TABLE(does) \
  {does, step_begins, step_ends, before_pop, at_pop, at_test, cilk_ordered_ready, cilk_ordered_next, \
      cilk_ordered_look, cilk_ordered_may_steal, cilk_ordered_stolen, cilk_ordered_await_stop, cilk_ordered_stopped, \
      closure_number, name_computation, forget_computation, cancel_outside, cancelled_outside, take_lock, give_up}
static const cilk_steps recorded_steps = TABLE(false), replayed_steps = TABLE(true);

static void at_exit(void) {
  cilk_order *o = recording;
  struct timespec soon = cilk_order_later(1000000000u);
  if (!o || o->process != getpid()) return;
  cilk_worker *w = cilk_me();
  /* it ends in the midst of a step: that step is the last */
  if (w->id >= 0 && w->ext->ctx == o->ctx && cilk_order_mine(w)->open) {
    if (cilk_order_mine(w)->dirty) cilk_recording_commit(&o->file);
  } else if (pthread_mutex_timedlock(&o->mutex, &soon) != 0) return; /* left as that of a run that was cut short */
  recording = NULL;
  cilk_recording_close(&o->file);
}

static void make(cilk_context *ctx) {
  static bool used;
  void *p = NULL;
  if (used) {
    cilk_repeat_note(0, NULL); /* the same words would be refused again */
    cilk_fatal("--sched=%s: of several contexts in one process only one can be recorded or replayed",
        ctx->opt.record_file ? "record" : "replay");
  }
  used = true;
  if (posix_memalign(&p, 64, sizeof(cilk_order)) != 0) cilk_fatal("out of memory");
  cilk_order *o = ctx->order = memset(p, 0, sizeof(cilk_order));
  o->ctx = ctx;
  o->process = getpid();
  pthread_mutex_init(&o->mutex, NULL);
  pthread_mutex_init(&o->names, NULL);
  cilk_rendezvous_init(&o->rendezvous, ctx->nproc);
  for (int i = 0; i < ctx->nproc; i++) pthread_cond_init(&o->of[i].go, NULL);
  o->replay = ctx->opt.replay_file != NULL;
  ctx->steps = o->replay ? &replayed_steps : &recorded_steps;
  if (o->replay) {
    cilk_record_load(&o->record, ctx);
    o->places = ctx->opt.replay.on ? 0 : ctx->opt.replay_places ? ctx->opt.replay_places : ctx->nproc;
  } else {
    cilk_recording_open(&o->file, ctx);
    recording = o;
    atexit(at_exit);
  }
  ctx->nodes = 0;
  ctx->processors = (uint32_t)ctx->nproc;
  cilk_rt_locks_ordered = ctx->nproc;
  cilk_repeat_on_signals();
}

/* The context ends: what was recorded is in the file when the process does. */
static void unmake(cilk_context *ctx) {
  cilk_order *o = ctx->order;
  if (recording == o) {
    recording = NULL;
    cilk_recording_close(&o->file);
  }
  free(o->record.bytes);
  free(o->record.owner);
  for (int i = 0; i <= CILK_MOST_TURNS; i++) free(o->record.of[i].step);
  ctx->order = NULL;
  ctx->steps = NULL;
  free(o);
}

/* ---- the policy ---- */

/* A forked child chooses another policy: the file is the parent's. */
static const cilk_together together = {make, NULL, unmake, enter, leave, wait_for_all};

const cilk_policy cilk_policy_ordered = {.name = "ordered",
    .idle = idle,
    .asked = asked,
    .choose = cilk_choose_at_random,
    .every = true,
    .together = &together};

/* ---- in turns ---- */

static void make_turns(cilk_context *ctx) {
  make(ctx);
  cilk_policy_turns.together->make(ctx);
}

static void unmake_turns(cilk_context *ctx) {
  cilk_policy_turns.together->end(ctx);
  unmake(ctx);
}

static void enter_turns(cilk_worker *w) {
  if (cilk_order_replays(w)) cilk_order_come_in(w);
  cilk_policy_turns.together->enter(w);
}

static void leave_turns(cilk_worker *w) {
  cilk_turn_offer(w, CILK_TURN_ORDERED); /* others may have steps before it leaves them */
  cilk_order_mine(w)->state = CILK_GOING_OUT;
  cilk_policy_turns.together->leave(w);
}

static void reset_turns(cilk_context *ctx) { cilk_policy_turns.together->reset(ctx); }
static void wait_turns(cilk_context *ctx) { cilk_policy_turns.together->wait(ctx); }

static const cilk_together together_in_turns = {make_turns, reset_turns, unmake_turns, enter_turns, leave_turns,
    wait_turns};

const cilk_policy cilk_policy_ordered_turns = {.name = "ordered turns",
    .idle = idle,
    .asked = asked,
    .choose = cilk_choose_at_random,
    .every = true,
    .turn = cilk_turn_offer,
    .together = &together_in_turns};

const cilk_policy *cilk_policy_of_order(const cilk_options *o) {
  if (!o->record_file && !o->replay_file) return &cilk_policy_turns;
  return o->replay.on ? &cilk_policy_ordered_turns : &cilk_policy_ordered;
}
