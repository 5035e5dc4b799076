/* record_replay.c - the order of steps: --sched=record:FILE writes it down on a real run, --sched=replay:FILE[:P]
 * repeats it.
 *
 * Where there is an order, all pops and tests come into the runtime, and what the runtime does between two pieces of
 * user code is a *step*: from `begin` to `end` no other worker makes one. User code runs in parallel, and so do pops
 * and tests at which nothing happens; those are only counted. What comes out of a run is then a function of the order
 * of the steps; of what pops and tests each was preceded by on its own worker; and of the little that a step sees of
 * another worker's user code: that its head can be stolen, that a parent is pushed. These are what a file has
 * (record.h). Random numbers and clocks decide what is recorded, but are not needed to repeat it.
 *
 * Recording: a mutex is held in a step. Polls that find nothing are no steps. The scheduler is one of this file: fibers
 * lie on their workers' lists, thieves take the heads of victims' deques, then the oldest of these.
 *
 * Replay has as many workers as the record, each with the steps that it made then. A worker that comes to its next step
 * waits until all earlier ones are done. Of the workers, P at most run at a time: a waiter lends its *place* to
 * another. With P = 1 exactly one thread runs, and which one is a function of the file.
 *
 * A step that steals from a worker must find it where it was: it waits until the victim has counted as many pops and
 * tests as then, and the entry is there. It stays there, since the pop that will miss it is a step, and a later one. */
#define _GNU_SOURCE
#include "replay/record_replay.h"
#include "data/computation.h"
#include "data/step.h"
#include "fibers/fiber.h"
#include "observe/rendezvous.h"
#include "steal/lazy.h"
#include "base/message.h"
#include "data/policy.h"
#include "observe/record.h"
#include "steal/segment.h"
#include "steal/sleep.h"
#include "steal/stats.h"
#include "steal/steal.h"
#include "replay/stuck.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* no computation; user code, without a place and with one; for its turn; in a step; there, until others have got
 * further; below */
enum state { OUT, WANTS, RUNS, WAITS, STEPS, LENDS, ENDS };

typedef struct participant {
  pthread_cond_t go;
  enum state state;                /* mutex */
  bool open, dirty;                /* a step has begun; it did something, and is in the file. The worker's own */
  enum cilk_step kind;             /* of that step */
  uint64_t pops __attribute__((aligned(64)));   /* and tests, so far; stored under the worker's lock when recording */
  uint64_t last;                   /* at its last step */
  uint64_t next;                   /* replay: of its steps */
  /* replay: a step of another worker needs this worker to get so far, in pops and tests; mutex */
  uint64_t wanted;
  /* replay: at its end, but such a step needs it further than this pop or test; mutex */
  bool onward;
  const unsigned char *note;       /* replay: the next observation of the present step */
  cilk_closure *first;             /* its READY closures, the youngest first; in a step */
} participant;

struct cilk_order {
  cilk_context *ctx;
  bool replay, noted;
  pid_t process;
  int places;                      /* replay; mutex */
  /* replay: of the step that is next; of those by threads that are no workers; mutex */
  uint64_t index, outside;
  uint64_t closures, computations; /* numbers given so far; in a step */
  pthread_mutex_t mutex;           /* recording: held in a step. Replay: what says so */
  pthread_mutex_t names;           /* guards what follows */
  struct name { uint64_t number; cilk_computation *m; struct name *next; } *started;
  cilk_rendezvous rendezvous;
  cilk_recording file;
  cilk_record record;
  participant of[CILK_MOST_TURNS];
};

CILK_SHARED int cilk_rt_locks_ordered;

static participant *mine(const cilk_worker *w) { return &w->ext->ctx->order->of[w->id]; }
static bool replays(const cilk_worker *w) { return w->ext->ctx->order->replay; }

static uint64_t closure_number(cilk_worker *w) { return ++w->ext->ctx->order->closures; }

/* ---- replay: turns and places ---- */

static const char *const names[CILK_STEPS] = {
  [CILK_STEP_POP] = "the return of a child",
  [CILK_STEP_TEST] = "a test for thieves",
  [CILK_STEP_LOOP] = "a look for work",
  [CILK_STEP_SEGMENT] = "the end of a piece of work",
  [CILK_STEP_AFTER] = "the end of an inlet",
  [CILK_STEP_SYNC] = "a sync",
  [CILK_STEP_RETURN] = "a return",
  [CILK_STEP_SYNCHED] = "SYNCHED",
  [CILK_STEP_ABORT] = "an abort",
  [CILK_STEP_LOCK] = "Cilk_lock",
  [CILK_STEP_START] = "Cilk_start",
  [CILK_STEP_WAIT] = "Cilk_wait",
  [CILK_STEP_CANCEL] = "Cilk_cancel",
  [CILK_STEP_EXIT] = "Cilk_exit",
  [CILK_STEP_OUTSIDE] = "a cancellation from outside",
  [CILK_STEP_CLEANUP] = "Cilk_on_end",
  [CILK_STEP_TOUCH] = "a touch",
  [CILK_STEP_FILL] = "a future's value",
};

static CILK_NORETURN void diverged(cilk_order *o, int worker, const char *what)
{
  participant *p = &o->of[worker];
  const cilk_replay_step *s = p->next < o->record.of[worker].n ? &o->record.of[worker].step[p->next] : NULL;
  cilk_repeat_note(0, NULL);              /* the same words would end here again */
  cilk_outcome_parted();
  cilk_fatal(
      "%s: the program does something else than when it was recorded, at step %llu of %llu: worker %d, after %llu pops and tests, has %s where %s after %llu was recorded; "
      "`cilkc race` finds out whether it has races",
      o->record.name, (unsigned long long)o->index, (unsigned long long)o->record.steps, worker,
      (unsigned long long)p->pops, what, s ? names[s->kind] : "nothing", (unsigned long long)(s ? s->pops : p->pops));
}

static struct timespec later(uint64_t ns)
{
  uint64_t at = cilk_wall_ns() + ns;
  return (struct timespec){ (time_t)(at / 1000000000u), (long)(at % 1000000000u) };
}

static int owner(const cilk_order *o) { return o->index < o->record.steps ? o->record.who[o->index] : -1; }

static void wake(participant *p, enum state state)
{
  p->state = state;
  pthread_cond_signal(&p->go);
}

/* mutex held. Gives the free places to workers that can go on: the one whose turn it is, then user code, its own
 * first. A worker that waits in a step for others comes last. */
static void dispatch(cilk_order *o)
{
  int turn = owner(o), n = o->ctx->nproc;
  while (o->places > 0) {
    participant *p = NULL;
    enum state next = RUNS;
    if (turn >= 0 && turn < n && o->of[turn].state == WAITS) {
      p = &o->of[turn];
      next = STEPS;
    } else if (turn >= 0 && turn < n && o->of[turn].state == WANTS)
      p = &o->of[turn];
    for (int i = 0; i < n && !p; i++)
      if (o->of[i].state == WANTS)
        p = &o->of[i];
    for (int i = 0; i < n && !p; i++)
      if (o->of[i].state == LENDS) {
        p = &o->of[i];
        next = STEPS;
      }
    if (!p)
      return;
    o->places--;
    wake(p, next);
  }
}

/* mutex held: no worker will move any more. */
static bool stuck(const cilk_order *o)
{
  for (int i = 0; i < o->ctx->nproc; i++)
    if (o->of[i].state != WAITS && o->of[i].state != OUT)
      return false;
  return true;
}

/* mutex held; p is `me`'s. Until it has a place again. */
static void await(cilk_order *o, participant *p, int me, enum state state)
{
  p->state = state;
  o->places++;
  dispatch(o);
  while (p->state == state) {
    struct timespec until;
    uint64_t index = o->index;
    if (o->index == o->record.steps && stuck(o)) {
      if (o->record.whole)
        diverged(o, me, "more to do");
      cilk_repeat_note(0, NULL);
      cilk_fatal("%s ends here, after %llu steps: the run that was recorded was cut short", o->record.name,
          (unsigned long long)o->record.steps);
    }
    until = later((uint64_t)CILK_TURN_PATIENCE_S * 1000000000u);
    if (pthread_cond_timedwait(&p->go, &o->mutex, &until) && p->state == state && o->index == index && !o->noted) {
      o->noted = true;
      char text[128];
      snprintf(text, sizeof text,
          "replay: no step for some %d s: does the program wait for another worker by itself?\n", CILK_TURN_PATIENCE_S);
      cilk_message_note(text);
    }
  }
}

/* In a step, of the worker that has the turn: until what it needs of others' user code is there. */
static void until(cilk_worker *w, bool (*there)(cilk_worker *, void *), void *what)
{
  cilk_order *o = w->ext->ctx->order;
  participant *p = mine(w);
  pthread_mutex_lock(&o->mutex);
  while (!there(w, what)) {
    bool others = false;
    for (int i = 0; i < o->ctx->nproc; i++)
      others |= o->of[i].state == RUNS || o->of[i].state == WANTS;
    if (!others)
      diverged(o, w->id, "waited for what does not come");
    o->places++;                          /* not for itself: what it waits for others have to do */
    dispatch(o);
    p->state = LENDS;
    while (p->state == LENDS) {
      struct timespec soon = later(CILK_ORDER_AGAIN_NS);
      pthread_cond_timedwait(&p->go, &o->mutex, &soon);
      if (p->state == LENDS && o->places > 0) {   /* others have places of their own: look again */
        o->places--;
        p->state = STEPS;
      }
    }
  }
  pthread_mutex_unlock(&o->mutex);
}

/* ---- replay: what a step saw ---- */

static bool next_note(participant *p, int tag, uint64_t *numbers, int n)
{
  if (!p->note || *p->note != tag)
    return false;
  const unsigned char *at = p->note + 1;
  for (int i = 0; i < n; i++)
    numbers[i] = cilk_record_number(&at);
  p->note = at;
  return true;
}

static bool peek_note(participant *p, int tag, uint64_t *numbers, int n)
{
  const unsigned char *at = p->note;
  bool found = next_note(p, tag, numbers, n);
  p->note = at;
  return found;
}

/* for a delivery to this parent; NULL: for a steal */
struct place { cilk_worker *victim; uint64_t pops; const cilk_closure *parent; };

/* What the place is about is on the victim's deque. Its worker runs in parallel, or is stopped. */
static bool is_pushed(const struct place *at)
{
  const cilk_worker_ext *x = at->victim->ext;
  cilk_closure **t = load_acquire(&at->victim->tail);
  if (!at->parent)
    return t > load_relaxed(&x->head);
  for (const cilk_segment *s = x->seg; s; s = s->outer)
    if (load_relaxed(&s->full) == at->parent)
      return t > s->base;
  return false;
}

/* mutex held. The victim is where it was: it has counted more than then, which it did after the push; or as much, and
 * waits or has pushed something. */
static bool has_come(cilk_worker *w, void *what)
{
  const struct place *at = what;
  cilk_worker *v = at->victim;
  participant *p = mine(v);
  uint64_t pops = load_acquire(&p->pops);   /* pairs with the store in counted */
  (void)w;
  if (v == w || pops > at->pops)
    return true;
  if (pops == at->pops &&
      (p->state == WAITS || p->state == OUT || ((p->state == ENDS || !at->parent) && is_pushed(at))))
    return true;
  p->wanted = at->pops > p->wanted ? at->pops : p->wanted;
  if (p->state == ENDS) {
    p->state = WANTS;
    p->onward = true;
  }
  return false;
}

/* ---- steps ---- */

/* Recording: the step is one, and not a poll that is forgotten. */
static void touch(cilk_worker *w, int answer)
{
  cilk_order *o = w->ext->ctx->order;
  participant *p = mine(w);
  if (p->dirty)
    return;
  cilk_recording_step(&o->file, p->kind, answer, w->id, p->pops - p->last);
  p->last = p->pops;
  p->dirty = true;
}

static void note(cilk_worker *w, int tag, const uint64_t *numbers, int n)
{
  touch(w, 0);
  cilk_recording_note(&w->ext->ctx->order->file, tag, numbers, n);
}

static const cilk_replay_step *next_step(const cilk_order *o, int worker)
{
  uint64_t k = o->of[worker].next;
  return k < o->record.of[worker].n ? &o->record.of[worker].step[k] : NULL;
}

static void begin(cilk_worker *w, enum cilk_step kind, int answer)
{
  cilk_order *o = w->ext->ctx->order;
  participant *p = mine(w);
  pthread_mutex_lock(&o->mutex);
  p->open = true;
  p->dirty = false;
  p->kind = kind;
  if (!o->replay) {
    if (kind != CILK_STEP_LOOP && kind != CILK_STEP_LOCK)
      touch(w, answer);
    return;
  }
  const cilk_replay_step *s = next_step(o, w->id);
  if (s && (s->kind != kind || s->pops != p->pops))
    diverged(o, w->id, names[kind]);
  await(o, p, w->id, WAITS);              /* for ever, when it made no further one: the process ended then */
  p->note = next_step(o, w->id)->notes;
  pthread_mutex_unlock(&o->mutex);
}

static void step_begins(cilk_worker *w, enum cilk_step kind)
{
  if (!mine(w)->open)
    begin(w, kind, 0);
}

/* mutex held. What threads that are no workers did next. */
static void outside(cilk_order *o)
{
  while (owner(o) == CILK_MOST_TURNS) {
    const unsigned char *at = o->record.of[CILK_MOST_TURNS].step[o->outside++].notes;
    uint64_t number = 0;
    if (*at++ == RECORD_WHOM)
      number = cilk_record_number(&at);
    pthread_mutex_unlock(&o->mutex);
    pthread_mutex_lock(&o->names);
    struct name *n = o->started;
    while (n && n->number != number)
      n = n->next;
    if (n)
      cilk_cancel(n->m);
    pthread_mutex_unlock(&o->names);
    pthread_mutex_lock(&o->mutex);
    o->index++;
  }
}

static void step_ends(cilk_worker *w)
{
  cilk_order *o = w->ext->ctx->order;
  participant *p = mine(w);
  if (!p->open)
    return;
  p->open = false;
  if (!o->replay) {
    touch(w, 0);
    cilk_recording_commit(&o->file);
    pthread_mutex_unlock(&o->mutex);
    return;
  }
  pthread_mutex_lock(&o->mutex);
  if (p->note && *p->note)
    diverged(o, w->id, "less to do");
  p->note = NULL;
  p->next++;
  o->index++;
  p->state = RUNS;
  outside(o);
  for (int i = 0; i < o->ctx->nproc && o->index == o->record.steps; i++)
    if (o->of[i].state == ENDS)
      o->of[i].state = WANTS;
  dispatch(o);
  pthread_mutex_unlock(&o->mutex);
}

/* Recording: a poll that did nothing. */
static void forget_step(cilk_worker *w)
{
  mine(w)->open = false;
  pthread_mutex_unlock(&w->ext->ctx->order->mutex);
}

/* ---- pops and tests ---- */

static void counted(cilk_worker *w) { store_release(&mine(w)->pops, mine(w)->pops + 1); }   /* pairs with has_come */

/* Replay: did something happen at this step in the record? */
static bool recorded(cilk_worker *w, enum cilk_step kind, int *answer)
{
  const cilk_order *o = w->ext->ctx->order;
  const cilk_replay_step *s = next_step(o, w->id);
  counted(w);
  if (s && (s->kind != kind || s->pops != mine(w)->pops))
    s = NULL;
  if (s)
    *answer = s->answer;
  return s != NULL;
}

/* Its lock is held. Is there something for the pop? */
static bool pop_happens(const cilk_worker *w)
{
  const cilk_worker_ext *x = w->ext;
  cilk_closure **t = load_relaxed(&w->tail);
  const cilk_segment *s = x->seg;
  return x->signal || t < load_relaxed(&x->head) || s->kept || s->unwinding || s->chain_old || !s->link ||
      cilk_link_aborted(s->link, x->ctx) ||
      /* without the closure's lock: what comes at the same time comes later */
      (*t == s->full && s->full->pending);
}

static bool test_happens(const cilk_worker *w)
{
  const cilk_link *l = load_acquire(&w->ext->seg->link);   /* as in cilk_rt_release */
  return load_relaxed(&w->ext->signal) || (l && cilk_link_aborted(l, w->ext->ctx));
}

/* Replay of a run that was cut short: this worker made no further step, so it must not go beyond the pop or test,
 * counted just now, where it would. What it meets there may have come from any step that was written down, so it waits
 * for all of them, unless one of them needs it further on: then it met nothing here, though it would by now, as what it
 * meets came later. */
static bool at_its_end(cilk_worker *w, bool (*happens)(const cilk_worker *))
{
  cilk_order *o = w->ext->ctx->order;
  participant *p = mine(w);
  if (next_step(o, w->id))
    return false;
  pthread_mutex_lock(&o->mutex);
  p->onward = p->pops < p->wanted;
  if (!o->record.whole && o->index < o->record.steps && !p->onward) {
    p->state = ENDS;
    o->places++;
    dispatch(o);
    while (p->state != RUNS)
      pthread_cond_wait(&p->go, &o->mutex);
  }
  bool onward = p->onward;
  pthread_mutex_unlock(&o->mutex);
  if (onward)
    return false;
  cilk_worker_lock(w);
  bool yes = happens(w);
  cilk_worker_unlock(w);
  return yes;
}

static bool at_pop(cilk_worker *w, bool *leave)
{
  int answer = 0;
  if (w->ext->ctx->order->replay) {
    if (!recorded(w, CILK_STEP_POP, &answer) && !at_its_end(w, pop_happens))
      return false;
    *leave = answer == CILK_LEAVE;
  } else {
    cilk_worker_lock(w);
    counted(w);
    bool happens = *leave || pop_happens(w);
    cilk_worker_unlock(w);
    if (!happens)
      return false;
    answer = *leave ? CILK_LEAVE : CILK_STAY;
  }
  begin(w, CILK_STEP_POP, answer);
  return true;
}

static bool at_test(cilk_worker *w, Cilk_point at, Cilk_answer *answer)
{
  int what = CILK_STAY;
  if (w->ext->ctx->order->replay) {
    if (!recorded(w, CILK_STEP_TEST, &what) && !at_its_end(w, test_happens))
      return false;
  } else {
    counted(w);
    what = (int)cilk_asked(w, at);
    if (what == CILK_STAY && !test_happens(w))
      return false;
  }
  *answer = (Cilk_answer)what;
  begin(w, CILK_STEP_TEST, what);
  return true;
}

/* ---- fibers ---- */

static void put(cilk_worker *w, cilk_closure *c)
{
  participant *p = mine(w);
  c->next = p->first;
  p->first = c;
}

static void give(cilk_worker *w, cilk_closure *c, Cilk_why why)
{
  cilk_worker_ext *x = w->ext;
  if (why == CILK_WHY_RESUMED && !x->next) {
    if (cilk_take_ready(w, c))
      x->next = c;
    return;
  }
  put(w, c);
}

static cilk_closure *take(cilk_worker *w, cilk_closure **at)
{
  cilk_closure *c = *at;
  *at = c->next;
  if (!replays(w))
    note(w, RECORD_TOOK, (uint64_t[]){ c->number, 0, 0 }, 3);
  return cilk_take_ready(w, c);
}

/* Recording: the youngest of w's own, or the oldest of another's. */
static cilk_closure *take_from(cilk_worker *w, int whose, bool youngest)
{
  cilk_closure **found = NULL;
  for (cilk_closure **at = &w->ext->ctx->order->of[whose].first; *at && !(found && youngest); at = &(*at)->next)
    if (cilk_may_take(w->ext, cilk_closure_root(*at)))
      found = at;
  return found ? take(w, found) : NULL;
}

static cilk_closure *as_recorded(cilk_worker *w)
{
  cilk_order *o = w->ext->ctx->order;
  uint64_t what[3];
  cilk_closure *c = NULL;
  while (!c && peek_note(mine(w), RECORD_TOOK, what, 3)) {
    if (what[1]) {
      if ((int)what[1] > o->ctx->nproc)
        diverged(o, w->id, "no such victim");
      c = cilk_steal(w, o->ctx->workers[what[1] - 1]);   /* consumes the note */
      continue;
    }
    next_note(mine(w), RECORD_TOOK, what, 3);
    cilk_closure **at = NULL;
    for (int i = 0; i < o->ctx->nproc && !at; i++)
      for (cilk_closure **k = &o->of[i].first; *k && !at; k = &(*k)->next)
        if ((*k)->number == what[0])
          at = k;
    if (!at)
      diverged(o, w->id, "a fiber that is not there");
    c = take(w, at);
  }
  return c;
}

static cilk_closure *own_next(cilk_worker *w)
{
  cilk_worker_ext *x = w->ext;
  cilk_closure *c = x->next;
  x->next = NULL;
  if (c)
    return c;
  if (load_relaxed(&w->tail) != x->floor) {   /* detached from their activations, they stay on the deque */
    if (!replays(w))
      touch(w, 0);
    c = cilk_deque_pop_ready(w, x->floor);
  }
  if (c)
    return c;
  return replays(w) ? as_recorded(w) : take_from(w, w->id, true);
}

static cilk_closure *look_at_others(cilk_worker *w)
{
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  int first = (int)cilk_choose(w, CILK_CHOOSE_VICTIM, (uint64_t)ctx->nproc);
  for (int i = 0; i < ctx->nproc && !c && !mine(w)->dirty; i++) {
    int v = (first + i) % ctx->nproc;
    if (v != w->id && !(c = cilk_steal(w, ctx->workers[v])) && !mine(w)->dirty)
      c = take_from(w, v, false);
  }
  return c;
}

static bool may_steal(cilk_worker *thief, cilk_worker *victim)
{
  uint64_t what[3];
  if (!replays(thief))
    return true;
  if (!next_note(mine(thief), RECORD_TOOK, what, 3) || what[1] != (uint64_t)victim->id + 1)
    return false;
  until(thief, has_come, &(struct place){ victim, what[2], NULL });
  return true;
}

static void has_stolen(cilk_worker *thief, cilk_worker *victim, const cilk_closure *c)
{
  if (!replays(thief))
    note(thief, RECORD_TOOK,
        (uint64_t[]){ c ? c->number : 0, (uint64_t)victim->id + 1, load_acquire(&mine(victim)->pops) }, 3);
}

static void await_stop(cilk_worker *w, cilk_worker *victim, const cilk_closure *parent)
{
  uint64_t what[2];
  if (replays(w) && peek_note(mine(w), RECORD_STOPPED, what, 2) && what[0])
    until(w, has_come, &(struct place){ victim, what[1], parent });
}

static bool has_stopped(cilk_worker *w, cilk_worker *victim, bool pushed)
{
  uint64_t what[2] = { pushed, load_acquire(&mine(victim)->pops) };
  if (!replays(w))
    note(w, RECORD_STOPPED, what, 2);
  else if (!next_note(mine(w), RECORD_STOPPED, what, 2))
    diverged(w->ext->ctx->order, w->id, "a delivery");
  return what[0] != 0;
}

static cilk_closure *idle(cilk_worker *w, const uint32_t *flag, uint32_t value)
{
  cilk_context *ctx = w->ext->ctx;
  cilk_closure *c = NULL;
  int rounds = 0;
  cilk_idle_begin(w);
  cilk_search_begin(w);
  while (!cilk_reached(flag, value)) {    /* a step is open */
    if (!ctx->order->replay && (c = cilk_look(w)))
      break;
    if (mine(w)->dirty || ctx->order->replay)
      step_ends(w);
    else
      forget_step(w);
    if (ctx->lazy && !ctx->order->replay)
      cilk_hunger_arm(w);
    if (!ctx->order->replay)
      cilk_stuck(w, flag, value);
    if (++rounds % CILK_ORDER_POLLS)
      sched_yield();
    else if (!ctx->order->replay)
      nanosleep(&(struct timespec){ 0, CILK_ORDER_SLEEP_NS }, NULL);
    begin(w, CILK_STEP_LOOP, 0);
    if (!cilk_reached(flag, value) && (c = cilk_next(w)))
      break;
  }
  cilk_search_end(w, c != NULL);
  cilk_idle_end(w, c != NULL);
  return c;
}

static Cilk_answer asked(cilk_worker *w, Cilk_point at, int late)
{
  (void)late;
  return Cilk_answer_hunger(w, at);
}

/* ---- Cilk_lock ---- */

static bool lock_is_free(cilk_worker *w, void *lock)
{
  (void)w;
  return __atomic_load_n((volatile int *)lock, __ATOMIC_ACQUIRE) == 0;
}

static bool take_lock(cilk_worker *w, volatile int *lock)
{
  if (mine(w)->open)
    return false;
  bool replay = w->ext->ctx->order->replay;
  begin(w, CILK_STEP_LOCK, 0);
  for (int first = 1; first || __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0; first = 0)
    if (replay)
      until(w, lock_is_free, (void *)(uintptr_t)lock);   /* its holder has no step before it gives it back */
    else if (!first) {
      forget_step(w);
      sched_yield();
      begin(w, CILK_STEP_LOCK, 0);
    }
  step_ends(w);
  return true;
}

/* ---- computations that were started ---- */

static void name_computation(cilk_worker *w, cilk_computation *m)
{
  cilk_order *o = w->ext->ctx->order;
  struct name *n = malloc(sizeof *n);
  if (!n)
    cilk_fatal("out of memory");
  pthread_mutex_lock(&o->names);
  *n = (struct name){ ++o->computations, m, o->started };
  o->started = n;
  pthread_mutex_unlock(&o->names);
}

static void forget_computation(cilk_context *ctx, cilk_computation *m)
{
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

static bool cancel_outside(cilk_context *ctx, cilk_computation *m)
{
  cilk_order *o = ctx->order;
  if (o->replay)
    return false;
  uint64_t number = 0;
  pthread_mutex_lock(&o->names);
  for (const struct name *n = o->started; n; n = n->next)
    if (n->m == m)
      number = n->number;
  pthread_mutex_unlock(&o->names);
  pthread_mutex_lock(&o->mutex);
  cilk_recording_step(&o->file, CILK_STEP_OUTSIDE, 0, CILK_MOST_TURNS, 0);
  cilk_recording_note(&o->file, RECORD_WHOM, &number, 1);
  return true;
}

static void cancelled_outside(cilk_context *ctx)
{
  cilk_recording_commit(&ctx->order->file);
  pthread_mutex_unlock(&ctx->order->mutex);
}

/* ---- computations, contexts ---- */

static void nothing(void *order) { (void)order; }

static void all_begin(void *order)
{
  cilk_order *o = order;
  pthread_mutex_lock(&o->mutex);
  for (int i = 0; i < o->ctx->nproc; i++)
    o->of[i].state = WANTS;
  outside(o);
  dispatch(o);
  pthread_mutex_unlock(&o->mutex);
}

static void enter(cilk_worker *w)
{
  cilk_order *o = w->ext->ctx->order;
  cilk_rendezvous_in(&o->rendezvous, o->replay ? all_begin : nothing, o);
  if (!o->replay)
    return;
  pthread_mutex_lock(&o->mutex);
  while (mine(w)->state == WANTS)
    pthread_cond_wait(&mine(w)->go, &o->mutex);
  pthread_mutex_unlock(&o->mutex);
}

static void leave(cilk_worker *w)
{
  cilk_order *o = w->ext->ctx->order;
  if (o->replay) {
    pthread_mutex_lock(&o->mutex);
    mine(w)->state = OUT;
    o->places++;
    dispatch(o);
    pthread_mutex_unlock(&o->mutex);
  }
  cilk_rendezvous_out(&o->rendezvous);
}

static void wait_for_all(cilk_context *ctx)
{
  cilk_rendezvous_wait(&ctx->order->rendezvous);
}

#define STEPS(does) \
  { does, step_begins, step_ends, at_pop, at_test, give, own_next, look_at_others, may_steal, has_stolen, await_stop, \
    has_stopped, closure_number, name_computation, forget_computation, cancel_outside, cancelled_outside, take_lock }
static const cilk_steps recorded_steps = STEPS(false), replayed_steps = STEPS(true);

static cilk_order *recording;             /* whose file has to be closed when the process ends */

static void at_exit(void)
{
  cilk_order *o = recording;
  struct timespec soon = later(1000000000u);
  if (!o || o->process != getpid())
    return;
  cilk_worker *w = cilk_me();
  /* it ends in the midst of a step: that step is the last */
  if (w->id >= 0 && w->ext->ctx == o->ctx && mine(w)->open) {
    if (mine(w)->dirty)
      cilk_recording_commit(&o->file);
  } else if (pthread_mutex_timedlock(&o->mutex, &soon) != 0)
    return;                               /* left as that of a run that was cut short */
  recording = NULL;
  cilk_recording_close(&o->file);
}

static void make(cilk_context *ctx)
{
  static bool used;
  void *p = NULL;
  if (used)
    cilk_fatal("--sched=%s: of several contexts in one process only one can be recorded or replayed",
        ctx->opt.record_file ? "record" : "replay");
  used = true;
  if (posix_memalign(&p, 64, sizeof(cilk_order)) != 0)
    cilk_fatal("out of memory");
  cilk_order *o = ctx->order = memset(p, 0, sizeof(cilk_order));
  o->ctx = ctx;
  o->process = getpid();
  pthread_mutex_init(&o->mutex, NULL);
  pthread_mutex_init(&o->names, NULL);
  cilk_rendezvous_init(&o->rendezvous, ctx->nproc);
  for (int i = 0; i < ctx->nproc; i++)
    pthread_cond_init(&o->of[i].go, NULL);
  o->replay = ctx->opt.replay_file != NULL;
  ctx->steps = o->replay ? &replayed_steps : &recorded_steps;
  if (o->replay) {
    cilk_record_load(&o->record, ctx);
    o->places = ctx->opt.replay_places ? ctx->opt.replay_places : ctx->nproc;
  } else {
    cilk_recording_open(&o->file, ctx);
    recording = o;
    atexit(at_exit);
  }
  ctx->nodes = 0;
  ctx->processors = (uint32_t)ctx->nproc;
  cilk_rt_locks_ordered = 1;
  cilk_repeat_on_signals();
}

/* The context ends: what was recorded is in the file when the process does. */
static void unmake(cilk_context *ctx)
{
  cilk_order *o = ctx->order;
  if (recording == o) {
    recording = NULL;
    cilk_recording_close(&o->file);
  }
  free(o->record.bytes);
  free(o->record.who);
  for (int i = 0; i <= CILK_MOST_TURNS; i++)
    free(o->record.of[i].step);
  ctx->order = NULL;
  ctx->steps = NULL;
  free(o);
}

/* ---- the policy ---- */

/* A forked child chooses another policy: the file is the parent's. */
static const cilk_together together = { make, NULL, unmake, enter, leave, wait_for_all };

const cilk_policy cilk_policy_ordered = {
  .name = "ordered", .idle = idle, .asked = asked, .choose = cilk_choose_at_random, .every = true,
  .together = &together
};
