/* turn.h - replay: one worker at a time, in an order that a seed decides. */
#ifndef CILK_RT_TURN_H
#define CILK_RT_TURN_H

#include "data/context.h"
#include "data/policy.h"
#include "replay/points.h"

extern const cilk_policy cilk_policy_turns;
/* the context is made, its workers are not yet */
void cilk_turns_begin(cilk_context *ctx);
void cilk_turns_reset(cilk_context *ctx);                                   /* its workers are gone */
/* a caller, at the end of a computation: until all workers have left it */
void cilk_turns_wait(cilk_context *ctx);
void cilk_turns_end(cilk_context *ctx);
/* This worker comes into a computation: returns when all have come, and it is its turn. And it leaves. Nothing where
 * the policy has no turns. */
void cilk_turn_enter(cilk_worker *w);
void cilk_turn_leave(cilk_worker *w);
void cilk_turn_point(cilk_worker *w, const cilk_place *place);               /* of a worker in a context with turns */

#endif
