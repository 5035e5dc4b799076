/* limits.h - what this process may use. */
#ifndef CILK_RT_LIMITS_H
#define CILK_RT_LIMITS_H

#include "base/base.h"

int cilk_limit_processors(void);                                            /* at the start, of the calling thread */
int cilk_limit_processors_now(void);                                        /* of the process, whatever thread asks */
size_t cilk_limit_memory(void);
/* for each worker's stack and deque; SIZE_MAX: no limit */
size_t cilk_limit_addresses(int nworkers);

#endif
