// Part of ../file_one.c.
#include <cilk/cilk.h>
#include "two.h"
void zero_long(void *v) { *(long *)v = 0; }
void plus_long(void *l, void *r) { *(long *)l += *(long *)r; }
long cilk_reducer(zero_long, plus_long) tally = 5;
static long cilk_reducer(zero_long, plus_long) private_tally;
long other_fib(int n) {
    if (n < 2) return n;
    long a = cilk_spawn other_fib(n - 1);
    long b = other_fib(n - 2);
    cilk_sync;
    return a + b;
}
long rebound(int n, int depth) {
    long a = cilk_spawn bounce(n, depth / 2);
    long b = bounce(n, depth / 3);
    cilk_sync;
    return a - 2 * b;
}
void record(int n) {
    cilk_spawn { private_tally += n; }
    private_tally += 1;
    tally += 2;
}
long recorded(void) { return private_tally; }
