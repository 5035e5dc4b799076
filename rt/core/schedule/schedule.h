/* schedule.h - the scheduler's loop. */
#ifndef CILK_RT_SCHEDULE_H
#define CILK_RT_SCHEDULE_H

#include "data/root.h"

/* Starts the root, if one is given, then runs closures until *flag reaches value. */
void cilk_root_start(cilk_worker *w, cilk_root_run *run);   /* runs the root's thunk in a segment of its own */
void cilk_schedule(cilk_worker *w, cilk_root_run *run, const uint32_t *flag, uint32_t value);
/* One round of that loop: something is run, or looked for; or a seat is taken or left. */
void cilk_schedule_round(cilk_worker *w, const uint32_t *flag, uint32_t value);

#endif
