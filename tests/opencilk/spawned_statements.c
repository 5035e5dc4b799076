// Any statement can be spawned: the whole of it is the child.
#include <cilk/cilk.h>
#include <stdio.h>

static int fib(int n) {
    if (n < 2) return n;
    int x = cilk_spawn(fib(n - 1)), y = fib(n - 2);
    cilk_sync;
    return x + y;
}
static void count(int *v, int n) {
    cilk_spawn v[0]++;
    cilk_spawn --v[1];
    cilk_spawn for (int i = 2; i < n; i++) {
        if (i == n - 1) break;
        v[i] += fib(i % 9);
    }
    cilk_sync;
    cilk_spawn if (n > 9) v[2] = fib(n);
    else v[3] = 1;
    cilk_sync;
    cilk_spawn while (n > 0) v[--n]++;
    cilk_sync;
    cilk_spawn do n++; while (n < 5);
    cilk_sync;
    cilk_spawn switch (n) { case 5: v[4] *= 2; break; default: v[4] = 0; }
    cilk_spawn cilk_for (int i = 5; i < 10; i++) v[i] += i;
    cilk_spawn cilk_scope { v[10] = cilk_spawn fib(11); v[11] = fib(5); }
}
static int shortened(int *a, int *b, int c) {
    cilk_spawn c ? count(a, 12) : count(b, 12);
    cilk_spawn c && ++b[3];
    cilk_spawn a[20] = fib(7), a[21] = fib(8);
    cilk_spawn (b[20] = fib(9));
    cilk_sync;
    return a[21] - b[20];
}
#define FORK(call) (cilk_spawn call)
#define FORK_INTO(x, call) (x = cilk_spawn call)
static int in_parentheses(int n) {
    int x, y;
    if (n < 2) return n;
    FORK_INTO(x, in_parentheses(n - 1));
    FORK_INTO(y, in_parentheses(n - 2));
    cilk_sync;
    return x + y;
}
int main(void) {
    int a[30] = {0}, b[30] = {0};
    for (int c = 0; c < 3; c++) printf("%d\n", shortened(a, b, c));
    FORK(count(b, 20));
    cilk_sync;
    for (int i = 0; i < 30; i++) printf("%d %d\n", a[i], b[i]);
    printf("%d\n", in_parentheses(14));
    return 0;
}
