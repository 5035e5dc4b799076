/* segment.h - the owner's operations on its deque outside generated code. */
#ifndef CILK_RT_SEGMENT_H
#define CILK_RT_SEGMENT_H

#include "data/deque.h"

void cilk_segment_begin(cilk_worker *w, cilk_segment *s, cilk_link *link, cilk_closure *full);
void cilk_segment_end(cilk_worker *w, cilk_segment *s);                     /* T, H, E as they were before it */
void cilk_deque_push_ready(cilk_worker *w, cilk_closure *oldest_first[], size_t n);
cilk_closure *cilk_deque_pop_ready(cilk_worker *w, cilk_closure **floor);   /* NULL if there is none above floor */

#endif
