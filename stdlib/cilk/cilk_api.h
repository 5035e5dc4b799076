/* cilk/cilk_api.h - OpenCilk's functions. In a serial program (--serial) there is one worker, number 0. All may be
 * called by any thread. */
#ifndef _CILK_API_H
#define _CILK_API_H

#include <stddef.h>
#include <stdint.h>
#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Has the first spawning function been entered, so that the workers exist? */
int __cilkrts_is_initialized(void);

/* `f` is called before the workers are made, in the order of the calls; not 0: they exist already, or 32 functions
 * wait. */
int __cilkrts_atinit(void (*f)(void));
/* `f` is called when the process exits, in the reverse order; not 0: 32 functions wait. */
int __cilkrts_atexit(void (*f)(void));

/* The number of workers: CILK_NWORKERS, else CILK_NPROC, else the processors that the process may use. */
unsigned __cilkrts_get_nworkers(void);
/* The number of the worker that calls, from 0; 0 outside. It can change at each spawn, sync and call. */
unsigned __cilkrts_get_worker_number(void);
/* 1 on a worker, else 0. */
int __cilkrts_running_on_workers(void);

/* Sets the number of workers: "nworkers", "4". With "0" it is what the environment says. Once workers exist, a number
 * is accepted only if it is at most 64, or no more than they were. Returns 0, or not 0: no such parameter or value.
 * (Cilk Plus) */
int __cilkrts_set_param(const char *name, const char *value);
/* The first makes the workers now. The second does nothing: they end when the process does. (Cilk Plus) */
void __cilkrts_init(void);
void __cilkrts_end_cilk(void);
/* The same as __cilkrts_get_nworkers. (Cilk Plus) */
int __cilkrts_get_total_workers(void);

/* The name of the strand that calls. No schedule, number of workers or grain changes it. It is a list of nodes from the
 * leaf, which is the returned value, to the root. Ranks begin at 0. In a function four things add 1 to the rank: a
 * spawn, a sync, the end of a called function that spawns, and a call of __cilkrts_bump_worker_rank or
 * __cilkrts_get_dprand. A child begins with rank 0. Its parent node has the rank of the spawning function at the spawn.
 * A cilk_for counts as a spawn. The list of its iteration k begins with a node of its own, at first 0. A node with k is
 * next, then that of the function at that spawn. The parent nodes exist until the function returns. A program that
 * calls one of the next three functions pays for pedigrees, in each spawn. All of its files that spawn are compiled
 * with -cilk-pedigree, or call one of them. (Leiserson, Schardl, Sukha: Deterministic parallel random-number generation
 * for dynamic-multithreading platforms, PPoPP 2012, has pedigrees and DotMix.) */
typedef struct __cilkrts_pedigree {
    uint64_t rank;
    const struct __cilkrts_pedigree *parent;   /* NULL: the root */
} __cilkrts_pedigree;
__cilkrts_pedigree __cilkrts_get_pedigree(void);
void __cilkrts_bump_worker_rank(void);

/* A random number of 64 bits, made of the pedigree and the seed by DotMix: the same in each schedule, and in --serial.
 * 1 is added to the rank first, so each call has another number. The seed is set where nothing runs in parallel. */
uint64_t __cilkrts_get_dprand(void);
void __cilkrts_dprand_set_seed(uint64_t seed);
void __cilkrts_init_dprng(void);               /* nothing is to be done */

/* ---- reducers without the word cilk_reducer ---- */

typedef void (*__cilk_identity_fn)(void *view);
typedef void (*__cilk_reduce_fn)(void *left, void *right);
/* The object `key` begins to exist in the strand that calls, and is its own view there; before it is freed, after the
 * join of all that uses it, it is unregistered. Reducers that exist before the first spawn need neither.
 * hyperobject_base.h has macros of these names, hence the parentheses. */
void (__cilkrts_reducer_register)(void *key, size_t size, __cilk_identity_fn identity, __cilk_reduce_fn reduce);
void (__cilkrts_reducer_unregister)(void *key);
/* The view of the strand that calls. */
void *(__cilkrts_reducer_lookup)(void *key, size_t size, __cilk_identity_fn identity, __cilk_reduce_fn reduce);

#ifdef __cplusplus
}
#endif
#endif
