// Addresses of nested functions, which are code on the stack, in functions that run on a worker's stack.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static int fib(int n) {
    if (n < 2) return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}
static int apply(int (*f)(int), int n) {
    int a = cilk_spawn f(n);
    int b = f(n + 1);
    cilk_sync;
    return a * 3 + b;
}
static int line(int slope) {
    int base = slope * 2;
    int at(int x) { return base + slope * x + fib(x % 8); }
    int first = apply(at, 3);
    base++;
    return first * 7 + apply(at, first % 10);
}
static void order(int *a, int n, int key) {
    int compare(const void *x, const void *y) { return (*(const int *)x ^ key) - (*(const int *)y ^ key); }
    qsort(a, n, sizeof *a, compare);
}
int main(void) {
    int sums[20], rows[8][6];
    cilk_for (int i = 0; i < 20; i++) sums[i] = line(i);
    cilk_for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 6; j++) rows[i][j] = j * 5 % 6;
        order(rows[i], 6, i);
    }
    for (int i = 0; i < 20; i++) printf("%d ", sums[i]);
    for (int i = 0; i < 8; i++) printf("%d%d ", rows[i][0], rows[i][5]);
    printf("%d\n", apply(fib, 9));
    return 0;
}
