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

/* abi.h is shared with C++ and with generated code, so its fields have plain types; every access that another thread can see goes
 * through these. The comment at each use, or PROTOCOLS.md, says what it pairs with. */
#define load_relaxed(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define load_seq_cst(p) __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define store_relaxed(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define store_seq_cst(p, v) __atomic_store_n((p), (v), __ATOMIC_SEQ_CST)

#endif
