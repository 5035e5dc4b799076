// Calls of spawning functions in every kind of expression and statement.
#include <stdio.h>
#include <stdlib.h>

static int trace[64], traced;

static int twice(int n) {
    int a = cilk_spawn abs(n);
    int b = abs(n);
    cilk_sync;
    return a + b;
}
static void note(int n) {
    cilk_scope { trace[traced] = twice(n); }
    traced++;
}
static _Bool odd(int n) { return twice(n) / 2 % 2 == 1; }
struct pair { long a; double b; char c[20]; };
static struct pair make(int n) {
    struct pair p = { n, n / 2.0, "pair" };
    p.a += twice(n);
    return p;
}
static int calls_in_conditions(int n) {
    int count = 0;
    if (odd(n)) count += 1;
    else if (odd(n + 1)) count += 10;
    if (odd(n) && odd(n + 2)) count += 100;
    if (odd(n + 1) || odd(n)) count += 1000;
    while (twice(count) < 5000) count += twice(400);
    do count += 3; while (twice(count) < 12000);
    for (int i = twice(1); twice(i) < 20; i++) count += twice(i);
    switch (twice(n)) {
    case 6: count += 7; break;
    default: count += twice(100);
    }
    return n < 0 ? twice(n) : odd(n) ? count + twice(1) : count;
}
static int in_order(void) {
    int a[4] = { 1, twice(2), twice(3) }, b = twice(a[1]), c = b + twice(a[2]);
    a[twice(1)] = twice(7);
    int d = (note(1), twice(9));
    note(2), note(3);
    return a[0] + 10 * a[1] + 100 * a[2] + 1000 * b + c + d;
}
static long sum(struct pair p, int k) { return p.a * k + (long)p.b + p.c[0]; }
static int apply(int (*f)(int), int n) { return f(n); }
static int compare(const void *x, const void *y) { return twice(*(const int *)x) - twice(*(const int *)y); }

int main(void) {
    for (int n = 1; n < 6; n++) printf("%d\n", calls_in_conditions(n));
    printf("%d\n", in_order());
    for (int i = 0; i < traced; i++) printf(" %d", trace[i]);
    struct pair p = make(5);
    printf("\n%ld %ld\n", sum(p, 3), sum(make(twice(2)), twice(1)));
    int v[] = { 5, 3, 9, 1, 7 };
    qsort(v, 5, sizeof v[0], compare);
    for (int i = 0; i < 5; i++) printf(" %d", v[i]);
    printf("\n%d %d\n", apply(twice, 4), (*(&twice))(8));
    return 0;
}
