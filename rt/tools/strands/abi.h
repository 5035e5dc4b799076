/* abi.h - what code compiled with --cilk-strands shares with the race detector on several workers. Codegen knows this
 * file beside race/abi.h, whose sites and functions for accesses, objects and the library it also uses.
 */
#ifndef CILK_STRANDS_ABI_H
#define CILK_STRANDS_ABI_H
#include <stddef.h>
#include <stdint.h>
#include "rt/tools/race/abi.h"

/* Each 4 bytes of memory have a cell of 16: the strands of its last writer, of the leftmost and of the rightmost reader
 * (shadow.c). */
#define CILK_STRANDS_MASK ((UINT64_C(1) << 43) - 1)
#define CILK_STRANDS_SHADOW UINT64_C(0x200000000000)
typedef struct cilk_strands_cell {
  uint32_t writer, left, right, more;
} cilk_strands_cell;

/* The running strand of this thread. The test in line: an access that this strand has made before, which its cell says,
 * need not be looked at. */
extern __thread uint32_t cilk_strands_now __attribute__((tls_model("initial-exec")));

/* What an instance keeps over its spawns, in the words of its closure that -cilk-span has otherwise. */
typedef struct cilk_strands_frame {
  uint32_t next; /* the strand that goes on after the last spawn, or wherever the instance stops */
  uint32_t base; /* the strand that made the first spawn since the last sync; 0: there was none */
  uint64_t results; /* a bit for each variable that has got results since then (codegen/events/strands.cpp) */
} cilk_strands_frame;

void cilk_strands_begin(cilk_strands_frame *f);
void cilk_strands_spawn(cilk_strands_frame *f);
void cilk_strands_call(cilk_strands_frame *f); /* a spawn that the instance waits for */
void cilk_strands_returned(cilk_strands_frame *f); /* ... and it was not stolen meanwhile */
void cilk_strands_leave(cilk_strands_frame *f); /* it stops here */
void cilk_strands_resume(cilk_strands_frame *f); /* it goes on, on any worker */
void cilk_strands_sync(cilk_strands_frame *f);

/* The child that begins will store its result there: said before it begins. update: cilk_race_site's. */
void cilk_strands_receive(cilk_strands_frame *f, const void *p, size_t n, cilk_race_site *at, uint32_t update);
/* The instance's own update, of a kind of which it gets results, too. */
void cilk_strands_update(cilk_strands_frame *f, const void *p, size_t n, cilk_race_site *at, uint32_t update);
/* A result may not have arrived, or the order of two counts. */
void cilk_strands_early(cilk_race_site *at);

/* C calls a procedure with these arguments: the strand that goes on after the call; the procedure begins, perhaps on
 * another worker; the call is over. */
uint32_t cilk_strands_root(const void *arguments);
void cilk_strands_root_begins(const void *arguments, uint32_t is_main);
void cilk_strands_root_ended(uint32_t next);
void cilk_strands_main_ended(void); /* of a main that is a procedure */

/* The program does what only the serial detector knows: the run is over. */
void cilk_strands_cannot(const char *what) __attribute__((noreturn));

#endif
