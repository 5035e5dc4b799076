/* Iterations of one store each, over bytes. With -DSERIAL the loop is C's. */
#include "spelling.h"
#ifdef SERIAL
#define cilk_for for
#endif

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 100000, sum = 0;
    unsigned char *a = calloc((size_t)n, 1);
    memset(a, 1, (size_t)n);
    BEGIN
    cilk_for (long i = 0; i < n; i++)
        a[i] += 3;
    END
    for (long i = 0; i < n; i += 4096)
        sum += a[i];
    printf("%ld\n", sum);
    return 0;
}
