/* seats.h - what engines and other files of this room ask of seats.c; most of it is slots (data/slots.def). */
#ifndef CILK_RT_SEATS_H
#define CILK_RT_SEATS_H

#include "nest/nest.h"

/* s was taken off the list of those asleep: a fiber of the outer team from now on */
void cilk_seat_awake(cilk_worker *w, cilk_seat *s);
/* something was sent there: if it is asleep it becomes a fiber again */
void cilk_seat_call(cilk_worker *w, cilk_seat *s);

#endif
