// LU decomposition by blocks, with typedef'd block types and pointers to arrays.
#include <stdio.h>
#include <stdlib.h>
#include <cilk/cilk.h>
#define BLOCK 4
typedef double Block[BLOCK][BLOCK];
typedef Block *Matrix;
#define B(M, I, J) ((M)[(I) * nBlocks + (J)])
static int nBlocks;
static void elim_daxpy(double a, double *x, double *y) { for (int i = BLOCK - 1; i >= 0; i--) y[i] -= a * x[i]; }
static void block_lu(Block b) {
    for (int k = 0; k < BLOCK; k++)
        for (int i = k + 1; i < BLOCK; i++) {
            b[i][k] /= b[k][k];
            for (int j = k + 1; j < BLOCK; j++) b[i][j] -= b[i][k] * b[k][j];
        }
}
static void lower_solve(Block b, Block l) { for (int i = 1; i < BLOCK; i++) for (int k = 0; k < i; k++) elim_daxpy(l[i][k], b[k], b[i]); }
static void upper_solve(Block b, Block u) {
    for (int i = 0; i < BLOCK; i++)
        for (int k = 0; k < BLOCK; k++) {
            b[i][k] /= u[k][k];
            for (int j = k + 1; j < BLOCK; j++) b[i][j] -= b[i][k] * u[k][j];
        }
}
static void schur(Block c, Block a, Block b) {
    for (int i = 0; i < BLOCK; i++) for (int k = 0; k < BLOCK; k++) elim_daxpy(a[i][k], b[k], c[i]);
}
static void lu(Matrix M, int from) {
    for (int k = from; k < nBlocks; k++) {
        block_lu(B(M, k, k));
        for (int j = k + 1; j < nBlocks; j++) {
            cilk_spawn lower_solve(B(M, k, j), B(M, k, k));
            cilk_spawn upper_solve(B(M, j, k), B(M, k, k));
        }
        cilk_sync;
        cilk_for (int i = k + 1; i < nBlocks; i++)
            cilk_for (int j = k + 1; j < nBlocks; j++) schur(B(M, i, j), B(M, i, k), B(M, k, j));
    }
}
int main(void) {
    nBlocks = 6;
    Matrix M = malloc(nBlocks * nBlocks * sizeof(Block));
    int n = nBlocks * BLOCK;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) B(M, i / BLOCK, j / BLOCK)[i % BLOCK][j % BLOCK] = (i == j) * 40 + ((i * 7 + j * 3) % 10) / 4.0;
    lu(M, 0);
    double d = 1, s = 0;
    for (int i = 0; i < n; i++) { d *= B(M, i / BLOCK, i / BLOCK)[i % BLOCK][i % BLOCK] / 40; for (int j = 0; j < n; j++) s += B(M, i / BLOCK, j / BLOCK)[i % BLOCK][j % BLOCK]; }
    printf("%.9f %.9f\n", d, s);
    return 0;
}
