// FLAGS: -std=c23
// What C23 adds to the library without the library: <stdckdint.h>, <stdbit.h>, nullptr_t, unreachable(), va_start with one argument.
#include <stdarg.h>
#include <stdbit.h>
#include <stdckdint.h>
#include <stddef.h>
#include <limits.h>

static int sum(int n, ...) {
  va_list list;
  va_start(list);
  int s = 0;
  while (n--) s += va_arg(list, int);
  va_end(list);
  return s;
}
static int all(...) { va_list list; va_start(list); int r = va_arg(list, int); va_end(list); return r; }
static int sign(int n) {
  switch (n & 1) {
  case 0: return 1;
  case 1: return -1;
  default: unreachable();
  }
}
int main(void) {
  if (sum(3, 10, 20, 12) != 42 || all(7) != 7 || sign(3) != -1) return 1;
  nullptr_t none = nullptr;
  int *p = none;
  if (p || none != nullptr) return 2;
  int r;
  long l;
  unsigned char c;
  if (ckd_add(&r, INT_MAX, 0) || r != INT_MAX || !ckd_add(&r, INT_MAX, 1) || ckd_mul(&l, LONG_MAX, 1) || !ckd_sub(&c, 3, 4) || ckd_add(&c, 200, 55) || c != 255) return 3;
  unsigned char byte = 0x2c;
  unsigned short half = 0x8000;
  if (stdc_leading_zeros(byte) != 2 || stdc_trailing_zeros(byte) != 2 || stdc_count_ones(byte) != 3 || stdc_count_zeros(byte) != 5) return 4;
  if (stdc_leading_zeros(0u) != 32 || stdc_trailing_zeros(0ull) != 64 || stdc_leading_ones(half) != 1 || stdc_trailing_ones(0xfful) != 8) return 5;
  if (stdc_first_leading_one(byte) != 3 || stdc_first_trailing_one(byte) != 3 || stdc_first_leading_zero(half) != 2 || stdc_first_trailing_zero(7u) != 4) return 6;
  if (stdc_bit_width(byte) != 6 || stdc_bit_floor(byte) != 32 || stdc_bit_ceil(byte) != 64 || stdc_bit_floor(0u) != 0 || stdc_bit_ceil(0ul) != 1) return 7;
  if (!stdc_has_single_bit(half) || stdc_has_single_bit(byte) || stdc_has_single_bit(0u) || stdc_first_leading_zero(~0u) != 0) return 8;
  if (stdc_leading_zeros_ul(1) != sizeof(long) * 8 - 1 || stdc_bit_ceil_uc(128) != 128) return 9;
  return 0;
}
