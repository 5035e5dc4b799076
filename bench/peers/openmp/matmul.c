/* Product of two square matrices with OpenMP tasks: samples/matmul.cilk. */
#include "peer.h"
#include "../serial.h"

static void multiply(const double *a, int la, const double *b, int lb, double *c, int lc, int m, int n, int p,
    int add) {
  if (m <= SMALL && n <= SMALL && p <= SMALL) {
    multiply_serially(a, la, b, lb, c, lc, m, n, p, add);
  } else if (m >= n && m >= p) {
    int half = m / 2;
#pragma omp task
    multiply(a, la, b, lb, c, lc, half, n, p, add);
#pragma omp task
    multiply(a + (size_t)half * la, la, b, lb, c + (size_t)half * lc, lc, m - half, n, p, add);
#pragma omp taskwait
  } else if (p >= n) {
    int half = p / 2;
#pragma omp task
    multiply(a, la, b, lb, c, lc, m, n, half, add);
#pragma omp task
    multiply(a, la, b + half, lb, c + half, lc, m, n, p - half, add);
#pragma omp taskwait
  } else {
    int half = n / 2;
    multiply(a, la, b, lb, c, lc, m, half, p, add);
    multiply(a + half, la, b + (size_t)half * lb, lb, c, lc, m, n - half, p, 1);
  }
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 640);
  size_t size = (size_t)n * n;
  double *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b), *c = malloc(size * sizeof *c);

  if (a == NULL || b == NULL || c == NULL) return 1;
  fill(a, size, 1);
  fill(b, size, 2);
#pragma omp parallel
#pragma omp single
  {
    begin();
    multiply(a, n, b, n, c, n, n, n, n, 0);
    end();
  }
  printf("(%d x %d) times (%d x %d), trace %.0f\n", n, n, n, n, trace(c, n));
  return 0;
}
