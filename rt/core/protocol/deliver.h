/* deliver.h - a child's result goes to its parent. */
#ifndef CILK_RT_DELIVER_H
#define CILK_RT_DELIVER_H

#include "data/closure.h"

void cilk_deliver(cilk_worker *w, cilk_link *l, void *result, size_t size);   /* consumes the link */
/* owner, at a pop or test that was signalled */
void cilk_deliver_below(cilk_worker *w);
void cilk_complete_aborted(cilk_worker *w, cilk_closure *c);

#endif
