/* base.h - what every file of the runtime is written in: attributes, atomic accesses, the constants, the contract with generated code. */
#ifndef CILK_RT_BASE_H
#define CILK_RT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The runtime is compiled with -fvisibility=hidden: what images share is abi.h and what <cilk.h> declares. */
#pragma GCC visibility push(default)
#include "abi.h"
#pragma GCC visibility pop
#include "config.h"

#define CILK_COLD __attribute__((cold, noinline))
#define CILK_NORETURN __attribute__((noreturn))
#define CILK_SHARED __attribute__((visibility("default")))   /* at the definitions behind <cilk.h> */
#define CILK_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* In the debug build a thread may lose time before each shared access (fault.h). */
#ifdef CILK_DEBUG
extern bool cilk_fault_on;                /* constant once the first context is made */
void cilk_fault_happen(void);
#define cilk_fault_point() (__builtin_expect(cilk_fault_on, 0) ? cilk_fault_happen() : (void)0)
#else
#define cilk_fault_point() ((void)0)
#endif

/* abi.h is shared with C++ and with generated code, so its fields have plain types; every access that another thread can see goes
 * through these. The comment at each use, or PROTOCOLS.md, says what it pairs with. */
#define load_relaxed(p) (cilk_fault_point(), __atomic_load_n((p), __ATOMIC_RELAXED))
#define load_acquire(p) (cilk_fault_point(), __atomic_load_n((p), __ATOMIC_ACQUIRE))
#define load_seq_cst(p) (cilk_fault_point(), __atomic_load_n((p), __ATOMIC_SEQ_CST))
#define store_relaxed(p, v) (cilk_fault_point(), __atomic_store_n((p), (v), __ATOMIC_RELAXED))
#define store_release(p, v) (cilk_fault_point(), __atomic_store_n((p), (v), __ATOMIC_RELEASE))
#define store_seq_cst(p, v) (cilk_fault_point(), __atomic_store_n((p), (v), __ATOMIC_SEQ_CST))

#endif
