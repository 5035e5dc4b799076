// Bodies of cilk_for: single statements, spawns, nested functions' calls, locals with addresses, statics, switch, while, inner loops, atomics.
#include <cilk/cilk.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
static int leaf(int n) { return n + 1; }
static int tree(int n) { if (n < 1) return 1; int a = cilk_spawn tree(n - 1), b = tree(n - 2); cilk_sync; return a + b; }
static void addr(int *p) { *p *= 2; }
static atomic_int hits;
static int plain_hits;
static _Atomic long total;
int main(void) {
    int a[64], b[64];
    char names[16][8];
    cilk_for (int i = 0; i < 64; i++) a[i] = leaf(i);
    cilk_for (int i = 0; i < 64; i++) b[i] = tree(i % 7);
    cilk_for (int i = 0; i < 64; i++) { int x = i, *p = &x; addr(p); int j = i, *q = &j; addr(q); a[x / 2] += i; }
    cilk_for (int i = 0; i < 32; i++) {
        int l, r;
        l = cilk_spawn tree(i % 5);
        r = cilk_spawn leaf(i);
        cilk_sync;
        b[2 * i] += l * r;
        cilk_spawn addr(&b[2 * i + 1]);
    }
    cilk_for (int i = 0; i < 64; i++) {
        switch (i % 4) {
        case 0: a[i]++; break;
        case 1: a[i] += 2;
        case 2: { int k = i; while (k > 10) k /= 2; a[i] += k; break; }
        default: continue;
        }
        atomic_fetch_add(&hits, 1);
        __sync_fetch_and_add(&plain_hits, 2);
        total += i;
    }
    cilk_for (int i = 0; i < 16; i++) snprintf(names[i], sizeof names[i], "n%d", i * i);
    cilk_for (int i = 0; i < 64; i++) if (i & 1) a[i] -= 1; else a[i] += 1;
    cilk_for (int i = 0; i < 64; i++) for (int j = 0; j < 3; j++) { if (j == 2) break; b[i] += j; }
    cilk_for (int i = 0; i < 64; i++) { static const int weights[3] = {1, 10, 100}; const double w = weights[i % 3]; b[i] += w; }
    long h = 0;
    for (int i = 0; i < 64; i++) h = (h * 31 + a[i] * 7 + b[i]) % 1000003;
    printf("%ld %d %d %ld %s %s\n", h, hits, plain_hits, (long)total, names[15], names[3]);
    return 0;
}
