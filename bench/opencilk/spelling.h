/* The same program in two spellings: OpenCilk's (-fopencilk), and Cilk-5's (-x cilk -DCILK5). LAST is before the last
 * child of a function: OpenCilk calls it. */
#ifndef SPELLING_H
#define SPELLING_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef CILK5
#define CILK cilk
#define SPAWN spawn
#define LAST spawn
#define SYNC sync
#else
#define CILK
#define SPAWN cilk_spawn
#define LAST
#define SYNC cilk_sync
#endif

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#define BEGIN double began = seconds();
#define END fprintf(stderr, "time: %.6f s\n", seconds() - began);

#endif
