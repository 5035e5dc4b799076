/* start.h - computations of their own. */
#ifndef CILK_RT_START_H
#define CILK_RT_START_H

#include "computation.h"

#define CILK_START_MARK ((struct CilkContext *)1)                           /* in place of a context: Cilk_start (<cilk-start.h>) */
void cilk_start(cilk_worker *w, const cilk_root *root, const void *args);   /* its handle is in w->ext->started */

#endif
