// All solutions of the n-queens problem with oneTBB task groups: bench/programs/nqueens_count.cilk.
#include "peer.h"

static long place(unsigned all, unsigned columns, unsigned left, unsigned right) {
  unsigned open = all & ~(columns | left | right);
  long counts[16], count = 0;
  int tasks = 0;

  if (columns == all) return 1;
  tbb::task_group group;
  while (open != 0) {
    unsigned square = open & -open;
    long *to = &counts[tasks++];
    open ^= square;
    group.run([=] { *to = place(all, columns | square, (left | square) << 1, (right | square) >> 1); });
  }
  group.wait();
  for (int i = 0; i < tasks; i++) count += counts[i];
  return count;
}

int main(int argc, char **argv) {
  int n = static_cast<int>(argument(argc, argv, 1, 11));
  long count = 0;
  timed([&] { count = place((1u << n) - 1, 0, 0, 0); });
  std::printf("%d queens: %ld solutions\n", n, count);
}
