/* fault.h - faults on purpose, in the debug build: CILK_FAULT=delay:1/100,malloc:after=50,seed=7 (docs/trust.md).
 *
 * There are two kinds of places. A *point* is before every shared access that is made through base.h, where a thread
 * may lose time. A *call* is a question to the system, or to the policy, that may be answered with a failure:
 * CILK_FAILS(CLASS). What happens at the n-th place of a thread is a function of the seed, the thread's number, the
 * class and n alone: a seed repeats the same decisions, but which of them meet is up to the system. In other builds
 * both are nothing. */
#ifndef CILK_RT_FAULT_H
#define CILK_RT_FAULT_H

#include "base/base.h"

enum cilk_fault_class {
#define CILK_FAULT_CLASS(id, name, where, what) CILK_FAULT_##id,
#include "base/fault.def"
#undef CILK_FAULT_CLASS
  CILK_FAULT_CLASSES
};

bool cilk_fault_configure(const char *spec);   /* NULL or empty: no faults; false: it is wrong, said so on stderr */

#ifdef CILK_DEBUG
extern bool cilk_fault_on;                /* constant once the first context is made */
void cilk_fault_happen(void);             /* at a point */
bool cilk_fault_strikes(enum cilk_fault_class what);
bool cilk_fault_wants(enum cilk_fault_class what);   /* has the class a rate? */
void cilk_fault_thread(bool begins);      /* the calling worker may be stalled and signalled by others */
#define CILK_FAILS(what) (__builtin_expect(cilk_fault_on, 0) && cilk_fault_strikes(CILK_FAULT_##what))
#else
#define cilk_fault_thread(begins) ((void)0)
#define CILK_FAILS(what) 0
#endif

#endif
