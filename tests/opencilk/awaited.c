// Plain calls of spawning functions: in conditions, arguments, indices, initialiser lists, returns; the caller's own children go on.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
static int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
static int twice(int n) { cilk_scope { cilk_spawn fib(1); } return 2 * n; }
struct pair { int a, b; };
static struct pair both(int n) { struct pair p; p.a = cilk_spawn fib(n); p.b = fib(n + 1); cilk_sync; return p; }
static char *text(char *to, int n) { cilk_spawn snprintf(to, 20, "<%d>", n); cilk_sync; return to; }
static int max(int a, int b) { return a > b ? a : b; }
static void nothing(void) { cilk_spawn fib(3); }
static double mean(int n) {
    int child = cilk_spawn fib(n);
    double d = (fib(n - 1) + fib(n - 2) * 1.0) / 2, e = fib(max(1, n - 3)) ? fib(n) : 0;
    cilk_sync;
    return child + d + e;
}
int main(void) {
    int v[] = {fib(1), fib(2), twice(fib(3)), [5] = fib(fib(5))}, n = sizeof v / sizeof *v;
    char t[20], u[20], *p;
    for (int i = 0; i < n; i++) printf("%d ", v[i]);
    printf("%d %s %d\n", both(6).b, text(t, fib(7)), (int)strlen(p = text(u, 12345)));
    v[fib(3)] += fib(6);
    v[twice(2)] = v[2]++ + twice(v[2] > 100 ? fib(2) : fib(4));
    if (fib(5) == 5 && (twice(2) == 5 || fib(6) == 8)) printf("yes\n");
    int k = 0, total = 0;
    while (fib(k) < 50) total += twice(k++);
    do { total += fib(k--); } while (twice(k) > 4 && !(fib(k) == 3));
    for (k = fib(4); k < fib(6); k += fib(3)) { if (k == 5) continue; total += k; }
    switch (fib(7)) { case 13: total += 1000; break; case 8: total = 0; }
    (nothing)();
    nothing(), total++;
    struct pair q = both(5), *r = &q;
    total = total * 10 + (fib(4), twice(r->a)) + (r->b > 3 ? fib(5) : twice(5)) - !fib(0);
    int (*f)(int) = fib;
    total += f(8) + (&fib)(6) + (*fib)(5);
    long big = (long)fib(10) << fib(3);
    printf("%d %ld %.3f %zu\n", total, big, mean(8), sizeof(fib(3)));
    return fib(0);
}
