/* threads.h - whether one thread at a time runs procedures: the runtimes of profile/ and memory/ follow only one.
 *
 * Each runtime includes this header once, so the counts are its own. */
#ifndef CILK_THREADS_H
#define CILK_THREADS_H
#include <stdbool.h>

#define CILK_TWO_THREADS "two threads of the program run procedures at the same time, and only one can be followed"

static __thread unsigned cilk_instances;     /* of this thread */
static unsigned cilk_running_threads;        /* that have some */

/* An instance begins in this thread. False: another thread has instances. */
static inline bool cilk_thread_enters(void) {
  return cilk_instances++ ||
         !__atomic_fetch_add(&cilk_running_threads, 1, __ATOMIC_ACQUIRE);    /* pairs with the release below */
}

/* An instance ends. */
static inline void cilk_thread_leaves(void) {
  if (!--cilk_instances)
    __atomic_fetch_sub(&cilk_running_threads, 1, __ATOMIC_RELEASE);       /* the next thread sees our counts */
}

#endif
