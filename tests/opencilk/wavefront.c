// Longest common subsequence: quadrants of the table as a wavefront, with a table that is a parameter of variable size.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int n, m;
static const char *a, *b;
static void block(int w, int t[][w], int r0, int r1, int c0, int c1) {
    for (int i = r0; i < r1; i++)
        for (int j = c0; j < c1; j++)
            t[i + 1][j + 1] = a[i] == b[j] ? t[i][j] + 1 : t[i][j + 1] > t[i + 1][j] ? t[i][j + 1] : t[i + 1][j];
}
static void lcs(int w, int t[][w], int r0, int r1, int c0, int c1) {
    if (r1 - r0 < 8 || c1 - c0 < 8) { block(w, t, r0, r1, c0, c1); return; }
    int rm = (r0 + r1) / 2, cm = (c0 + c1) / 2;
    lcs(w, t, r0, rm, c0, cm);
    cilk_spawn lcs(w, t, rm, r1, c0, cm);
    lcs(w, t, r0, rm, cm, c1);
    cilk_sync;
    lcs(w, t, rm, r1, cm, c1);
}
int main(void) {
    a = "the quick brown fox jumps over the lazy dog and runs away into the dark wood";
    b = "a lazy quack brows the next jumper, overtakes the dog, and randomly walks into dark water";
    n = (int)strlen(a), m = (int)strlen(b);
    int (*t)[m + 1] = calloc(n + 1, sizeof *t);
    lcs(m + 1, t, 0, n, 0, m);
    printf("%d\n", t[n][m]);
    char out[100];
    int k = t[n][m], i = n, j = m;
    out[k] = 0;
    while (k > 0)
        if (a[i - 1] == b[j - 1]) out[--k] = a[--i], j--;
        else if (t[i - 1][j] >= t[i][j - 1]) i--;
        else j--;
    puts(out);
    free(t);
    return 0;
}
