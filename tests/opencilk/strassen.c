// Strassen's product with seven spawned products into malloc'd quadrants.
#include <stdio.h>
#include <stdlib.h>
#include <cilk/cilk.h>
typedef double REAL;
static REAL *alloc(int n) { return (REAL *)malloc(n * n * sizeof(REAL)); }
static void add(REAL *c, const REAL *a, int la, const REAL *b, int lb, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i * n + j] = a[i * la + j] + b[i * lb + j];
}
static void sub(REAL *c, const REAL *a, int la, const REAL *b, int lb, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i * n + j] = a[i * la + j] - b[i * lb + j];
}
static void strassen(REAL *c, const REAL *a, int la, const REAL *b, int lb, int n);
static void times_sum(REAL *m, const REAL *a1, const REAL *a2, int la, int sa, const REAL *b1, const REAL *b2, int lb, int sb, int n) {
    REAL *s = alloc(n), *t = alloc(n);
    if (sa > 0) add(s, a1, la, a2, la, n);
    else if (sa < 0) sub(s, a1, la, a2, la, n);
    if (sb > 0) add(t, b1, lb, b2, lb, n);
    else if (sb < 0) sub(t, b1, lb, b2, lb, n);
    strassen(m, sa ? s : a1, sa ? n : la, sb ? t : b1, sb ? n : lb, n);
    free(s);
    free(t);
}
static void strassen(REAL *c, const REAL *a, int la, const REAL *b, int lb, int n) {
    if (n <= 8) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                REAL s = 0;
                for (int k = 0; k < n; k++) s += a[i * la + k] * b[k * lb + j];
                c[i * n + j] = s;
            }
        return;
    }
    int h = n / 2;
    const REAL *a11 = a, *a12 = a + h, *a21 = a + h * la, *a22 = a21 + h, *b11 = b, *b12 = b + h, *b21 = b + h * lb, *b22 = b21 + h;
    REAL *m[7];
    for (int i = 0; i < 7; i++) m[i] = alloc(h);
    cilk_spawn times_sum(m[0], a11, a22, la, 1, b11, b22, lb, 1, h);
    cilk_spawn times_sum(m[1], a21, a22, la, 1, b11, 0, lb, 0, h);
    cilk_spawn times_sum(m[2], a11, 0, la, 0, b12, b22, lb, -1, h);
    cilk_spawn times_sum(m[3], a22, 0, la, 0, b21, b11, lb, -1, h);
    cilk_spawn times_sum(m[4], a11, a12, la, 1, b22, 0, lb, 0, h);
    cilk_spawn times_sum(m[5], a21, a11, la, -1, b11, b12, lb, 1, h);
    times_sum(m[6], a12, a22, la, -1, b21, b22, lb, 1, h);
    cilk_sync;
    cilk_for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            int p = i * h + j;
            c[i * n + j] = m[0][p] + m[3][p] - m[4][p] + m[6][p];
            c[i * n + j + h] = m[2][p] + m[4][p];
            c[(i + h) * n + j] = m[1][p] + m[3][p];
            c[(i + h) * n + j + h] = m[0][p] - m[1][p] + m[2][p] + m[5][p];
        }
    for (int i = 0; i < 7; i++) free(m[i]);
}
int main(void) {
    int n = 32;
    REAL *a = alloc(n), *b = alloc(n), *c = alloc(n);
    for (int i = 0; i < n * n; i++) a[i] = i % 11 - 5, b[i] = i % 17 - 8;
    strassen(c, a, n, b, n, n);
    double t = 0;
    for (int i = 0; i < n * n; i++) t += c[i] * (i % 23);
    printf("%.0f\n", t);
    return 0;
}
