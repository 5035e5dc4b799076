// No header at all: the words are keywords. Old-style declarations, implicit int parameters' order, a main without prototype.
int printf(const char *, ...);
static int fib();
static int fib(n) int n;
{
    int x, y;
    if (n < 2) return n;
    x = cilk_spawn fib(n - 1);
    y = cilk_spawn fib(n - 2);
    cilk_sync;
    return x + y;
}
static void fill(a, n, v) int *a, n; double v;
{
    cilk_for (int i = 0; i < n; i++) a[i] = i * v;
}
int main()
{
    int a[50];
    fill(a, 50, 1.5);
    printf("%d %d %d\n", fib(10), a[49], a[3]);
    return 0;
}
