/* fuel.c - workers sit down in an engine, and the last one leaves it (fuel.h).
 *
 * A worker that sits down counts itself in `inside`, then looks at `paused`, and once it can be found in its seat looks
 * again (fiber.c). A pause stores `paused`, then looks at the seats and at `inside` (engine.c), all seq_cst: so a
 * worker either gets a signal to leave, or sees the pause by itself. */
#include "nest/fuel.h"
#include "steal/sleep.h"
#include "steal/steal.h"

#include <stdlib.h>

cilk_engine *cilk_engine_new(void) {
  cilk_engine *e = calloc(1, sizeof *e);
  if (!e) cilk_fatal("out of memory");
  e->references = 2;
  e->paused = 1;
  return e;
}

void cilk_engine_release(cilk_engine *e) {
  if (e && __atomic_sub_fetch(&e->references, 1u, __ATOMIC_ACQ_REL) == 0) free(e);
}

void cilk_engine_notify(cilk_engine *e) {
  if (!e) return;
  cilk_worker *driver = load_acquire(&e->driver);
  store_seq_cst(&e->event, 1u);           /* pairs with cilk_reached in the driver's loop */
  if (driver) {
    cilk_unpark(driver);
    /* it may run something else meanwhile: it leaves that at its next pop or test (cilk_asked) */
    cilk_signal(driver);
  }
}

bool cilk_engine_enter(cilk_engine *e) {
  if (!e) return true;
  __atomic_fetch_add(&e->inside, 1u, __ATOMIC_SEQ_CST);
  if (!load_seq_cst(&e->paused)) return true;
  cilk_engine_left(e);
  return false;
}

void cilk_engine_left(cilk_engine *e) {
  if (e && __atomic_sub_fetch(&e->inside, 1u, __ATOMIC_SEQ_CST) == 0 && load_seq_cst(&e->paused)) cilk_engine_notify(e);
}
