/* search.h - all policies. */
#ifndef CILK_RT_SEARCH_H
#define CILK_RT_SEARCH_H

#include "base/options.h"
#include "data/policy.h"

const cilk_policy *cilk_policy_choose(const cilk_options *o);
extern const cilk_policy cilk_policy_alone;   /* in a forked child */

#endif
