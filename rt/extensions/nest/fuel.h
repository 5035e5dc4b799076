/* fuel.h - engines, as a worker inside sees them: whether it is paused, and the driver that waits until all have left
 * (Cilk_engine of <cilk-start.h>; Haynes, Friedman: Engines build process abstractions, 1984).
 *
 * An engine is a computation with a nest (nest.h) that can be *paused*: then no worker sits down there, a worker
 * inside leaves at the next safe point, and all of its pieces stay with its own scheduler. Its *driver*, the worker in
 * Cilk_engine_run, gives it fuel, a time, and waits until it is over or all workers have left (engine.c). What happens
 * when is in PROTOCOLS.md, section 13. */
#ifndef CILK_RT_FUEL_H
#define CILK_RT_FUEL_H

#include "data/worker.h"

typedef struct cilk_engine {
  uint32_t references;             /* the handle's and the nest's, which may outlive each other; acq_rel */
  uint32_t paused;                 /* changed under seats_lock; seq_cst */
  uint32_t inside;                 /* workers in its seats; seq_cst */
  uint32_t event;                  /* 1: the driver looks what is the case; seq_cst */
  /* it is cancelled, or a thread waits for its end: never paused again; changed under seats_lock */
  uint32_t open;
  cilk_worker *driver;             /* the last one; acquire, release */
} cilk_engine;

/* In what follows NULL stands for no engine: a computation that is never paused. */
cilk_engine *cilk_engine_new(void);                                         /* paused, two references */
/* a worker wants to sit down; false: not now */
bool cilk_engine_enter(cilk_engine *e);
void cilk_engine_left(cilk_engine *e);                                      /* it has left the seat */
/* for those who sit there, or hold seats_lock */
static inline bool cilk_engine_paused(const cilk_engine *e) { return e && load_seq_cst(&e->paused); }

#endif
