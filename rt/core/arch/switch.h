/* switch.h - changing C stacks. */
#ifndef CILK_RT_SWITCH_H
#define CILK_RT_SWITCH_H

#include "arch/arch.h"

/* The present code goes on at *from, that of `to` goes on now. The code that goes on loads its floating-point state
 * (cilk_fp_load). */
void cilk_stack_switch(void **from, void *to);
void cilk_stack_bottom(void);

#endif
