/* threads.h - what generated code does for Cilk-1, as C macros, so that the runtime can be tested with threads written
 * by hand. */
#ifndef TESTS_RT_CILK1_THREADS_H
#define TESTS_RT_CILK1_THREADS_H

#include "../clones.h"
#include "rt/extensions/cilk1/cilk1.h"

/* The arguments of a closure, as their struct. */
#define ARGS(T, c) ((struct T##_args *)(void *)((char *)(c) + CILK1_ARGS))
#define SLOT(T, field) (CILK1_ARGS + (uint32_t)offsetof(struct T##_args, field))

/* The join sum of n words of 8 bytes. */
#define SLOTS(T, field, n) ((uint32_t)(n) * SLOT(T, field) + 4u * (uint32_t)(n) * ((uint32_t)(n) - 1))

/* Rows of a thread's table of slots. */
#define ROW(T, i, field) {#field, SLOT(T, field), sizeof((struct T##_args *)0)->field, 0, i}
#define CONT_ROW(T, i, field) {#field, SLOT(T, field), sizeof(cilk_cont), CILK1_SLOT_CONT, i}

/* The thread's constant, after its T_run and T_slots. */
#define THREAD(T) \
  static const cilk1_thread T = {T##_run, #T, __FILE__, __LINE__, CILK1_ARGS + sizeof(struct T##_args), \
      sizeof T##_slots / sizeof *T##_slots, 0, T##_slots, NULL}

/* What a call from C does: a struct has the arguments in the order of the thread's, without k. */
static inline void call_root(struct CilkContext *ctx, const cilk_root *root, void *args, void *result) {
  cilk_rt_call_root(ctx, root, args, result);
}

#ifdef FAST                               /* as where codegen writes the fast paths inline */
#define SPAWN(t, missing) cilk1_make(w, (t), (missing), w->pool->level + 1)
#define SPAWN_NEXT(t, missing) cilk1_make(w, (t), (missing), w->pool->level)
#define READY(c) cilk1_ready_fast(w, (c))
#define SEND4(k, v) cilk1_send4_fast(w, (k), (uint32_t)(v))
#define SEND8(k, v) cilk1_send8_fast(w, (k), (uint64_t)(v))
#else
#define SPAWN(t, missing) cilk1_spawn(w, (t), (missing))
#define SPAWN_NEXT(t, missing) cilk1_spawn_next(w, (t), (missing))
#define READY(c) cilk1_ready(w, (c))
#define SEND4(k, v) cilk1_send4(w, (k), (uint32_t)(v))
#define SEND8(k, v) cilk1_send8(w, (k), (uint64_t)(v))
#endif
#endif
