/* fib with OpenMP tasks: bench/programs/fib_long.cilk with `task` for spawn and `taskwait` for sync. */
#include "peer.h"

static long fib(int n) {
  long x, y;

  if (n < 2) return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y)
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 30);
  long result = 0;

#pragma omp parallel
#pragma omp single
  {
    begin();
    result = fib(n);
    end();
  }
  printf("fib(%d) = %ld\n", n, result);
  return 0;
}
