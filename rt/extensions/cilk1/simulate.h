/* simulate.h - virtual processors for Cilk-1 (--simulate P). */
#ifndef CILK_RT_CILK1_SIMULATE_H
#define CILK_RT_CILK1_SIMULATE_H

#include "home.h"

void cilk1_simulation_begins(cilk1_run *run, cilk1_home *first);          /* `first` is virtual processor 0's */
void cilk1_simulate(cilk_worker *w, cilk1_run *run);                       /* runs it to its end */
void cilk1_simulation_ends(cilk1_run *run, uint64_t work, uint64_t span);
void cilk1_simulated_post(cilk1_home *h, cilk1_closure *c);                /* c, ready since c->when, is in h now */
void cilk1_simulated_send(cilk1_home *from, cilk1_home *owner, cilk1_closure *c);
cilk1_home *cilk1_simulated_receiver(cilk1_home *owner, cilk1_closure *c); /* whose is c, complete now? */
void cilk1_simulated_move(cilk1_home *from, cilk1_home *to, cilk1_closure *c);   /* to another processor */
int cilk1_simulated_processors(const cilk1_run *run);
cilk1_home *cilk1_simulated_place(cilk1_run *run, cilk1_closure *c);
/* a procedure that a thread called runs: its own computations are part of it */
extern bool cilk1_simulates_procedure;
/* it has returned; h: of the caller */
void cilk1_simulated_procedure(cilk1_home *h, cilk_cont k, const void *result, size_t size, uint64_t work,
    uint64_t span);
void cilk1_simulation_report(cilk_context *ctx);
/* For the player of dags (driver/tools/player.c): the time of the processor on which the thread runs; it is idle until
 * then. */
uint64_t cilk1_simulated_now(cilk_worker *w);
void cilk1_simulated_wait(cilk_worker *w, uint64_t until);

#endif
