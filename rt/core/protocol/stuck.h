/* stuck.h - all that is left waits for futures, or for arguments of threads that are never sent (stuck.c). */
#ifndef CILK_RT_STUCK_H
#define CILK_RT_STUCK_H

#include "data/context.h"

/* w is idle, found nothing, and has no step open in which it changed something */
void cilk_stuck_look(cilk_worker *w, const uint32_t *flag, uint32_t value);
static inline void cilk_stuck(cilk_worker *w, const uint32_t *flag, uint32_t value) {
  if (load_relaxed(&w->ext->ctx->touching) || load_relaxed(&w->ext->ctx->work_source)) cilk_stuck_look(w, flag, value);
}

#endif
