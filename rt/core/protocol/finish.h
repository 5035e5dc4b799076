/* finish.h - the end of a computation or nested root. */
#ifndef CILK_RT_FINISH_H
#define CILK_RT_FINISH_H

#include "data/root.h"

void cilk_root_finish(cilk_link *l, void *result, size_t size);

#endif
