/* caller.h - calls of a context whose only worker is the thread that calls. */
#ifndef CILK_RT_CALLER_H
#define CILK_RT_CALLER_H

#include "data/context.h"
#include "data/root.h"

/* the calling thread, no worker, is worker 0 until run is done; it holds ctx->call */
void cilk_caller_run(cilk_context *ctx, cilk_root_run *run);
/* ... or a new thread is: the calling thread is a worker of another context */
void cilk_caller_run_elsewhere(cilk_context *ctx, cilk_root_run *run);
void cilk_caller_forked(void);             /* in the child */

#endif
