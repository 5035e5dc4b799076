/* idle.h - when a worker searches for work, and how long. */
#ifndef CILK_RT_IDLE_H
#define CILK_RT_IDLE_H

#include "data/worker.h"

/* A search begins: the time, in ns. */
uint64_t cilk_idle_begin(cilk_worker *w);
/* The search is over. Its time counts as the worker's idle time. If it found work, the lazy strategy adapts. */
void cilk_idle_end(cilk_worker *w, bool found);

#endif
