/* orphan.h - READY closures that lie on nobody's deque. */
#ifndef CILK_RT_ORPHAN_H
#define CILK_RT_ORPHAN_H

#include "worker.h"

void cilk_orphan(cilk_worker *w, cilk_closure *c);
cilk_closure *cilk_orphan_take(cilk_worker *w);                             /* one that this worker may have; NULL: none */

#endif
