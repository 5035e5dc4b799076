/* fib: next to no work per spawn. */
#include "spelling.h"

CILK long fib(int n)
{
    long x, y;
    if (n < 2)
        return n;
    x = SPAWN fib(n - 1);
    y = LAST fib(n - 2);
    SYNC;
    return x + y;
}

CILK int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30;
    long result;
    BEGIN
    result = LAST fib(n);
    SYNC;
    END
    printf("%ld\n", result);
    return 0;
}
