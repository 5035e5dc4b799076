/* order.h - the order of steps (step.h): when it begins and ends, who takes part. */
#ifndef CILK_RT_ORDER_H
#define CILK_RT_ORDER_H

#include "data/policy.h"
#include "data/step.h"

/* the context is made, its workers are not yet; opens the file, or ends the process with a message */
void cilk_order_begin(cilk_context *ctx);
void cilk_order_end(cilk_context *ctx);
void cilk_order_enter(cilk_worker *w);                                      /* as in turn.h */
void cilk_order_leave(cilk_worker *w);
void cilk_order_wait(cilk_context *ctx);

extern const cilk_policy cilk_policy_ordered;

#endif
