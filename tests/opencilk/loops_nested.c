// Loops in loops, with tables of variable size, triangular bounds, and a grain each.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static void table(int n, int m, int t[n][m]) {
    cilk_for (int i = 0; i < n; i++) {
        cilk_for (int j = 0; j < m; j++) t[i][j] = i * 100 + j;
    }
}
static long triangle(int n) {
    long (*a)[n] = malloc(n * sizeof *a), s = 0;
#pragma cilk grainsize 2
    cilk_for (int i = 0; i < n; ++i) {
#pragma cilk grainsize = 3
        cilk_for (int j = 0; j <= i; ++j) {
            long v = 0;
#pragma cilk grainsize(1)
            cilk_for (int k = j; k < j + 2; k++) {
                if (k == j + 1) v = (long)i * j;
            }
            a[i][j] = v + 1;
        }
    }
    for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) s = s * 3 % 1000003 + a[i][j];
    free(a);
    return s;
}
int main(void) {
    int n = 13, m = 9;
    int t[n][m];
    table(n, m, t);
    long s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = (s * 7 + t[i][j]) % 1000003;
    printf("%ld %ld\n", s, triangle(40));
    int cube[4][5][6];
    cilk_for (int i = 0; i < 4; i++)
        cilk_for (int j = 0; j < 5; j++)
            cilk_for (int k = 0; k < 6; k++)
                cube[i][j][k] = i * j * k;
    int total = 0;
    for (int *p = &cube[0][0][0]; p < &cube[0][0][0] + 120; p++) total += *p;
    printf("%d\n", total);
    return 0;
}
