/* What the programs here share: a number from the command line, and the line that reports how long it took. */
#ifndef BENCH_H
#define BENCH_H
#include <stdio.h>
#include <stdlib.h>

static long argument(int argc, char *argv[], int which, long standard, long low, long high)
{
    char *end;
    long value;

    if (which >= argc)
        return standard;
    value = strtol(argv[which], &end, 10);
    if (end == argv[which] || *end != '\0' || value < low || value > high) {
        fprintf(stderr, "argument %d, '%s', is not a number from %ld to %ld\n", which, argv[which], low, high);
        exit(2);
    }
    return value;
}

static void report_time(double seconds)
{
    fprintf(stderr, "time: %.6f s\n", seconds);
}
#endif
