/* start.h - computations of their own. */
#ifndef CILK_RT_START_H
#define CILK_RT_START_H

#include "data/computation.h"
#include "data/slots.h"
#include "nest/fuel.h"

/* A closure for m, whose run has root, arguments, room for the result, context and team: READY, and nowhere yet.
 * m->closure is it until m is over. */
cilk_closure *cilk_bottom(cilk_computation *m, cilk_worker *w);

/* The computation that was made last, under a scheduler of its own: it begins, or waits for fuel. Where steps have an
 * order there is one scheduler for all, and it begins. */
cilk_computation *cilk_nested(const char *scheduler, int vprocs, cilk_engine *(*engine)(void));
/* w works for m's group until the flag is 1 */
void cilk_wait_loop(cilk_worker *w, cilk_computation *m, const uint32_t *flag);
int cilk_wait_ended(cilk_computation *m, void *result);                     /* m is done: its handle goes */

/* For the serial form (serial.c). */
cilk_computation *cilk_serial_started(void);                                /* the last one, once; or null */
int cilk_serial_wait(cilk_computation *m, void *result);

#endif
