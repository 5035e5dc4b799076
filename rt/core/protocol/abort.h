/* abort.h - aborts that no procedure of the program asks for. */
#ifndef CILK_RT_ABORT_H
#define CILK_RT_ABORT_H

#include "data/closure.h"

/* c's own link is marked: all that it has begun stops, and it, too. Any thread; c cannot end during that. */
void cilk_abort_all(cilk_context *ctx, cilk_closure *c);

#endif
