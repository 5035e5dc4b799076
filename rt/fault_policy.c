/* fault_policy.c - CILK_FAULT=steal:...,release:...: any policy, but some pops count as stolen from, and some tests release.
 *
 * The other answers are the policy's own. One table for the process: all contexts get their faults from one specification, and the policy of the
 * first one to answer for them. */
#include "fault_policy.h"
#include "fault.h"

#ifndef CILK_DEBUG
const cilk_policy *cilk_fault_policy(const cilk_policy *p) { return p; }
#else

static const cilk_policy *below;          /* whose place it takes; constant once a context is made */
static cilk_policy faulty;

static bool pop(cilk_worker *w) { return CILK_FAILS(STEAL) || (below->force_pop && below->force_pop(w)); }

static bool release(cilk_worker *w, int point)
{
  store_relaxed(&w->release, 1u);         /* each test is asked */
  return CILK_FAILS(RELEASE) || below->release(w, point);
}

const cilk_policy *cilk_fault_policy(const cilk_policy *p)
{
  if (!cilk_fault_wants(CILK_FAULT_STEAL) && !cilk_fault_wants(CILK_FAULT_RELEASE))
    return p;
  if (!below) {
    below = p;
    faulty = *p;
    faulty.force_pop = pop;               /* that there is one makes every pop raise, and keeps the flag up */
    if (cilk_fault_wants(CILK_FAULT_RELEASE))
      faulty.release = release;
  }
  return &faulty;
}
#endif
