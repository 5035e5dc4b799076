/* fault_policy.c - CILK_FAULT=steal:...,release:...: any policy, but some pops count as stolen from, and some tests
 * release.
 *
 * The other answers are the policy's own. One table for the process: all contexts get their faults from one
 * specification, and the policy of the first one to answer for them. */
#include "data/slots.h"
#include "data/policy.h"
#include "base/fault.h"
#include "fibers/fiber.h"

#ifndef CILK_DEBUG
const cilk_policy *cilk_fault_policy(const cilk_policy *p) { return p; }
#else

static const cilk_policy *below;          /* whose place it takes; constant once a context is made */
static cilk_policy faulty;

static Cilk_answer asked(cilk_worker *w, Cilk_point at, int late) {
  bool pop = at == CILK_POINT_POP;
  if (!pop && cilk_fault_wants(CILK_FAULT_RELEASE)) cilk_flag_raise(w);                   /* each test is asked */
  if (pop ? CILK_FAILS(STEAL) : CILK_FAILS(RELEASE)) return pop ? CILK_LEAVE : CILK_EXPOSE;
  return below->asked ? below->asked(w, at, late) : cilk_ask_scheduler(w, at, late);
}

const cilk_policy *cilk_fault_policy(const cilk_policy *p) {
  if (!cilk_fault_wants(CILK_FAULT_STEAL) && !cilk_fault_wants(CILK_FAULT_RELEASE)) return p;
  if (!below) {
    below = p;
    faulty = *p;
    faulty.asked = asked;
    faulty.every = true;
  }
  return &faulty;
}
#endif
