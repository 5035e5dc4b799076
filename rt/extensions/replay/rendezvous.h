/* rendezvous.h - all workers of a context come into a computation together, and leave it together: where their order is
 * governed (controlled_schedule.c, record_replay.c). */
#ifndef CILK_RT_RENDEZVOUS_H
#define CILK_RT_RENDEZVOUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cilk_rendezvous {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int n, entered, left; /* mutex */
  bool running;
} cilk_rendezvous;

void cilk_rendezvous_init(cilk_rendezvous *g, int n);
/* returns when all have come; the last one calls `begin` before that */
void cilk_rendezvous_in(cilk_rendezvous *g, void (*begin)(void *), void *argument);
void cilk_rendezvous_out(cilk_rendezvous *g); /* returns when all have left */
/* a caller: until no worker is in */
void cilk_rendezvous_wait(cilk_rendezvous *g);

#endif
