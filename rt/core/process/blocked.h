/* blocked.h - threads that wait in the kernel. */
#ifndef CILK_RT_BLOCKED_H
#define CILK_RT_BLOCKED_H

#include "base/base.h"

typedef struct cilk_blocked {
  long call;                        /* the number of the system call */
  uint64_t arguments[6], stack, code;
  uint64_t pauses;                  /* how often the thread has waited so far */
} cilk_blocked;

/* false: it runs, or nothing is known. Also in a signal's handler */
bool cilk_blocked_at(int tid, cilk_blocked *b);
/* May what it waits for come from outside of the program? */
bool cilk_blocked_outside(const cilk_blocked *b);
/* "pthread_barrier_wait", "read of descriptor 4 (a pipe)"; also in a signal's handler */
void cilk_blocked_describe(const cilk_blocked *b, char *text, size_t room);
void cilk_blocked_names(void);      /* before that names functions; not in a handler */

#endif
