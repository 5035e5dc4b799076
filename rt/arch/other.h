/* other.h - any other processor: pops fence, no floating-point state is taken over. See arch.h. */
#ifndef CILK_RT_ARCH_OTHER_H
#define CILK_RT_ARCH_OTHER_H

#define CILK_ARCH_FENCELESS_POP 0

static inline void cilk_pause(void) {}

typedef struct cilk_fp_state {
  int none;
} cilk_fp_state;

static inline void cilk_fp_save(cilk_fp_state *s) { s->none = 0; }
static inline void cilk_fp_load(const cilk_fp_state *s) { (void)s; }

#endif
