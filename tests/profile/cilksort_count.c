/* The dag of samples/cilksort.cilk, counted beside it: a serial C program that sorts the same numbers by the same algorithm and adds up, at each step, what docs/profile.md says
 * that it weighs. Nothing of cilkc is in it. `cilksort_count N` prints work and span of the timed section.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITION = 1, COMPARE = 1, ADD = 1, DIVIDE = 8, READ = 1, WRITE = 1, CALL = 4, ARGUMENT = 1, END = 1 };
enum { SERIALLY = 2048, INSERT = 16 };

static long units;              /* of the strand that runs */

static void insertion_sort(long *low, long *high)
{
  units += ADD;
  for (long *q = low + 1;; q++) {
    units += COMPARE + CONDITION;
    if (q > high) break;
    long value = *q, *p = q - 1;
    units += READ + ADD;
    for (;; p--) {
      units += COMPARE + CONDITION;            /* of && */
      int greater = p >= low;
      if (greater) {
        units += READ + COMPARE;
        greater = *p > value;
      }
      units += CONDITION;
      if (!greater) break;
      p[1] = *p;
      units += ADD + READ + WRITE + ADD;
    }
    p[1] = value;
    units += ADD + WRITE + ADD;
  }
}

static long median(long a, long b, long c)
{
  units += 2 * (COMPARE + CONDITION);
  if (a < b ? b < c : a < c) return a < b ? b : a;
  units += COMPARE + CONDITION;
  return a < b ? (a < c ? c : a) : (b < c ? c : b);
}

static void quicksort(long *low, long *high)
{
  for (;;) {
    units += ADD + COMPARE + CONDITION;
    if (high - low < INSERT) break;
    units += CALL + 3 * (ARGUMENT + READ) + ADD + DIVIDE + ADD + 2 * ADD;
    long pivot = median(*low, low[(high - low) / 2], *high), *left = low - 1, *right = high + 1;
    for (;;) {
      do {
        left++;
        units += ADD + READ + COMPARE + CONDITION;
      } while (*left < pivot);
      do {
        right--;
        units += ADD + READ + COMPARE + CONDITION;
      } while (*right > pivot);
      units += COMPARE + CONDITION;
      if (left >= right) break;
      long swap = *left;
      *left = *right;
      *right = swap;
      units += 2 * (READ + WRITE);
    }
    units += 2 * ADD + COMPARE + CONDITION + CALL + 2 * ARGUMENT + ADD;
    if (right - low < high - right) {
      quicksort(low, right);
      low = right + 1;
    } else {
      quicksort(right + 1, high);
      high = right;
    }
  }
  units += CALL + 2 * ARGUMENT;
  insertion_sort(low, high);
}

static long work;

/* A strand has ended: what it weighed. */
static long strand(void)
{
  long n = units;
  work += n;
  units = 0;
  return n;
}

static long longer(long a, long b) { return a > b ? a : b; }

/* The span. */
static long merge(long *low1, long n1, long *low2, long n2, long *to)
{
  units += 2 * ADD + COMPARE + CONDITION + COMPARE + CONDITION;
  if (n1 < n2) {
    long *low = low1, n = n1;
    low1 = low2, n1 = n2;
    low2 = low, n2 = n;
  }
  if (n2 == 0) {
    units += CALL + 3 * ARGUMENT + 3 * ADD + n1;
    memcpy(to, low1, (size_t)n1 * sizeof *to);
    return strand();
  }
  units += ADD + COMPARE + CONDITION;
  if (n1 - 1 < SERIALLY) {
    units += CALL + 5 * ARGUMENT;
    while (n1 > 0 && n2 > 0) {
      units += 2 * COMPARE + 2 * CONDITION + 2 * READ + COMPARE + CONDITION + READ + ADD + ADD + WRITE;
      if (*low2 < *low1) *to++ = *low2++, n2--;
      else *to++ = *low1++, n1--;
    }
    units += COMPARE + 2 * CONDITION + (n1 ? COMPARE : 0);
    units += (n1 + n2) * (COMPARE + CONDITION + READ + WRITE + 2 * ADD) + 2 * (COMPARE + CONDITION);
    memcpy(to, n1 ? low1 : low2, (size_t)(n1 + n2) * sizeof *to);
    return strand();
  }
  long left1 = (n1 - 1) / 2 + 1, low = 0, high = n2 - 1;
  units += ADD + DIVIDE + ADD + READ + CALL + 3 * ARGUMENT;
  for (; low <= high; units += 2 * ADD + DIVIDE + READ + COMPARE + CONDITION + ADD) {
    long middle = low + (high - low) / 2;
    units += COMPARE + CONDITION;
    if (low2[middle] <= low1[left1 - 1]) low = middle + 1;
    else high = middle - 1;
  }
  units += COMPARE + CONDITION;
  long left2 = high + 1;
  units += CALL + 5 * ARGUMENT;
  long before = strand(), one = merge(low1, left1, low2, left2, to) + END;
  units += CALL + 5 * ARGUMENT + 8 * ADD;
  long between = strand(), two = merge(low1 + left1, n1 - left1, low2 + left2, n2 - left2, to + left1 + left2) + END;
  work += 2 * END;
  return before + longer(one, between + two);
}

static long sort(long *low, long *spare, long n)
{
  units += COMPARE + CONDITION;
  if (n <= SERIALLY) {
    units += CALL + 2 * ARGUMENT + 2 * ADD;
    quicksort(low, low + n - 1);
    return strand();
  }
  long quarter = n / 4, span = 0, gone = 0;
  units += DIVIDE + 6 * ADD;
  for (int i = 0; i < 4; i++) {
    units += CALL + 3 * ARGUMENT + (i == 3 ? 2 * ADD : 0);
    gone += strand();
    span = longer(span, gone + sort(low + i * quarter, spare + i * quarter, i == 3 ? n - 3 * quarter : quarter) + END);
  }
  units += CALL + 5 * ARGUMENT + 2 * ADD;
  gone = strand();
  long one = gone + merge(low, quarter, low + quarter, quarter, spare) + END;
  units += CALL + 5 * ARGUMENT + 3 * ADD;
  gone += strand();
  span += longer(one, gone + merge(low + 2 * quarter, quarter, low + 3 * quarter, n - 3 * quarter, spare + 2 * quarter) + END);
  units += CALL + 5 * ARGUMENT + 3 * ADD;
  gone = strand();
  work += 7 * END;
  return span + gone + merge(spare, 2 * quarter, spare + 2 * quarter, n - 2 * quarter, low) + END;
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 20000, *array = malloc((size_t)n * sizeof *array), *spare = malloc((size_t)n * sizeof *spare);
  unsigned long random = 1;
  if (!array || !spare) return 1;
  for (long i = 0; i < n; i++) {
    random = random * 6364136223846793005ul + 1442695040888963407ul;
    array[i] = (long)(random >> 33) % (4 * n);
  }
  units += CALL + 3 * ARGUMENT;
  long before = strand(), span = before + sort(array, spare, n) + END;
  for (long i = 1; i < n; i++)
    if (array[i - 1] > array[i]) return 1;
  printf("%ld %ld\n", work + END, span);
  return 0;
}
