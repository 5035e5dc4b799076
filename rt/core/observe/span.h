/* span.h - work and span. */
#ifndef CILK_RT_SPAN_H
#define CILK_RT_SPAN_H

#include "data/closure.h"

extern bool cilk_span_used;
/* the child that just returned here: its totals go into its link */
void cilk_span_carry(cilk_worker *w, cilk_link *l);
/* and from there to the parent; w runs the delivery next */
void cilk_span_deliver(cilk_worker *w, cilk_closure *parent, cilk_link *l);
static inline void cilk_span_root(cilk_worker *w) { w->ext->span.spawned = 0; }   /* a root begins */
/* of the child that joined last */
static inline cilk_link *cilk_span_of_future(cilk_worker *w) { return (cilk_link *)(uintptr_t)w->ext->span.joined; }
bool cilk_span_counted(void);                                               /* in units, not in time */
/* Around a wait of C code, on whose stack other strands run. What the running instance has counted is put by. Totals of
 * a computation that it has called become part of the instance. */
typedef struct cilk_span_kept {
  uint64_t units, spawn_span, return_work, return_span, joined_span, called_work, called_span, began, since;
} cilk_span_kept;
void cilk_span_leave(cilk_worker *w, cilk_span_kept *kept);
void cilk_span_come_back(cilk_worker *w, const cilk_span_kept *kept, uint64_t work, uint64_t span);
void cilk_span_resume(cilk_worker *w); /* a slow clone is entered */

#endif
