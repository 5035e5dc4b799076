/* drain.h - one delivery, and those that wait. */
#ifndef CILK_RT_DRAIN_H
#define CILK_RT_DRAIN_H

#include "data/closure.h"

/* The link has been taken off p's lists; the caller has p to itself, and holds no lock. Frees the link. */
void cilk_deliver_one(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result);
void cilk_drain(cilk_worker *w, cilk_closure *c);                           /* c's lock held, c to itself: runs what is queued */

#endif
