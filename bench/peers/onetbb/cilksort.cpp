// Merge sort with parallel merging, with oneTBB's parallel_invoke: samples/cilksort.cilk.
#include <vector>
#include "peer.h"
#include "../serial.h"

static void merge(long *low1, long *high1, long *low2, long *high2, long *to) {
  long *split1, *split2;

  if (!merge_or_split(&low1, &high1, &low2, &high2, to, &split1, &split2)) return;
  tbb::parallel_invoke([=] { merge(low1, split1, low2, split2, to); },
      [=] { merge(split1 + 1, high1, split2 + 1, high2, to + (split1 - low1 + 1) + (split2 - low2 + 1)); });
}

static void sort(long *low, long *spare, long n) {
  long quarter = n / 4;
  long *a = low, *b = a + quarter, *c = b + quarter, *d = c + quarter, *half = spare + 2 * quarter;

  if (n <= SORT_SERIALLY) {
    quicksort(low, low + n - 1);
    return;
  }
  tbb::parallel_invoke([=] { sort(a, spare, quarter); }, [=] { sort(b, spare + quarter, quarter); },
      [=] { sort(c, half, quarter); }, [=] { sort(d, spare + 3 * quarter, n - 3 * quarter); });
  tbb::parallel_invoke([=] { merge(a, b - 1, b, c - 1, spare); }, [=] { merge(c, d - 1, d, low + n - 1, half); });
  merge(spare, half - 1, half, spare + n - 1, a);
}

int main(int argc, char **argv) {
  long n = argument(argc, argv, 1, 3000000);
  std::vector<long> array(static_cast<size_t>(n)), spare(static_cast<size_t>(n));
  random_numbers(array.data(), n);
  timed([&] { sort(array.data(), spare.data(), n); });
  std::printf("%ld numbers sorted: %ld .. %ld .. %ld\n", n, array[0], array[n / 2], array[n - 1]);
  return !sorted(array.data(), n);
}
