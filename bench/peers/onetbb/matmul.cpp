// Product of two square matrices with oneTBB's parallel_invoke: samples/matmul.cilk.
#include <vector>
#include "peer.h"
#include "../serial.h"

static void multiply(const double *a, int la, const double *b, int lb, double *c, int lc, int m, int n, int p,
    int add) {
  if (m <= SMALL && n <= SMALL && p <= SMALL) {
    multiply_serially(a, la, b, lb, c, lc, m, n, p, add);
  } else if (m >= n && m >= p) {
    int half = m / 2;
    tbb::parallel_invoke([=] { multiply(a, la, b, lb, c, lc, half, n, p, add); },
        [=] { multiply(a + (size_t)half * la, la, b, lb, c + (size_t)half * lc, lc, m - half, n, p, add); });
  } else if (p >= n) {
    int half = p / 2;
    tbb::parallel_invoke([=] { multiply(a, la, b, lb, c, lc, m, n, half, add); },
        [=] { multiply(a, la, b + half, lb, c + half, lc, m, n, p - half, add); });
  } else {
    int half = n / 2;
    multiply(a, la, b, lb, c, lc, m, half, p, add);
    multiply(a + half, la, b + (size_t)half * lb, lb, c, lc, m, n - half, p, 1);
  }
}

int main(int argc, char **argv) {
  int n = static_cast<int>(argument(argc, argv, 1, 640));
  size_t size = static_cast<size_t>(n) * n;
  std::vector<double> a(size), b(size), c(size);
  fill(a.data(), size, 1);
  fill(b.data(), size, 2);
  timed([&] { multiply(a.data(), n, b.data(), n, c.data(), n, n, n, n, 0); });
  std::printf("(%d x %d) times (%d x %d), trace %.0f\n", n, n, n, n, trace(c.data(), n));
}
