/* Solutions of n queens, counted with a spawn for each queen: each child has a place for its result, as in the
 * handouts. */
#include "spelling.h"

CILK long place(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    long counts[16], sum = 0;
    int n = 0;
    unsigned open = all & ~(columns | left | right);
    if (columns == all)
        return 1;
    while (open) {
        unsigned square = open & -open;
        open ^= square;
        counts[n] = SPAWN place(all, columns | square, (left | square) << 1, (right | square) >> 1);
        n++;
    }
    SYNC;
    for (int i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

CILK int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    long result;
    BEGIN
    result = LAST place((1u << n) - 1, 0, 0, 0);
    SYNC;
    END
    printf("%ld\n", result);
    return 0;
}
