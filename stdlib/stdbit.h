/* <stdbit.h> of C23, for systems that have none. Every function exists for the five unsigned types, and a macro of the
 * plain name chooses by its argument. */
#pragma GCC system_header
#ifndef CILKC_STDBIT_H
#define CILKC_STDBIT_H 1
#if __has_include_next(<stdbit.h>)
#include_next <stdbit.h>
#else
#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ __ORDER_LITTLE_ENDIAN__
#define __STDC_ENDIAN_BIG__ __ORDER_BIG_ENDIAN__
#define __STDC_ENDIAN_NATIVE__ __BYTE_ORDER__

/* One type: its suffix, itself, its width. Zero is looked at first, since the builtins leave it undefined. */
#define CILKC_STDBIT_(s, T, w) \
  static inline unsigned stdc_leading_zeros_##s(T x) { return x ? (unsigned)__builtin_clzll(x) - (64 - (w)) : (w); } \
  static inline unsigned stdc_leading_ones_##s(T x) { return stdc_leading_zeros_##s((T)~x); } \
  static inline unsigned stdc_trailing_zeros_##s(T x) { return x ? (unsigned)__builtin_ctzll(x) : (w); } \
  static inline unsigned stdc_trailing_ones_##s(T x) { return stdc_trailing_zeros_##s((T)~x); } \
  static inline unsigned stdc_first_leading_zero_##s(T x) { return (T)~x ? stdc_leading_ones_##s(x) + 1 : 0; } \
  static inline unsigned stdc_first_leading_one_##s(T x) { return x ? stdc_leading_zeros_##s(x) + 1 : 0; } \
  static inline unsigned stdc_first_trailing_zero_##s(T x) { return (T)~x ? stdc_trailing_ones_##s(x) + 1 : 0; } \
  static inline unsigned stdc_first_trailing_one_##s(T x) { return x ? stdc_trailing_zeros_##s(x) + 1 : 0; } \
  static inline unsigned stdc_count_ones_##s(T x) { return (unsigned)__builtin_popcountll(x); } \
  static inline unsigned stdc_count_zeros_##s(T x) { return (w) - stdc_count_ones_##s(x); } \
  static inline _Bool stdc_has_single_bit_##s(T x) { return x && !(x & (T)(x - 1)); } \
  static inline unsigned stdc_bit_width_##s(T x) { return (w) - stdc_leading_zeros_##s(x); } \
  static inline T stdc_bit_floor_##s(T x) { return x ? (T)((T)1 << (stdc_bit_width_##s(x) - 1)) : 0; } \
  static inline T stdc_bit_ceil_##s(T x) \
  { \
    return x <= 1 ? 1 : stdc_bit_width_##s((T)(x - 1)) == (w) ? 0 : (T)((T)1 << stdc_bit_width_##s((T)(x - 1))); \
  }
CILKC_STDBIT_(uc, unsigned char, 8)
CILKC_STDBIT_(us, unsigned short, 16)
CILKC_STDBIT_(ui, unsigned int, 32)
CILKC_STDBIT_(ul, unsigned long, __SIZEOF_LONG__ * 8)
CILKC_STDBIT_(ull, unsigned long long, 64)
#undef CILKC_STDBIT_

#define CILKC_STDBIT_OF_(f, x) \
  _Generic((x), \
      unsigned char: f##_uc, \
      unsigned short: f##_us, \
      unsigned int: f##_ui, \
      unsigned long: f##_ul, \
      unsigned long long: f##_ull)(x)
#define stdc_leading_zeros(x) CILKC_STDBIT_OF_(stdc_leading_zeros, x)
#define stdc_leading_ones(x) CILKC_STDBIT_OF_(stdc_leading_ones, x)
#define stdc_trailing_zeros(x) CILKC_STDBIT_OF_(stdc_trailing_zeros, x)
#define stdc_trailing_ones(x) CILKC_STDBIT_OF_(stdc_trailing_ones, x)
#define stdc_first_leading_zero(x) CILKC_STDBIT_OF_(stdc_first_leading_zero, x)
#define stdc_first_leading_one(x) CILKC_STDBIT_OF_(stdc_first_leading_one, x)
#define stdc_first_trailing_zero(x) CILKC_STDBIT_OF_(stdc_first_trailing_zero, x)
#define stdc_first_trailing_one(x) CILKC_STDBIT_OF_(stdc_first_trailing_one, x)
#define stdc_count_zeros(x) CILKC_STDBIT_OF_(stdc_count_zeros, x)
#define stdc_count_ones(x) CILKC_STDBIT_OF_(stdc_count_ones, x)
#define stdc_has_single_bit(x) CILKC_STDBIT_OF_(stdc_has_single_bit, x)
#define stdc_bit_width(x) CILKC_STDBIT_OF_(stdc_bit_width, x)
#define stdc_bit_floor(x) CILKC_STDBIT_OF_(stdc_bit_floor, x)
#define stdc_bit_ceil(x) CILKC_STDBIT_OF_(stdc_bit_ceil, x)
#endif
#endif
