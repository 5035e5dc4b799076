// Merge sort with a parallel merge by binary search (Cormen's P-MERGE-SORT).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cilk/cilk.h>
typedef long ELM;
#define SWAP(a, b) do { ELM *t_ = a; a = b; b = t_; } while (0)
static int find(ELM x, ELM *t, int p, int r) {
    int low = p, high = p > r + 1 ? p : r + 1;
    while (low < high) {
        int mid = (low + high) / 2;
        if (x <= t[mid]) high = mid; else low = mid + 1;
    }
    return high;
}
static void p_merge(ELM *t, int p1, int r1, int p2, int r2, ELM *a, int p3) {
    int n1 = r1 - p1 + 1, n2 = r2 - p2 + 1;
    if (n1 < n2) {
        int x;
        x = p1, p1 = p2, p2 = x; x = r1, r1 = r2, r2 = x; x = n1, n1 = n2, n2 = x;
    }
    if (n1 == 0) return;
    int q1 = (p1 + r1) / 2, q2 = find(t[q1], t, p2, r2), q3 = p3 + (q1 - p1) + (q2 - p2);
    a[q3] = t[q1];
    cilk_spawn p_merge(t, p1, q1 - 1, p2, q2 - 1, a, p3);
    p_merge(t, q1 + 1, r1, q2, r2, a, q3 + 1);
    cilk_sync;
}
static void p_merge_sort(ELM *a, int p, int r, ELM *b, int s) {
    int n = r - p + 1;
    if (n == 1) { b[s] = a[p]; return; }
    ELM *t = malloc((n + 1) * sizeof *t);
    int q = (p + r) / 2, q_ = q - p + 1;
    cilk_spawn p_merge_sort(a, p, q, t, 1);
    p_merge_sort(a, q + 1, r, t, q_ + 1);
    cilk_sync;
    p_merge(t, 1, q_, q_ + 1, n, b, s);
    free(t);
}
int main(void) {
    enum { N = 3000 };
    ELM *a = calloc(N, sizeof(ELM)), *b = calloc(N, sizeof(ELM));
    for (int i = 0; i < N; i++) a[i] = (i * 7919L) % 3001 - 1500;
    p_merge_sort(a, 0, N - 1, b, 0);
    SWAP(a, b);
    long h = 0;
    for (int i = 0; i < N; i++) h = (h * 31 + a[i] + 2000) % 1000000007;
    for (int i = 1; i < N; i++) if (a[i] < a[i - 1]) printf("bad %d\n", i);
    printf("%ld\n", h);
    free(a), free(b);
}
