/* Jacobi steps on a square plate: the rows are halved down to 16. */
#include "spelling.h"

static void rows(const double *old, double *new, int n, int low, int high)
{
    size_t width = (size_t)n + 2;
    for (int i = low; i < high; i++) {
        const double *row = old + (size_t)i * width;
        double *to = new + (size_t)i * width;
        for (int j = 1; j <= n; j++)
            to[j] = row[j] + 0.2 * (row[j - 1] + row[j + 1] + row[j - width] + row[j + width] - 4.0 * row[j]);
    }
}

CILK void diffuse(const double *old, double *new, int n, int low, int high)
{
    if (high - low <= 16) {
        rows(old, new, n, low, high);
    } else {
        int middle = low + (high - low) / 2;
        SPAWN diffuse(old, new, n, low, middle);
        LAST diffuse(old, new, n, middle, high);
        SYNC;
    }
}

CILK int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, steps = argc > 2 ? atoi(argv[2]) : 20;
    size_t all = ((size_t)n + 2) * ((size_t)n + 2);
    double *old = calloc(all, sizeof *old), *new = calloc(all, sizeof *new), *swap, sum = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            old[(size_t)i * ((size_t)n + 2) + (size_t)j] = i * j % 17;
    BEGIN
    for (int t = 0; t < steps; t++) {
        LAST diffuse(old, new, n, 1, n + 1);
        SYNC;
        swap = old;
        old = new;
        new = swap;
    }
    END
    for (size_t i = 0; i < all; i++)
        sum += old[i];
    printf("%.6f\n", sum);
    return 0;
}
