/* attributes.c - what a program says of a computation for its scheduler (Cilk_attributes of <cilk-start.h>).
 *
 * Cilk_start_with calls the procedure with the mark of Cilk_with, so its computation is made and nothing begins; what
 * comes here then sets its share, and sets it going. So a scheduler finds the attributes there when it gets the first
 * fiber. A nest copies them for the outer scheduler (nest.c). */
#include "calls/start.h"
#include "fibers/fiber.h"
#include "nest/nest.h"
#include "data/step.h"

#include <stddef.h>
#include <string.h>

static uint32_t weight_within(int weight) { return (uint32_t)(weight < 1 ? 1 : weight > 1000 ? 1000 : weight); }

/* What the caller was compiled with may be older, and shorter; or newer, with fields that this runtime does not know:
 * they have to be 0. */
static void read_attributes(Cilk_attributes *a, const Cilk_attributes *given) {
  *a = (Cilk_attributes){.size = sizeof *a};
  if (!given) return;
  size_t n = given->size;
  if (n < offsetof(Cilk_attributes, weight) + sizeof given->weight)
    cilk_fatal("Cilk_start_with: the attributes have no size: CILK_ATTRIBUTES(.weight = 2, ...) sets it");
  for (size_t i = sizeof *a; i < n; i++)
    if (((const char *)given)[i])
      cilk_fatal("Cilk_start_with: this runtime is older than the program, and does not know all of its attributes");
  memcpy(a, given, n < sizeof *a ? n : sizeof *a);
}

CILK_SHARED cilk_computation *cilk_rt_start_with(const Cilk_attributes *given) {
  Cilk_attributes a;
  cilk_computation *m = cilk_serial_started();
  read_attributes(&a, given);
  if (m) return m;
  cilk_worker *w = cilk_me();
  m = w->ext->started;
  m->run.share.weight = weight_within(a.weight);
  m->run.share.deadline = a.deadline;
  m->run.share.user = a.user;
  if (a.scheduler || a.engine)
    return cilk_nested(a.scheduler ? a.scheduler : "steal", a.vprocs, a.engine ? cilk_engine_new : NULL);
  cilk_step_begin(w, CILK_STEP_START);
  cilk_ready(w, m->closure, CILK_WHY_STARTED);
  cilk_step_end(w);
  return m;
}

CILK_SHARED void Cilk_set_share(cilk_computation *m, int weight) {
  /* for the scheduler that has it as one computation */
  uint32_t *of = m->nest ? &m->nest->node.share.weight : &m->run.share.weight;
  store_relaxed(of, weight_within(weight));
}
