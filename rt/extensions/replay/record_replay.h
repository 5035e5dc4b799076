/* record_replay.h - the order of steps (step.h): a real run is recorded in a file, and repeated from it. */
#ifndef CILK_RT_RECORD_REPLAY_H
#define CILK_RT_RECORD_REPLAY_H

#include "data/policy.h"

extern const cilk_policy cilk_policy_ordered, cilk_policy_ordered_turns;

#endif
