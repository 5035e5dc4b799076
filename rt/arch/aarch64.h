/* aarch64.h - see arch.h. */
#ifndef CILK_RT_ARCH_AARCH64_H
#define CILK_RT_ARCH_AARCH64_H

#define CILK_ARCH_FENCELESS_POP 1

static inline void cilk_pause(void) { __asm__ __volatile__("yield"); }

/* FPCR; the flags are elsewhere. */
typedef struct cilk_fp_state {
  uint64_t control;
} cilk_fp_state;

static inline void cilk_fp_save(cilk_fp_state *s) { __asm__ __volatile__("mrs %0, fpcr" : "=r"(s->control)); }
static inline void cilk_fp_load(const cilk_fp_state *s) { __asm__ __volatile__("msr fpcr, %0" : : "r"(s->control)); }

#endif
