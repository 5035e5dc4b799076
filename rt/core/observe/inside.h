/* inside.h - which function of a scheduler each worker is in (inside.c). Debug build; otherwise nothing is noted. */
#ifndef CILK_RT_INSIDE_H
#define CILK_RT_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cilk_inside {
  const void *worker;
  const char *scheduler, *function;
  uint64_t since;
} cilk_inside;

#ifdef CILK_DEBUG
/* The worker enters the function; what this returns goes to cilk_inside_leave. */
cilk_inside *cilk_inside_enter(const void *worker, const char *scheduler, const char *function);
void cilk_inside_leave(cilk_inside *);
/* For signal handlers, copies of what other threads may be changing. The place with this number, from 0 on; -1:
 * there is no such place, 0: it is empty. */
int cilk_inside_at(int place, cilk_inside *found);
/* What this worker is in; false: it is in no scheduler. */
bool cilk_inside_of(const void *worker, cilk_inside *found);
#else
static inline cilk_inside *cilk_inside_enter(const void *worker, const char *scheduler, const char *function) {
  return (void)worker, (void)scheduler, (void)function, (cilk_inside *)0;
}
static inline void cilk_inside_leave(cilk_inside *noted) { (void)noted; }
static inline int cilk_inside_at(int place, cilk_inside *found) { return (void)place, (void)found, -1; }
static inline bool cilk_inside_of(const void *worker, cilk_inside *found) { return (void)worker, (void)found, false; }
#endif

#endif
