/* threads.h - the workers' threads. */
#ifndef CILK_RT_THREADS_H
#define CILK_RT_THREADS_H

#include "data/context.h"
#include "data/root.h"

/* also the only one, in contexts that are made from now on: rt/extensions/dist looks at workers at any time */
extern bool cilk_each_has_thread;
/* ctx->nproc of them. If the system refuses some, that is an error; with `fewer` none is there, and so many could be.
 * */
int cilk_workers_start(cilk_context *ctx, bool fewer);
/* worker 0, between computations: runs the next one */
void cilk_run_root(cilk_worker *w, cilk_root_run *run);
void cilk_workers_stop(cilk_context *ctx);
void cilk_workers_free(cilk_context *ctx);                                  /* their memory; the threads are gone */

#endif
