// Spawns through function pointers: variables, tables, members, arguments, results of calls, casts, typedefs.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef long (*Op)(long, long);
static long add(long a, long b) { return a + b; }
static long mul(long a, long b) { return a * b; }
static long rec(long a, long b) {
    if (a <= 0) return b;
    long x = cilk_spawn rec(a - 1, b), y;
    y = rec(a - 2, b + 1);
    cilk_sync;
    return x + y;
}
static Op table[] = {add, mul, rec, &rec};
struct visitor { Op op; void (*visit)(struct visitor *, int *); int depth; };
static void visit(struct visitor *v, int *out) {
    if (v->depth == 0) { *out = (int)v->op(2, 3); return; }
    struct visitor l = *v, r = *v;
    l.depth = v->depth - 1, r.depth = v->depth - 1;
    int a, b;
    cilk_spawn l.visit(&l, &a);
    (*r.visit)(&r, &b);
    cilk_sync;
    *out = a + b;
}
static Op choose(int n) { return table[n % 4]; }
static long apply(Op f, long a, long b) {
    long r = cilk_spawn f(a, b);
    cilk_sync;
    return r;
}
static void map(void (*f)(void *), void *base, size_t n, size_t size) {
    if (n == 0) return;
    if (n == 1) { f(base); return; }
    cilk_spawn map(f, base, n / 2, size);
    map(f, (char *)base + n / 2 * size, n - n / 2, size);
    cilk_sync;
}
static void square(void *p) { *(int *)p *= *(int *)p; }
int main(void) {
    long r[6];
    for (int i = 0; i < 4; i++) r[i] = cilk_spawn table[i](5, i);
    r[4] = cilk_spawn (*choose(2))(6, 1);
    r[5] = cilk_spawn choose(1)(6, 7);
    cilk_sync;
    for (int i = 0; i < 6; i++) printf("%ld ", r[i]);
    Op p = r[0] > 3 ? rec : add;
    long a, b;
    a = cilk_spawn (r[1] > 3 ? p : mul)(4, 4);
    b = cilk_spawn ((long (*)(long, long))(void *)mul)(3, 4);
    cilk_sync;
    struct visitor v = {add, visit, 4};
    int out;
    v.visit(&v, &out);
    printf("%ld %ld %d %ld %ld\n", a, b, out, apply(rec, 4, 1), apply(mul, 4, 5));
    int n[20];
    for (int i = 0; i < 20; i++) n[i] = i;
    map(square, n, 20, sizeof *n);
    printf("%d %d\n", n[19], n[7]);
    return 0;
}
