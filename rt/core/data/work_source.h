/* work_source.h - work of another kind that the same workers do, besides closures of Cilk-5: threads of Cilk-1
 * (cilk1/).
 *
 * The scheduler's loop runs a worker's own work of this kind before it asks the scheduler, steals such work if the
 * scheduler has found nothing, and looks whether some has arrived before it sleeps. A context gets the table with
 * the first such computation; other contexts pay the test of a pointer. */
#ifndef CILK_RT_WORK_SOURCE_H
#define CILK_RT_WORK_SOURCE_H

#include "data/context.h"

typedef struct cilk_work_source {
  /* runs what this worker has, of what its innermost loop waits for; false: there was nothing */
  bool (*run)(cilk_worker *w);
  bool (*came)(cilk_worker *w); /* something has come for it, or is left: `run` will find it */
  bool (*steal)(cilk_worker *w); /* one look at what others have; `run` will find it */
  void (*report)(cilk_context *ctx); /* no computation comes any more */
  /* All workers are idle (stuck.c). True: something of such computations can go on. Else *lost is one that can never
   * have a result, or NULL. *procedures are then the calls of Cilk-5's procedures that are under way there, by
   * ->below. */
  bool (*goes)(cilk_context *ctx, struct cilk_root_run **procedures, void **lost);
  const char *(*lost)(void *lost, char *text, size_t room); /* a message about that computation; text */
} cilk_work_source;

/* What a search returns that has found work for `run`. */
extern cilk_closure cilk_found_other_work;

/* pairs with the release of the thread that begins */
static inline const cilk_work_source *cilk_work_source_of(const cilk_worker *w) {
  return load_acquire(&w->ext->ctx->work_source);
}

/* What only this worker can run has come, or is left: it does not rest before that is done. */
static inline bool cilk_other_work_came(cilk_worker *w) {
  const cilk_work_source *of = cilk_work_source_of(w);
  return of && of->came(w);
}

#endif
