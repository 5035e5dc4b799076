/* The sum of a hash of each iteration's number. With -DSERIAL the loop is C's and the reducer a variable; with -DOPENMP
 * it is OpenMP's. */
#include "spelling.h"

#if defined SERIAL || defined OPENMP
#define cilk_for for
#define cilk_reducer(identity, reduce)
#endif

static void zero(void *view) { *(unsigned long *)view = 0; }
static void plus(void *left, void *right) { *(unsigned long *)left += *(unsigned long *)right; }

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atol(argv[1]) : 100000;
    unsigned long cilk_reducer(zero, plus) sum = 0;
    (void)zero;
    (void)plus;
    BEGIN
#ifdef OPENMP
#pragma omp parallel for reduction(+ : sum)
#endif
    cilk_for (unsigned i = 0; i < n; i++)
        sum += i * 2654435761u >> 20;
    END
    printf("%lu\n", sum);
    return 0;
}
