// Tables of function pointers, unions of views, and recursion over rectangles with a dispatch macro; spawns as the only statement of arms.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef float REAL;
typedef struct { int r, c, h, w; } rect;
static REAL A[33][29], T[29][33];
static void transpose(rect q) {
    if (q.h <= 4 && q.w <= 4)
        for (int i = q.r; i < q.r + q.h; i++) for (int j = q.c; j < q.c + q.w; j++) T[j][i] = A[i][j];
    else if (q.h >= q.w)
    {
        rect top = q, bottom = q;
        top.h = q.h / 2;
        bottom.r += top.h, bottom.h -= top.h;
        cilk_spawn transpose(top);
        transpose(bottom);
        cilk_sync;
    }
    else
    {
        cilk_spawn transpose((rect){q.r, q.c, q.h, q.w / 2});
        cilk_spawn transpose((rect){q.r, q.c + q.w / 2, q.h, q.w - q.w / 2});
    }
}
static long area(rect q, int depth) {
    if (depth == 0) return (long)q.h * q.w;
    long a[4];
    for (int k = 0; k < 4; k++)
        if (k % 2)
            a[k] = cilk_spawn area((rect){q.r, q.c, q.h - k, q.w - depth}, depth - 1);
        else
            a[k] = area((rect){.h = q.h, .w = q.w + k}, depth - 1);
    cilk_sync;
    return a[0] + a[1] + a[2] + a[3];
}
int main(void) {
    for (int i = 0; i < 33; i++) for (int j = 0; j < 29; j++) A[i][j] = i * 29 + j;
    transpose((rect){0, 0, 33, 29});
    int bad = 0;
    for (int i = 0; i < 33; i++) for (int j = 0; j < 29; j++) bad += T[j][i] != A[i][j];
    printf("%d %ld\n", bad, area((rect){0, 0, 20, 30}, 4));
    return 0;
}
