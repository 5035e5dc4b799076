/* All solutions of the n-queens problem with OpenMP tasks: bench/programs/nqueens_count.cilk. Each task adds to a place
 * of its own in an array of its parent. */
#include "peer.h"

static long place(unsigned all, unsigned columns, unsigned left, unsigned right) {
  unsigned open = all & ~(columns | left | right);
  long counts[16], count = 0;
  int i, tasks = 0;

  if (columns == all) return 1;
  while (open != 0) {
    unsigned square = open & -open;
    long *to = &counts[tasks++];
    open ^= square;
#pragma omp task firstprivate(square, to)
    *to = place(all, columns | square, (left | square) << 1, (right | square) >> 1);
  }
#pragma omp taskwait
  for (i = 0; i < tasks; i++) count += counts[i];
  return count;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 11);
  long count = 0;

#pragma omp parallel
#pragma omp single
  {
    begin();
    count = place((1u << n) - 1, 0, 0, 0);
    end();
  }
  printf("%d queens: %ld solutions\n", n, count);
  return 0;
}
