// Blocks that are spawned, and scopes: what they share, and where their children are joined.
#include <stdio.h>

static int slow(int n) { return n < 2 ? 1 : slow(n - 1) + slow(n - 2); }
static void tree(int *a, int lo, int hi) {
    if (hi - lo < 2) {
        if (lo < hi) a[lo] = slow(10) + lo;
        return;
    }
    int mid = lo + (hi - lo) / 2;
    cilk_spawn {
        tree(a, lo, mid);
    }
    cilk_spawn {
        cilk_spawn tree(a, mid, (mid + hi) / 2);
        tree(a, (mid + hi) / 2, hi);
    }
    cilk_sync;
}
static int early(int n) {
    int v[8] = { 0 };
    for (int i = 0; i < 8; i++) {
        cilk_scope {
            v[i] = cilk_spawn slow(i);
            if (i == n) break;
            if (i % 2) continue;
        }
        v[i] += 100;
    }
    int s = 0;
    for (int i = 0; i < 8; i++) s = s * 3 + v[i];
    return s;
}
static int returned(int n) {
    int a = 0, b = 0;
    cilk_scope {
        a = cilk_spawn slow(n);
        cilk_scope b = cilk_spawn slow(n + 1);
        if (b > 20) return b;
    }
    return a * 1000 + b;
}
static int jumped(int n) {
    int a = 0;
again:
    cilk_scope {
        int local = 0;
        local = cilk_spawn slow(n);
        cilk_sync;
        a += local;
        if (a < 50) goto again;
        if (a < 60) goto out;
    }
    a += 1;
out:
    return a;
}
static int nested(int n) {
    int m[4][4], s = 0;
    cilk_scope {
        for (int i = 0; i < 4; i++)
            cilk_spawn {
                for (int j = 0; j < 4; j++)
                    cilk_spawn { m[i][j] = slow(i + j) * n; }
                cilk_sync;
                m[i][0] += i;
            }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) s += m[i][j] * (i + 2 * j);
    return s;
}

int main(void) {
    int a[37];
    tree(a, 0, 37);
    long s = 0;
    for (int i = 0; i < 37; i++) s = s * 7 % 1000003 + a[i];
    printf("%ld\n", s);
    for (int n = 0; n < 9; n++) printf("%d %d %d %d\n", early(n), returned(n), jumped(n), nested(n));
    if (s) cilk_spawn printf("spawned\n");
    cilk_sync;
    do cilk_sync; while (0);
    return 0;
}
