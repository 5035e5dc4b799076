/* seats.c - workers sit down at nested schedulers (nest.h), and leave them.
 *
 * Sitting down and leaving happen between two segments, in the scheduler's loop, so all
 * that runs above belongs to the innermost team. The loop of a worker that waits for a nested root, or for a
 * computation, begins where the worker sits (`seat_floor`): seats below that it cannot leave.
 *
 * No wake-up is lost. A worker that makes something ready inside counts `published` up, then takes a sleeping seat,
 * under the lock. A worker that goes to sleep has read `published` before its last look, and compares it under the same
 * lock. Silent pushes of eager spawns wake no worker; idle workers of the outer team try sleeping seats for them, as
 * they look at other deques. */
#include "nest/seats.h"
#include "data/context.h"
#include "data/policy.h"
#include "data/root.h"
#include "fibers/fiber.h"
#include "nest/fuel.h"
#include "nest/seat_stack.h"
#include "nest/ticker.h"
#include "schedule/schedule.h"
#include "steal/halt.h"
#include "steal/segment.h"
#include "steal/sleep.h"
#include "steal/steal.h"

/* The worker stands for a vproc of an outer team for a moment: its functions are called, but nothing is put on this
 * deque. */
typedef struct {
  cilk_team *team;
  cilk_seat *seat;
  bool closing;
} place;

static place present(cilk_worker_ext *x, cilk_team *team, cilk_seat *seat) {
  place was = {x->team, x->nest.seat, x->closing};
  x->team = team;
  x->nest.seat = seat;
  x->closing = true;
  return was;
}

static void back(cilk_worker_ext *x, place was) {
  x->team = was.team;
  x->nest.seat = was.seat;
  x->closing = was.closing;
}

/* A team in which the worker is a vproc at that seat (NULL: none, it is the context's own team) hears of it. */
static void notify_at(cilk_worker *w, cilk_team *t, cilk_seat *s, void (*of_what)(cilk_worker *)) {
  place was = present(w->ext, t, s);
  of_what(w);
  back(w->ext, was);
}

void cilk_leave_below(cilk_worker *w, cilk_seat *s) {
  for (; s; s = s->below) notify_at(w, s->nest->outer, s->below, cilk_leave);
}

void cilk_back_below(cilk_worker *w, cilk_seat *s) {
  for (; s; s = s->below) notify_at(w, s->nest->outer, s->below, cilk_back);
}

/* s is a fiber of the outer team again. */
static void hand_back(cilk_worker *w, cilk_seat *s, Cilk_why why) {
  cilk_closure_change(s->closure, CILK_TAKEN, CILK_READY);
  cilk_ready(w, s->closure, why);
}

void cilk_seat_awake(cilk_worker *w, cilk_seat *s) {
  cilk_nest *n = s->nest;
  cilk_worker_ext *x = w->ext;
  cilk_seat *mine = x->nest.seat;
  while (mine && mine->nest != n) mine = mine->below;
  /* it sits in the outer team, or it is none of that (then the common pool gets it) */
  if (!mine) {
    hand_back(w, s, CILK_WHY_STARTED);
    return;
  }
  place was = present(x, n->outer, mine->below);
  hand_back(w, s, CILK_WHY_STARTED);
  back(x, was);
}

void cilk_seat_wake(cilk_worker *w, cilk_nest *n) {
  __atomic_fetch_add(&n->published, 1u, __ATOMIC_SEQ_CST);
  cilk_seat *s = cilk_seat_of_nest(n, NULL);
  if (s) cilk_seat_awake(w, s);
}

void cilk_seat_call(cilk_worker *w, cilk_seat *s) {
  if (cilk_seat_of_nest(s->nest, s)) cilk_seat_awake(w, s);
}

/* All entries of this worker's deque, also those below the loop, are for others from now on. Thieves look only at the
 * deque that the worker is on. */
static void give_entries(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_closure *c;
  bool closing = x->closing;
  x->closing = true;
  if ((c = x->next)) {
    x->next = NULL;
    cilk_orphan(w, c);
  }
  while ((c = cilk_take_heads(w))) cilk_orphan(w, c);
  x->closing = closing;
}

/* w sits in s and in all seats above s again; or leaves them for a while. */
static void take_seats(cilk_worker *w, cilk_seat *top, cilk_seat *s, bool back_again) {
  for (;; top = top->below) {
    notify_at(w, &top->nest->team, top, back_again ? cilk_back : cilk_leave);
    store_seq_cst(&top->worker, back_again ? w : NULL);
    if (top == s) return;
  }
}

/* The worker changes to the stack of an engine's seat. True: the seat was set aside, and its frames are as they
 * were. */
static bool enter_stack(cilk_worker *w, cilk_seat *s) {
  cilk_worker_ext *x = w->ext;
  cilk_seat *below = x->nest.seat, *floor = x->nest.floor;
  bool aside = s->stack != NULL;
  give_entries(w);
  if (!aside) s->stack = cilk_seat_stack_take(w, s);
  cilk_seat_stack_exchange(s->stack);
  if (aside) {                            /* perhaps another loop is below now */
    s->below = below;
    cilk_seat_stack_rebase(s->stack, x->nest.stack, floor);
    take_seats(w, x->nest.seat, s, true);
  }
  return aside;
}

bool cilk_seat_sit(cilk_worker *w, cilk_closure *c) {
  cilk_worker_ext *x = w->ext;
  cilk_seat *s = cilk_seat_of(c);
  cilk_nest *n = s->nest;
  cilk_check(n->outer == x->team);
  while (!cilk_engine_enter(n->engine)) {
    if (cilk_seat_pause(s)) return false;
    if (load_seq_cst(&n->over)) {
      cilk_seat_retire(s);
      return false;
    }
  }
  if (CILK_ARCH_STACKS && n->engine && enter_stack(w, s)) {
    if (cilk_engine_paused(n->engine)) cilk_hurry(w);
    return true;
  }
  s->below = x->nest.seat;
  s->floor = x->floor;
  s->since = x->ctx->ticker && n->team.sched->slice ? cilk_now_ns() : 0;
  x->floor = load_relaxed(&w->tail);
  x->nest.seat = s;
  x->team = &n->team;
  /* pairs with Cilk_steal's acquire; before the look below, against pause_it of engine.c */
  store_seq_cst(&s->worker, w);
  if (cilk_engine_paused(n->engine)) cilk_hurry(w);
  cilk_closure *first = load_relaxed(&n->first) ? __atomic_exchange_n(&n->first, NULL, __ATOMIC_ACQ_REL) : NULL;
  if (first) cilk_ready_quietly(w, first, CILK_WHY_STARTED);
  return true;
}

/* The worker gives what it has of the nested team to the nested scheduler. */
static cilk_seat *stand_up(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_seat *s = x->nest.seat;
  cilk_closure *c;
  x->closing = true;
  while ((c = x->next) || (c = cilk_deque_pop_ready(w, x->floor))) {
    x->next = NULL;
    cilk_orphan(w, c);
  }
  cilk_leave(w);
  x->closing = false;
  /* against Cilk_post: it sees this, or its fiber is seen before the seat sleeps */
  store_seq_cst(&s->worker, (cilk_worker *)NULL);
  x->nest.seat = s->below;
  x->floor = s->floor;
  x->team = s->nest->outer;
  if (s->stack) {
    cilk_seat_stack_exchange(s->stack);
    cilk_seat_stack_drop(s->stack);
    s->stack = NULL;
  }
  cilk_engine_left(s->nest->engine);
  return s;
}

/* The outermost seat whose engine is paused, above the loop's; or NULL. */
static cilk_seat *paused_seat(const cilk_worker_ext *x) {
  cilk_seat *found = NULL;
  for (cilk_seat *s = x->nest.seat; s != x->nest.floor; s = s->below)
    if (cilk_engine_paused(s->nest->engine)) found = s;
  return found;
}

/* The outermost seat whose engine is paused, and which cannot be left, since C code above it waits; or NULL. */
static cilk_seat *paused_below(const cilk_worker_ext *x) {
  cilk_seat *found = NULL;
  for (cilk_seat *s = x->nest.floor; s; s = s->below)
    if (s->stack && cilk_engine_paused(s->nest->engine)) found = s;
  return found;
}

bool cilk_seat_called_away_now(const cilk_worker *w) { return paused_below(w->ext); }

/* Two stacks of one worker may wait for each other. */
bool cilk_seat_pass(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  x->nest.passes = x->nest.stack && load_relaxed(&x->nest.due) ? cilk_seat_in_the_way(w) : NULL;
  return x->nest.passes;
}

/* The worker goes on with the loop below s, until s is due here. C code has begun the present loop, and the worker sits
 * in no seat above the floor of this loop. */
static void set_aside(cilk_worker *w, cilk_seat *s) {
  cilk_worker_ext *x = w->ext;
  cilk_seat_stack *st = s->stack, *top = x->nest.stack;
  give_entries(w);
  take_seats(w, x->nest.seat, s, false);
  cilk_seat_stack_exchange(st);
  if (!cilk_seat_pause(s)) { /* it runs again already */
    cilk_spin_lock(&x->ctx->seats_lock);
    cilk_seat_owe(s);
    cilk_spin_unlock(&x->ctx->seats_lock);
  }
  cilk_engine_left(s->nest->engine);
  cilk_seat_stack_away(st, top);
}

bool cilk_seat_go_away_now(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_seat *s = x->nest.floor ? paused_below(x) : NULL;
  if (!s && (s = x->nest.passes)) x->nest.passed++;
  x->nest.passes = NULL;
  if (s && x->nest.seat == x->nest.floor) set_aside(w, s);
  else if (s) cilk_seat_leave_all(w, x->nest.floor);
  return s;
}

void cilk_seat_leave_all(cilk_worker *w, cilk_seat *to) {
  while (w->ext->nest.seat != to) {
    cilk_seat *s = stand_up(w);
    if (load_seq_cst(&s->nest->over)) cilk_seat_retire(s);
    else hand_back(w, s, CILK_WHY_PREEMPTED);
  }
}

void cilk_seat_leave(cilk_worker *w) {
  cilk_seat *leave = w->ext->nest.leave ? w->ext->nest.leave : paused_seat(w->ext);
  w->ext->nest.leave = NULL;
  /* else a loop began above it meanwhile */
  for (cilk_seat *s = w->ext->nest.seat; s != w->ext->nest.floor; s = s->below)
    if (s == leave) {
      cilk_seat_leave_all(w, s->below);
      return;
    }
}

/* Nothing was found there since `seen`. */
static void fall_asleep(cilk_worker *w, uint32_t seen) {
  cilk_seat *s = stand_up(w);
  if (cilk_seat_sleep(s, seen)) return;
  if (load_seq_cst(&s->nest->over)) cilk_seat_retire(s);
  else hand_back(w, s, CILK_WHY_PREEMPTED);
}

cilk_closure *cilk_seat_look(cilk_worker *w) {
  uint32_t seen = load_seq_cst(&w->ext->nest.seat->nest->published);
  cilk_closure *c = cilk_next(w); /* again: it may have become ready before `seen` was read */
  if (!c && !(c = cilk_look(w))) fall_asleep(w, seen);
  return c;
}

cilk_closure *cilk_seat_try(cilk_worker *w) {
  cilk_seat *s = cilk_seat_asleep(w);
  cilk_closure *c = NULL;
  if (!s) return NULL;
  cilk_seating_begin(w);
  if (cilk_seat_sit(w, s->closure)) {
    c = cilk_seat_look(w);
    if (!c) c = cilk_next(w); /* the seat may have gone back to the outer scheduler */
  }
  cilk_seating_end(w);
  return c;
}

/* ---- in a forked child ---- */

static bool is_among(const cilk_seat *list, const cilk_seat *s) {
  while (list && list != s) list = list->next;
  return list;
}

static bool has_seat(const cilk_worker *w, const cilk_seat *s) {
  if (s->stack) return s->stack->worker == w;
  const cilk_seat *mine = w->ext->nest.seat;
  while (mine && mine != s) mine = mine->below;
  return mine;
}

/* Counts the seats of n again. Those in the hands of other workers are published, or retired where the computation is
 * over. */
static void recount(cilk_worker *w, cilk_nest *n) {
  uint32_t left = 0, inside = 0;
  cilk_seat *lost = NULL, *s;
  for (int i = 0; i < n->team.vprocs; i++) {
    s = &n->seats[i];
    left += s->closure != NULL;
    inside += s->worker == w;
    if (!s->closure || load_relaxed(&s->closure->state) != CILK_TAKEN || has_seat(w, s) || is_among(n->asleep, s) ||
        is_among(n->aside, s))
      continue;
    store_relaxed(&s->worker, (cilk_worker *)NULL);
    s->stack = NULL;
    s->next = lost;
    lost = s;
  }
  n->left = left + 1; /* and this function */
  if (n->engine) {
    n->engine->inside = inside;
    if (!inside && cilk_engine_paused(n->engine)) cilk_engine_notify(n->engine);
  }
  while ((s = lost)) {
    lost = s->next;
    if (load_relaxed(&n->over)) cilk_seat_retire(s);
    else cilk_seat_awake(w, s);
  }
  cilk_nest_drop(n);
}

void cilk_seats_of_others(cilk_worker *w) {
  for (cilk_nest *n = w->ext->ctx->every_nest, *other; n; n = other) {
    other = n->other;
    recount(w, n);
  }
}

/* ---- at safe points ---- */

void cilk_seat_recall(cilk_worker *w) {
  if (paused_seat(w->ext) || load_relaxed(&w->ext->nest.due)) cilk_hurry(w);
}

/* The ticker ticks for the shortest slice of all teams. */
static bool late(cilk_worker_ext *x, const cilk_team *t, uint64_t *since) {
  uint64_t slice = t->sched->slice ? t->sched->slice(t->self) : 0;
  if (!slice || cilk_ticker_slice(x->ctx) >= slice) return true;
  uint64_t now = cilk_now_ns();
  if (now - *since < slice) return false;
  *since = now;
  return true;
}

static bool own_late(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  return late(x, x->team, x->nest.seat ? &x->nest.seat->since : &x->nest.since);
}

/* The teams below s, down to where the loop began. */
static bool stays_below(cilk_worker *w, Cilk_point at, cilk_seat *s) {
  cilk_worker_ext *x = w->ext;
  if (s == x->nest.floor) return true;
  if (!stays_below(w, at, s->below)) return false;
  cilk_team *t = s->nest->outer;
  if (!t->sched->asked || !t->sched->slice) return true;
  place was = present(x, t, s->below);
  bool leaves = own_late(w) && cilk_team_asked(w, t, at, 1) == CILK_LEAVE;
  back(x, was);
  if (leaves) x->nest.leave = s;
  return !leaves;
}

bool cilk_seats_stay(cilk_worker *w, Cilk_point at, int *late) {
  if (!stays_below(w, at, w->ext->nest.seat)) return false;
  *late = w->ext->team->sched->slice && own_late(w);
  return true;
}

bool cilk_seat_must_leave(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  cilk_seat *paused = paused_seat(x);
  if (paused) x->nest.leave = paused;
  return paused || (load_relaxed(&x->nest.due) && cilk_seat_wanted(w));
}

/* ---- the loop ---- */

/* The scheduler's loop goes on above, on the stack of an engine's seat, until that is left. Nests are only where steps
 * have no order. */
static void run_seat(cilk_seat_stack *st) {
  cilk_worker *w = st->worker;
  cilk_worker_ext *x = w->ext;
  while (st->seat)
    if (x->nest.stack != st) cilk_seat_stack_go(w, st, st->flag, st->value, run_seat);
    else if (cilk_reached(st->flag, st->value)) cilk_seat_leave_all(w, x->nest.floor);
    else if (!cilk_seat_go_away(w)) cilk_schedule_round(w, st->flag, st->value);
}

void cilk_seat_stack_run(cilk_worker *w, const cilk_seat_stack *here, const uint32_t *flag, uint32_t value) {
  cilk_seat_stack_go(w, here, flag, value, run_seat);
}

bool cilk_seat_stack_loop(cilk_seat_stack *here, cilk_seat **floor) {
  if (floor && here->first) return false;
  here->first = floor;
  return true;
}

/* ---- what others see of seats ---- */

cilk_closure **cilk_seat_inbox(cilk_seat *s) { return &s->inbox; }
int cilk_seat_number(const cilk_seat *s) { return s->number; }
cilk_worker *cilk_seat_worker(cilk_nest *n, int number) { return load_acquire(&n->seats[number].worker); }
cilk_closure **cilk_nest_inbox(cilk_nest *n, int number) { return &n->seats[number].inbox; }
cilk_closure **cilk_nest_orphans(cilk_nest *n) { return &n->orphans; }
bool cilk_nest_can_wake(const cilk_nest *n, const cilk_team *outer) {
  return n->outer == outer && n->asleep && !cilk_engine_paused(n->engine);
}

void cilk_nest_posted(cilk_worker *w, cilk_nest *n, int number) {
  cilk_seat *s = &n->seats[number];
  cilk_worker *to = load_seq_cst(&s->worker);
  /* a worker that leaves that seat looks into its box again, under seats_lock */
  if (to) cilk_unpark(to);
  else cilk_seat_call(w, s);
}

/* What was set aside here and goes on. */
cilk_closure *cilk_seat_due_here(cilk_worker *w) {
  const cilk_seat *s = cilk_seat_due(w);
  return s ? s->closure : NULL;
}

bool cilk_seat_stack_called(const cilk_worker_ext *x, const cilk_seat_stack **at, cilk_root_run **called) {
  *at = *at ? (*at)->other : x->nest.stacks;
  if (*at) *called = (*at)->ground.called;
  return *at;
}

void cilk_seats_give_up(cilk_worker *w) {
  cilk_worker_ext *x = w->ext;
  for (cilk_seat *s = x->nest.seat, *below; s; s = below) {
    below = s->below;
    x->team = &s->nest->team;
    x->nest.seat = s;
    cilk_leave(w);
  }
  x->nest.seat = NULL;
}
