/* travel.h - computations that outlive their process: checkpoints and restarts (docs/travel.md).
 *
 * A checkpoint is made while all workers have halted with empty stacks (steal/halt.h): the whole computation is
 * closures and links then. An *image* has the pages of the arena, where these are, the program's global objects, and
 * what is needed to find all that is named: signatures, symbols. A restart puts the pages to the same addresses and
 * translates what points into the program itself, by names where the program is another build. */
#ifndef CILK_RT_TRAVEL_H
#define CILK_RT_TRAVEL_H

#include "data/closure.h"
#include "data/context.h"
#include "data/slots.h"

/* cilk_travel_begin (data/slots.def) where C calls a procedure. OpenCilk's main is such a call, and may travel.
 * cilk_travel_end comes after it. Ends the process where another procedure was called with these options. */
void cilk_travel_enter(cilk_context *ctx, const cilk_root *root, void *args);

#endif
