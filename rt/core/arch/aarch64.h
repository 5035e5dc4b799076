/* aarch64.h - see arch.h. */
#ifndef CILK_RT_ARCH_AARCH64_H
#define CILK_RT_ARCH_AARCH64_H

#define CILK_ARCH_FENCELESS_POP 1
#define CILK_ARCH_STACKS 1
#define CILK_ARCH_RETURN "x30"

static inline void cilk_pause(void) { __asm__ __volatile__("yield"); }

/* FPCR; the flags are elsewhere. */
typedef struct cilk_fp_state {
  uint64_t control;
} cilk_fp_state;

static inline void cilk_fp_save(cilk_fp_state *s) { __asm__ __volatile__("mrs %0, fpcr" : "=r"(s->control)); }
static inline void cilk_fp_load(const cilk_fp_state *s) { __asm__ __volatile__("msr fpcr, %0" : : "r"(s->control)); }

/* What a call must keep, and where it goes on. */
#define CILK_ARCH_SWITCH \
  "stp x19, x20, [sp, #-160]!\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n" \
  "stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n" \
  "stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n" \
  "stp d14, d15, [sp, #144]\n mov x9, sp\n str x9, [x0]\n mov sp, x1\n" \
  "ldp d14, d15, [sp, #144]\n ldp d12, d13, [sp, #128]\n ldp d10, d11, [sp, #112]\n" \
  "ldp d8, d9, [sp, #96]\n ldp x29, x30, [sp, #80]\n ldp x27, x28, [sp, #64]\n" \
  "ldp x25, x26, [sp, #48]\n ldp x23, x24, [sp, #32]\n ldp x21, x22, [sp, #16]\n" \
  "ldp x19, x20, [sp], #160\n ret\n"
#define CILK_ARCH_BOTTOM "mov x0, x19\n blr x20\n brk #1\n"

static inline void *cilk_arch_frame(char *top, void (*bottom)(void), void (*f)(void *), void *argument) {
  void **sp = (void **)(void *)top - 20;
  sp[0] = argument;                       /* x19 */
  sp[1] = (void *)(uintptr_t)f;           /* x20 */
  sp[11] = (void *)(uintptr_t)bottom;     /* x30 */
  return sp;
}

#endif
