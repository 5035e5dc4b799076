/* cilk.h: the part of Cilk-5's library that every .cilk file sees.
 *
 * The compiler driver includes this header before the first line of each .cilk file. C and C++ files that call Cilk
 * procedures include it themselves. It is read in three ways:
 *
 *   Cilk text (__CILK__ is defined)       Self, Cilk_alloca and others are operations of the compiler. It checks that
 *                                         they are in a procedure or an inlet, and finds their worker.
 *   C or C++ that calls Cilk (no macro)   Cilk_init, Cilk_terminate and EXPORT come from the runtime library.
 *   the C elision (CILK_ELISION defined)  Everything is an inline function or a macro. No library is needed. One
 *                                         worker.
 *
 * The header includes no system header: a user's feature-test macros must come first, and every file reads it. The
 * few functions of the C library that it needs have private names, which the linker resolves to the usual ones.
 */
#ifndef CILK_H
#define CILK_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CILK_H_STR_(s) #s
#define CILK_H_STR(s) CILK_H_STR_(s)
#define CILK_H_LINK_NAME(name) __asm__(CILK_H_STR(__USER_LABEL_PREFIX__) name)

extern int cilk_h_yield(void) CILK_H_LINK_NAME("sched_yield");
extern int cilk_h_gettimeofday(void *now, void *zone) CILK_H_LINK_NAME("gettimeofday");
extern void *cilk_h_malloc(__SIZE_TYPE__ size) CILK_H_LINK_NAME("malloc");
extern void *cilk_h_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) CILK_H_LINK_NAME("calloc");
extern void *cilk_h_realloc(void *block, __SIZE_TYPE__ size) CILK_H_LINK_NAME("realloc");
extern void cilk_h_free(void *block) CILK_H_LINK_NAME("free");

/* ---------------------------------------------------------------- names for declarations */

/* Marks a declaration whose object may stay unused: `int f(UNUSED(int n))`. */
#define UNUSED(declaration) __attribute__((__unused__)) declaration
/* A use that does nothing. */
#define USE_UNUSED(variable) ((void)(variable))
/* A string that stays in the object file, such as a version: `FILE_IDENTITY(id, "fib 1.2");`. */
#define FILE_IDENTITY(name, text) static const char __attribute__((__unused__, __used__)) name[] = text

#ifdef __CILK__
/* The types that MIT Cilk's header gave. An elision includes the system's headers for them. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t, ssize_t;
#endif

/* ---------------------------------------------------------------- calling Cilk from C */

typedef struct CilkContext CilkContext;

/* The C function that runs Cilk procedure f on a context's workers and waits for its value:
 * declare it as `extern T EXPORT(f)(CilkContext *const, parameters of f);`. Any thread may call it. Calls in one
 * context come one after the other. On a worker of the context it is a part of that worker's computation. */
#define EXPORT(f) mt_##f

#if defined(CILK_ELISION) && !defined(__CILK__)
struct CilkContext { int unused; };
static __inline__ CilkContext *Cilk_init(int *argc, char *argv[])
{
    static CilkContext only;
    (void)argc, (void)argv;
    return &only;
}
static __inline__ void Cilk_terminate(CilkContext *const context) { (void)context; }
#else
/* Starts workers by the Cilk options among the arguments, and removes those options from argc and argv (NULL: there are
 * no arguments). Returns a context that Cilk_terminate frees; several may exist at the same time. Returns NULL after
 * --help, --version and wrong options. A worker that cannot be started ends the process with a message. */
extern CilkContext *Cilk_init(int *argc, char *argv[]);
/* Stops the workers, prints the requested statistics and frees the context. No call may run in it any more. NULL:
 * nothing is done. */
extern void Cilk_terminate(CilkContext *const context);
#endif

/* ---------------------------------------------------------------- memory order */

/* All earlier loads and stores take effect before any later one; the compiler moves nothing across either. StoreStore:
 * all earlier ones before any later store. StoreLoad: the same as Cilk_fence. */
#define Cilk_fence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define Cilk_membar_StoreStore() __atomic_thread_fence(__ATOMIC_RELEASE)
#define Cilk_membar_StoreLoad() __atomic_thread_fence(__ATOMIC_SEQ_CST)

/* Stores value and returns what was there, in one atomic step. */
static __inline__ int Cilk_xchg(volatile int *place, int value)
{
    return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST);
}

/* ---------------------------------------------------------------- locks */

/* An array type, so that a lock is passed without `&`. All zero is an unlocked lock. */
typedef volatile int Cilk_lockvar[1];

static __inline__ void Cilk_lock_init(volatile int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

#if !defined(CILK_ELISION) || defined(__CILK__)
/* Waits, and lets the runtime know for what. Not there in a program without the runtime. */
extern void cilk_rt_lock_wait(volatile int *lock) __attribute__((__weak__));
#define CILK_H_LOCK_WAIT(lock) (cilk_rt_lock_wait ? (cilk_rt_lock_wait(lock), 1) : 0)
/* When a run is recorded or replayed (--sched=record:FILE) the runtime sees all locks, in their order. */
extern int cilk_rt_locks_ordered __attribute__((__weak__));
extern int cilk_rt_lock_ordered(volatile int *lock) __attribute__((__weak__));
#define CILK_H_LOCK_ORDERED(lock) (&cilk_rt_locks_ordered && cilk_rt_locks_ordered && cilk_rt_lock_ordered(lock))
#else
#define CILK_H_LOCK_WAIT(lock) 0
#define CILK_H_LOCK_ORDERED(lock) 0
#endif

/* Takes the lock, and waits until it is free: spins a little on a read, then yields to other threads. Not recursive. */
static __inline__ void Cilk_lock(volatile int *lock)
{
    int spins = 0;
    if (CILK_H_LOCK_ORDERED(lock))
        return;
    if (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0 || CILK_H_LOCK_WAIT(lock))
        return;
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
        while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0)
            if (++spins > 200)
                cilk_h_yield();
}

static __inline__ void Cilk_unlock(volatile int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

#ifdef CILK_RACE
/* cilkc race: reports to the detector which worker holds which lock. */
extern void cilk_race_lock_init(volatile int *lock);
extern void cilk_race_lock(volatile int *lock);
extern void cilk_race_unlock(volatile int *lock);
#define Cilk_lock_init(lock) cilk_race_lock_init(lock)
#define Cilk_lock(lock) cilk_race_lock(lock)
#define Cilk_unlock(lock) cilk_race_unlock(lock)
#endif

#if defined(__CILK__) && defined(CILK_DEBUG) && !defined(CILK_RACE)
/* -cilk-debug: mistakes with locks are recognised, and reports name the holder. */
extern void cilk_rt_lock_checked(volatile int *lock, const char *name, const char *file, int line);
extern void cilk_rt_unlock_checked(volatile int *lock, const char *name, const char *file, int line);
#define Cilk_lock(lock) cilk_rt_lock_checked((lock), #lock, __FILE__, __LINE__)
#define Cilk_unlock(lock) cilk_rt_unlock_checked((lock), #lock, __FILE__, __LINE__)
#endif

/* ---------------------------------------------------------------- time */

typedef long long Cilk_time;

/* Microseconds by the wall clock, from some fixed moment. */
static __inline__ Cilk_time Cilk_get_wall_time(void)
{
    struct { long seconds, microseconds; } now = { 0, 0 };
    cilk_h_gettimeofday(&now, (void *)0);
    return (Cilk_time)now.seconds * 1000000 + (Cilk_time)(int)now.microseconds;
}
static __inline__ double Cilk_wall_time_to_sec(Cilk_time t) { return (double)t * 1.0e-6; }

/* For Cilk_user_work and Cilk_user_critical_path, where they count nanoseconds. */
static __inline__ double Cilk_time_to_sec(Cilk_time t) { return (double)t * 1.0e-9; }

/* ---------------------------------------------------------------- memory */

/* The program's heap that checkpoints keep (docs/travel.md); without --checkpoint and --restart, malloc's. They are
 * like malloc, calloc, realloc and free. A block is aligned to 16 bytes, and the program owns it until Cilk_free. NULL:
 * there is no memory, and errno is ENOMEM. Any thread. Cilk_malloc_fixed is Cilk-5's name of Cilk_malloc. */
#if defined(CILK_ELISION) || defined(CILK_RACE) || defined(CILK_MEMORY)
static __inline__ void *Cilk_malloc_fixed(__SIZE_TYPE__ size) { return cilk_h_malloc(size); }
static __inline__ void *Cilk_malloc(__SIZE_TYPE__ size) { return cilk_h_malloc(size); }
static __inline__ void *Cilk_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) { return cilk_h_calloc(count, size); }
static __inline__ void *Cilk_realloc(void *block, __SIZE_TYPE__ size) { return cilk_h_realloc(block, size); }
static __inline__ void Cilk_free(void *block) { cilk_h_free(block); }
static __inline__ int Cilk_checkpoint(void) { return -1; }
static __inline__ int Cilk_set_nproc(int n) { return (void)n, -1; }
#else
extern void *Cilk_malloc_fixed(__SIZE_TYPE__ size);
extern void *Cilk_malloc(__SIZE_TYPE__ size);
extern void *Cilk_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size);
extern void *Cilk_realloc(void *block, __SIZE_TYPE__ size);
extern void Cilk_free(void *block);                 /* malloc's blocks, too */
/* Asks for a checkpoint, which is made when all workers have come to a spawn or sync. Returns 0 at once. -1: the
 * program was started without --checkpoint. Any thread. */
extern int Cilk_checkpoint(void);
/* n workers run from now on, 1 or more, and at most the N of --elastic N. Returns 0 at once. -1: n is below 1, or the
 * program was started without --elastic. Any thread. */
extern int Cilk_set_nproc(int n);
#endif

/* ---------------------------------------------------------------- in procedures and inlets only */

#ifdef __CILK__

/* Prints `fatal error: <message>` on stderr and ends the program with status 1. */
extern void cilk_rt_die(const char *message) __attribute__((__noreturn__));
extern void cilk_rt_assert_failed(const char *expression, int line, const char *file) __attribute__((__noreturn__));
/* Aborts the computation; the program ends with this status once the workers have noticed. */
extern void cilk_rt_exit(int status);

/* this worker's number, 0 .. Cilk_active_size-1; may change at spawn and sync */
#define Self __cilk_self()
#define Cilk_active_size __cilk_active_size()    /* the number of workers */
#define Cilk_alloca(size) __cilk_alloca(size)    /* lives as long as the procedure instance */
/* Work and span of this instance up to its last spawn or sync, in programs compiled with -cilk-span: in ns, or with
 * -cilk-span=count in units of the text (docs/profile.md). In others 0. */
#define Cilk_user_work __cilk_user_work()
#define Cilk_user_critical_path __cilk_user_critical_path()
#define Cilk_die(message) ((void)__cilk_self(), cilk_rt_die(message))
#ifdef NDEBUG
#define Cilk_assert(e) ((void)0)
#else
#define Cilk_assert(e) ((e) ? (void)0 : ((void)__cilk_self(), cilk_rt_assert_failed(#e, __LINE__, __FILE__)))
#endif
#define Cilk_exit(status) do { spawn Cilk_really_exit(status); } while (0)

#pragma lang +Cilk
static __inline__ cilk void Cilk_really_exit(int status)
{
    cilk_rt_exit(status);
}
#pragma lang -Cilk

#else /* the elision, and C callers: one worker */

extern void cilk_h_exit(int status) CILK_H_LINK_NAME("exit") __attribute__((__noreturn__));
extern int cilk_h_dprintf(int fd, const char *format, ...) CILK_H_LINK_NAME("dprintf")
    __attribute__((__format__(__printf__, 2, 3)));

static __inline__ void cilk_h_die(const char *message) __attribute__((__noreturn__));
static __inline__ void cilk_h_die(const char *message)
{
    cilk_h_dprintf(2, "fatal error: %s\n", message);
    cilk_h_exit(1);
}

static __inline__ void cilk_h_assert_failed(const char *expression, int line, const char *file)
    __attribute__((__noreturn__));
static __inline__ void cilk_h_assert_failed(const char *expression, int line, const char *file)
{
    cilk_h_dprintf(2, "fatal error: Assertion failed: %s line %d file %s\n", expression, line, file);
    cilk_h_exit(1);
}

#define Self 0
#define Cilk_active_size 1
#define Cilk_alloca(size) __builtin_alloca(size)
#define Cilk_user_work ((Cilk_time)0)
#define Cilk_user_critical_path ((Cilk_time)0)
#define Cilk_die(message) cilk_h_die(message)
#ifdef NDEBUG
#define Cilk_assert(e) ((void)0)
#else
#define Cilk_assert(e) ((e) ? (void)0 : cilk_h_assert_failed(#e, __LINE__, __FILE__))
#endif
#define Cilk_exit(status) cilk_h_exit(status)

#endif /* __CILK__ */

#ifdef __cplusplus
}
#endif

#endif /* CILK_H */
