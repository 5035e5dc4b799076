/* The serial parts of the sort and of the product, for the C and C++ peers: as in samples/cilksort.cilk and
 * samples/matmul.cilk, so that the peers differ in how they run tasks and in nothing else. */
#ifndef PEERS_SERIAL_H
#define PEERS_SERIAL_H
#include <stddef.h>
#include <string.h>

#define SORT_SERIALLY 2048
#define MERGE_SERIALLY 2048
#define INSERT 16
#define SMALL 48

static inline void insertion_sort(long *low, long *high) {
  long *p, *q;

  for (q = low + 1; q <= high; q++) {
    long value = *q;
    for (p = q - 1; p >= low && *p > value; p--) p[1] = *p;
    p[1] = value;
  }
}

static inline long median(long a, long b, long c) {
  if (a < b) return b < c ? b : a < c ? c : a;
  return a < c ? a : b < c ? c : b;
}

static inline void quicksort(long *low, long *high) {
  while (high - low >= INSERT) {
    long pivot = median(*low, low[(high - low) / 2], *high);
    long *left = low - 1, *right = high + 1;

    for (;;) {
      long swap;
      do left++;
      while (*left < pivot);
      do right--;
      while (*right > pivot);
      if (left >= right) break;
      swap = *left;
      *left = *right;
      *right = swap;
    }
    if (right - low < high - right) {
      quicksort(low, right);
      low = right + 1;
    } else {
      quicksort(right + 1, high);
      high = right;
    }
  }
  insertion_sort(low, high);
}

static inline void merge_serially(long *low1, long *high1, long *low2, long *high2, long *to) {
  while (low1 <= high1 && low2 <= high2) *to++ = *low2 < *low1 ? *low2++ : *low1++;
  while (low1 <= high1) *to++ = *low1++;
  while (low2 <= high2) *to++ = *low2++;
}

static inline long *find(long value, long *low, long *high) {
  while (low <= high) {
    long *middle = low + (high - low) / 2;
    if (*middle <= value) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/* The part of a merge that comes before its two spawns: 0 when it is done, else the split is in *split1 and *split2. */
static inline int merge_or_split(long **low1, long **high1, long **low2, long **high2, long *to, long **split1,
    long **split2) {
  if (*high1 - *low1 < *high2 - *low2) {
    long *swap = *low1;
    *low1 = *low2;
    *low2 = swap;
    swap = *high1;
    *high1 = *high2;
    *high2 = swap;
  }
  if (*high2 < *low2) {
    memcpy(to, *low1, (size_t)(*high1 - *low1 + 1) * sizeof *to);
    return 0;
  }
  if (*high1 - *low1 < MERGE_SERIALLY) {
    merge_serially(*low1, *high1, *low2, *high2, to);
    return 0;
  }
  *split1 = *low1 + (*high1 - *low1) / 2;
  *split2 = find(**split1, *low2, *high2);
  return 1;
}

static inline void random_numbers(long *array, long n) {
  unsigned long random = 1;
  long i;

  for (i = 0; i < n; i++) {
    random = random * 6364136223846793005ul + 1442695040888963407ul;
    array[i] = (long)(random >> 33) % (4 * n);
  }
}

static inline int sorted(const long *array, long n) {
  long i;

  for (i = 1; i < n; i++)
    if (array[i - 1] > array[i]) return 0;
  return 1;
}

static inline void multiply_serially(const double *a, int la, const double *b, int lb, double *c, int lc, int m, int n,
    int p, int add) {
  int i, j, k;

  for (i = 0; i < m; i++) {
    double *to = c + (size_t)i * lc;
    if (!add) memset(to, 0, (size_t)p * sizeof *to);
    for (k = 0; k < n; k++) {
      double factor = a[(size_t)i * la + k];
      const double *from = b + (size_t)k * lb;
      for (j = 0; j < p; j++) to[j] += factor * from[j];
    }
  }
}

static inline void fill(double *matrix, size_t size, unsigned seed) {
  size_t i;

  for (i = 0; i < size; i++) {
    seed = seed * 1664525u + 1013904223u;
    matrix[i] = (double)(int)(seed >> 24) - 128.0;
  }
}

static inline double trace(const double *c, int n) {
  double sum = 0;
  int i;

  for (i = 0; i < n; i++) sum += c[(size_t)i * n + i];
  return sum;
}
#endif
