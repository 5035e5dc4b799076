/* A parallel mergesort of longs. Pieces of 1024 are sorted by the C library. */
#include "spelling.h"

static int less(const void *a, const void *b)
{
  return (*(const long *)a > *(const long *)b) - (*(const long *)a < *(const long *)b);
}

/* Sorted a[0 .. na) and b[0 .. nb) to `to`. */
CILK void merge(const long *a, long na, const long *b, long nb, long *to)
{
    long half, low = 0, high;
    if (na < nb) {
        const long *t = a;
        long n = na;
        a = b;
        na = nb;
        b = t;
        nb = n;
    }
    if (na + nb <= 2048) {
        while (na && nb)
            *to++ = *b < *a ? (nb--, *b++) : (na--, *a++);
        memcpy(to, na ? a : b, (size_t)(na + nb) * sizeof *to);
    } else {
        half = na / 2;
        high = nb;
        while (low < high) {
            long middle = (low + high) / 2;
            if (b[middle] < a[half])
                low = middle + 1;
            else
                high = middle;
        }
        SPAWN merge(a, half, b, low, to);
        LAST merge(a + half, na - half, b + low, nb - low, to + half + low);
        SYNC;
    }
}

CILK void sort(long *a, long *spare, long n)
{
    long half = n / 2, quarter = half / 2, rest = half + (n - half) / 2;
    if (n <= 1024) {
        qsort(a, (size_t)n, sizeof *a, less);
    } else {
        SPAWN sort(a, spare, quarter);
        SPAWN sort(a + quarter, spare + quarter, half - quarter);
        SPAWN sort(a + half, spare + half, rest - half);
        LAST sort(a + rest, spare + rest, n - rest);
        SYNC;
        SPAWN merge(a, quarter, a + quarter, half - quarter, spare);
        LAST merge(a + half, rest - half, a + rest, n - rest, spare + half);
        SYNC;
        LAST merge(spare, half, spare + half, n - half, a);
        SYNC;
    }
}

CILK int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 100000, wrong = 0;
    long *a = malloc((size_t)n * sizeof *a), *spare = malloc((size_t)n * sizeof *spare);
    unsigned long x = 1;
    for (long i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        a[i] = (long)(x >> 20);
    }
    BEGIN
    LAST sort(a, spare, n);
    SYNC;
    END
    for (long i = 1; i < n; i++)
        wrong += a[i - 1] > a[i];
    printf("%ld %ld\n", wrong, a[n / 2]);
    return 0;
}
