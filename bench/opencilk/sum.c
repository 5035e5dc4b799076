/* The sum of a hash of each iteration's number. With -DSERIAL the loop is C's and the reducer a variable; with -DOPENMP
 * it is OpenMP's. A sum of a few numbers goes first, with each library: its threads run when the clock starts. */
#include "spelling.h"

#if defined SERIAL || defined OPENMP
#define cilk_for for
#define cilk_reducer(identity, reduce)
#endif

static void zero(void *view) { *(unsigned long *)view = 0; }
static void plus(void *left, void *right) { *(unsigned long *)left += *(unsigned long *)right; }

static unsigned long total(unsigned n)
{
    unsigned long cilk_reducer(zero, plus) sum = 0;
#ifdef OPENMP
#pragma omp parallel for reduction(+ : sum)
#endif
    cilk_for (unsigned i = 0; i < n; i++)
        sum += i * 2654435761u >> 20;
    return sum;
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atol(argv[1]) : 100000;
    unsigned long sum, first = total(n / 100);
    (void)zero;
    (void)plus;
    BEGIN
    sum = total(n);
    END
    printf("%lu %lu\n", first, sum);
    return 0;
}
