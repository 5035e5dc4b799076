/* library.c - small functions of <cilk.h>: the worker's own number. */
#include "data/worker.h"
#include "data/slots.h"

int cilk_rt_self(void) { return cilk_self.id; }
int cilk_rt_active_size(void) { return cilk_self.id >= 0 ? cilk_travel_size(cilk_self.ext->ctx, cilk_self.nproc) : 1; }
