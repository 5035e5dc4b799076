// ALSO: parts/file_two.c
// Spawning functions in another file: called, spawned, through pointers, with reducers that both files use.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "parts/two.h"
static long own(int n) {
    if (n < 2) return n;
    long a = cilk_spawn other_fib(n - 1), b = own(n - 2);
    cilk_sync;
    return a + b;
}
long bounce(int n, int depth) {
    if (depth == 0) return n;
    long a, b;
    a = cilk_spawn rebound(n, depth - 1);
    b = rebound(n + 1, depth - 1);
    cilk_sync;
    return a + b;
}
static int compare(const void *a, const void *b) { return (int)(other_fib(*(const char *)a % 8) - other_fib(*(const char *)b % 8)); }
int main(void) {
    long (*p)(int) = other_fib;
    long x = cilk_spawn p(10);
    long y = p(11);
    cilk_sync;
    printf("%ld %ld %ld %ld\n", x, y, own(12), bounce(1, 8));
    cilk_for (int i = 0; i < 100; i++) { tally += i; record(i); }
    printf("%ld %ld\n", tally, recorded());
    char v[] = "gfedcb";
    qsort(v, 6, 1, compare);
    printf("%s\n", v);
    return 0;
}
