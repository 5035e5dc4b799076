/* s390x.h - see arch.h. */
#ifndef CILK_RT_ARCH_S390X_H
#define CILK_RT_ARCH_S390X_H

#define CILK_ARCH_FENCELESS_POP 1
#define CILK_ARCH_STACKS 1
#define CILK_ARCH_RETURN "%r14"

static inline void cilk_pause(void) { __asm__ __volatile__("nop" : : : "memory"); }

/* The floating-point control register, with its flags. */
typedef struct cilk_fp_state {
  uint32_t control;
} cilk_fp_state;

static inline void cilk_fp_save(cilk_fp_state *s) { __asm__ __volatile__("efpc %0" : "=d"(s->control)); }
static inline void cilk_fp_load(const cilk_fp_state *s) { __asm__ __volatile__("sfpc %0" : : "d"(s->control)); }

/* What a call must keep, and where it goes on. The caller's frame has a place for the registers, from 48(%r15). */
#define CILK_ARCH_SWITCH \
  "stmg %r6, %r15, 48(%r15)\n aghi %r15, -64\n" \
  "std %f8, 0(%r15)\n std %f9, 8(%r15)\n std %f10, 16(%r15)\n std %f11, 24(%r15)\n" \
  "std %f12, 32(%r15)\n std %f13, 40(%r15)\n std %f14, 48(%r15)\n std %f15, 56(%r15)\n" \
  "stg %r15, 0(%r2)\n lgr %r15, %r3\n" \
  "ld %f8, 0(%r15)\n ld %f9, 8(%r15)\n ld %f10, 16(%r15)\n ld %f11, 24(%r15)\n" \
  "ld %f12, 32(%r15)\n ld %f13, 40(%r15)\n ld %f14, 48(%r15)\n ld %f15, 56(%r15)\n" \
  "lmg %r6, %r15, 112(%r15)\n br %r14\n"
#define CILK_ARCH_BOTTOM "lgr %r2, %r6\n basr %r14, %r7\n j .+2\n"

/* 160 bytes that each function may use of its caller's frame, and what CILK_ARCH_SWITCH loads. */
static inline void *cilk_arch_frame(char *top, void (*bottom)(void), void (*f)(void *), void *argument) {
  void **caller = (void **)(void *)(top - 160), **sp = caller - 8;
  caller[6] = argument;                   /* r6 */
  caller[7] = (void *)(uintptr_t)f;       /* r7 */
  caller[14] = (void *)(uintptr_t)bottom; /* r14 */
  caller[15] = caller;                    /* r15 */
  return sp;
}

#endif
