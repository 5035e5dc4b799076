/* exit.h - the computation cannot end in an orderly way. */
#ifndef CILK_RT_EXIT_H
#define CILK_RT_EXIT_H

#include "data/context.h"
#include "data/root.h"

/* with the context's statistics and status */
void cilk_exit_now(cilk_context *ctx) CILK_NORETURN;
/* the root is done in a forked child */
void cilk_exit_alone(cilk_context *ctx, cilk_root_run *run, const void *result) CILK_NORETURN;
/* on this worker: the end of its thread is a fatal error */
void cilk_exit_watch(cilk_worker *w, bool on);

#endif
