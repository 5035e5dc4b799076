/* base.h - what every file of the runtime is written in: attributes, atomic accesses, the constants, the contract with
 * generated code. */
#ifndef CILK_RT_BASE_H
#define CILK_RT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The runtime is compiled with -fvisibility=hidden. Images share abi.h and what the headers of stdlib declare. */
#pragma GCC visibility push(default)
#include "abi.h"
#pragma GCC visibility pop
#include "base/config.h"

#define CILK_COLD __attribute__((cold, noinline))
#define CILK_NORETURN __attribute__((noreturn))
#define CILK_SHARED __attribute__((visibility("default")))   /* at the definitions of <cilk.h> */
#define CILK_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* In the debug build something may happen before each access to what workers share: a thread loses time (fault.h), or
 * its turn (controlled_schedule.c). Not while it holds a lock of the system's (cilk_hold): a thread that waits for such
 * a lock keeps the turn. */
#ifdef CILK_DEBUG
extern void (*cilk_at_access)(void);      /* constant once the first context is made; NULL: nothing happens */
extern __thread uint32_t cilk_held;
#define cilk_access_point() (__builtin_expect(cilk_at_access != NULL, 0) ? cilk_at_access() : (void)0)
#define cilk_hold(n) ((void)(cilk_held += (uint32_t)(n)))
#else
#define cilk_access_point() ((void)0)
#define cilk_hold(n) ((void)0)
#endif

/* abi.h is shared with C++ and with generated code, so its fields have plain types; every access that another thread
 * can see goes through these. The comment at each use, or PROTOCOLS.md, says what it pairs with. */
#define load_relaxed(p) (cilk_access_point(), __atomic_load_n((p), __ATOMIC_RELAXED))
#define load_acquire(p) (cilk_access_point(), __atomic_load_n((p), __ATOMIC_ACQUIRE))
#define load_seq_cst(p) (cilk_access_point(), __atomic_load_n((p), __ATOMIC_SEQ_CST))
#define store_relaxed(p, v) (cilk_access_point(), __atomic_store_n((p), (v), __ATOMIC_RELAXED))
#define store_release(p, v) (cilk_access_point(), __atomic_store_n((p), (v), __ATOMIC_RELEASE))
#define store_seq_cst(p, v) (cilk_access_point(), __atomic_store_n((p), (v), __ATOMIC_SEQ_CST))

#endif
