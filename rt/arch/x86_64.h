/* x86_64.h - see arch.h. */
#ifndef CILK_RT_ARCH_X86_64_H
#define CILK_RT_ARCH_X86_64_H

#define CILK_ARCH_FENCELESS_POP 1

static inline void cilk_pause(void) { __builtin_ia32_pause(); }

/* MXCSR with its flags, and the control word of the x87. */
typedef struct cilk_fp_state {
  uint32_t control;
  uint16_t x87;
} cilk_fp_state;

static inline void cilk_fp_save(cilk_fp_state *s) { __asm__ __volatile__("stmxcsr %0\n\tfnstcw %1" : "=m"(s->control), "=m"(s->x87)); }
static inline void cilk_fp_load(const cilk_fp_state *s) { __asm__ __volatile__("ldmxcsr %0\n\tfldcw %1" : : "m"(s->control), "m"(s->x87)); }

#endif
