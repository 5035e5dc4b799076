/* main is a function of C that spawns. */
#include <stdio.h>
#include "mix.h"
int main(void)
{
    long a = cilk_spawn open_fib(14), b = five_bridge(13), c = cilk_spawn open_apply(five_bridge, 6), d = open_apply(open_fib, 5);
    cilk_sync;
    printf("%ld %ld %ld %ld %ld %ld %d\n", a, b, c, d, parts[0], parts[1], calls > 100);
    return 0;
}
