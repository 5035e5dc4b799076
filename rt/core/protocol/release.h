/* release.h - released frames become closures. */
#ifndef CILK_RT_RELEASE_H
#define CILK_RT_RELEASE_H

#include "data/deque.h"

void cilk_publish_chain(cilk_worker *w, cilk_segment *s);

#endif
