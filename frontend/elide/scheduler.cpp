// scheduler.cpp - the C text that elided threads need: declarations, and a scheduler for one processor (section 3 of
// the PPoPP'95 paper without its thieves).
//
// It comes before the program, so it includes nothing (the program may define what headers ask for) and knows no macros
// of the program. Its functions are weak: files that were elided one by one share one scheduler.
#include "frontend/elide/threads.h"

namespace cilkc {

namespace {

constexpr const char *declarations = R"(/* Closures and continuations. */
struct cilk_pool;
struct cilk_closure {                       /* what a thread's closure begins with; its arguments follow */
    void (*thread)(struct cilk_closure *);  /* the C function of the thread */
    struct cilk_closure *next;              /* in the list of ready closures of its level */
    struct cilk_pool *pool;                 /* the computation that it belongs to */
    int join;                               /* missing arguments; 0: it is ready */
    int level;                              /* spawns above it, spawn_next not counted */
    int placed;                             /* by `@` */
} __attribute__((aligned(16)));
typedef struct cilk_cont {                  /* a continuation: an empty argument slot of a closure */
    struct cilk_closure *closure;
    __SIZE_TYPE__ slot;
} cilk_cont;

void *cilk_spawn(void (*)(struct cilk_closure *), __SIZE_TYPE__ size, int missing);        /* one level down */
/* at the level of the running thread */
void *cilk_spawn_next(void (*)(struct cilk_closure *), __SIZE_TYPE__ size, int missing);
cilk_cont cilk_argument(void *closure, void *slot);     /* the continuation for a missing argument */
void cilk_place(void *closure, int processor);
void cilk_post(void *closure);                          /* all arguments are there */
void *cilk_slot(cilk_cont);                             /* where the value goes; then */
void cilk_arrived(cilk_cont);                           /* counts it, and posts the closure if it was the last one */
/* runs it when the running thread ends, which it does at once */
void cilk_tail_call(void *closure);
void cilk_free(struct cilk_closure *);

struct cilk_pool {                          /* a computation: a thread called by C, and what comes of it */
    struct cilk_closure **levels;           /* the ready closures of each level, the youngest first */
    int nlevels, deepest, level;            /* deepest: no ready closure below it; level: of the running thread */
    struct cilk_closure *placed, *tail_called, *result;
    struct cilk_pool *outer;                /* the pool that waits for this pool */
    __SIZE_TYPE__ size;                     /* of the result */
    int sent;
};
/* its first closure */
void *cilk_begin(struct cilk_pool *, void (*)(struct cilk_closure *), __SIZE_TYPE__ size, __SIZE_TYPE__ result);
cilk_cont cilk_result(struct cilk_pool *);              /* where its value is sent */
void cilk_run(struct cilk_pool *, void *result, const char *name);

)";

constexpr const char *scheduler =
    R"(/* A scheduler for one processor: the youngest ready closure of the deepest level runs first. With CILK_STATS in the environment the program says how many threads ran. */
#define CILK_SHARED __attribute__((weak))
struct cilk_pool *cilk_now CILK_SHARED;
long long cilk_threads CILK_SHARED, cilk_closures CILK_SHARED, cilk_most CILK_SHARED;

CILK_SHARED void cilk_say(const char *what, const char *name)
{
    extern int dprintf(int, const char *, ...);
    dprintf(2, what, name);
    __builtin_abort();
}

CILK_SHARED void cilk_statistics(void)
{
    extern int dprintf(int, const char *, ...);
    dprintf(2, "threads %lld, closures at most %lld\n", cilk_threads, cilk_most);
}

CILK_SHARED void *cilk_memory(void *old, __SIZE_TYPE__ size)
{
    void *p = __builtin_realloc(old, size);
    if (!p)
        cilk_say("%s: out of memory\n", "cilk");
    return p;
}

CILK_SHARED struct cilk_closure *cilk_make(struct cilk_pool *pool, void (*thread)(struct cilk_closure *),
    __SIZE_TYPE__ size, int missing, int level)
{
    struct cilk_closure *c = cilk_memory((void *)0, size);
    c->thread = thread;
    c->next = (void *)0;
    c->pool = pool;
    c->join = missing;
    c->level = level;
    c->placed = 0;
    if (++cilk_closures > cilk_most)
        cilk_most = cilk_closures;
    return c;
}

CILK_SHARED void *cilk_spawn(void (*thread)(struct cilk_closure *), __SIZE_TYPE__ size, int missing)
{
    return cilk_make(cilk_now, thread, size, missing, cilk_now->level + 1);
}

CILK_SHARED void *cilk_spawn_next(void (*thread)(struct cilk_closure *), __SIZE_TYPE__ size, int missing)
{
    return cilk_make(cilk_now, thread, size, missing, cilk_now->level);
}

CILK_SHARED cilk_cont cilk_argument(void *closure, void *slot)
{
    cilk_cont k;
    k.closure = closure;
    k.slot = (__SIZE_TYPE__)((char *)slot - (char *)closure);
    return k;
}

CILK_SHARED void cilk_place(void *closure, int processor)
{
    ((struct cilk_closure *)closure)->placed = 1;       /* there is only one */
    (void)processor;
}

CILK_SHARED void cilk_post(void *closure)
{
    struct cilk_closure *c = closure;
    struct cilk_pool *pool = c->pool;
    if (c->placed) {
        c->next = pool->placed;
        pool->placed = c;
        return;
    }
    if (c->level >= pool->nlevels) {
        int n = pool->nlevels * 2 > c->level ? pool->nlevels * 2 : c->level + 16;
        pool->levels = cilk_memory(pool->levels, (__SIZE_TYPE__)n * sizeof *pool->levels);
        while (pool->nlevels < n)
            pool->levels[pool->nlevels++] = (void *)0;
    }
    c->next = pool->levels[c->level];
    pool->levels[c->level] = c;
    if (c->level > pool->deepest)
        pool->deepest = c->level;
}

CILK_SHARED void *cilk_slot(cilk_cont k)
{
    if (!k.closure)
        cilk_say("%s: a value is sent, but the continuation leads nowhere\n", "send_argument");
    return (char *)k.closure + k.slot;
}

CILK_SHARED void cilk_arrived(cilk_cont k)
{
    if (--k.closure->join == 0)
        cilk_post(k.closure);
}

CILK_SHARED void cilk_tail_call(void *closure)
{
    cilk_now->tail_called = closure;
}

CILK_SHARED void cilk_free(struct cilk_closure *c)
{
    cilk_closures--;
    __builtin_free(c);
}

/* The thread that takes the result: it stays until cilk_run has it. */
CILK_SHARED void cilk_take(struct cilk_closure *c)
{
    c->pool->sent = 1;
    cilk_closures--;
}

CILK_SHARED void *cilk_begin(struct cilk_pool *pool, void (*thread)(struct cilk_closure *),
    __SIZE_TYPE__ size, __SIZE_TYPE__ result)
{
    extern int atexit(void (*)(void));
    static int asked;
    if (!asked++ && __builtin_expect(cilk_threads == 0, 1)) {
        extern char *getenv(const char *);
        if (getenv("CILK_STATS"))
            atexit(cilk_statistics);
    }
    pool->levels = (void *)0;
    pool->size = result;
    pool->nlevels = pool->sent = 0;
    pool->level = 0;
    pool->deepest = -1;
    pool->placed = pool->tail_called = (void *)0;
    pool->outer = cilk_now;
    cilk_now = pool;
    pool->result = cilk_make(pool, cilk_take, sizeof *pool->result + result, 1, 0);
    return cilk_make(pool, thread, size, 0, 0);
}

CILK_SHARED cilk_cont cilk_result(struct cilk_pool *pool)
{
    return cilk_argument(pool->result, pool->result + 1);
}

CILK_SHARED void cilk_run(struct cilk_pool *pool, void *result, const char *name)
{
    for (;;) {
        struct cilk_closure *c = pool->tail_called;
        if (c)
            pool->tail_called = (void *)0;
        else {
            while (pool->deepest >= 0 && !pool->levels[pool->deepest])
                pool->deepest--;
            if (pool->deepest >= 0) {
                c = pool->levels[pool->deepest];
                pool->levels[pool->deepest] = c->next;
            } else if ((c = pool->placed))
                pool->placed = c->next;
            else
                break;
        }
        pool->level = c->level;
        cilk_threads++;
        c->thread(c);
    }
    cilk_now = pool->outer;
    if (!pool->sent)
        cilk_say("%s cannot go on: nothing is left to run, but its result was not sent\n", name);
    __builtin_memcpy(result, pool->result + 1, pool->size);
    __builtin_free(pool->result);
    __builtin_free(pool->levels);
}

)";

}  // namespace

std::string threadLibrary(bool whole) { return std::string(declarations) + (whole ? scheduler : ""); }

}  // namespace cilkc
