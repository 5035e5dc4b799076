// The spawn of a function that nothing marks; its plain call, which waits for that child alone; main with its own argv.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

int fib(int n) {
    if (n < 2) return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static int scoped(int n) {
    if (n < 2) return n;
    int x, y;
    cilk_scope {
        x = cilk_spawn scoped(n - 1);
        y = scoped(n - 2);
    }
    return x + y;
}

static int calls(int n) { return n < 2 ? n : calls(n - 1) + fib(n - 2); }

int main(int argc, char *argv[]) {
    int n = argc > 1 ? atoi(argv[1]) : 22;
    printf("%d %d %d\n", fib(n), scoped(n), calls(18));
    return 0;
}
