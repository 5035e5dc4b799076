/* pool.h - memory of closures and links. */
#ifndef CILK_RT_POOL_H
#define CILK_RT_POOL_H

#include "data/worker.h"

extern int cilk_alloc_batch;                                                /* --alloc-batch; atomic, relaxed */
void cilk_pool_hold(void);                                                  /* around a fork */
void cilk_pool_let_go(void);
void cilk_pool_limit(void);                                                 /* reads how much memory there is */
void *cilk_pool_alloc(size_t bytes);                                        /* 64-byte aligned; never NULL */
void cilk_pool_free(void *p, size_t bytes);
/* a small piece that this worker allocated, or nearly always did */
void cilk_pool_free_own(void *p, size_t bytes);
void cilk_pool_bundles(cilk_closure *bundles[CILK_FREE_CLASSES], bool put);
void cilk_pool_drain(cilk_worker *w);                                       /* gives the worker's free lists back */
size_t cilk_pool_bytes(void);                                               /* taken from the system so far */

#endif
