/* cilk/cilk_api.h - OpenCilk's functions. In a serial program (--serial) there is one worker, number 0. All may be called by any thread. */
#ifndef _CILK_API_H
#define _CILK_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Has the first spawning function been entered, so that the workers exist? */
int __cilkrts_is_initialized(void);

/* `f` is called before the workers are made, in the order of the calls; not 0: they exist already, or 32 functions wait. */
int __cilkrts_atinit(void (*f)(void));
/* `f` is called when the process exits, in the reverse order; not 0: 32 functions wait. */
int __cilkrts_atexit(void (*f)(void));

/* The number of workers: CILK_NWORKERS, or the processors that the process may use. */
unsigned __cilkrts_get_nworkers(void);
/* The number of the worker that calls, from 0; 0 outside. It can change at each spawn, sync and call. */
unsigned __cilkrts_get_worker_number(void);
/* 1 on a worker, else 0. */
int __cilkrts_running_on_workers(void);

/* "nworkers", "4": the number of workers, before they are made. 0, or not 0: too late, or no such parameter or value. (Cilk Plus) */
int __cilkrts_set_param(const char *name, const char *value);
/* Make the workers now; let them end when the process does. (Cilk Plus) */
void __cilkrts_init(void);
void __cilkrts_end_cilk(void);
int __cilkrts_get_total_workers(void);

#ifdef __cplusplus
}
#endif
#endif
