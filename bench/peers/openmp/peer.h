/* What the OpenMP programs share: the timed region and its line. Threads: OMP_NUM_THREADS. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double started;

static inline void begin(void) { started = omp_get_wtime(); }
static inline void end(void) { fprintf(stderr, "time: %.6f s\n", omp_get_wtime() - started); }
static inline long argument(int argc, char **argv, int which, long standard) {
  return which < argc ? strtol(argv[which], NULL, 10) : standard;
}
