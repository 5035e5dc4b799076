// Matrix product, divide and conquer over three dimensions, and the loop nest with cilk_for, compared.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#define N 48
static double A[N][N], B[N][N], C[N][N], D[N][N];
static void mm(double *c, const double *a, const double *b, int ni, int nj, int nk) {
    if (ni <= 8 && nj <= 8 && nk <= 8) {
        for (int i = 0; i < ni; i++)
            for (int j = 0; j < nj; j++)
                for (int k = 0; k < nk; k++) c[i * N + j] += a[i * N + k] * b[k * N + j];
        return;
    }
    if (ni >= nj && ni >= nk) {
        cilk_scope {
            cilk_spawn mm(c, a, b, ni / 2, nj, nk);
            mm(c + ni / 2 * N, a + ni / 2 * N, b, ni - ni / 2, nj, nk);
        }
    } else if (nj >= nk) {
        cilk_spawn mm(c, a, b, ni, nj / 2, nk);
        mm(c + nj / 2, a, b + nj / 2, ni, nj - nj / 2, nk);
        cilk_sync;
    } else {
        mm(c, a, b, ni, nj, nk / 2);
        mm(c, a + nk / 2, b + nk / 2 * N, ni, nj, nk - nk / 2);
    }
}
int main() {
    cilk_for (int i = 0; i < N; ++i)
        cilk_for (int j = 0; j < N; ++j) {
            A[i][j] = (i * j) % 13 - 6;
            B[i][j] = (i + 2 * j) % 7;
            C[i][j] = D[i][j] = 0;
        }
    mm(&C[0][0], &A[0][0], &B[0][0], N, N, N);
    cilk_for (int i = 0; i < N; ++i) {
        for (int k = 0; k < N; ++k)
            for (int j = 0; j < N; ++j) D[i][j] += A[i][k] * B[k][j];
    }
    double sum = 0;
    int differ = 0;
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { sum += C[i][j] * (i - j); differ += C[i][j] != D[i][j]; }
    printf("%.1f %d\n", sum, differ);
    return 0;
}
