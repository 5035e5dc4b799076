// Cholesky over a quad tree of unions, as the Cilk distribution's: children return new trees.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cilk/cilk.h>
#define BLK 2
typedef double block[BLK][BLK];
typedef struct node *tree;
struct node { union { tree child[4]; block b; } u; };
enum { C00, C01, C10, C11 };
static tree leaf(void) { tree t = calloc(1, sizeof *t); return t; }
static tree build(int depth, int r, int c) {
    tree t = leaf();
    if (depth == 0) {
        for (int i = 0; i < BLK; i++) for (int j = 0; j < BLK; j++) t->u.b[i][j] = r + i == c + j ? 50 + r : 1.0 / (1 + abs(r + i - c - j));
        return t;
    }
    int h = BLK << (depth - 1);
    t->u.child[C00] = cilk_spawn build(depth - 1, r, c);
    t->u.child[C01] = cilk_spawn build(depth - 1, r, c + h);
    t->u.child[C10] = cilk_spawn build(depth - 1, r + h, c);
    t->u.child[C11] = build(depth - 1, r + h, c + h);
    cilk_sync;
    return t;
}
// r -= a * transposed(b)
static tree mul_and_subT(int depth, tree a, tree b, tree r) {
    if (depth == 0) {
        for (int i = 0; i < BLK; i++) for (int j = 0; j < BLK; j++) for (int k = 0; k < BLK; k++) r->u.b[i][j] -= a->u.b[i][k] * b->u.b[j][k];
        return r;
    }
    for (int half = 0; half < 2; half++) {
        tree r00, r01, r10, r11;
        r00 = cilk_spawn mul_and_subT(depth - 1, a->u.child[C00 + half], b->u.child[C00 + half], r->u.child[C00]);
        r01 = cilk_spawn mul_and_subT(depth - 1, a->u.child[C00 + half], b->u.child[C10 + half], r->u.child[C01]);
        r10 = cilk_spawn mul_and_subT(depth - 1, a->u.child[C10 + half], b->u.child[C00 + half], r->u.child[C10]);
        r11 = cilk_spawn mul_and_subT(depth - 1, a->u.child[C10 + half], b->u.child[C10 + half], r->u.child[C11]);
        cilk_sync;
        r->u.child[C00] = r00, r->u.child[C01] = r01, r->u.child[C10] = r10, r->u.child[C11] = r11;
    }
    return r;
}
// solves x * transposed(l) = a
static tree backsub(int depth, tree a, tree l) {
    if (depth == 0) {
        for (int i = 0; i < BLK; i++)
            for (int j = 0; j < BLK; j++) {
                for (int k = 0; k < j; k++) a->u.b[i][j] -= a->u.b[i][k] * l->u.b[j][k];
                a->u.b[i][j] /= l->u.b[j][j];
            }
        return a;
    }
    tree a00, a10;
    a00 = cilk_spawn backsub(depth - 1, a->u.child[C00], l->u.child[C00]);
    a10 = cilk_spawn backsub(depth - 1, a->u.child[C10], l->u.child[C00]);
    cilk_sync;
    cilk_spawn mul_and_subT(depth - 1, a00, l->u.child[C10], a->u.child[C01]);
    cilk_spawn mul_and_subT(depth - 1, a10, l->u.child[C10], a->u.child[C11]);
    cilk_sync;
    cilk_spawn backsub(depth - 1, a->u.child[C01], l->u.child[C11]);
    cilk_spawn backsub(depth - 1, a->u.child[C11], l->u.child[C11]);
    cilk_sync;
    return a;
}
static tree cholesky(int depth, tree a) {
    if (depth == 0) {
        for (int k = 0; k < BLK; k++) {
            a->u.b[k][k] = sqrt(a->u.b[k][k]);
            for (int i = k + 1; i < BLK; i++) a->u.b[i][k] /= a->u.b[k][k];
            for (int j = k + 1; j < BLK; j++) for (int i = j; i < BLK; i++) a->u.b[i][j] -= a->u.b[i][k] * a->u.b[j][k];
        }
        return a;
    }
    a->u.child[C00] = cholesky(depth - 1, a->u.child[C00]);
    a->u.child[C10] = backsub(depth - 1, a->u.child[C10], a->u.child[C00]);
    a->u.child[C11] = mul_and_subT(depth - 1, a->u.child[C10], a->u.child[C10], a->u.child[C11]);
    a->u.child[C11] = cholesky(depth - 1, a->u.child[C11]);
    return a;
}
static double at(int depth, tree t, int i, int j) {
    if (depth == 0) return t->u.b[i][j];
    int h = BLK << (depth - 1);
    return at(depth - 1, t->u.child[(i >= h) * 2 + (j >= h)], i % h, j % h);
}
int main(void) {
    int depth = 4, n = BLK << depth;
    tree a = cholesky(depth, build(depth, 0, 0));
    double worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int k = 0; k <= j; k++) s += at(depth, a, i, k) * at(depth, a, j, k);
            worst = fmax(worst, fabs(s - (i == j ? 50 + i / BLK * BLK : 1.0 / (1 + i - j))));
        }
    printf("%s %.9f\n", worst < 1e-9 ? "good" : "bad", at(depth, a, n - 1, 3));
    return 0;
}
