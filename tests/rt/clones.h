/* clones.h - what generated code does inline, as C macros, so that the runtime can be tested with clones written by
 * hand. -DLAZY builds a program for the lazy strategy. */
#ifndef TESTS_RT_CLONES_H
#define TESTS_RT_CLONES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rt/core/abi.h"

struct CilkContext *Cilk_init(int *argc, char **argv);
void Cilk_terminate(struct CilkContext *ctx);

#ifdef LAZY
extern const char cilk_spawn_lazy;
static const char *const strategy __attribute__((used)) = &cilk_spawn_lazy;
#else
extern const char cilk_spawn_eager;
static const char *const strategy __attribute__((used)) = &cilk_spawn_eager;
#endif

#ifdef TRACE
extern const char cilk_trace_on;
static const char *const traced __attribute__((used)) = &cilk_trace_on;
#endif

/* The free list of the class of a closure type; a constant once compiled. */
#define CLASS_OF(size) (((size) + 63) / 64 - 1)

static inline cilk_closure *take_closure(const cilk_sig *sig, unsigned size) {
  cilk_closure *c = CLASS_OF(size) < CILK_FREE_CLASSES ? cilk_self.free_list[CLASS_OF(size)] : NULL;
  if (__builtin_expect(c != NULL, 1)) cilk_self.free_list[CLASS_OF(size)] = c->next;
  else c = cilk_rt_closure_alloc(sig);
  c->sig = sig;
  return c;
}

static inline void give_closure(cilk_closure *c, unsigned size) {
  if (CLASS_OF(size) >= CILK_FREE_CLASSES || c->blocks) {
    cilk_rt_closure_free(c);
    return;
  }
  c->next = cilk_self.free_list[CLASS_OF(size)];
  cilk_self.free_list[CLASS_OF(size)] = c;
}

static inline cilk_closure **push(cilk_closure *c) {
  cilk_closure **t = __atomic_load_n(&cilk_self.tail, __ATOMIC_RELAXED);
#ifdef TRACE
  static const cilk_trace_site here = {"push", "", __FILE__, __LINE__};
  cilk_rt_trace_spawn(&here);
#endif
  *t = c;
  __atomic_store_n(&cilk_self.tail, t + 1, __ATOMIC_RELEASE);
  return t;
}

/* Pops; true if the runtime has to be asked. */
static inline int pop(cilk_closure **t) {
#ifdef __SANITIZE_THREAD__
  (void)__atomic_exchange_n(&cilk_self.tail, t, __ATOMIC_SEQ_CST);
  return __atomic_load_n(&cilk_self.exc, __ATOMIC_SEQ_CST) > t;
#else
  __atomic_store_n(&cilk_self.tail, t, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return __builtin_expect(__atomic_load_n(&cilk_self.exc, __ATOMIC_RELAXED) > t, 0);
#endif
}

/* The same in slow clones, fenced. */
static inline int slow_pop(cilk_closure **t) {
  (void)__atomic_exchange_n(&cilk_self.tail, t, __ATOMIC_SEQ_CST);
  return __builtin_expect(__atomic_load_n(&cilk_self.exc, __ATOMIC_SEQ_CST) > t, 0);
}

static inline int flagged(void) { return __builtin_expect(__atomic_load_n(&cilk_self.release, __ATOMIC_RELAXED), 0); }

/* Statements after a spawned call in an eager fast clone: the pop; RESULT (a variable) is what the child returned;
 * returns DUMMY if unwinding. The runtime gets a copy made on the cold path, so that the variable itself can stay in a
 * register. */
#define FAST_POP(t, RESULT, DUMMY) \
  do { \
    if (pop(t)) { \
      __typeof__(RESULT) cold = (RESULT); \
      if (cilk_rt_pop_exception(&cold, sizeof cold) != CILK_CONTINUE) return DUMMY; \
    } \
  } while (0)

/* In slow clones (void functions). */
/* the last SLOW_POP said CILK_SKIP: the result is not delivered */
static __thread int dropped __attribute__((unused));
#define SLOW_POP(t, RESULT) \
  do { \
    int verdict = slow_pop(t) ? cilk_rt_pop_exception(&(RESULT), sizeof(RESULT)) : CILK_CONTINUE; \
    dropped = verdict == CILK_SKIP; \
    if (verdict != CILK_CONTINUE && !dropped) return; \
  } while (0)

#define EXPECT(e) \
  do { \
    if (!(e)) { \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #e); \
      exit(1); \
    } \
  } while (0)

#endif
