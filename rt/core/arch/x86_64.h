/* x86_64.h - see arch.h. */
#ifndef CILK_RT_ARCH_X86_64_H
#define CILK_RT_ARCH_X86_64_H

#define CILK_ARCH_FENCELESS_POP 1
#define CILK_ARCH_STACKS 1
#define CILK_ARCH_RETURN "rip"

static inline void cilk_pause(void) { __builtin_ia32_pause(); }

/* MXCSR with its flags, and the control word of the x87. */
typedef struct cilk_fp_state {
  uint32_t control;
  uint16_t x87;
} cilk_fp_state;

static inline void cilk_fp_save(cilk_fp_state *s) {
  __asm__ __volatile__("stmxcsr %0\n\tfnstcw %1" : "=m"(s->control), "=m"(s->x87));
}
static inline void cilk_fp_load(const cilk_fp_state *s) {
  __asm__ __volatile__("ldmxcsr %0\n\tfldcw %1" : : "m"(s->control), "m"(s->x87));
}

/* What a call must keep, and where it goes on. */
#define CILK_ARCH_SWITCH \
  "push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n" \
  "mov %rsp, (%rdi)\n mov %rsi, %rsp\n" \
  "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
#define CILK_ARCH_BOTTOM "xor %ebp, %ebp\n mov %r12, %rdi\n call *%rbx\n ud2\n"

/* Aligned as at the beginning of CILK_ARCH_BOTTOM, which calls. */
static inline void *cilk_arch_frame(char *top, void (*bottom)(void), void (*f)(void *), void *argument) {
  void **sp = (void **)(void *)top - 9;
  sp[3] = argument;                       /* r12 */
  sp[4] = (void *)(uintptr_t)f;           /* rbx */
  sp[6] = (void *)(uintptr_t)bottom;
  return sp;
}

#endif
