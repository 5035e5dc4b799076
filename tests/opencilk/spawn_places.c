// FLAGS: -Wno-cilk-spawn-return -Wno-sync-no-child
// A spawn in every place that the language has for one: conditions, loops without braces, initialisers, returns, ?:, labels, switches.
#include <cilk/cilk.h>
#include <stdio.h>
static int f(int n) { return n * n + 1; }
static int tree(int n) {
    if (n < 2) return 1;
    int a = cilk_spawn tree(n - 1), b = tree(n - 2);
    cilk_sync;
    return a + b;
}
static int returned(int n) { return cilk_spawn tree(n); }
static double converted(int n) {
    double d = cilk_spawn tree(n);
    long l;
    l = cilk_spawn f(n);
    _Bool truth = cilk_spawn tree(n);
    unsigned char small;
    small = cilk_spawn f(n * 100);
    float g;
    (g) = (cilk_spawn f(n));
    cilk_sync;
    return d + l + truth + small + g;
}
static void count(int *calls) { ++*calls; }
static int choice(int n) {
    int a = n > 3 ? cilk_spawn tree(n) : -1;
    int b;
    b = n < 3 ? f(n) : n < 6 ? cilk_spawn f(2 * n) : cilk_spawn tree(2);
    static int calls[3];
    n & 1 ? cilk_spawn count(&calls[0]) : count(&calls[1]);
    n & 2 ? (void)0 : n & 4 ? cilk_spawn count(&calls[2]) : cilk_spawn count(&calls[2]);
    cilk_sync;
    return a * 100 + b + calls[0] * 7 + calls[1] * 5 + calls[2];
}
static int statements(int n) {
    int a[8] = {0}, i;
    if (n) a[0] = cilk_spawn f(n); else a[1] = cilk_spawn f(7);
    for (i = 2; i < 5; i++) a[i] = cilk_spawn f(i);
    while (i < 7) { a[i] = cilk_spawn f(i); i++; }
    do a[7] = cilk_spawn tree(4); while (0);
    cilk_sync;
    switch (n) {
    case 1: a[0] = cilk_spawn tree(5); break;
    case 2: cilk_spawn f(3); /* value dropped */
    default: a[1] = cilk_spawn tree(3);
    }
    goto there;
there:
    cilk_spawn f(1);
    if (a[2] > 3) cilk_sync; else cilk_sync;
    int s = 0;
    for (i = 0; i < 8; i++) s = s * 5 + a[i];
    return s;
}
static int no_children(int n) { if (n) cilk_sync; else n = 2; cilk_sync; return n; }
static void put(int *where, int v) { *where = v + 1; }
static int argument(int n) {
    int x = 0, y = 0;
    put(&x, cilk_spawn tree(n));
    cilk_spawn put(&y, tree(n));
    cilk_sync;
    return x * 10 + y;
}
int main(void) {
    printf("%d\n", no_children(0) + no_children(7));
    for (int n = 0; n < 8; n++)
        printf("%d %.2f %d %d %d\n", returned(n), converted(n), choice(n), statements(n), argument(n));
    return 0;
}
