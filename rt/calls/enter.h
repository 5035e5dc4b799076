/* enter.h - C functions of OpenCilk programs enter their procedures (abi.h, cilk_rt_enter). */
#ifndef CILK_RT_ENTER_H
#define CILK_RT_ENTER_H

#include "data/context.h"

/* The context of functions that were called without one. The first such call outside of a worker makes it. Any thread. Ends the process if its options are bad. */
cilk_context *cilk_entered_context(void);
cilk_context *cilk_entered_if_made(void);          /* NULL: it has not been made */

/* api.c: what users have put into its lists, and the number of workers that they have set; 0: none. */
void cilk_api_begins(void);
void cilk_api_ends(void);
int cilk_api_wanted(void);

#endif
