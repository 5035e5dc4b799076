/* sum.h - the sum of bytes that files and messages end with, so that a damaged one is noticed: FNV-1a. The sum of more
 * bytes goes on from that of those before. */
#ifndef CILK_RT_SUM_H
#define CILK_RT_SUM_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t cilk_sum_begin = 0xcbf29ce484222325;

static inline uint64_t cilk_sum(uint64_t sum, const void *bytes, size_t n) {
  for (const unsigned char *p = bytes, *end = p + n; p < end; p++) sum = (sum ^ *p) * 0x100000001b3;
  return sum;
}

#endif
