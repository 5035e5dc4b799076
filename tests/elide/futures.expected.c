/* Futures: `future` and `touch` go; a touch that is a statement becomes a void expression. */
#include <stdio.h>
#define WAIT(x) (void)x
typedef struct { int low, high; } range;
int leaf(int n) { return n; }
range both(int n) { range r = { n, n + 1 }; return r; }
int stage(int *before, range *all[], int k)
{
    if (k)
        (void) *before;
    return *before + (*all[0]).high;
}
int pipe(int n)
{
    int f = leaf(n), many[3], *p = &f;
    range r = both(n);
    range *all[1] = { &r };
    for (int i = 0; i < 3; i++)
        many[i] = stage(p, all, i);
    WAIT(f);
    switch (many[1]) {
    case 0: (void) many[2]; break;
    default: n += *p;
    }
    return many[2] + (int)sizeof(f) + n;
}
int main(void)
{
    int x;
    x = pipe(3);
    ;
    printf("%d\n", x);
    return 0;
}
