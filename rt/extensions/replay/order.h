/* order.h - what a run whose steps have an order keeps (record_replay.c): the log that is written, or the record that
 * says whose step is next, and the places to run in (places.c). Its fibers are in ordered_fibers.c. Where one worker
 * runs at a time (controlled_schedule.c), the chooser gives the turn, and there are no places. */
#ifndef CILK_RT_ORDER_H
#define CILK_RT_ORDER_H

#include "data/computation.h"
#include "data/step.h"
#include "replay/record.h"
#include "replay/rendezvous.h"

#include <time.h>

enum cilk_going {
  CILK_GOING_OUT,                  /* in no computation */
  CILK_GOING_WANTS,                /* in user code, without a place */
  CILK_GOING_RUNS,                 /* in user code, with one */
  CILK_GOING_WAITS,                /* for its turn */
  CILK_GOING_STEPS,                /* in a step */
  CILK_GOING_LENDS,                /* in a step, until others have got further */
  CILK_GOING_ENDS                  /* cilk_order_at_its_end */
};

typedef struct cilk_participant {
  pthread_cond_t go;
  enum cilk_going state;           /* mutex */
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
} cilk_participant;

struct cilk_order {
  cilk_context *ctx;
  bool replay, noted;
  pid_t process;
  int places;                      /* replay; mutex */
  /* replay: steps so far; whose step is next (CILK_MOST_TURNS: a thread that is no worker; -1: none is left);
   * `outside`: steps of such threads so far; mutex */
  uint64_t made;
  int turn;
  uint64_t outside;
  uint64_t closures, computations; /* numbers given so far; in a step */
  pthread_mutex_t mutex;           /* recording: held in a step. Replay: what says so */
  pthread_mutex_t names;           /* guards what follows */
  struct name {
    uint64_t number;
    cilk_computation *m;
    struct name *next;
  } *started;
  cilk_rendezvous rendezvous;
  cilk_recording file;
  cilk_record record;
  cilk_participant of[CILK_MOST_TURNS];
};

static inline cilk_participant *cilk_order_mine(const cilk_worker *w) { return &w->ext->ctx->order->of[w->id]; }
static inline bool cilk_order_replays(const cilk_worker *w) { return w->ext->ctx->order->replay; }
static inline bool cilk_order_in_turns(const cilk_worker *w) { return w->ext->ctx->turns; }

/* Replay: the next step of this worker, or NULL. */
static inline const cilk_replay_step *cilk_order_step(const cilk_order *o, int worker) {
  uint64_t k = o->of[worker].next;
  return k < o->record.of[worker].n ? &o->record.of[worker].step[k] : NULL;
}

/* ---- recording: the log of steps (record_replay.c) ---- */
void cilk_order_touch(cilk_worker *w, int answer);    /* the step is one, and not a poll that is forgotten */
void cilk_order_note(cilk_worker *w, int tag, const uint64_t *numbers, int n);   /* what it saw */

/* ---- replay: turns and places (places.c) ---- */
extern const char *const cilk_order_names[CILK_STEPS];
CILK_NORETURN void cilk_order_diverged(cilk_order *o, int worker, const char *what);
struct timespec cilk_order_later(uint64_t ns);
void cilk_order_begin(void *order);                   /* all workers have come in */
void cilk_order_come_in(cilk_worker *w);              /* in turns: before all have */
/* mutex held; p is `me`'s. Until it has a place again. */
void cilk_order_await(cilk_order *o, cilk_participant *p, int me, enum cilk_going state);
void cilk_order_in_turn(cilk_worker *w);              /* the same in turns, without the mutex: before a step */
/* mutex held: free places go to workers that can go on */
void cilk_order_dispatch(cilk_order *o);
/* In a step: until what it needs of others' user code, or of that of `whose`, is there. */
void cilk_order_until(cilk_worker *w, bool (*there)(cilk_worker *, void *), void *what, int whose);
void cilk_order_passed(cilk_order *o, cilk_participant *p, int me);   /* mutex held: its step is done */
bool cilk_order_at_its_end(cilk_worker *w, bool (*happens)(const cilk_worker *));

/* Replay: the next observation, if it is a worker and its count. */
bool cilk_order_counted(cilk_participant *p, uint64_t *numbers);

/* ---- fibers (ordered_fibers.c): functions of cilk_steps ---- */
void cilk_ordered_ready(cilk_worker *w, cilk_closure *c, Cilk_why why);
cilk_closure *cilk_ordered_next(cilk_worker *w);
cilk_closure *cilk_ordered_look(cilk_worker *w);
bool cilk_ordered_may_steal(cilk_worker *thief, cilk_worker *victim);
void cilk_ordered_stolen(cilk_worker *thief, cilk_worker *victim, const cilk_closure *c);
void cilk_ordered_await_stop(cilk_worker *w, cilk_worker *victim, const cilk_closure *parent);
bool cilk_ordered_stopped(cilk_worker *w, cilk_worker *victim, bool pushed);

#endif
