/* fault_policy.h - see fault_policy.c. */
#ifndef CILK_RT_FAULT_POLICY_H
#define CILK_RT_FAULT_POLICY_H

#include "data/policy.h"

/* The policy, with the forced steals and releases that CILK_FAULT asks for; the same where it asks for none. */
const cilk_policy *cilk_fault_policy(const cilk_policy *p);

#endif
