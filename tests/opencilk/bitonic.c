// Bitonic sort with a direction flag, and radix sort by counting per block; both against qsort.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 1024
static void exchange(unsigned *a, int i, int j, int up) { if ((a[i] > a[j]) == up) { unsigned t = a[i]; a[i] = a[j]; a[j] = t; } }
static void merge(unsigned *a, int n, int up) {
    if (n == 1) return;
    int m = n / 2;
    cilk_for (int i = 0; i < m; i++) exchange(a, i, i + m, up);
    cilk_spawn merge(a, m, up);
    merge(a + m, m, up);
}
static void bitonic(unsigned *a, int n, int up) {
    if (n > 1) {
        cilk_spawn bitonic(a, n / 2, 1);
        bitonic(a + n / 2, n / 2, 0);
        cilk_sync;
        merge(a, n, up);
    }
}
static void radix(unsigned *a, unsigned *tmp) {
    enum { BLOCKS = 8, SIZE = N / BLOCKS };
    for (int shift = 0; shift < 32; shift += 8) {
        static int count[BLOCKS][256];
        memset(count, 0, sizeof count);
        cilk_for (int b = 0; b < BLOCKS; b++) for (int i = 0; i < SIZE; i++) count[b][a[b * SIZE + i] >> shift & 255]++;
        int at = 0;
        for (int d = 0; d < 256; d++) for (int b = 0; b < BLOCKS; b++) { int c = count[b][d]; count[b][d] = at; at += c; }
        cilk_for (int b = 0; b < BLOCKS; b++) for (int i = 0; i < SIZE; i++) { unsigned v = a[b * SIZE + i]; tmp[count[b][v >> shift & 255]++] = v; }
        unsigned *t = a; a = tmp; tmp = t;
    }
}
static int cmp(const void *x, const void *y) { unsigned a = *(unsigned *)x, b = *(unsigned *)y; return a < b ? -1 : a > b; }
int main(void) {
    unsigned a[N], b[N], c[N], tmp[N], x = 1;
    for (int i = 0; i < N; i++) a[i] = b[i] = c[i] = x = x * 1664525 + 1013904223;
    bitonic(a, N, 1);
    radix(b, tmp);
    qsort(c, N, sizeof *c, cmp);
    printf("%d %d %u\n", memcmp(a, c, sizeof a), memcmp(b, c, sizeof b), a[77]);
    return 0;
}
