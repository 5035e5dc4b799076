/* stackguard.h - workers' C stacks. */
#ifndef CILK_RT_STACKGUARD_H
#define CILK_RT_STACKGUARD_H

#include "base/crash.h"
#include "data/worker.h"

void cilk_stack_create(cilk_memory *m, size_t bytes, size_t most);      /* as cilk_deque_reserve */
void cilk_stack_destroy(cilk_memory *m);
void cilk_guard_init(cilk_crash_place *);
void cilk_guard_end(void);
void cilk_guard_thread(cilk_worker *w);
void cilk_guard_thread_end(cilk_worker *w);
void cilk_guard_caller(void);             /* the same for a thread that calls, as long as it lives */

#endif
