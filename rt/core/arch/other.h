/* other.h - any other processor: pops fence, no floating-point state is taken over. See arch.h. */
#ifndef CILK_RT_ARCH_OTHER_H
#define CILK_RT_ARCH_OTHER_H

#define CILK_ARCH_FENCELESS_POP 0
#define CILK_ARCH_STACKS 0

static inline void cilk_pause(void) {}

typedef struct cilk_fp_state {
  int none;
} cilk_fp_state;

static inline void cilk_fp_save(cilk_fp_state *s) { s->none = 0; }
static inline void cilk_fp_load(const cilk_fp_state *s) { (void)s; }

static inline void *cilk_arch_frame(char *top, void (*bottom)(void), void (*f)(void *), void *argument) {
  return (void)bottom, (void)f, (void)argument, top;
}

#endif
