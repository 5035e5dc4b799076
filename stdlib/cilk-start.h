/* cilk-start.h: computations in Cilk programs. A program starts them without waiting, waits for them, and cancels
 * them.
 *
 *     Cilk_computation *a = Cilk_start(fib, 35), *b = Cilk_start(fib, 36);
 *     Cilk_cancel_after(b, 1000000);
 *     int x;
 *     if (Cilk_wait(a, &x)) ...
 *     if (!Cilk_wait(b, &x)) ... (it was cancelled: x is unchanged)
 *
 * A computation is a call of a Cilk procedure that runs in parallel with its caller, on the same workers.
 * `--sched=steal` begins it when a worker has nothing else to do. `roundrobin` and `proportional` give each
 * computation slices in turn.
 *
 * Ownership: a computation belongs to the computation that started it (main's, another one, or a call from C). That
 * computation may wait for it once, before its own end. Cilk_wait ends the handle, and so does Cilk_engine_run when it
 * returns 0 or 1. A computation does not end before those that it started. Then the handles that are left end, too.
 *
 * Threads: Cilk procedures call these functions, and so do C functions that Cilk procedures call. Any thread may call
 * Cilk_cancel, as long as the handle lives. In the elision Cilk_start calls the procedure, and nothing is ever
 * cancelled.
 *
 * Errors: none is returned. A call by another thread, a wrong scheduler, a lack of memory: each ends the process with a
 * message.
 */
#ifndef CILK_START_H
#define CILK_START_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cilk_computation Cilk_computation;
#define CILK_ENGINE_STOPPED (-1)

/* What a scheduler knows of a computation before it gets the first fiber (Cilk_share of <cilk-sched.h>). Omitted
 * fields are 0. Later versions have more fields at the end. CILK_ATTRIBUTES sets `size`, from which the runtime sees
 * the version.
 *
 *     Cilk_computation *c = Cilk_start_with(CILK_ATTRIBUTES(.deadline = soon, .user = &job), run, &job);
 */
typedef struct Cilk_attributes {
    unsigned long size;             /* sizeof (Cilk_attributes) */
    int weight;                     /* 1 to 1000, as of Cilk_set_share. Less counts as 1, more as 1000 */
    /* ns, of the clock CLOCK_MONOTONIC, for schedulers that use it. It cancels nothing (Cilk_cancel_after does) */
    unsigned long long deadline;
    /* for the program's own scheduler. What it points to must live until the scheduler's `ended` */
    void *user;
    const char *scheduler;          /* as of Cilk_with. NULL: that of the starting computation */
    int vprocs;                     /* the most workers that it may have at a time. 0: all */
    int engine;                     /* 1: as of Cilk_engine (scheduler NULL: "steal") */
} Cilk_attributes;
#define CILK_ATTRIBUTES(...) (&(Cilk_attributes){ .size = sizeof(Cilk_attributes), __VA_ARGS__ })

#if defined(CILK_ELISION) && !defined(__CILK__)

#include <stdlib.h>
#include <string.h>
struct cilk_computation { size_t size; };
static __inline__ Cilk_computation *cilk_h_started(const void *result, size_t size)
{
    Cilk_computation *c = (Cilk_computation *)malloc(sizeof *c + size);
    if (!c)
        abort();
    c->size = size;
    memcpy(c + 1, result, size);
    return c;
}
static __inline__ int Cilk_wait(Cilk_computation *c, void *result)
{
    if (result)
        memcpy(result, c + 1, c->size);
    free(c);
    return 1;
}
#define Cilk_start(f, ...) \
  cilk_h_started(&(__typeof__(f(__VA_ARGS__))[1]){ f(__VA_ARGS__) }, sizeof(__typeof__(f(__VA_ARGS__))))
#define Cilk_with(scheduler, vprocs, f, ...) ((void)(scheduler), (void)(vprocs), Cilk_start(f, ##__VA_ARGS__))
#define Cilk_engine(scheduler, vprocs, f, ...) ((void)(scheduler), (void)(vprocs), Cilk_start(f, ##__VA_ARGS__))
#define Cilk_start_with(attributes, f, ...) ((void)(attributes), Cilk_start(f, ##__VA_ARGS__))
#define Cilk_engine_run(e, ns, result) ((void)(ns), Cilk_wait((e), (result)))
#define Cilk_cancel(c) ((void)(c))
#define Cilk_cancel_after(c, ns) ((void)(c), (void)(ns))
#define Cilk_set_share(c, weight) ((void)(c), (void)(weight))
#define Cilk_on_end(c, f, argument) ((f)(argument))
#define Cilk_yield() ((void)0)

#else

/* Starts f(arguments...) and returns its handle. The arguments are copied. f of another file is declared as
 * EXPORT(f), as for a call from C. */
#define Cilk_start(f, ...) ((void)EXPORT(f)((CilkContext *)1, ##__VA_ARGS__), cilk_rt_started())
/* The same, under its own scheduler. `scheduler` is what can follow --sched= ("gang", "roundrobin:1ms", a name of the
 * program's own). `vprocs` is the largest number of workers at a time (0 or too many: all). The outer scheduler sees
 * one computation, gives it workers and takes them back. The inner scheduler decides what these workers run inside.
 * May be nested. */
#define Cilk_with(scheduler, vprocs, f, ...) \
  ((void)EXPORT(f)((CilkContext *)2, ##__VA_ARGS__), cilk_rt_with((scheduler), (vprocs)))
/* An engine: the same, but it runs only while it has fuel, which is time. At first it has none. (Haynes, Friedman:
 * Engines build process abstractions, 1984.) */
#define Cilk_engine(scheduler, vprocs, f, ...) \
  ((void)EXPORT(f)((CilkContext *)2, ##__VA_ARGS__), cilk_rt_engine((scheduler), (vprocs)))
/* Runs e for ns nanoseconds, or until it is over. Returns 1 or 0 as Cilk_wait does, and then the handle has ended.
 * Returns CILK_ENGINE_STOPPED when the fuel is used up. Then nothing of e runs, and the next run goes on from there.
 * e stops at safe points (spawns, and children's returns), and where its C code waits for a computation, or for a
 * call into Cilk. That C code goes on later, on the same worker. One run at a time. Cilk_wait gives e all the fuel that
 * it needs. When the computation that made an engine ends, the engine is cancelled. In elisions, and where a record
 * is made or repeated, e runs to its end. e must be an engine. */
extern int Cilk_engine_run(Cilk_computation *e, long long ns, void *result);
/* Cilk_start, Cilk_with or Cilk_engine, by its attributes. They are copied. NULL: none. */
#define Cilk_start_with(attributes, f, ...) \
  ((void)EXPORT(f)((CilkContext *)2, ##__VA_ARGS__), cilk_rt_start_with((attributes)))
/* Waits until c is over, and ends its handle. Returns 1 and stores the result in *result, unless result is NULL.
 * Returns 0 if c was cancelled: *result is unchanged. Meanwhile the worker runs only pieces of computations that the
 * same computation started. */
extern int Cilk_wait(Cilk_computation *c, void *result);
/* Cancels c and the computations that c has started. Running code stops at its next spawn, sync or return of a child.
 * What waits never runs. Returns at once. If c has its result already, nothing happens. The handle lives on until
 * Cilk_wait. */
extern void Cilk_cancel(Cilk_computation *c);
/* The same, ns nanoseconds from now (less than 0: now), unless c is over by then. A second call replaces the first. */
extern void Cilk_cancel_after(Cilk_computation *c, long long ns);
/* `proportional` gives c `weight` times the processor time of a computation of weight 1. From 1 (the default) to
 * 1000; less counts as 1, more as 1000. */
extern void Cilk_set_share(Cilk_computation *c, int weight);
/* A worker calls f(argument) when c is over, cancelled or not, before Cilk_wait returns. Release there what c holds.
 * Several are called in reverse order. If c is over already, the caller calls f at once. */
extern void Cilk_on_end(Cilk_computation *c, void (*f)(void *), void *argument);

/* Storage of the present computation. `key` is any address of the program. Cilk_local_get returns what a piece of the
 * computation stored there, else what the computation that started it finds there, and so on, else NULL. The program
 * owns what a value points to. Only a worker can store; on other threads Cilk_local_get returns NULL. */
extern void Cilk_local_set(const void *key, void *value);
extern void *Cilk_local_get(const void *key);
/* The worker gives up what it runs at its next safe point (a spawn, or a child's return), and asks its scheduler what
 * comes next. Elsewhere nothing is done. */
extern void Cilk_yield(void);

/* Used by the macros Cilk_start, Cilk_with, Cilk_engine and Cilk_start_with. */
extern Cilk_computation *cilk_rt_started(void);
extern Cilk_computation *cilk_rt_with(const char *scheduler, int vprocs);
extern Cilk_computation *cilk_rt_engine(const char *scheduler, int vprocs);
extern Cilk_computation *cilk_rt_start_with(const Cilk_attributes *attributes);

#endif

#ifdef __cplusplus
}
#endif

#endif
