/* trace.h - the flavour `trace`: events (events.def) are kept. In every other flavour there is nothing of this.
 *
 * CILK_TRACE=FILE: each worker writes its events into a ring of its own, without locks. A thread of the context, the
 * writer, empties the rings into FILE, which has all but the last few ms should the program crash. One line for each
 * event:
 *
 *     time in ns, worker, event, object, other (hexadecimal), place
 *
 * and before the first event of a place `place NUMBER LINE PROCEDURE CHILD FILE`: a spawn's child, "-" elsewhere; place
 * 0 is nowhere. The first line is `workers N` with the time. A ring that is full loses events, a file that is full
 * does, too: a line before the last one says how many. Spawns of fine-grained programs are thinned where they are
 * noted: by time, so that a coarse program has them all. */
#ifndef CILK_RT_TRACE_H
#define CILK_RT_TRACE_H

#include "data/context.h"

#ifdef CILK_TRACE
/* Besides, if it is not NULL: of each event its word and where it was. */
extern void (*cilk_event_also)(const cilk_worker *w, const char *name, const void *object, const void *other,
    const char *file, const char *procedure, uint32_t line);
void cilk_trace_worker(cilk_worker_ext *x);   /* before its thread begins */
void cilk_trace_begin(cilk_context *ctx);
void cilk_trace_end(cilk_context *ctx);       /* no computation comes any more: all that was noted is in the file */
void cilk_trace_free(cilk_worker_ext *x);     /* its thread is gone */
#else
static inline void cilk_trace_worker(cilk_worker_ext *x) { (void)x; }
static inline void cilk_trace_begin(cilk_context *ctx) { (void)ctx; }
static inline void cilk_trace_end(cilk_context *ctx) { (void)ctx; }
static inline void cilk_trace_free(cilk_worker_ext *x) { (void)x; }
#endif

#endif
