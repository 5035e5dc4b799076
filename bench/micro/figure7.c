/* Figure 7 of the Cilk-5 paper by its own method: the elision of fib, with the code of each overhead added by hand.
 *
 * FRAME  a closure is taken from a free list on entry and given back on return        ("closures")
 * SAVE   before each spawn the entry number and the live variables go to the closure  ("state saving")
 * THE    the closure is pushed before, and popped after, each spawn by the THE protocol: two stores, then a store to T,
 *        a fence where FENCE is set, a load of E, a predictable branch                  ("THE")
 * LOCK   with THE: a pop takes the deque's lock and frees it again, as Cilk did before THE
 * FLAG   one test of the worker's release flag after each call, none of the others    (what the lazy strategy leaves)
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct closure {
    struct closure *next;
    int entry, n;
    long x, y;
};

struct worker {
    struct closure *free, **volatile tail, **volatile exception;
    volatile int release;
    volatile int lock;
};

static struct closure store[4096], *deque[4096];
static struct worker the_worker;

#ifdef FRAME
#define TAKE() struct closure *f = w->free; do { if (!f) abort(); w->free = f->next; } while (0)
#define GIVE() do { f->next = w->free; w->free = f; } while (0)
#else
#define GIVE() ((void)0)
#ifdef SAVE
#define TAKE() struct closure *f = &store[0]
#elif defined THE
#define TAKE() struct closure *f = &store[0]
#else
#define TAKE() ((void)0)
#endif
#endif

#ifdef SAVE
#define STATE(number, variable, value) do { ((volatile struct closure *)f)->entry = number; \
    ((volatile struct closure *)f)->variable = value; } while (0)
#else
#define STATE(number, variable, value) ((void)0)
#endif

#ifdef LOCK
#define ORDER() do { while (__atomic_exchange_n(&w->lock, 1, __ATOMIC_ACQUIRE)) {} } while (0)
#define UNLOCK() __atomic_store_n(&w->lock, 0, __ATOMIC_RELEASE)
#elif defined FENCE
#define ORDER() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define ORDER() __asm__ volatile("" ::: "memory")
#endif

#ifndef UNLOCK
#define UNLOCK() ((void)0)
#endif

#ifdef THE
#define PLACE() struct closure **t = w->tail
#define PUSH() do { *t = f; w->tail = t + 1; } while (0)
#ifdef LOCK
#define POP() do { ORDER(); w->tail = t; if (__builtin_expect(w->exception > t, 0)) abort(); UNLOCK(); } while (0)
#else
#define POP() do { w->tail = t; ORDER(); if (__builtin_expect(w->exception > t, 0)) abort(); } while (0)
#endif
#else
#define PLACE() ((void)0)
#define PUSH() ((void)0)
#define POP() ((void)0)
#endif

#ifdef FLAG
#define TEST() do { if (__builtin_expect(w->release, 0)) abort(); } while (0)
#else
#define TEST() ((void)0)
#endif

#ifdef PLAIN
static long fib(struct worker *unused, int n)
{
    if (n < 2)
        return n;
    return fib(unused, n - 1) + fib(unused, n - 2);
}
#else
static long fib(struct worker *w, int n)
{
    long x, y;

    TAKE();
    if (n < 2) {
        GIVE();
        return n;
    }
    PLACE();
    STATE(1, n, n);
    PUSH();
    x = fib(w, n - 1);
    POP();
    TEST();
    STATE(2, x, x);
    PUSH();
    y = fib(w, n - 2);
    POP();
    TEST();
    GIVE();
    return x + y;
}
#endif

int main(int argc, char **argv)
{
    int i, n = argc > 1 ? atoi(argv[1]) : 36;
    struct timespec a, b;
    long result;

    for (i = 1; i < 4096; i++)
        store[i].next = i + 1 < 4096 ? &store[i + 1] : NULL;
    the_worker.free = &store[1];
    the_worker.tail = the_worker.exception = deque;
    clock_gettime(CLOCK_MONOTONIC, &a);
    result = fib(&the_worker, n);
    clock_gettime(CLOCK_MONOTONIC, &b);
    fprintf(stderr, "time: %.6f s\n", (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
    printf("%ld\n", result);
    return 0;
}
