/* controlled_schedule.h - one worker at a time, in an order that a seed or a list decides. */
#ifndef CILK_RT_CONTROLLED_SCHEDULE_H
#define CILK_RT_CONTROLLED_SCHEDULE_H

#include "data/context.h"
#include "data/policy.h"
#include "replay/points.h"

extern const cilk_policy cilk_policy_turns;
void cilk_turn_point(cilk_worker *w, const cilk_place *place);               /* of a worker in a context with turns */

#endif
