/* Merge sort with parallel merging, with OpenMP tasks: samples/cilksort.cilk. */
#include "peer.h"
#include "../serial.h"

static void merge(long *low1, long *high1, long *low2, long *high2, long *to) {
  long *split1, *split2;

  if (!merge_or_split(&low1, &high1, &low2, &high2, to, &split1, &split2)) return;
#pragma omp task
  merge(low1, split1, low2, split2, to);
#pragma omp task
  merge(split1 + 1, high1, split2 + 1, high2, to + (split1 - low1 + 1) + (split2 - low2 + 1));
#pragma omp taskwait
}

static void sort(long *low, long *spare, long n) {
  long quarter = n / 4;
  long *a = low, *b = a + quarter, *c = b + quarter, *d = c + quarter, *half = spare + 2 * quarter;

  if (n <= SORT_SERIALLY) {
    quicksort(low, low + n - 1);
    return;
  }
#pragma omp task
  sort(a, spare, quarter);
#pragma omp task
  sort(b, spare + quarter, quarter);
#pragma omp task
  sort(c, half, quarter);
#pragma omp task
  sort(d, spare + 3 * quarter, n - 3 * quarter);
#pragma omp taskwait
#pragma omp task
  merge(a, b - 1, b, c - 1, spare);
#pragma omp task
  merge(c, d - 1, d, low + n - 1, half);
#pragma omp taskwait
  merge(spare, half - 1, half, spare + n - 1, a);
}

int main(int argc, char **argv) {
  long n = argument(argc, argv, 1, 3000000);
  long *array = malloc((size_t)n * sizeof *array), *spare = malloc((size_t)n * sizeof *spare);

  if (array == NULL || spare == NULL) return 1;
  random_numbers(array, n);
#pragma omp parallel
#pragma omp single
  {
    begin();
    sort(array, spare, n);
    end();
  }
  printf("%ld numbers sorted: %ld .. %ld .. %ld\n", n, array[0], array[n / 2], array[n - 1]);
  return !sorted(array, n);
}
