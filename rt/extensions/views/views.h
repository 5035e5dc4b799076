/* views.h - reducers: what one strand has of each, and how two strands' views come together.
 *
 * A *map* belongs to a strand (abi.h, reducers). cilk_self.views is that of the strand that runs, or
 *
 *   NULL            the leftmost strand: each object is its own view
 *   CILK_NO_VIEWS   the strand has looked up nothing yet. The map is made at its first lookup
 *   CILK_REDUCING   `identity` or `reduce` runs: a lookup there is fatal
 *
 * Between strands it is CILK_NO_VIEWS. The owner of a map is the worker that runs its strand. Otherwise the map has a
 * place in the order of a closure's strands (places.c), or a worker took it from there. So a map needs no lock. */
#ifndef CILK_RT_VIEWS_H
#define CILK_RT_VIEWS_H

#include "data/link.h"
#include "data/worker.h"

#define CILK_REDUCING ((struct cilk_views *)(uintptr_t)2)

#endif
