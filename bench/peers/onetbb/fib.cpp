// fib with oneTBB task groups: bench/programs/fib_long.cilk.
#include "peer.h"

static long fib(int n) {
  if (n < 2) return n;
  long x, y;
  tbb::task_group group;
  group.run([&x, n] { x = fib(n - 1); });
  group.run([&y, n] { y = fib(n - 2); });
  group.wait();
  return x + y;
}

int main(int argc, char **argv) {
  int n = static_cast<int>(argument(argc, argv, 1, 30));
  long result = 0;
  timed([&] { result = fib(n); });
  std::printf("fib(%d) = %ld\n", n, result);
}
