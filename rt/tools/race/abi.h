/* abi.h - what code compiled with --cilk-race shares with the race detector. Only this file and library.def are known
 * to codegen.
 *
 * Such a program runs serially, child first. Its code reports to the detector where children begin and end. The code
 * also calls the detector for accesses to memory that the test in line (below) does not settle.
 */
#ifndef CILK_RACE_ABI_H
#define CILK_RACE_ABI_H
#include <stddef.h>
#include <stdint.h>

/* A place in the program that accesses memory, spawns, allocates or calls the library. Generated code initialises it.
 * The detector writes the first three fields. */
typedef struct cilk_race_site {
  int32_t record[2];            /* the last records made here, for reads and for writes */
  uint64_t harmless;            /* a read from here that finds a cell with this value need not be looked at ... */
  uint64_t order;               /* ... as long as cilk_race_order has this value */
  uint32_t line, column;
  const char *file, *procedure, *text;
  uint32_t update;              /* what it does to a value that others may update, too: CILK_RACE_ADDS, ... */
  uint32_t use;                 /* CILK_RACE_SPECULATES, ... */
} cilk_race_site;

/* Updates of one kind by several deliveries come to the same in any order. CHOOSES and SETS also have a number, in
 * steps of CILK_RACE_NUMBER: accesses with different numbers do not commute. */
enum {
  CILK_RACE_ADDS = 1,
  CILK_RACE_MULTIPLIES,
  CILK_RACE_ORS,
  CILK_RACE_ANDS,
  CILK_RACE_XORS,
  CILK_RACE_MAXIMUM,
  CILK_RACE_MINIMUM,
  CILK_RACE_CHOOSES,
  CILK_RACE_SETS,
  CILK_RACE_NUMBER = 16
};
/* SPECULATES: the program means to depend on when results arrive. POLLS: a condition that decides whether more is
 * spawned. ABORTS: an inlet that may abort, of deliveries. FLOATING: `op=` of floating-point numbers. SPLIT: a write of
 * an atomic object whose value was read from it before, in a step of its own. TAKES: an atomic operation that may take
 * a lock that the program makes itself (spins.c). The detector sets NO_LOCK (such an operation takes no lock) and
 * ASKED (that is known). VIEW: a reducer's value that is read for anything but its update. VOLATILE: a plain access to
 * a volatile object, which orders nothing. CALL: what a function of the library does. */
enum {
  CILK_RACE_SPECULATES = 1,
  CILK_RACE_POLLS = 2,
  CILK_RACE_ABORTS = 4,
  CILK_RACE_FLOATING = 8,
  CILK_RACE_SPLIT = 16,
  CILK_RACE_TAKES = 32,
  CILK_RACE_NO_LOCK = 64,
  CILK_RACE_ASKED = 128,
  CILK_RACE_VIEW = 256,
  CILK_RACE_VOLATILE = 512,
  CILK_RACE_CALL = 1024
};

/* A variable with a name: globals are in the section cilk_race_globals, locals are reported when their function
 * begins. */
typedef struct cilk_race_variable {
  const void *address;          /* null for locals */
  uint64_t size;
  const char *name, *procedure, *file;      /* procedure: null for file scope */
  uint64_t line;
} cilk_race_variable;

enum { CILK_RACE_READ = 0, CILK_RACE_WRITE = 1 };

/* Each 4 bytes of memory have a cell of 8: a writer and a reader. */
#define CILK_RACE_MASK ((UINT64_C(1) << 44) - 1)
#define CILK_RACE_SHADOW UINT64_C(0x200000000000)

/* The test in line. A cell's fields are numbers of records, which grow. cilk_race_first is the lowest number that a
 * record of the running strand can have. A write need not be looked at if writer >= first. A read need not be looked at
 * if writer >= first or reader >= first. Both hold for all cells of the object. Nor need a read whose cell was found
 * harmless from there: its reader is parallel, and a strand that races with this read races with the earlier read.
 * While results of the running instance have arrived (results.c), and in deliveries, cilk_race_first and
 * cilk_race_order have values with which every access is looked at. */
extern int32_t cilk_race_first;
/* another value: what was parallel may be serial now, or the other way round */
extern uint64_t cilk_race_order;

void cilk_race_read(const void *p, size_t n, cilk_race_site *at);
void cilk_race_write(const void *p, size_t n, cilk_race_site *at);
void cilk_race_read4(const void *p, cilk_race_site *at);        /* aligned to 4 */
void cilk_race_write4(const void *p, cilk_race_site *at);
void cilk_race_read8(const void *p, cilk_race_site *at);        /* aligned to 4 */
void cilk_race_write8(const void *p, cilk_race_site *at);
/* n bytes at p, p + step, ..., so many times */
void cilk_race_read_each(const void *p, size_t n, ptrdiff_t step, size_t times, cilk_race_site *at);
void cilk_race_write_each(const void *p, size_t n, ptrdiff_t step, size_t times, cilk_race_site *at);
/* Atomic accesses race with plain ones only. */
void cilk_race_atomic(const void *p, size_t n, cilk_race_site *at, int kind);

/* An access to a variable that no other strand can reach, but that results are stored in. Called only while
 * cilk_race_first is INT32_MAX. */
void cilk_race_confined(const void *p, size_t n, cilk_race_site *at, int kind);

/* The running instance. Its first word is 0 where no child is out: a sync there need not be reported. */
extern struct frame *cilk_race_frame;

/* A child begins; it has returned, what follows is its delivery; the parent goes on. */
void cilk_race_spawn(cilk_race_site *at);
void cilk_race_spawn_awaited(cilk_race_site *at);       /* a call that waits for its own child (cilk_race_awaited) */
void cilk_race_deliver(uint32_t use);          /* CILK_RACE_ABORTS, 0 */
void cilk_race_joined(void);
void cilk_race_sync(void);
int cilk_race_synched(void);

/* Futures: the running child is done, and its value is stored; a touch; the declaration of so many bytes of futures
 * comes again (frontend/sema/cilk/future.cpp). */
void cilk_race_filled(void *future, cilk_race_site *at);
void cilk_race_touch(const void *future, cilk_race_site *at);
void cilk_race_renew(const void *futures, size_t n);

/* OpenCilk's reducers (rt/core/abi.h): the view of the running strand; an object that is its own view; the end of a
 * call that waits for its own child (cilk_race_awaited): the child's views become the caller's. */
void *cilk_race_view(void *object, size_t size, size_t align, void (*identity)(void *),
    void (*reduce)(void *left, void *right));
void cilk_race_view_register(void *object, size_t size, size_t align, void (*identity)(void *),
    void (*reduce)(void *left, void *right));
void cilk_race_awaited(void);
void cilk_race_viewed(const void *view, cilk_race_site *at);    /* CILK_RACE_VIEW: the running strand reads it */

/* Cilk-1: the running thread makes a closure, sends a value, or goes on as another thread. The runtime reports what
 * follows (rt/extensions/cilk1/cilk1.h, section 6). */
void cilk_race_post(cilk_race_site *at);

/* The running instance is this iteration of a loop of the library (stdlib/par): for reports. */
void cilk_race_iteration(long i);

/* C calls a procedure, which is a computation of its own: its syncs wait for its own children only. context: as the
 * stub gets it (rt/core/abi.h). After cilk_race_root_ended the C code goes on. */
void cilk_race_root(const void *context);
void cilk_race_root_ended(void);

/* Memory begins a new life. */
void cilk_race_local(const void *p, size_t n, const cilk_race_variable *v);
void cilk_race_confined_local(const void *p, size_t n, const cilk_race_variable *v);
void cilk_race_fresh(const void *p, size_t n);
void cilk_race_automatic(void *p, size_t n, cilk_race_site *at);     /* the same, of alloca, Cilk_alloca, an array */
void cilk_race_own(const void *p, size_t n);  /* of the worker that is here: no races in it from now on */
/* how many locals are known: read at the begin of a function, put back at its end */
extern uint32_t cilk_race_locals;

/* Where the library is called from: set before calls of cilk_race_libc_NAME (library.def) and through pointers. */
#ifndef CILK_RACE_PER_WORKER
#define CILK_RACE_PER_WORKER            /* rt/tools/strands: thread-local */
#endif
extern CILK_RACE_PER_WORKER cilk_race_site *cilk_race_called;
/* The call of a C function of the program: set before a procedure makes it. */
extern cilk_race_site *cilk_race_calling;

void cilk_race_lock(volatile int *lock);
void cilk_race_unlock(volatile int *lock);
void cilk_race_lock_init(volatile int *lock);

#endif
