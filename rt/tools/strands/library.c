/* library.c - functions of the C library, as the serial detector knows them (../race/library_*.c): those that touch no
 * more than the program's memory. What they access is reported by the running strand; the place of the call is each
 * worker's own.
 */
#define CILK_RACE_PER_WORKER __thread __attribute__((tls_model("initial-exec")))
#define cilk_race_libc_open_memstream unused_open_memstream     /* a list of streams that has no lock */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"          /* that a new block is cleared is no read of it */
#include "rt/tools/race/library_memory.c"
#include "rt/tools/race/library_stdio.c"
#include "rt/tools/race/library_string.c"
#include "rt/tools/race/library_wide.c"
#include "rt/tools/race/library_state.c"
#include "strands.h"

CILK_RACE_PER_WORKER site *cilk_race_called;
const void *race_sequence;

void strands_library(void) {}
