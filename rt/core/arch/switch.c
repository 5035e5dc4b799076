/* switch.c - the change from one C stack to another, out of the pieces that each processor has for it (arch.h). */
#include "arch/switch.h"

#if CILK_ARCH_STACKS
__asm__(
    ".text\n .balign 16\n .globl cilk_stack_switch\n .hidden cilk_stack_switch\n .type cilk_stack_switch, @function\n cilk_stack_switch:\n" CILK_ARCH_SWITCH
    ".size cilk_stack_switch, .-cilk_stack_switch\n"
    ".globl cilk_stack_bottom\n .hidden cilk_stack_bottom\n .type cilk_stack_bottom, @function\n cilk_stack_bottom:\n .cfi_startproc\n .cfi_undefined " CILK_ARCH_RETURN
    "\n" CILK_ARCH_BOTTOM " .cfi_endproc\n .size cilk_stack_bottom, .-cilk_stack_bottom\n");
#else
void cilk_stack_switch(void **from, void *to) { (void)from, (void)to; }   /* not called */
void cilk_stack_bottom(void) {}
#endif
