/* OpenCilk: functions of C that spawn. */
#include "mix.h"
mix_sum calls = 7;
static long last;
long open_fib(int n)
{
    calls++;
    if (n < 2) return n;
    long x = cilk_spawn open_fib(n - 1), y = n % 3 == 0 ? five_bridge(n - 2) : open_fib(n - 2);
    cilk_sync;
    return x + y;
}
long open_apply(long (*f)(int), int n)
{
    long v[4];
    cilk_for (int i = 0; i < 4; i++) { v[i] = f(n + i); parts[i & 1] += v[i]; }
    last = v[3];
    return v[0] + v[1] + v[2] + v[3];
}
