// All shortest paths: a serial outer loop with a parallel loop inside; and by blocks with cilk_scope.
#include <cilk/cilk.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { V = 36, INF = INT_MAX / 2 };
static int d[V][V], e[V][V];
static inline int min(int a, int b) { return a < b ? a : b; }
static void rows(int k, int from, int to) {
    if (to - from > 6) {
        int mid = (from + to) / 2;
        cilk_scope {
            cilk_spawn rows(k, from, mid);
            cilk_spawn rows(k, mid, to);
        }
        return;
    }
    for (int i = from; i < to; i++) for (int j = 0; i != k && j < V; j++) e[i][j] = min(e[i][j], e[i][k] + e[k][j]);
}
int main(void) {
    for (int i = 0; i < V; i++) for (int j = 0; j < V; j++) d[i][j] = i == j ? 0 : (i * 7 + j * 13) % 11 < 3 ? 1 + (i * j) % 17 : INF;
    memcpy(e, d, sizeof e);
    for (int k = 0; k < V; k++)
        cilk_for (int i = 0; i < V; i++) for (int j = 0; i != k && j < V; j++) d[i][j] = min(d[i][j], d[i][k] + d[k][j]);
    for (int k = 0; k < V; k++) rows(k, 0, V);
    long s = 0;
    for (int i = 0; i < V; i++) for (int j = 0; j < V; j++) if (d[i][j] < INF) s += d[i][j] * (i + 1L);
    printf("%ld %s\n", s, memcmp(d, e, sizeof d) ? "differ" : "equal");
    return 0;
}
