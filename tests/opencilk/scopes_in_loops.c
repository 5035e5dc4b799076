// cilk_scope in loops and functions, with and without braces, left by break, continue, goto and return.
#include <cilk/cilk.h>
#include <stdio.h>
static int work(int n) { int s = 0; for (int i = 0; i <= n; i++) s += i; return s; }
static void set(int *p, int v) { *p = work(v); }
static int rounds(int n) {
    int total = 0;
    for (int r = 0; r < n; r++) {
        int a[4] = {0};
        cilk_scope {
            for (int i = 0; i < 4; i++) cilk_spawn set(&a[i], r + i);
        }
        for (int i = 0; i < 4; i++) total += a[i];
    }
    return total;
}
static int no_braces(int n) {
    int a[10] = {0}, s = 0;
    cilk_scope for (int i = 0; i < 10; i++) cilk_spawn set(a + i, n + i);
    cilk_scope
        if (n & 1) cilk_spawn set(a, 1);
        else cilk_spawn set(a, 2);
    for (int i = 0; i < 10; i++) s += a[i];
    return s;
}
static int leaves(int n) {
    int x = 0, y = 0;
    while (1) {
        cilk_scope {
            cilk_spawn set(&x, n);
            set(&y, n + 1);
            if (n > 5) break;
            if (n++ < 3) continue;
            if (n == 5) goto done;
        }
        x += 1000;
    }
    return x + y;
done:
    return x - y;
}
static int nested(int n) {
    int a = 0, b = 0, c = 0;
    cilk_scope {
        cilk_spawn set(&a, n);
        cilk_scope {
            cilk_spawn set(&b, n);
            cilk_scope { cilk_spawn set(&c, n); }
            c++;
        }
        b += c;
    }
    return a + b + c;
}
static int from_switch(int n) {
    int a = 0;
    switch (n % 3) {
    case 0: cilk_scope { cilk_spawn set(&a, 4); break; }
    case 1: cilk_scope { cilk_spawn set(&a, 5); } a++; break;
    default: cilk_spawn set(&a, 6); cilk_sync;
    }
    return a;
}
int main(void) {
    cilk_scope { printf("%d %d\n", rounds(5), no_braces(3)); }
    for (int n = 0; n < 8; n++) printf("%d %d %d %d\n", leaves(n), nested(n), from_switch(n), no_braces(n));
    return 0;
}
