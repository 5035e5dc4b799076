/* places.c - replay: whose step is next, and the places to run in.
 *
 * A worker that comes to its next step waits until all earlier ones in the record are done. Of the workers, P at most
 * run at a time: a waiter lends its *place* to another. With P = 1 exactly one thread runs, and which one is a function
 * of the file. In turns there are no places: a waiter gives the turn away (choosers.c). */
#define _GNU_SOURCE
#include "replay/order.h"
#include "base/message.h"
#include "data/policy.h"
#include "replay/outcome.h"
#include "replay/controlled_schedule.h"

#include <stdio.h>
#include <time.h>

const char *const cilk_order_names[CILK_STEPS] = {
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

CILK_NORETURN void cilk_order_diverged(cilk_order *o, int worker, const char *what) {
  cilk_participant *p = &o->of[worker];
  const cilk_replay_step *s = cilk_order_step(o, worker);
  cilk_repeat_note(0, NULL);              /* the same words would end here again */
  cilk_outcome_parted();
  cilk_fatal(
      "%s: the program does not do what was recorded, at step %llu of %llu: worker %d, after %llu pops and tests, has %s where %s after %llu was recorded; "
      "`cilkc race` finds out whether it has races",
      o->record.name, (unsigned long long)o->made, (unsigned long long)o->record.steps, worker,
      (unsigned long long)p->pops, what, s ? cilk_order_names[s->kind] : "nothing",
      (unsigned long long)(s ? s->pops : p->pops));
}

struct timespec cilk_order_later(uint64_t ns) {
  uint64_t at = cilk_wall_ns() + ns;
  return (struct timespec){(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
}

/* ---- turns ---- */

static void wake(cilk_participant *p, enum cilk_going state) {
  p->state = state;
  pthread_cond_signal(&p->go);
}

/* Gives the free places to workers that can go on: the one whose turn it is, then user code, its own
 * first. A worker that waits in a step for others comes last. */
void cilk_order_dispatch(cilk_order *o) {
  int turn = o->turn, n = o->ctx->nproc;
  while (o->places > 0) {
    cilk_participant *p = NULL;
    enum cilk_going next = CILK_GOING_RUNS;
    if (turn >= 0 && turn < n && o->of[turn].state == CILK_GOING_WAITS) {
      p = &o->of[turn];
      next = CILK_GOING_STEPS;
    } else if (turn >= 0 && turn < n && o->of[turn].state == CILK_GOING_WANTS) p = &o->of[turn];
    for (int i = 0; i < n && !p; i++)
      if (o->of[i].state == CILK_GOING_WANTS) p = &o->of[i];
    for (int i = 0; i < n && !p; i++)
      if (o->of[i].state == CILK_GOING_LENDS) {
        p = &o->of[i];
        next = CILK_GOING_STEPS;
      }
    if (!p) return;
    o->places--;
    wake(p, next);
  }
}

/* mutex held */
static void look_ahead(cilk_order *o) { o->turn = o->made < o->record.steps ? o->record.owner[o->made] : -1; }

/* mutex held. A step is done. */
static void advance(cilk_order *o) {
  o->made++;
  look_ahead(o);
}

/* mutex held. What threads that are not workers did next. */
static void outside(cilk_order *o) {
  while (o->turn == CILK_MOST_TURNS) {
    const unsigned char *at = o->record.of[CILK_MOST_TURNS].step[o->outside++].notes;
    uint64_t number = 0;
    if (*at++ == RECORD_COMPUTATION) number = cilk_record_number(&at);
    pthread_mutex_unlock(&o->mutex);
    pthread_mutex_lock(&o->names);
    struct name *n = o->started;
    while (n && n->number != number) n = n->next;
    if (n) cilk_cancel(n->m);
    pthread_mutex_unlock(&o->names);
    pthread_mutex_lock(&o->mutex);
    advance(o);
  }
}

void cilk_order_begin(void *order) {
  cilk_order *o = order;
  pthread_mutex_lock(&o->mutex);
  for (int i = 0; i < o->ctx->nproc; i++) o->of[i].state = CILK_GOING_WANTS;
  look_ahead(o);
  outside(o);
  cilk_order_dispatch(o);
  pthread_mutex_unlock(&o->mutex);
}

void cilk_order_come_in(cilk_worker *w) {
  cilk_order *o = w->ext->ctx->order;
  pthread_mutex_lock(&o->mutex);
  o->of[w->id].state = CILK_GOING_WANTS;
  look_ahead(o);
  outside(o);
  pthread_mutex_unlock(&o->mutex);
}

void cilk_order_passed(cilk_order *o, cilk_participant *p, int me) {
  if (p->note && *p->note) cilk_order_diverged(o, me, "less to do");
  p->note = NULL;
  p->next++;
  advance(o);
  p->state = CILK_GOING_RUNS;
  outside(o);
  for (int i = 0; i < o->ctx->nproc && o->made == o->record.steps; i++)
    if (o->of[i].state == CILK_GOING_ENDS) o->of[i].state = CILK_GOING_WANTS;
  cilk_order_dispatch(o);
}

/* ---- waiting ---- */

/* mutex held: no worker will move any more. */
static bool stuck(const cilk_order *o) {
  for (int i = 0; i < o->ctx->nproc; i++)
    if (o->of[i].state != CILK_GOING_WAITS && o->of[i].state != CILK_GOING_OUT) return false;
  return true;
}

static void end_when_stuck(cilk_order *o, int me) {
  bool gone = o->turn >= 0 && o->turn < o->ctx->nproc && o->of[o->turn].state == CILK_GOING_OUT;
  if ((o->made != o->record.steps && !gone) || !stuck(o)) return;
  if (o->record.whole || gone) cilk_order_diverged(o, me, "more to do");
  cilk_repeat_note(0, NULL);
  cilk_fatal("%s ends here, after %llu steps: the run that was recorded was cut short", o->record.name,
      (unsigned long long)o->record.steps);
}

/* The step aborts, perhaps, what `whose` runs. First pops and tests that did not see it. */
static void let_come(cilk_worker *w, int whose, uint64_t count) {
  cilk_order *o = w->ext->ctx->order;
  const cilk_participant *p = &o->of[whose];
  const cilk_replay_step *s = cilk_order_step(o, whose);
  if (s && s->pops <= count) count = s->kind == CILK_STEP_POP || s->kind == CILK_STEP_TEST ? s->pops - 1 : s->pops;
  /* it counts in its own turn, which orders the store in counted before this */
  while (load_relaxed(&p->pops) < count && p->state != CILK_GOING_WAITS && p->state != CILK_GOING_OUT)
    cilk_turn_wait_for(w, whose);
}

void cilk_order_in_turn(cilk_worker *w) {
  cilk_order *o = w->ext->ctx->order;
  cilk_participant *p = cilk_order_mine(w);
  p->state = CILK_GOING_WAITS;
  cilk_turn_waits(w, true);
  cilk_point(w, CILK_TURN_ORDERED);
  while (o->turn != w->id) {
    end_when_stuck(o, w->id);
    cilk_turn_wait_for(w, o->turn);
  }
  cilk_turn_waits(w, false);
  p->state = CILK_GOING_STEPS;
  cilk_participant notes = {.note = cilk_order_step(o, w->id)->notes};
  for (uint64_t at[2]; cilk_order_counted(&notes, at);)
    if (at[0] < (uint64_t)o->ctx->nproc) let_come(w, (int)at[0], at[1]);
}

void cilk_order_await(cilk_order *o, cilk_participant *p, int me, enum cilk_going state) {
  p->state = state;
  o->places++;
  cilk_order_dispatch(o);
  while (p->state == state) {
    struct timespec until;
    uint64_t index = o->made;
    end_when_stuck(o, me);
    until = cilk_order_later((uint64_t)CILK_TURN_PATIENCE_S * 1000000000u);
    if (pthread_cond_timedwait(&p->go, &o->mutex, &until) && p->state == state && o->made == index && !o->noted) {
      o->noted = true;
      char text[128];
      snprintf(text, sizeof text,
          "replay: no step for some %d s: does the program wait for another worker by itself?\n", CILK_TURN_PATIENCE_S);
      cilk_message_note(text);
    }
  }
}

void cilk_order_until(cilk_worker *w, bool (*there)(cilk_worker *, void *), void *what, int whose) {
  cilk_order *o = w->ext->ctx->order;
  cilk_participant *p = cilk_order_mine(w);
  bool turns = cilk_order_in_turns(w);
  pthread_mutex_lock(&o->mutex);
  while (!there(w, what)) {
    bool others = false;
    for (int i = 0; i < o->ctx->nproc; i++)
      others |= o->of[i].state == CILK_GOING_RUNS || o->of[i].state == CILK_GOING_WANTS;
    if (!others) cilk_order_diverged(o, w->id, "waited for something that does not come");
    if (turns) {
      pthread_mutex_unlock(&o->mutex);
      cilk_turn_wait_for(w, whose);
      pthread_mutex_lock(&o->mutex);
      continue;
    }
    o->places++;                          /* not for itself: what it waits for others have to do */
    cilk_order_dispatch(o);
    p->state = CILK_GOING_LENDS;
    while (p->state == CILK_GOING_LENDS) {
      struct timespec soon = cilk_order_later(CILK_ORDER_AGAIN_NS);
      pthread_cond_timedwait(&p->go, &o->mutex, &soon);
      if (p->state == CILK_GOING_LENDS && o->places > 0) {   /* others have places of their own: look again */
        o->places--;
        p->state = CILK_GOING_STEPS;
      }
    }
  }
  pthread_mutex_unlock(&o->mutex);
}

/* Replay of a run that was cut short: this worker made no further step, so it must not go beyond the pop or test,
 * counted just now, where it would. What it meets there may have come from any step that was written down. So the
 * worker waits for all of these steps, unless one of them needs the worker further on. Then the worker met nothing
 * here, though it would by now, as what it meets came later. */
bool cilk_order_at_its_end(cilk_worker *w, bool (*happens)(const cilk_worker *)) {
  cilk_order *o = w->ext->ctx->order;
  cilk_participant *p = cilk_order_mine(w);
  if (cilk_order_step(o, w->id) || (cilk_order_in_turns(w) && o->made < o->record.steps)) return false;
  pthread_mutex_lock(&o->mutex);
  p->onward = p->pops < p->wanted;
  if (!o->record.whole && o->made < o->record.steps && !p->onward) {
    p->state = CILK_GOING_ENDS;
    o->places++;
    cilk_order_dispatch(o);
    while (p->state != CILK_GOING_RUNS) pthread_cond_wait(&p->go, &o->mutex);
  }
  bool onward = p->onward;
  pthread_mutex_unlock(&o->mutex);
  if (onward) return false;
  cilk_worker_lock(w);
  bool yes = happens(w);
  cilk_worker_unlock(w);
  return yes;
}
