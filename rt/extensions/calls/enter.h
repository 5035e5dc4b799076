/* enter.h - C functions of OpenCilk programs enter their procedures (abi.h, cilk_rt_enter). */
#ifndef CILK_RT_ENTER_H
#define CILK_RT_ENTER_H

#include "data/context.h"

/* The context of functions that were called without one. The first such call outside of a worker makes it. Any thread.
 * Ends the process if its options are bad. */
cilk_context *cilk_entered_context(void);
cilk_context *cilk_entered_if_made(void);          /* NULL: it has not been made */

/* as many as the environment says, or __cilkrts_set_param before the first call */
int cilk_api_workers(void);

/* api.c: what users have put into its lists, and the number of workers that they have set; 0: none. */
void cilk_api_begins(void);
void cilk_api_ends(void);
int cilk_api_wanted(void);
/* 0: as many as the environment says. false: so many cannot run any more */
bool cilk_api_set_workers(int n);
/* the same, of the first context once it is made; one thread at a time */
bool cilk_change_workers(int n);

/* param.c: Cilk Plus' programs set 1 to 8 as a rule, and as many as their processors; a worker that rests costs a
 * thread. */
enum { CILK_PARAM_WORKERS = 64 };
extern const char cilk_param_linked __attribute__((weak, visibility("hidden")));

#endif
