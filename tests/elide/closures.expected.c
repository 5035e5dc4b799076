/* Closures and continuations. */
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

/* Figure 3 of the paper, and the rest of the language. */
struct pair {
    cilk_cont k;
    int n;
};

struct sum_closure {
    struct cilk_closure closure;
    cilk_cont k;        /* for a value of type int */
    int x;
    int y;
};
void sum_thread(struct cilk_closure *);
int sum(int, int);

static void send_int(cilk_cont k, int value)
{
    *(int *)cilk_slot(k) = value;
    cilk_arrived(k);
}

/* thread sum (cont int k, int x, int y) */
void sum_thread(struct cilk_closure *closure)
{
    cilk_cont k = ((struct sum_closure *)closure)->k;
    int x = ((struct sum_closure *)closure)->x;
    int y = ((struct sum_closure *)closure)->y;
    cilk_free(closure);

    send_int(k, x+y);
}

int sum(int x, int y)
{
    int value;
    struct cilk_pool pool;
    struct sum_closure *closure = cilk_begin(&pool, sum_thread, sizeof *closure, sizeof value);
    closure->k = cilk_result(&pool);
    closure->x = x;
    closure->y = y;
    cilk_post(closure);
    cilk_run(&pool, &value, "sum");
    return value;
}

struct fib_closure {
    struct cilk_closure closure;
    cilk_cont k;        /* for a value of type int */
    int n;
};
void fib_thread(struct cilk_closure *);
int fib(int);

/* thread fib (cont int k, int n) */
void fib_thread(struct cilk_closure *closure)
{
    cilk_cont k = ((struct fib_closure *)closure)->k;
    int n = ((struct fib_closure *)closure)->n;
    cilk_free(closure);

    if (n<2)
        send_int(k, n);
    else {
        cilk_cont x, y;
        {
            struct sum_closure *closure = cilk_spawn_next(sum_thread, sizeof *closure, 2);
            closure->k = k;
            x = cilk_argument(closure, &closure->x);
            y = cilk_argument(closure, &closure->y);
        }
        {
            struct fib_closure *closure = cilk_spawn(fib_thread, sizeof *closure, 0);
            closure->k = x;
            closure->n = n-1;
            cilk_post(closure);
        }
        {
            struct fib_closure *closure = cilk_spawn(fib_thread, sizeof *closure, 0);
            closure->k = y;
            closure->n = n-2;
            cilk_post(closure);
        }
    }
}

int fib(int n)
{
    int value;
    struct cilk_pool pool;
    struct fib_closure *closure = cilk_begin(&pool, fib_thread, sizeof *closure, sizeof value);
    closure->k = cilk_result(&pool);
    closure->n = n;
    cilk_post(closure);
    cilk_run(&pool, &value, "fib");
    return value;
}

struct last_closure {
    struct cilk_closure closure;
    struct pair p;
    char *text;
};
void last_thread(struct cilk_closure *);

static void send_char__p(cilk_cont k, char *value)
{
    *(char **)cilk_slot(k) = value;
    cilk_arrived(k);
}

/* thread last(struct pair p, char *text) */
void last_thread(struct cilk_closure *closure)
{
    struct pair p = ((struct last_closure *)closure)->p;
    char *text = ((struct last_closure *)closure)->text;
    cilk_free(closure);

    cilk_cont later;
    if (p.n == 0) {
        {
            struct last_closure *closure = cilk_spawn_next(last_thread, sizeof *closure, 1);
            closure->p = p;
            cilk_place(closure, 1);
            later = cilk_argument(closure, &closure->text);
        }
        send_char__p(later, text);
        return;
    }
    {
        struct fib_closure *closure = cilk_spawn(fib_thread, sizeof *closure, 0);
        closure->k = p.k;
        closure->n = p.n;
        cilk_tail_call(closure);
        return;
    }
}

int five(int n) { return n * 5; }
struct both_closure {
    struct cilk_closure closure;
    cilk_cont k;        /* for a value of type int */
};
void both_thread(struct cilk_closure *);
int both(void);

struct five_closure {
    struct cilk_closure closure;
    cilk_cont k;        /* for a value of type int */
    int n;
};
static void five_thread(struct cilk_closure *);
static void five_thread(struct cilk_closure *closure_passed)
{
    struct five_closure closure = *(struct five_closure *)closure_passed;

    cilk_free(closure_passed);
    send_int(closure.k, five(closure.n));
}

/* thread both(cont int k) */
void both_thread(struct cilk_closure *closure)
{
    cilk_cont k = ((struct both_closure *)closure)->k;
    cilk_free(closure);
 {
    struct five_closure *closure = cilk_spawn(five_thread, sizeof *closure, 0);
    closure->k = k;
    closure->n = 3;
    cilk_post(closure);
} }

int both(void)
{
    int value;
    struct cilk_pool pool;
    struct both_closure *closure = cilk_begin(&pool, both_thread, sizeof *closure, sizeof value);
    closure->k = cilk_result(&pool);
    cilk_post(closure);
    cilk_run(&pool, &value, "both");
    return value;
}
