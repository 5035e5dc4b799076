/* drain.h - one delivery, and those that wait. */
#ifndef CILK_RT_DRAIN_H
#define CILK_RT_DRAIN_H

#include "data/closure.h"

/* The link is RETURNED, and joined; the caller has p to itself, and holds no lock. cilk_self.views is the child's map:
 * what an inlet does in views comes after what its child did. Then the map goes to its place. p's lock is held
 * afterwards, and the link is gone. */
void cilk_deliver_one(cilk_worker *w, cilk_closure *p, cilk_link *l, void *result);
/* c's lock is held, and the caller has c to itself: runs what is queued. */
void cilk_drain(cilk_worker *w, cilk_closure *c);

#endif
