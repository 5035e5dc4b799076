/* arch.h - what differs between processors. Each file gives: cilk_pause, cilk_fp_state with cilk_fp_save and
 * cilk_fp_load (fpstate is what a computation takes over from its caller, root.h), and CILK_ARCH_FENCELESS_POP: the
 * pops of fast clones have no fence (barrier.c).
 *
 * CILK_ARCH_STACKS: the processor can change from one C stack to another. CILK_ARCH_SWITCH and CILK_ARCH_BOTTOM are
 * the text of two functions (switch.c) then, cilk_arch_frame makes the first frame of a stack, and
 * CILK_ARCH_RETURN is the register of the return address. */
#ifndef CILK_RT_ARCH_H
#define CILK_RT_ARCH_H

#include <stdint.h>

#if defined(__x86_64__)
#include "arch/x86_64.h"
#elif defined(__aarch64__)
#include "arch/aarch64.h"
#elif defined(__s390x__)
#include "arch/s390x.h"
#else
#include "arch/other.h"
#endif

#endif
