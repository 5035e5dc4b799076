// Spawning functions as callbacks of C's library and of C functions that take a pointer and a context.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <search.h>
static int collatz(unsigned n) {
    if (n <= 1) return 0;
    if (n % 64 == 0) { int a = cilk_spawn collatz(n / 2); cilk_sync; return a + 1; }
    return 1 + collatz(n % 2 ? 3 * n + 1 : n / 2);
}
static int by_length(const void *x, const void *y) {
    int a = cilk_spawn collatz(*(const unsigned *)x);
    int b = collatz(*(const unsigned *)y);
    cilk_sync;
    return a != b ? a - b : (*(const unsigned *)x > *(const unsigned *)y) - (*(const unsigned *)x < *(const unsigned *)y);
}
static void each(int n, void (*f)(int, void *), void *context) { for (int i = 0; i < n; i++) f(i, context); }
struct sum { long total; int factor; };
static long part(long lo, long hi) {
    if (hi - lo < 4) { long s = 0; while (lo < hi) s += lo++; return s; }
    long a = cilk_spawn part(lo, (lo + hi) / 2), b = part((lo + hi) / 2, hi);
    cilk_sync;
    return a + b;
}
static void tally(int i, void *context) {
    struct sum *s = context;
    s->total += s->factor * part(0, i);
}
static void done(void) { printf("done %ld\n", part(0, 10)); }
int main(void) {
    unsigned v[40];
    for (int i = 0; i < 40; i++) v[i] = i * 29 % 64 + 1;
    qsort(v, 40, sizeof *v, by_length);
    for (int i = 0; i < 40; i++) printf("%u ", v[i]);
    unsigned key = 27, *found = bsearch(&key, v, 40, sizeof *v, by_length);
    printf("\n%d\n", found ? (int)*found : -1);
    struct sum s = {0, 3};
    each(30, tally, &s);
    printf("%ld\n", s.total);
    atexit(done);
    return 0;
}
