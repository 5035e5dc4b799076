/* lock.h - the lock variables of <cilk.h>, and mistakes with them. */
#ifndef CILK_RT_LOCK_H
#define CILK_RT_LOCK_H

#include "base/base.h"

/* the lock was taken when the caller tried */
void cilk_rt_lock_wait(volatile int *lock);
/* its holder, where that is known; the new `at` */
size_t cilk_lock_describe(char *line, size_t at, size_t room, const volatile void *lock);

#endif
