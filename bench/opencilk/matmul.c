/* c += a b, square matrices of doubles: the longest side is halved down to blocks of 48. */
#include "spelling.h"

static void small(const double *a, const double *b, double *c, int n, int rows, int inner, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < columns; j++)
                c[(size_t)i * n + j] += a[(size_t)i * n + k] * b[(size_t)k * n + j];
}

CILK void multiply(const double *a, const double *b, double *c, int n, int rows, int inner, int columns)
{
    int half;
    if (rows <= 48 && inner <= 48 && columns <= 48) {
        small(a, b, c, n, rows, inner, columns);
    } else if (rows >= inner && rows >= columns) {
        half = rows / 2;
        SPAWN multiply(a, b, c, n, half, inner, columns);
        LAST multiply(a + (size_t)half * n, b, c + (size_t)half * n, n, rows - half, inner, columns);
        SYNC;
    } else if (columns >= inner) {
        half = columns / 2;
        SPAWN multiply(a, b, c, n, rows, inner, half);
        LAST multiply(a, b + half, c + half, n, rows, inner, columns - half);
        SYNC;
    } else {
        half = inner / 2;
        LAST multiply(a, b, c, n, rows, half, columns);
        SYNC;
        LAST multiply(a + half, b + (size_t)half * n, c, n, rows, inner - half, columns);
        SYNC;
    }
}

CILK int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200;
    size_t all = (size_t)n * n;
    double *a = malloc(all * sizeof *a), *b = malloc(all * sizeof *b), *c = calloc(all, sizeof *c), sum = 0;
    for (size_t i = 0; i < all; i++) {
        a[i] = (double)(i % 7);
        b[i] = (double)(i % 5);
    }
    BEGIN
    LAST multiply(a, b, c, n, n, n, n);
    SYNC;
    END
    for (size_t i = 0; i < all; i++)
        sum += c[i] * (double)(i % 3);
    printf("%.0f\n", sum);
    return 0;
}
