/* abi.h - what code compiled with --cilk-memory shares with the counter of memory. Only this file and library.def are
 * known to codegen.
 *
 * Records are in sections of their own, which the linker joins; their names are those of the types. */
#ifndef CILK_MEMORY_ABI_H
#define CILK_MEMORY_ABI_H
#include <stdint.h>

/* A place that allocates: a call of the C library, a Cilk_alloca or alloca of a procedure. */
typedef struct cilk_memory_site {
  const char *file, *procedure, *what;
  uint32_t line, column;
  uint64_t count, bytes;          /* blocks, all in all */
  uint64_t group;                 /* marks.c */
} cilk_memory_site;

typedef struct cilk_memory_procedure {
  const char *file, *name;
  uint64_t line, closure;         /* bytes of an instance, header and all */
  uint64_t count, group;
} cilk_memory_procedure;

/* The place of the call that runs next. */
extern cilk_memory_site *cilk_memory_called;

/* In the serial form; a parallel program has none of these. */
void cilk_memory_begin(cilk_memory_procedure *);   /* an instance begins: spawned, or called */
void cilk_memory_end(void);                        /* it ends, after its implicit sync. A delivery may follow */
void cilk_memory_spawn(void);                      /* a child begins next */
void cilk_memory_joined(void);                     /* the child is done, its delivery too */
void cilk_memory_sync(void);
/* of another's future: the instance may wait here while its worker does something else */
void cilk_memory_touch(void);
extern const char cilk_memory_touches __attribute__((weak));   /* defined where there is such a touch */
void cilk_memory_frame(cilk_memory_site *, uint64_t bytes);   /* memory that lasts as long as the instance */

#endif
