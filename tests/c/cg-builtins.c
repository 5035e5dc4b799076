/* Builtins on integers, overflow, memory, floating point, object sizes, hints. */
#include <string.h>
#include <math.h>
#include <stdlib.h>
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static unsigned u = 0x00f0; static unsigned long long ull = 1ull << 40; static int neg = -5; static double one = 1, zero; static long double ldz;
static int ov(int a, int b, int *r) { return __builtin_add_overflow(a, b, r); }
__attribute__((noinline)) static int cold(int x) { if (__builtin_expect(x == 3, 0)) return 1; return 2; }
int main(void) {
  CHECK(__builtin_clz(u) == 24 && __builtin_ctz(u) == 4 && __builtin_popcount(u) == 4 && __builtin_parity(u) == 0 && __builtin_ffs(u) == 5 && __builtin_ffs(0) == 0);
  CHECK(__builtin_clzll(ull) == 23 && __builtin_ctzll(ull) == 40 && __builtin_ffsll(ull) == 41 && __builtin_popcountll(~ull) == 63 && __builtin_clrsb(neg) == 28 && __builtin_clrsb(0) == 31);
  CHECK(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(u) == 0xf0000000u && __builtin_bswap64(ull) == 0x10000);
  int r; long l; unsigned char c; unsigned un; signed char sc;
  CHECK(ov(2147483647, 1, &r) && r == -2147483647 - 1 && !ov(1, 2, &r) && r == 3);
  CHECK(__builtin_mul_overflow(1l << 40, 1l << 30, &l) && !__builtin_sub_overflow(5, 7, &l) && l == -2);
  CHECK(__builtin_add_overflow(200, 100, &c) && c == 44 && __builtin_sub_overflow(1u, 2u, &un) && un == ~0u && !__builtin_add_overflow(-1, 1u, &un) && un == 0);
  CHECK(__builtin_mul_overflow(-1, 1u, &un) && !__builtin_mul_overflow(-8, 16, &sc) && sc == -128 && __builtin_mul_overflow(8, 16, &sc));
  CHECK(__builtin_add_overflow_p(1, 2147483647, (int)0) && !__builtin_add_overflow_p(1, 2, (char)0) && __builtin_saddl_overflow(1, 0x7fffffffffffffff, &l));
  long long ll; CHECK(__builtin_mul_overflow(0xffffffffffffffffull, 2ll, &ll) && __builtin_sub_overflow(0, 0x8000000000000000ull, &ll) == 0 && ll < 0);
  CHECK(__builtin_isnan(zero / zero) && !__builtin_isnan(one) && __builtin_isinf(one / zero) && __builtin_isinf_sign(-one / zero) == -1 && __builtin_isfinite(one) && !__builtin_isnormal(zero));
  CHECK(__builtin_signbit(-zero) && !__builtin_signbit(zero) && __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, one) == FP_NORMAL && fpclassify(zero) == FP_ZERO && fpclassify(1e-310 * one) == FP_SUBNORMAL);
  CHECK(isgreater(one, zero) && !islessequal(zero / zero, one) && isunordered(zero / zero, one) && signbit(-ldz) && isinf(1 / ldz) && __builtin_inf() > 1e308 && __builtin_huge_valf() > 1e38f && __builtin_nan("") != __builtin_nan(""));
  CHECK(__builtin_fabs(-one) == 1 && fabsf(-2.0f) == 2 && fabsl(-1.0L) == 1 && copysign(one, -zero) == -1 && floor(-1.5 * one) == -2 && ceil(1.5f * one) == 2 && trunc(-1.5 * one) == -1 && fmax(one, zero) == 1 && sqrt(one * 4) == 2 && rint(2.5 * one) == 2 && round(2.5 * one) == 3);
  CHECK(__builtin_powi(2.0, 10) == 1024 && __builtin_abs(neg) == 5 && labs(neg) == 5 && llabs(-7ll) == 7);
  char buf[16]; CHECK(__builtin_memcpy(buf, "abcdefg", 8) == buf && __builtin_memset(buf + 8, 'x', 4) == buf + 8 && __builtin_memcmp(buf, "abcdefg", 8) == 0 && __builtin_strlen(buf) == 7); memmove(buf + 1, buf, 5); CHECK(buf[5] == 'e'); bzero(buf, 3); CHECK(!buf[2]);
  CHECK(__builtin_strcmp("a", "b") < 0 && __builtin_strchr("xyz", 'y')[1] == 'z' && __builtin_object_size(buf, 0) == 16);
  char *p = __builtin_alloca(100); memset(p, 1, 100); CHECK(p[99] == 1 && ((unsigned long)p & 15) == 0); p = __builtin_alloca_with_align(64, 512); CHECK(((unsigned long)p & 63) == 0);
  CHECK(__builtin_constant_p(3) && !__builtin_constant_p(neg + rand()) && __builtin_choose_expr(1, 4, "x") == 4 && __builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, long));
  CHECK(cold(3) == 1 && cold(4) == 2); __builtin_prefetch(buf); __builtin_prefetch(buf, 1, 2); CHECK(__builtin_assume_aligned(buf, 1) == buf);
  CHECK(__builtin_frame_address(0) != 0 && __builtin_return_address(0) != 0 && __builtin_classify_type(1.0) == 8); if (neg > 0) __builtin_unreachable(); if (neg == 7) __builtin_trap();
  CHECK(__builtin_offsetof(struct { int a; char b[4]; }, b[2]) == 6); int n = 3; CHECK(__builtin_offsetof(struct { int a; char b[9]; }, b[n]) == 7);
  struct pad { char c; int i; } pd; memset(&pd, 0xff, sizeof pd); __builtin_clear_padding(&pd); CHECK(((unsigned char *)&pd)[1] == 0 && pd.i == -1);
  return fails ? 1 : 0;
}
