// Prefix sums: an up sweep and a down sweep over an implicit tree, and the two-pass form with blocks.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef long long ll;
static ll up(const int *x, ll *t, int lo, int hi) {
    if (hi - lo == 1) return x[lo];
    int mid = lo + (hi - lo) / 2;
    t[mid] = cilk_spawn up(x, t, lo, mid);
    ll right = up(x, t, mid, hi);
    cilk_sync;
    return t[mid] + right;
}
static void down(ll v, const int *x, const ll *t, ll *out, int lo, int hi) {
    if (hi - lo == 1) { out[lo] = v + x[lo]; return; }
    int mid = lo + (hi - lo) / 2;
    cilk_spawn down(v, x, t, out, lo, mid);
    down(v + t[mid], x, t, out, mid, hi);
    cilk_sync;
}
static void blocks(const int *x, ll *out, int n, int b) {
    int nb = (n + b - 1) / b;
    ll sums[nb + 1];
    sums[0] = 0;
    cilk_for (int k = 0; k < nb; k++) {
        ll s = 0;
        int end = (k + 1) * b < n ? (k + 1) * b : n;
        for (int i = k * b; i < end; i++) s += x[i];
        sums[k + 1] = s;
    }
    for (int k = 0; k < nb; k++) sums[k + 1] += sums[k];
    cilk_for (int k = 0; k < nb; k++) {
        ll s = sums[k];
        for (int i = k * b; i < (k + 1) * b && i < n; i++) out[i] = s += x[i];
    }
}
int main(void) {
    int n = 1000, x[n];
    ll t[n], out[n], out2[n];
    for (int i = 0; i < n; i++) x[i] = (i * 37) % 101 - 50;
    ll total = up(x, t, 0, n);
    down(0, x, t, out, 0, n);
    blocks(x, out2, n, 64);
    int same = 1;
    for (int i = 0; i < n; i++) same &= out[i] == out2[i];
    printf("%lld %lld %lld %d\n", total, out[n - 1], out[500], same);
    return 0;
}
