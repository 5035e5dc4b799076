/* Cilk text in a file that is read as C: one error, not one for each procedure. */
#include <stdio.h>

cilk int fib(int n)                     // ERROR: 4:1 cilk-word-in-c
{
    int x, y;
    if (n < 2)
        return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    sync;
    return x + y;
}

cilk int main(void)
{
    return 0;
}
