/* cilk-start.h: computations of their own, in Cilk programs: begun without waiting, waited for, cancelled, and shared out by a preemptive scheduler.
 *
 *     Cilk_computation *a = Cilk_start(fib, 35), *b = Cilk_start(fib, 36);
 *     Cilk_cancel_after(b, 1000000);
 *     int x;
 *     if (Cilk_wait(a, &x)) ...
 *     if (!Cilk_wait(b, &x)) ... (it was cancelled: x is what it was)
 *
 * A computation is a call of a Cilk procedure that runs beside who started it, on the same workers: by `--sched=steal` when a worker has nothing else to do, by
 * `roundrobin` and `proportional` in turn. It belongs to the computation that started it (main's, a computation itself, or a call from C), and must be
 * waited for there, once, before that one ends. All of these are called from Cilk procedures, or from C functions that those call; Cilk_cancel from
 * any thread. In the elision Cilk_start calls the procedure and nothing is ever cancelled.
 */
#ifndef CILK_START_H
#define CILK_START_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cilk_computation Cilk_computation;
#define CILK_ENGINE_STOPPED (-1)

/* What the scheduler knows of a computation before it gets the computation's first fiber (Cilk_share of <cilk-sched.h>). What is left out is 0. Later versions
 * have more fields at the end: `size` says how many, and CILK_ATTRIBUTES sets it.
 *
 *     Cilk_computation *c = Cilk_start_with(CILK_ATTRIBUTES(.deadline = soon, .user = &job), run, &job);
 */
typedef struct Cilk_attributes {
    unsigned long size;             /* sizeof (Cilk_attributes) */
    int weight;                     /* as of Cilk_set_share; 0: 1 */
    unsigned long long deadline;    /* for schedulers that go by it: ns, of the clock CLOCK_MONOTONIC. Nothing is cancelled then (Cilk_cancel_after) */
    void *user;                     /* for a scheduler of the program's own. What it points to stays until the scheduler's `ended` */
    const char *scheduler;          /* NULL: that of the computation that starts it; else as of Cilk_with */
    int vprocs;                     /* ... and how many workers it may have; 0: all */
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
#define Cilk_start(f, ...) cilk_h_started(&(__typeof__(f(__VA_ARGS__))[1]){ f(__VA_ARGS__) }, sizeof(__typeof__(f(__VA_ARGS__))))
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

/* Starts f(arguments...), which C could call: EXPORT(f) is declared where f is not in sight, as for any call from C. The arguments are copied. Its handle lives until Cilk_wait. */
#define Cilk_start(f, ...) ((void)EXPORT(f)((CilkContext *)1, ##__VA_ARGS__), cilk_rt_started())
/* The same, under a scheduler of its own: `scheduler` is what could follow --sched= ("gang", "roundrobin:1ms", a name of the program's own), `vprocs` how many
 * workers it may have at a time (0: all). For the scheduler of who started it, it is one computation, which it gives workers and takes them
 * back as it likes; these share what there is inside as the own scheduler says. May be nested. */
#define Cilk_with(scheduler, vprocs, f, ...) ((void)EXPORT(f)((CilkContext *)2, ##__VA_ARGS__), cilk_rt_with((scheduler), (vprocs)))
/* An engine: the same, but it runs only while it has fuel, which is time. It has none at first. (Haynes, Friedman: Engines build process abstractions, 1984.) */
#define Cilk_engine(scheduler, vprocs, f, ...) ((void)EXPORT(f)((CilkContext *)2, ##__VA_ARGS__), cilk_rt_engine((scheduler), (vprocs)))
/* e runs for so many nanoseconds, or until it is over. 1 and 0 as of Cilk_wait, and the handle has ended; CILK_ENGINE_STOPPED: the fuel is used up, nothing of e runs any
 * more, and it goes on where it was when it is run again. It stops at safe points (spawns, and children's returns); calls from C into Cilk, and waits
 * for what e has started itself, go on to their end. One run at a time. Cilk_wait gives e all the fuel that it needs; an engine that is left over when
 * the computation that made it ends is cancelled. In elisions, and where a record is made or repeated, it runs to its end. */
extern int Cilk_engine_run(Cilk_computation *e, long long ns, void *result);
/* Any of these, with attributes. */
#define Cilk_start_with(attributes, f, ...) ((void)EXPORT(f)((CilkContext *)2, ##__VA_ARGS__), cilk_rt_start_with((attributes)))
/* Waits until c is over, and ends its handle. 1: its result is in *result (NULL: not wanted); 0: it was cancelled. The worker meanwhile runs pieces of
 * computations that the same one started, and no others. */
extern int Cilk_wait(Cilk_computation *c, void *result);
/* All of c stops: what runs at its next spawn, sync or return of a child; what waits never runs. Returns at once; Cilk_wait then waits for less. If c has
 * its result already, nothing happens. The computations that c has started are cancelled with it. */
extern void Cilk_cancel(Cilk_computation *c);
/* The same after so many nanoseconds from now, unless it is over by then. */
extern void Cilk_cancel_after(Cilk_computation *c, long long ns);
/* `proportional` gives c so many times the processor time of a computation of weight 1. From 1 (the default) to 1000. */
extern void Cilk_set_share(Cilk_computation *c, int weight);
/* Called by a worker when c is over, whether it was cancelled or not: the place to release what c holds. Several are called in reverse order; before
 * Cilk_wait returns. */
extern void Cilk_on_end(Cilk_computation *c, void (*f)(void *), void *argument);

/* Storage of the present computation: any of its pieces finds under `key`, an address of the program's, what one of them has stored there; else what the
 * computation that started it finds there, and so on; else NULL. */
extern void Cilk_local_set(const void *key, void *value);
extern void *Cilk_local_get(const void *key);
/* The worker gives up what it runs at its next safe point (a spawn, or a child's return), and asks its scheduler what comes next. */
extern void Cilk_yield(void);

/* Behind Cilk_start, Cilk_with, Cilk_engine and Cilk_start_with. */
extern Cilk_computation *cilk_rt_started(void);
extern Cilk_computation *cilk_rt_with(const char *scheduler, int vprocs);
extern Cilk_computation *cilk_rt_engine(const char *scheduler, int vprocs);
extern Cilk_computation *cilk_rt_start_with(const Cilk_attributes *attributes);

#endif

#ifdef __cplusplus
}
#endif

#endif
