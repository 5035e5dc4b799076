// Arrays of variable size that children use: as locals, parameters, of two dimensions, in loops, and in blocks; their types by name.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
static void fill(int n, int a[n], int from) { for (int i = 0; i < n; i++) a[i] = from + i; }
static long sum2(int r, int c, int m[r][c]) {
    long part[r], s = 0;
    cilk_for (int i = 0; i < r; i++) {
        part[i] = 0;
        for (int j = 0; j < c; j++) part[i] += m[i][j] * (long)(j + 1);
    }
    for (int i = 0; i < r; i++) s = s * 3 + part[i];
    return s;
}
static long build(int r, int c) {
    int m[r][c];
    for (int i = 0; i < r; i++) cilk_spawn fill(c, m[i], 10 * i);
    cilk_sync;
    return sum2(r, c, m) + (long)sizeof m;
}
static long levels(int n) {
    if (n == 0) return 1;
    char name[n + 8];
    memset(name, 'a' + n, n);
    name[n] = 0;
    long v[n];
    for (int i = 0; i < n; i++) v[i] = cilk_spawn levels(i);
    cilk_sync;
    long s = (long)strlen(name);
    for (int i = 0; i < n; i++) s += v[i];
    return s;
}
static long rows(int n) {
    int m[n][n];
    long s[n], all = 0;
    cilk_for (int (*row)[n] = m; row < m + n; row++) s[row - m] = (long)sizeof *row + (&row[1] - m);
    for (int i = 0; i < n; i++) all = all * 3 + s[i];
    return all;
}
static int block(int n) {
    int a[n], b[n];
    cilk_spawn { for (int i = 0; i < n; i++) a[i] = i; }
    cilk_spawn { int t[n]; for (int i = 0; i < n; i++) t[i] = 2 * i; memcpy(b, t, sizeof t); }
    cilk_sync;
    cilk_spawn { a[0] += (int)(sizeof a / sizeof *a) + (int)((char *)(&b + 1) - (char *)&b); }
    cilk_sync;
    cilk_for (int i = 0; i < 1; i++) b[i] += (int)sizeof b + (int)sizeof(int[n][n]);
    int s = a[0];
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
static long named(int n, int m) {
    typedef int row[n];
    typedef struct { row *rows; } matrix;
    row table[m], *at = table;
    long s = 0;
    cilk_for (int i = 0; i < m; i++) {
        row copy;
        row *mine = at + i;
        for (int j = 0; j < n; j++) copy[j] = i * j;
        memcpy(mine, copy, sizeof(row));
    }
    cilk_spawn {
        cilk_spawn { row *last = at + (m - 1); s += (*last)[n - 1] + (long)sizeof(row[2]) + (long)sizeof *last; }
        cilk_sync;
        row sum;
        memset(sum, 0, sizeof sum);
        for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) sum[j] += at[i][j];
        for (int j = 0; j < n; j++) s = s * 3 + sum[j];
    }
    cilk_sync;
    return s + (long)sizeof(matrix);
}
// A call evaluates the sizes in its parameters' types once, with its arguments.
static int asked, wrong;
static int size(int m, int *p) { asked++; wrong += m != *p; return m ? m : 1; }
static void sized(int m, int *p, int t[][size(m, p)]) {
    cilk_for (int i = 0; i < 3; i++) for (int j = 0; j < m; j++) t[i][j] = i + j;
}
static int evaluated(int n) {
    int t[3][n], m = n;
    sized(n, &m, t);
    cilk_spawn sized(n, &m, t);
    cilk_sync;
    return 1000 * wrong + 100 * asked + t[2][n - 1];
}
int main(void) {
    for (int n = 1; n < 9; n++) {
        int local[n];
        cilk_spawn fill(n, local, n);
        cilk_sync;
        printf("%d %ld %ld %d %ld %ld\n", local[n - 1], build(n, 12 - n), levels(n), block(n), named(n, 10 - n), rows(n));
        asked = 0;
        printf("%d\n", evaluated(n));
    }
    return 0;
}
