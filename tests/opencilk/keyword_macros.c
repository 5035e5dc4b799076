// Programs that hide the words in macros of their own: Cilk-5's spelling, _Cilk words, a serial switch, wrappers.
#include <cilk/cilk.h>
#include <stdio.h>
#ifdef SERIAL
#define spawn
#define sync
#define pfor for
#else
#define spawn cilk_spawn
#define sync cilk_sync
#define pfor cilk_for
#endif
#define cilk
#define SPAWN(call) do { cilk_spawn call; } while (0)
#define PAR_DO(a, b) { cilk_spawn a; b; cilk_sync; }
#define PARALLEL_FOR(i, n) _Cilk_for (int i = 0; i < (n); ++i)
cilk int fib(int n) {
    if (n < 2) return (n);
    else {
        int x, y;
        x = spawn fib(n - 1);
        y = spawn fib(n - 2);
        sync;
        return (x + y);
    }
}
static int old(int n) {
    int a = 0, b = 0;
    a = _Cilk_spawn fib(n);
    b = fib(n + 1);
    _Cilk_sync;
    _Cilk_scope { _Cilk_spawn fib(2); }
    return a * b;
}
static void set(int *p, int v) { *p = v; }
int main(int argc, char **argv) {
    int result, v[30];
    result = spawn fib(12);
    sync;
    printf("Result: %d %d\n", result, old(6));
    PARALLEL_FOR(i, 30) v[i] = i * i;
    pfor (int i = 0; i < 30; i++) { v[i] += 1; }
    PAR_DO(set(&v[0], 7), set(&v[1], 8))
    for (int i = 2; i < 5; i++) SPAWN(set(&v[i], -i));
    sync;
    int s = 0;
    for (int i = 0; i < 30; i++) s = s * 3 % 10007 + v[i];
    printf("%d\n", s);
#ifdef __cilk
    printf("%d\n", __cilk >= 300);
#else
    printf("1\n");
#endif
    return 0;
}
