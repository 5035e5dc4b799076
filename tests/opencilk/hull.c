// Quickhull over index arrays: filters by two passes, max with a place by recursion, results appended in order.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int x, y; } point;
static point *p;
static long cross(int a, int b, int c) { return (long)(p[b].x - p[a].x) * (p[c].y - p[a].y) - (long)(p[b].y - p[a].y) * (p[c].x - p[a].x); }
static int farthest(const int *s, int n, int a, int b) {
    if (n < 8) {
        int best = s[0];
        for (int i = 1; i < n; i++) if (cross(a, b, s[i]) > cross(a, b, best)) best = s[i];
        return best;
    }
    int l = cilk_spawn farthest(s, n / 2, a, b);
    int r = farthest(s + n / 2, n - n / 2, a, b);
    cilk_sync;
    return cross(a, b, r) > cross(a, b, l) ? r : l;
}
static int quickhull(const int *s, int n, int a, int b, int *out) {
    if (n == 0) return 0;
    int far = farthest(s, n, a, b), *left = malloc(2 * n * sizeof(int)), *right = left + n, nl = 0, nr = 0, cl, cr;
    for (int i = 0; i < n; i++) {
        if (cross(a, far, s[i]) > 0) left[nl++] = s[i];
        else if (cross(far, b, s[i]) > 0) right[nr++] = s[i];
    }
    int *tail = malloc((nr + 1) * sizeof(int));
    cl = cilk_spawn quickhull(left, nl, a, far, out);
    cr = quickhull(right, nr, far, b, tail);
    cilk_sync;
    out[cl++] = far;
    for (int i = 0; i < cr; i++) out[cl++] = tail[i];
    free(left), free(tail);
    return cl;
}
int main(void) {
    int n = 400, lo = 0, hi = 0, *s = malloc(n * sizeof *s), *out = malloc(n * sizeof *out), m = 0;
    p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) {
        p[i] = (point){(i * 7919) % 1009 - 500, (i * i * 31 + 17 * i) % 997 - 480};
        if (p[i].x < p[lo].x) lo = i;
        if (p[i].x > p[hi].x) hi = i;
    }
    for (int side = 0; side < 2; side++) {
        int a = side ? hi : lo, b = side ? lo : hi, k = 0;
        for (int i = 0; i < n; i++) if (cross(a, b, i) > 0) s[k++] = i;
        out[m++] = a;
        m += quickhull(s, k, a, b, out + m);
    }
    for (int i = 0; i < m; i++) printf("(%d,%d)", p[out[i]].x, p[out[i]].y);
    printf("\n");
    return 0;
}
