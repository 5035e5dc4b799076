/* gather.h - all workers of a context come into a computation together, and leave it together: where their order is governed (turn.c, order.c). */
#ifndef CILK_RT_GATHER_H
#define CILK_RT_GATHER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cilk_gather {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int n, entered, left;            /* mutex */
  bool running;
} cilk_gather;

void cilk_gather_init(cilk_gather *g, int n);
void cilk_gather_in(cilk_gather *g, void (*begin)(void *), void *argument);   /* returns when all have come; the last one calls `begin` before that */
void cilk_gather_out(cilk_gather *g);                                       /* returns when all have left */
void cilk_gather_wait(cilk_gather *g);                                      /* a caller: until nobody is in */

#endif
