/* An else after an inner if, in a statement between the two that has no braces. */
// FLAGS: -Wall -fopencilk
int f(int);
int in_loops(int a, int b)
{
    if (a)                              // WARNING: dangling-else
        for (int i = 0; i < 3; i++)
            if (b) f(a);
            else f(b);
    if (a)                              // WARNING: dangling-else
        while (b--)
            if (b) f(a);
            else f(b);
    if (a)                              // WARNING: dangling-else
        again: if (b) f(a);
        else f(b);
    if (a)                              // WARNING: dangling-else
        switch (b)
        case 1: if (b) f(a);
        else f(b);
    if (b > 99) goto again;
    return a;
}
void in_parallel(int a, int b)
{
    if (a)                              // WARNING: dangling-else
        cilk_for (int i = 0; i < 3; i++)
            if (b) f(a);
            else f(b);
    if (a)                              // WARNING: dangling-else
        #pragma cilk grainsize 2
        cilk_for (int i = 0; i < 3; i++)
            if (b) f(a);
            else f(b);
}
int fine(int a, int b)
{
    if (a) {
        for (int i = 0; i < 3; i++)
            if (b) f(a);
            else f(b);
    }
    if (a)
        for (int i = 0; i < 3; i++) {
            if (b) f(a);
            else f(b);
        }
    if (a)
        for (int i = 0; i < 3; i++)
            if (b) f(a);
            else f(b);
    else
        f(1);
    if (a)
        do
            if (b) f(a);
            else f(b);
        while (b--);
    return b;
}
